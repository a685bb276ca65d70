"""The HTTP client for servers of models: it tries again what may succeed, and explains failures.

Servers on this machine are called directly. For all others, the proxies and the certificates that
the environment names are used (HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE). Redirects are not followed,
as a key must reach only the server it is meant for.
"""

from __future__ import annotations

import json
import logging
import random
import socket
import ssl
import time
import weakref
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sized
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from queue import Empty, SimpleQueue
from threading import Event, Lock, Semaphore, Thread
from typing import Any, TypeVar

import httpx

from horsesense.errors import ServerError
from horsesense.models.loading import ServerOptions
from horsesense.models.server.addresses import check_url, is_loopback, split_url
from horsesense.models.server.keys import (
    KEY_FILE_VARIABLE,
    KEY_VARIABLE,
    Key,
    key_variables,
    load_key,
)

Job = TypeVar("Job")
Result = TypeVar("Result")
# Seconds to wait before the second try, doubled for each further one, and the longest wait.
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
# A server may ask for a longer wait (Retry-After); if it is longer than this, the request fails.
LONGEST_ASKED_WAIT = 120.0
_CONNECT_SECONDS = 10.0
_LARGEST_ANSWER = 256 << 20
_LARGEST_COUNT = 1 << 40
# Jobs whose results wait to be taken, for each request in flight.
_AHEAD = 4
# Characters of a server's message to quote.
_QUOTED = 300
_TRANSIENT = frozenset([408, 429, 500, 502, 503, 504])
# Servers say so of paths and methods that they do not have, and of fields that they do not know.
_ABSENT = frozenset([400, 404, 405, 410, 422, 501])
# An address that cannot be, for one that the library could not read.
_NOWHERE = "http://127.0.0.1:none"
# Seconds between two attempts to wake up threads that wait for an answer.
_CUT_EVERY = 0.05


class Refusal(ServerError):
    """The server refuses a request, with a status, a reason, and perhaps a code of its own."""

    def __init__(self, message: str, status: int, reason: str, code: str = "") -> None:
        super().__init__(message)
        self.status, self.reason, self.code = status, reason, code

    @property
    def is_absent(self) -> bool:
        """Whether the server has nothing at the path, or reads other requests there than ours."""
        return self.status in _ABSENT


class Unusable(ServerError):
    """The server returns something of another form than its interface has."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a try failed, and whether and when another may succeed.

    `is_charged` is true if the server may have computed an answer all the same.
    """

    error: ServerError
    may_pass: bool = False
    wait: float | None = None
    is_charged: bool = False


class Client:
    """A connection to one server, for several threads.

    Paths that start with `/v1/` are those of the OpenAI-like interface, wherever the server has it.
    """

    def __init__(self, url: str, options: ServerOptions, key: Key | None = None) -> None:
        check_url(url)
        self.url, self.api = split_url(url)
        self.options = options
        self._key = load_key(self.url) if key is None else key
        self._lock = Lock()
        self._http: httpx.Client | None = None
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._halted = Event()
        self._random = random.Random()
        # A server that has never answered is more likely misspelt than restarting.
        self._has_answered = False

    def __repr__(self) -> str:
        return f"<Client {self.url}>"

    def get(self, path: str) -> Any:
        """Return the JSON at a path. This is not counted in the budget, as nothing is computed."""
        return self._request("GET", path, None, None)

    def post(
        self, path: str, body: Mapping[str, Any], *, prompt_tokens: int = 0, reply_tokens: int = 0
    ) -> Any:
        """Send JSON to a path, and return the JSON of the answer.

        `prompt_tokens` and `reply_tokens` are at most how many tokens it takes. Each try counts
        towards the budget, unless the model computes nothing, as when a text is tokenized.
        """
        size = (prompt_tokens, reply_tokens) if prompt_tokens or reply_tokens else None
        return self._request("POST", path, body, size)

    def get_if_there(self, path: str) -> Any:
        """Return the JSON at a path, or None if the server has none there.

        A server that is busy or broken may have something there all the same, which is an error.
        """
        try:
            return self.get(path)
        except Unusable:
            return None
        except Refusal as error:
            if not error.is_absent:
                raise
            return None

    def part(self, answer: Any, *keys: str | int) -> Any:
        """Return the part of an answer under these keys, or raise an error that names them."""
        part = answer
        for key in keys:
            is_there = (
                isinstance(part, dict) and key in part
                if isinstance(key, str)
                else isinstance(part, list) and len(part) > key
            )
            if not is_there:
                raise self.unusable(f"an answer without {_spelled(keys)}")
            part = part[key]
        return part

    def unusable(self, what: str, remedy: str = "") -> Unusable:
        """Return the error for an answer of another form than its interface has."""
        remedy = remedy or "check that the kind of server before the colon is the right one"
        return Unusable(f"{self.url} returns {what}; {remedy}")

    def each(
        self, jobs: Iterable[Job], send: Callable[[Job], Result]
    ) -> Iterator[tuple[Job, Result]]:
        """Send all jobs, several at once, and yield each with its result when it is there."""
        with closing(self.batches(jobs, send)) as batches:
            for batch in batches:
                yield from batch

    def batches(
        self, jobs: Iterable[Job], send: Callable[[Job], Result]
    ) -> Generator[list[tuple[Job, Result]], None, None]:
        """Send all jobs, several at once, and yield all results that are there.

        If a job fails, no others are started, and those in flight are waited for and yielded before
        the error is raised. If the caller stops, connections are cut. No thread stays behind.
        """
        most = self.options.concurrency
        threads = min(len(jobs), most) if isinstance(jobs, Sized) else most
        work = _Work(iter(jobs), send, threads)
        try:
            yield from work.batches(self._halted)
        finally:
            self._halted.set()
            while work.is_running:
                self._cut()
                work.stop(_CUT_EVERY)
            self._halted.clear()

    def close(self) -> None:
        """Close all connections; the next request opens new ones."""
        with self._lock:
            http, self._http = self._http, None
        if http is not None:
            http.close()

    def _request(
        self, method: str, path: str, body: Mapping[str, Any] | None, size: tuple[int, int] | None
    ) -> Any:
        budget, tries = self.options.budget, self.options.retries + 1
        content = None if body is None else json.dumps(body).encode()
        for number in range(tries):
            if size is None:
                result = self._try(method, path, content)
            else:
                budget.reserve(*size)
                used = size
                try:
                    result = self._try(method, path, content)
                    used = _used(result, size)
                finally:
                    budget.settle(size, used)
            if not isinstance(result, _Failure):
                return result
            is_too_long = result.wait is not None and result.wait > LONGEST_ASKED_WAIT
            if not result.may_pass or is_too_long or number == tries - 1:
                break
            if self._halted.wait(self._wait(number, result.wait)):
                break
        if result.may_pass and number:
            raise type(result.error)(*_with_count(result.error, number + 1))
        raise result.error

    def _wait(self, number: int, asked: float | None) -> float:
        """Return the seconds until the next try: as asked, or ever longer, and never in step."""
        longest: float = min(FIRST_WAIT * 2**number, LONGEST_WAIT)
        own = longest * (0.5 + self._random.random() / 2)
        return own if asked is None else asked + own / 10

    def _try(self, method: str, path: str, content: bytes | None) -> Any:
        """Send a request once; return the JSON of the answer, or why it failed.

        Errors of the library are not chained to ours, as they hold the headers with the key.
        """
        url = self._url(path)
        try:
            status, headers, body = self._send(method, url, content)
        except httpx.TimeoutException as error:
            return self._timeout(error)
        except httpx.ConnectError as error:
            return self._unreachable(error)
        except httpx.TransportError as error:
            if "location header" in str(error):
                return self._redirect(url, _NOWHERE)
            reason = type(error).__name__ if not str(error) else self.plain(str(error))
            problem = f"{self.url} closed the connection in the middle of an answer ({reason})"
            remedy = "it may have stopped or be short of memory: look at its log, and run again"
            return _Failure(ServerError(f"{problem}; {remedy}"), True, is_charged=True)
        except (httpx.DecodingError, OverflowError) as error:
            what = f"an answer that cannot be read: {self.plain(str(error))}"
            return _Failure(self.unusable(what, "check that it is a server of language models"))
        self._has_answered = True
        if status // 100 == 3:
            return self._redirect(url, headers.get("location", ""))
        if status // 100 != 2:
            return self._refused(path, status, headers, body)
        return self._parsed(headers, self._key.hide_in_answer(body))

    def _send(
        self, method: str, url: str, content: bytes | None
    ) -> tuple[int, httpx.Headers, bytes]:
        deadline = time.monotonic() + self.options.timeout
        http = self._connected()
        request = http.build_request(
            method, url, content=content, extensions={"trace": self._remember_socket}
        )
        response = http.send(request, stream=True)
        body = bytearray()
        with closing(response):
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > _LARGEST_ANSWER:
                    raise OverflowError(f"it is larger than {_LARGEST_ANSWER >> 20} MB")
                if time.monotonic() > deadline:
                    raise httpx.ReadTimeout("the answer comes too slowly")
        return response.status_code, response.headers, bytes(body)

    def _connected(self) -> httpx.Client:
        with self._lock:
            if self._http is None:
                # These would report each request to whoever has turned logging on.
                for library in ("httpx", "httpcore"):
                    logging.getLogger(library).setLevel(logging.WARNING)
                seconds, most = self.options.timeout, self.options.concurrency
                kind = {"User-Agent": "horsesense", "Content-Type": "application/json"}
                try:
                    self._http = httpx.Client(
                        headers={**kind, **self._key.headers},
                        timeout=httpx.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
                        limits=httpx.Limits(max_keepalive_connections=most + 1),
                        follow_redirects=False,
                        trust_env=not is_loopback(self.url),
                    )
                except (ImportError, ValueError, OSError) as error:
                    raise ServerError(
                        "the proxy or the certificates that the environment names cannot be used:"
                        f" {self.plain(str(error))}; correct HTTPS_PROXY, ALL_PROXY or"
                        " SSL_CERT_FILE, or unset them"
                    ) from None
                weakref.finalize(self, self._http.close)
            return self._http

    def _remember_socket(self, event: str, details: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._sockets.add(details["return_value"].get_extra_info("socket"))

    def _cut(self) -> None:
        """Wake up the threads that wait for answers which nobody needs any more."""
        for opened in tuple(self._sockets):
            try:
                opened.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it is closed already

    def _url(self, path: str) -> str:
        return self.api + path.removeprefix("/v1") if path.startswith("/v1/") else self.url + path

    def _parsed(self, headers: httpx.Headers, body: bytes) -> Any:
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            kind = headers.get("content-type", "").partition(";")[0] or "something else"
            start = self.plain(body[:2000].decode("utf-8", "replace"))
            remedy = "check the address; it may be that of a web page, or of a proxy in between"
            return _Failure(self.unusable(f"{kind} instead of JSON: {start!r}", remedy))
        if isinstance(answer, dict) and answer.get("error") and "choices" not in answer:
            message = self.plain(_message(body))
            return _Failure(ServerError(f"{self.url} reports an error: {message!r}"))
        return answer

    def _timeout(self, error: httpx.TimeoutException) -> _Failure:
        if isinstance(error, httpx.ConnectTimeout):
            return self._unreachable(error)
        return _Failure(
            ServerError(
                f"{self.url} did not answer within {self.options.timeout:g} s; it may be busy or"
                " stuck: look at its log, send fewer requests at once (--concurrency), or wait"
                " longer (--timeout)"
            ),
            may_pass=True,
            is_charged=True,
        )

    def _unreachable(self, error: httpx.TransportError) -> _Failure:
        reason = self.plain(str(error)) or type(error).__name__
        if "CERTIFICATE_VERIFY_FAILED" in reason or isinstance(
            error.__cause__, ssl.SSLCertVerificationError
        ):
            return _Failure(
                ServerError(
                    f"the certificate of {self.url} cannot be verified: {reason}; if you trust it,"
                    " put the path of its certificate into the environment variable SSL_CERT_FILE"
                )
            )
        if "SSL" in reason:
            remedy = "the server may speak no TLS: write http:// instead of https://"
            return _Failure(ServerError(f"{self.url} cannot be reached: {reason}; {remedy}"))
        remedy = "check that the server is running, and that this is its address"
        failure = ServerError(f"{self.url} cannot be reached: {reason}; {remedy}")
        return _Failure(failure, may_pass=self._has_answered)

    def _redirect(self, url: str, location: str) -> _Failure:
        try:
            target = (
                httpx.URL(url).join(location).copy_with(query=None, fragment=None, userinfo=b"")
            )
        except (httpx.InvalidURL, ValueError):
            remedy = "check the address in a browser"
            return _Failure(ServerError(f"{self.url} redirects to nowhere; {remedy}"))
        shown = self._key.hide(str(target))
        remedy = f"if you trust it, give {split_url(shown)[0]} as the address"
        problem = f"{self.url} redirects to {shown}, which is not followed"
        return _Failure(ServerError(f"{problem}; {remedy}"))

    def _refused(self, path: str, status: int, headers: httpx.Headers, body: bytes) -> _Failure:
        reason = self.plain(_message(body))
        said = f" and says {reason!r}" if reason else ""
        asked = _asked_wait(headers.get("retry-after", ""))
        match status:
            case 401 | 403:
                use = "the key in use is wrong or lacks rights" if self._key else "no key is set"
                variable = key_variables(self.url)[-1]
                remedy = (
                    f"{use}: put it into {KEY_VARIABLE}, or its file into {KEY_FILE_VARIABLE};"
                    f" with several servers, into {variable}"
                )
            case 404:
                remedy = self._what_there_is(path)
            case 429:
                wait = "" if asked is None else f", which asks to wait {asked:.0f} s"
                remedy = f"too many requests for it{wait}: lower --concurrency, or try later"
            case 408 | 500 | 502 | 503 | 504 if asked is not None:
                remedy = f"it asks to wait {asked:.0f} s: run the same command after that"
            case 408 | 500 | 502 | 503 | 504:
                remedy = "look at the server's log, and run the same command again to continue"
            case _:
                remedy = "change what it complains of, or the kind of server before the colon"
        error = Refusal(
            f"{self.url} refuses {path} with status {status}{said}; {remedy}",
            status,
            reason,
            self.plain(_code(body)),
        )
        return _Failure(error, status in _TRANSIENT, asked)

    def _what_there_is(self, path: str) -> str:
        """Return what to do about a 404: name the models that there are."""
        names = () if path == "/v1/models" else self.model_names()
        if names:
            return f"its models are {', '.join(names)}: check the name before @"
        return f"there is nothing at {self._url(path)}: check the address"

    def model_names(self) -> tuple[str, ...]:
        """Return the names of the models that the server has, as far as it lists them."""
        listed = self._try("GET", "/v1/models", None)
        entries = listed.get("data") if isinstance(listed, dict) else None
        rows = entries if isinstance(entries, list) else ()
        names = (entry.get("id") for entry in rows if isinstance(entry, dict))
        return tuple([self.plain(name) for name in names if isinstance(name, str)])

    def plain(self, text: str) -> str:
        """Return a server's text for people: on one line, without the key, and shortened."""
        plain = "".join(char if char.isprintable() else " " for char in self._key.hide(text))
        line = " ".join(plain.split())
        return line if len(line) <= _QUOTED else line[: _QUOTED - 1] + "…"


class _Work:
    """Jobs that a few threads do, and their results."""

    def __init__(self, jobs: Iterator[Any], send: Callable[[Any], Any], threads: int) -> None:
        self._jobs, self._send = jobs, send
        self._lock, self._stop = Lock(), Event()
        self._results: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        # If nobody takes the results, no more jobs are started.
        self._room = Semaphore(threads * _AHEAD)
        self._threads = [Thread(target=self._run, daemon=True) for _ in range(threads)]

    @property
    def is_running(self) -> bool:
        """Whether a thread is still at work."""
        return any(thread.is_alive() for thread in self._threads)

    def batches(self, halted: Event) -> Iterator[list[tuple[Any, Any]]]:
        """Start the threads, and yield the results that are there until there are no more."""
        for thread in self._threads:
            thread.start()
        running, error = len(self._threads), None
        while running:
            batch = []
            for kind, content in self._ready():
                if kind == "result":
                    batch.append(content)
                elif kind == "end":
                    running -= 1
                elif error is None:
                    error = content
                    halted.set()
                    self._halt()
            if batch:
                yield batch
                self._room.release(len(batch))
        for thread in self._threads:
            thread.join()
        if error is not None:
            raise error

    def stop(self, seconds: float) -> None:
        """Start no more jobs, and wait a moment for the threads to end."""
        self._halt()
        for thread in self._threads:
            thread.join(seconds)

    def _ready(self) -> Iterator[tuple[str, Any]]:
        """Wait for an event, and yield it with all others that are there."""
        yield self._results.get()
        try:
            while True:
                yield self._results.get_nowait()
        except Empty:
            return

    def _halt(self) -> None:
        self._stop.set()
        self._room.release(len(self._threads))

    def _run(self) -> None:
        try:
            while self._room.acquire() and not self._stop.is_set():
                with self._lock:
                    job = next(self._jobs, self)
                if job is self:
                    break
                self._results.put(("result", (job, self._send(job))))
        except BaseException as error:
            self._results.put(("error", error))
        finally:
            self._results.put(("end", None))


def _used(answer: Any, reserved: tuple[int, int]) -> tuple[int, int]:
    """Return the tokens of prompt and reply that a try took, as the server counted them.

    Where it counted none, those that were reserved are returned, as it cannot be true.

    >>> _used({"usage": {"prompt_tokens": 7, "completion_tokens": 0}}, (9, 8))
    (7, 8)
    """
    if isinstance(answer, _Failure):
        return reserved if answer.is_charged else (0, 0)
    fields = answer if isinstance(answer, dict) else {}
    usage = fields.get("usage") or fields.get("meta_info")
    counted = usage if isinstance(usage, dict) else {}
    read, written = count_in(counted, "prompt_tokens"), count_in(counted, "completion_tokens")
    return read or reserved[0], written or reserved[1]


def count_in(fields: Mapping[str, Any], name: str) -> int | None:
    """Return a number of tokens that a server counted; None if it is no such number.

    >>> count_in({"n": 7}, "n"), count_in({"n": -7}, "n"), count_in({}, "n")
    (7, None, None)
    """
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < _LARGEST_COUNT else None


def _message(body: bytes) -> str:
    """Return the message in the body of an error, or the whole body.

    >>> _message(b'{"error": {"message": "no such model"}}'), _message(b"<b>busy</b>")
    ('no such model', '<b>busy</b>')
    """
    text = body[:20_000].decode("utf-8", "replace")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for key in ("error", "message", "detail"):
        while isinstance(content, dict) and key in content:
            content = content[key]
    return content if isinstance(content, str) else json.dumps(content)


def _code(body: bytes) -> str:
    """Return the code in the body of an error, if there is one.

    >>> _code(b'{"error": {"code": "content_filter"}}'), _code(b"<b>busy</b>")
    ('content_filter', '')
    """
    try:
        content = json.loads(body[:20_000])
    except (ValueError, RecursionError):
        return ""
    if isinstance(content, dict) and isinstance(content.get("error"), dict):
        content = content["error"]
    code = content.get("code") if isinstance(content, dict) else None
    return code if isinstance(code, str) else ""


def _asked_wait(value: str) -> float | None:
    """Return the seconds that a server asks to wait, given as a number or a date.

    >>> _asked_wait("3"), _asked_wait("soon")
    (3.0, None)
    """
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return None


def _spelled(keys: tuple[str | int, ...]) -> str:
    """Return a path of keys as one would write it.

    >>> _spelled(("choices", 0, "logprobs"))
    'choices[0].logprobs'
    """
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".")


def _with_count(error: ServerError, tries: int) -> tuple[Any, ...]:
    """Return the arguments of an error that also says how often the request was sent."""
    message = f"{error} (tried {tries} times)"
    if isinstance(error, Refusal):
        return message, error.status, error.reason, error.code
    return (message,)
