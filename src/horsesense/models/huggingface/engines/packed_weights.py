"""Packed weights: a copy of a model whose matrices are in oneDNN's blocked format.

Packed blocks stay in the processor's cache. oneDNN computes in one pass sums that MKL, torch's
default, splits, so its rounding error grows with the length of the sum: measured, it is 1.5 times
MKL's for 768 numbers and twice MKL's for 1,536. Therefore long sums are split here as well.

The loaded network stays unchanged. It answers single queries, against which the copy is checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from horsesense.models.huggingface.engines.log_probs import Head, tile_head

# The longest sum computed in one pass, and so the widest part of a layer.
_LONGEST_SUM = 1024
# The activation that can be computed in place, by its names in torch and in transformers.
_SILU = ("SiLU", "SiLUActivation")


class PackedLinear(torch.nn.Module):
    """A linear layer with packed weights, split into parts if its input is wide."""

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
        """Multiply the states by the matrix and add the bias."""
        slices = torch.split(states, self._width, -1)
        product = _multiply(slices[0], self._parts[0], self.bias)
        for some, part in zip(slices[1:], self._parts[1:], strict=True):
            product += _multiply(some, part, None)
        return product


class PackedGate(torch.nn.Module):
    """A gated feed-forward layer, as in Llama, computed in parts.

    The intermediate results of a part fit the cache.
    """

    def __init__(self, layer: Any) -> None:
        super().__init__()
        is_silu = type(layer.act_fn).__name__ in _SILU
        self._activation = torch.nn.SiLU(inplace=True) if is_silu else layer.act_fn
        gate, up, down = layer.gate_proj, layer.up_proj, layer.down_proj
        width = _even_width(down.weight.shape[1])
        down_weights = torch.split(down.weight, width, 1)
        self._parts = [
            (*gate_and_up, PackedLinear(weight, None if number else down.bias))
            for number, (*gate_and_up, weight) in enumerate(
                zip(_in_rows(gate, width), _in_rows(up, width), down_weights, strict=True)
            )
        ]

    @staticmethod
    def matrices(layer: Any) -> list[Tensor]:
        """Return the matrices of a gated layer, and an empty list for other layers."""
        names = ("gate_proj", "up_proj", "down_proj")
        inner: list[Any] = [getattr(layer, name, None) for name in names]
        is_gated = all(type(part) is torch.nn.Linear for part in inner)
        return [part.weight for part in inner] if is_gated and hasattr(layer, "act_fn") else []

    def forward(self, states: Tensor) -> Tensor:
        """Return the output of the layer."""
        outputs = (
            down(self._activation(gate(states)).mul_(up(states))) for gate, up, down in self._parts
        )
        total: Tensor = reduce(Tensor.add_, outputs)
        return total


def has_onednn() -> bool:
    """Return whether this torch has the oneDNN operations used here."""
    names = ("_reorder_linear_weight", "_linear_pointwise")
    is_available: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return is_available and all(hasattr(torch.ops.mkldnn, name) for name in names)


def _even_width(width: int) -> int:
    """Return the width of the parts that a width is split into; the last may be narrower.

    >>> _even_width(576), _even_width(1536), _even_width(3000)
    (576, 768, 1000)
    """
    return math.ceil(width / math.ceil(width / _LONGEST_SUM))


def _in_rows(layer: torch.nn.Linear, width: int) -> list[PackedLinear]:
    """Split a layer into parts that each compute `width` of its outputs."""
    weights = torch.split(layer.weight, width)
    biases = [None] * len(weights) if layer.bias is None else torch.split(layer.bias, width)
    return [PackedLinear(weight, bias) for weight, bias in zip(weights, biases, strict=True)]


def _multiply(states: Tensor, blocks: Tensor, bias: Tensor | None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(states, blocks, bias, "none", [], "")
    return product


# A packed matrix is a second copy. These limit the memory for layers and for a head.
_LAYER_BYTES, _HEAD_BYTES = 1 << 29, 1 << 28
# On random tokens, packed weights may differ by this many times the usual tolerance: there MKL
# itself differs from float64 by twice the tolerance. On real sentences they differ less.
ROUNDING_FACTOR = 10
_CPUINFO = Path("/proc/cpuinfo")


def copy_body(network: Any) -> Any:
    """Copy the body of a network so that its layers can be replaced; the weights are shared.

    Returns None if it cannot be copied.
    """
    shared = [*network.parameters(), *network.buffers(), network.get_input_embeddings()]
    try:
        return deepcopy(network.base_model, {id(part): part for part in shared}).eval()
    except Exception:  # for example hooks that distribute it over devices
        return None


@dataclass(frozen=True, slots=True)
class ReplacedLayer:
    """A layer that was replaced by another one."""

    module: Any
    name: str
    layer: Any

    def restore(self) -> None:
        """Put the original layer back."""
        setattr(self.module, self.name, self.layer)


def pack_weights(body: Any, *, budget_bytes: int = _LAYER_BYTES) -> list[ReplacedLayer]:
    """Pack the matrices of linear layers within the budget, if that is faster on this CPU."""
    replaced = []
    for old, weights, make in _layers(body) if _is_faster_packed(body) else ():
        needed = sum(weight.nbytes for weight in weights)
        if needed <= budget_bytes:
            budget_bytes -= needed
            setattr(old.module, old.name, make())
            replaced.append(old)
    return replaced


def _layers(module: Any) -> Iterator[tuple[ReplacedLayer, list[Tensor], Callable[[], Any]]]:
    """Yield the layers in a module that can be packed, their matrices, and how to pack them."""
    for name, layer in module.named_children():
        old = ReplacedLayer(module, name, layer)
        if gated := PackedGate.matrices(layer):
            yield old, gated, partial(PackedGate, layer)
        elif (weight := _matrix(layer)) is not None:
            yield old, [weight], partial(PackedLinear, weight, layer.bias)
        else:
            yield from _layers(layer)


def packed_head(head: Head) -> Head:
    """Return a head that is a single matrix with packed weights, and any other head unchanged."""
    if not isinstance(head, torch.nn.Linear) or not _is_faster_packed(head.weight):
        return head
    return tile_head(head, PackedLinear) if head.weight.nbytes <= _HEAD_BYTES else head


def _matrix(layer: Any) -> Tensor | None:
    """Return the matrix of a linear layer, one row per output, or None for other layers."""
    if type(layer) is torch.nn.Linear:
        return layer.weight
    if type(layer).__name__ == "Conv1D":  # GPT-2's, which is transposed
        transposed: Tensor = layer.weight.t()
        return transposed
    return None


def _is_faster_packed(module: Any) -> bool:
    """Return whether packed weights are faster, which depends on the CPU.

    Torch uses MKL, which is optimized for Intel processors. On AMD, oneDNN is about 10 % faster;
    see docs/explanation/performance.md.
    """
    is_plain = module.dtype == torch.float32 and module.device.type == "cpu"
    return is_plain and has_onednn() and _cpu_vendor() == "AuthenticAMD"


def _cpu_vendor() -> str:
    """Return the vendor of the processor, or an empty string if it is unknown."""
    try:
        lines = _CPUINFO.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    fields = (line.partition(":") for line in lines)
    return next((value.strip() for name, _, value in fields if name.strip() == "vendor_id"), "")
