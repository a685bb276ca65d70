"""The engine of sequence-to-sequence models: it encodes each source once for all its labels.

The options of a problem are labels of one source. The encoder computes sources in batches, its
states are repeated for each label, and the decoder computes the labels in a batch. The engine
checks against single labels when a model is loaded. If the numbers differ, it falls back to
batches of equal source and label lengths with the unchanged model.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

import torch
from torch import Tensor

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.budget import (
    compute_in_batches,
    positions_per_batch,
    tokens_per_batch,
    workers_for,
)
from horsesense.models.huggingface.engines.heads import seq2seq_heads
from horsesense.models.huggingface.engines.layouts import equal_length, padded
from horsesense.models.huggingface.engines.log_probs import (
    Head,
    checked_values,
    log_probs_at,
    tolerance,
)
from horsesense.models.huggingface.engines.packing import Ids
from horsesense.models.huggingface.self_tests import SelfTests
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers, ModelInfo
from horsesense.models.query import Query, QueryKind, spans_query

# The tokens of sources and labels in a batch.
_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class _EncoderInput:
    """The token ids of a source, and the queries for its labels."""

    ids: Ids
    queries: tuple[Query, ...]


class Seq2SeqEngine:
    """Compute log-probabilities with a sequence-to-sequence model.

    `batching` is "packed", or "plain" with the reason in `fallback_reason`. `batch` limits the
    tokens of a batch; a longer sentence gets a batch to itself. Outcomes in `self_tests` are used,
    and new ones are added.
    """

    def __init__(
        self,
        network: Any,
        info: ModelInfo,
        *,
        budget_bytes: int = DEFAULT_BYTES,
        batch: int | None = None,
        self_tests: SelfTests | None = None,
    ) -> None:
        self.network, self.info = network, info
        self.self_tests = self_tests or SelfTests()
        self._start = _start_of(network, info)
        self._pad = info.pad if info.pad is not None else 0
        config = network.config
        widest = max(
            getattr(config, name, 0)
            for name in ("d_model", "d_ff", "encoder_ffn_dim", "hidden_size")
        )
        self._workers = workers_for(network.device)
        worker_bytes = budget_bytes // self._workers
        self._tokens = tokens_per_batch(widest, worker_bytes, most=batch or _TOKENS)
        self._positions = positions_per_batch(info.vocabulary, worker_bytes)
        self._head: Head = torch.clone
        self.fallback_reason = self._choose_head()
        self.batching = "plain" if self.fallback_reason else "packed"

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries that are not `answered`, those of one source together."""
        for query in queries:
            if query.kind is not QueryKind.SPANS:
                raise ValueError(
                    f"a sequence-to-sequence model cannot answer a query of {query.kind}"
                )
        if trivial := [(query, ()) for query in queries if not query.label]:
            yield list(trivial)
        unanswered = (query for query in dict.fromkeys(queries) if query not in answered)
        missing = [query for query in unanswered if query.label]
        if self.batching == "plain":
            yield from self._answer_plainly(missing)
        else:
            yield from self._answer_sources(missing)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Compute one source with one label without sharing anything."""
        if not query.label:
            return ()
        with torch.inference_mode():
            device = self.network.device
            label = torch.tensor(query.label, device=device)
            logits = self.network(
                input_ids=torch.tensor([query.ids], device=device),
                decoder_input_ids=torch.tensor([self._shifted(query)], device=device),
                use_cache=False,
            ).logits[0]
            log_probs = torch.log_softmax(logits.float(), -1)
            return checked_values(log_probs.gather(1, label[:, None]).squeeze(1))

    def _answer_sources(self, queries: Sequence[Query]) -> Iterator[Answers]:
        ordered = sorted(queries, key=lambda query: (-len(query.ids), query.ids))
        sources = [
            _EncoderInput(ids, tuple(same))
            for ids, same in groupby(ordered, key=lambda query: query.ids)
        ]
        # A source with too many labels for a batch is encoded once per portion.
        portions = [part for source in sources for part in self._portions(source)]
        yield from compute_in_batches(
            portions, _size, self._tokens, self._compute_sources, workers=self._workers
        )

    def _portions(self, source: _EncoderInput) -> Iterator[_EncoderInput]:
        longest = max(len(query.label) for query in source.queries)
        size = max(1, self._tokens // (longest + len(source.ids)))
        for start in range(0, len(source.queries), size):
            yield _EncoderInput(source.ids, source.queries[start : start + size])

    def _compute_sources(self, sources: Sequence[_EncoderInput]) -> Answers:
        """Encode the sources, and decode all of their labels."""
        queries = [query for source in sources for query in source.queries]
        owners = [row for row, source in enumerate(sources) for _ in source.queries]
        with torch.inference_mode():
            states, mask = self._encode([source.ids for source in sources])
            of_label = torch.tensor(owners, device=states.device)
            hidden = self.network.get_decoder()(
                input_ids=self._decoder_input(queries),
                encoder_hidden_states=states[of_label],
                encoder_attention_mask=None if mask is None else mask[of_label],
                use_cache=False,
            )[0]
            return self._answers(queries, hidden, self._head)

    def _encode(self, sources: Sequence[Ids]) -> tuple[Tensor, Tensor | None]:
        """Return the encoder's states, and the attention mask if there is padding."""
        device = self.network.device
        if len(set(map(len, sources))) == 1:
            inputs = equal_length(sources, device).inputs
        else:
            inputs = padded(sources, device, pad=self._pad).inputs
        return self.network.get_encoder()(**inputs)[0], inputs.get("attention_mask")

    def _decoder_input(self, queries: Sequence[Query]) -> Tensor:
        """Return the labels shifted by one token; padding at the end needs no mask."""
        labels = [self._shifted(query) for query in queries]
        return padded(labels, self.network.device, pad=self._pad).inputs["input_ids"]  # type: ignore[no-any-return]

    def _shifted(self, query: Query) -> Ids:
        return (self._start, *query.label[:-1])

    def _answers(self, queries: Sequence[Query], hidden: Tensor, head: Head) -> Answers:
        """Compute the log-probabilities of the labels from the decoder's states (or logits)."""
        length = hidden.shape[1]
        targets = [
            (row * length + at, token)
            for row, query in enumerate(queries)
            for at, token in enumerate(query.label)
        ]
        rows, tokens = torch.tensor(targets, device=hidden.device).unbind(1)
        states = torch.flatten(hidden, 0, 1)
        values = iter(
            checked_values(log_probs_at(states, head, rows, tokens, positions=self._positions))
        )
        return [(query, tuple(next(values) for _ in query.label)) for query in queries]

    def _answer_plainly(self, queries: Sequence[Query]) -> Iterator[Answers]:
        """Batch sources and labels of the same lengths, and use the unchanged model."""
        ordered = sorted(queries, key=_lengths, reverse=True)
        limit = max(1, min(self._tokens, self._positions))
        for _, same in groupby(ordered, key=_lengths):
            yield from compute_in_batches(
                list(same),
                lambda batch: sum(map(sum, map(_lengths, batch))),
                limit,
                self._compute_plainly,
                workers=self._workers,
            )

    def _compute_plainly(self, queries: Sequence[Query]) -> Answers:
        with torch.inference_mode():
            logits = self.network(
                **equal_length([query.ids for query in queries], self.network.device).inputs,
                decoder_input_ids=self._decoder_input(queries),
                use_cache=False,
            ).logits
            return self._answers(queries, logits, torch.clone)

    def _choose_head(self) -> str:
        """Choose a head that agrees with single labels; return why sources cannot be shared."""
        reason = "its head is of an unknown kind"
        for number, head in enumerate(seq2seq_heads(self.network), start=1):
            reason = self._mismatch(head, f"head {number}")
            if not reason:
                self._head = head
                break
        return reason

    def _mismatch(self, head: Head, variant: str) -> str:
        """Return how that head differs from single labels; an empty string if it agrees."""

        def answer(queries: Sequence[Query]) -> Answers:
            self._head = head
            return [pair for batch in self._answer_sources(queries) for pair in batch]

        return self.self_tests.run(
            "shared sources",
            answer,
            lambda: self._singles,
            tolerance=tolerance(self.network.dtype),
            variant=variant,
            singles="single ones",
        )

    @cached_property
    def _singles(self) -> dict[Query, tuple[float, ...]]:
        """Queries to check the model with, and their right answers."""
        return {query: self.answer_singly(query) for query in self._probes()}

    def _probes(self) -> list[Query]:
        """Return queries for random sources and labels of several lengths."""
        draw = random.Random(0)
        info = self.info
        special = {info.pad, info.eos, info.unknown, self._start}
        tokens = [token for token in range(min(info.vocabulary, 20_000)) if token not in special]
        longest = min(40, info.context or 40)
        return [
            spans_query(source, tuple(draw.choices(tokens, k=length)))
            for source in (tuple(draw.choices(tokens, k=k)) for k in (5, 12, longest))
            for length in (1, 3, 6)
        ]


def _start_of(network: Any, info: ModelInfo) -> int:
    """Return the token that the decoder starts with."""
    generation = getattr(network, "generation_config", None)
    for config in (network.config, generation):
        start = getattr(config, "decoder_start_token_id", None)
        if start is not None:
            return int(start)
    raise ModelError(
        f"{info.name} does not say which token its decoder starts with;"
        " put decoder_start_token_id into its config.json"
    )


def _size(sources: Sequence[_EncoderInput]) -> int:
    """Count the tokens of a batch, with repeated sources and padding."""
    labels = [query.label for source in sources for query in source.queries]
    longest = max(map(len, labels))
    return len(labels) * (len(sources[0].ids) + longest)


def _lengths(query: Query) -> tuple[int, int]:
    return len(query.ids), len(query.label)
