"""Query a model, and store its answers batch by batch.

Each text is tokenized once, and each distinct query is answered once. Texts that the model cannot
read raise an error before the first query. Answers in the store are used again. The answers of a
batch are stored before the next batch is computed, so an interrupted run loses one batch at most.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import uuid4

from horsesense.errors import ModelError, StoreError, UnreadableError, quoted
from horsesense.evaluation.progress import OnProgress, Progress, ignore
from horsesense.models import Answers, LanguageModel, Model, ModelInfo, Query, Tokenization
from horsesense.store import (
    QueryRun,
    Store,
    as_kept,
    fault,
    forget_answers,
    keep_answers,
    load_answers,
)
from horsesense.store.datasets import installed_version

# The stage before querying.
TOKENIZING = "tokenizing"
# This many equal log-probabilities in a row are no coincidence.
_SUSPICIOUS = 10
_EQUAL = 1e-6
# How tokenizers spell a space.
_SPACES = str.maketrans("Ġ▁", "  ")


@dataclass(frozen=True, slots=True)
class Reader:
    """A model's tokenizer with a cache; a server's takes a while, so its progress is reported."""

    model: LanguageModel
    on_progress: OnProgress = ignore
    _tokenized: dict[str, Tokenization] = field(default_factory=dict)

    @property
    def info(self) -> ModelInfo:
        """The `ModelInfo` of the model."""
        return self.model.info

    def tokenize(self, text: str) -> Tokenization:
        """Tokenize a text; raise an `UnreadableError` if the model cannot read it."""
        tokenization = self._tokenized.get(text)
        if tokenization is None:
            tokenization = self.model.tokenize(text)
            _check(tokenization, self.info)
            self._tokenized[text] = tokenization
        return tokenization

    def tokenize_all(self, texts: Iterable[str]) -> None:
        """Tokenize texts that will be needed, all at once if the model supports that."""
        new = [text for text in dict.fromkeys(texts) if text not in self._tokenized]
        for done, tokenization in enumerate(self.model.tokenize_all(new), 1):
            _check(tokenization, self.info)
            self._tokenized[tokenization.text] = tokenization
            if self.model.is_served:
                self.on_progress(Progress(f"{TOKENIZING} {self.info.name}", done, len(new)))


def answers_for(
    model: LanguageModel,
    queries: Iterable[Query],
    store: Store | None = None,
    *,
    on_progress: OnProgress | None = None,
) -> dict[Query, tuple[float, ...]]:
    """Return the answers to all distinct queries, from the store or from the model.

    The numbers are the same in both cases.
    """
    distinct = tuple(dict.fromkeys(queries))
    answers: dict[Query, tuple[float, ...]] = {}
    damaged: tuple[str, ...] = ()
    if store is not None:
        answers, damaged = load_answers(store, model.info, distinct)
    cached, missing = len(answers), [query for query in distinct if query not in answers]

    def report() -> None:
        if on_progress is not None:
            stage = f"querying {model.info.name}"
            on_progress(Progress(stage, len(answers), len(distinct), cached, damaged))

    report()
    if missing:
        check_writable(store)
        if store is not None and damaged:
            forget_answers(store, model.info, damaged)
        # Batches are planned for all queries, so they are the same after an interruption.
        for batch in _query(model, distinct, frozenset(answers), store):
            answers.update(batch)
            report()
    if len(answers) < len(distinct):
        unanswered = len(distinct) - len(answers)
        raise ModelError(
            f"{model.info.name} did not answer {unanswered} of {len(distinct)} queries"
        )
    return answers


def spelled(model: LanguageModel, query: Query) -> str:
    """Return the text of a query's tokens, spelled closely enough to recognize it."""
    text = "".join(model.token_text(token) for token in (*query.ids, *query.label))
    return quoted(text.translate(_SPACES).strip())


def _check(tokenization: Tokenization, info: ModelInfo) -> None:
    size = len(tokenization.ids)
    if info.context is not None and size > info.context:
        raise UnreadableError(
            f"{info.name} reads at most {info.context} tokens, but {quoted(tokenization.text)}"
            f" has {size}; shorten the text, or choose a model with a longer context"
        )
    if info.unknown not in tokenization.ids:
        return
    for token in tokenization.tokens:
        if token.id == info.unknown and token.word is not None:
            character = tokenization.text[token.start : token.end]
            raise UnreadableError(
                f"{info.name} has no token for {character!r} in {quoted(tokenization.text)};"
                " write it differently, or choose a model that has one"
            )


@dataclass(slots=True)
class _EqualityCheck:
    """A check that not all numbers are equal, as they are if weights were not loaded."""

    lowest: float = math.inf
    highest: float = -math.inf
    seen: int = 0
    waiting: Answers = field(default_factory=list)

    def cleared(self, batch: Answers) -> Answers:
        """Return the answers that pass; a few equal ones wait until there are more."""
        for _, values in batch:
            if values:
                self.lowest = min(self.lowest, *values)
                self.highest = max(self.highest, *values)
                self.seen += len(values)
        self.waiting += batch
        if self.highest - self.lowest <= _EQUAL:
            if self.seen >= _SUSPICIOUS:
                raise ModelError(
                    f"every token has the same log-probability, {self.lowest:.6g}: the weights"
                    " were not loaded or are all zero; no answer was stored"
                )
            return []
        cleared, self.waiting = self.waiting, []
        return cleared


def _query(
    model: LanguageModel,
    queries: Sequence[Query],
    answered: Container[Query],
    store: Store | None,
) -> Iterator[Answers]:
    """Query the model, and store each batch before the next is computed."""
    check, run = _EqualityCheck(), None
    for batch in _batches(model, queries, answered):
        cleared = check.cleared(batch)
        if cleared:
            # The model's batching is known only after the first batch.
            run = run or new_run(model)
            yield _kept(model, run, cleared, store)
    if check.waiting:
        yield _kept(model, run or new_run(model), check.waiting, store)


def _batches(
    model: LanguageModel, queries: Sequence[Query], answered: Container[Query]
) -> Iterator[Answers]:
    """Yield the model's batches, checked, and rounded as in the store."""
    name, dtype = model.info.name, model.info.dtype
    for batch in model.answer(queries, answered):
        rounded = [(query, as_kept(log_probs)) for query, log_probs in batch]
        for query, log_probs in rounded:
            reason = fault(query, log_probs)
            if reason:
                raise ModelError(
                    f"{name} cannot be trusted: {reason}, in {spelled(model, query)}; its weights"
                    f" are damaged, or {dtype} is too coarse for it; this batch was not stored"
                )
        yield rounded


def _kept(model: LanguageModel, run: QueryRun, answers: Answers, store: Store | None) -> Answers:
    return answers if store is None else keep_answers(store, model.info, run, answers)


def check_writable(store: Store | None) -> None:
    """Raise an error if the store has to be written to, but cannot be."""
    if store is not None and store.is_read_only:
        raise StoreError(
            f"{store.path} does not have all answers and cannot be written to; choose another"
            " store with --store"
        )


def new_run(model: Model) -> QueryRun:
    """Return the record of a session of querying a model, which starts now."""
    return QueryRun(
        id=uuid4().hex,
        name=model.info.name,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        horsesense=installed_version("horsesense"),
        torch=installed_version("torch"),
        transformers=installed_version("transformers"),
        batching=model.batching,
        fallback_reason=model.fallback_reason,
    )
