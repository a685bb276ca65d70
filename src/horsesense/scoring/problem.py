"""From the observations of a problem to its scores, and from these to its outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

from horsesense.models import Observation
from horsesense.scoring.method import Method
from horsesense.scoring.outcome import DRIFT, Outcome, decide
from horsesense.scoring.score import Result, Scores, Undefined
from horsesense.scoring.tally import Choice, Costs, costs_of, tally


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


def outcomes_of(
    methods: Iterable[Method], observations: Sequence[Observation], right: int | None
) -> dict[str, Outcome | Undefined]:
    """What every method decides, by its name, or why it does not.

    It is what `score_problem` and `outcome_of` have, but what several methods add up is added
    up once.
    """
    tallied = tally(observations)
    found: dict[str, Outcome | Undefined] = {}
    decided: dict[Choice, Outcome | Undefined | None] = {}
    for method in methods:
        choice = method.choose(tallied) if tallied and method.choose else None
        if tallied and choice and choice not in decided:
            decided[choice] = _decided(costs_of(choice, tallied), right)
        outcome = decided[choice] if choice else None
        found[method.name] = outcome or _by_function(method, observations, right)
    return found


def _decided(found: Costs | Undefined | None, right: int | None) -> Outcome | Undefined | None:
    if found is None or isinstance(found, Undefined):
        return found
    is_finite = all(map(isfinite, found.costs))
    return decide(found.costs, right, drift=DRIFT / found.divisor) if is_finite else None


def _by_function(
    method: Method, observations: Sequence[Observation], right: int | None
) -> Outcome | Undefined:
    result = score_problem(method, observations)
    return outcome_of(result, right) if isinstance(result, Scores) else result
