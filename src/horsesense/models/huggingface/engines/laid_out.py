"""Layers whose matrices lie in blocks, as oneDNN multiplies them, and which stay in the cache.

oneDNN adds up in one go what MKL, with which torch multiplies, adds up in parts, and its rounding
grows with the sum: measured, it is 1.5 times MKL's for 768 numbers and twice MKL's for 1,536. So
longer sums are made in parts here too.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

import torch
from torch import Tensor

# The longest sum that is made in one go, and so the most that is computed of a layer's width.
_LONGEST_SUM = 1024
# The activation that can be computed in place, as torch and as transformers call it.
_SILU = ("SiLU", "SiLUActivation")


class LaidOut(torch.nn.Module):
    """A linear layer. One that adds up much is in several parts, each of which adds up some."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.bias = bias
        self._width = _even_width(weight.shape[1])
        with torch.no_grad():
            self._parts = [
                torch.ops.mkldnn._reorder_linear_weight(part.contiguous())
                for part in torch.split(weight.detach(), self._width, 1)
            ]

    def forward(self, states: Tensor) -> Tensor:
        """The states multiplied by the matrix, with the bias."""
        seen = torch.split(states, self._width, -1)
        product = _multiplied(seen[0], self._parts[0], self.bias)
        for some, part in zip(seen[1:], self._parts[1:], strict=True):
            product += _multiplied(some, part, None)
        return product


class GatedInParts(torch.nn.Module):
    """A feed-forward layer with a gate, as Llama and its kin have it, a part of it at a time.

    What is computed in between then stays in the cache.
    """

    def __init__(self, layer: Any) -> None:
        super().__init__()
        is_silu = type(layer.act_fn).__name__ in _SILU
        self._activation = torch.nn.SiLU(inplace=True) if is_silu else layer.act_fn
        gate, up, down = layer.gate_proj, layer.up_proj, layer.down_proj
        width = _even_width(down.weight.shape[1])
        downwards = torch.split(down.weight, width, 1)
        self._parts = [
            (*rising, LaidOut(weight, None if number else down.bias))
            for number, (*rising, weight) in enumerate(
                zip(_in_rows(gate, width), _in_rows(up, width), downwards, strict=True)
            )
        ]

    @staticmethod
    def matrices(layer: Any) -> list[Tensor]:
        """The matrices of a layer of this kind; none of other layers."""
        names = ("gate_proj", "up_proj", "down_proj")
        inner: list[Any] = [getattr(layer, name, None) for name in names]
        is_gated = all(type(one) is torch.nn.Linear for one in inner)
        return [one.weight for one in inner] if is_gated and hasattr(layer, "act_fn") else []

    def forward(self, states: Tensor) -> Tensor:
        """What the layer makes of the states."""
        made = (
            down(self._activation(gate(states)).mul_(up(states))) for gate, up, down in self._parts
        )
        total: Tensor = reduce(Tensor.add_, made)
        return total


def has_onednn() -> bool:
    """True where torch was built with oneDNN and has the operations that are used of it here."""
    names = ("_reorder_linear_weight", "_linear_pointwise")
    is_available: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return is_available and all(hasattr(torch.ops.mkldnn, name) for name in names)


def _even_width(width: int) -> int:
    """How wide the parts are that a width falls into; the last of them may be narrower.

    >>> _even_width(576), _even_width(1536), _even_width(3000)
    (576, 768, 1000)
    """
    return math.ceil(width / math.ceil(width / _LONGEST_SUM))


def _in_rows(layer: torch.nn.Linear, width: int) -> list[LaidOut]:
    """A layer in parts, each of which makes so many of the numbers that come out of it."""
    weights = torch.split(layer.weight, width)
    biases = [None] * len(weights) if layer.bias is None else torch.split(layer.bias, width)
    return [LaidOut(weight, bias) for weight, bias in zip(weights, biases, strict=True)]


def _multiplied(states: Tensor, blocks: Tensor, bias: Tensor | None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(states, blocks, bias, "none", [], "")
    return product
