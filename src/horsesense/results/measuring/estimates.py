"""Estimates: from what was resampled, by way of tests, to rows with p-values adjusted together.

The thesis' null of chance solves none, one or both problems of a schema with chances of 1/4, 1/2
and 1/4. That is a coin for each problem, so it makes no difference which problems have a twin.

There is a family of p-values for each table, over problem and schema accuracy alike, adjusted by
Holm's method. What was chosen beforehand is not mixed with what is shown beside it: the standard
method of a model, all problems and those with answers of equal length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor
from typing import Any

import numpy as np

from horsesense.metrics import METRICS, Data, Metric, Paired, Sample
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
from horsesense.results import ORIGINAL, Estimate, Kind, ModelSubject, ResultKey, Variant
from horsesense.results.measuring.answers import ANY_AND_EQUAL, is_standard

ACCURACIES = (METRICS["problem-accuracy"], METRICS["schema-accuracy"])
_FEW = f"fewer than {FEW_CLUSTERS} clusters"


@dataclass(frozen=True, slots=True)
class Tested:
    """What tests say of a value or a difference, and to which family it belongs."""

    p: float | None = None
    test: str = ""
    thesis_p: float | None = None
    family: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What something was measured on; `undecided` are problems."""

    problems: int
    schemas: int
    undecided: int


@dataclass(frozen=True, eq=False)
class At:
    """A key, and the answers there."""

    of: ResultKey
    data: Sample

    def value(self, metric: Metric, bootstrapped: Bootstrapped, tested: Tested) -> Estimate:
        """A metric of the answers."""
        row = _row(Kind.VALUE, metric, bootstrapped, tested, self.sizes)
        return Estimate(key=self.of, **row, **_share(metric, self.data))

    @cached_property
    def sizes(self) -> Sizes:
        """What there is to measure."""
        return _sizes(self.data)


@dataclass(frozen=True, eq=False)
class Between:
    """A key against another, and what they are compared on.

    If it is not `of_same`, the two have nothing in common: a subset and its complement, or two
    datasets. They number their clusters alike all the same, and share none.
    """

    of: ResultKey
    against: ResultKey
    data: Paired
    of_same: bool = True

    def change(self, metric: Metric, bootstrapped: Bootstrapped) -> Estimate:
        """A metric of the answers at both."""
        row = _row(Kind.CHANGE, metric, bootstrapped, Tested(), self.sizes)
        return Estimate(key=self.of, against=self.against, **row, **_share(metric, self.data))

    def difference(self, metric: Metric, row: MetricDifference, tested: Tested) -> Estimate:
        """A metric at one minus that at the other."""
        return Estimate(
            key=self.of,
            against=self.against,
            before=row.one,
            after=row.other,
            **_row(Kind.DIFFERENCE, metric, row.difference, tested, self.sizes),
        )

    @cached_property
    def sizes(self) -> Sizes:
        """What there is to measure; of problems that correspond, undecided on either side."""
        old, new, pairs = self.data.before, self.data.after, self.data.problems
        before, after = _sizes(old), _sizes(new)
        undecided = before.undecided + after.undecided
        if not self.of_same:
            problems, schemas = before.problems + after.problems, before.schemas + after.schemas
            return Sizes(problems, schemas, undecided)
        if pairs is not None:
            at_old, at_new = old.problems[pairs[:, 0]], new.problems[pairs[:, 1]]
            undecided = int(((at_old.undecided + at_new.undecided) > 0).sum())
        return Sizes(after.problems, after.schemas, undecided)


def not_measured(
    kind: Kind, metric: Metric, reason: str, *, of: ResultKey, against: ResultKey | None = None
) -> Estimate:
    """An estimate that could not be made, and why."""
    name = metric.name
    return Estimate(kind=kind, key=of, against=against, metric=name, value=None, reason=reason)


def _row(
    kind: Kind, metric: Metric, bootstrapped: Bootstrapped, tested: Tested, sizes: Sizes
) -> dict[str, Any]:
    """What all kinds of estimates have in common."""
    interval = bootstrapped.interval
    few = _FEW if bootstrapped.is_few and bootstrapped.clusters else ""
    reasons = bootstrapped.reason, bootstrapped.no_interval, few, tested.reason
    return {
        "kind": kind,
        "metric": metric.name,
        "value": bootstrapped.estimate,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n_problems": sizes.problems,
        "n_schemas": sizes.schemas,
        "n_clusters": bootstrapped.clusters,
        "n_undecided": sizes.undecided,
        "p": tested.p,
        "test": tested.test,
        "thesis_p": tested.thesis_p,
        "family": tested.family,
        "reason": "; ".join(filter(None, reasons)),
    }


def _share(metric: Metric, data: Data) -> dict[str, Any]:
    """What it is a share of, if it is one."""
    if not metric.is_share:
        return {}
    share = metric.share(data)
    return {"count": share.count, "total": share.total}


def _sizes(sample: Sample) -> Sizes:
    undecided = int(sample.problems.undecided.sum())
    return Sizes(len(sample.problems), len(sample.schemas), undecided)


AGAINST_CHANCE = "exact, against chance"
_COIN = Null((Fraction(1, 2), Fraction(1, 2)))
_TWO_COINS = Null((Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)))
_SCHEMA_BY_CHANCE = Null((Fraction(3, 4), Fraction(1, 4)))
_OF_PROBLEMS, _OF_SCHEMAS = ACCURACIES
# What is too unlikely for a float is not impossible.
_SMALLEST = float(np.finfo(float).tiny)
# Many answer sets have the same count of the same total.
_KEPT = 1 << 12


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a test.

    It is for a family; `with_thesis` says whether the thesis' p is told beside it, and `no_test`
    why there is nothing to test after all.
    """

    family: str
    seed: int
    with_thesis: bool = False
    no_test: str = ""


def chance_test(metric: Metric, sample: Sample, terms: Terms) -> Tested:
    """An accuracy against that of guessing between two options, either way.

    It is exact; as in the thesis, what is as far from chance counts, not what is as unlikely.
    """
    if terms.no_test:
        return Tested(reason=terms.no_test)
    share = metric.share(sample)
    null, number = _by_chance(metric, sample)
    p = _as_far(Fraction(share.count), int(share.total), null.accuracy)
    thesis_p = None
    if terms.with_thesis:
        on = ThesisTerms(null, number, exactly(share) - null.accuracy)
        thesis_p = _simulated(on, terms.seed)
    return Tested(p, AGAINST_CHANCE, thesis_p, terms.family)


def read_tests(row: MetricDifference, thesis: ThesisTest | None, terms: Terms) -> Tested:
    """What the tests say of a difference, and what they leave out; the thesis' null is before."""
    if row.test is None:
        return Tested(reason=f"no test: {row.reason}")
    remarks = (_left_out(row.test), _in_no_schema(thesis))
    thesis_p = None if thesis is None else thesis.p
    reason = "; ".join(filter(None, remarks))
    return Tested(row.test.p, row.test.test, thesis_p, terms.family, reason)


def _left_out(significance: Significance) -> str:
    """That p is of fewer clusters than the difference, if it is."""
    if not significance.left_out:
        return ""
    return f"p is of the clusters that are wholly in or out: {significance.left_out} left out"


def _in_no_schema(thesis: ThesisTest | None) -> str:
    """That the thesis' p is of fewer problems than the difference, if it is."""
    if thesis is None or not any(thesis.terms.left_out):
        return ""
    left_out = max(thesis.terms.left_out)
    return f"the thesis' p is of the problems in schemas: up to {left_out} left out"


def _by_chance(metric: Metric, sample: Sample) -> tuple[Null, int]:
    """The null of guessing, and of how many such units."""
    if metric is _OF_SCHEMAS:
        return _SCHEMA_BY_CHANCE, len(sample.schemas)
    if 2 * len(sample.schemas) == len(sample.problems):
        return _TWO_COINS, len(sample.schemas)
    return _COIN, len(sample.problems)


@lru_cache(maxsize=_KEPT)
def _as_far(count: Fraction, total: int, chance: Fraction) -> float:
    """How likely a count is that is at least as far from what is to be expected, either way."""
    from scipy.special import bdtr, bdtrc

    expected = total * chance
    distance = abs(count - expected)
    low, high = floor(expected - distance), ceil(expected + distance)
    if low == high:
        return 1.0
    below = float(bdtr(low, total, float(chance))) if low >= 0 else 0.0
    above = float(bdtrc(high - 1, total, float(chance))) if high <= total else 0.0
    return min(1.0, max(below + above, _SMALLEST))


def _simulated(terms: ThesisTerms, seed: int) -> float | None:
    """The p of the thesis' test; None where there is no difference to test."""
    return terms.test(seed=seed).p if terms.difference else None


def adjusted(estimates: Iterable[Estimate]) -> tuple[Estimate, ...]:
    """The estimates, every p adjusted over its family."""
    listed = list(estimates)
    places: dict[str, list[int]] = {}
    for at, one in enumerate(listed):
        if one.p is not None:
            places.setdefault(one.family, []).append(at)
    for family, members in places.items():
        found = holm([listed[at].p for at in members], family=family)
        for at, p in zip(members, found.ps, strict=True):
            listed[at] = replace(listed[at], p_adjusted=p)
    return tuple(listed)


def family_of_values(model: ModelSubject, of: ResultKey) -> str:
    """Accuracies against chance."""
    if of.variant != ORIGINAL:
        what, by = f"forms of {of.dataset}", of.method
    else:
        what, by = of.dataset, of.method if is_standard(model, of) else "other methods"
    return f"{what} against chance, {of.model} by {by}{among(of)}"


def family_of_changes(variant: Variant, of: ResultKey) -> str:
    """Variants against what they are compared with."""
    if variant.compared != ORIGINAL:
        what = f"modes of {variant.compared}"
    else:
        what = "controls" if variant.is_control else "perturbations"
    return f"{what} of {of.dataset}, {of.model} by {of.method}"


def family_of_subsets(of: ResultKey) -> str:
    """Subsets against their complements."""
    what = of.dataset if of.variant == ORIGINAL else f"controls of {of.dataset}"
    return f"subsets of {what} against their complements, {of.model} by {of.method}"


def family_of_methods(of: ResultKey) -> str:
    """The standard method against others."""
    return f"methods on {of.dataset}, {of.model} by {of.method} against others"


def family_of_variants(of: ResultKey) -> str:
    """Perturbations against each other."""
    return f"perturbations of {of.dataset} against each other, {of.model} by {of.method}"


def family_of_datasets(of: ResultKey) -> str:
    """Datasets against each other."""
    return f"datasets against each other, {of.model}"


def family_of_models(of: ResultKey) -> str:
    """Models against each other."""
    what = of.dataset if of.variant == ORIGINAL else f"forms of {of.dataset}"
    return f"models against each other on {what}"


def among(of: ResultKey) -> str:
    """What a family is called besides, in other subsets than those that tables begin with.

    >>> among(ResultKey("ant", "hs-winograd", subset="associative"))
    ', associative'
    """
    return "" if of.subset in ANY_AND_EQUAL else f", {of.subset}"
