"""The first and the last layer of BERT and its kin, in which there is much less to compute.

A sentence is read in as many masked copies as it has tokens. Before the first layer, a token is
the same in all copies that do not mask it: its query, key and value are computed once. In the last
layer nothing is asked for but what stands at the masks. There a query meets the states themselves:
instead of multiplying every state by the matrix of keys, the query is multiplied by it, once, and
likewise for the values.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor


class Asked(threading.local):
    """What is asked of a batch, which the ends have to know; every thread has one of its own.

    `rows` are the positions that are asked for. `distinct` are places where tokens stand that
    are all different, and `of_each` tells for every place which of them is the same.
    """

    rows: Tensor | None = None
    distinct: Tensor | None = None
    of_each: Tensor | None = None

    @contextmanager
    def only(self, inputs: dict[str, Any], rows: Tensor) -> Iterator[None]:
        """Compute these positions of a batch for the time being."""
        self.rows = rows
        self.distinct, self.of_each = _distinct(inputs)
        try:
            yield
        finally:
            self.rows = self.distinct = self.of_each = None


def _distinct(inputs: dict[str, Any]) -> tuple[Tensor, Tensor]:
    """Tokens are the same where they stand at the same position of their sentence."""
    ids: Tensor = inputs["input_ids"]
    positions = inputs.get("position_ids")
    if positions is None:
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    numbers = (ids * (positions.max() + 1) + positions).flatten()
    of_each = torch.unique(numbers, return_inverse=True)[1]
    places = torch.arange(len(numbers), device=ids.device)
    distinct = places.new_empty(int(of_each.max()) + 1).scatter_(0, of_each, places)
    return distinct, of_each


class Once(torch.nn.Module):
    """A layer that computes the same token once."""

    def __init__(self, layer: Any, asked: Asked) -> None:
        super().__init__()
        self._layer, self._asked = layer, asked

    def forward(self, states: Tensor) -> Tensor:
        """What the layer makes of all states."""
        distinct, of_each = self._asked.distinct, self._asked.of_each
        made: Tensor = self._layer(torch.flatten(states, 0, 1)[distinct])
        return made[of_each].view(*states.shape[:-1], -1)


class LastAttention(torch.nn.Module):
    """Attention of the positions that are asked for, which alone go further."""

    def __init__(self, attention: Any, asked: Asked) -> None:
        super().__init__()
        self._attention, self._asked = attention, asked
        inner = attention.self
        self._heads, self._scaling = inner.num_attention_heads, inner.scaling
        # A head's part of a matrix: its width by that of the states.
        self._keys = inner.key.weight.detach().unflatten(0, (self._heads, -1))
        self._values = inner.value.weight.detach().unflatten(0, (self._heads, -1))

    def forward(
        self, states: Tensor, attention_mask: Tensor | None = None, **_: Any
    ) -> tuple[Tensor, None]:
        """The states after attention, a single row of those that are asked for."""
        rows, inner = self._asked.rows, self._attention.self
        assert rows is not None
        kept = torch.flatten(states, 0, 1)[rows]
        row, place = rows // states.shape[1], rows % states.shape[1]
        seen = states[row]
        queries = inner.query(kept).unflatten(-1, (self._heads, -1)).transpose(0, 1)
        # The keys' bias adds the same to all that a query sees, which makes no difference.
        scores = (queries @ self._keys).transpose(0, 1) @ seen.transpose(1, 2) * self._scaling
        if attention_mask is not None:
            mask = attention_mask.expand(-1, -1, states.shape[1], -1)
            scores = _masked(scores, mask[row, :, place])
        mixed = scores.softmax(-1) @ seen
        values = mixed.transpose(0, 1) @ self._values.transpose(1, 2)
        found = torch.flatten(values.transpose(0, 1), 1)
        if inner.value.bias is not None:
            found = found + inner.value.bias
        return self._attention.output(found, kept)[None], None


def _masked(scores: Tensor, mask: Tensor) -> Tensor:
    """Scores without what a mask bars, whether it tells what is seen or adds what bars the rest."""
    if mask.dtype == torch.bool:
        return scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores + mask


def shorten_ends(body: Any) -> Asked | None:
    """Exchange the first and the last layer for shorter ones; None where they are of another kind.

    What comes out of the body then is what is asked of its batches.
    """
    layers = getattr(getattr(body, "encoder", None), "layer", None)
    if layers is None or len(layers) < 2 or not all(map(_is_of_the_kin, (layers[0], layers[-1]))):
        return None
    asked = Asked()
    first = layers[0].attention.self
    for name in ("query", "key", "value"):
        setattr(first, name, Once(getattr(first, name), asked))
    layers[-1].attention = LastAttention(layers[-1].attention, asked)
    return asked


def _is_of_the_kin(layer: Any) -> bool:
    attention = getattr(layer, "attention", None)
    inner = getattr(attention, "self", None)
    names = ("query", "key", "value", "num_attention_heads", "scaling")
    return hasattr(attention, "output") and all(hasattr(inner, name) for name in names)
