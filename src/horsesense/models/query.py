"""Queries to models, with the exact tokens, and the observations made from their answers.

A query holds everything its answer depends on besides the model, so it serves as a key in the
cache. It holds no text: two texts with the same tokens make one query.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from horsesense.models.chat import AskedQuestion
from horsesense.models.tokens import TokenSpans


class QueryKind(StrEnum):
    """The method of observation: how log-probabilities are obtained from a model."""

    CAUSAL = "causal"
    SINGLE_MASK = "single-mask"
    WITHIN_WORD = "within-word"
    MULTI_MASK = "multi-mask"
    SPANS = "spans"


@dataclass(frozen=True, slots=True)
class Query:
    """The tokens of an input, and those whose log-probabilities are requested.

    `ids` are all input tokens, special ones included. A causal model returns the log-probability
    of every token but the first, given those before it.

    A masked model returns one for each of `masks`: a tuple of positions that are masked together,
    of which the first is predicted. So `((2,), (3,))` masks two tokens one at a time, and
    `((2, 3), (3, 2))` masks both at once and predicts both.

    A sequence-to-sequence model reads `ids` and returns the log-probability of every token of
    `label`, given those before it.
    """

    kind: QueryKind
    ids: tuple[int, ...]
    masks: tuple[tuple[int, ...], ...] = ()
    label: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of log-probabilities in its answer."""
        match self.kind:
            case QueryKind.CAUSAL:
                return max(len(self.ids) - 1, 0)
            case QueryKind.SPANS:
                return len(self.label)
            case _:
                return len(self.masks)

    @property
    def content(self) -> str:
        """The query as JSON: the method of observation, ids, masks and label.

        >>> Query(QueryKind.CAUSAL, (5, 7)).content
        '["causal",[5,7],[],[]]'
        """
        if self.masks or self.label:
            return _encode((self.kind, self.ids, self.masks, self.label))
        # The same string as the encoder's, but faster; most queries are of this kind.
        return f'["{self.kind.value}",{[*self.ids]},[],[]]'.replace(" ", "")

    @property
    def key(self) -> str:
        """The hash of the query, the same on every machine.

        >>> Query(QueryKind.CAUSAL, (5, 7)).key[:8]
        'bc9cec0c'
        """
        return key_of(self.content)


# A shared encoder: `json.dumps` would create one per query.
_encode = json.JSONEncoder(separators=(",", ":")).encode


def key_of(content: str) -> str:
    """Return the key of a query with that content."""
    return hashlib.sha256(content.encode()).hexdigest()


def causal_query(ids: tuple[int, ...]) -> Query:
    """Query a causal model for every token but the first."""
    return Query(QueryKind.CAUSAL, ids)


def single_mask_query(ids: tuple[int, ...], positions: tuple[int, ...]) -> Query:
    """Query a masked model for some tokens, each masked alone."""
    return Query(QueryKind.SINGLE_MASK, ids, tuple((position,) for position in positions))


def multi_mask_query(ids: tuple[int, ...], positions: tuple[int, ...]) -> Query:
    """Query a masked model for some tokens, all masked at once.

    >>> multi_mask_query((0, 9, 8, 2), (1, 2)).masks
    ((1, 2), (2, 1))
    """
    masks = tuple((at, *(other for other in positions if other != at)) for at in positions)
    return Query(QueryKind.MULTI_MASK, ids, masks)


def within_word_query(ids: tuple[int, ...], words: tuple[int | None, ...]) -> Query:
    """Query a masked model for every token, masked together with the rest of its word.

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
    """Query a sequence-to-sequence model for a label."""
    return Query(QueryKind.SPANS, ids, label=label)


LogProbs: TypeAlias = tuple[float | None, ...]


class FirstToken(StrEnum):
    """The source of the probability of a sentence's first token."""

    BOS = "bos"  # the model, given a BOS token
    TABLE = "table"  # its frequency in a text corpus
    FLOOR = "floor"  # the lowest value of the table, as it does not occur in the corpus
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class CausalObservation:
    """The log-probabilities of a sentence with one option, from a causal model.

    `log_probs` has one item per token: None for special tokens, and for the first real token if
    no token precedes it. `first` is the log-probability of the first real token, and `first_from`
    its source. `alone` is the log-probability of the phrases in the blanks without context, for
    normalization; None if it is not available.

    `seam` is the observation for `compat:lm-eval` and `compat:lighteval`, which insert a space
    after a blank if the sentence has none; None if that does not change the sentence.
    """

    tokens: TokenSpans
    log_probs: LogProbs
    first: float | None = None
    first_from: FirstToken = FirstToken.UNDEFINED
    alone: float | None = None
    seam: CausalObservation | None = None

    @property
    def known(self) -> LogProbs:
        """The log-probability of every token, including the first one from any source."""
        at = self.tokens.real[0]
        if self.log_probs[at] == self.first:
            return self.log_probs
        return (*self.log_probs[:at], self.first, *self.log_probs[at + 1 :])


@dataclass(frozen=True, slots=True)
class MaskedObservation:
    """The log-probabilities of a sentence with one option, from a masked model.

    Each column has one item per token, None if it was not queried: `single` for tokens masked
    one at a time, `within_word` for each token masked together with the rest of its word, and
    `multi` for the tokens of the blanks, all masked at once.
    """

    tokens: TokenSpans
    single: LogProbs = ()
    within_word: LogProbs = ()
    multi: LogProbs = ()


class LabelPart(StrEnum):
    """The kind of a token in a label."""

    SENTINEL = "sentinel"
    PHRASE = "phrase"
    EOS = "eos"


@dataclass(frozen=True, slots=True)
class Label:
    """A label with its log-probabilities: the output of a sequence-to-sequence model for blanks."""

    source: tuple[int, ...]
    ids: tuple[int, ...]
    parts: tuple[LabelPart, ...]
    log_probs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SpansObservation:
    """One option as the label of a problem, without and with the task prefix."""

    plain: Label
    prefixed: Label


@dataclass(frozen=True, slots=True)
class PreferenceObservation:
    """The cost of an option as a whole, from a baseline."""

    cost: float


@dataclass(frozen=True, slots=True)
class ChatObservation:
    """The replies of a chat model to all questions about a problem, by the name of the method.

    As a question is about all options at once, all options of a problem share one observation.
    """

    asked: Mapping[str, tuple[AskedQuestion, ...]]


Observation: TypeAlias = (
    CausalObservation
    | MaskedObservation
    | SpansObservation
    | ChatObservation
    | PreferenceObservation
)
