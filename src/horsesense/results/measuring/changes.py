"""Changes: what becomes of answers and accuracies from one form to another.

A perturbation or control is compared with the original, a dyad in another mode with that by answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from horsesense.metrics import METRICS, Metric
from horsesense.results import ALL, SCHEMA_LEVEL, Estimate, Variant
from horsesense.results.measuring.answers import Answers, is_standard
from horsesense.results.measuring.between import Comparison, compare
from horsesense.results.measuring.families import family_of_changes
from horsesense.results.measuring.parts import ASSOCIATIVE, all_subsets, complement_of

CONSISTENCIES = tuple(
    METRICS[name]
    for name in (
        "consistency",
        "consistent-accuracy",
        "preserved-accuracy",
        "inversely-preserved-accuracy",
        "schema-consistency",
        "strict-schema-consistency",
        "weak-schema-consistency",
        "consistent-schema-accuracy",
        "preserved-schema-accuracy",
        "inversely-preserved-schema-accuracy",
        "chance-corrected-consistency",
        "gained-share",
        "lost-share",
        "kept-with-other-answers",
    )
)
_RELATIVE = tuple(
    METRICS[name]
    for name in ("relative-loss", "relative-gain", "relative-schema-loss", "relative-schema-gain")
)
_ADJUSTED = tuple(
    METRICS[name]
    for name in ("adjusted-accuracy", "adjusted-schema-accuracy", "adjusted-schema-lower-bound")
)


def changes(answers: Answers, form: Variant) -> Iterator[Estimate]:
    """A form against what it is compared with, by every method."""
    for model, of in answers.at(form):
        against = of.replace(variant=form.compared)
        if against in answers.sheets and answers.is_labelled(of):
            comparison = Comparison(
                of=of,
                against=against,
                changes=_metrics(form, answers.subsets),
                family=family_of_changes(form, of),
                by_schema=form.level == SCHEMA_LEVEL,
                with_thesis=is_standard(model, of) and not model.is_baseline,
            )
            yield from compare(answers, comparison)


def _metrics(form: Variant, own: Sequence[str]) -> dict[str, Sequence[Metric]]:
    """The metrics of changes in each subset; in most, only accuracies are compared."""
    whole = (*CONSISTENCIES, *_RELATIVE, *(_ADJUSTED if form.is_control else ()))
    told = (ALL, ASSOCIATIVE, complement_of(ASSOCIATIVE)) if form.is_control else (ALL,)
    return {subset: whole if subset in told else () for subset in all_subsets(own)}
