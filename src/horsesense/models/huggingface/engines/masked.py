"""Masked models: the masked copies of all sentences, each distinct one read once.

Copies of one length make a batch without filling up and without a mask, which is the quickest
way of all and right for every architecture. All copies of a sentence have its length, so most
are read so. What is left over is too little for batches of its own, and is packed: copies of
several lengths side by side in a row, kept apart by a mask. Not every architecture can be told
so; it is tried out when a model is loaded, and where it does not hold, rows are filled up
instead, or lengths never mixed.

Every set of positions masked together makes a copy of the sentence. Copies of different queries
are often the same: options of equal length that are hidden whole, a single token of an answer
by any kind of query. Each is read once.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, groupby
from typing import Any

import torch

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.budget import (
    evened,
    positions_per_batch,
    read_batches,
    tokens_per_batch,
    workers_for,
)
from horsesense.models.huggingface.engines.heads import Parts, masked_parts, whole
from horsesense.models.huggingface.engines.layouts import Laid, even, packed, padded
from horsesense.models.huggingface.engines.log_probs import finite, log_probs_at, told, tolerance
from horsesense.models.huggingface.engines.packed_weights import ROUNDING, pack_weights
from horsesense.models.huggingface.engines.packing import Ids
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers, ModelInfo
from horsesense.models.query import Query, QueryKind, multi_mask_query


@dataclass(slots=True)
class Copy:
    """A sentence with some tokens masked, and the tokens that are asked for in their place.

    `asked` has a position and a token, and what was answered once the copy has been read;
    `queries` are the numbers of those that wait for it.
    """

    ids: Ids
    asked: dict[tuple[int, int], float | None] = field(default_factory=dict)
    queries: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Copies:
    """All that is read for some queries, and what is still missing to answer each."""

    queries: Sequence[Query]
    mask: int
    distinct: list[Copy]
    missing: list[int]
    _of_ids: dict[Ids, Copy]

    def answered(self, read: Sequence[Copy]) -> list[tuple[Query, tuple[float, ...]]]:
        """The queries that nothing is missing for now that these copies have been read."""
        answers = []
        for copy in read:
            for number in copy.queries:
                self.missing[number] -= 1
                if not self.missing[number]:
                    answers.append((self.queries[number], self._values(self.queries[number])))
        return answers

    def _values(self, query: Query) -> tuple[float, ...]:
        values = (
            self._of_ids[masked(query.ids, positions, self.mask)].asked[
                positions[0], query.ids[positions[0]]
            ]
            for positions in query.masks
        )
        return tuple(value for value in values if value is not None)


def masked(ids: Ids, positions: Ids, mask: int) -> Ids:
    """The tokens with those positions masked.

    >>> masked((5, 6, 7), (2, 0), 99)
    (99, 6, 99)
    """
    return tuple(mask if at in positions else token for at, token in enumerate(ids))


def make_copies(queries: Sequence[Query], mask: int) -> Copies:
    """The distinct masked copies of some queries, in the order in which they are first needed."""
    copies: dict[Ids, Copy] = {}
    missing = []
    for number, query in enumerate(queries):
        needed = set()
        for positions in query.masks:
            ids = masked(query.ids, positions, mask)
            copy = copies.setdefault(ids, Copy(ids))
            copy.asked[positions[0], query.ids[positions[0]]] = None
            copy.queries.add(number)
            needed.add(ids)
        missing.append(len(needed))
    return Copies(queries, mask, list(copies.values()), missing, copies)


def windows(queries: Sequence[Query], most: int) -> Iterator[list[Query]]:
    """Queries in portions of so many masks, those that may share copies side by side.

    The longest come first: if memory is too short, it shows at once.
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


Layout = Callable[[Sequence[Ids], Any], Laid]

# So many masked copies are planned together: enough to share most, few enough to be held.
_WINDOW = 8192
# A batch of copies of one length is quickest at about this size; measured.
_TOKENS = 512
_ASKINGS = (QueryKind.SINGLE_MASK, QueryKind.WITHIN_WORD, QueryKind.MULTI_MASK)


class MaskedEngine:
    """A masked model at work.

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
        if info.mask is None:
            raise ModelError(
                f"{info.name} has no mask token; give it the tokenizer it was trained with"
            )
        self.network, self.info = network, info
        self._mask = info.mask
        self._workers = workers_for(network.device)
        each = budget_bytes // self._workers
        self._tokens = tokens_per_batch(_widest(network.config), each, most=batch or _TOKENS)
        self._positions = positions_per_batch(info.vocabulary, each)
        self._parts = whole(network)
        self._mixed: Layout | None = None
        self.fallback_reason = self._choose()
        self.batching = "plain" if self.fallback_reason else "packed"
        self._lay_out()
        if self._parts.is_whole:  # it makes the logits of all positions
            self._tokens = min(self._tokens, self._positions)

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries but those that are answered, each when its copies have been read."""
        for query in queries:
            if query.kind not in _ASKINGS:
                raise ValueError(f"a masked model cannot answer a query of {query.kind}")
        if trivial := [(query, ()) for query in queries if not query.masks]:
            yield list(trivial)
        wanted = [query for query in queries if query.masks and query not in answered]
        for window in windows(wanted, _WINDOW):
            copies = make_copies(window, self._mask)
            for read in self._in_batches(copies.distinct):
                if answers := copies.answered(read):
                    yield answers

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """One masked copy at a time, all logits at once, nothing shared."""
        values = []
        with torch.inference_mode():
            for positions in query.masks:
                ids = masked(query.ids, positions, self._mask)
                read = torch.tensor([ids], device=self.network.device)
                logits = self.network(input_ids=read).logits[0, positions[0]].float()
                values.append(torch.log_softmax(logits, -1)[query.ids[positions[0]]])
        return finite(torch.stack(values)) if values else ()

    def _in_batches(self, copies: Sequence[Copy]) -> Iterator[Sequence[Copy]]:
        """Read copies batch by batch; after a lack of memory, in smaller batches."""

        def sizes(most: int) -> Iterator[int]:
            return map(_size, self._batches(copies, lambda: most))

        limit = evened(self._tokens, sizes, self._workers)

        def lower(batch: Sequence[Copy]) -> None:
            nonlocal limit
            self._tokens = limit = max(1, min(limit, _size(batch) // 2))

        batches = self._batches(copies, lambda: limit)
        return read_batches(batches, self._read, on_lack=lower, workers=self._workers)

    def _batches(self, copies: Sequence[Copy], limit: Callable[[], int]) -> Iterator[list[Copy]]:
        """Copies of one length together; those too few for a batch with others of their kind."""
        left: list[Copy] = []
        for length, same in groupby(copies, key=lambda copy: len(copy.ids)):
            group = list(same)
            while group and (2 * len(group) * length > limit() or self._mixed is None):
                portions = math.ceil(len(group) / max(1, limit() // length))
                size = math.ceil(len(group) / portions)
                yield group[:size]
                group = group[size:]
            if left and _size([*left, *group]) > limit():
                yield left
                left = []
            left = left + group
        if left:
            yield left

    def _read(self, batch: Sequence[Copy]) -> Sequence[Copy]:
        """Fill in what is asked of some copies."""
        is_even = len({len(copy.ids) for copy in batch}) == 1
        layout = even if is_even or self._mixed is None else self._mixed
        return self._read_laid(batch, layout)

    def _read_laid(self, batch: Sequence[Copy], layout: Layout) -> Sequence[Copy]:
        laid = layout([copy.ids for copy in batch], self.network.device)
        asked = sorted(
            (start + position, token, item)
            for item, (copy, start) in enumerate(zip(batch, laid.starts, strict=True))
            for position, token in copy.asked
        )
        with torch.inference_mode():
            places = torch.tensor([(place, token) for place, token, _ in asked])
            rows, tokens = places.to(self.network.device).unbind(1)
            needed, at = torch.unique_consecutive(rows, return_inverse=True)
            hidden = self._parts.hidden(laid.inputs, needed)
            found = log_probs_at(hidden, self._parts.head, at, tokens, positions=self._positions)
        for (place, token, item), value in zip(asked, finite(found), strict=True):
            batch[item].asked[place - laid.starts[item], token] = value
        return batch

    def _choose(self) -> str:
        """Try out the parts and layouts, the quickest first; why packing is out, or nothing."""
        probes, single = self._tried()
        declared = self.info
        pad = declared.pad if declared.pad is not None else 0
        in_rows = partial(
            packed,
            dtype=self.network.dtype,
            first_position=declared.first_position,
            window=getattr(self.network.config, "sliding_window", None),
            pad=pad,
        )
        why = "its head is none of those known here"
        for choice in masked_parts(self.network):
            if not (why := self._fault(choice, in_rows, probes, single)):
                self._parts, self._mixed = choice, in_rows
                return ""
        filled = partial(padded, pad=pad)
        for choice in chain(masked_parts(self.network), (self._parts,)):
            if not self._fault(choice, filled, probes, single):
                self._parts, self._mixed = choice, filled
                break
        return why

    def _lay_out(self) -> None:
        """Lay out the matrices of what was chosen, unless other numbers come out then."""
        if self._mixed is None or not self._parts.is_own:
            return
        exchanged = pack_weights(self._parts.body)
        if not exchanged:
            return
        probes, single = self._tried()
        if self._fault(self._parts, self._mixed, probes, single, within=ROUNDING):
            for one in exchanged:
                one.put_back()

    def _tried(self) -> tuple[list[Query], list[float]]:
        """What it is tried out with, and the right answers."""
        probes = self._probes()
        return probes, [value for query in probes for value in self.answer_singly(query)]

    def _fault(
        self,
        parts: Parts,
        layout: Layout,
        probes: Sequence[Query],
        single: Sequence[float],
        *,
        within: int = 1,
    ) -> str:
        """What is wrong with the numbers that come out this way; nothing if they are right."""
        before = self._parts
        self._parts = parts
        try:
            copies = make_copies(probes, self._mask)
            answers = dict(copies.answered(self._read_laid(copies.distinct, layout)))
        except Exception as error:  # whatever an architecture says to a mask it does not know
            return f"it refuses packed rows ({told(error)})"
        finally:
            self._parts = before
        found = [value for query in probes for value in answers[query]]
        drift = max(abs(a - b) for a, b in zip(found, single, strict=True))
        if drift <= within * tolerance(self.network.dtype):
            return ""
        return f"packed rows give it other numbers than single sentences (by {drift:.2g})"

    def _probes(self) -> list[Query]:
        """Made-up sentences of several lengths, one beyond every window."""
        draw = random.Random(0)
        declared = self.info
        window = getattr(self.network.config, "sliding_window", None) or 0
        longest = min(2 * window + 24, declared.context or 512, 512)
        special = {declared.pad, declared.mask, declared.unknown, declared.eos}
        tokens = [
            token for token in range(min(declared.vocabulary, 20_000)) if token not in special
        ]
        probes = []
        for length in (7, 7, 19, longest, 3):
            ids = (*declared.before, *draw.choices(tokens, k=length), *declared.after)[:longest]
            probes.append(multi_mask_query(ids, (len(declared.before), len(ids) - 1)))
        return probes


def _widest(config: Any) -> int:
    names = ("intermediate_size", "hidden_dim")
    widest = next((getattr(config, name) for name in names if hasattr(config, name)), None)
    return int(widest or 4 * config.hidden_size)


def _size(batch: Sequence[Copy]) -> int:
    """Tokens in a batch, with what it is filled up with; the longest comes first."""
    return len(batch) * len(batch[0].ids)
