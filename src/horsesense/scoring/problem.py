"""From the observations of a problem to its scores, and from these to its outcome."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from horsesense.observation import Observation
from horsesense.outcome import DRIFT, Outcome, decide
from horsesense.scoring.method import Method
from horsesense.scoring.score import Result, Scores, Undefined


def score_problem(method: Method, observations: Sequence[Observation]) -> Result:
    """The scores of a problem's options by a method, or why there are none.

    A cost that is no number would lose or win every comparison, and so it leaves the whole
    problem without scores.
    """
    result = method.function(observations)
    if isinstance(result, Undefined) or all(map(isfinite, result.costs)):
        return result
    number, cost = next(at for at in enumerate(result.costs, 1) if not isfinite(at[1]))
    return Undefined(f"option {number}: its cost is {cost}, which is no finite number")


def outcome_of(scores: Scores, right: int | None) -> Outcome:
    """What the scores decide; options whose costs are as good as equal leave it undecided.

    The drift of a mean is so much smaller as there are tokens to divide by.

    >>> from horsesense.scoring.score import Score
    >>> outcome_of(Scores((Score(2.5, ()), Score(2.0, ()))), right=1).verdict.value
    'solved'
    """
    return decide(
        scores.costs, right, drift=DRIFT / max([score.divisor for score in scores.scores])
    )
