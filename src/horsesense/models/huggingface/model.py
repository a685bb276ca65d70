"""Language models on transformers; their weights are loaded when they are first queried."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import deepcopy
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.packing import plan_trees
from horsesense.models.huggingface.inspection import (
    config_hash,
    context_of,
    family_of,
    find_tokenizer_traits,
    first_position,
    load_config,
)
from horsesense.models.huggingface.libraries import (
    importing_libraries,
    model_errors,
    transformers_quietly,
)
from horsesense.models.huggingface.manifest import ModelFiles
from horsesense.models.huggingface.tokenizer import ModelTokenizer
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers, Family, LanguageModel, ModelInfo, Predictions
from horsesense.models.query import Query
from horsesense.models.tokens import Tokenization

if TYPE_CHECKING:
    from horsesense.models.huggingface.self_tests import SelfTests

Progress = Callable[[str], None]
# An engine of any kind.
Tested = TypeVar("Tested")

_LOADING = "fetch it again, or save it again with a recent transformers"
_TOKENIZING = "its tokenizer.json may be damaged; fetch it again"


class Engine(Protocol):
    """The computation of answers for one family; created when the weights are loaded."""

    @property
    def batching(self) -> str:
        """How it computes: tree, packed or plain."""
        ...

    @property
    def fallback_reason(self) -> str:
        """Why it fell back to plain batches; empty if it did not."""
        ...

    @property
    def self_tests(self) -> SelfTests:
        """The tests of its optimizations."""
        ...

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries that are not `answered`, in batches."""
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
        cache: Path | None = None,
        retest: bool = False,
        progress: Progress = lambda message: None,
    ) -> None:
        self.info = info
        self.tokenizer_json = tokenizer
        self._files = files
        self._budget_bytes = budget_bytes
        self._batch = batch
        self._cache = cache
        self._retest = retest
        self.report = progress

    @property
    def folder(self) -> Path:
        """The folder of its files."""
        return self._files.folder

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the model."""
        return self._files.paths

    @cached_property
    def tokenizer(self) -> ModelTokenizer:
        """Its tokenizer."""
        with self._tokenizer_errors():
            return ModelTokenizer(self.tokenizer_json, self.info)

    @cached_property
    def engine(self) -> Engine:
        """The engine; the first access loads the weights."""
        info = self.info
        self.report(f"loading {info.name}")
        with model_errors(info.name, "loaded", _LOADING), importing_libraries():
            engine = _engine_of(info.family)
            network = self.load_network()
        with self._query_errors():  # the engine tests itself with a few queries
            return self.tested(engine, network, info)

    def tested(self, make: Callable[..., Tested], network: Any, info: ModelInfo) -> Tested:
        """Make an engine; its self-tests run only if the cache has no record of their outcome."""
        from horsesense.models.huggingface import self_tests

        use = {"budget_bytes": self._budget_bytes, "batch": self._batch}
        if self._cache is None:
            return make(network, info, **use)
        key = self_tests.record_key(info, **use)
        known = {} if self._retest else self_tests.load_outcomes(self._cache, key)
        tests = self_tests.SelfTests(known)
        engine = make(network, info, **use, self_tests=tests)
        if tests.has_new and not tests.has_passing:
            self_tests.save_outcomes(self._cache, key, tests.outcomes)
        return engine

    def release(self) -> None:
        """Free the weights; they are loaded again when the model is next queried."""
        self.__dict__.pop("engine", None)

    def load_network(self) -> Any:
        """Load the network from the files."""
        # Imported here, as importing torch takes seconds.
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
        """Why it falls back to plain batches; empty if it does not."""
        return self.engine.fallback_reason if "engine" in self.__dict__ else ""

    @property
    def dropped(self) -> tuple[str, ...]:
        """Why optimizations are not used; empty before it is first queried."""
        return self.engine.self_tests.dropped if "engine" in self.__dict__ else ()

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """Tokenize a text."""
        with self._tokenizer_errors():
            return self.tokenizer.tokenize(text, specials=specials)

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Tokenize several texts, with special tokens."""
        with self._tokenizer_errors():
            yield from self.tokenizer.tokenize_all(texts)

    def token_ids(self, text: str) -> Sequence[int]:
        """Return the tokens of a text, without special tokens and without checks."""
        with self._tokenizer_errors():
            return self.tokenizer.ids(text)

    def count_tokens(self, queries: Sequence[Query], answered: Container[Query] = ()) -> int:
        """Count the tokens to compute; a causal model computes shared prefixes once.

        A tree is computed whole if any of its queries is missing.
        """
        if self.info.family is not Family.CAUSAL:
            return super().count_tokens(queries, answered)
        return sum(
            len(tree.tokens)
            for tree in plan_trees([query.ids for query in queries])
            if any(queries[number] not in answered for number, _ in tree.paths)
        )

    def token_text(self, token: int) -> str:
        """Return the token as it is written in the vocabulary."""
        with self._tokenizer_errors():
            return self.tokenizer.token_text(token)

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries, after checking all of them."""
        for query in queries:
            self._check(query)
        with self._query_errors():
            yield from self.engine.answer(queries, answered)

    def predict(self, queries: Sequence[Query], count: int) -> Iterator[Predictions]:
        """Answer causal queries, with the `count` most probable tokens in place of each token."""
        if self.info.family is not Family.CAUSAL:
            yield from super().predict(queries, count)
        for query in queries:
            self._check(query)
        with self._query_errors():
            engine: Any = self.engine  # that of causal models
            yield from engine.predict(queries, count)

    def decode(self, sequences: Sequence[Sequence[int]]) -> list[str]:
        """Turn each sequence of tokens into text, special ones included."""
        with self._tokenizer_errors():
            return self.tokenizer.decode(sequences)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Answer one query by itself."""
        self._check(query)
        with self._query_errors():
            return self.engine.answer_singly(query)

    def _tokenizer_errors(self) -> AbstractContextManager[None]:
        return model_errors(self.info.name, "used to tokenize", _TOKENIZING)

    def _query_errors(self) -> AbstractContextManager[None]:
        return model_errors(
            self.info.name,
            "queried",
            f"transformers may not know {self.info.architecture} with this config.json;"
            " try a newer transformers, or another model",
        )

    def _check(self, query: Query) -> None:
        info = self.info
        if info.context is not None and len(query.ids) > info.context:
            raise ModelError(
                f"{info.name} reads at most {info.context:,} tokens, and a text has "
                f"{len(query.ids):,}; shorten it, or use a model with a longer context"
            )
        largest = max((*query.ids, *query.label), default=0)
        if largest >= info.vocabulary:
            raise ModelError(
                f"the tokenizer of {info.name} returns token {largest}, but the model has only "
                f"{info.vocabulary}; put the tokenizer of this model into its folder"
            )


def _engine_of(family: Family) -> Callable[..., Engine]:
    """Return the engine class of a family; this imports torch."""
    if family is Family.CAUSAL:
        from horsesense.models.huggingface.engines.causal import CausalEngine

        return CausalEngine
    if family is Family.MASKED:
        from horsesense.models.huggingface.engines.masked import MaskedEngine

        return MaskedEngine
    from horsesense.models.huggingface.engines.seq2seq import Seq2SeqEngine

    return Seq2SeqEngine


_NO_FILES = ModelFiles(Path(), (), ())


def is_network(model: object) -> bool:
    """Return whether an object looks like a transformers model."""
    return all(hasattr(model, name) for name in ("config", "forward", "state_dict", "modules"))


def wrap_network(
    network: Any, tokenizer: Any, *, budget_bytes: int = DEFAULT_BYTES, batch: int | None = None
) -> HuggingFaceModel:
    """Wrap a loaded network and its tokenizer as a model that can be evaluated.

    Its name is the one it was loaded by, or that of its class.
    """
    if tokenizer is None:
        raise ModelError(
            "a loaded model needs its tokenizer: evaluate(model, tokenizer=tokenizer); or give the "
            "name or folder it was loaded from"
        )
    with model_errors(_name(network), "used", "give it with the tokenizer it was loaded with"):
        info, content = _inspect(network, tokenizer)
    return _LoadedModel(network, info, content, budget_bytes=budget_bytes, batch=batch)


class _LoadedModel(HuggingFaceModel):
    """A model without files, around a loaded network."""

    def __init__(self, network: Any, info: ModelInfo, tokenizer: str, **use: Any) -> None:
        super().__init__(info, tokenizer, _NO_FILES, **use)
        self._network = network

    def load_network(self) -> Any:
        """Return the wrapped network."""
        return self._network

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries, with the network in evaluation mode."""
        with _evaluating(self._network):
            yield from super().answer(queries, answered)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Answer one query by itself."""
        with _evaluating(self._network):
            return super().answer_singly(query)


@contextmanager
def _evaluating(network: Any) -> Iterator[None]:
    """Switch to evaluation mode, and restore the training mode of each module afterwards."""
    training = [part for part in network.modules() if part.training]
    network.eval()
    try:
        yield
    finally:
        for part in training:
            part.training = True


def _inspect(network: Any, tokenizer: Any) -> tuple[ModelInfo, str]:
    """Return the info of a network and its tokenizer as JSON, by saving them temporarily."""
    name = _name(network)
    with TemporaryDirectory() as temporary, transformers_quietly() as transformers:
        folder = Path(temporary)
        try:
            _save(network, tokenizer, folder)
            config = load_config(folder, transformers)
            family = family_of(config, folder)
            traits = find_tokenizer_traits(folder, family, transformers)
        except ModelError as error:
            raise ModelError(str(error).replace(str(folder), name)) from error
        hashed = config_hash(folder)
    own_pad = getattr(config, "pad_token_id", None)
    info = ModelInfo(
        name=name,
        family=family,
        architecture=type(network).__name__,
        weights=_parameters_hash(network),
        tokenizer=hashlib.sha256(traits.content.encode()).hexdigest(),
        revision="",
        dtype=str(network.dtype).removeprefix("torch."),
        device=str(network.device),
        parameters=sum(part.numel() for part in network.parameters()),
        vocabulary=int(config.get_text_config().vocab_size),
        context=context_of(config),
        before=traits.before,
        after=traits.after,
        unknown=traits.unknown,
        mask=traits.mask,
        pad=own_pad if isinstance(own_pad, int) else traits.pad,
        eos=traits.eos,
        sentinels=traits.sentinels,
        first_position=first_position(config),
        config=hashed,
    )
    return info, traits.content


def _name(network: Any) -> str:
    return Path(getattr(network.config, "_name_or_path", "") or type(network).__name__).name


def _save(network: Any, tokenizer: Any, folder: Path) -> None:
    """Save everything but the weights."""
    config = deepcopy(network.config)
    config.architectures = [type(network).__name__]
    config.save_pretrained(folder)
    if not hasattr(tokenizer, "save_pretrained"):
        raise ModelError(
            f"{type(tokenizer).__name__} is not a transformers tokenizer; give the one that "
            "AutoTokenizer loads for this model"
        )
    tokenizer.save_pretrained(folder)


def _parameters_hash(network: Any) -> str:
    """Return a hash of all parameters and buffers."""
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted(network.state_dict().items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        plain = tensor.detach().cpu().contiguous().reshape(-1)
        digest.update(plain.view(torch.uint8).numpy().data)
    return digest.hexdigest()
