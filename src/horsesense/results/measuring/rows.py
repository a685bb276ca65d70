"""Rows of a profile: from what was resampled to measurements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from horsesense.metrics import METRICS, Data, Metric, Paired, Sample
from horsesense.metrics.statistics import FEW_CLUSTERS, Bootstrapped
from horsesense.results import Estimate, Kind, ResultKey

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
    """An address, and the answers there."""

    of: ResultKey
    data: Sample

    def value(self, metric: Metric, found: Bootstrapped, tested: Tested) -> Estimate:
        """A metric of the answers."""
        row = _row(Kind.VALUE, metric, found, tested, self.sizes)
        return Estimate(key=self.of, **row, **_share(metric, self.data))

    @cached_property
    def sizes(self) -> Sizes:
        """What there is to measure."""
        return _sizes(self.data)


@dataclass(frozen=True, eq=False)
class Between:
    """An address against another, and what they are compared on.

    If it is not `of_same`, the two have nothing in common: a subset and its complement, or two
    datasets. They number their clusters alike all the same, and share none.
    """

    of: ResultKey
    against: ResultKey
    data: Paired
    of_same: bool = True

    def change(self, metric: Metric, found: Bootstrapped) -> Estimate:
        """A metric of the answers at both."""
        row = _row(Kind.CHANGE, metric, found, Tested(), self.sizes)
        return Estimate(key=self.of, against=self.against, **row, **_share(metric, self.data))

    def difference(self, metric: Metric, found: Bootstrapped, tested: Tested) -> Estimate:
        """A metric at one minus that at the other; `found` is what was resampled of that."""
        return Estimate(
            key=self.of,
            against=self.against,
            before=metric(self.data.before).value,
            after=metric(self.data.after).value,
            **_row(Kind.DIFFERENCE, metric, found, tested, self.sizes),
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
    """A measurement that could not be made, and why."""
    name = metric.name
    return Estimate(kind=kind, key=of, against=against, metric=name, value=None, reason=reason)


def _row(
    kind: Kind, metric: Metric, found: Bootstrapped, tested: Tested, sizes: Sizes
) -> dict[str, Any]:
    """What all kinds of measurements have in common."""
    interval = found.interval
    few = _FEW if found.is_few and found.clusters else ""
    reasons = found.reason, found.no_interval, few, tested.reason
    return {
        "kind": kind,
        "metric": metric.name,
        "value": found.estimate,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n_problems": sizes.problems,
        "n_schemas": sizes.schemas,
        "n_clusters": found.clusters,
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
