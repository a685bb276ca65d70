"""The HTTP client against servers that misbehave in every way."""

from __future__ import annotations

import logging
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import BudgetError, ServerError
from horsesense.models import Budget, Prices, ServerOptions
from horsesense.models.server.client import Client, Refusal
from horsesense.models.server.keys import Key
from tests.servers.faulty import (
    Answer,
    FaultyServer,
    Request,
    Response,
    Script,
    changes,
    faulty_proxy,
    faulty_server,
    hangs,
    page,
    redirects,
    refuses,
    resets,
    says,
    self_signed,
)

SECRET = "sk-hush/hush+123"
PATH = "/v1/completions"
FINE = says({"fine": True})


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries follow each other at once."""
    monkeypatch.setattr("horsesense.models.server.client.FIRST_WAIT", 0.001)


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


def client_of(server: FaultyServer, key: str = SECRET, **options: Any) -> Client:
    return Client(server.url, ServerOptions(**options), Key(key))


def error_of(script: Script, **options: Any) -> tuple[ServerError, int]:
    """The error for a request, and the number of tries; it never shows the key."""
    with faulty_server(script) as server:
        client = client_of(server, **options)
        try:
            with pytest.raises(ServerError) as caught:
                client.post(PATH, {})
        finally:
            client.close()
        trace = "".join(traceback.format_exception(caught.value))
        assert "hush" not in trace and server.url in str(caught.value)
        assert caught.value.__context__ is None and caught.value.__cause__ is None
        return caught.value, len(server.sent_to(PATH))


def test_json_comes_back_and_the_key_goes_only_into_a_header() -> None:
    with faulty_server({PATH: says({"n": [1, None]})}) as server:
        client = client_of(server)
        assert client.post(PATH, {"text": "Zoë"}) == {"n": [1, None]}
        client.close()
        (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert request.json == {"text": "Zoë"} and SECRET.encode() not in request.body


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again(status: int) -> None:
    with faulty_server({PATH: [refuses(status), refuses(status), FINE]}) as server:
        client = client_of(server)
        assert client.post(PATH, {}) == {"fine": True}
        client.close()
        assert len(server.requests) == 3


@pytest.mark.parametrize("sent", [0, 5])
def test_a_cut_connection_is_tried_again(sent: int) -> None:
    with faulty_server({PATH: [resets(FINE, sent), FINE]}) as server:
        client = client_of(server)
        assert client.post(PATH, {}) == {"fine": True}
        client.close()


@pytest.mark.parametrize(
    ("answer", "problem", "tries"),
    [
        (refuses(400, "bad prompt"), r"status 400 and says 'bad prompt'; change what it", 1),
        (refuses(401), "the key in use is wrong or lacks rights: put it into HORSESENSE_API", 1),
        (refuses(403), "the key in use is wrong", 1),
        (refuses(409), "status 409", 1),
        (refuses(422), "status 422", 1),
        (refuses(429), r"too many requests for it: lower --concurrency.*\(tried 3 times\)", 3),
        (refuses(500, "boom"), r"says 'boom'; look at the server's log.*\(tried 3 times\)", 3),
        (refuses(501), "status 501", 1),
        (page(), "text/html instead of JSON: '<!doctype html>.*check the address", 1),
        (page("busy", 503), r"says 'busy'", 3),
        (lambda request: Response(200, b"{"), "something else instead of JSON: '{'", 1),
        (lambda request: Response(200, b"[" * 100_000), "instead of JSON", 1),
        (says({"error": {"message": "no credit"}}), "reports an error: 'no credit'", 1),
        (resets(FINE, 5), r"closed the connection in the middle of an answer.*\(tried 3", 3),
        (resets(FINE, 0), r"closed the connection in the middle", 3),
        (redirects("http://127.0.0.1:9/a/v1/completions?a=hush#b"), "to http://127.0.0.1:9/a/v1/"
         "completions, which is not followed; if you trust it, give http://127.0.0.1:9/a as", 1),
        (redirects("http://127.0.0.1:port", 302), "redirects to nowhere", 1),
        (says({"detail": [{"loc": ["body"], "msg": "field required"}]}, 400), "field required", 1),
    ],
)  # fmt: skip
def test_each_failure_says_what_to_do(answer: Answer, problem: str, tries: int) -> None:
    error, count = error_of({PATH: answer}, retries=2)
    assert re.search(problem, str(error)), str(error)
    assert count == tries


def test_a_missing_key_is_named() -> None:
    with faulty_server({PATH: refuses(401)}) as server:
        client = client_of(server, key="")
        with pytest.raises(Refusal, match="no key is set: put it into HORSESENSE_API_KEY, or"):
            client.post(PATH, {})
        client.close()


def test_a_404_lists_the_models_that_there_are() -> None:
    models = says({"data": [{"id": "ant-7b"}, {"id": "owl-1b"}, {"no": "id"}]})
    error, _ = error_of({PATH: refuses(404), "/v1/models": models})
    assert "its models are ant-7b, owl-1b: check the name before @" in str(error)


def test_a_404_without_a_list_names_the_address() -> None:
    error, _ = error_of({PATH: refuses(404)})
    assert re.search("there is nothing at http://[0-9.:]*/v1/completions: check", str(error))


def test_a_hanging_server_is_given_up() -> None:
    start = time.monotonic()
    error, count = error_of({PATH: hangs}, timeout=0.1, retries=1)
    assert "did not answer within 0.1 s" in str(error) and count == 2
    assert time.monotonic() - start < 5


def test_an_answer_that_trickles_is_given_up() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n"

    def trickle() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(10_000)
            connection.sendall(head)
            try:
                for _ in range(1000):
                    connection.sendall(b" ")
                    time.sleep(0.02)
            except OSError:
                return

    thread = threading.Thread(target=trickle)
    thread.start()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    client = Client(url, ServerOptions(timeout=0.2, retries=0), Key(""))
    with pytest.raises(ServerError, match="did not answer within"):
        client.post(PATH, {})
    client.close()
    thread.join()
    listener.close()


def test_a_server_that_was_never_there_is_named_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    client = Client(f"http://127.0.0.1:{port}", ServerOptions(), Key(SECRET))
    with pytest.raises(ServerError, match="cannot be reached: .*server is running, and") as caught:
        client.get("/v1/models")
    client.close()
    assert "tried" not in str(caught.value)


def test_a_server_that_goes_away_is_tried_again() -> None:
    with faulty_server({PATH: FINE}) as server:
        client = client_of(server, retries=2)
        client.post(PATH, {})
    with pytest.raises(ServerError, match=r"(reached|in the middle).*\(tried 3 times\)"):
        client.post(PATH, {})
    client.close()


def test_a_certificate_that_nobody_signed_is_refused(tmp_path: Path) -> None:
    context, _ = self_signed(tmp_path)
    with faulty_server({PATH: FINE}, context) as server:
        client = client_of(server, retries=0)
        with pytest.raises(ServerError, match="certificate of https://.*SSL_CERT_FILE") as caught:
            client.post(PATH, {})
        client.close()
        assert not server.requests and "hush" not in str(caught.value)


def test_plain_http_is_recognized_behind_https(tmp_path: Path) -> None:
    with faulty_server({PATH: FINE}) as server:
        url = server.url.replace("http:", "https:")
        client = Client(url, ServerOptions(retries=0), Key(""))
        with pytest.raises(ServerError, match="write http:// instead of https://"):
            client.post(PATH, {})
        client.close()


def test_a_redirect_never_gets_the_key() -> None:
    with faulty_server({PATH: FINE}) as other:
        error, _ = error_of({PATH: redirects(f"{other.url}{PATH}")})
        assert f"give {other.url} as the address" in str(error)
        assert not other.requests


def echo_key(request: Request) -> Response:
    key = request.headers["authorization"].removeprefix("Bearer ")
    escaped = "".join(f"\\u{ord(char):04x}" for char in key)
    body = f'{{"error": {{"message": "{"x" * 280} wrong key {key} or {escaped}"}}}}'
    return Response(400, body.encode())


def test_a_key_in_the_message_of_a_server_is_hidden_before_it_is_shortened() -> None:
    error, _ = error_of({PATH: echo_key})
    assert "sk-" not in str(error) and "wrong key [key" in str(error)


def test_a_key_in_an_answer_is_hidden() -> None:
    with faulty_server({PATH: says({"text": f"You are {SECRET}."})}) as server:
        client = client_of(server)
        assert client.post(PATH, {}) == {"text": "You are [key]."}
        client.close()


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with faulty_server({PATH: FINE}) as server:
        client = client_of(server)
        client.post(PATH, {})
        client.close()
    assert not caplog.records


@pytest.mark.parametrize(
    "asked",
    ["1", lambda: format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)],
)
def test_a_server_can_ask_to_wait(asked: str | Callable[[], str]) -> None:
    value = asked if isinstance(asked, str) else asked()
    with faulty_server({PATH: [refuses(429, retry_after=value), FINE]}) as server:
        client = client_of(server)
        start = time.monotonic()
        assert client.post(PATH, {}) == {"fine": True}
        assert 0.9 < time.monotonic() - start < 5
        client.close()


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (429, "which asks to wait 86400 s: lower --concurrency, or try later"),
        (503, "it asks to wait 86400 s: run the same command after that"),
    ],
)
def test_a_server_that_asks_to_wait_for_long_is_not_asked_again(status: int, remedy: str) -> None:
    error, count = error_of({PATH: refuses(status, retry_after="86400")})
    assert remedy in str(error) and count == 1


def test_nothing_is_sent_again_after_a_failure_elsewhere() -> None:
    is_waiting = threading.Event()

    def answer(request: Request) -> Response:
        if request.json["n"]:
            is_waiting.set()
            return refuses(429, retry_after="60")(request)
        is_waiting.wait()
        time.sleep(0.2)
        return refuses(401)(request)

    with faulty_server({PATH: answer}) as server:
        client = client_of(server, concurrency=2)
        with pytest.raises(Refusal, match="status 401"):
            list(client.each(range(2), lambda n: client.post(PATH, {"n": n})))
        client.close()
        assert len(server.requests) == 2


def test_each_try_counts_towards_the_budget_and_usage_replaces_what_was_reserved() -> None:
    budget = Budget()
    used = says({"usage": {"prompt_tokens": 7, "completion_tokens": 1}})
    with faulty_server({PATH: [refuses(500), used, FINE], "/v1/models": FINE}) as server:
        client = client_of(server, budget=budget)
        client.post(PATH, {}, prompt_tokens=100, reply_tokens=10)
        assert (budget.requests, budget.prompt_tokens, budget.reply_tokens) == (2, 7, 1)
        client.post(PATH, {}, prompt_tokens=100, reply_tokens=10)
        assert (budget.requests, budget.prompt_tokens, budget.reply_tokens) == (3, 107, 11)
        client.get("/v1/models")
        assert budget.requests == 3
        client.close()


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 7}, (7, 10)),
        ({"prompt_tokens": 7, "completion_tokens": 0}, (7, 10)),
        ({"prompt_tokens": 0, "completion_tokens": 3}, (100, 3)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, (100, 10)),
        ({"completion_tokens": 3}, (100, 3)),
    ],
)
def test_what_a_server_does_not_count_stays_reserved(
    usage: dict[str, int], expected: tuple[int, int]
) -> None:
    budget = Budget()
    with faulty_server({PATH: says({"usage": usage})}) as server:
        client = client_of(server, budget=budget)
        client.post(PATH, {}, prompt_tokens=100, reply_tokens=10)
        client.close()
    assert (budget.prompt_tokens, budget.reply_tokens) == expected


def test_a_retry_beyond_the_budget_is_not_sent() -> None:
    with faulty_server({PATH: refuses(500)}) as server:
        client = client_of(server, budget=Budget(max_requests=2))
        with pytest.raises(BudgetError, match="--max-requests 2"):
            client.post(PATH, {}, prompt_tokens=1)
        client.close()
        assert len(server.requests) == 2


def test_a_request_for_which_nothing_is_computed_is_not_counted() -> None:
    with faulty_server({PATH: says({})}) as server:
        client = client_of(server, budget=Budget(max_requests=0))
        assert client.post(PATH, {}) == {}
        client.close()


@pytest.mark.parametrize("used", [{"prompt_tokens": "7"}, {"prompt_tokens": -1}, [], 5, {}])
def test_usage_that_cannot_be_is_ignored(used: Any) -> None:
    budget = Budget()
    with faulty_server({PATH: says({"usage": used})}) as server:
        client = client_of(server, budget=budget)
        client.post(PATH, {}, prompt_tokens=100)
        client.close()
    assert budget.prompt_tokens == 100


def test_a_part_that_is_missing_is_named() -> None:
    with faulty_server({}) as server:
        client = client_of(server)
        answer = {"choices": [{"text": "B"}]}
        assert client.part(answer, "choices", 0, "text") == "B"
        for keys in (("choices", 1), ("choices", 0, "logprobs"), ("text",), ("choices", "text")):
            with pytest.raises(ServerError, match="returns an answer without"):
                client.part(answer, *keys)
        with pytest.raises(ServerError, match=re.escape("without choices[0].logprobs;")):
            client.part(answer, "choices", 0, "logprobs")


def double(request: Request) -> Response:
    number = request.json["n"]
    if number in request.json.get("slow", ()):
        time.sleep(0.2)
    if number in request.json.get("bad", ()):
        return refuses(400, f"number {number}")(request)
    return says({"n": 2 * number})(request)


def test_many_jobs_are_done_at_once_and_each_has_its_result() -> None:
    together, most = [0, 0], threading.Lock()

    def count(request: Request) -> Response:
        with most:
            together[0] += 1
            together[1] = max(together)
        time.sleep(0.005)
        with most:
            together[0] -= 1
        return double(request)

    with faulty_server({PATH: count}) as server:
        client = client_of(server, concurrency=4)
        results = dict(client.each(range(50), lambda n: client.post(PATH, {"n": n})["n"]))
        client.close()
    assert results == {n: 2 * n for n in range(50)}
    assert 2 <= together[1] <= 4


def test_what_was_answered_before_a_failure_is_yielded_with_what_is_in_flight() -> None:
    done = []
    with faulty_server({PATH: double}) as server:
        client = client_of(server, concurrency=4)
        with pytest.raises(ServerError, match="number 5"):
            for n, _ in client.each(
                range(1000), lambda n: client.post(PATH, {"n": n, "bad": [5], "slow": [3, 6]})
            ):
                done.append(n)
        client.close()
        answered = {request.json["n"] for request in server.requests} - {5}
        assert set(done) == answered >= {0, 1, 2, 3, 4}
        assert len(server.requests) < 100


def test_a_used_up_budget_loses_no_answer() -> None:
    done = []
    with faulty_server({PATH: double}) as server:
        client = client_of(server, concurrency=4, budget=Budget(max_requests=10))

        def send(n: int) -> Any:
            return client.post(PATH, {"n": n, "slow": [9]}, prompt_tokens=1)

        with pytest.raises(BudgetError):
            for n, _ in client.each(range(100), send):
                done.append(n)
        client.close()
        assert len(done) == len(server.requests) == 10


def test_reservations_of_requests_in_flight_stop_nothing() -> None:
    used = says({"usage": {"prompt_tokens": 2, "completion_tokens": 1}})

    def answer(request: Request) -> Response:
        time.sleep(0.02)
        return used(request)

    budget = Budget(max_tokens=70)
    with faulty_server({PATH: [answer, refuses(500), answer]}) as server:
        client = client_of(server, concurrency=4, budget=budget)

        def send(n: int) -> Any:
            return client.post(PATH, {"n": n}, prompt_tokens=20, reply_tokens=10)

        # The last requests have to wait for those before them.
        assert len(dict(client.each(range(14), send))) == 14
        assert (budget.prompt_tokens, budget.reply_tokens, budget.in_flight) == (28, 14, 0)
        with pytest.raises(BudgetError, match="--max-tokens 70"):
            dict(client.each(range(100), send))
        client.close()
    assert budget.prompt_tokens + budget.reply_tokens <= 70 and budget.in_flight == 0


def test_a_caller_that_stops_leaves_nothing_in_flight() -> None:
    budget = Budget(max_tokens=100)
    with faulty_server({PATH: [FINE, hangs]}) as server:
        client = client_of(server, concurrency=4, budget=budget)
        results = client.each(
            range(10), lambda n: client.post(PATH, {"n": n}, prompt_tokens=30, reply_tokens=10)
        )
        next(results)
        results.close()  # type: ignore[attr-defined]
        client.close()
    assert budget.in_flight == 0


def test_a_caller_that_stops_waits_for_nobody() -> None:
    with faulty_server({PATH: [FINE, hangs]}) as server:
        client = client_of(server, concurrency=4)
        results = client.each(range(10), lambda n: client.post(PATH, {"n": n}))
        next(results)
        start = time.monotonic()
        results.close()  # type: ignore[attr-defined]
        assert time.monotonic() - start < 5
        # The connections that were cut do no harm to later requests.
        server.script = {PATH: FINE}
        assert client.post(PATH, {}) == {"fine": True}
        client.close()


def test_a_caller_that_stops_does_not_wait_for_the_next_try() -> None:
    with faulty_server({PATH: [FINE, refuses(429, retry_after="60")]}) as server:
        client = client_of(server, concurrency=2)
        results = client.each(range(10), lambda n: client.post(PATH, {"n": n}))
        next(results)
        start = time.monotonic()
        results.close()  # type: ignore[attr-defined]
        assert time.monotonic() - start < 5
        client.close()


_ASKING = """
import sys
from horsesense.models import ServerOptions
from horsesense.models.server.client import Client
client = Client(sys.argv[1], ServerOptions())
for number, _ in client.each(range(100), lambda number: client.post("/v1/completions", {})):
    print(number, flush=True)
"""


def test_ctrl_c_stops_at_once() -> None:
    with faulty_server({PATH: [FINE, hangs]}) as server:
        command = [sys.executable, "-c", _ASKING, server.url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
        assert time.monotonic() - start < 10
        assert b"KeyboardInterrupt" in errors and process.returncode


def test_results_that_nobody_takes_stop_the_work() -> None:
    with faulty_server({PATH: double}) as server:
        client = client_of(server, concurrency=2)
        results = client.each(range(1000), lambda n: client.post(PATH, {"n": n}))
        next(results)
        time.sleep(0.3)
        assert len(server.requests) < 20
        results.close()  # type: ignore[attr-defined]
        client.close()


def test_a_fault_in_the_jobs_themselves_is_raised() -> None:
    def jobs() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError

    with faulty_server({PATH: double}) as server:
        client = client_of(server)
        with pytest.raises(ZeroDivisionError):
            list(client.each(jobs(), lambda n: client.post(PATH, {"n": n})))
        client.close()


def test_a_proxy_that_fails_often_changes_no_result() -> None:
    with (
        faulty_server({PATH: double}) as server,
        faulty_proxy(server.url, share=0.3, seed=1) as proxy,
    ):
        client = Client(proxy.url, ServerOptions(retries=20), Key(""))
        results = dict(client.each(range(60), lambda n: client.post(PATH, {"n": n})["n"]))
        client.close()
    assert results == {n: 2 * n for n in range(60)}
    assert proxy.failed > 5 and set(proxy.forwarded.values()) == {1}


def test_a_client_works_again_after_it_was_closed() -> None:
    with faulty_server({PATH: changes(FINE, lambda content: {"n": 1})}) as server:
        client = client_of(server)
        for _ in range(2):
            assert client.post(PATH, {}) == {"n": 1}
            client.close()
        client.close()


def test_servers_on_this_machine_are_called_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with faulty_server({PATH: FINE}) as server:
        client = client_of(server)
        assert client.post(PATH, {}) == {"fine": True}
        client.close()


def test_a_proxy_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "none://127.0.0.1:9")
    client = Client("http://192.0.2.1", ServerOptions(), Key(SECRET))
    with pytest.raises(ServerError, match="environment names cannot be used: .*correct HTTPS_PR"):
        client.post(PATH, {})


def test_usage_beyond_all_measure_is_ignored() -> None:
    budget = Budget(max_cost=1.0, prices=Prices(1.0, 1.0))
    with faulty_server({PATH: says({"usage": {"prompt_tokens": 10**400}})}) as server:
        client = client_of(server, budget=budget)
        client.post(PATH, {}, prompt_tokens=100)
        client.close()
    assert budget.prompt_tokens == 100
