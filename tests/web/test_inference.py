"""Requests in flight are computed together, and none of them harms another."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from horsesense.errors import ModelError
from horsesense.models import Predictions, Query, causal_query
from horsesense.web import Inference
from tests.evaluation.inference.stand_in import StandIn
from tests.web.conftest import Clients, Models

Result = TypeVar("Result")
SENTENCES = [f"The {animal} {verb} because it was {state}."
             for animal in ("kite", "owl", "goat", "lorry") for verb in ("sank", "hooted")
             for state in ("heavy", "light", "punctual", "awake")]  # fmt: skip


class Slow(StandIn):
    """A model that waits for a moment, and records what it is given together."""

    def __init__(self, seconds: float = 0.05) -> None:
        super().__init__()
        self.seconds = seconds
        self.rounds: list[list[Query]] = []

    def answer(self, queries: Sequence[Query], answered: Any = ()) -> Iterator[Any]:
        self.rounds.append(list(queries))
        time.sleep(self.seconds)
        if any(13 in query.ids for query in queries):
            raise ModelError("13 is no token to ask about")
        yield from super().answer(queries, answered)


def query(*ids: int) -> Query:
    return causal_query(ids)


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(coroutine)


def test_32_requests_at_once_get_the_numbers_of_single_ones(clients: Clients) -> None:
    client = clients("gpt2")
    single = [client.complete(text, logprobs=2, max_tokens=1)[0] for text in SENTENCES]
    with ThreadPoolExecutor(32) as pool:
        together = pool.map(
            lambda text: client.complete(text, logprobs=2, max_tokens=1)[0], SENTENCES
        )
    for choice, alone in zip(together, single, strict=True):
        assert choice["text"] == alone["text"]
        assert choice["logprobs"]["tokens"] == alone["logprobs"]["tokens"]
        for field in ("token_logprobs", "top_logprobs"):
            for ours, theirs in zip(
                choice["logprobs"][field], alone["logprobs"][field], strict=True
            ):
                assert ours == (theirs and pytest.approx(theirs, abs=1e-4))


def test_what_waits_goes_to_the_model_together() -> None:
    async def ask() -> list[Any]:
        with Inference(model) as inference:
            asked = [inference.predict([query(1, 2, number)], 0) for number in range(20, 30)]
            return await asyncio.gather(*asked)

    model = Slow()
    answers = run(ask())
    expected = [StandIn().answer_singly(query(1, 2, number)) for number in range(20, 30)]
    assert [values for ((values, _),) in answers] == expected
    assert len(model.rounds) <= 3 and sum(map(len, model.rounds)) == 10


def test_clients_that_go_on_are_answered_together() -> None:
    async def go_on(inference: Inference, number: int) -> None:
        for at in range(20, 25):
            await inference.predict([query(1, number, at)], 0)

    async def ask() -> None:
        with Inference(model) as inference:
            await asyncio.gather(*(go_on(inference, number) for number in range(30, 38)))

    model = Slow()
    run(ask())
    assert sum(map(len, model.rounds)) == 40
    assert len(model.rounds) <= 8  # in two groups that take turns, they would be 10


def test_the_same_query_is_computed_once() -> None:
    async def ask() -> list[Any]:
        with Inference(model) as inference:
            await inference.predict([query(9, 9)], 0)
            asked = [inference.predict([query(1, 2, 3), query(1, 2, 3)], 0) for _ in range(3)]
            return await asyncio.gather(*asked)

    model = Slow()
    assert len({tuple(answer) for answer in run(ask())}) == 1
    assert model.rounds[1:] == [[query(1, 2, 3)]]


def test_a_small_request_does_not_wait_for_all_of_a_large_one() -> None:
    async def ask() -> bool:
        with Inference(model) as inference:
            large = asyncio.ensure_future(
                inference.predict([query(*range(20, 60), at) for at in range(20, 520)], 0)
            )
            await asyncio.sleep(model.seconds / 2)
            await inference.predict([query(1, 2)], 0)
            is_done = large.done()
            assert len(await large) == 500
            return is_done

    model = Slow()
    assert not run(ask())


def test_the_rest_of_a_request_that_nobody_waits_for_is_not_computed() -> None:
    async def ask() -> None:
        with Inference(model) as inference:
            large = asyncio.ensure_future(
                inference.predict([query(*range(20, 60), at) for at in range(20, 520)], 0)
            )
            await asyncio.sleep(model.seconds / 2)
            large.cancel()
            await inference.predict([query(1, 2)], 0)

    model = Slow()
    run(ask())
    assert sum(map(len, model.rounds)) < 200
    assert model.rounds[-1] == [query(1, 2)]


def test_a_query_that_fails_fails_alone() -> None:
    async def ask() -> list[Any]:
        with Inference(model) as inference:
            first = inference.predict([query(9, 9)], 0)
            asked = [inference.predict([query(1, number)], 0) for number in (12, 13, 14)]
            return await asyncio.gather(first, *asked, return_exceptions=True)

    model = Slow()
    _, before, failed, after = run(ask())
    assert isinstance(failed, ModelError)
    assert before == [(model.answer_singly(query(1, 12)), ())]
    assert after == [(model.answer_singly(query(1, 14)), ())]


def test_what_is_in_flight_is_finished_at_the_end() -> None:
    async def ask() -> list[Any]:
        inference = Inference(model)
        with inference:
            asked = asyncio.ensure_future(inference.predict([query(1, 2)], 0))
            await asyncio.sleep(0)
        return await asked

    model = Slow()
    assert run(ask()) == [(model.answer_singly(query(1, 2)), ())]


def test_no_queries_need_no_model() -> None:
    assert run(Inference(StandIn()).predict([], 0)) == []


def test_a_model_that_lists_no_alternatives_says_so() -> None:
    async def ask() -> Any:
        with Inference(StandIn()) as inference:
            return await inference.predict([query(1, 2)], 1)

    with pytest.raises(ModelError, match="does not list"):
        run(ask())


def test_alternatives_are_as_many_as_each_request_asks_for(models: Models) -> None:
    async def ask() -> list[Any]:
        with Inference(models("gpt2")) as inference:
            asked = [inference.predict([query(300, 301, 302)], count) for count in (0, 1, 3)]
            return await asyncio.gather(*asked)

    none, one, three = (rankings for ((_, rankings),) in run(ask()))
    expected: Predictions = next(models("gpt2").predict([query(300, 301, 302)], 3))
    assert none == ()
    assert one == tuple(ranking[:1] for ranking in expected[0][2])
    assert three == expected[0][2]


def test_a_client_that_leaves_harms_nobody(clients: Clients) -> None:
    client = clients("gpt2")
    url = client.http.base_url
    body = b'{"model": "%s", "prompt": [%s], "max_tokens": 0, "logprobs": 5, "echo": true}' % (
        client.name.encode(),
        b",".join([b"[%s]" % b",".join([b"5"] * 200)] * 200),
    )
    head = b"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
    for sent in (head + body, head + body[:50], head[:20]):
        with socket.create_connection((url.host, url.port)) as leaving:
            leaving.sendall(sent)
    assert client.complete("Owls hoot.")[0]["text"] == "Owls hoot."
