"""Batches: as large as memory allows, and computed side by side, one on each core.

Torch by itself shares every operation out among the cores, and they wait for each other after
each. With a batch to each core nobody waits, and what a layer computes stays in the cache of
the core that needs it next.
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
    """How many batches go side by side: one to each core that torch may use, or one in all."""
    import torch

    return torch.get_num_threads() if torch.device(device).type == "cpu" else 1


def side_by_side(
    batches: Iterable[Batch], compute: Callable[[Batch], Result], workers: int
) -> Iterator[Result]:
    """Compute batches, several at once, and give what comes out in their order.

    Batches are made as they are needed. A single one has all cores to itself. With torch held to
    one thread there is no other.
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

DEFAULT_BYTES = 1 << 30
# More tokens than this do not make a batch quicker: what is computed for them no longer fits
# the processor's cache. Measured; see docs/performance.md.
TOKENS_IN_CACHE = 384
# Tensors as wide as the widest layer that are alive at once, with room to spare.
_ALIVE = 12
# What a batch costs beyond its tokens, in tokens: smaller batches are a little slower.
_EACH = 16
# Batches are made smaller in steps of this share of the limit, to half of it at most.
_STEPS = 32


def tokens_per_batch(widest: int, budget_bytes: int, *, most: int = TOKENS_IN_CACHE) -> int:
    """How many tokens go through a model at once, of which a layer is that wide.

    That is as many as the memory allows, and no more than suit the machine or its user.

    >>> tokens_per_batch(1000, 1 << 30), tokens_per_batch(1000, 1 << 30, most=64)
    (384, 64)
    """
    affordable = budget_bytes // (4 * _ALIVE * widest)
    return max(1, min(affordable, most))


def positions_per_batch(vocabulary: int, budget_bytes: int) -> int:
    """Of how many positions logits and their exponentials are held at once, with room to spare."""
    return max(1, budget_bytes // (12 * vocabulary))


def in_batches(
    items: Sequence[Item],
    size: Callable[[Sequence[Item]], int],
    limit: int,
    compute: Callable[[Sequence[Item]], Result],
    *,
    is_wanted: Callable[[Item], bool] = lambda item: True,
    workers: int = 1,
) -> Iterator[Result]:
    """Compute items in batches whose size is within the limit.

    An item that is larger than the limit has a batch to itself. After a lack of memory later
    batches are smaller. Items that are not wanted are left out of their batches, which
    stay what they are otherwise: a run that goes on computes what the first one would have.
    """

    def portions(within: Callable[[], int]) -> Iterator[Sequence[Item]]:
        start = 0
        while start < len(items):
            end = start + 1
            while end < len(items) and size(items[start : end + 1]) <= within():
                end += 1
            yield items[start:end]
            start = end

    limit = evened(limit, lambda most: map(size, portions(lambda: most)), workers)

    def lower(batch: Sequence[Item]) -> None:
        nonlocal limit
        limit = max(1, min(limit, size(batch) // 2))

    wanted = ([one for one in portion if is_wanted(one)] for portion in portions(lambda: limit))
    return read_batches(filter(None, wanted), compute, on_lack=lower, workers=workers)


def evened(limit: int, sizes: Callable[[int], Iterable[int]], workers: int) -> int:
    """The limit, up to the one given, by which workers side by side are done first.

    Batches as large as they may be leave some idle in the end: five of them take two workers as
    long as six. `sizes` tells how large the batches are within a limit.

    >>> evened(500, lambda limit: [limit] * (2000 // limit) + [2000 % limit], 3)
    343
    """
    if workers == 1:
        return limit
    limits = [max(1, limit * step // _STEPS) for step in range(_STEPS, _STEPS // 2 - 1, -1)]
    return min(limits, key=lambda one: _done_after([*sizes(one)], workers))


def _done_after(sizes: Sequence[int], workers: int) -> float:
    """When the last batch is done if each goes to the first who is free; one alone has them all."""
    if len(sizes) == 1:
        return (sizes[0] + _EACH) / workers
    busy = [0] * workers
    for size in sizes:
        heapq.heapreplace(busy, busy[0] + size + _EACH)
    return max(busy)


def read_batches(
    batches: Iterable[Sequence[Item]],
    compute: Callable[[Sequence[Item]], Result],
    *,
    on_lack: Callable[[Sequence[Item]], None],
    workers: int = 1,
) -> Iterator[Result]:
    """Compute batches in their order; one that lacks memory, in halves, after telling so."""

    def read(batch: Sequence[Item]) -> list[Result]:
        try:
            return [compute(batch)]
        except (RuntimeError, MemoryError) as error:
            if not _is_lack_of_memory(error):
                raise
            if len(batch) == 1:
                raise ModelError(
                    "there is not enough memory for a single row of tokens; close other programs"
                ) from error
        on_lack(batch)
        half = len(batch) // 2
        return [*read(batch[:half]), *read(batch[half:])]

    for results in side_by_side(batches, read, workers):
        yield from results


def _is_lack_of_memory(error: BaseException) -> bool:
    return isinstance(error, MemoryError) or "memory" in str(error).lower()
