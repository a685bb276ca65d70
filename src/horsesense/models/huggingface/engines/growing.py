"""A tree of tokens that grows at its leaves, with the keys and values of its nodes, in one row.

The tree says which nodes a new one sees. The cache keeps the keys and values of all nodes with room
for more, as copying all of them for each new token would take longer than computing it. The
attention reads them where they are, also if several heads share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor
from transformers.cache_utils import Cache, DynamicLayer

from horsesense.models.huggingface.engines.layouts import replace_attention

# The name of our attention for single rows in transformers.
_ROW_ATTENTION = "horsesense-single-row"
# How many nodes fit a new cache at least.
_SMALLEST_ROOM = 256

# The keys and the values of each layer.
Layers: TypeAlias = "list[tuple[Tensor, Tensor]]"


class GrowingTree:
    """A tree of tokens to which more are added; a node is numbered by when it was added."""

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.depths: list[int] = []
        self._parents: list[int] = []
        self._children: dict[tuple[int, int], int] = {}

    def add(self, parent: int, token: int) -> int:
        """Add a token after a node, or after nothing if that is -1, and return its node."""
        self.tokens.append(token)
        self._parents.append(parent)
        self.depths.append(self.depths[parent] + 1 if parent >= 0 else 0)
        return len(self.tokens) - 1

    def add_path(self, node: int, tokens: Sequence[int]) -> int:
        """Add tokens after a node, one after another, as far as they are new; return the last."""
        for token in tokens:
            key = node, token
            if key not in self._children:
                self._children[key] = self.add(*key)
            node = self._children[key]
        return node

    def visible(self, nodes: Sequence[int]) -> Any:
        """Return a row for each of the latest nodes, which is true at it and at its ancestors."""
        rows = np.zeros((len(nodes), nodes[-1] + 1), dtype=bool)
        row_of: dict[int, int] = {}
        for row, node in enumerate(nodes):
            ancestor = self._parents[node]
            while ancestor >= 0 and ancestor not in row_of:
                rows[row, ancestor] = True
                ancestor = self._parents[ancestor]
            if ancestor >= 0:
                rows[row] |= rows[row_of[ancestor]]
            rows[row, node] = True
            row_of[node] = row
        return rows


def new_cache(layers: Layers) -> Cache:
    """Return a cache for keys and values, with those of a common beginning."""
    cache = Cache(layer_class_to_replicate=_RoomyLayer)
    for number, (keys, values) in enumerate(layers):
        cache.update(keys, values, number)
    return cache


def layers_of(cache: Any) -> Layers:
    """Return the keys and values in a cache."""
    return [(layer.keys, layer.values) for layer in cache.layers]


class _RoomyLayer(DynamicLayer):  # type: ignore[no-untyped-call]
    """The keys and values of a layer, with room for as many again.

    It keeps everything, even if the layer sees only some of it.
    """

    _key_room: Tensor | None = None
    _value_room: Tensor | None = None

    def update(
        self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any
    ) -> tuple[Tensor, Tensor]:
        """Add keys and values, and return all."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        length = self.get_seq_length()
        self._key_room, self.keys = _extended(self._key_room, length, key_states)
        self._value_room, self.values = _extended(self._value_room, length, value_states)
        return self.keys, self.values


def _extended(room: Tensor | None, length: int, states: Tensor) -> tuple[Tensor, Tensor]:
    """Write states after the first `length` ones; return the room and the part that is used."""
    end = length + states.shape[2]
    if room is None or end > room.shape[2]:
        shape = list(states.shape)
        shape[2] = max(_SMALLEST_ROOM, end * 3 // 2)
        larger = states.new_empty(shape)
        if room is not None:
            larger[:, :, :length] = room[:, :, :length]
        room = larger
    room[:, :, length:end] = states
    return room, room[:, :, :end]


def use_row_attention(body: Any) -> bool:
    """Replace a body's attention by one for single rows; return False if that is not possible.

    It requires torch's own attention, float32 and a CPU, where torch copies the keys and values for
    each head that shares them.
    """
    return replace_attention(body, _ROW_ATTENTION, _attend)


def _attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor,
    *,
    scaling: float | None = None,
    **settings: Any,
) -> tuple[Tensor, None]:
    """Compute attention; heads that share keys become rows of one product."""
    heads, shared, width = query.shape[1], key.shape[1], query.shape[3]
    scale = width**-0.5 if scaling is None else scaling
    queries = query[0].reshape(shared, -1, width)
    bias = mask[0].repeat(1, heads // shared, 1).expand(shared, -1, -1)
    scores = torch.baddbmm(bias, queries, key[0].transpose(1, 2), alpha=scale)
    mixed = torch.bmm(scores.softmax(-1), value[0])
    return mixed.view(heads, query.shape[2], -1).transpose(0, 1)[None], None
