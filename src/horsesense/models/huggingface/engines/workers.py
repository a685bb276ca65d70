"""Batches side by side: a thread for each core, and for each thread a batch of its own.

Torch by itself shares every operation out among the cores, and they wait for each other after
each. With a batch to each core nobody waits, and what a layer computes stays in the cache of
the core that needs it next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import Any, TypeVar

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
