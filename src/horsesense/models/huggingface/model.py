"""A language model on transformers: it tokenizes at once, and is loaded when first queried."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from horsesense.errors import ModelError
from horsesense.models.family import Family
from horsesense.models.huggingface.engines.packing import plan_trees
from horsesense.models.huggingface.libraries import naming_model
from horsesense.models.huggingface.manifest import ModelFiles
from horsesense.models.huggingface.tokenizer import ModelTokenizer
from horsesense.models.info import ModelInfo
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers, LanguageModel
from horsesense.models.query import Query
from horsesense.models.tokens import Tokenization

Progress = Callable[[str], None]

_LOADING = "fetch it again, or save it anew with a recent transformers"
_READING = "its tokenizer.json may be damaged; fetch it again"


class Engine(Protocol):
    """What computes the answers of a family; made with the weights."""

    @property
    def batching(self) -> str:
        """How it computes: tree, packed or plain."""
        ...

    @property
    def fallback_reason(self) -> str:
        """Why it fell back to plain batches, empty where it did not."""
        ...

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries but those that are answered, batch by batch."""
        ...

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Answer one query by itself."""
        ...


class HuggingFaceModel(LanguageModel):
    """A model of one of the three families, from a folder."""

    def __init__(
        self,
        info: ModelInfo,
        tokenizer: str,
        files: ModelFiles,
        *,
        budget_bytes: int = DEFAULT_BYTES,
        batch: int | None = None,
        progress: Progress = lambda message: None,
    ) -> None:
        self.info = info
        self._tokenizer_json = tokenizer
        self._files = files
        self._budget_bytes = budget_bytes
        self._batch = batch
        self._progress = progress

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self._files.folder

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it is read from."""
        return self._files.paths

    @cached_property
    def tokenizer(self) -> ModelTokenizer:
        """Its tokenizer."""
        with self._reading():
            return ModelTokenizer(self._tokenizer_json, self.info)

    @cached_property
    def engine(self) -> Engine:
        """What answers for it; the weights are loaded when this is first asked for."""
        declared = self.info
        self._progress(f"loading {declared.name}")
        with naming_model(declared.name, "loaded", _LOADING):
            kind = _engine_of(declared.family)
            network = self.load_network()
        with self._asking():  # it is tried out at once
            return kind(network, declared, budget_bytes=self._budget_bytes, batch=self._batch)

    def release(self) -> None:
        """Let go of the weights; they are loaded anew if it is asked again."""
        self.__dict__.pop("engine", None)

    def load_network(self) -> Any:
        """The model as torch computes it, loaded anew."""
        # Here, as it takes torch seconds to be imported.
        from horsesense.models.huggingface.weights import load_network

        network = load_network(self._files.folder, self.info, is_pickle=self._files.is_pickle)
        self._files.check()
        return network

    @property
    def batching(self) -> str:
        """How it computes batches: tree, packed or plain; empty before it is first queried."""
        return self.engine.batching if "engine" in self.__dict__ else ""

    @property
    def fallback_reason(self) -> str:
        """Why it computes plain batches, empty where it does not."""
        return self.engine.fallback_reason if "engine" in self.__dict__ else ""

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """The text in its tokens."""
        with self._reading():
            return self.tokenizer.tokenize(text, specials=specials)

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Each text in its tokens."""
        with self._reading():
            yield from self.tokenizer.tokenize_all(texts)

    def token_ids(self, text: str) -> Sequence[int]:
        """The tokens of a text, nothing around them and nothing checked."""
        with self._reading():
            return self.tokenizer.ids(text)

    def count_tokens(self, queries: Sequence[Query], answered: Container[Query] = ()) -> int:
        """How many tokens it reads; a causal model reads in trees what begins alike.

        A tree of which anything is missing is read whole.
        """
        if self.info.family is not Family.CAUSAL:
            return super().count_tokens(queries, answered)
        return sum(
            len(tree.tokens)
            for tree in plan_trees([query.ids for query in queries])
            if any(queries[number] not in answered for number, _ in tree.paths)
        )

    def token_text(self, token: int) -> str:
        """The token as its vocabulary spells it."""
        with self._reading():
            return self.tokenizer.token_text(token)

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries; none is computed if one of them cannot be."""
        for query in queries:
            self._check(query)
        with self._asking():
            yield from self.engine.answer(queries, answered)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Answer one query by itself."""
        self._check(query)
        with self._asking():
            return self.engine.answer_singly(query)

    def _reading(self) -> AbstractContextManager[None]:
        return naming_model(self.info.name, "read with", _READING)

    def _asking(self) -> AbstractContextManager[None]:
        declared = self.info
        return naming_model(
            declared.name,
            "asked",
            f"transformers may not know {declared.architecture} with this config.json;"
            " try a newer transformers, or another model",
        )

    def _check(self, query: Query) -> None:
        declared = self.info
        if declared.context is not None and len(query.ids) > declared.context:
            raise ModelError(
                f"{declared.name} reads at most {declared.context:,} tokens, and a text has "
                f"{len(query.ids):,}; shorten it, or use a model with a longer context"
            )
        largest = max((*query.ids, *query.label), default=0)
        if largest >= declared.vocabulary:
            raise ModelError(
                f"the tokenizer of {declared.name} gives token {largest}, and the model has "
                f"{declared.vocabulary}; put the tokenizer of this model into its folder"
            )


def _engine_of(family: Family) -> Callable[..., Engine]:
    """The engine of a family; torch is imported with it."""
    if family is Family.CAUSAL:
        from horsesense.models.huggingface.engines.causal import CausalEngine

        return CausalEngine
    if family is Family.MASKED:
        from horsesense.models.huggingface.engines.masked import MaskedEngine

        return MaskedEngine
    from horsesense.models.huggingface.engines.seq2seq import Seq2SeqEngine

    return Seq2SeqEngine
