"""How much there is to compute, whoever computes it: from the queries and the model's sizes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from horsesense.observation import Asking, Query


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a model that its work depends on, in multiplications for each token."""

    layers: int
    body: int
    keys_and_values: int  # of one layer
    head: int
    attention: int

    @classmethod
    def of(cls, folder: Path) -> Sizes:
        """The sizes of the model in a folder; its config has the names that most have."""
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
            keys_and_values=2 * hidden * hidden,
            head=dense + hidden * config["vocab_size"],
            attention=2 * heads * (config.get("head_dim") or hidden // heads),
        )


@dataclass(frozen=True, slots=True)
class Work:
    """Tokens to be read and what they take; nothing in it depends on how it is done.

    `distinct` are the tokens of distinct texts (masked copies, of a masked model), `needed` those
    without which nothing is left out: a causal model reads a common beginning once, and the last
    token of a text not at all, since nobody asks for what follows.
    """

    texts: int
    distinct: int
    nodes: int
    needed: int
    flops: int


def work_of(queries: Sequence[Query], sizes: Sizes) -> Work:
    """What it takes to answer distinct queries."""
    if all(query.asking is Asking.CAUSAL for query in queries):
        return _causal(queries, sizes)
    return _masked(queries, sizes)


def _causal(queries: Sequence[Query], sizes: Sizes) -> Work:
    nodes = {query.ids[:end] for query in queries for end in range(1, len(query.ids) + 1)}
    needed = {query.ids[:end] for query in queries for end in range(1, len(query.ids))}
    seen = sum(map(len, needed))
    # After every token that is read another one is asked for.
    asked = len(needed)
    return Work(
        texts=len(queries),
        distinct=sum(len(query.ids) for query in queries),
        nodes=len(nodes),
        needed=len(needed),
        flops=_flops(sizes, tokens=len(needed), asked=asked, seen=seen, seen_last=seen),
    )


def _masked(queries: Sequence[Query], sizes: Sizes) -> Work:
    copies: dict[tuple[int, ...], set[int]] = {}
    for query in queries:
        for mask in query.masks:
            hidden = tuple(-1 if at in mask else one for at, one in enumerate(query.ids))
            copies.setdefault(hidden, set()).add(mask[0])
    tokens = sum(map(len, copies))
    asked = sum(map(len, copies.values()))
    seen = sum(len(copy) ** 2 for copy in copies)
    seen_last = sum(len(copy) * len(places) for copy, places in copies.items())
    flops = _flops(sizes, tokens=tokens, asked=asked, seen=seen, seen_last=seen_last)
    return Work(len(copies), _lengths(queries), tokens, tokens, flops)


def _lengths(queries: Iterable[Query]) -> int:
    return sum(len(query.ids) * len(query.masks) for query in queries)


def _flops(sizes: Sizes, *, tokens: int, asked: int, seen: int, seen_last: int) -> int:
    """Two for each multiplication; `seen` counts the tokens that each token attends to.

    In the last layer only what is asked for need go further than to keys and values.
    """
    layer = sizes.body // sizes.layers
    before = tokens * (sizes.body - layer) + seen * sizes.attention * (sizes.layers - 1)
    last = tokens * sizes.keys_and_values + seen_last * sizes.attention
    further = asked * (layer - sizes.keys_and_values + sizes.head)
    return 2 * (before + last + further)
