"""Compute how much work queries need, by any program, from the queries and the model's sizes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from horsesense.models import Query, QueryKind


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a model that determine its work, in multiplications per token."""

    layers: int
    body: int
    projections: int  # queries, keys and values of one layer
    head: int
    attention: int  # to a token
    attention_to_states: int  # to a token whose key and value are not computed

    @classmethod
    def of(cls, folder: Path) -> Sizes:
        """Read the sizes of the model in a folder, whose config uses the usual names."""
        from safetensors import safe_open

        config = json.loads((folder / "config.json").read_text())
        heads, hidden = config["num_attention_heads"], config["hidden_size"]
        body = dense = 0
        with safe_open(folder / "model.safetensors", "pt") as weights:
            for name in weights.keys():  # noqa: SIM118
                shape = weights.get_slice(name).get_shape()
                body += math.prod(shape) * (len(shape) == 2 and ".layer" in name)
                dense += math.prod(shape) * (name == "lm_head.dense.weight")
        return cls(
            layers=config["num_hidden_layers"],
            body=body,
            projections=3 * hidden * hidden,
            head=dense + hidden * config["vocab_size"],
            attention=2 * heads * (config.get("head_dim") or hidden // heads),
            attention_to_states=2 * heads * hidden,
        )


@dataclass(frozen=True, slots=True)
class Work:
    """The tokens to be read and the operations they take, whatever the implementation.

    `distinct` counts the tokens of distinct texts (for a masked model, of masked copies). `needed`
    counts the tokens that no implementation can skip: a causal model reads a common prefix once,
    and the last token of a text not at all, since its continuation is not scored.
    """

    texts: int
    distinct: int
    nodes: int
    needed: int
    flops: int


def work_of(queries: Sequence[Query], sizes: Sizes) -> Work:
    """Compute the work needed to answer distinct queries."""
    if all(query.kind is QueryKind.CAUSAL for query in queries):
        return _causal(queries, sizes)
    return _masked(queries, sizes)


def _causal(queries: Sequence[Query], sizes: Sizes) -> Work:
    nodes = {query.ids[:end] for query in queries for end in range(1, len(query.ids) + 1)}
    needed = {query.ids[:end] for query in queries for end in range(1, len(query.ids))}
    seen = sum(map(len, needed))
    # Every token that is read predicts another one.
    flops = 2 * (len(needed) * (sizes.body + sizes.head) + seen * sizes.attention * sizes.layers)
    return Work(
        texts=len(queries),
        distinct=sum(len(query.ids) for query in queries),
        nodes=len(nodes),
        needed=len(needed),
        flops=flops,
    )


def _masked(queries: Sequence[Query], sizes: Sizes) -> Work:
    copies: dict[tuple[int, ...], set[int]] = {}
    for query in queries:
        for mask in query.masks:
            hidden = tuple(-1 if at in mask else token for at, token in enumerate(query.ids))
            copies.setdefault(hidden, set()).add(mask[0])
    tokens = sum(map(len, copies))
    flops = _flops_before(copies, sizes) + _flops_of_last(copies, sizes)
    distinct = sum(len(query.ids) * len(query.masks) for query in queries)
    return Work(len(copies), distinct, tokens, tokens, flops)


def _flops_before(copies: Iterable[tuple[int, ...]], sizes: Sizes) -> int:
    """Count all layers but the last.

    In the first layer, queries, keys and values depend only on a token and its position.
    """
    first = {placed for copy in copies for placed in enumerate(copy)}
    tokens = sum(map(len, copies))
    seen = sum(len(copy) ** 2 for copy in copies)
    later = sizes.body - sizes.body // sizes.layers - sizes.projections
    attention = seen * sizes.attention * (sizes.layers - 1)
    return 2 * (len(first) * sizes.projections + tokens * later + attention)


def _flops_of_last(copies: Mapping[tuple[int, ...], set[int]], sizes: Sizes) -> int:
    """Count the last layer, which is needed only for the masked tokens, and their logits."""
    masked = sum(map(len, copies.values()))
    seen = sum(len(copy) * len(places) for copy, places in copies.items())
    layer = sizes.body // sizes.layers
    return 2 * (masked * (layer + sizes.head) + seen * sizes.attention_to_states)
