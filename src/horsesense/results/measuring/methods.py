"""Methods: the one that was chosen beforehand against every other, on the original."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.results import Estimate, Variant
from horsesense.results.measuring.answers import Answers
from horsesense.results.measuring.between import Comparison, compare
from horsesense.results.measuring.changes import CONSISTENCIES
from horsesense.results.measuring.families import family_of_methods
from horsesense.results.measuring.parts import ANY_AND_EQUAL


def methods(answers: Answers, original: Variant) -> Iterator[Estimate]:
    """Every model's standard method against its others; the identity is the transformation."""
    for model, of in answers.standard(original):
        for method in model.methods:
            against = of.replace(method=method)
            if method != of.method and against in answers.sheets:
                comparison = Comparison(
                    of=of,
                    against=against,
                    changes=dict.fromkeys(ANY_AND_EQUAL, CONSISTENCIES),
                    family=family_of_methods(of),
                    with_thesis=not model.is_baseline,
                )
                yield from compare(answers, comparison)
