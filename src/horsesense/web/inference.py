"""Query a model in one thread for all requests in flight, many of their queries at a time.

The model computes shared prefixes once and batches together what it is given together. So while it
computes, new requests wait, and then go to it as one. Each query is handed back as soon as it is
answered. A request with many queries takes turns with the others.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition, Thread
from time import monotonic
from typing import TypeAlias

from horsesense.models import LanguageModel, Query, Ranking

# The most tokens that go to the model at once, unless a single query has more.
_ROUND_TOKENS = 2048
# A large round takes less time per request. So the clients that were just answered get a chance to
# send their next requests: the next round waits as long as one comes within this share of the time
# that the last round took, and at most as long as that.
_PAUSE = 0.1

# The log-probabilities of a query, and the most probable tokens in place of each token.
Prediction: TypeAlias = tuple[tuple[float, ...], tuple[Ranking, ...]]


@dataclass(eq=False, slots=True)
class _Request:
    """The queries of a request, and those that were not yet sent to the model."""

    queries: Sequence[Query]
    count: int
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[list[Prediction]]
    waiting: deque[int] = field(init=False)
    predictions: dict[int, Prediction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.waiting = deque(range(len(self.queries)))


class Inference:
    """A model and the thread that queries it; use it as a context manager."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self._requests: deque[_Request] = deque()
        self._changed = Condition()
        # How many requests were in flight at the end of the last round, and how long it took.
        self._in_flight, self._seconds = 0, 0.0
        self._is_closing = False
        self._thread = Thread(target=self._run, name="inference", daemon=True)

    def __enter__(self) -> Inference:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Finish all requests, and stop the thread."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._thread.join()

    async def predict(self, queries: Sequence[Query], count: int) -> list[Prediction]:
        """Answer queries in order; if the caller is cancelled, what is left is not computed."""
        if not queries:
            return []
        loop = asyncio.get_running_loop()
        request = _Request(queries, count, loop, loop.create_future())
        with self._changed:
            self._requests.append(request)
            self._changed.notify()
        return await request.done

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._requests or self._is_closing)
                self._wait_for_more()
                chosen = self._next_round()
            if chosen:
                start = monotonic()
                self._compute(chosen)
                self._seconds = monotonic() - start
                with self._changed:
                    self._in_flight = len({request for request, _ in chosen}.union(self._requests))
            elif self._is_closing:
                return

    def _wait_for_more(self) -> None:
        """Wait for as many requests as there were, while they keep coming."""
        end = monotonic() + self._seconds
        waiting = 0
        while waiting < len(self._requests) < self._in_flight and monotonic() < end:
            waiting = len(self._requests)
            self._changed.wait(_PAUSE * self._seconds)

    def _next_round(self) -> list[tuple[_Request, int]]:
        """Choose queries, one from each request in turn, until there are tokens enough."""
        chosen: list[tuple[_Request, int]] = []
        tokens = 0
        while self._requests:
            request = self._requests.popleft()
            if request.done.done():
                continue  # cancelled, or failed
            tokens += len(request.queries[request.waiting[0]].ids)
            if chosen and tokens > _ROUND_TOKENS:
                self._requests.appendleft(request)
                break
            chosen.append((request, request.waiting.popleft()))
            if request.waiting:
                self._requests.append(request)
        return chosen

    def _compute(self, chosen: Sequence[tuple[_Request, int]]) -> None:
        """Query the model, and hand back what it answers; an error fails the requests."""
        owners: dict[Query, list[tuple[_Request, int]]] = {}
        for request, number in chosen:
            owners.setdefault(request.queries[number], []).append((request, number))
        count = max(request.count for request, _ in chosen)
        try:
            for batch in self._predictions(list(owners), count):
                self._hand_back(batch, owners)
        except BaseException as error:  # whatever it is, later requests must be answered
            requests = {request for request, _ in chosen}
            for request in requests:
                if len(requests) == 1:
                    _call(request, _fail, error)
                else:  # it may be the fault of another
                    self._compute([pair for pair in chosen if pair[0] is request])

    def _predictions(
        self, queries: Sequence[Query], count: int
    ) -> Iterator[list[tuple[Query, Prediction]]]:
        if count:
            for predictions in self.model.predict(queries, count):
                yield [(query, (values, ranked)) for query, values, ranked in predictions]
        else:
            for answers in self.model.answer(queries):
                yield [(query, (values, ())) for query, values in answers]

    def _hand_back(
        self,
        batch: Sequence[tuple[Query, Prediction]],
        owners: dict[Query, list[tuple[_Request, int]]],
    ) -> None:
        for query, (values, rankings) in batch:
            for request, number in owners[query]:
                count = request.count
                own = tuple([ranking[:count] for ranking in rankings]) if count else ()
                request.predictions[number] = values, own
                if len(request.predictions) == len(request.queries):
                    _call(request, _finish)


def _call(request: _Request, function: Callable[..., None], *arguments: object) -> None:
    """Let the event loop of a request call a function; it may have ended meanwhile."""
    with suppress(RuntimeError):
        request.loop.call_soon_threadsafe(function, request, *arguments)


def _finish(request: _Request) -> None:
    if not request.done.done():
        request.done.set_result([request.predictions[at] for at in range(len(request.queries))])


def _fail(request: _Request, error: BaseException) -> None:
    if not request.done.done():
        request.done.set_exception(error)
