"""Scoring methods: from what a model said about the options of a problem to a cost for each.

A method is arithmetic on observations. It decides once for a whole problem, so that all options
are scored alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar, cast

from horsesense.models import Family, Observation, QueryKind
from horsesense.scoring.score import Result, Score, Undefined, score_each
from horsesense.scoring.tally import Choose

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

    The `function` is the method. One that can `choose` among the sums that are made once for all
    methods of a problem has the same costs from there, sooner.
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
    choose: Choose | None = field(default=None, compare=False)


def for_each(kind: type[Kind], rule: Callable[[Kind], Score | Undefined]) -> Function:
    """A function that scores every option by itself, from observations of that kind."""
    return for_all(kind, lambda observations: score_each(observations, rule))


def for_all(kind: type[Kind], rule: Callable[[Sequence[Kind]], Result]) -> Function:
    """A function that scores all options together, from observations of that kind."""

    def function(observations: Sequence[Observation]) -> Result:
        for one in observations:
            if not isinstance(one, kind):
                raise TypeError(f"the method scores nothing but a {kind.__name__}")
        return rule(cast("Sequence[Kind]", observations))

    return function


def mean_of(
    summed: Method,
    function: Function,
    *,
    divides_by: str,
    equation: str = "",
    choose: Choose | None = None,
) -> Method:
    """The mean of a method that adds up."""
    return replace(
        summed,
        name=f"mean-{summed.name}",
        title=f"mean {summed.title}",
        function=function,
        divides_by=divides_by,
        equation=equation,
        choose=choose,
    )


def loss_of(
    summed: Method,
    function: Function,
    *,
    divides_by: str,
    equation: str,
    choose: Choose | None = None,
) -> Method:
    """The mean of a method that adds up, where that is the model's loss."""
    mean = mean_of(summed, function, divides_by=divides_by, equation=equation, choose=choose)
    return replace(mean, name="loss", title=f"loss ({mean.title})", aliases=(mean.name,))
