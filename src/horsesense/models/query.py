"""Queries: what a model is asked, down to the exact tokens that it reads.

A query is all that its answer depends on besides the model, so that what was answered once can
be kept under it. Texts do not occur in it: two texts with the same tokens are one query.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum


class QueryKind(StrEnum):
    """The method of observation: how log-probabilities are got out of a model."""

    CAUSAL = "causal"
    SINGLE_MASK = "single-mask"
    WITHIN_WORD = "within-word"
    MULTI_MASK = "multi-mask"
    SPANS = "spans"


@dataclass(frozen=True, slots=True)
class Query:
    """Tokens for a model to read, and of which it is to give the log-probabilities.

    `ids` are all tokens that are read, special ones included. A causal model gives the
    log-probability of every token but the first, each from those before it.

    A masked model gives one for each of `masks`: a tuple of positions that are masked together,
    of which the first is the one asked for. So `((2,), (3,))` masks two tokens one at a time, and
    `((2, 3), (3, 2))` masks both at once and asks for both.

    A sequence-to-sequence model reads `ids` and gives the log-probability of every token of
    `label`, each from those before it.
    """

    kind: QueryKind
    ids: tuple[int, ...]
    masks: tuple[tuple[int, ...], ...] = ()
    label: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many log-probabilities answer it."""
        match self.kind:
            case QueryKind.CAUSAL:
                return max(len(self.ids) - 1, 0)
            case QueryKind.SPANS:
                return len(self.label)
            case _:
                return len(self.masks)

    @property
    def content(self) -> str:
        """All of it as JSON: the method of observation, ids, masks and label.

        >>> Query(QueryKind.CAUSAL, (5, 7)).content
        '["causal",[5,7],[],[]]'
        """
        if self.masks or self.label:
            return _encode((self.kind, self.ids, self.masks, self.label))
        # As the encoder has it; most queries are like this.
        return f'["{self.kind.value}",{[*self.ids]},[],[]]'.replace(" ", "")

    @property
    def key(self) -> str:
        """A hash of the query, the same on every machine.

        >>> Query(QueryKind.CAUSAL, (5, 7)).key[:8]
        'bc9cec0c'
        """
        return key_of(self.content)


# An encoder of its own: `json.dumps` would make one for every query.
_encode = json.JSONEncoder(separators=(",", ":")).encode


def key_of(content: str) -> str:
    """The key of a query with that content."""
    return hashlib.sha256(content.encode()).hexdigest()


def causal_query(ids: tuple[int, ...]) -> Query:
    """Ask a causal model for every token but the first."""
    return Query(QueryKind.CAUSAL, ids)


def single_mask_query(ids: tuple[int, ...], asked: tuple[int, ...]) -> Query:
    """Ask a masked model for some tokens, each masked alone."""
    return Query(QueryKind.SINGLE_MASK, ids, tuple((position,) for position in asked))


def multi_mask_query(ids: tuple[int, ...], asked: tuple[int, ...]) -> Query:
    """Ask a masked model for some tokens, all masked at once.

    >>> multi_mask_query((0, 9, 8, 2), (1, 2)).masks
    ((1, 2), (2, 1))
    """
    masks = tuple((at, *(other for other in asked if other != at)) for at in asked)
    return Query(QueryKind.MULTI_MASK, ids, masks)


def within_word_query(ids: tuple[int, ...], words: tuple[int | None, ...]) -> Query:
    """Ask a masked model for every token of a word, masked with those of the word that follow.

    `words` numbers the word of each token, None for special ones.

    >>> within_word_query((0, 7, 8, 9, 2), (None, 0, 0, 1, None)).masks
    ((1, 2), (2,), (3,))
    """
    masks = []
    for start, word in enumerate(words):
        if word is not None:
            later = range(start + 1, len(words))
            masks.append((start, *(at for at in later if words[at] == word)))
    return Query(QueryKind.WITHIN_WORD, ids, tuple(masks))


def spans_query(ids: tuple[int, ...], label: tuple[int, ...]) -> Query:
    """Ask a sequence-to-sequence model for a label."""
    return Query(QueryKind.SPANS, ids, label=label)
