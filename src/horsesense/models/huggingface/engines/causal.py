"""Causal models: sentences as trees of tokens, so that what they share is computed once.

A batch holds small trees. Each node sees itself and its ancestors, by a mask, and stands at the
position of its depth, so that it gets what it would get in its sentence alone. Not every
architecture can be told so, and some give wrong numbers without a word; so it is tried out
when a model is loaded, and where it does not hold, sentences are read in plain batches.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.budget import (
    TOKENS_IN_CACHE,
    in_batches,
    positions_per_batch,
    tokens_per_batch,
    workers_for,
)
from horsesense.models.huggingface.engines.heads import causal_head
from horsesense.models.huggingface.engines.layouts import (
    EndToEnd,
    InRows,
    TreeLayout,
    stay_within_trees,
)
from horsesense.models.huggingface.engines.log_probs import (
    Head,
    finite,
    log_probs_at,
    told,
    tolerance,
)
from horsesense.models.huggingface.engines.packed_weights import (
    ROUNDING,
    copied,
    pack_weights,
    packed_head,
)
from horsesense.models.huggingface.engines.packing import LONGEST_ROW, Ids, Tree, plan_trees
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers, ModelInfo
from horsesense.models.query import Query, causal_query

# Nodes of all the trees that a model is tried out with, and the most that one of them has.
_PROBED, LARGEST_PROBE = 96, 48


def probes(info: ModelInfo, longest_row: int) -> list[Ids]:
    """Made-up sentences of one length that begin alike, as far as they fit a tree of some size."""
    draw = random.Random(0)
    tokens = range(min(info.vocabulary, 20_000))
    longest = min(16, longest_row, info.context or longest_row)
    trunk = (*info.before, *draw.choices(tokens, k=longest))[:longest]
    made = {trunk}
    nodes = longest
    while len(made) < 2 or nodes < min(longest_row, _PROBED) - longest:
        shared = draw.randrange(len(info.before), longest - 1)
        made.add((*trunk[:shared], *draw.choices(tokens, k=longest - shared)))
        nodes += longest - shared
    return sorted(made)


def check_causal(single: Mapping[Query, tuple[float, ...]], name: str, within: float) -> None:
    """Refuse a model for which what comes later changes what came before."""
    for (one, values), (other, other_values) in pairwise(single.items()):
        pairs = enumerate(zip(one.ids, other.ids, strict=False))
        shared = next((at for at, (a, b) in pairs if a != b), len(one.ids))
        # The first token has no number.
        alike = list(zip(values, other_values, strict=False))[: max(shared - 1, 0)]
        if any(abs(a - b) > within for a, b in alike):
            raise ModelError(
                f"{name} looks at what comes after a token, so the log-probabilities of its"
                " tokens do not make up that of a sentence; it cannot be asked as a causal model"
            )


# So many queries are planned together: enough to share most, few enough to see results soon.
_WINDOW = 4096
# How configurations name the distance beyond which a layer does not look.
_WINDOW_NAMES = ("sliding_window", "window_size", "attention_window", "local_attention")


class CausalEngine:
    """A causal model at work.

    `way` is "tree", or "plain" with the reason in `why`. A batch has at most `batch` tokens where
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
        config = network.config
        widest = max(getattr(config, "intermediate_size", None) or 4 * config.hidden_size, 1)
        self._workers = workers_for(network.device)
        each = budget_bytes // self._workers
        self._tokens = tokens_per_batch(widest, each, most=batch or TOKENS_IN_CACHE)
        positions = positions_per_batch(info.vocabulary, each)
        self._plain_tokens = min(positions, batch or positions)
        windows = [getattr(config, name, None) for name in _WINDOW_NAMES]
        self._window = min((w for w in windows if isinstance(w, int) and w > 1), default=None)
        self._longest_row = min(LONGEST_ROW, self._window or LONGEST_ROW)
        self._row = min(self._longest_row, batch or self._longest_row)
        self._body, self._head = network.base_model, causal_head(network)
        self._layout: TreeLayout = InRows()
        self.fallback_reason = self._choose()
        self.batching = "plain" if self.fallback_reason else "tree"

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries but those that are answered, those that share much together."""
        ordered = sorted(queries, key=lambda query: query.ids)
        for start in range(0, len(ordered), _WINDOW):
            window = ordered[start : start + _WINDOW]
            in_trees = [query for query in window if self._fits_tree(query)]
            yield from self._by_trees(in_trees, answered)
            others = [query for query in window if not self._fits_tree(query)]
            yield from self._plainly(others, answered)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """One sentence at a time, all logits at once, nothing shared."""
        with torch.inference_mode():
            ids = torch.tensor([query.ids], device=self.network.device)
            logits = self.network(input_ids=ids, use_cache=False).logits[0, :-1].float()
            log_probs = torch.log_softmax(logits, -1)
            return finite(log_probs.gather(1, ids[0, 1:, None]).squeeze(1))

    def _choose(self) -> str:
        """Why trees are out, or nothing; then what is quicker, if the same comes out of it."""
        asked = [causal_query(ids) for ids in probes(self.info, self._longest_row)]
        single = {query: self.answer_singly(query) for query in asked}
        check_causal(single, self.info.name, tolerance(self.network.dtype))
        if why := self._fault(single):
            return why
        body = copied(self.network)
        if body is None:
            return ""
        if stay_within_trees(body) and not self._takes(body, self._head, EndToEnd(), single):
            body = copied(self.network)
        exchanged = pack_weights(body)
        if exchanged and not self._takes(
            body, packed_head(self._head), self._layout, single, within=ROUNDING
        ):
            for one in exchanged:
                one.put_back()
        return ""

    def _takes(
        self,
        body: Any,
        head: Head,
        layout: TreeLayout,
        single: Mapping[Query, tuple[float, ...]],
        *,
        within: int = 1,
    ) -> bool:
        """Take these parts from now on, unless other numbers come out of them."""
        before = self._body, self._head, self._layout
        self._body, self._head, self._layout = body, head, layout
        if not self._fault(single, within=within):
            return True
        self._body, self._head, self._layout = before
        return False

    def _fault(self, single: Mapping[Query, tuple[float, ...]], *, within: int = 1) -> str:
        """What is wrong with trees as they are read now; nothing if they give what is right."""
        trees = plan_trees([query.ids for query in single], min(self._row, LARGEST_PROBE))
        trees.sort(key=lambda tree: -len(tree.tokens))
        asked = list(single)
        try:
            found = dict(_answers(asked, *self._read_trees(trees)))
        except Exception as error:  # whatever an architecture says to a mask it does not know
            return f"it refuses a tree of tokens ({told(error)})"
        drift = max(
            abs(a - b)
            for query, values in single.items()
            for a, b in zip(found[query], values, strict=True)
        )
        if drift <= within * tolerance(self.network.dtype):
            return ""
        return f"a tree of tokens gives it other numbers than single sentences (by {drift:.2g})"

    def _fits_tree(self, query: Query) -> bool:
        """A sentence beyond a layer's window needs another mask than a tree has."""
        return self.batching == "tree" and len(query.ids) <= (self._window or len(query.ids))

    def _by_trees(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        trees = plan_trees([query.ids for query in queries], self._row)
        trees.sort(key=lambda tree: -len(tree.tokens))
        for read, log_probs in in_batches(
            trees,
            self._layout.size,
            self._tokens,
            self._read_trees,
            is_wanted=lambda tree: any(queries[n] not in answered for n, _ in tree.paths),
            workers=self._workers,
        ):
            yield [pair for pair in _answers(queries, read, log_probs) if pair[0] not in answered]

    def _read_trees(self, trees: Sequence[Tree]) -> tuple[Sequence[Tree], list[tuple[float, ...]]]:
        """For each tree the log-probabilities that are asked for in it."""
        values: list[list[float]] = [[0.0] * len(tree.asked) for tree in trees]
        if not any(values):
            return trees, [tuple(each) for each in values]
        with self._layout.laid(trees, self.info.first_position, self.network) as laid:
            asked = sorted(
                (start + node, token, row, at)
                for row, (tree, start) in enumerate(zip(trees, laid.starts, strict=True))
                for at, (node, token) in enumerate(tree.asked)
            )
            with torch.inference_mode():
                states: Tensor = self._body(**laid.inputs, use_cache=False).last_hidden_state
        places = torch.tensor([(place, token) for place, token, _, _ in asked])
        rows, tokens = places.to(states.device).unbind(1)
        found = finite(log_probs_at(torch.flatten(states, 0, 1), self._head, rows, tokens))
        for (_, _, row, at), value in zip(asked, found, strict=True):
            values[row][at] = value
        return trees, [tuple(each) for each in values]

    def _plainly(self, queries: Sequence[Query], answered: Container[Query]) -> Iterator[Answers]:
        ordered = sorted(queries, key=lambda query: -len(query.ids))
        yield from in_batches(
            ordered,
            lambda batch: len(batch) * len(batch[0].ids),
            self._plain_tokens,
            self._read_plainly,
            is_wanted=lambda query: query not in answered,
            workers=self._workers,
        )

    def _read_plainly(self, queries: Sequence[Query]) -> Answers:
        length = len(queries[0].ids)
        ids = torch.zeros(len(queries), length, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, query in enumerate(queries):
            ids[row, : len(query.ids)] = torch.tensor(query.ids)
            mask[row, : len(query.ids)] = 1
        device = self.network.device
        with torch.inference_mode():
            logits = self.network(
                input_ids=ids.to(device), attention_mask=mask.to(device), use_cache=False
            ).logits
            answers: Answers = []
            for row, query in enumerate(queries):
                wanted = torch.tensor(query.ids[1:], device=device)
                rows = torch.arange(len(wanted), device=device)
                found = log_probs_at(logits[row], lambda states: states.clone(), rows, wanted)
                answers.append((query, finite(found)))
        return answers


def _answers(
    queries: Sequence[Query], trees: Sequence[Tree], log_probs: Sequence[tuple[float, ...]]
) -> Answers:
    """What was found for the queries that the trees were made of."""
    return [
        (queries[number], tuple(values[at] for at in path))
        for tree, values in zip(trees, log_probs, strict=True)
        for number, path in tree.paths
    ]
