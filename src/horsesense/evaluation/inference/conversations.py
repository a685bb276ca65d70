"""Explain how a chat model decided a problem: each question, the reply, and how it was read.

Pure. The command line draws the conversations or writes them as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

from horsesense.models import AskedQuestion, ChatObservation, Message, Observation, ReplyKind
from horsesense.schema import Problem
from horsesense.scoring.chat import (
    ALL_SENSIBLE,
    FOLLOWS_POSITION,
    NONE_SENSIBLE,
    SEVERAL_SENSIBLE,
    WRITTEN_DIFFERS,
    Choice,
    ReadReply,
    ReplyFault,
    choice_of,
    option_text,
    shown_place,
)

_SENSIBLE = {
    ALL_SENSIBLE: "every sentence is called sensible",
    NONE_SENSIBLE: "no sentence is called sensible",
    SEVERAL_SENSIBLE: "several sentences are called sensible",
}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question with the exact messages, the reply to it, and how the reply was read.

    `shown` are the answers in the order of the request, and `sentence` is the sentence that a
    verdict is about. `written` is the answer that the reply gives, None with a `fault`. `preferred`
    is the answer that counts: the most likely one by `probabilities`, which are in the order of
    `shown`, or the written one without them.
    """

    messages: tuple[Message, ...]
    shown: tuple[str, ...]
    sentence: str
    reply: str
    finish: str
    thoughts: str
    written: str | None
    fault: str | None
    probabilities: tuple[float, ...]
    preferred: str | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """All questions that a method asks about a problem, and what the replies come to in words."""

    method: str
    exchanges: tuple[Exchange, ...]
    summary: str
    tags: tuple[str, ...]


def conversations_about(
    problem: Problem, observations: Sequence[Observation], methods: Sequence[str]
) -> tuple[Conversation, ...]:
    """Return the conversation of each method; there are none with other models than chat models."""
    observation = next(iter(observations), None)
    if not isinstance(observation, ChatObservation):
        return ()
    asked = {method: observation.asked.get(method, ()) for method in methods}
    return tuple(_conversation(name, each, problem) for name, each in asked.items() if each)


def _conversation(method: str, asked: Sequence[AskedQuestion], problem: Problem) -> Conversation:
    choice = choice_of(asked)
    exchanges = tuple(
        _exchange(each, read, problem) for each, read in zip(asked, choice.replies, strict=True)
    )
    summary = "; ".join(_summary(choice, asked, problem))
    return Conversation(method, exchanges, summary, tuple(sorted(choice.tags)))


def _exchange(asked: AskedQuestion, read: ReadReply, problem: Problem) -> Exchange:
    question, reply = asked.question, asked.reply
    names = _names(asked, problem)
    return Exchange(
        messages=question.request.messages,
        shown=tuple(names[answer] for answer in question.order),
        sentence="" if question.sentence is None else problem.sentences[question.sentence].text,
        reply=reply.text,
        finish=reply.finish,
        thoughts=reply.thoughts,
        written=None if read.answer is None else names[read.answer],
        fault=None if read.fault is None else read.fault.value,
        probabilities=tuple(exp(read.log_probs[answer]) for answer in question.order)
        if read.log_probs
        else (),
        preferred=None if read.preferred is None else names[read.preferred],
    )


def _names(asked: AskedQuestion, problem: Problem) -> tuple[str, ...]:
    """Return the answers of a question; a letter with the option under it."""
    question = asked.question
    if question.kind is not ReplyKind.LETTER:
        return question.answers
    options = map(option_text, problem.options)
    return tuple(
        f"{letter}. {option}" for letter, option in zip(question.answers, options, strict=True)
    )


def _summary(choice: Choice, asked: Sequence[AskedQuestion], problem: Problem) -> Iterator[str]:
    """Yield what the replies come to, and what is to be noted."""
    if choice.chosen is not None:
        option = option_text(problem.options[choice.chosen])
        is_verdict = asked[0].question.kind is ReplyKind.VERDICT
        what = "only the sentence with it is called sensible" if is_verdict else "it is chosen"
        yield f"“{option}”: {what} in both orders"
    elif FOLLOWS_POSITION in choice.tags:
        yield f"undecided: the choice follows the position{_place(asked)}"
    elif faults := [fault.value for fault in ReplyFault if fault.value in choice.tags]:
        yield f"undecided: a reply is {' and one is '.join(faults)}"
    else:
        reasons = [words for tag, words in _SENSIBLE.items() if tag in choice.tags]
        yield f"undecided: {reasons[0]}" if reasons else "undecided"
    if WRITTEN_DIFFERS in choice.tags:
        yield "the most likely answer counts, and another one is written"


def _place(asked: Sequence[AskedQuestion]) -> str:
    """Name the place that is chosen in all orders, if it is the first or the last."""
    places = {shown_place(each) for each in asked}
    last = len(asked[0].question.order) - 1
    if asked[0].question.kind is ReplyKind.VERDICT or len(places) > 1:
        return ""
    words = {0: ", the first option in both orders", last: ", the last option in both orders"}
    return next((text for place, text in words.items() if place in places), "")
