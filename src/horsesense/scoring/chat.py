"""Scoring methods of chat models."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from horsesense.models import AskedQuestion


class ReplyFault(StrEnum):
    """Why a reply has no answer."""

    REFUSED = "refused"
    UNPARSABLE = "unparsable"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class ReadReply:
    """What a reply says: the position of an answer of its question, or why it has none.

    `log_probs` are the log-probabilities of the answers, if the model gave them.
    """

    answer: int | None
    fault: ReplyFault | None = None
    log_probs: tuple[float, ...] = ()


def read_question(asked: AskedQuestion) -> ReadReply:
    """Read the reply to a question."""
    raise NotImplementedError
