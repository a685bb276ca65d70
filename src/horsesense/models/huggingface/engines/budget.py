"""Batch sizes that fit the memory, and batches computed in parallel, one per core.

Torch splits every operation among the cores, which wait for each other after each one. With one
batch per core no core waits, and the output of a layer stays in the cache of the core that needs
it next.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import Any, TypeVar

from horsesense.errors import ModelError

Batch = TypeVar("Batch")
Result = TypeVar("Result")


def workers_for(device: Any) -> int:
    """Return how many batches to compute in parallel: one per core on a CPU, otherwise one."""
    import torch

    return torch.get_num_threads() if torch.device(device).type == "cpu" else 1


def run_parallel(
    batches: Iterable[Batch], compute: Callable[[Batch], Result], workers: int
) -> Iterator[Result]:
    """Compute several batches at once, and yield the results in order.

    Batches are drawn from the iterable as they are needed. A single batch uses all cores. If
    torch is limited to one thread, nothing runs in parallel.
    """
    import torch

    threads = torch.get_num_threads()
    source = iter(batches)
    first = list(islice(source, 2))
    if min(workers, threads) == 1 or len(first) < 2:
        yield from map(compute, chain(first, source))
        return
    torch.set_num_threads(1)
    pool = ThreadPoolExecutor(workers)
    try:
        running: deque[Future[Result]] = deque()
        for batch in chain(first, source):
            running.append(pool.submit(compute, batch))
            if len(running) > workers:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
        torch.set_num_threads(threads)


Item = TypeVar("Item")

# Larger batches are not faster, as their activations no longer fit the processor's cache.
# Measured; see docs/explanation/performance.md.
TOKENS_IN_CACHE = 384
# Tensors as wide as the widest layer that exist at once, with a safety margin.
_LIVE_TENSORS = 12
# The fixed cost of a batch, in tokens.
_BATCH_OVERHEAD = 16
# The limit of a batch is lowered in steps of 1/_STEPS, at most to a half.
_STEPS = 32


def tokens_per_batch(widest: int, budget_bytes: int, *, most: int = TOKENS_IN_CACHE) -> int:
    """Return how many tokens fit a batch if the widest layer has `widest` units.

    The result is limited by the memory and by `most`.

    >>> tokens_per_batch(1000, 1 << 30), tokens_per_batch(1000, 1 << 30, most=64)
    (384, 64)
    """
    affordable = budget_bytes // (4 * _LIVE_TENSORS * widest)
    return max(1, min(affordable, most))


def positions_per_batch(vocabulary: int, budget_bytes: int) -> int:
    """Return for how many positions the logits and their exponentials fit the memory."""
    return max(1, budget_bytes // (12 * vocabulary))


def compute_in_batches(
    items: Sequence[Item],
    size: Callable[[Sequence[Item]], int],
    limit: int,
    compute: Callable[[Sequence[Item]], Result],
    *,
    is_needed: Callable[[Item], bool] = lambda item: True,
    workers: int = 1,
) -> Iterator[Result]:
    """Compute items in batches whose size is within the limit.

    An item larger than the limit gets a batch to itself. If memory runs out, later batches are
    smaller. Items that are not needed are left out of their batches, which are otherwise
    unchanged, so a resumed run computes the same batches as an uninterrupted one.
    """

    def portions(within: Callable[[], int]) -> Iterator[Sequence[Item]]:
        start = 0
        while start < len(items):
            end = start + 1
            while end < len(items) and size(items[start : end + 1]) <= within():
                end += 1
            yield items[start:end]
            start = end

    limit = balanced_limit(limit, lambda most: map(size, portions(lambda: most)), workers)

    def lower(batch: Sequence[Item]) -> None:
        nonlocal limit
        limit = max(1, min(limit, size(batch) // 2))

    needed = ([item for item in portion if is_needed(item)] for portion in portions(lambda: limit))
    return compute_batches(filter(None, needed), compute, on_out_of_memory=lower, workers=workers)


def balanced_limit(limit: int, sizes: Callable[[int], Iterable[int]], workers: int) -> int:
    """Return the limit, not above the given one, at which parallel workers finish first.

    With batches of maximum size, some workers are idle at the end: five batches take two workers
    as long as six. `sizes` returns the batch sizes for a limit.

    >>> balanced_limit(500, lambda limit: [limit] * (2000 // limit) + [2000 % limit], 3)
    343
    """
    if workers == 1:
        return limit
    limits = [max(1, limit * step // _STEPS) for step in range(_STEPS, _STEPS // 2 - 1, -1)]
    return min(limits, key=lambda candidate: _finish_time([*sizes(candidate)], workers))


def _finish_time(sizes: Sequence[int], workers: int) -> float:
    """Estimate when the last batch is done; each goes to the next free worker.

    A single batch uses all workers.
    """
    if len(sizes) == 1:
        return (sizes[0] + _BATCH_OVERHEAD) / workers
    busy = [0] * workers
    for size in sizes:
        heapq.heapreplace(busy, busy[0] + size + _BATCH_OVERHEAD)
    return max(busy)


def compute_batches(
    batches: Iterable[Sequence[Item]],
    compute: Callable[[Sequence[Item]], Result],
    *,
    on_out_of_memory: Callable[[Sequence[Item]], None],
    workers: int = 1,
) -> Iterator[Result]:
    """Compute batches in order; if memory runs out, call `on_out_of_memory` and halve the batch."""

    def compute_or_halve(batch: Sequence[Item]) -> list[Result]:
        try:
            return [compute(batch)]
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            if len(batch) == 1:
                raise ModelError(
                    "not enough memory for a single row of tokens; close other programs"
                ) from error
        on_out_of_memory(batch)
        half = len(batch) // 2
        return [*compute_or_halve(batch[:half]), *compute_or_halve(batch[half:])]

    for results in run_parallel(batches, compute_or_halve, workers):
        yield from results


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error was caused by lack of memory."""
    return isinstance(error, MemoryError) or "memory" in str(error).lower()
