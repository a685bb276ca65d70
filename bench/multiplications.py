"""Record the matrix multiplications of a job, and measure how fast the machine can do them.

Every multiplication that torch actually computes is recorded, padding included, whichever library
calls it. The machine's rate is measured by running the same multiplications alone: the same shapes
in the same proportions, with nothing else in between.
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

# How many shapes are measured: those that make up most of the work.
_SHAPES = 24


class Multiplications(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Records the multiplications that torch makes while this mode is active.

    `shapes` counts how often a matrix of m × k was multiplied by one of k × n, `attention` counts
    the operations of attention, and `tokens` the tokens that were looked up.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.shapes: Counter[Shape] = Counter()
        self.attention = 0
        self._looked_up: Counter[int] = Counter()

    @property
    def tokens(self) -> int:
        """Return how many tokens went through the model.

        Positions are looked up too, but in smaller tables.
        """
        return self._looked_up[max(self._looked_up)] if self._looked_up else 0

    @property
    def flops(self) -> int:
        """Return the floating-point operations; a multiplication and an addition are two."""
        return self.attention + sum(2 * math.prod(s) * n for s, n in self.shapes.items())

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Record an operation and run it, decomposed into its parts where possible."""
        kwargs = kwargs or {}
        if func is not torch.ops.prim.device.default:
            with self:
                result = func.decompose(*args, **kwargs)
                if result is not NotImplemented:
                    return result
        recorder = _RECORDERS.get(func.overloadpacket.__name__)
        if recorder is not None:
            recorder(self, [arg.shape for arg in args if isinstance(arg, torch.Tensor)])
        return func(*args, **kwargs)

    def record_product(self, shapes: list[torch.Size]) -> None:
        """Record the product of the last two tensors: matrices, or batches of them."""
        *several, m, k = shapes[-2]
        self.shapes[m, k, shapes[-1][-1]] += math.prod(several)

    def record_layer(self, shapes: list[torch.Size]) -> None:
        """Record the product of all states with the weight matrix of a layer, stored transposed."""
        *several, k = shapes[0]
        self.shapes[math.prod(several), k, shapes[1][0]] += 1

    def record_attention(self, shapes: list[torch.Size]) -> None:
        """Record the attention of queries to keys and values: two products."""
        queries, keys = shapes[0], shapes[1]
        self.attention += 4 * math.prod(queries) * keys[-2]

    def record_lookup(self, shapes: list[torch.Size]) -> None:
        """Record a lookup of tokens, or of positions, in a table."""
        table, looked_up = shapes
        self._looked_up[table[0]] += math.prod(looked_up)


_RECORDERS: dict[str, Callable[[Multiplications, list[torch.Size]], None]] = {
    "mm": Multiplications.record_product,
    "addmm": Multiplications.record_product,
    "bmm": Multiplications.record_product,
    "baddbmm": Multiplications.record_product,
    "_linear_pointwise": Multiplications.record_layer,
    "_scaled_dot_product_flash_attention_for_cpu": Multiplications.record_attention,
    "embedding": Multiplications.record_lookup,
}


def rates(recorded: Multiplications, *, seconds: float, threads: int) -> tuple[float, float]:
    """Measure the floating-point operations per second of the recorded products alone.

    The first rate is torch's own, with all threads working on one product. The second is the
    fastest we know how to get: the first one, or one product per thread, by MKL or by oneDNN.
    Each takes this many seconds.
    """
    counted = {shape: 2 * math.prod(shape) * n for shape, n in recorded.shapes.items()}
    shapes = sorted(counted, key=lambda shape: -counted[shape])[:_SHAPES]
    # Weights have the same memory layout as in a model.
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
    """Measure the rate of products, in turn, so that all run under the same load."""
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
