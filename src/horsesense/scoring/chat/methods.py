"""The scoring methods of chat models: a protocol, a number of examples, with or without reasoning.

`letter@4+reasoning` is the protocol `letter` with four examples and reasoning before the answer. A
name that ends in `.toml`, before `@` and `+`, is the path of a user's own protocol.
"""

from __future__ import annotations

import re
from functools import partial as bound

from horsesense.errors import ArgumentError, UnknownNameError
from horsesense.models import ChatObservation, Family, Question, ReplyKind
from horsesense.schema import Problem
from horsesense.scoring.chat.asking import questions_about
from horsesense.scoring.chat.choosing import marks_of, score_replies
from horsesense.scoring.chat.protocol import (
    FILE_ENDING,
    OWN_PROTOCOLS,
    Protocol,
    load_protocol,
    own_protocol,
)
from horsesense.scoring.method import Method, for_all

_EXAMPLES = re.compile(r"(.+)@([0-9]{1,3})")
_REASONING = "+reasoning"
_CHOSEN = "1 for each order in which the option is not chosen"
_ADDS_UP = {
    ReplyKind.LETTER: "the costs of the option's letter in both orders",
    ReplyKind.OPTION: _CHOSEN,
    ReplyKind.SENTENCE: _CHOSEN,
    ReplyKind.VERDICT: "the costs of yes in both orders, asked about the complete sentence",
}
_DIVIDES_BY = "the two orders"


def find_chat_method(name: str) -> Method | None:
    """Return the method of that name, None if it names none of our protocols and no file.

    >>> find_chat_method("letter@04+reasoning").name
    'letter@4+reasoning'
    """
    if not names_protocol(name):
        return None
    protocol, examples, is_reasoned = _parts(name)
    return _method(protocol, examples, is_reasoned)


def protocol_of(name: str) -> Protocol:
    """Return the protocol of the method of that name."""
    if not names_protocol(name):
        raise UnknownNameError("protocol of chat models", name, OWN_PROTOCOLS)
    return _protocol(_parts(name)[0])


def names_protocol(name: str) -> bool:
    """Return whether it is the name of a method by one of our protocols, or by any file.

    >>> names_protocol("judge@2"), names_protocol("mine.toml"), names_protocol("partial")
    (True, True, False)
    """
    protocol, *_ = _parts(name)
    return protocol in OWN_PROTOCOLS or protocol.endswith(FILE_ENDING)


def _parts(name: str) -> tuple[str, int, bool]:
    """Divide a name into protocol, number of examples, and whether reasoning comes first."""
    rest = name.removesuffix(_REASONING)
    match = _EXAMPLES.fullmatch(rest)
    protocol, examples = (match[1], int(match[2])) if match else (rest, 0)
    return protocol, examples, rest != name


def _protocol(name: str) -> Protocol:
    return own_protocol(name) if name in OWN_PROTOCOLS else load_protocol(name)


def _method(name: str, examples: int, is_reasoned: bool) -> Method:
    protocol = _protocol(name)
    if examples > len(protocol.examples):
        available = len(protocol.examples)
        has = f"the protocol {name} has {available} examples"
        raise ArgumentError(
            f"{has}, so {name}@{examples} is not possible; use {available} or fewer"
        )
    full_name = f"{name}{f'@{examples}' * bool(examples)}{_REASONING * is_reasoned}"

    def asks(problem: Problem) -> tuple[Question, ...]:
        return questions_about(protocol, problem, examples=examples, is_reasoned=is_reasoned)

    return Method(
        full_name,
        Family.CHAT,
        _title(protocol, examples, is_reasoned=is_reasoned),
        _ADDS_UP[protocol.kind],
        for_all(ChatObservation, bound(score_replies, full_name)),
        divides_by=_DIVIDES_BY,
        asks=asks,
        marks=marks_of(protocol.kind),
    )


def _title(protocol: Protocol, examples: int, *, is_reasoned: bool) -> str:
    counted = f", {examples} example{'s' * (examples > 1)}" if examples else ""
    return f"{protocol.title}{counted}{', with reasoning' if is_reasoned else ''}"


CHAT_METHODS = tuple(_method(name, 0, False) for name in OWN_PROTOCOLS)
