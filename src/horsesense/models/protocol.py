"""The protocol of models: all that the rest of the program knows of one.

A language model turns text into tokens and answers queries with log-probabilities. A baseline
sees the problem itself. What their answers add up to is the business of the scoring methods.

To bring a model of your own, subclass `LanguageModel` or `Baseline` and write the abstract
members; everything else has a default.
"""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeAlias, runtime_checkable

from horsesense.models.query import Query, QueryKind
from horsesense.models.tokens import Tokenization
from horsesense.schema import Problem


class Family(StrEnum):
    """The kinds of models, by what they can be asked."""

    CAUSAL = "causal"
    MASKED = "masked"
    SEQ2SEQ = "seq2seq"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model before it is queried.

    `weights`, `tokenizer` and `config` are SHA-256 hashes of what was read, `revision` the commit
    that a hub served, if any. `before` and `after` are the special tokens that it has around a
    text by its own habit, such as BOS; they condition and are never counted. `sentinels` are the
    tokens that stand for spans, in the order of their numbers. `context` is how many tokens it
    can read, None where there is no limit.
    """

    name: str
    family: Family
    architecture: str
    weights: str = ""
    tokenizer: str = ""
    revision: str = ""
    dtype: str = ""
    device: str = ""
    parameters: int = 0
    vocabulary: int = 0
    context: int | None = None
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    unknown: int | None = None
    mask: int | None = None
    pad: int | None = None
    eos: int | None = None
    sentinels: tuple[int, ...] = ()
    first_position: int = 0
    config: str = ""

    @property
    def bos(self) -> int | None:
        """The token that the model reads before every text, if there is one."""
        return self.before[-1] if self.before else None

    @property
    def fingerprint(self) -> str:
        """A hash of all that its answers depend on; its name is not among them.

        How it reads a text is left out as well: a query holds the tokens themselves.
        """
        identity = {
            key: value
            for key, value in asdict(self).items()
            if key
            in ("family", "architecture", "weights", "tokenizer", "config", "dtype", "device")
        }
        content = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(content.encode()).hexdigest()


# Queries answered together, each with its log-probabilities in the order of the query.
Answers: TypeAlias = list[tuple[Query, tuple[float, ...]]]


@runtime_checkable
class Model(Protocol):
    """What language models and baselines have in common.

    `info` says what it is and how it reads, before its weights are loaded.
    """

    info: ModelInfo

    def __repr__(self) -> str:
        info = self.info
        size = f", {info.parameters:,} parameters" if info.parameters else ""
        use = f", {info.dtype} on {info.device}" if info.dtype and info.device else ""
        return f"<{type(self).__name__} {info.name}: {info.family}{size}{use}>"

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it is read from; none for a model without files."""
        return ()

    @property
    def batching(self) -> str:
        """How it computes batches, such as tree, packed or plain; empty where it does not say."""
        return ""

    @property
    def fallback_reason(self) -> str:
        """Why it computes plain batches though it knows a faster way; empty where it does not."""
        return ""

    def release(self) -> None:
        """Free the memory that it takes; it may be queried again later."""
        return None


@runtime_checkable
class LanguageModel(Model, Protocol):
    """A model that gives log-probabilities of tokens."""

    @abstractmethod
    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """The text in its tokens, with or without the special ones around it."""
        ...

    @abstractmethod
    def token_text(self, token: int) -> str:
        """The token as its vocabulary spells it."""
        ...

    @abstractmethod
    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries, in whatever order and batches suit the machine.

        A batch that has been given is final: the caller can store it before the next one. What is
        `answered` already is not computed. A model may still plan for it, so that a run that was
        interrupted goes on with the very batches that it would have had, and so with the very
        numbers.
        """
        ...

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Answer one query by itself, without anything that makes batches fast."""
        return next(values for batch in self.answer([query]) for _, values in batch)

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Each text in its tokens, special ones included."""
        return map(self.tokenize, texts)

    def token_ids(self, text: str) -> Sequence[int]:
        """The tokens of a text that may be long, without special ones."""
        return self.tokenize(text, specials=False).ids

    def count_tokens(self, queries: Sequence[Query], answered: Container[Query] = ()) -> int:
        """How many tokens it reads to answer those of the queries that are not `answered`."""
        missing = [query for query in queries if query not in answered]
        whole = sum(len(query.ids) for query in missing if query.kind is QueryKind.CAUSAL)
        masked = sum(len(query.ids) * len(query.masks) for query in missing)
        sources = {query.ids for query in missing if query.kind is QueryKind.SPANS}
        return whole + masked + sum(map(len, sources)) + sum(len(one.label) for one in missing)


@runtime_checkable
class Baseline(Model, Protocol):
    """Something to compare models with: it sees the problem, and needs no tokens."""

    @abstractmethod
    def costs(self, problem: Problem) -> tuple[float, ...]:
        """A cost for each option, lower preferred."""
        ...
