"""The engine of chat models: greedy replies to many conversations at once.

The conversations of a batch form one tree of tokens, in which shared beginnings occur once, and
each reply grows from a leaf. The whole batch is a single row without padding: a mask limits each
token to those before it in its own conversation, and its position id is its depth, so its numbers
are those of the conversation alone. What many conversations begin with is computed once for all
batches. Not every architecture supports this, so the engine checks it when a model is loaded, and
otherwise replies to one conversation at a time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import torch
from torch import Tensor

from horsesense.models.huggingface.engines.budget import (
    TOKENS_IN_CACHE,
    compute_in_batches,
    tokens_per_batch,
    workers_for,
)
from horsesense.models.huggingface.engines.growing import (
    GrowingTree,
    Layers,
    layers_of,
    new_cache,
    use_row_attention,
)
from horsesense.models.huggingface.engines.heads import causal_head
from horsesense.models.huggingface.engines.log_probs import Head, checked_values, tolerance
from horsesense.models.huggingface.engines.packed_weights import (
    ROUNDING_FACTOR,
    copy_body,
    pack_weights,
    packed_head,
)
from horsesense.models.huggingface.engines.packing import Ids
from horsesense.models.huggingface.self_tests import SelfTests
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers, ModelInfo
from horsesense.models.query import Query, causal_query

# Conversations that are continued together: at most so many, and fewer if they are long, in inverse
# proportion to the square root of their length. Each token attends to the whole row, so more are
# not faster. Measured; see docs/explanation/performance.md.
_CONVERSATIONS, _TIMES_ROOT_OF_LENGTH = 24, 220
# Neighbours in alphabetical order among which a common beginning is looked for.
_NEIGHBOURS = 512
# The names of limits on how far back a token sees.
_WINDOW_NAMES = (
    "sliding_window",
    "window_size",
    "attention_window",
    "local_attention",
    "attention_chunk_size",
)
# The tokens of the longest conversation a model is checked with, and those of the replies.
_PROBED, _PROBED_REPLY = 48, 3


@dataclass(frozen=True, slots=True)
class Prompt:
    """The tokens of a conversation, the limit of its reply, and the number of alternatives."""

    ids: Ids
    limit: int
    top: int = 0


@dataclass(slots=True)
class Generated:
    """The tokens of a reply so far, with their log-probabilities and those of alternatives."""

    ids: list[int] = field(default_factory=list)
    log_probs: list[float] = field(default_factory=list)
    alternatives: list[tuple[tuple[int, float], ...]] = field(default_factory=list)
    is_complete: bool = False


# The position of a prompt with the reply to it.
Numbered: TypeAlias = tuple[int, Generated]
# Take the open conversations and the logits after each, and return their next tokens.
_Choose: TypeAlias = "Callable[[Sequence[int], Tensor], Sequence[int | None]]"


class ReplyEngine:
    """Continue prompts with the most likely tokens, up to one of the tokens in `stops`.

    `batching` is "tree", or "plain" with the reason in `fallback_reason`. `batch` limits the
    tokens that are computed at once. Outcomes in `self_tests` are used, and new ones are added.
    """

    def __init__(
        self,
        network: Any,
        info: ModelInfo,
        *,
        stops: frozenset[int],
        budget_bytes: int = DEFAULT_BYTES,
        batch: int | None = None,
        self_tests: SelfTests | None = None,
    ) -> None:
        self.network, self.info = network, info
        self.self_tests = self_tests or SelfTests()
        self._stops = stops
        self._workers = workers_for(network.device)
        config = network.config.get_text_config()
        widest = max(getattr(config, "intermediate_size", None) or 4 * config.hidden_size, 1)
        self._worker_bytes = budget_bytes // self._workers
        self._tokens = tokens_per_batch(widest, self._worker_bytes, most=batch or TOKENS_IN_CACHE)
        self._conversations = min(_CONVERSATIONS, batch or _CONVERSATIONS)
        windows = [getattr(config, name, None) for name in _WINDOW_NAMES]
        self._window = min((w for w in windows if isinstance(w, int) and w > 1), default=None)
        self._body, self._head = network.base_model, causal_head(network)
        self.fallback_reason = self._optimize()
        self.batching = "plain" if self.fallback_reason else "tree"

    def reply(self, prompts: Sequence[Prompt]) -> Iterator[list[Numbered]]:
        """Yield batches of replies, each with the position of its prompt."""
        in_trees = [at for at, prompt in enumerate(prompts) if self._fits_tree(prompt)]
        in_trees.sort(key=lambda at: prompts[at].ids)
        for start in range(0, len(in_trees), _NEIGHBOURS):
            yield from self._reply_in_trees(prompts, in_trees[start : start + _NEIGHBOURS])
        others = [at for at, prompt in enumerate(prompts) if not self._fits_tree(prompt)]
        yield from compute_in_batches(
            others,
            len,
            1,
            lambda batch: [(at, self.reply_singly(prompts[at])) for at in batch],
            workers=self._workers,
        )

    def reply_singly(self, prompt: Prompt) -> Generated:
        """Reply to one prompt, without keeping anything from one token to the next."""
        reply = Generated()
        with torch.inference_mode():
            while not reply.is_complete and len(reply.ids) < prompt.limit:
                logits = self._logits((*prompt.ids, *reply.ids))[-1:]
                self._extend([reply], [prompt], logits)
        return reply

    def _logits(self, ids: Ids) -> Tensor:
        """Return the logits after each token of a text."""
        tokens = torch.tensor([ids], device=self.network.device)
        logits: Tensor = self.network(input_ids=tokens, use_cache=False).logits[0]
        return logits

    def _fits_tree(self, prompt: Prompt) -> bool:
        """Return False for a conversation beyond the sliding window, which needs another mask."""
        length = len(prompt.ids) + prompt.limit
        return self.batching == "tree" and length <= (self._window or length)

    def _reply_in_trees(
        self, prompts: Sequence[Prompt], order: Sequence[int]
    ) -> Iterator[list[Numbered]]:
        """Reply to prompts in alphabetical order, and compute their common beginning once."""
        shared = _shared_length(prompts[order[0]].ids, prompts[order[-1]].ids)
        beginning = prompts[order[0]].ids[:shared]
        layers = self._layers(beginning)
        longest = max(len(prompts[at].ids) - shared + prompts[at].limit for at in order)

        def compute(batch: Sequence[int]) -> list[Numbered]:
            replies = self._reply_together([prompts[at] for at in batch], beginning, layers)
            return list(zip(batch, replies, strict=True))

        most = min(self._conversations, self._affordable(longest))
        most = max(1, min(most, int(_TIMES_ROOT_OF_LENGTH / longest**0.5)))
        if self._window is not None:  # some architectures count it by places in the row
            most = max(1, min(most, (self._window - shared) // longest))
        yield from compute_in_batches(order, len, most, compute, workers=self._workers)

    def _affordable(self, length: int) -> int:
        """Return how many conversations of that length fit the memory, with room to grow."""
        config = self.network.config.get_text_config()
        heads = int(getattr(config, "num_attention_heads", None) or 1)
        shared = int(getattr(config, "num_key_value_heads", None) or heads)
        width = int(getattr(config, "head_dim", None) or config.hidden_size // heads)
        # Keys and values, and while they are copied for more room, again.
        numbers = 4 * int(config.num_hidden_layers) * shared * width
        return max(1, self._worker_bytes // (numbers * int(self.network.dtype.itemsize) * length))

    def _reply_together(
        self, prompts: Sequence[Prompt], beginning: Ids, layers: Layers
    ) -> list[Generated]:
        replies = [Generated() for _ in prompts]

        def choose(open_: Sequence[int], logits: Tensor) -> list[int | None]:
            self._extend([replies[at] for at in open_], [prompts[at] for at in open_], logits)
            return [
                None
                if replies[at].is_complete or len(replies[at].ids) == prompts[at].limit
                else replies[at].ids[-1]
                for at in open_
            ]

        self._grow([prompt.ids for prompt in prompts], beginning, layers, choose)
        return replies

    def _layers(self, beginning: Ids) -> Layers:
        """Compute the keys and the values of what all conversations begin with."""
        if not beginning:
            return []
        tree, cache = GrowingTree(), new_cache([])
        tree.add_path(-1, beginning)
        self._compute(tree, cache, range(len(beginning)))
        return layers_of(cache)

    @torch.inference_mode()
    def _grow(
        self, conversations: Sequence[Ids], beginning: Ids, layers: Layers, choose: _Choose
    ) -> None:
        """Continue conversations with chosen tokens until there is none for any of them."""
        tree, cache = GrowingTree(), new_cache(layers)
        root = tree.add_path(-1, beginning)
        leaves = [tree.add_path(root, ids[len(beginning) :]) for ids in conversations]
        states = self._compute(tree, cache, range(len(beginning), len(tree.tokens)))
        states = states[[leaf - len(beginning) for leaf in leaves]]
        open_ = list(range(len(conversations)))
        while True:
            tokens = choose(open_, self._head(states))
            grown = [
                (at, tree.add(leaves[at], token))
                for at, token in zip(open_, tokens, strict=True)
                if token is not None
            ]
            if not grown:
                return
            open_ = [at for at, _ in grown]
            for at, leaf in grown:
                leaves[at] = leaf
            states = self._compute(tree, cache, [leaf for _, leaf in grown])

    @torch.inference_mode()
    def _compute(self, tree: GrowingTree, cache: Any, nodes: Sequence[int]) -> Tensor:
        """Return the hidden states of new nodes of a tree, and add them to the cache."""
        parts = [
            self._compute_row(tree, cache, nodes[start : start + self._tokens])
            for start in range(0, len(nodes), self._tokens)
        ]
        return torch.cat(parts)

    def _compute_row(self, tree: GrowingTree, cache: Any, nodes: Sequence[int]) -> Tensor:
        device, dtype = self.network.device, self.network.dtype
        tokens = torch.tensor([[tree.tokens[node] for node in nodes]], device=device)
        depths = torch.tensor([[tree.depths[node] for node in nodes]], device=device)
        hidden = torch.from_numpy(tree.visible(nodes)).logical_not_().to(device, dtype)
        states: Tensor = self._body(
            input_ids=tokens,
            position_ids=depths + self.info.first_position,
            attention_mask=hidden.mul_(torch.finfo(dtype).min)[None, None],
            past_key_values=cache,
            use_cache=True,
        ).last_hidden_state
        return states[0]

    def _extend(
        self, replies: Sequence[Generated], prompts: Sequence[Prompt], logits: Tensor
    ) -> None:
        """Add the most likely token to each reply, or complete it."""
        log_probs = torch.log_softmax(logits.float(), -1)
        best = log_probs.amax(-1, keepdim=True)
        highest = checked_values(best[:, 0])
        # Of equal ones, the first; torch's own argmax of numbers may return any of them.
        tokens = (log_probs == best).to(torch.uint8).argmax(-1).tolist()
        values, others = log_probs.topk(max(prompt.top for prompt in prompts))
        columns = zip(
            replies, prompts, tokens, highest, others.tolist(), values.tolist(), strict=True
        )
        for reply, prompt, token, log_prob, tops, top_values in columns:
            if token in self._stops:
                reply.is_complete = True
            else:
                reply.ids.append(token)
                reply.log_probs.append(log_prob)
                pairs = zip(tops[: prompt.top], top_values[: prompt.top], strict=True)
                reply.alternatives.append(tuple(pairs))

    def _optimize(self) -> str:
        """Return why trees cannot be used; if they can, choose the fastest parts that agree."""
        if reason := self._mismatch("trees of conversations"):
            return reason
        body = copy_body(self.network)
        if body is None:
            return ""
        if use_row_attention(body) and not self._try_parts(
            "attention in a single row", body, self._head
        ):
            body = copy_body(self.network)
        replaced = pack_weights(body)
        if replaced and not self._try_parts(
            "packed weights", body, packed_head(self._head), within=ROUNDING_FACTOR
        ):
            for layer in replaced:
                layer.restore()
        return ""

    def _try_parts(self, name: str, body: Any, head: Head, *, within: int = 1) -> bool:
        """Use these parts from now on if they give the right numbers; return whether they do."""
        before = self._body, self._head
        self._body, self._head = body, head
        if not self._mismatch(name, within=within):
            return True
        self._body, self._head = before
        return False

    def _mismatch(self, part: str, *, within: int = 1) -> str:
        """Return how a part differs from single conversations; an empty string if they agree."""
        accepted = within * tolerance(self.network.dtype)
        return self.self_tests.run(
            part,
            self._forced,
            lambda: self._singles,
            tolerance=accepted,
            singles="single conversations",
        )

    @cached_property
    def _singles(self) -> dict[Query, tuple[float, ...]]:
        """Random conversations with replies, and the log-probabilities of these replies."""
        singles = {}
        for ids in _probes(self.info, self._window):
            with torch.inference_mode():
                log_probs = torch.log_softmax(self._logits(ids).float(), -1)
            rows = range(len(ids) - _PROBED_REPLY - 1, len(ids) - 1)
            values = torch.stack([log_probs[row, ids[row + 1]] for row in rows])
            singles[causal_query(ids)] = checked_values(values)
        return singles

    def _forced(self, queries: Sequence[Query]) -> Answers:
        """Compute the same in a tree that grows by the tokens of these replies."""
        ends = [query.ids[-_PROBED_REPLY:] for query in queries]
        values: list[list[float]] = [[] for _ in queries]

        def choose(open_: Sequence[int], logits: Tensor) -> list[int | None]:
            chosen: list[int | None] = []
            for at, row in zip(open_, torch.log_softmax(logits.float(), -1), strict=True):
                token = ends[at][len(values[at])]
                values[at].append(float(row[token]))
                chosen.append(token if len(values[at]) < _PROBED_REPLY else None)
            return chosen

        conversations = [query.ids[:-_PROBED_REPLY] for query in queries]
        shared = _shared_length(conversations[0], conversations[-1])
        beginning = conversations[0][:shared]
        self._grow(conversations, beginning, self._layers(beginning), choose)
        return [(query, tuple(row)) for query, row in zip(queries, values, strict=True)]


def _probes(info: ModelInfo, window: int | None) -> list[Ids]:
    """Return random conversations of different lengths, with a common beginning."""
    draw = random.Random(0)
    tokens = range(min(info.vocabulary, 20_000))
    row = None if window is None else window // 3  # all of them share a row
    longest = min(limit for limit in (row, info.context, _PROBED) if limit is not None)
    # A conversation has a token of its own, and the beginning one at least.
    lengths = sorted({max(_PROBED_REPLY + 2, longest * part // 4) for part in (2, 3, 4)})
    beginning = draw.choices(tokens, k=max(1, (lengths[0] - _PROBED_REPLY) // 2))
    return [(*beginning, *draw.choices(tokens, k=length - len(beginning))) for length in lengths]


def _shared_length(ids: Ids, other: Ids) -> int:
    """Return how many tokens two conversations share, without the last of either."""
    length = min(len(ids), len(other)) - 1
    return next((at for at in range(length) if ids[at] != other[at]), max(length, 0))
