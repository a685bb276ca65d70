"""Decide a problem by the replies to its questions: both orders must agree.

A choice is decided only if both orders choose the same option, and a sentence has a verdict only if
both orders of yes and no give the same. If a reply has no answer, or else if the choice follows the
position, the problem stays undecided, with tags that say why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from horsesense.models import AskedQuestion, ChatObservation, ReplyKind
from horsesense.scoring.chat.reading import ReadReply, ReplyFault, read_question
from horsesense.scoring.method import Result, Score, Scores, Undefined

# The options are exchanged, and the choice stays at its place.
FOLLOWS_POSITION = "follows-position"
# The written answer is not the most likely one.
WRITTEN_DIFFERS = "written-differs"
ALL_SENSIBLE, NONE_SENSIBLE = "all-sensible", "none-sensible"
SEVERAL_SENSIBLE = "several-sensible"
TOO_MANY_OPTIONS = "the problem has more options than the protocol has letters"

_YES, _NO = 0, 1
# The cost of an option if a reply has no answer, between those of being chosen and of not.
_UNKNOWN = 0.5


@dataclass(frozen=True, slots=True)
class Choice:
    """What the replies to all questions about a problem choose.

    `chosen` is the position of an option, None if the problem is undecided. `replies` are the
    replies as they were read, in the order of the questions.
    """

    chosen: int | None
    costs: tuple[float, ...]
    tags: frozenset[str]
    replies: tuple[ReadReply, ...]


def choice_of(asked: Sequence[AskedQuestion]) -> Choice:
    """Read all replies about a problem, and decide by them."""
    replies = tuple(map(read_question, asked))
    tags = {reply.fault.value for reply in replies if reply.fault is not None}
    if any(reply.preferred != reply.answer for reply in replies):
        tags.add(WRITTEN_DIFFERS)
    if asked[0].question.kind is ReplyKind.VERDICT:
        chosen, more = _by_verdicts(asked, replies)
    else:
        chosen, more = _by_options(replies)
    return Choice(chosen, _costs(asked, replies), frozenset(tags | more), replies)


def shown_place(asked: AskedQuestion) -> int | None:
    """Return the place, from 0, in which a question shows the answer of its reply."""
    answer = read_question(asked).preferred
    return None if answer is None else asked.question.order.index(answer)


def marks_of(kind: ReplyKind) -> frozenset[str]:
    """Return all tags that an answer may have."""
    marks = {FOLLOWS_POSITION, *(fault.value for fault in ReplyFault)}
    if kind in (ReplyKind.LETTER, ReplyKind.VERDICT):
        marks.add(WRITTEN_DIFFERS)
    if kind is ReplyKind.VERDICT:
        marks |= {ALL_SENSIBLE, NONE_SENSIBLE, SEVERAL_SENSIBLE}
    return frozenset(marks)


def score_replies(method: str, observations: Sequence[ChatObservation]) -> Result:
    """Return the costs of the options by the replies to the questions of a method."""
    asked = observations[0].asked[method]
    if not asked:
        return Undefined(TOO_MANY_OPTIONS)
    choice = choice_of(asked)
    scores = tuple(Score(cost, (), extra=cost) for cost in choice.costs)
    return Scores(scores, abstains=choice.chosen is None, tags=choice.tags)


def _by_options(replies: Sequence[ReadReply]) -> tuple[int | None, set[str]]:
    """Return the option that all orders choose, or why there is none."""
    preferred = {reply.preferred for reply in replies}
    if None in preferred:
        return None, set()
    if len(preferred) > 1:
        return None, {FOLLOWS_POSITION}
    return preferred.pop(), set()


def _by_verdicts(
    asked: Sequence[AskedQuestion], replies: Sequence[ReadReply]
) -> tuple[int | None, set[str]]:
    """Return the only sensible sentence, or why there is none."""
    by_sentence: dict[int | None, set[int | None]] = {}
    for each, reply in zip(asked, replies, strict=True):
        by_sentence.setdefault(each.question.sentence, set()).add(reply.preferred)
    verdicts = by_sentence.values()
    if any(None in verdict for verdict in verdicts):
        return None, set()
    if {_YES, _NO} in verdicts:
        return None, {FOLLOWS_POSITION}
    sensible = [sentence for sentence, verdict in by_sentence.items() if verdict == {_YES}]
    if len(sensible) == 1:
        return sensible[0], set()
    if len(sensible) == len(by_sentence):
        return None, {ALL_SENSIBLE}
    return None, {SEVERAL_SENSIBLE if sensible else NONE_SENSIBLE}


def _costs(asked: Sequence[AskedQuestion], replies: Sequence[ReadReply]) -> tuple[float, ...]:
    """Return the mean cost of each option over the questions about it.

    With probabilities of all replies, a cost is the negative log-probability of the option, or of
    yes. Otherwise it is 0 for the chosen option, or yes, and 1 for the others.
    """
    has_log_probs = all(reply.log_probs for reply in replies)
    costs: dict[int, list[float]] = {}
    for each, reply in zip(asked, replies, strict=True):
        answers = range(len(each.question.answers))
        values = [_cost(reply, answer, has_log_probs=has_log_probs) for answer in answers]
        if each.question.sentence is not None:
            costs.setdefault(each.question.sentence, []).append(values[_YES])
        else:
            for option, value in enumerate(values):
                costs.setdefault(option, []).append(value)
    return tuple(fsum(costs[option]) / len(costs[option]) for option in sorted(costs))


def _cost(reply: ReadReply, answer: int, *, has_log_probs: bool) -> float:
    if has_log_probs:
        return -reply.log_probs[answer]
    return _UNKNOWN if reply.preferred is None else float(reply.preferred != answer)
