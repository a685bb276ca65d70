"""Sequence-to-sequence models: each distinct source is encoded once for all of its labels.

The options of a problem are labels of one source. The encoder reads sources in batches, its
states are repeated for each label, and the decoder reads the labels side by side, each token
from those before it. Whether that gives the numbers of one label at a time is tried out when a
model is loaded; where it does not, sources and labels of one length are read together by the
model as it is.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import torch
from torch import Tensor

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.budget import (
    in_batches,
    positions_per_batch,
    tokens_per_batch,
    workers_for,
)
from horsesense.models.huggingface.engines.heads import seq2seq_heads
from horsesense.models.huggingface.engines.layouts import even, padded
from horsesense.models.huggingface.engines.log_probs import (
    Head,
    finite,
    log_probs_at,
    told,
    tolerance,
)
from horsesense.models.huggingface.engines.packing import Ids
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers, ModelInfo
from horsesense.models.query import Query, QueryKind, spans_query

# Tokens of sources and labels in a batch: as many as suit masked models, which do much the same.
_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class _Source:
    """A source and the queries for its labels."""

    ids: Ids
    queries: tuple[Query, ...]


class Seq2SeqEngine:
    """A sequence-to-sequence model at work.

    `way` is "packed", or "plain" with the reason in `why`. A batch has at most `batch` tokens where
    it is given; a sentence that is longer has one to itself.
    """

    def __init__(
        self,
        network: Any,
        info: ModelInfo,
        *,
        budget_bytes: int = DEFAULT_BYTES,
        batch: int | None = None,
    ) -> None:
        self.network, self.info = network, info
        self._start = _start_of(network, info)
        self._pad = info.pad if info.pad is not None else 0
        config = network.config
        widest = max(
            getattr(config, name, 0)
            for name in ("d_model", "d_ff", "encoder_ffn_dim", "hidden_size")
        )
        self._workers = workers_for(network.device)
        each = budget_bytes // self._workers
        self._tokens = tokens_per_batch(widest, each, most=batch or _TOKENS)
        self._positions = positions_per_batch(info.vocabulary, each)
        self._head: Head = torch.clone
        self.fallback_reason = self._why_not_shared()
        self.batching = "plain" if self.fallback_reason else "packed"

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries but those that are answered, those of one source together."""
        for query in queries:
            if query.kind is not QueryKind.SPANS:
                raise ValueError(
                    f"a sequence-to-sequence model cannot answer a query of {query.kind}"
                )
        if trivial := [(query, ()) for query in queries if not query.label]:
            yield list(trivial)
        wanted = (query for query in dict.fromkeys(queries) if query not in answered)
        asked = [query for query in wanted if query.label]
        if self.batching == "plain":
            yield from self._plainly(asked)
        else:
            yield from self._by_sources(asked)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """One source with one label, all logits at once, nothing shared."""
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
            return finite(log_probs.gather(1, label[:, None]).squeeze(1))

    def _by_sources(self, queries: Sequence[Query]) -> Iterator[Answers]:
        ordered = sorted(queries, key=lambda query: (-len(query.ids), query.ids))
        sources = [
            _Source(ids, tuple(same)) for ids, same in groupby(ordered, key=lambda query: query.ids)
        ]
        # Sources of many labels would not fit a batch: they are read once for each portion.
        portions = [part for source in sources for part in self._portions(source)]
        yield from in_batches(
            portions, _size, self._tokens, self._read_sources, workers=self._workers
        )

    def _portions(self, source: _Source) -> Iterator[_Source]:
        longest = max(len(query.label) for query in source.queries)
        size = max(1, self._tokens // (longest + len(source.ids)))
        for start in range(0, len(source.queries), size):
            yield _Source(source.ids, source.queries[start : start + size])

    def _read_sources(self, sources: Sequence[_Source]) -> Answers:
        """Encode the sources, and decode all of their labels."""
        queries = [query for source in sources for query in source.queries]
        owners = [row for row, source in enumerate(sources) for _ in source.queries]
        with torch.inference_mode():
            states, mask = self._encoded([source.ids for source in sources])
            of_label = torch.tensor(owners, device=states.device)
            hidden = self.network.get_decoder()(
                input_ids=self._decoder_input(queries),
                encoder_hidden_states=states[of_label],
                encoder_attention_mask=None if mask is None else mask[of_label],
                use_cache=False,
            )[0]
            return self._answers(queries, hidden, self._head)

    def _encoded(self, sources: Sequence[Ids]) -> tuple[Tensor, Tensor | None]:
        """The encoder's states, and which of them stand for tokens if some do not."""
        device = self.network.device
        if len(set(map(len, sources))) == 1:
            inputs = even(sources, device).inputs
        else:
            inputs = padded(sources, device, pad=self._pad).inputs
        return self.network.get_encoder()(**inputs)[0], inputs.get("attention_mask")

    def _decoder_input(self, queries: Sequence[Query]) -> Tensor:
        """The labels a token later; what they are filled up with is seen by nothing before it."""
        labels = [self._shifted(query) for query in queries]
        return padded(labels, self.network.device, pad=self._pad).inputs["input_ids"]  # type: ignore[no-any-return]

    def _shifted(self, query: Query) -> Ids:
        return (self._start, *query.label[:-1])

    def _answers(self, queries: Sequence[Query], hidden: Tensor, head: Head) -> Answers:
        """What the decoder's states (or logits) say about the tokens of the labels."""
        length = hidden.shape[1]
        asked = [
            (row * length + at, token)
            for row, query in enumerate(queries)
            for at, token in enumerate(query.label)
        ]
        rows, tokens = torch.tensor(asked, device=hidden.device).unbind(1)
        states = torch.flatten(hidden, 0, 1)
        found = iter(finite(log_probs_at(states, head, rows, tokens, positions=self._positions)))
        return [(query, tuple(next(found) for _ in query.label)) for query in queries]

    def _plainly(self, queries: Sequence[Query]) -> Iterator[Answers]:
        """Sources and labels of the same lengths together, by the model as it is."""
        ordered = sorted(queries, key=_lengths, reverse=True)
        limit = max(1, min(self._tokens, self._positions))
        for _, same in groupby(ordered, key=_lengths):
            yield from in_batches(
                list(same),
                lambda batch: sum(map(sum, map(_lengths, batch))),
                limit,
                self._read_plainly,
                workers=self._workers,
            )

    def _read_plainly(self, queries: Sequence[Query]) -> Answers:
        with torch.inference_mode():
            logits = self.network(
                **even([query.ids for query in queries], self.network.device).inputs,
                decoder_input_ids=self._decoder_input(queries),
                use_cache=False,
            ).logits
            return self._answers(queries, logits, torch.clone)

    def _why_not_shared(self) -> str:
        """Try shared sources out against single labels; why they cannot be used, or nothing."""
        probes = self._probes()
        single = [value for query in probes for value in self.answer_singly(query)]
        try:
            drifts = [self._drift(head, probes, single) for head in seq2seq_heads(self.network)]
        except Exception as error:  # whatever an architecture says to a part of it run alone
            return f"it refuses shared sources ({told(error)})"
        if not drifts:
            return "its head is none of those known here"
        least = min(drifts)
        if least > tolerance(self.network.dtype):
            return f"shared sources give it other numbers than single ones (by {least:.2g})"
        self._head = seq2seq_heads(self.network)[drifts.index(least)]
        return ""

    def _drift(self, head: Head, probes: Sequence[Query], single: Sequence[float]) -> float:
        """How far the numbers that come out with that head are from those of single labels."""
        self._head = head
        answers = dict(pair for batch in self._by_sources(probes) for pair in batch)
        found = [value for query in probes for value in answers[query]]
        return max(abs(a - b) for a, b in zip(found, single, strict=True))

    def _probes(self) -> list[Query]:
        """Made-up sources of several lengths, with labels of several lengths each."""
        draw = random.Random(0)
        declared = self.info
        special = {declared.pad, declared.eos, declared.unknown, self._start}
        tokens = [
            token for token in range(min(declared.vocabulary, 20_000)) if token not in special
        ]
        longest = min(40, declared.context or 40)
        return [
            spans_query(source, tuple(draw.choices(tokens, k=length)))
            for source in (tuple(draw.choices(tokens, k=k)) for k in (5, 12, longest))
            for length in (1, 3, 6)
        ]


def _start_of(network: Any, info: ModelInfo) -> int:
    """The token that the decoder reads before a label."""
    generation = getattr(network, "generation_config", None)
    for config in (network.config, generation):
        start = getattr(config, "decoder_start_token_id", None)
        if start is not None:
            return int(start)
    raise ModelError(
        f"{info.name} does not say which token its decoder starts with;"
        " put decoder_start_token_id into its config.json"
    )


def _size(sources: Sequence[_Source]) -> int:
    """Tokens in a batch, sources repeated for their labels and everything filled up."""
    labels = [query.label for source in sources for query in source.queries]
    longest = max(map(len, labels))
    return len(labels) * (len(sources[0].ids) + longest)


def _lengths(query: Query) -> tuple[int, int]:
    return len(query.ids), len(query.label)
