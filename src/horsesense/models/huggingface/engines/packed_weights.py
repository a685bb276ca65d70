"""An optimized model: a copy whose matrices are packed as oneDNN multiplies them.

Packed blocks stay in the processor's cache. oneDNN adds up in one go what MKL, with which torch
multiplies, adds up in parts, and its rounding grows with the sum: measured, it is 1.5 times MKL's
for 768 numbers and twice MKL's for 1,536. So longer sums are made in parts here too.

The network as it was loaded is left alone: it answers one by one, and so tells whether what comes
out of the copy is right.
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

from horsesense.models.huggingface.engines.log_probs import Head, tiled

# The longest sum that is made in one go, and so the most that is computed of a layer's width.
_LONGEST_SUM = 1024
# The activation that can be computed in place, as torch and as transformers call it.
_SILU = ("SiLU", "SiLUActivation")


class PackedLinear(torch.nn.Module):
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


class PackedGate(torch.nn.Module):
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
            (*rising, PackedLinear(weight, None if number else down.bias))
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


def _in_rows(layer: torch.nn.Linear, width: int) -> list[PackedLinear]:
    """A layer in parts, each of which makes so many of the numbers that come out of it."""
    weights = torch.split(layer.weight, width)
    biases = [None] * len(weights) if layer.bias is None else torch.split(layer.bias, width)
    return [PackedLinear(weight, bias) for weight, bias in zip(weights, biases, strict=True)]


def _multiplied(states: Tensor, blocks: Tensor, bias: Tensor | None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(states, blocks, bias, "none", [], "")
    return product


# A matrix that is laid out takes its room twice; so much may be taken by layers, and by a head.
_ROOM_BYTES, _HEAD_ROOM_BYTES = 1 << 29, 1 << 28
# By so many times the usual tolerance the two may differ on tokens without sense: on these MKL
# alone is off by twice that tolerance from what float64 gives. On real sentences they differ less.
ROUNDING = 10
_PROCESSORS = Path("/proc/cpuinfo")


def copied(network: Any) -> Any:
    """The body of a network, of parts that may be exchanged, with the weights of this one.

    None where it cannot be copied.
    """
    shared = [*network.parameters(), *network.buffers(), network.get_input_embeddings()]
    try:
        return deepcopy(network.base_model, {id(one): one for one in shared}).eval()
    except Exception:  # whatever is in the way, such as hooks of those who spread it over devices
        return None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A layer that another one stands for now."""

    module: Any
    name: str
    layer: Any

    def put_back(self) -> None:
        """Make it as it was."""
        setattr(self.module, self.name, self.layer)


def pack_weights(body: Any, *, room_bytes: int = _ROOM_BYTES) -> list[Exchanged]:
    """Lay out the matrices of linear layers, where it pays and as many as there is room for."""
    exchanged = []
    for old, weights, make in _layers(body) if _pays(body) else ():
        needed = sum(weight.nbytes for weight in weights)
        if needed <= room_bytes:
            room_bytes -= needed
            setattr(old.module, old.name, make())
            exchanged.append(old)
    return exchanged


def _layers(module: Any) -> Iterator[tuple[Exchanged, list[Tensor], Callable[[], Any]]]:
    """The layers within a module that can be laid out, their matrices, and how to do it."""
    for name, layer in module.named_children():
        old = Exchanged(module, name, layer)
        if gated := PackedGate.matrices(layer):
            yield old, gated, partial(PackedGate, layer)
        elif (weight := _matrix(layer)) is not None:
            yield old, [weight], partial(PackedLinear, weight, layer.bias)
        else:
            yield from _layers(layer)


def packed_head(head: Head) -> Head:
    """The head with its matrix laid out, if it is one alone, where it pays and there is room."""
    if not isinstance(head, torch.nn.Linear) or not _pays(head.weight):
        return head
    return tiled(head, PackedLinear) if head.weight.nbytes <= _HEAD_ROOM_BYTES else head


def _matrix(layer: Any) -> Tensor | None:
    """The matrix of a linear layer, a row for each number that comes out; None for other layers."""
    if type(layer) is torch.nn.Linear:
        return layer.weight
    if type(layer).__name__ == "Conv1D":  # GPT-2's, which lies the other way round
        transposed: Tensor = layer.weight.t()
        return transposed
    return None


def _pays(computed: Any) -> bool:
    """Torch multiplies by MKL, which keeps its best for the processors of its own maker.

    On others oneDNN is faster by a tenth; measured on one of AMD's, see docs/performance.md.
    """
    is_plain = computed.dtype == torch.float32 and computed.device.type == "cpu"
    return is_plain and has_onednn() and _maker() == "AuthenticAMD"


def _maker() -> str:
    """Who made the processor; nothing where that is not told."""
    try:
        lines = _PROCESSORS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    told = (line.partition(":") for line in lines)
    return next((value.strip() for name, _, value in told if name.strip() == "vendor_id"), "")
