"""Every metric by name: ours, and those that other packages add.

Another package adds one by an entry point of the group `horsesense.metrics`, whose value is a
`Metric`. It cannot take the name of one of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from unicodedata import normalize

from horsesense.errors import MetricError
from horsesense.metrics.accuracy import (
    anti_solved_share,
    half_solved_share,
    problem_accuracy,
    schema_accuracy,
)
from horsesense.metrics.adjusted import (
    accuracy_difference,
    adjusted_accuracy,
    adjusted_schema_accuracy,
    adjusted_schema_lower_bound,
    chance_corrected_consistency,
    expected_strict_consistency,
    relative_gain,
    relative_loss,
    relative_schema_gain,
    relative_schema_loss,
    schema_accuracy_difference,
)
from horsesense.metrics.consistency import (
    consistency,
    consistent_accuracy,
    consistent_schema_accuracy,
    gained_share,
    inversely_preserved_accuracy,
    inversely_preserved_schema_accuracy,
    kept_with_other_answers,
    lost_share,
    preserved_accuracy,
    preserved_schema_accuracy,
    schema_consistency,
    strict_schema_consistency,
    unsettled_share,
    weak_schema_consistency,
)
from horsesense.metrics.groups import female_gender_gap, male_gender_gap, worst_member_accuracy
from horsesense.metrics.metric import Metric
from horsesense.metrics.pairs import (
    first_given_failed,
    first_given_solved,
    first_problem_accuracy,
    random_pair_accuracy,
    second_given_failed,
    second_given_solved,
    second_problem_accuracy,
)
from horsesense.metrics.properties import (
    equal_length_share,
    first_option_share,
    second_last_share,
    undecided_share,
)
from horsesense.registry import Registry, blame

# What others call them: Elazar et al. (group score, exact match), Abdou et al. (stability, pair
# accuracy), and thesis Table 3.6; and κ spelt out.
ALIASES = {
    "accuracy": "problem-accuracy",
    "pair-accuracy": "schema-accuracy",
    "group-score": "worst-member-accuracy",
    "exact-match": "consistent-accuracy",
    "stability": "consistency",
    "problem-consistency": "consistency",
    "preserved-consistency": "preserved-accuracy",
    "kappa": "chance-corrected-consistency",
}


def _blaming(metric: Metric, source: str) -> Metric:
    def failing(_: object) -> str:
        return f"the metric {metric.name!r} of {source} fails"

    return replace(
        metric, columns=blame(metric.columns, failing), combine=blame(metric.combine, failing)
    )


METRICS: Registry[Metric] = Registry(
    "metric", "horsesense.metrics", Metric, reserved=ALIASES, wrap=_blaming
)
METRICS.add(
    problem_accuracy,
    schema_accuracy,
    half_solved_share,
    anti_solved_share,
    worst_member_accuracy,
    random_pair_accuracy,
    first_problem_accuracy,
    second_problem_accuracy,
    second_given_solved,
    second_given_failed,
    first_given_solved,
    first_given_failed,
    undecided_share,
    first_option_share,
    female_gender_gap,
    male_gender_gap,
    consistency,
    consistent_accuracy,
    preserved_accuracy,
    inversely_preserved_accuracy,
    weak_schema_consistency,
    schema_consistency,
    strict_schema_consistency,
    consistent_schema_accuracy,
    preserved_schema_accuracy,
    inversely_preserved_schema_accuracy,
    expected_strict_consistency,
    chance_corrected_consistency,
    gained_share,
    lost_share,
    kept_with_other_answers,
    unsettled_share,
    accuracy_difference,
    schema_accuracy_difference,
    adjusted_accuracy,
    adjusted_schema_accuracy,
    relative_loss,
    relative_schema_loss,
    relative_gain,
    relative_schema_gain,
    adjusted_schema_lower_bound,
    equal_length_share,
    second_last_share,
)


def find_metric(name: str) -> Metric:
    """Find a metric by its name, an alias, or its symbol if no other metric has that.

    >>> find_metric("stability").name, find_metric("C*").name
    ('consistency', 'strict-schema-consistency')
    """
    if not isinstance(name, str):
        raise MetricError(f"{name!r} is not the name of a metric; pass a string")
    real_name = ALIASES.get(name, name)
    if real_name in METRICS:
        return METRICS[real_name]
    # Ours first: plug-ins must not make their symbols ambiguous.
    by_symbol = _with_symbol(name, METRICS.ours) or _with_symbol(name, METRICS.plugins)
    if by_symbol is None:
        raise METRICS.unknown(name, known=[*METRICS, *ALIASES])
    return by_symbol


def _with_symbol(symbol: str, metrics: Mapping[str, Metric]) -> Metric | None:
    """Return the only metric with a symbol, however its accents are encoded."""
    normal = normalize("NFC", symbol)
    matches = [
        metric for metric in metrics.values() if normalize("NFC", metric.declared.symbol) == normal
    ]
    return matches[0] if len(matches) == 1 else None
