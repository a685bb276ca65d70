"""HTTP servers that misbehave on purpose, for tests: one with scripted answers, and a proxy.

Both are on the loopback interface and on a free port, and stop with their context. An answer is a
function from a request to a response. Answers can be wrapped, so that a real server's answer is
forwarded, changed, or held back.
"""

from __future__ import annotations

import json
import random
import socket
import ssl
import struct
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it arrived; `headers` have lower-case names."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Response:
    """What to answer.

    Only `sent` bytes of the body are sent, if given, before the connection is cut. If it `hangs`,
    nothing is sent until the server stops.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    sent: int | None = None
    hangs: bool = False


Answer: TypeAlias = Callable[[Request], Response]
Script: TypeAlias = Mapping[str, Answer | Sequence[Answer]]


def says(content: Any, status: int = 200, **headers: str) -> Answer:
    """Answer with JSON. Underscores in names of headers stand for hyphens."""
    named = {"content-type": "application/json"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request: Response(status, json.dumps(content).encode(), named)


def refuses(status: int, message: str = "no", **headers: str) -> Answer:
    """Answer with an error as servers of models spell it."""
    return says({"error": {"message": message, "type": "test"}}, status, **headers)


def page(html: str = "<!doctype html><title>Welcome</title>", status: int = 200) -> Answer:
    """Answer with a web page."""
    return lambda request: Response(status, html.encode(), {"content-type": "text/html"})


def redirects(url: str, status: int = 307) -> Answer:
    """Send the client elsewhere."""
    return lambda request: Response(status, b"", {"location": url})


def resets(answer: Answer, sent: int = 10) -> Answer:
    """Cut the connection after some bytes of the body."""
    return lambda request: replace(answer(request), sent=sent)


def hangs(request: Request) -> Response:
    """Answer nothing until the server stops."""
    return Response(hangs=True)


def forwards(url: str) -> Answer:
    """Answer as the server at a URL does."""

    address = urlsplit(url)

    def forward(request: Request) -> Response:
        headers = {name: request.headers[name] for name in _FORWARDED & request.headers.keys()}
        with closing(HTTPConnection(address.hostname or "", address.port)) as connection:
            connection.request(request.method, address.path + request.path, request.body, headers)
            answer = connection.getresponse()
            kind = {"content-type": answer.headers.get("content-type", "")}
            return Response(answer.status, answer.read(), kind)

    return forward


_FORWARDED = {"content-type", "authorization"}


def changes(answer: Answer, change: Callable[[Any], Any]) -> Answer:
    """Change the JSON of an answer; a change returns the new content, or changes it in place."""

    def changed(request: Request) -> Response:
        response = answer(request)
        content = json.loads(response.body)
        result = change(content)
        return replace(response, body=json.dumps(content if result is None else result).encode())

    return changed


@dataclass(slots=True)
class FaultyServer:
    """A server that answers each path as its script says, and keeps the requests.

    The last of several answers for a path is repeated; `*` stands for all other paths.
    """

    script: Script
    url: str = ""
    requests: list[Request] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _counts: Counter[str] = field(default_factory=Counter)

    def sent_to(self, path: str) -> list[Request]:
        """The requests for a path."""
        return [request for request in self.requests if request.path == path]

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        with self._lock:
            self.requests.append(request)
            key = request.path if request.path in self.script else "*"
            number = self._counts[key]
            self._counts[key] += 1
        answers = self.script.get(key, refuses(404, "there is nothing here"))
        if callable(answers):
            return answers(request)
        return answers[min(number, len(answers) - 1)](request)


@contextmanager
def faulty_server(script: Script, tls: ssl.SSLContext | None = None) -> Iterator[FaultyServer]:
    """Run a server with scripted answers."""
    server = FaultyServer(script)
    with _running(server.answer, tls) as url:
        server.url = url
        yield server


@dataclass(slots=True)
class FaultyProxy:
    """A proxy that lets a share of the requests fail, and counts those that it forwarded.

    `forwarded` counts requests by their path and body. The failures are drawn from a seed.
    """

    target: str
    share: float
    seed: int
    faults: Sequence[str] = ("500", "429", "reset")
    url: str = ""
    forwarded: Counter[tuple[str, bytes]] = field(default_factory=Counter)
    failed: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """Seed the generator."""
        self._random = random.Random(self.seed)

    def answer(self, request: Request) -> Response:
        """Forward a request, or let it fail."""
        with self._lock:
            fails = self._random.random() < self.share
            fault = self._random.choice(self.faults)
            if fails:
                self.failed += 1
            else:
                self.forwarded[request.path, request.body] += 1
        if not fails:
            return forwards(self.target)(request)
        match fault:
            case "500":
                return refuses(500, "out of luck")(request)
            case "429":
                return refuses(429, "too many requests", retry_after="0")(request)
            case _:
                return Response(body=b"{" * 100, sent=50)


@contextmanager
def faulty_proxy(
    target: str,
    share: float,
    seed: int = 0,
    faults: Sequence[str] = ("500", "429", "reset"),
) -> Iterator[FaultyProxy]:
    """Run a proxy in front of a server, which fails that share of requests."""
    proxy = FaultyProxy(target, share, seed, faults)
    with _running(proxy.answer) as url:
        proxy.url = url
        yield proxy


def self_signed(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """Make a certificate for this machine that nobody has signed, and return its file too."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, certificate


@contextmanager
def _running(
    answer: Callable[[Request], Response], tls: ssl.SSLContext | None = None
) -> Iterator[str]:
    server = _Server(answer)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"{'http' if tls is None else 'https'}://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.cut()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    """A server that can cut its connections, so that no thread outlives it."""

    daemon_threads = False
    request_queue_size = 128

    def __init__(self, answer: Callable[[Request], Response]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.closing = threading.Event()
        self._opened: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._opened.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._opened.discard(request)
        super().shutdown_request(request)

    def cut(self) -> None:
        self.closing.set()
        for opened in tuple(self._opened):
            try:
                opened.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that go away; the tests see what they did."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    server: _Server

    def answer(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, self.rfile.read(length))
        response = self.server.answer(request)
        if response.hangs:
            self.server.closing.wait()
        if response.hangs or response.sent == 0:
            self._reset()
            return
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(response.body)))
        self.end_headers()
        self.wfile.write(response.body[: response.sent])
        self.wfile.flush()
        if response.sent is not None:
            self._reset()

    do_GET = do_POST = answer

    def _reset(self) -> None:
        """Close the connection at once, so that the client sees a reset."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True

    def log_message(self, *_arguments: Any) -> None:
        """Print nothing."""
