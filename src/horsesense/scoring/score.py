"""Scores: what an option of a problem costs, and which of its tokens were added up.

A score is a cost: lower is preferred. It is kept with the tokens behind it, so that whoever sees
a number can see where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TypeAlias, TypeVar, cast

from horsesense.models import LogProbs

T = TypeVar("T")

NO_BLANK = "the problem has no blank"
NO_TOKENS = "there is no token to add up"
EMPTY_BLANK = "a blank takes no token"
NO_FIRST = (
    "the model has no BOS, and without a token-frequency table its first token has no probability"
)
NO_ALONE = "what the phrase in the blank costs by itself is not known"


@dataclass(frozen=True, slots=True)
class Score:
    """The cost of an option, and what it was added up from.

    `counted` are the positions of the tokens whose costs (their negated log-probabilities) were
    added up; the cost is that sum and `extra`, divided by `divisor`.
    """

    cost: float
    counted: tuple[int, ...]
    divisor: int = 1
    extra: float = 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """A score for every option of a problem, in their order.

    `note` says what a method did where it had a choice, or had to do without something.
    """

    scores: tuple[Score, ...]
    note: str = ""

    @property
    def costs(self) -> tuple[float, ...]:
        """The costs alone."""
        return tuple([score.cost for score in self.scores])


@dataclass(frozen=True, slots=True)
class Undefined:
    """Why a method gives a problem no scores."""

    reason: str


Result: TypeAlias = Scores | Undefined


def add_up(
    log_probs: LogProbs, counted: Iterable[int], *, divisor: int = 1, extra: float = 0.0
) -> Score:
    """Add up what the tokens at those positions cost.

    >>> add_up((None, -0.5, -1.0, -3.0), (1, 2), divisor=2)
    Score(cost=0.75, counted=(1, 2), divisor=2, extra=0.0)
    """
    positions = tuple(counted)
    try:
        # The exact sum does not depend on the order, so that equal tokens are a tie.
        total = fsum(cast("list[float]", [log_probs[at] for at in positions]))
    except (IndexError, TypeError):  # there is None, or nothing, at some of them
        raise ValueError("the method needs tokens that the model was not asked for") from None
    return Score((extra - total) / divisor, positions, divisor, extra)


def score_each(
    observations: Sequence[T], rule: Callable[[T], Score | Undefined], *, note: str = ""
) -> Result:
    """Score every option by itself; undefined for one, the method is undefined for all.

    >>> score_each((1, 2), lambda cost: Score(cost, ()) if cost < 2 else Undefined("too dear"))
    Undefined(reason='option 2: too dear')
    """
    results = [rule(observation) for observation in observations]
    scores = tuple([result for result in results if isinstance(result, Score)])
    if len(scores) == len(results):
        return Scores(scores, note)
    reasons = [result.reason for result in results if isinstance(result, Undefined)]
    if not scores and reasons.count(reasons[0]) == len(reasons):
        return Undefined(reasons[0])
    blamed = [
        f"option {number}: {result.reason}"
        for number, result in enumerate(results, 1)
        if isinstance(result, Undefined)
    ]
    return Undefined("; ".join(blamed))
