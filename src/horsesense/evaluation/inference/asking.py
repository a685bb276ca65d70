"""QueryKind a model: sentences are read once, queries asked once, and answers kept at once.

What a model cannot read is refused before anything is asked. What the store has is not asked again.
The answers of a batch are kept before the next one is asked for, so that an interrupted run loses
one batch at most and a second one goes on from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import uuid4

from horsesense.errors import ModelError, StoreError, UnreadableError, quoted
from horsesense.models import Answers, LanguageModel, ModelInfo, Query, Tokenization
from horsesense.store import (
    AskingRun,
    Store,
    as_kept,
    fault,
    forget_answers,
    keep_answers,
    load_answers,
)
from horsesense.store.datasets import installed_version

# So many equal log-probabilities in a row are no coincidence.
_SUSPICIOUS = 10
_EQUAL = 1e-6
# How tokenizers spell a space.
_SPACES = str.maketrans("Ġ▁", "  ")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the asking has come, in distinct queries; `cached` of them were in the store.

    `damaged` are the keys of rows of the store that could not be believed and are asked again.
    """

    done: int
    total: int
    cached: int
    damaged: tuple[str, ...] = ()


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Reader:
    """A model's tokenizer that remembers what it has read."""

    model: LanguageModel
    _readings: dict[str, Tokenization] = field(default_factory=dict)

    @property
    def info(self) -> ModelInfo:
        """The model's description of itself."""
        return self.model.info

    def tokenize(self, text: str) -> Tokenization:
        """The text in its tokens; refused where the model cannot read it."""
        reading = self._readings.get(text)
        if reading is None:
            reading = self.model.tokenize(text)
            _check(reading, self.info)
            self._readings[text] = reading
        return reading

    def tokenize_all(self, texts: Iterable[str]) -> None:
        """Tokenize texts that will be needed, all at once where the model knows how to."""
        new = [text for text in dict.fromkeys(texts) if text not in self._readings]
        for reading in self.model.tokenize_all(new):
            _check(reading, self.info)
            self._readings[reading.text] = reading


def answers_for(
    model: LanguageModel,
    queries: Iterable[Query],
    store: Store | None = None,
    *,
    on_progress: OnProgress | None = None,
) -> dict[Query, tuple[float, ...]]:
    """The answers to all distinct queries, from the store or from the model.

    The numbers are the same wherever they come from.
    """
    asked = tuple(dict.fromkeys(queries))
    answers: dict[Query, tuple[float, ...]] = {}
    damaged: tuple[str, ...] = ()
    if store is not None:
        answers, damaged = load_answers(store, model.info, asked)
    cached, missing = len(answers), [query for query in asked if query not in answers]

    def report() -> None:
        if on_progress is not None:
            on_progress(Progress(len(answers), len(asked), cached, damaged))

    report()
    if missing:
        _check_writable(store)
        if store is not None and damaged:
            forget_answers(store, model.info, damaged)
        # The plan is made for all, so that it is the same however often a run was interrupted.
        for batch in _asked(model, asked, frozenset(answers), store):
            answers.update(batch)
            report()
    if len(answers) < len(asked):
        unanswered = len(asked) - len(answers)
        raise ModelError(f"{model.info.name} left {unanswered} of {len(asked)} unanswered")
    return answers


def spelled(model: LanguageModel, query: Query) -> str:
    """The text that a query has the model read, near enough to recognize it."""
    text = "".join(model.token_text(token) for token in (*query.ids, *query.label))
    return quoted(text.translate(_SPACES).strip())


def _check(reading: Tokenization, declaration: ModelInfo) -> None:
    size = len(reading.ids)
    if declaration.context is not None and size > declaration.context:
        raise UnreadableError(
            f"{declaration.name} reads at most {declaration.context} tokens, and there are"
            f" {size} in {quoted(reading.text)}; shorten it, or choose a model that reads"
            " more"
        )
    if declaration.unknown not in reading.ids:
        return
    for token in reading.tokens:
        if token.id == declaration.unknown and token.word is not None:
            character = reading.text[token.start : token.end]
            raise UnreadableError(
                f"{declaration.name} has no token for {character!r} in {quoted(reading.text)};"
                " spell it otherwise, or choose a model that knows it"
            )


@dataclass(slots=True)
class _Suspicion:
    """Whether all numbers so far are one and the same, as weights that were not loaded give."""

    lowest: float = math.inf
    highest: float = -math.inf
    seen: int = 0
    waiting: Answers = field(default_factory=list)

    def cleared(self, batch: Answers) -> Answers:
        """The answers that are above suspicion now; few equal ones wait for more."""
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
                    " were not loaded, or all are zero; nothing of it was stored"
                )
            return []
        cleared, self.waiting = self.waiting, []
        return cleared


def _asked(
    model: LanguageModel,
    queries: Sequence[Query],
    answered: Container[Query],
    store: Store | None,
) -> Iterator[Answers]:
    """Ask the model, and keep every batch before the next."""
    suspicion, run = _Suspicion(), None
    for batch in _batches(model, queries, answered):
        cleared = suspicion.cleared(batch)
        if cleared:
            # Only now is it known in which way the model is asked.
            run = run or _new_run(model)
            yield _kept(model, run, cleared, store)
    if suspicion.waiting:
        yield _kept(model, run or _new_run(model), suspicion.waiting, store)


def _batches(
    model: LanguageModel, queries: Sequence[Query], answered: Container[Query]
) -> Iterator[Answers]:
    """The model's batches, checked and rounded to what the store keeps."""
    name, dtype = model.info.name, model.info.dtype
    for batch in model.answer(queries, answered):
        rounded = [(query, as_kept(log_probs)) for query, log_probs in batch]
        for query, log_probs in rounded:
            wrong = fault(query, log_probs)
            if wrong:
                raise ModelError(
                    f"{name} cannot be trusted: {wrong}, in {spelled(model, query)}; its weights"
                    f" are damaged, or {dtype} is too coarse for it; nothing of this batch was"
                    " stored"
                )
        yield rounded


def _kept(model: LanguageModel, run: AskingRun, answers: Answers, store: Store | None) -> Answers:
    return answers if store is None else keep_answers(store, model.info, run, answers)


def _check_writable(store: Store | None) -> None:
    if store is not None and store.is_read_only:
        raise StoreError(
            f"{store.path} does not hold all the answers, and cannot be written to; choose"
            " another with --store"
        )


def _new_run(model: LanguageModel) -> AskingRun:
    return AskingRun(
        id=uuid4().hex,
        name=model.info.name,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        horsesense=installed_version("horsesense"),
        torch=installed_version("torch"),
        transformers=installed_version("transformers"),
        way=model.batching,
        why=model.fallback_reason,
    )
