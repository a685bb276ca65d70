"""The matrix multiplications that a piece of work consists of, and how fast the machine is at them.

What is recorded is what torch is really told to compute, padding and all, whoever tells it. The
machine's own rate is that of the same multiplications by themselves: shapes and shares as they
were recorded, nothing else between them.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeAlias

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from horsesense.models.huggingface.engines.packed_weights import PackedLinear, has_onednn

Shape: TypeAlias = tuple[int, int, int]
Products: TypeAlias = Mapping[Shape, Callable[[], torch.Tensor]]

# So many shapes are measured, those that make up most of the work.
_SHAPES = 24


class Multiplications(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Records the multiplications that are made while it is in force.

    `shapes` counts how often a matrix of m × k was multiplied by one of k × n; `attention` are
    the operations of attention, and `tokens` is how many tokens were looked up.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.shapes: Counter[Shape] = Counter()
        self.attention = 0
        self._looked_up: Counter[int] = Counter()

    @property
    def tokens(self) -> int:
        """How many tokens went through the model; positions are looked up in smaller tables."""
        return self._looked_up[max(self._looked_up)] if self._looked_up else 0

    @property
    def flops(self) -> int:
        """Floating-point operations: a multiplication and an addition are two."""
        return self.attention + sum(2 * math.prod(s) * n for s, n in self.shapes.items())

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Record an operation and let it happen, in its parts where it has some."""
        kwargs = kwargs or {}
        if func is not torch.ops.prim.device.default:
            with self:
                result = func.decompose(*args, **kwargs)
                if result is not NotImplemented:
                    return result
        note = _NOTES.get(func.overloadpacket.__name__)
        if note is not None:
            note(self, [arg.shape for arg in args if isinstance(arg, torch.Tensor)])
        return func(*args, **kwargs)

    def note_product(self, shapes: list[torch.Size]) -> None:
        """Note the product of the last two tensors: matrices, or several of them."""
        *several, m, k = shapes[-2]
        self.shapes[m, k, shapes[-1][-1]] += math.prod(several)

    def note_layer(self, shapes: list[torch.Size]) -> None:
        """Note the product of all states with the matrix of a layer, of which a row comes out."""
        *several, k = shapes[0]
        self.shapes[math.prod(several), k, shapes[1][0]] += 1

    def note_attention(self, shapes: list[torch.Size]) -> None:
        """Note attention of queries to keys and values: two products."""
        queries, keys = shapes[0], shapes[1]
        self.attention += 4 * math.prod(queries) * keys[-2]

    def note_lookup(self, shapes: list[torch.Size]) -> None:
        """Note that tokens, or positions, were looked up in a table."""
        table, looked_up = shapes
        self._looked_up[table[0]] += math.prod(looked_up)


_NOTES: dict[str, Callable[[Multiplications, list[torch.Size]], None]] = {
    "mm": Multiplications.note_product,
    "addmm": Multiplications.note_product,
    "bmm": Multiplications.note_product,
    "baddbmm": Multiplications.note_product,
    "_linear_pointwise": Multiplications.note_layer,
    "_scaled_dot_product_flash_attention_for_cpu": Multiplications.note_attention,
    "embedding": Multiplications.note_lookup,
}


def rates(recorded: Multiplications, *, seconds: float, threads: int) -> tuple[float, float]:
    """Floating-point operations a second when nothing but the recorded products is computed.

    The first rate is torch's own, with all threads at one product. The second is the fastest that
    we know how to get: that, or a product to each thread, as MKL or as oneDNN has it; so many
    seconds each.
    """
    counted = {shape: 2 * math.prod(shape) * n for shape, n in recorded.shapes.items()}
    shapes = sorted(counted, key=lambda shape: -counted[shape])[:_SHAPES]
    # Weights lie as those of a model do.
    layers = {(m, k, n): (torch.randn(m, k), torch.randn(n, k)) for m, k, n in shapes}
    by_mkl = {
        shape: partial(torch.nn.functional.linear, matrix, weights)
        for shape, (matrix, weights) in layers.items()
    }
    by_onednn = {
        shape: partial(PackedLinear(weights, None), matrix)
        for shape, (matrix, weights) in layers.items()
        if has_onednn()
    }
    torch.set_num_threads(threads)
    together = _rate(by_mkl, counted, seconds)
    torch.set_num_threads(1)
    with ThreadPoolExecutor(threads) as pool:
        apart = [
            sum(pool.map(lambda _, way=way: _rate(way, counted, seconds), range(threads)))
            for way in filter(None, (by_mkl, by_onednn))
        ]
    return together, max(together, *apart)


def _rate(products: Products, counted: Mapping[Shape, int], seconds: float) -> float:
    """The rate at which products are made; in turn, so that all see the same machine."""
    spent = dict.fromkeys(products, 0.0)
    rounds = -1  # the first one warms up
    with torch.inference_mode():
        while rounds < 1 or sum(spent.values()) < seconds:
            rounds += 1
            for shape, multiply in products.items():
                start = time.perf_counter()
                multiply()
                spent[shape] += (time.perf_counter() - start) * (rounds > 0)
    takes = {shape: spent[shape] / rounds / (2 * math.prod(shape)) for shape in products}
    whole = sum(counted[shape] for shape in products)
    return whole / sum(counted[shape] * takes[shape] for shape in products)
