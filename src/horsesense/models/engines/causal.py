"""Causal models: sentences as trees of tokens, so that what they share is computed once.

A row holds a small tree. Each node sees itself and its ancestors, by a mask, and stands at the
position of its depth, so that it gets what it would get in its sentence alone. Not every
architecture can be told so, and some give wrong numbers without a word; so it is tried out
when a model is loaded, and where it does not hold, sentences are read in plain batches.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from horsesense.errors import ModelError
from horsesense.models.declaration import Declaration
from horsesense.models.engines.budget import (
    DEFAULT_BYTES,
    TOKENS_IN_CACHE,
    in_batches,
    positions_per_batch,
    tokens_per_batch,
)
from horsesense.models.engines.head import finite, log_probs_at, told, tolerance
from horsesense.models.engines.heads import causal_head
from horsesense.models.engines.packing import LONGEST_ROW, Ids, Tree, plan_trees
from horsesense.models.engines.rebuilt import ROUNDING, copied, laid_out_head, lay_out
from horsesense.models.engines.workers import workers_for
from horsesense.models.model import Answers
from horsesense.observation import Query, causal_query

# So many queries are planned together: enough to share most, few enough to see results soon.
_WINDOW = 4096
# Nodes in the tree that a model is tried out with.
_PROBED = 96
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
        declaration: Declaration,
        *,
        budget_bytes: int = DEFAULT_BYTES,
        batch: int | None = None,
    ) -> None:
        self.network, self.declaration = network, declaration
        config = network.config
        widest = max(getattr(config, "intermediate_size", None) or 4 * config.hidden_size, 1)
        self._workers = workers_for(network.device)
        each = budget_bytes // self._workers
        self._tokens = tokens_per_batch(widest, each, most=batch or TOKENS_IN_CACHE)
        positions = positions_per_batch(declaration.vocabulary, each)
        self._plain_tokens = min(positions, batch or positions)
        windows = [getattr(config, name, None) for name in _WINDOW_NAMES]
        self._window = min((w for w in windows if isinstance(w, int) and w > 1), default=None)
        self._longest_row = min(LONGEST_ROW, self._window or LONGEST_ROW)
        self._row = min(self._longest_row, batch or self._longest_row)
        self._head = causal_head(network)
        self.why = self._choose()
        self.way = "plain" if self.why else "tree"

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
        """Why trees are out, or nothing; then the body is rebuilt, if the same comes out of it."""
        self._body = self.network.base_model
        if why := self._why_not_trees():
            return why
        body, head = self._body, self._head
        rebuilt = copied(self.network)
        if rebuilt is not None and lay_out(rebuilt):
            self._body, self._head = rebuilt, laid_out_head(head)
            if self._why_not_trees(within=ROUNDING):
                self._body, self._head = body, head
        return ""

    def _fits_tree(self, query: Query) -> bool:
        """A sentence beyond a layer's window needs another mask than a tree has."""
        return self.way == "tree" and len(query.ids) <= (self._window or len(query.ids))

    def _by_trees(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        trees = plan_trees([query.ids for query in queries], self._row)
        trees.sort(key=lambda tree: -len(tree.tokens))
        for rows, log_probs in in_batches(
            trees,
            _padded_size,
            self._tokens,
            self._read_trees,
            is_wanted=lambda tree: any(queries[n] not in answered for n, _ in tree.paths),
            workers=self._workers,
        ):
            yield [
                (queries[number], tuple(values[at] for at in path))
                for tree, values in zip(rows, log_probs, strict=True)
                for number, path in tree.paths
                if queries[number] not in answered
            ]

    def _read_trees(self, trees: Sequence[Tree]) -> tuple[Sequence[Tree], list[tuple[float, ...]]]:
        """For each tree the log-probabilities that are asked for in it."""
        length = max(1, *(len(tree.tokens) for tree in trees))
        asked = [
            (row * length + node, token, row, at)
            for row, tree in enumerate(trees)
            for at, (node, token) in enumerate(tree.asked)
        ]
        asked.sort()
        values: list[list[float]] = [[0.0] * len(tree.asked) for tree in trees]
        if asked:
            hidden = self._hidden(trees, length)
            places = torch.tensor([(place, token) for place, token, _, _ in asked])
            rows, tokens = places.to(hidden.device).unbind(1)
            found = finite(log_probs_at(hidden, self._head, rows, tokens))
            for (_, _, row, at), value in zip(asked, found, strict=True):
                values[row][at] = value
        return trees, [tuple(each) for each in values]

    def _hidden(self, trees: Sequence[Tree], length: int) -> Tensor:
        device = self.network.device
        ids = np.zeros((len(trees), length), dtype=np.int64)
        positions = np.zeros_like(ids)
        for row, tree in enumerate(trees):
            ids[row, : len(tree.tokens)] = tree.tokens
            positions[row, : len(tree.depths)] = tree.depths
        positions += self.declaration.first_position
        with torch.inference_mode():
            states: Tensor = self._body(
                input_ids=torch.from_numpy(ids).to(device),
                position_ids=torch.from_numpy(positions).to(device),
                attention_mask=_tree_mask(trees, length, self.network.dtype).to(device),
                use_cache=False,
            ).last_hidden_state
            return states.reshape(-1, states.shape[-1])

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

    def _why_not_trees(self, *, within: int = 1) -> str:
        """Try trees out against single sentences; why they cannot be used, or nothing."""
        probes = [causal_query(ids) for ids in _probes(self.declaration, self._longest_row)]
        single = {query: self.answer_singly(query) for query in probes}
        self._check_causal(single)
        self.way = "tree"
        try:
            found = dict(pair for batch in self._by_trees(probes) for pair in batch)
        except ModelError:
            raise
        except Exception as error:  # whatever an architecture says to a mask it does not know
            return f"it refuses a tree of tokens ({told(error)})"
        drift = max(
            abs(a - b) for query in probes for a, b in zip(found[query], single[query], strict=True)
        )
        if drift <= within * tolerance(self.network.dtype):
            return ""
        return f"a tree of tokens gives it other numbers than single sentences (by {drift:.2g})"

    def _check_causal(self, single: Mapping[Query, tuple[float, ...]]) -> None:
        """Refuse a model for which what comes later changes what came before."""
        for (one, values), (other, other_values) in pairwise(single.items()):
            pairs = enumerate(zip(one.ids, other.ids, strict=False))
            shared = next((at for at, (a, b) in pairs if a != b), len(one.ids))
            # The first token has no number.
            alike = list(zip(values, other_values, strict=False))[: max(shared - 1, 0)]
            if any(abs(a - b) > tolerance(self.network.dtype) for a, b in alike):
                raise ModelError(
                    f"{self.declaration.name} looks at what comes after a token, so the"
                    " log-probabilities of its tokens do not make up that of a sentence; it cannot"
                    " be asked as a causal model"
                )


def _padded_size(trees: Sequence[Tree]) -> int:
    """Tokens in a batch of rows; the longest comes first."""
    return len(trees) * len(trees[0].tokens)


def _tree_mask(trees: Sequence[Tree], length: int, dtype: torch.dtype) -> Tensor:
    """What is added to attention: nothing for a node and its ancestors, and all there is to bar
    the rest. A boolean mask would be taken for numbers by some architectures.
    """
    sees = np.zeros((len(trees), length, length), dtype=bool)
    for row, tree in enumerate(trees):
        for node, parent in enumerate(tree.parents):
            if parent >= 0:
                sees[row, node] = sees[row, parent]
            sees[row, node, node] = True
        rest = np.arange(len(tree.tokens), length)
        sees[row, rest, rest] = True  # a row of nothing but bars would give no numbers at all
    barred = torch.finfo(dtype).min
    return torch.from_numpy(sees).logical_not_().to(dtype).mul_(barred)[:, None]


def _probes(declaration: Declaration, longest_row: int) -> list[Ids]:
    """Made-up sentences of one length that begin alike, as far as they fit a tree of some size."""
    draw = random.Random(0)
    tokens = range(min(declaration.vocabulary, 20_000))
    longest = min(16, longest_row, declaration.context or longest_row)
    trunk = (*declaration.before, *draw.choices(tokens, k=longest))[:longest]
    probes = {trunk}
    nodes = longest
    while len(probes) < 2 or nodes < min(longest_row, _PROBED) - longest:
        shared = draw.randrange(len(declaration.before), longest - 1)
        probes.add((*trunk[:shared], *draw.choices(tokens, k=longest - shared)))
        nodes += longest - shared
    return sorted(probes)
