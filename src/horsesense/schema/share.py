"""Shares: what every measure of a dataset, and most of a model, come down to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from horsesense.errors import MetricError


@dataclass(frozen=True, slots=True)
class Share:
    """A count out of a total, kept apart because statistics needs both.

    Both are whole numbers unless something counts half.

    >>> Share(1, 4) + Share(2, 4), Share(3, 8).value
    (Share(count=3, total=8), 0.375)
    """

    count: float
    total: float

    def __post_init__(self) -> None:
        if not 0 <= self.count <= self.total < inf:
            raise MetricError(f"{self.count} out of {self.total} is not a share")

    @classmethod
    def of(cls, verdicts: Iterable[bool]) -> Share:
        """The number of true ones."""
        listed = list(verdicts)
        return cls(sum(listed), len(listed))

    def __add__(self, other: Share) -> Share:
        """Return the share in both sets together; they must not overlap."""
        return Share(self.count + other.count, self.total + other.total)

    @property
    def value(self) -> float | None:
        """The share; None where nothing was counted, because an empty set is not zero."""
        return self.count / self.total if self.total else None
