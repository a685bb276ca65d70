"""A second network on the same weights, rebuilt to compute faster what the first one computes.

The network as it was loaded is left alone: it answers one by one, and so tells whether what comes
out of the rebuilt one is right.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from horsesense.models.engines.head import Head, tiled

# A matrix that is laid out takes its room twice; so much may be taken by layers, and by a head.
_ROOM_BYTES, _HEAD_ROOM_BYTES = 1 << 29, 1 << 28
# oneDNN adds up in one go what MKL adds up in parts. Measured, its rounding is 1.5 times MKL's for
# sums of 768 numbers, and twice that of 1,536 and more.
_LONGEST_SUM = 1024
# By so many times the usual tolerance the two may differ on tokens without sense: on these MKL
# alone is off by twice that tolerance from what float64 gives. On real sentences they differ less.
ROUNDING = 10
_PROCESSORS = Path("/proc/cpuinfo")


class LaidOut(torch.nn.Module):
    """A linear layer whose matrix lies in blocks, as oneDNN multiplies it."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.weight, self.bias = weight, bias
        with torch.no_grad():
            blocks = torch.ops.mkldnn._reorder_linear_weight(weight.detach().contiguous())
        self._blocks = blocks

    def forward(self, states: Tensor) -> Tensor:
        """The states multiplied by the matrix, with the bias."""
        product: Tensor = torch.ops.mkldnn._linear_pointwise(
            states, self._blocks, self.bias, "none", [], ""
        )
        return product


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
    for module in list(body.modules()) if _pays(body) else ():
        for name, layer in module.named_children():
            weight = _matrix(layer)
            if weight is not None and weight.nbytes <= room_bytes:
                room_bytes -= weight.nbytes
                setattr(module, name, LaidOut(weight, layer.bias))
                exchanged.append(Exchanged(module, name, layer))
    return exchanged


def laid_out_head(head: Head) -> Head:
    """The head with its matrix laid out, if it is one alone, where it pays and there is room."""
    if not isinstance(head, torch.nn.Linear) or not _pays(head.weight):
        return head
    return tiled(head, LaidOut) if head.weight.nbytes <= _HEAD_ROOM_BYTES else head


def _matrix(layer: Any) -> Tensor | None:
    """The matrix of a linear layer, a row for each number that comes out.

    None for other layers, and for those that add up more than oneDNN does well.
    """
    weight: Tensor | None = None
    if type(layer) is torch.nn.Linear:
        weight = layer.weight
    elif type(layer).__name__ == "Conv1D":  # GPT-2's, which lies the other way round
        weight = layer.weight.t()
    return weight if weight is not None and weight.shape[1] <= _LONGEST_SUM else None


def _pays(computed: Any) -> bool:
    """Torch multiplies by MKL, which keeps its best for the processors of its own maker.

    On others oneDNN is faster by a tenth; measured on one of AMD's, see docs/performance.md.
    """
    is_plain = computed.dtype == torch.float32 and computed.device.type == "cpu"
    return is_plain and has_onednn() and _maker() == "AuthenticAMD"


def has_onednn() -> bool:
    """True where torch was built with oneDNN and has the operations that are used of it here."""
    names = ("_reorder_linear_weight", "_linear_pointwise")
    is_available: bool = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    return is_available and all(hasattr(torch.ops.mkldnn, name) for name in names)


def _maker() -> str:
    """Who made the processor; nothing where that is not told."""
    try:
        lines = _PROCESSORS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    told = (line.partition(":") for line in lines)
    return next((value.strip() for name, _, value in told if name.strip() == "vendor_id"), "")
