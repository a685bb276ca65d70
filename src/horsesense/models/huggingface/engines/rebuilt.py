"""A second network on the same weights, rebuilt to compute faster what the first one computes.

The network as it was loaded is left alone: it answers one by one, and so tells whether what comes
out of the rebuilt one is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from horsesense.models.huggingface.engines.head import Head, tiled
from horsesense.models.huggingface.engines.laid_out import GatedInParts, LaidOut, has_onednn

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


def lay_out(body: Any, *, room_bytes: int = _ROOM_BYTES) -> list[Exchanged]:
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
        if gated := GatedInParts.matrices(layer):
            yield old, gated, partial(GatedInParts, layer)
        elif (weight := _matrix(layer)) is not None:
            yield old, [weight], partial(LaidOut, weight, layer.bias)
        else:
            yield from _layers(layer)


def laid_out_head(head: Head) -> Head:
    """The head with its matrix laid out, if it is one alone, where it pays and there is room."""
    if not isinstance(head, torch.nn.Linear) or not _pays(head.weight):
        return head
    return tiled(head, LaidOut) if head.weight.nbytes <= _HEAD_ROOM_BYTES else head


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
