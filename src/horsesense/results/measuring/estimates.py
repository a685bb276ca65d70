"""Make rows of the table of estimates from bootstrapped metrics and tests, and adjust p-values.

Under the thesis' null of chance, none, one or both problems of a schema are solved with
probabilities of 1/4, 1/2 and 1/4. That is a coin flip per problem, so it makes no difference which
problems have a twin.

Each table has one family of p-values, over problem and schema accuracy alike, adjusted by Holm's
method. What was chosen beforehand (the standard method, all problems, and those with answers of
equal length) is in another family than what is shown for comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor
from typing import Any

import numpy as np

from horsesense.metrics import METRICS, Data, Metric, Paired, Sample, Ties
from horsesense.metrics.statistics import (
    FEW_CLUSTERS,
    Bootstrapped,
    MetricDifference,
    Null,
    Significance,
    ThesisTerms,
    ThesisTest,
    exactly,
    holm,
)
from horsesense.results import ORIGINAL, Estimate, EstimateKind, ModelSubject, ResultKey, Variant
from horsesense.results.measuring.answers import ANY_AND_EQUAL, is_standard

ACCURACIES = (METRICS["problem-accuracy"], METRICS["schema-accuracy"])
_FEW = f"fewer than {FEW_CLUSTERS} clusters"


@dataclass(frozen=True, slots=True)
class PValues:
    """The p-values of a value or a difference, and the family over which they are adjusted."""

    p: float | None = None
    test: str = ""
    thesis_p: float | None = None
    family: str = ""
    reason: str = ""


@dataclass(frozen=True, eq=False)
class KeyedSample:
    """A sample, and the key of its answers."""

    key: ResultKey
    data: Sample

    def value(self, metric: Metric, bootstrapped: Bootstrapped, p_values: PValues) -> Estimate:
        """Return the estimate of a metric of the answers."""
        row = _row(EstimateKind.VALUE, metric, bootstrapped, p_values, self.sizes)
        return Estimate(key=self.key, **row, **_share(metric, self.data))

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The columns that say how many problems and schemas there are."""
        return _sizes(self.data)


@dataclass(frozen=True, eq=False)
class KeyedPair:
    """A pair of samples, and the keys of their answers: `key` is compared with `against`.

    If not `is_shared`, the two have no problems in common: a subset and its complement, or two
    datasets. Clusters are still numbered over both.
    """

    key: ResultKey
    against: ResultKey
    data: Paired
    is_shared: bool = True

    def change(self, metric: Metric, bootstrapped: Bootstrapped) -> Estimate:
        """Return the estimate of a metric of both, such as consistency."""
        row = _row(EstimateKind.CHANGE, metric, bootstrapped, PValues(), self.sizes)
        return Estimate(key=self.key, against=self.against, **row, **_share(metric, self.data))

    def difference(self, metric: Metric, row: MetricDifference, p_values: PValues) -> Estimate:
        """Return the estimate of a metric of `key` minus that of `against`."""
        return Estimate(
            key=self.key,
            against=self.against,
            before=row.one,
            after=row.other,
            **_row(EstimateKind.DIFFERENCE, metric, row.difference, p_values, self.sizes),
        )

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The columns that say how much was measured.

        A pair of problems is undecided if either of the two is.
        """
        old, new, pairs = self.data.before, self.data.after, self.data.problems
        before, after = _sizes(old), _sizes(new)
        both = {name: before[name] + after[name] for name in after}
        if not self.is_shared:
            return both
        undecided = both["n_undecided"]
        if pairs is not None:
            at_old, at_new = old.problems[pairs[:, 0]], new.problems[pairs[:, 1]]
            undecided = int(((at_old.undecided + at_new.undecided) > 0).sum())
        return {**after, "n_undecided": undecided}


def not_measured(
    kind: EstimateKind,
    metric: Metric,
    reason: str,
    *,
    key: ResultKey,
    against: ResultKey | None = None,
) -> Estimate:
    """Return an estimate without a value, with the reason."""
    name = metric.name
    return Estimate(kind=kind, key=key, against=against, metric=name, value=None, reason=reason)


def _row(
    kind: EstimateKind,
    metric: Metric,
    bootstrapped: Bootstrapped,
    p_values: PValues,
    sizes: Mapping[str, int],
) -> dict[str, Any]:
    """Return the fields that all kinds of estimates share."""
    interval = bootstrapped.interval
    few = _FEW if bootstrapped.is_few and bootstrapped.clusters else ""
    reasons = bootstrapped.reason, bootstrapped.no_interval, few, p_values.reason
    return {
        "kind": kind,
        "metric": metric.name,
        "value": bootstrapped.estimate,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        **sizes,
        "n_clusters": bootstrapped.clusters,
        "p": p_values.p,
        "test": p_values.test,
        "thesis_p": p_values.thesis_p,
        "family": p_values.family,
        "reason": "; ".join(filter(None, reasons)),
    }


def _share(metric: Metric, data: Data) -> dict[str, Any]:
    """Return count and total, if the metric is a share."""
    if not metric.is_share:
        return {}
    share = metric.share(data)
    return {"count": share.count, "total": share.total}


def _sizes(sample: Sample) -> dict[str, int]:
    return {
        "n_problems": len(sample.problems),
        "n_schemas": len(sample.schemas),
        "n_undecided": int(sample.problems.undecided.sum()),
    }


AGAINST_CHANCE = "exact, against chance"
_COIN = Null((Fraction(1, 2), Fraction(1, 2)))
_TWO_COINS = Null((Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)))
_SCHEMA_BY_CHANCE = Null((Fraction(3, 4), Fraction(1, 4)))
_OF_PROBLEMS, _OF_SCHEMAS = ACCURACIES
# A p-value too small for a float is still not 0.
_SMALLEST = float(np.finfo(float).tiny)
# Many answer sets have the same count and total, so tests are cached.
_KEPT = 1 << 12


@dataclass(frozen=True, slots=True)
class HowToTest:
    """How to test a value or a difference.

    `with_thesis` adds the p-value of the thesis' test; `no_test` is the reason not to test.
    """

    family: str
    seed: int
    with_thesis: bool = False
    no_test: str = ""


def chance_test(metric: Metric, sample: Sample, settings: HowToTest) -> PValues:
    """Test an accuracy against guessing between two options, two-sided and exactly.

    As in the thesis, outcomes at least as far from chance count, not those at most as likely.
    """
    if settings.no_test:
        return PValues(reason=settings.no_test)
    share = metric.share(sample)
    null, number = _by_chance(metric, sample)
    p = _as_far(Fraction(share.count), int(share.total), null.accuracy)
    thesis_p = None
    if settings.with_thesis:
        on = ThesisTerms(null, number, exactly(share) - null.accuracy)
        thesis_p = _simulated(on, settings.seed)
    return PValues(p, AGAINST_CHANCE, thesis_p, settings.family)


def chance_is_bound(family: str, ties: str, n_undecided: int) -> bool:
    """Return whether guessing solves no more than chance, and perhaps much less.

    A chat model is asked in both orders, and a problem is decided only if both replies agree. By
    guessing anew each time, half of the problems with two options stay undecided, and a quarter is
    solved. If undecided problems count half, or if there are none, chance is what it is elsewhere.

    >>> chance_is_bound("chat", "failed", 3), chance_is_bound("chat", "half", 3)
    (True, False)
    """
    return family == "chat" and ties == Ties.FAILED and n_undecided > 0


def read_tests(row: MetricDifference, thesis: ThesisTest | None, settings: HowToTest) -> PValues:
    """Return the tests of a difference, with a remark on what they leave out."""
    if settings.no_test:
        return PValues(reason=settings.no_test)
    if row.test is None:
        return PValues(reason=f"no test: {row.reason}")
    remarks = (_left_out(row.test), _in_no_schema(thesis))
    thesis_p = None if thesis is None else thesis.p
    reason = "; ".join(filter(None, remarks))
    return PValues(row.test.p, row.test.test, thesis_p, settings.family, reason)


def _left_out(significance: Significance) -> str:
    """Say so if the test covers fewer clusters than the difference."""
    if not significance.left_out:
        return ""
    return f"p is of the clusters that are wholly in or out: {significance.left_out} left out"


def _in_no_schema(thesis: ThesisTest | None) -> str:
    """Say so if the thesis' test covers fewer problems than the difference."""
    if thesis is None or not any(thesis.terms.left_out):
        return ""
    left_out = max(thesis.terms.left_out)
    return f"the unpaired p is of the problems in schemas: up to {left_out} left out"


def _by_chance(metric: Metric, sample: Sample) -> tuple[Null, int]:
    """Return the null of guessing, and its number of units."""
    if metric is _OF_SCHEMAS:
        return _SCHEMA_BY_CHANCE, len(sample.schemas)
    if 2 * len(sample.schemas) == len(sample.problems):
        return _TWO_COINS, len(sample.schemas)
    return _COIN, len(sample.problems)


@lru_cache(maxsize=_KEPT)
def _as_far(count: Fraction, total: int, chance: Fraction) -> float:
    """Return the probability of a count at least as far from the expected one, on either side."""
    from scipy.special import bdtr, bdtrc

    expected = total * chance
    distance = abs(count - expected)
    low, high = floor(expected - distance), ceil(expected + distance)
    if low == high:
        return 1.0
    below = float(bdtr(low, total, float(chance))) if low >= 0 else 0.0
    above = float(bdtrc(high - 1, total, float(chance))) if high <= total else 0.0
    return min(1.0, max(below + above, _SMALLEST))


def _simulated(settings: ThesisTerms, seed: int) -> float | None:
    """Return the p-value of the thesis' test, or None if the difference is 0."""
    return settings.test(seed=seed).p if settings.difference else None


def adjusted(estimates: Iterable[Estimate]) -> tuple[Estimate, ...]:
    """Adjust every p-value over its family."""
    listed = list(estimates)
    families: dict[str, list[int]] = {}
    for position, estimate in enumerate(listed):
        if estimate.p is not None:
            families.setdefault(estimate.family, []).append(position)
    for family, members in families.items():
        ps = holm([listed[position].p for position in members], family=family).ps
        for position, p in zip(members, ps, strict=True):
            listed[position] = replace(listed[position], p_adjusted=p)
    return tuple(listed)


def family_of_values(model: ModelSubject, key: ResultKey) -> str:
    """Name the family of accuracies against chance."""
    if key.variant != ORIGINAL:
        what, by = f"forms of {key.dataset}", key.method
    else:
        what, by = key.dataset, key.method if is_standard(model, key) else "other methods"
    return f"{what} against chance, {key.model} by {by}{among(key)}"


def family_of_changes(variant: Variant, key: ResultKey) -> str:
    """Name the family of variants against the variant they are compared with."""
    if variant.compared != ORIGINAL:
        what = f"modes of {variant.compared}"
    else:
        what = "controls" if variant.is_control else "perturbations"
    return f"{what} of {key.dataset}, {key.model} by {key.method}"


def family_of_subsets(key: ResultKey) -> str:
    """Name the family of subsets against their complements."""
    what = key.dataset if key.variant == ORIGINAL else f"controls of {key.dataset}"
    return f"subsets of {what} against their complements, {key.model} by {key.method}"


def family_of_methods(key: ResultKey) -> str:
    """Name the family of the standard method against others."""
    return f"methods on {key.dataset}, {key.model} by {key.method} against others"


def family_of_variants(key: ResultKey) -> str:
    """Name the family of perturbations against each other."""
    return f"perturbations of {key.dataset} against each other, {key.model} by {key.method}"


def family_of_datasets(key: ResultKey) -> str:
    """Name the family of datasets against each other."""
    return f"datasets against each other, {key.model}"


def family_of_models(key: ResultKey) -> str:
    """Name the family of models against each other."""
    what = key.dataset if key.variant == ORIGINAL else f"forms of {key.dataset}"
    return f"models against each other on {what}"


def family_of_protocols(key: ResultKey) -> str:
    """Name the family of other protocols against the same model as a language model."""
    return f"other protocols against log-probabilities on {key.dataset}, {key.model}"


def among(key: ResultKey) -> str:
    """Return the suffix of a family's name for subsets other than the usual two.

    >>> among(ResultKey("ant", "hs-winograd", subset="associative"))
    ', associative'
    """
    return "" if key.subset in ANY_AND_EQUAL else f", {key.subset}"
