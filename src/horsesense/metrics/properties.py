"""Shares of problems that help to read the others: undecided ones, marked ones, options chosen.

A sample is marked by whoever makes it: the answers of a run have marks for equal-length answers and
for blanks before the last token, made with the tokens of the model.

Response bias is which option is chosen, right or wrong (thesis 4.7; Abdou et al., 5.3). A model
that always says «true», or prefers whoever is mentioned second, solves half of the problems without
reading them. Undecided problems are not counted, only reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.counting import Unit, share
from horsesense.metrics.metric import Applies, Direction
from horsesense.metrics.sample import Floats, Outcomes, Sample
from horsesense.scoring import EQUAL_LENGTH, SECOND_LAST, AnswerSet, Share

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
def undecided_share(problems: Outcomes) -> Floats:
    """The share of problems that are undecided, however they are counted.

    >>> undecided_share([[True, None]])
    Share(count=1, total=2)
    """
    return problems.undecided


@share(
    Unit.SAMPLE,
    symbol="–",
    equation="|{x : the options of x have equally many tokens}| / |problems|",
    source="Maler 2023, 3.7.4, Table 3.7",
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
    source="Maler 2023, 3.7.5, Table 3.8",
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


@dataclass(frozen=True, slots=True)
class Responses:
    """How often each option was chosen, of the decided problems that offer it.

    `positions` has the options by position, from `1`; `texts` has them by text, the most offered
    first.
    """

    positions: Mapping[str, Share]
    texts: Mapping[str, Share]
    decided: int
    undecided: int


@share(
    Unit.SAMPLE,
    symbol="–",
    equation="|{x : M prefers the first option of x}| / |{x : M prefers an option of x}|",
    source="Abdou et al., 5.3 and appendix F (there of the second referent); Maler 2023, 4.7",
    applies=Applies.OUTCOMES,
    undefined="no problem is decided",
    direction=Direction.NEITHER,
    chance=0.5,
    remark="Without bias it is near the share of problems whose right option is the first. The"
    " value by chance is for problems with two options.",
)
def first_option_share(answers: Sample) -> tuple[Floats, Floats]:
    """The share of decided problems in which the first option was chosen.

    >>> first_option_share(sample([[True, False], [True, None]], chosen=[[0, 0], [1, -1]]))
    Share(count=2, total=3)
    """
    if answers.chosen is None:
        raise MetricError("nothing says which options were chosen; give the sample `chosen`")
    return (answers.chosen == 0).astype(np.float64), (answers.chosen >= 0).astype(np.float64)


def responses(answer_set: AnswerSet) -> Responses:
    """Count how often each position and each text was chosen, among the problems that offer it.

    No label is needed for that, so unlabelled problems count as well. If only whether a problem was
    solved is known, it only counts as decided.

    >>> from horsesense.scoring import Answer, decide
    >>> outcome = decide((1.0, 2.0), right=1)
    >>> responses(AnswerSet("full", (Answer("owl", 1, outcome, ("true", "false")),), ())).texts
    {'false': Share(count=0, total=1), 'true': Share(count=1, total=1)}
    """
    decided = [answer for answer in answer_set.answers if answer.outcome.chosen is not None]
    with_choice = [answer for answer in decided if answer.outcome.has_choice]
    offered_at: Counter[int] = Counter()
    offered: Counter[str] = Counter()
    chosen_at: Counter[int] = Counter()
    chosen: Counter[str] = Counter()
    for answer in with_choice:
        position = answer.outcome.chosen or 0
        offered_at.update(range(len(answer.outcome.costs)))
        offered.update(set(answer.options))
        chosen_at[position] += 1
        if answer.options:
            chosen[answer.options[position]] += 1
    texts = sorted(offered, key=lambda text: (-offered[text], text))
    return Responses(
        {
            str(position + 1): Share(chosen_at[position], offered_at[position])
            for position in sorted(offered_at)
        },
        {text: Share(chosen[text], offered[text]) for text in texts},
        len(decided),
        len(answer_set.answers) - len(decided),
    )
