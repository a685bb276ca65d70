"""Measurements: the one kind of row that every table, figure, file and page is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from horsesense.results.address import Address


class Kind(StrEnum):
    """What a measurement is of."""

    VALUE = "value"  # a metric of the answers at one address
    CHANGE = "change"  # a metric of the answers at two, such as consistency
    DIFFERENCE = "difference"  # a metric at one address minus that at another


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """A number with all that it takes to trust it, or the reason why there is none.

    `metric` is a name in the catalogue of metrics. `value` lies in the interval from `low` to
    `high`, found by drawing whole clusters; a share is `count` of `total`. `problems` and `schemas`
    are what it was measured on, `clusters` what was drawn; if schemas are counted, only clusters
    that have one. `undecided` counts the problems among these that were.

    A change or a difference is of the answers at `of`, compared with those at `against`, on what
    both have in common: `before` and `after` are the metric there, at `against` and at `of`.
    Between two forms, the marks of `against` say which problems are in a subset, and so the subset
    of `of` is that of `against` there; a value is of the form's own marks. Between two models, a
    problem has to be marked by both, as far as they mark any.

    `p` is that of our own `test`: of a value, against chance; of a difference, against none.
    `thesis_p` is that of the thesis' unpaired test with a known null, for comparison with it.
    `adjusted_p` is `p` adjusted over the `family` of measurements that are read together.
    """

    kind: Kind
    of: Address
    metric: str
    value: float | None
    against: Address | None = None
    low: float | None = None
    high: float | None = None
    count: float | None = None
    total: float | None = None
    problems: int = 0
    schemas: int = 0
    clusters: int = 0
    undecided: int = 0
    before: float | None = None
    after: float | None = None
    p: float | None = None
    test: str = ""
    thesis_p: float | None = None
    adjusted_p: float | None = None
    family: str = ""
    reason: str = ""

    @property
    def independent_schemas(self) -> int:
        """How many schemas it was measured on, those that hang together counted once."""
        return min(self.schemas, self.clusters)
