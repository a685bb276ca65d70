"""Run the HTTP server: find a port, listen, and stop when the user says so."""

from __future__ import annotations

import errno
import ipaddress
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import uvicorn
from starlette.applications import Starlette

from horsesense.errors import ArgumentError
from horsesense.models import Family, LanguageModel, Model, causal_query
from horsesense.web.application import MAX_BODY_BYTES, make_application
from horsesense.web.inference import Inference

# Connections that the system accepts before we do.
_BACKLOG = 2048


def check_serving(model: Model) -> LanguageModel:
    """Return the model if it can be served, or raise an error that says why not."""
    family = model.info.family
    if family is not Family.CAUSAL or not isinstance(model, LanguageModel):
        raise ArgumentError(
            f"{model.info.name} is a {family} model, and the completions interface is for causal "
            "language models; choose one, such as smollm2-135m"
        )
    if model.is_served:
        raise ArgumentError(f"{model.info.name} is behind a server already; use that one")
    return model


def check_host(host: str, token: str) -> None:
    """Raise an error if other machines could reach the server and need no token."""
    if not token and not _is_loopback(host):
        raise ArgumentError(
            f"other machines can reach {host}, so the server needs a token: set "
            "HORSESENSE_SERVE_TOKEN, or give a file with --token-file; or leave out --host"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; port 0 is any free one."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(_BACKLOG)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ArgumentError(
                f"port {port} is taken by another program; choose one with --port, or any free "
                "one with --port 0"
            ) from error
        raise ArgumentError(f"cannot listen at {host}, port {port}: {error.strerror}") from error
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the address of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(
    model: LanguageModel,
    listener: socket.socket,
    *,
    name: str = "",
    token: str = "",
    ready: Callable[[str], None] = lambda url: None,
) -> None:
    """Serve a model until SIGINT or SIGTERM, and finish the requests in flight.

    Requests use the `name` for it, by default its own. `ready` gets the address as soon as the
    server answers.
    """
    with closing(listener):
        _load_weights(model)
        application = make_application(
            Inference(model), name=name, token=token, started=int(time.time())
        )
        _Server(_config(application), lambda: ready(url_of(listener))).run([listener])


def _load_weights(model: LanguageModel) -> None:
    """Query the model once, so that it is loaded, or fails, before any request comes."""
    model.answer_singly(causal_query((0, 0)))


@contextmanager
def serving(
    model: LanguageModel,
    *,
    name: str = "",
    host: str = "127.0.0.1",
    port: int = 0,
    token: str = "",
    max_body_bytes: int = MAX_BODY_BYTES,
) -> Iterator[str]:
    """Serve a model in another thread while the context lasts, and provide the address.

    By default, the port is any free one.
    """
    check_host(host, token)
    application = make_application(
        Inference(check_serving(model)), name=name, token=token, max_body_bytes=max_body_bytes
    )
    _load_weights(model)
    is_up = threading.Event()
    with closing(listen(host, port)) as listener:
        server = _Server(_config(application), is_up.set)
        thread = threading.Thread(target=server.run, args=([listener],), name="server")
        thread.start()
        try:
            while thread.is_alive() and not is_up.wait(0.1):
                pass
            yield url_of(listener)
        finally:
            server.should_exit = True
            thread.join()


def _config(application: Starlette) -> uvicorn.Config:
    return uvicorn.Config(application, log_level="warning", access_log=False, lifespan="on")


class _Server(uvicorn.Server):
    """A server that says when it is ready, and ends normally when it is stopped."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal; uvicorn would raise it again at the end, as if it had failed."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
