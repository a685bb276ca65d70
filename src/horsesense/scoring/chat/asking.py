"""Turn a problem into the questions of a protocol, each choice in both orders.

The options are shown in their order and in another one, in which each has another place; about a
single sentence, the words for yes and no change places. The examples before a question are the same
for both orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from horsesense.models import ChatRequest, Message, Question, ReplyKind
from horsesense.schema import Problem
from horsesense.scoring.chat.protocol import Example, Protocol, Wording, filled_in

# The alternatives that are requested for a token: the most that the interface of OpenAI allows.
ALTERNATIVES = 20
NOTHING = "(nothing)"
_BETWEEN_BLANKS = " / "
_WITH_PROBABILITIES = (ReplyKind.LETTER, ReplyKind.VERDICT)


def questions_about(
    protocol: Protocol, problem: Problem, *, examples: int = 0, is_reasoned: bool = False
) -> tuple[Question, ...]:
    """Return the questions about a problem, after that many examples.

    There are none if the problem has more options than the protocol has letters.
    """
    wording = protocol.reasoned if is_reasoned else protocol.direct
    opening = _opening(protocol, wording, _chosen(protocol, problem, examples))
    orders = _both_orders(len(problem.options))
    if protocol.kind is ReplyKind.VERDICT:
        return tuple(
            _about_sentence(protocol, wording, opening, problem, sentence, order)
            for sentence in range(len(problem.sentences))
            for order in _both_orders(len(protocol.verdicts))
        )
    if protocol.kind is ReplyKind.LETTER and len(problem.options) > len(protocol.letters):
        return ()
    return tuple(_choice(protocol, wording, opening, problem, order) for order in orders)


def option_text(phrases: Sequence[str]) -> str:
    """Return an option as it is shown, with a phrase for each blank.

    >>> option_text(("the owl", "")), option_text(("",))
    ('the owl / (nothing)', '(nothing)')
    """
    return _BETWEEN_BLANKS.join(phrase or NOTHING for phrase in phrases)


def _both_orders(count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the order of the options and the reverse, in which the middle one moves as well.

    No option has the same place in both, so choosing the same place twice is never the same choice.

    >>> _both_orders(2), _both_orders(3)[1], _both_orders(5)[1]
    (((0, 1), (1, 0)), (2, 0, 1), (4, 3, 1, 2, 0))
    """
    order = tuple(range(count))
    reverse, middle = [*order[::-1]], count // 2
    if count % 2:
        reverse[middle : middle + 2] = reverse[middle : middle + 2][::-1]
    return order, tuple(reverse)


def _chosen(protocol: Protocol, problem: Problem, count: int) -> list[Example]:
    """Return the first examples that share no sentence with the problem."""
    own = {_folded(sentence.text) for sentence in problem.sentences}
    others = (each for each in protocol.examples if own.isdisjoint(map(_folded, each.sentences)))
    return [example for _, example in zip(range(count), others, strict=False)]


@lru_cache(4096)
def _folded(text: str) -> str:
    """Return the letters and digits of a text, without regard to case."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _opening(
    protocol: Protocol, wording: Wording, examples: Sequence[Example]
) -> tuple[Message, ...]:
    """Return the messages before a question: the system's, and the examples as turns."""
    turns = (
        turn
        for number, example in enumerate(examples)
        for turn in _example_turns(protocol, wording, example, number)
    )
    system = [Message("system", protocol.system)] if protocol.system else []
    return (*system, *turns)


def _example_turns(
    protocol: Protocol, wording: Wording, example: Example, number: int
) -> Iterator[Message]:
    """Yield an example and its answer, the right one at the first or the second place.

    The places are those of the Thue-Morse sequence: as many of each among every two, and no pattern
    that a model could continue. So are, half as fast, the problem of the schema and the order of
    yes and no, so that they do not depend on the place.
    """
    place, other = number.bit_count() % 2, (number // 2).bit_count() % 2
    problem = example.problems[other]
    right = problem.right or 0
    if protocol.kind is ReplyKind.VERDICT:
        sentence = problem.sentences[abs(right - place)].text
        yield Message("user", _judged(protocol, wording, sentence, _both_orders(2)[other]))
        answer = protocol.verdicts[place]
    else:
        order = _both_orders(2)[abs(right - place)]
        yield Message("user", _posed(protocol, wording, problem, order))
        answer = _wanted(protocol, problem, order)[right]
    values = {"answer": answer, "reason": example.reason, "marker": protocol.marker}
    yield Message("assistant", filled_in(wording.answer, values))


def _choice(
    protocol: Protocol,
    wording: Wording,
    opening: tuple[Message, ...],
    problem: Problem,
    order: tuple[int, ...],
) -> Question:
    text = _posed(protocol, wording, problem, order)
    options = tuple(map(option_text, problem.options))
    is_letter = protocol.kind is ReplyKind.LETTER
    return Question(
        request=_request(protocol, wording, opening, text),
        answers=_letters(protocol, order) if is_letter else options,
        order=order,
        kind=protocol.kind,
        options=options,
        sentences=tuple(sentence.text for sentence in problem.sentences),
        marker=protocol.marker,
        is_reasoned=wording is protocol.reasoned,
    )


def _about_sentence(
    protocol: Protocol,
    wording: Wording,
    opening: tuple[Message, ...],
    problem: Problem,
    sentence: int,
    order: tuple[int, ...],
) -> Question:
    text = _judged(protocol, wording, problem.sentences[sentence].text, order)
    return Question(
        request=_request(protocol, wording, opening, text),
        answers=protocol.verdicts,
        order=order,
        sentence=sentence,
        kind=protocol.kind,
        marker=protocol.marker,
        is_reasoned=wording is protocol.reasoned,
    )


def _request(
    protocol: Protocol, wording: Wording, opening: tuple[Message, ...], text: str
) -> ChatRequest:
    top = ALTERNATIVES if protocol.kind in _WITH_PROBABILITIES else 0
    return ChatRequest((*opening, Message("user", text)), wording.max_tokens, top)


def _posed(protocol: Protocol, wording: Wording, problem: Problem, order: tuple[int, ...]) -> str:
    """Return the text of a question about a problem, with the options in that order."""
    letters = _letters(protocol, order)
    lines = [
        filled_in(
            protocol.option,
            {"letter": letters[option], "option": option_text(problem.options[option])},
        )
        for option in order
    ]
    values = {
        "statement": problem.statement.text,
        "options": "\n".join(lines),
        "instruction": filled_in(wording.instruction, {"marker": protocol.marker}),
    }
    return filled_in(protocol.questions[problem.blanks], values)


def _judged(protocol: Protocol, wording: Wording, sentence: str, order: tuple[int, ...]) -> str:
    """Return the text of a question about a sentence, with yes and no in that order."""
    first, second = (protocol.verdicts[verdict] for verdict in order)
    values = {"first": first, "second": second, "marker": protocol.marker}
    instruction = filled_in(wording.instruction, values)
    return filled_in(protocol.questions[0], {"sentence": sentence, "instruction": instruction})


def _letters(protocol: Protocol, order: tuple[int, ...]) -> tuple[str, ...]:
    """Return the letter under which each option is shown."""
    letters = protocol.letters.ljust(len(order))
    return tuple(letters[order.index(option)] for option in range(len(order)))


def _wanted(protocol: Protocol, problem: Problem, order: tuple[int, ...]) -> tuple[str, ...]:
    """Return the text that each option is answered with in an example."""
    match protocol.kind:
        case ReplyKind.LETTER:
            return _letters(protocol, order)
        case ReplyKind.SENTENCE:
            return tuple(sentence.text for sentence in problem.sentences)
        case _:
            return tuple(map(option_text, problem.options))
