"""The engine of masked models: it computes each distinct masked copy of the sentences once.

Every set of positions masked together makes a copy of the sentence. Copies of different queries
are often the same, for example if options of equal length are masked completely.

Copies of one length make a batch without padding and without a mask. That is fastest and works
for every architecture. All copies of a sentence have its length, so most copies are computed this
way. The remaining ones are packed: copies of different lengths share a row and are kept apart by
a mask. Not every architecture supports that, so the engine checks it when a model is loaded, and
falls back to padded rows, or to batches of one length only.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain, groupby
from typing import Any

import torch

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.budget import (
    balanced_limit,
    compute_batches,
    positions_per_batch,
    tokens_per_batch,
    workers_for,
)
from horsesense.models.huggingface.engines.heads import ModelParts, masked_parts, unsplit
from horsesense.models.huggingface.engines.layouts import BatchInputs, equal_length, packed, padded
from horsesense.models.huggingface.engines.log_probs import (
    checked_values,
    log_probs_at,
    tolerance,
)
from horsesense.models.huggingface.engines.packed_weights import ROUNDING_FACTOR, pack_weights
from horsesense.models.huggingface.engines.packing import Ids
from horsesense.models.huggingface.self_tests import SelfTests
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers, ModelInfo
from horsesense.models.query import Query, QueryKind, multi_mask_query


@dataclass(slots=True)
class MaskedCopy:
    """A sentence with some tokens masked, and the tokens to predict in their place.

    `targets` maps a position and a token to its log-probability, None until the copy is computed.
    `queries` are the numbers of the queries that need the copy.
    """

    ids: Ids
    targets: dict[tuple[int, int], float | None] = field(default_factory=dict)
    queries: set[int] = field(default_factory=set)


@dataclass(slots=True)
class MaskedCopies:
    """The distinct masked copies of some queries.

    `missing` counts for each query the copies that are not computed yet.
    """

    queries: Sequence[Query]
    mask: int
    distinct: list[MaskedCopy]
    missing: list[int]
    _by_ids: dict[Ids, MaskedCopy]

    def answered(self, computed: Sequence[MaskedCopy]) -> list[tuple[Query, tuple[float, ...]]]:
        """Return the queries that are complete now that these copies are computed."""
        answers = []
        for copy in computed:
            for number in copy.queries:
                self.missing[number] -= 1
                if not self.missing[number]:
                    answers.append((self.queries[number], self._values(self.queries[number])))
        return answers

    def _values(self, query: Query) -> tuple[float, ...]:
        values = (
            self._by_ids[mask_tokens(query.ids, positions, self.mask)].targets[
                positions[0], query.ids[positions[0]]
            ]
            for positions in query.masks
        )
        return tuple(value for value in values if value is not None)


def mask_tokens(ids: Ids, positions: Ids, mask: int) -> Ids:
    """Return the tokens with those positions masked.

    >>> mask_tokens((5, 6, 7), (2, 0), 99)
    (99, 6, 99)
    """
    return tuple(mask if at in positions else token for at, token in enumerate(ids))


def make_copies(queries: Sequence[Query], mask: int) -> MaskedCopies:
    """Return the distinct masked copies of some queries, in the order of first use."""
    copies: dict[Ids, MaskedCopy] = {}
    missing = []
    for number, query in enumerate(queries):
        needed = set()
        for positions in query.masks:
            ids = mask_tokens(query.ids, positions, mask)
            copy = copies.setdefault(ids, MaskedCopy(ids))
            copy.targets[positions[0], query.ids[positions[0]]] = None
            copy.queries.add(number)
            needed.add(ids)
        missing.append(len(needed))
    return MaskedCopies(queries, mask, list(copies.values()), missing, copies)


def query_windows(queries: Sequence[Query], most: int) -> Iterator[list[Query]]:
    """Divide queries into windows of about `most` masks; those with equal ids stay together.

    The longest come first: if memory is too small, that shows at once.
    """
    ordered = sorted(queries, key=lambda query: (-len(query.ids), query.ids))
    window: list[Query] = []
    masks = 0
    for _, same in groupby(ordered, key=lambda query: query.ids):
        for query in same:
            window.append(query)
            masks += len(query.masks)
        if masks >= most:
            yield window
            window, masks = [], 0
    if window:
        yield window


Layout = Callable[[Sequence[Ids], Any], BatchInputs]

# The number of masks planned together: enough to share most copies, few enough for the memory.
_WINDOW = 8192
# The fastest batch size for copies of one length, in tokens; measured.
_TOKENS = 512
_KINDS = (QueryKind.SINGLE_MASK, QueryKind.WITHIN_WORD, QueryKind.MULTI_MASK)


class MaskedEngine:
    """Compute log-probabilities with a masked model.

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
        if info.mask is None:
            raise ModelError(
                f"{info.name} has no mask token; give it the tokenizer it was trained with"
            )
        self.network, self.info = network, info
        self.self_tests = self_tests or SelfTests()
        self._mask = info.mask
        self._workers = workers_for(network.device)
        worker_bytes = budget_bytes // self._workers
        widest = _widest(network.config)
        self._tokens = tokens_per_batch(widest, worker_bytes, most=batch or _TOKENS)
        self._positions = positions_per_batch(info.vocabulary, worker_bytes)
        self._parts = unsplit(network)
        self._mixed_layout: Layout | None = None
        self.fallback_reason = self._optimize()
        self.batching = "plain" if self.fallback_reason else "packed"
        self._pack_weights()
        if self._parts.is_whole:  # it computes the logits of all positions
            self._tokens = min(self._tokens, self._positions)

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries that are not `answered`, each as soon as its copies are computed."""
        for query in queries:
            if query.kind not in _KINDS:
                raise ValueError(f"a masked model cannot answer a query of {query.kind}")
        if trivial := [(query, ()) for query in queries if not query.masks]:
            yield list(trivial)
        missing = [query for query in queries if query.masks and query not in answered]
        for window in query_windows(missing, _WINDOW):
            copies = make_copies(window, self._mask)
            for computed in self._compute_copies(copies.distinct):
                if answers := copies.answered(computed):
                    yield answers

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Compute one masked copy at a time without sharing anything."""
        values = []
        with torch.inference_mode():
            for positions in query.masks:
                ids = mask_tokens(query.ids, positions, self._mask)
                inputs = torch.tensor([ids], device=self.network.device)
                logits = self.network(input_ids=inputs).logits[0, positions[0]].float()
                values.append(torch.log_softmax(logits, -1)[query.ids[positions[0]]])
        return checked_values(torch.stack(values)) if values else ()

    def _compute_copies(self, copies: Sequence[MaskedCopy]) -> Iterator[Sequence[MaskedCopy]]:
        """Compute copies in batches; if memory runs out, later batches are smaller."""

        def sizes(most: int) -> Iterator[int]:
            return map(_size, self._batches(copies, lambda: most))

        limit = balanced_limit(self._tokens, sizes, self._workers)

        def lower(batch: Sequence[MaskedCopy]) -> None:
            nonlocal limit
            self._tokens = limit = max(1, min(limit, _size(batch) // 2))

        batches = self._batches(copies, lambda: limit)
        return compute_batches(
            batches, self._compute_batch, on_out_of_memory=lower, workers=self._workers
        )

    def _batches(
        self, copies: Sequence[MaskedCopy], limit: Callable[[], int]
    ) -> Iterator[list[MaskedCopy]]:
        """Batch copies of one length, and combine the groups that are too small for a batch."""
        rest: list[MaskedCopy] = []
        for length, same in groupby(copies, key=lambda copy: len(copy.ids)):
            group = list(same)
            while group and (2 * len(group) * length > limit() or self._mixed_layout is None):
                portions = math.ceil(len(group) / max(1, limit() // length))
                size = math.ceil(len(group) / portions)
                yield group[:size]
                group = group[size:]
            if rest and _size([*rest, *group]) > limit():
                yield rest
                rest = []
            rest = rest + group
        if rest:
            yield rest

    def _compute_batch(self, batch: Sequence[MaskedCopy]) -> Sequence[MaskedCopy]:
        """Fill in the log-probabilities of some copies."""
        has_one_length = len({len(copy.ids) for copy in batch}) == 1
        if has_one_length or self._mixed_layout is None:
            return self._compute_layout(batch, equal_length)
        return self._compute_layout(batch, self._mixed_layout)

    def _compute_layout(self, batch: Sequence[MaskedCopy], layout: Layout) -> Sequence[MaskedCopy]:
        arranged = layout([copy.ids for copy in batch], self.network.device)
        targets = sorted(
            (start + position, token, item)
            for item, (copy, start) in enumerate(zip(batch, arranged.starts, strict=True))
            for position, token in copy.targets
        )
        with torch.inference_mode():
            pairs = torch.tensor([(row, token) for row, token, _ in targets])
            rows, tokens = pairs.to(self.network.device).unbind(1)
            needed, at = torch.unique_consecutive(rows, return_inverse=True)
            hidden = self._parts.hidden(arranged.inputs, needed)
            values = checked_values(
                log_probs_at(hidden, self._parts.head, at, tokens, positions=self._positions)
            )
        for (row, token, item), value in zip(targets, values, strict=True):
            batch[item].targets[row - arranged.starts[item], token] = value
        return batch

    def _optimize(self) -> str:
        """Choose the fastest parts and layout that agree; return why packing cannot be used."""
        pad = self.info.pad if self.info.pad is not None else 0
        packed_rows = partial(
            packed,
            dtype=self.network.dtype,
            first_position=self.info.first_position,
            window=getattr(self.network.config, "sliding_window", None),
            pad=pad,
        )
        reason = "its head is of an unknown kind"
        for number, parts in enumerate(masked_parts(self.network), start=1):
            if not (reason := self._mismatch(parts, packed_rows, "packed rows", f"split {number}")):
                self._parts, self._mixed_layout = parts, packed_rows
                return ""
        padded_rows = partial(padded, pad=pad)
        for number, parts in enumerate(chain(masked_parts(self.network), (self._parts,)), start=1):
            if not self._mismatch(parts, padded_rows, "padded rows", f"split {number}"):
                self._parts, self._mixed_layout = parts, padded_rows
                break
        return reason

    def _pack_weights(self) -> None:
        """Pack the weights of the chosen parts, and undo it if the numbers differ."""
        if self._mixed_layout is None or not self._parts.is_copy:
            return
        replaced = pack_weights(self._parts.body)
        if replaced and self._mismatch(
            self._parts, self._mixed_layout, "packed weights", within=ROUNDING_FACTOR
        ):
            for layer in replaced:
                layer.restore()

    @cached_property
    def _singles(self) -> dict[Query, tuple[float, ...]]:
        """Queries to check the model with, and their right answers."""
        return {query: self.answer_singly(query) for query in self._probes()}

    def _mismatch(
        self, parts: ModelParts, layout: Layout, name: str, variant: str = "", *, within: int = 1
    ) -> str:
        """Return how these parts differ from single sentences; an empty string if they agree."""

        def answer(queries: Sequence[Query]) -> Answers:
            before = self._parts
            self._parts = parts
            try:
                copies = make_copies(queries, self._mask)
                return copies.answered(self._compute_layout(copies.distinct, layout))
            finally:
                self._parts = before

        return self.self_tests.run(
            name,
            answer,
            lambda: self._singles,
            tolerance=within * tolerance(self.network.dtype),
            variant=variant,
        )

    def _probes(self) -> list[Query]:
        """Return queries for random sentences of several lengths, one longer than the window."""
        draw = random.Random(0)
        info = self.info
        window = getattr(self.network.config, "sliding_window", None) or 0
        longest = min(2 * window + 24, info.context or 512, 512)
        special = {info.pad, info.mask, info.unknown, info.eos}
        tokens = [token for token in range(min(info.vocabulary, 20_000)) if token not in special]
        probes = []
        for length in (7, 7, 19, longest, 3):
            ids = (*info.before, *draw.choices(tokens, k=length), *info.after)[:longest]
            probes.append(multi_mask_query(ids, (len(info.before), len(ids) - 1)))
        return probes


def _widest(config: Any) -> int:
    names = ("intermediate_size", "hidden_dim")
    widest = next((getattr(config, name) for name in names if hasattr(config, name)), None)
    return int(widest or 4 * config.hidden_size)


def _size(batch: Sequence[MaskedCopy]) -> int:
    """Count the tokens of a batch, padding included; the longest copy comes first."""
    return len(batch) * len(batch[0].ids)
