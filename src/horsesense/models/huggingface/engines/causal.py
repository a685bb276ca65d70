"""The engine of causal models: sentences as trees of tokens, so shared prefixes are computed once.

A batch holds small trees. A mask limits each node to itself and its ancestors, and its position id
is its depth, so its numbers are those of the sentence alone. Not every architecture supports this,
and some silently give wrong numbers. So the engine checks it when a model is loaded, and falls
back to plain batches if the numbers differ.
"""

from __future__ import annotations

import math
import random
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.budget import (
    TOKENS_IN_CACHE,
    compute_in_batches,
    positions_per_batch,
    tokens_per_batch,
    workers_for,
)
from horsesense.models.huggingface.engines.heads import causal_head
from horsesense.models.huggingface.engines.layouts import (
    ConcatenatedTrees,
    PaddedTrees,
    TreeLayout,
    use_tree_attention,
)
from horsesense.models.huggingface.engines.log_probs import (
    Head,
    checked_values,
    ranked_log_probs_at,
    tolerance,
)
from horsesense.models.huggingface.engines.packed_weights import (
    ROUNDING_FACTOR,
    copy_body,
    pack_weights,
    packed_head,
)
from horsesense.models.huggingface.engines.packing import LONGEST_ROW, Ids, Tree, plan_trees
from horsesense.models.huggingface.self_tests import SelfTests
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers, ModelInfo, Predictions, Ranking
from horsesense.models.query import Query, causal_query

# The number of nodes in all trees a model is checked with, and in the largest of them.
_PROBED, LARGEST_PROBE = 96, 48


def probes(info: ModelInfo, longest_row: int) -> list[Ids]:
    """Return random sentences of one length with shared prefixes, to check a model with."""
    draw = random.Random(0)
    tokens = range(min(info.vocabulary, 20_000))
    longest = min(16, longest_row, info.context or longest_row)
    trunk = (*info.before, *draw.choices(tokens, k=longest))[:longest]
    sentences = {trunk}
    nodes = longest
    while len(sentences) < 2 or nodes < min(longest_row, _PROBED) - longest:
        shared = draw.randrange(len(info.before), longest - 1)
        sentences.add((*trunk[:shared], *draw.choices(tokens, k=longest - shared)))
        nodes += longest - shared
    return sorted(sentences)


def check_causal(single: Mapping[Query, tuple[float, ...]], name: str, within: float) -> None:
    """Raise an error if later tokens change the log-probabilities of earlier ones."""
    for (query, values), (other, other_values) in pairwise(single.items()):
        pairs = enumerate(zip(query.ids, other.ids, strict=False))
        shared = next((at for at, (a, b) in pairs if a != b), len(query.ids))
        # The first token has no log-probability.
        common = list(zip(values, other_values, strict=False))[: max(shared - 1, 0)]
        if any(abs(a - b) > within for a, b in common):
            raise ModelError(
                f"{name} attends to later tokens, so the log-probabilities of its tokens do not"
                " add up to that of a sentence; it cannot be used as a causal model"
            )


# The number of queries planned together: enough to share most prefixes, few enough to yield soon.
_WINDOW = 4096
# The names of the sliding window in configs.
_WINDOW_NAMES = ("sliding_window", "window_size", "attention_window", "local_attention")


class CausalEngine:
    """Compute log-probabilities with a causal model.

    `batching` is "tree", or "plain" with the reason in `fallback_reason`. `batch` limits the
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
        config = network.config
        widest = max(getattr(config, "intermediate_size", None) or 4 * config.hidden_size, 1)
        self._workers = workers_for(network.device)
        worker_bytes = budget_bytes // self._workers
        self._tokens = tokens_per_batch(widest, worker_bytes, most=batch or TOKENS_IN_CACHE)
        positions = positions_per_batch(info.vocabulary, worker_bytes)
        self._plain_tokens = min(positions, batch or positions)
        windows = [getattr(config, name, None) for name in _WINDOW_NAMES]
        self._window = min((w for w in windows if isinstance(w, int) and w > 1), default=None)
        self._longest_row = min(LONGEST_ROW, self._window or LONGEST_ROW)
        self._row = min(self._longest_row, batch or self._longest_row)
        self._body, self._head = network.base_model, causal_head(network)
        self._layout: TreeLayout = PaddedTrees()
        self.fallback_reason = self._optimize()
        self.batching = "plain" if self.fallback_reason else "tree"

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries that are not `answered`, those with shared prefixes together."""
        for predictions in self.predict(queries, 0, answered):
            yield [(query, log_probs) for query, log_probs, _ in predictions]

    def predict(
        self, queries: Sequence[Query], count: int, answered: Container[Query] = ()
    ) -> Iterator[Predictions]:
        """Answer them, with the `count` most probable tokens in place of each token."""
        ordered = sorted(queries, key=lambda query: query.ids)
        for start in range(0, len(ordered), _WINDOW):
            window = ordered[start : start + _WINDOW]
            in_trees = [query for query in window if self._fits_tree(query)]
            yield from self._answer_trees(in_trees, count, answered)
            others = [query for query in window if not self._fits_tree(query)]
            yield from self._answer_plainly(others, count, answered)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Compute a single sentence without sharing anything."""
        with torch.inference_mode():
            ids = torch.tensor([query.ids], device=self.network.device)
            logits = self.network(input_ids=ids, use_cache=False).logits[0, :-1].float()
            log_probs = torch.log_softmax(logits, -1)
            return checked_values(log_probs.gather(1, ids[0, 1:, None]).squeeze(1))

    def _optimize(self) -> str:
        """Return why trees cannot be used; if they can, choose the fastest parts that agree."""
        if reason := self._mismatch("trees of tokens"):
            return reason
        body = copy_body(self.network)
        if body is None:
            return ""
        if use_tree_attention(body) and not self._try_parts(
            "concatenated trees", body, self._head, ConcatenatedTrees()
        ):
            body = copy_body(self.network)
        replaced = pack_weights(body)
        if replaced and not self._try_parts(
            "packed weights", body, packed_head(self._head), self._layout, within=ROUNDING_FACTOR
        ):
            for layer in replaced:
                layer.restore()
        return ""

    def _try_parts(
        self, name: str, body: Any, head: Head, layout: TreeLayout, *, within: int = 1
    ) -> bool:
        """Use these parts from now on if they give the right numbers; return whether they do."""
        before = self._body, self._head, self._layout
        self._body, self._head, self._layout = body, head, layout
        if not self._mismatch(name, within=within):
            return True
        self._body, self._head, self._layout = before
        return False

    def _mismatch(self, part: str, *, within: int = 1) -> str:
        """Return how a part differs from single sentences; an empty string if they agree."""

        def answer(queries: Sequence[Query]) -> Answers:
            trees = plan_trees([query.ids for query in queries], min(self._row, LARGEST_PROBE))
            trees.sort(key=lambda tree: -len(tree.tokens))
            predictions = _predictions(queries, *self._compute_trees(trees))
            return [(query, log_probs) for query, log_probs, _ in predictions]

        accepted = within * tolerance(self.network.dtype)
        return self.self_tests.run(part, answer, lambda: self._singles, tolerance=accepted)

    @cached_property
    def _singles(self) -> dict[Query, tuple[float, ...]]:
        """Queries to check the model with, and their right answers."""
        queries = [causal_query(ids) for ids in probes(self.info, self._longest_row)]
        single = {query: self.answer_singly(query) for query in queries}
        check_causal(single, self.info.name, tolerance(self.network.dtype))
        return single

    def _fits_tree(self, query: Query) -> bool:
        """Return False for a sentence beyond the sliding window, which needs another mask."""
        return self.batching == "tree" and len(query.ids) <= (self._window or len(query.ids))

    def _answer_trees(
        self, queries: Sequence[Query], count: int, answered: Container[Query]
    ) -> Iterator[Predictions]:
        trees = plan_trees([query.ids for query in queries], self._row)
        trees.sort(key=lambda tree: -len(tree.tokens))
        for computed, log_probs, rankings in compute_in_batches(
            trees,
            self._layout.size,
            self._tokens,
            partial(self._compute_trees, count=count),
            is_needed=lambda tree: any(queries[n] not in answered for n, _ in tree.paths),
            workers=self._workers,
        ):
            predictions = _predictions(queries, computed, log_probs, rankings)
            yield [prediction for prediction in predictions if prediction[0] not in answered]

    def _compute_trees(
        self, trees: Sequence[Tree], *, count: int = 0
    ) -> tuple[Sequence[Tree], list[list[float]], list[list[Ranking]]]:
        """Return the trees, and for each the log-probabilities and rankings of its targets."""
        values: list[list[float]] = [[0.0] * len(tree.targets) for tree in trees]
        rankings: list[list[Ranking]] = [[()] * len(tree.targets) for tree in trees]
        if not any(values):
            return trees, values, rankings
        with self._layout.inputs(trees, self.info.first_position, self.network) as batch:
            targets = sorted(
                (start + node, token, row, at)
                for row, (tree, start) in enumerate(zip(trees, batch.starts, strict=True))
                for at, (node, token) in enumerate(tree.targets)
            )
            with torch.inference_mode():
                states: Tensor = self._body(**batch.inputs, use_cache=False).last_hidden_state
        pairs = torch.tensor([(position, token) for position, token, _, _ in targets])
        rows, tokens = pairs.to(states.device).unbind(1)
        log_probs, *top = ranked_log_probs_at(
            torch.flatten(states, 0, 1), self._head, rows, tokens, count
        )
        for (_, _, row, at), value in zip(targets, checked_values(log_probs), strict=True):
            values[row][at] = value
        if count:
            for (_, _, row, at), ranking in zip(targets, _rankings(*top), strict=True):
                rankings[row][at] = ranking
        return trees, values, rankings

    def _answer_plainly(
        self, queries: Sequence[Query], count: int, answered: Container[Query]
    ) -> Iterator[Predictions]:
        ordered = sorted(queries, key=lambda query: -len(query.ids))
        yield from compute_in_batches(
            ordered,
            lambda batch: len(batch) * len(batch[0].ids),
            self._plain_tokens,
            partial(self._compute_plainly, count=count),
            is_needed=lambda query: query not in answered,
            workers=self._workers,
        )

    def _compute_plainly(self, queries: Sequence[Query], *, count: int = 0) -> Predictions:
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
            predictions: Predictions = []
            for row, query in enumerate(queries):
                tokens = torch.tensor(query.ids[1:], device=device)
                rows = torch.arange(len(tokens), device=device)
                log_probs, *top = ranked_log_probs_at(
                    logits[row], lambda states: states.clone(), rows, tokens, count
                )
                rankings = tuple(_rankings(*top)) if count else ((),) * len(tokens)
                predictions.append((query, checked_values(log_probs), rankings))
        return predictions


def _predictions(
    queries: Sequence[Query],
    trees: Sequence[Tree],
    log_probs: Sequence[Sequence[float]],
    rankings: Sequence[Sequence[Ranking]],
) -> Predictions:
    """Collect the log-probabilities and rankings of each query from the trees."""
    return [
        (queries[number], tuple(values[at] for at in path), tuple(ranked[at] for at in path))
        for tree, values, ranked in zip(trees, log_probs, rankings, strict=True)
        for number, path in tree.paths
    ]


def _rankings(log_probs: Tensor, tokens: Tensor) -> Iterator[Ranking]:
    """Yield the pairs of token and log-probability of each row, without impossible tokens."""
    # Rounding may lift the logarithm of a certainty slightly above zero.
    for row, values in zip(tokens.tolist(), log_probs.clamp(max=0.0).tolist(), strict=True):
        yield tuple([pair for pair in zip(row, values, strict=True) if pair[1] > -math.inf])
