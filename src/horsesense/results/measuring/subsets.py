"""Subsets against their complements, never against the whole; clusters change sides whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from horsesense.errors import UnknownNameError
from horsesense.metrics import Paired, Sample, split
from horsesense.results import ORIGINAL, Estimate, ResultKey, Variant
from horsesense.results.measuring.answers import Answers
from horsesense.results.measuring.between import compare_at
from horsesense.results.measuring.families import family_of_subsets
from horsesense.results.measuring.parts import complement_of, splits
from horsesense.results.measuring.rows import Between
from horsesense.results.measuring.significance import Terms


def subsets_compared(answers: Answers, form: Variant) -> Iterator[Estimate]:
    """Each subset of the original, or of a control, against the rest, by the standard methods."""
    if form.name != ORIGINAL and not form.is_control:
        return
    for _, address in answers.standard(form):
        if answers.is_labelled(address):
            for expression in splits(answers.subsets):
                yield from _against_complement(answers, address, expression)


def _against_complement(
    answers: Answers, address: ResultKey, expression: str
) -> Iterator[Estimate]:
    try:
        sides = split(answers.sample(address), expression)
    except UnknownNameError:
        return
    of, against = (
        address.replace(subset=expression),
        address.replace(subset=complement_of(expression)),
    )
    place = Between(of, against, apart(sides.complement, sides.subset), of_same=False)
    yield from compare_at(answers, place, (), Terms(family_of_subsets(of), answers.seed))


def apart(before: Sample, after: Sample) -> Paired:
    """Two samples that number their clusters alike, and have no problem or schema in common."""
    return Paired(before, after, None, np.empty((0, 2), np.intp))
