"""Queries: what a model is asked, down to the exact tokens that it reads.

A query is all that its answer depends on besides the model, so that what was answered once can
be kept under it. Texts do not occur in it: two texts with the same tokens are one query.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from horsesense.models.tokens import TokenSpans


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


LogProbs: TypeAlias = tuple[float | None, ...]


class FirstToken(StrEnum):
    """Where the probability of a sentence's first token comes from."""

    BOS = "bos"  # the model reads a token before it
    TABLE = "table"  # its frequency in a text corpus
    FLOOR = "floor"  # it does not occur in the corpus, and gets the table's floor
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class CausalObservation:
    """A sentence with one option filled in, read from left to right.

    `log_probs` has one item for each token: None for special ones, and for the first real token
    where nothing comes before it. `first` is the log-probability of the first real token,
    wherever it is from. `alone` is that of the phrases in the blanks, each read by itself, for
    normalizing; None where it cannot be had.

    `seam` holds what `compat:lm-eval` and `compat:lighteval` read, which separate what follows a
    blank by a space where the sentence has none; None where that is the sentence itself.
    """

    tokens: TokenSpans
    log_probs: LogProbs
    first: float | None = None
    first_from: FirstToken = FirstToken.UNDEFINED
    alone: float | None = None
    seam: CausalObservation | None = None

    @property
    def known(self) -> LogProbs:
        """The log-probability of every token, the first one included wherever it is from."""
        at = self.tokens.real[0]
        if self.log_probs[at] == self.first:
            return self.log_probs
        return (*self.log_probs[:at], self.first, *self.log_probs[at + 1 :])


@dataclass(frozen=True, slots=True)
class MaskedObservation:
    """A sentence with one option filled in, read with some tokens masked.

    Each has one item for each token, None where it was not asked for: `single` the tokens masked
    one at a time; `within_word` each masked together with what follows it in its word; `multi`
    the tokens of the blanks, all masked at once.
    """

    tokens: TokenSpans
    single: LogProbs = ()
    within_word: LogProbs = ()
    multi: LogProbs = ()


class LabelPart(StrEnum):
    """What a token of a label is."""

    SENTINEL = "sentinel"
    PHRASE = "phrase"
    EOS = "eos"


@dataclass(frozen=True, slots=True)
class Label:
    """A label, token by token: what a sequence-to-sequence model is to write for the blanks."""

    source: tuple[int, ...]
    ids: tuple[int, ...]
    parts: tuple[LabelPart, ...]
    log_probs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SpansObservation:
    """One option as the label of a problem, without and with the task's prefix before it."""

    plain: Label
    prefixed: Label


@dataclass(frozen=True, slots=True)
class PreferenceObservation:
    """What a baseline says: a cost for the option as a whole."""

    cost: float


Observation: TypeAlias = (
    CausalObservation | MaskedObservation | SpansObservation | PreferenceObservation
)
