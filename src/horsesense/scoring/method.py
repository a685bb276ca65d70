"""Scoring methods: from what a model said about the options of a problem to a cost for each.

A method is arithmetic on observations. It decides once for a whole problem, so that all options
are scored alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import fsum, isfinite
from typing import TypeAlias, TypeVar, cast

from horsesense.models import Family, LogProbs, Observation, QueryKind
from horsesense.scoring.outcome import DRIFT, Outcome, decide

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


Kind = TypeVar("Kind", bound=Observation)

Function: TypeAlias = Callable[[Sequence[Observation]], Result]


@dataclass(frozen=True, slots=True)
class Method:
    """A scoring method, what it adds up, and what it needs to be asked.

    `equation` is its number in the thesis, empty where it is not from there. `adds_up` and
    `divides_by` say in words what it does. Without a probability of the first token a method
    that `needs_first` is undefined; so is one that `needs_alone` without that of the phrases in
    the blanks by themselves. One that `needs_seam` reads a space after the blank, where the
    sentence may have none; one `of_blanks` adds up no tokens but those of the blanks.
    The `function` is the method.
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


def for_each(kind: type[Kind], rule: Callable[[Kind], Score | Undefined]) -> Function:
    """A function that scores every option by itself, from observations of that kind."""
    return for_all(kind, lambda observations: score_each(observations, rule))


def for_all(kind: type[Kind], rule: Callable[[Sequence[Kind]], Result]) -> Function:
    """A function that scores all options together, from observations of that kind."""

    def function(observations: Sequence[Observation]) -> Result:
        for observation in observations:
            if not isinstance(observation, kind):
                raise TypeError(f"the method scores nothing but a {kind.__name__}")
        return rule(cast("Sequence[Kind]", observations))

    return function


def mean_of(summed: Method, function: Function, *, divides_by: str, equation: str = "") -> Method:
    """The mean of a method that adds up."""
    return replace(
        summed,
        name=f"mean-{summed.name}",
        title=f"mean {summed.title}",
        function=function,
        divides_by=divides_by,
        equation=equation,
    )


def loss_of(summed: Method, function: Function, *, divides_by: str, equation: str) -> Method:
    """The mean of a method that adds up, where that is the model's loss."""
    mean = mean_of(summed, function, divides_by=divides_by, equation=equation)
    return replace(mean, name="loss", title=f"loss ({mean.title})", aliases=(mean.name,))


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
    """Decide by the scores; options whose costs are as good as equal leave it undecided.

    The drift of a mean is so much smaller as there are tokens to divide by.

    >>> from horsesense.scoring.method import Score
    >>> outcome_of(Scores((Score(2.5, ()), Score(2.0, ()))), right=1).verdict.value
    'solved'
    """
    return decide(
        scores.costs, right, drift=DRIFT / max([score.divisor for score in scores.scores])
    )


def outcomes_of(
    methods: Iterable[Method], observations: Sequence[Observation], right: int | None
) -> dict[str, Outcome | Undefined]:
    """The outcome by every method, by its name, or why there is none."""
    outcomes: dict[str, Outcome | Undefined] = {}
    for method in methods:
        result = score_problem(method, observations)
        outcomes[method.name] = outcome_of(result, right) if isinstance(result, Scores) else result
    return outcomes
