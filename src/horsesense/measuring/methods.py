"""Methods: the one that was chosen beforehand against every other, on the original."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.measuring.answers import Answers
from horsesense.measuring.between import Comparison, compare
from horsesense.measuring.changes import CONSISTENCIES
from horsesense.measuring.families import family_of_methods
from horsesense.measuring.parts import ANY_AND_EQUAL
from horsesense.profile import FormSubject, Measurement


def methods(answers: Answers, original: FormSubject) -> Iterator[Measurement]:
    """Every model's standard method against its others; the identity is the transformation."""
    for model, of in answers.standard(original):
        for method in model.methods:
            against = of.at(method=method)
            if method != of.method and against in answers.sheets:
                comparison = Comparison(
                    of=of,
                    against=against,
                    changes=dict.fromkeys(ANY_AND_EQUAL, CONSISTENCIES),
                    family=family_of_methods(of),
                    with_thesis=not model.is_baseline,
                )
                yield from compare(answers, comparison)
