"""Subsets against their complements, never against the whole; clusters change sides whole."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.errors import UnknownNameError
from horsesense.metrics import split
from horsesense.metrics.statistics import apart
from horsesense.results import ORIGINAL, Address, FormSubject, Measurement
from horsesense.results.measuring.answers import Answers
from horsesense.results.measuring.between import compare_at
from horsesense.results.measuring.families import family_of_subsets
from horsesense.results.measuring.parts import complement_of, splits
from horsesense.results.measuring.rows import Between
from horsesense.results.measuring.significance import Terms


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
