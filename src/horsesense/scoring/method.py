"""Scoring methods: compute a cost for each option of a problem from a model's observations.

A method is arithmetic on observations. It makes its choices once per problem, so all options are
scored in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import fsum, isfinite
from typing import TypeAlias, TypeVar, cast

from horsesense.models import Family, LogProbs, Observation, QueryKind, Question
from horsesense.schema import Problem
from horsesense.scoring.outcome import DRIFT, Outcome, decide

T = TypeVar("T")

NO_BLANK = "the problem has no blank"
NO_TOKENS = "there are no tokens to sum"
EMPTY_BLANK = "a blank has no tokens"
NO_FIRST = (
    "the model has no BOS, and without a token-frequency table its first token has no probability"
)
NO_ALONE = "the cost of the phrase in the blank by itself is not known"


@dataclass(frozen=True, slots=True)
class Score:
    """The cost of an option, and how it was computed.

    `counted` are the positions of the tokens whose costs (their negated log-probabilities) were
    added up; the cost is that sum plus `extra`, divided by `divisor`.
    """

    cost: float
    counted: tuple[int, ...]
    divisor: int = 1
    extra: float = 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """The score of each option of a problem, in the order of the options.

    `note` tells which way of scoring the method chose, or what it had to leave out. A method
    `abstains` if it has costs, but they do not decide the problem. `tags` are added to the answer,
    such as how a reply of a chat model was read.
    """

    scores: tuple[Score, ...]
    note: str = ""
    abstains: bool = False
    tags: frozenset[str] = frozenset()

    @property
    def costs(self) -> tuple[float, ...]:
        """The costs of the options."""
        return tuple([score.cost for score in self.scores])


@dataclass(frozen=True, slots=True)
class Undefined:
    """The reason why a method cannot score a problem."""

    reason: str


Result: TypeAlias = Scores | Undefined


def add_up(
    log_probs: LogProbs, counted: Iterable[int], *, divisor: int = 1, extra: float = 0.0
) -> Score:
    """Add up the costs of the tokens at those positions.

    >>> add_up((None, -0.5, -1.0, -3.0), (1, 2), divisor=2)
    Score(cost=0.75, counted=(1, 2), divisor=2, extra=0.0)
    """
    positions = tuple(counted)
    try:
        # The exact sum does not depend on the order, so equal tokens give a tie.
        total = fsum(cast("list[float]", [log_probs[at] for at in positions]))
    except (IndexError, TypeError):  # some positions have no log-probability
        raise ValueError("the method needs tokens that the model was not queried for") from None
    return Score((extra - total) / divisor, positions, divisor, extra)


def score_each(
    observations: Sequence[T], rule: Callable[[T], Score | Undefined], *, note: str = ""
) -> Result:
    """Score every option by itself; if one is undefined, the result is undefined.

    >>> score_each((1, 2), lambda cost: Score(cost, ()) if cost < 2 else Undefined("too high"))
    Undefined(reason='option 2: too high')
    """
    results = [rule(observation) for observation in observations]
    scores = tuple([result for result in results if isinstance(result, Score)])
    if len(scores) == len(results):
        return Scores(scores, note)
    reasons = [result.reason for result in results if isinstance(result, Undefined)]
    if not scores and reasons.count(reasons[0]) == len(reasons):
        return Undefined(reasons[0])
    numbered = [
        f"option {number}: {result.reason}"
        for number, result in enumerate(results, 1)
        if isinstance(result, Undefined)
    ]
    return Undefined("; ".join(numbered))


Kind = TypeVar("Kind", bound=Observation)

Function: TypeAlias = Callable[[Sequence[Observation]], Result]


@dataclass(frozen=True, slots=True)
class Method:
    """A scoring method, with a description and the kinds of queries that it `needs`.

    `adds_up` and `divides_by` describe the arithmetic in words, `equation` is its number in the
    thesis, if any, and `function` computes the scores. A method that `needs_first` is undefined
    without a probability of the first token; one that `needs_alone` is undefined without the
    probability of the phrases in the blanks by themselves. A method that `needs_seam` queries the
    sentence with a space after the blank, even if the original has none. One `of_blanks` adds up
    only the tokens in the blanks. A method for chat models has `asks`, which turns a problem into
    questions, and `marks`, all tags that it may add to an answer.
    """

    name: str
    family: Family
    title: str
    adds_up: str
    function: Function = field(compare=False)
    divides_by: str = ""
    equation: str = ""
    needs: frozenset[QueryKind] = frozenset()
    needs_first: bool = False
    needs_alone: bool = False
    needs_seam: bool = False
    of_blanks: bool = False
    aliases: tuple[str, ...] = ()
    asks: Callable[[Problem], tuple[Question, ...]] | None = field(default=None, compare=False)
    marks: frozenset[str] = frozenset()


def for_each(kind: type[Kind], rule: Callable[[Kind], Score | Undefined]) -> Function:
    """Return a function that scores each option by itself, from observations of that kind."""
    return for_all(kind, lambda observations: score_each(observations, rule))


def for_all(kind: type[Kind], rule: Callable[[Sequence[Kind]], Result]) -> Function:
    """Return a function that scores all options together, from observations of that kind."""

    def function(observations: Sequence[Observation]) -> Result:
        for observation in observations:
            if not isinstance(observation, kind):
                raise TypeError(f"the method can only score a {kind.__name__}")
        return rule(cast("Sequence[Kind]", observations))

    return function


def mean_of(summed: Method, function: Function, *, divides_by: str, equation: str = "") -> Method:
    """Return the mean of a method that adds up costs."""
    return replace(
        summed,
        name=f"mean-{summed.name}",
        title=f"mean {summed.title}",
        function=function,
        divides_by=divides_by,
        equation=equation,
    )


def loss_of(summed: Method, function: Function, *, divides_by: str, equation: str) -> Method:
    """Return the mean of a method that adds up costs, if that mean is the model's loss."""
    mean = mean_of(summed, function, divides_by=divides_by, equation=equation)
    return replace(mean, name="loss", title=f"loss ({mean.title})", aliases=(mean.name,))


def score_problem(method: Method, observations: Sequence[Observation]) -> Result:
    """Return the scores of a problem's options by a method, or why there are none.

    An infinite cost or NaN would lose or win every comparison, so it makes the whole problem
    undefined.
    """
    result = method.function(observations)
    if isinstance(result, Undefined) or all(map(isfinite, result.costs)):
        return result
    number, cost = next(item for item in enumerate(result.costs, 1) if not isfinite(item[1]))
    return Undefined(f"option {number}: its cost is {cost}, which is not a finite number")


def outcome_of(scores: Scores, right: int | None) -> Outcome:
    """Decide by the scores; the problem is undecided if the lowest costs are equal within drift.

    The drift of a mean is smaller, as the sum is divided by the number of tokens. A method that
    abstains leaves the problem undecided, whatever the costs are.

    >>> from horsesense.scoring.method import Score
    >>> outcome_of(Scores((Score(2.5, ()), Score(2.0, ()))), right=1).verdict.value
    'solved'
    """
    outcome = decide(
        scores.costs, right, drift=DRIFT / max([score.divisor for score in scores.scores])
    )
    if scores.abstains:
        return replace(outcome, chosen=None, tags=scores.tags)
    return replace(outcome, tags=scores.tags) if scores.tags else outcome


def outcomes_of(
    methods: Iterable[Method], observations: Sequence[Observation], right: int | None
) -> dict[str, Outcome | Undefined]:
    """Return the outcome by each method, or why there is none, by the names of the methods."""
    outcomes: dict[str, Outcome | Undefined] = {}
    for method in methods:
        result = score_problem(method, observations)
        outcomes[method.name] = outcome_of(result, right) if isinstance(result, Scores) else result
    return outcomes
