"""A server on this machine in place of GitHub and the hub, which can also misbehave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TypeAlias

import pytest

from horsesense.datasets.catalog import Repository, known_datasets

# The published files, where they lie beside the project; they are no part of it.
DATA = Path(__file__).parents[3].parent / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the published files are not in {DATA}")

Answer: TypeAlias = Callable[["Handler"], None]


class Server(ThreadingHTTPServer):
    """Files by their paths, and answers of another kind for some paths; it notes what is asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def hold(self, repository: Repository, path: str, content: bytes) -> str:
        """Hold a file of a repository, list it there, and return the path of its address."""
        place = f"/{repository.repository}/{repository.commit}/"
        self.files[place + path] = content
        tree = [
            {"type": "blob", "path": each.removeprefix(place), "size": len(data)}
            for each, data in self.files.items()
            if each.startswith(place)
        ]
        folder = {"type": "tree", "path": "data"}
        listed = f"/repos/{repository.repository}/git/trees/{repository.commit}"
        self.files[listed] = json.dumps({"tree": [folder, *tree]}).encode()
        return place + path


class Handler(BaseHTTPRequestHandler):
    """Send a file, or whatever else was agreed on."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        if answer := self.server.answers.get(path):
            answer(self)
        elif path in self.server.files:
            self.send(200, self.server.files[path])
        else:
            self.send(404, b"nothing here")

    def send(self, status: int, content: bytes, *, announced: int | None = None) -> None:
        """Send an answer, and announce its size or another one."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(content) if announced is None else announced))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = True

    def redirect(self, address: str) -> None:
        """Send whoever asks to another address."""
        self.send_response(302)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server as long as it is needed."""
    with Server() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def hold_published(server: Server) -> None:
    """Hold the published files in the layout of their repositories."""
    held = {
        sha256(path.read_bytes()).hexdigest(): path for path in DATA.rglob("*") if path.is_file()
    }
    for dataset in known_datasets():
        for file in dataset.files:
            if file.source and file.sha256 in held:
                content = held[file.sha256].read_bytes()
                # Where the catalogue names no folder, the file is somewhere in the repository.
                path = file.source.path_of(file.path) if file.source.folder else f"in/{file.path}"
                server.hold(file.source, path, content)
