"""Outcomes: what was answered to a problem, and whether it was right.

An outcome is solved, failed or undecided. What an undecided one counts for is the business of
the metrics, which say so; nothing here favours the first option.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import ne

from horsesense.errors import MetricError

# Scores that differ by no more than this are equal: the same tokens in another batch give
# numbers that differ in their last digits, and a decision must not depend on it.
DRIFT = 1e-4


class Verdict(StrEnum):
    """Whether the right option was preferred; unknown where the right one is not known."""

    SOLVED = "solved"
    FAILED = "failed"
    UNDECIDED = "undecided"
    UNLABELLED = "unlabelled"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The costs of a problem's options, and the option they prefer, None for a tie.

    `margin` is how much dearer the next option is than the preferred one. Where a log tells only
    whether a problem was solved, `has_choice` is false: `chosen` and `right` are then equal or not,
    and no positions of options.
    """

    costs: tuple[float, ...]
    chosen: int | None
    right: int | None
    margin: float
    has_choice: bool = True

    @property
    def verdict(self) -> Verdict:
        """Solved, failed or undecided."""
        if self.right is None:
            return Verdict.UNLABELLED
        if self.chosen is None:
            return Verdict.UNDECIDED
        return Verdict.SOLVED if self.chosen == self.right else Verdict.FAILED


def decide(costs: Sequence[float], right: int | None, *, drift: float = DRIFT) -> Outcome:
    """Prefer the option with the lowest cost, or none where two lowest are equal within drift.

    An infinite cost is that of an option that is impossible. Equal ones are equal.

    >>> decide((3.5, 2.0), right=1).verdict.value, decide((2.0, 2.0), right=1).verdict.value
    ('solved', 'undecided')
    """
    if len(costs) < 2 or any(map(ne, costs, costs)):  # only NaN differs from itself
        raise MetricError(f"nothing can be preferred by costs of {tuple(costs)}")
    if right is not None and not 0 <= right < len(costs):
        raise MetricError(f"option {right + 1} cannot be right; there are {len(costs)}")
    lowest, next_lowest = sorted(costs)[:2]
    margin = 0.0 if lowest == next_lowest else next_lowest - lowest
    chosen = None if margin <= drift else costs.index(lowest)
    return Outcome(tuple(costs), chosen, right, margin)
