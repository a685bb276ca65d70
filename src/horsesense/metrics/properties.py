"""Shares of problems that say something of the others: undecided ones, and those with a mark.

Whoever makes a sample marks its problems: answer sheets of a run have both marks, made with the
tokens of the model that was asked.
"""

from __future__ import annotations

from horsesense.metrics.answered import Answered, Floats
from horsesense.metrics.counting import Unit, share
from horsesense.metrics.metric import Applies, Direction
from horsesense.metrics.sample import Sample
from horsesense.scoring.outcome import EQUAL_LENGTH, SECOND_LAST

_NO_PROBLEMS = "there are no problems"


@share(
    Unit.PROBLEM,
    symbol="–",
    equation="|{x : M prefers no option of x}| / |problems|",
    source="ours",
    applies=Applies.OUTCOMES,
    undefined=_NO_PROBLEMS,
    direction=Direction.LOWER,
    chance=0.0,
)
def undecided_share(problems: Answered) -> Floats:
    """The share of problems that are undecided, whatever they count for.

    >>> undecided_share([[True, None]])
    Share(count=1, total=2)
    """
    return problems.undecided


@share(
    Unit.SAMPLE,
    symbol="–",
    equation="|{x : the options of x have equally many tokens}| / |problems|",
    source="thesis 3.7.4, Table 3.7",
    applies=Applies.DATASET,
    undefined=_NO_PROBLEMS,
    direction=Direction.NEITHER,
    remark="It depends on the vocabulary of a model, and on whether the tokens are counted inside"
    " or outside the sentence.",
)
def equal_length_share(problems: Sample) -> Floats:
    """The share of problems with equal-length answers, by the mark `equal-length`.

    >>> equal_length_share(sample([[True, True]], marks={"equal-length": [[True, False]]}))
    Share(count=1, total=2)
    """
    return problems.mark(EQUAL_LENGTH).astype(float)


@share(
    Unit.SAMPLE,
    symbol="–",
    equation="|{x : one token follows the last blank of x}| / |problems|",
    source="thesis 3.7.5, Table 3.8",
    applies=Applies.DATASET,
    undefined=_NO_PROBLEMS,
    direction=Direction.NEITHER,
    remark="Words and punctuation marks are the tokens here. Where only the full stop follows the"
    " blank, partial scoring has next to nothing to add up.",
)
def second_last_share(problems: Sample) -> Floats:
    """The share of problems whose blank is second-last, by the mark `second-last`.

    >>> second_last_share(sample([[True, True]], marks={"second-last": [[True, True]]}))
    Share(count=2, total=2)
    """
    return problems.mark(SECOND_LAST).astype(float)
