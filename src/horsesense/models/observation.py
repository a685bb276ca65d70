"""Observations: what a model said about one option of a problem, token by token.

Every scoring method is arithmetic on these. The log-probabilities are natural logarithms in
float32, as they were computed and kept; an observation adds nothing up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from horsesense.models.tokens import TokenSpans

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
