"""The protocol of models: everything the rest of the program knows about a model.

A language model tokenizes text and answers queries with log-probabilities. A chat model replies to
messages. A baseline sees the problem itself. The scoring methods turn their answers into scores.

To add a model of your own, subclass `LanguageModel`, `ChatModel` or `Baseline` and implement the
abstract members; everything else has a default.
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

from horsesense.errors import ModelError
from horsesense.models.chat import ChatRequest, Replies
from horsesense.models.query import Query, QueryKind
from horsesense.models.tokens import Tokenization
from horsesense.schema import Problem


class Family(StrEnum):
    """The kinds of models, by the queries they answer."""

    CAUSAL = "causal"
    MASKED = "masked"
    SEQ2SEQ = "seq2seq"
    CHAT = "chat"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Metadata of a model, known before it is queried.

    `weights`, `tokenizer` and `config` are SHA-256 hashes of the files, and `revision` is the
    commit on the hub, if any. If the weights cannot be hashed, as behind a server, leave them
    empty: the model is then identified by its name and revision. `before` and `after` are the
    special tokens that the tokenizer adds around a text, such as BOS; they are context and never
    scored. `sentinels` are the tokens that mark spans, by number. `context` is the maximum number
    of tokens, None if there is no limit. `server` is the kind and the version of the server that
    the model is behind, such as `vllm 0.32.0`; empty for a model on this machine.
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
    server: str = ""

    @property
    def bos(self) -> int | None:
        """The token before every text, if there is one."""
        return self.before[-1] if self.before else None

    @property
    def fingerprint(self) -> str:
        """The hash of everything its answers depend on; name and revision only without weights.

        Special tokens are excluded as well, as a query holds the tokens themselves.
        """
        fields = ["family", "architecture", "weights", "tokenizer", "config", "dtype", "device"]
        if not self.weights and self.family is not Family.BASELINE:
            fields += ["name", "revision"]
        if self.server:
            fields.append("server")
        identity = {key: value for key, value in asdict(self).items() if key in fields}
        content = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(content.encode()).hexdigest()


# For an estimate: the characters of a token of English, and the tokens around a message.
_CHARACTERS, _PER_MESSAGE = 4, 6


def estimated_tokens(text: str) -> int:
    """Estimate how many tokens an English text has.

    >>> estimated_tokens("The owl saw the mouse.")
    6
    """
    return -(-len(text) // _CHARACTERS)


# Queries with their log-probabilities, in the order of each query.
Answers: TypeAlias = list[tuple[Query, tuple[float, ...]]]
# The most probable tokens at a position, with their log-probabilities, the highest first.
Ranking: TypeAlias = tuple[tuple[int, float], ...]
# The same as answers, with the most probable tokens in place of each token.
Predictions: TypeAlias = list[tuple[Query, tuple[float, ...], tuple[Ranking, ...]]]


@runtime_checkable
class Model(Protocol):
    """The interface that language models, chat models and baselines share.

    `info` is available before the weights are loaded.
    """

    info: ModelInfo

    def __repr__(self) -> str:
        info = self.info
        size = f", {info.parameters:,} parameters" if info.parameters else ""
        use = f", {info.dtype} on {info.device}" if info.dtype and info.device else ""
        return f"<{type(self).__name__} {info.name}: {info.family}{size}{use}>"

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the model; empty for a model without files."""
        return ()

    @property
    def batching(self) -> str:
        """How it computes batches, such as tree, packed or plain; empty if unknown."""
        return ""

    @property
    def fallback_reason(self) -> str:
        """Why it falls back to plain batches; empty if it does not."""
        return ""

    @property
    def dropped(self) -> tuple[str, ...]:
        """Why optimizations are not used: one reason for each that failed its test."""
        return ()

    @property
    def is_served(self) -> bool:
        """Whether it runs behind a server, so that each query costs a request."""
        return False

    def release(self) -> None:
        """Free its memory; it can still be queried later."""
        return None


@runtime_checkable
class LanguageModel(Model, Protocol):
    """A model that returns log-probabilities of tokens."""

    @abstractmethod
    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """Tokenize a text, with or without the special tokens around it."""
        ...

    @abstractmethod
    def token_text(self, token: int) -> str:
        """Return the token as it is written in the vocabulary."""
        ...

    @abstractmethod
    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries, in any order and in batches of any size.

        The caller can store each batch before requesting the next one. Queries in `answered` are
        not computed. A model may still use them to plan, so that a resumed run computes the same
        batches, and hence the same numbers, as an uninterrupted one.
        """
        ...

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Answer one query by itself, without batch optimizations."""
        return next(values for batch in self.answer([query]) for _, values in batch)

    def predict(self, queries: Sequence[Query], count: int) -> Iterator[Predictions]:
        """Answer causal queries, with the `count` most probable tokens in place of each token."""
        raise ModelError(f"{self.info.name} does not list its most probable tokens")

    def decode(self, sequences: Sequence[Sequence[int]]) -> list[str]:
        """Turn each sequence of tokens into text, special ones included."""
        raise ModelError(f"{self.info.name} does not turn tokens into text")

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Tokenize several texts, with special tokens."""
        return map(self.tokenize, texts)

    def token_ids(self, text: str) -> Sequence[int]:
        """Return the tokens of a text, which may be long, without special ones."""
        return self.tokenize(text, specials=False).ids

    @property
    def tokenizes_by_request(self) -> bool:
        """Whether tokenizing a text costs a request to a server, which then also answers it."""
        return False

    def count_requests(self, queries: Sequence[Query]) -> int:
        """Count the requests that a served model takes for these queries."""
        return len(queries)

    def count_tokens(self, queries: Sequence[Query], answered: Container[Query] = ()) -> int:
        """Count the tokens to compute for the queries that are not `answered`."""
        missing = [query for query in queries if query not in answered]
        whole = sum(len(query.ids) for query in missing if query.kind is QueryKind.CAUSAL)
        masked = sum(len(query.ids) * len(query.masks) for query in missing)
        sources = {query.ids for query in missing if query.kind is QueryKind.SPANS}
        labels = sum(len(query.label) for query in missing)
        return whole + masked + sum(map(len, sources)) + labels


@runtime_checkable
class ChatModel(Model, Protocol):
    """A model that replies to messages."""

    @abstractmethod
    def ask(self, requests: Sequence[ChatRequest]) -> Iterator[Replies]:
        """Reply to all requests, in any order and in batches of any size.

        The caller can store each batch before requesting the next one. Each conversation stands by
        itself, and the reply to it is the same whatever else is asked.
        """
        ...

    def count_prompt_tokens(self, requests: Sequence[ChatRequest]) -> int:
        """Count the tokens of the conversations, or estimate them from their characters."""
        texts = (message.content for request in requests for message in request.messages)
        return sum(estimated_tokens(text) + _PER_MESSAGE for text in texts)


@runtime_checkable
class Baseline(Model, Protocol):
    """A reference to compare models with, which sees the problem and needs no tokens."""

    @abstractmethod
    def costs(self, problem: Problem) -> tuple[float, ...]:
        """Return a cost for each option; lower is better."""
        ...
