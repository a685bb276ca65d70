"""Subsets against their complements, never against the whole; clusters change sides whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from horsesense.errors import UnknownNameError
from horsesense.measuring.answers import Answers
from horsesense.measuring.between import compare_at
from horsesense.measuring.families import family_of_subsets
from horsesense.measuring.parts import complement_of, splits
from horsesense.measuring.rows import Between
from horsesense.measuring.significance import Terms
from horsesense.metrics import Paired, Sample, split
from horsesense.profile import ORIGINAL, Address, FormSubject, Measurement


def subsets_compared(answers: Answers, form: FormSubject) -> Iterator[Measurement]:
    """Each subset of the original, or of a control, against the rest, by the standard methods."""
    if form.name != ORIGINAL and not form.is_control:
        return
    for _, address in answers.standard(form):
        if answers.is_labelled(address):
            for expression in splits(answers.subsets):
                yield from _against_complement(answers, address, expression)


def _against_complement(
    answers: Answers, address: Address, expression: str
) -> Iterator[Measurement]:
    try:
        sides = split(answers.sample(address), expression)
    except UnknownNameError:
        return
    of, against = address.at(subset=expression), address.at(subset=complement_of(expression))
    place = Between(of, against, apart(sides.complement, sides.subset), of_same=False)
    yield from compare_at(answers, place, (), Terms(family_of_subsets(of), answers.seed))


def apart(before: Sample, after: Sample) -> Paired:
    """Two samples that number their clusters alike, and have no problem or schema in common."""
    return Paired(before, after, None, np.empty((0, 2), np.intp))
