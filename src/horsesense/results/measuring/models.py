"""Models: each against every earlier one, baselines included, by their standard methods."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from horsesense.metrics import METRICS
from horsesense.results import ALL, ORIGINAL, Estimate, Variant
from horsesense.results.measuring.answers import Answers
from horsesense.results.measuring.between import Comparison, compare
from horsesense.results.measuring.families import family_of_models
from horsesense.results.measuring.parts import ANY_AND_EQUAL

_CONSISTENCIES = (METRICS["consistency"], METRICS["schema-consistency"])


def models_compared(answers: Answers, form: Variant) -> Iterator[Estimate]:
    """The models on a form; how consistent they are with each other on the original only."""
    is_original = form.name == ORIGINAL
    known = [
        (model, address)
        for model, address in answers.standard(form)
        if answers.is_labelled(address)
    ]
    for (earlier, against), (later, of) in combinations(known, 2):
        comparison = Comparison(
            of=of,
            against=against,
            changes={
                subset: _CONSISTENCIES if is_original and subset == ALL else ()
                for subset in ANY_AND_EQUAL
            },
            family=family_of_models(of),
            # One that always answers alike makes a null in which nothing varies.
            with_thesis=is_original and not (earlier.is_baseline or later.is_baseline),
        )
        yield from compare(answers, comparison)
