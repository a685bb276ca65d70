"""Requests to chat models, their replies, and the questions that a problem is turned into.

A request holds everything its reply depends on besides the model, so it serves as a key in the
cache, like a query to a language model.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

# A shared encoder: `json.dumps` would create one per request.
_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a conversation; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A conversation that a chat model continues with one reply.

    The reply has at most `max_tokens` tokens, each the most likely one. `top` is the number of
    alternatives whose log-probabilities are requested for each token; a model that has none
    replies without them. `settings` are further settings of a server's API as a JSON object.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    top: int = 0
    settings: str = "{}"

    @property
    def content(self) -> str:
        """The request as JSON.

        >>> ChatRequest((Message("user", "Do owls hunt?"),), 8).content
        '{"messages":[["user","Do owls hunt?"]],"max_tokens":8,"top":0,"settings":{}}'
        """
        return _encode(
            {
                "messages": [[message.role, message.content] for message in self.messages],
                "max_tokens": self.max_tokens,
                "top": self.top,
                "settings": json.loads(self.settings),
            }
        )

    @property
    def key(self) -> str:
        """The hash of the request, the same on every machine."""
        return hashlib.sha256(self.content.encode()).hexdigest()


def read_request(content: str) -> ChatRequest:
    """Return the request with that content.

    >>> request = ChatRequest((Message("user", "Do owls hunt?"),), 8)
    >>> read_request(request.content) == request
    True
    """
    fields = json.loads(content)
    return ChatRequest(
        tuple(Message(role, text) for role, text in fields["messages"]),
        fields["max_tokens"],
        fields["top"],
        _encode(fields["settings"]),
    )


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """A token of a reply, its log-probability, and those of the most likely tokens instead of it.

    `alternatives` may include the token itself.
    """

    text: str
    log_prob: float
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a chat model.

    `finish` is `stop` if the reply is complete, `length` if it was cut off at the limit of tokens,
    or what else the server reports, such as `content_filter`. `tokens` is empty if the server gives
    no log-probabilities. `prompt_tokens` and `reply_tokens` are counted by the model, None if
    unknown. `thoughts` is what a reasoning model wrote before its reply, if the server returns it
    separately.
    """

    text: str
    finish: str
    tokens: tuple[ReplyToken, ...] = ()
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    thoughts: str = ""

    @property
    def content(self) -> str:
        """The reply as JSON."""
        return _encode(
            {
                "text": self.text,
                "finish": self.finish,
                "tokens": [
                    [token.text, token.log_prob, [list(pair) for pair in token.alternatives]]
                    for token in self.tokens
                ],
                "prompt_tokens": self.prompt_tokens,
                "reply_tokens": self.reply_tokens,
                "thoughts": self.thoughts,
            }
        )


def read_reply(content: str) -> Reply:
    """Return the reply with that content; raise a ValueError, KeyError or TypeError if it has none.

    >>> reply = Reply("B.", "stop", (ReplyToken("B", -0.5, (("B", -0.5), ("A", -1.0))),), 20, 2)
    >>> read_reply(reply.content) == reply
    True
    """
    fields: dict[str, Any] = json.loads(content)
    return Reply(
        str(fields["text"]),
        str(fields["finish"]),
        tuple(
            ReplyToken(
                str(text), float(log_prob), tuple((str(other), float(p)) for other, p in others)
            )
            for text, log_prob, others in fields["tokens"]
        ),
        fields["prompt_tokens"],
        fields["reply_tokens"],
        str(fields["thoughts"]),
    )


# Requests with their replies.
Replies: TypeAlias = list[tuple[ChatRequest, Reply]]


class ReplyKind(StrEnum):
    """What a question asks the model to write."""

    LETTER = "letter"  # of an option
    OPTION = "option"  # in words
    SENTENCE = "sentence"  # with an option in the blank
    VERDICT = "verdict"  # yes or no, about a sentence


@dataclass(frozen=True, slots=True)
class Question:
    """One request about a problem, and what its reply can mean.

    `answers` are the texts that are accepted as an answer: one per option of the problem, in the
    order of the options, such as the letter under which each is shown; or `yes` and `no`, if the
    question is about the sentence with the option number `sentence`. `order` are the positions of
    the answers in the order in which the request shows them.

    `kind` is what the reply should be. `options` are the options in words and `sentences` the
    complete sentences, both in the order of the options and empty for a verdict. `marker` is the
    text before a final answer; if the question `is_reasoned`, the reply has to contain it.
    """

    request: ChatRequest
    answers: tuple[str, ...]
    order: tuple[int, ...]
    sentence: int | None = None
    kind: ReplyKind = ReplyKind.LETTER
    options: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    marker: str = ""
    is_reasoned: bool = False


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with the reply of a model."""

    question: Question
    reply: Reply
