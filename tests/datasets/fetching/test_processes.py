"""Whole processes that fetch: interrupted, two at once, and with no room on the disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from tests.datasets.fetching.servers import Handler, Server
from tests.datasets.fetching.test_hub import API, ROWS, as_parquet, hold

IMPORT = [sys.executable, "-m", "horsesense", "dataset", "import", "moor/owls"]
FILE = f"{API}/parquet/default/validation/0.parquet"
# A process under this limit can write this many bytes to a file, and no more.
LIMITED = """
import resource, runpy, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000))
sys.argv = ["horsesense", "--store", "new.db", "dataset", "import", "moor/owls"]
runpy.run_module("horsesense", run_name="__main__")
"""


def start(command: list[str], folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def kept(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.rglob("*") if path.is_file())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the processes, with a store of its own."""
    monkeypatch.setenv("HORSESENSE_STORE", "own.db")
    made = tmp_path / "folder"
    made.mkdir()
    return made


def test_an_interrupted_download_leaves_nothing_and_can_be_repeated(
    server: Server, cache: Path, folder: Path
) -> None:
    content = as_parquet(ROWS)
    hold(server, content)
    is_started, is_over = Event(), Event()

    def stall(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[:100])
        is_started.set()
        is_over.wait(60)
        handler.close_connection = True

    server.answers[FILE] = stall
    process = start(IMPORT, folder)
    assert is_started.wait(60)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    is_over.set()
    assert (process.returncode, output) == (130, "")
    assert errors.endswith("Error: interrupted; unfinished work was not stored\n")
    assert kept(cache) == ["index.json"]
    del server.answers[FILE]
    assert start(IMPORT, folder).communicate()[0].startswith("owls-validation: stored version 1")


def test_two_processes_at_once_fetch_and_store_one_dataset(
    server: Server, cache: Path, folder: Path
) -> None:
    hold(server, as_parquet(ROWS))
    processes = [start(IMPORT, folder) for _ in range(2)]
    outputs = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert all("version 1" in output for output in outputs)
    assert kept(cache) == ["0.parquet", "0.sha256", "index.json"]


@pytest.mark.skipif(os.name != "posix", reason="only POSIX limits the size of files")
def test_without_room_for_the_file_nothing_is_kept_or_stored(
    server: Server, cache: Path, folder: Path
) -> None:
    rows = [ROWS[0] | {"sentence": f"{os.urandom(50).hex()} _"} for _ in range(2_000)]
    hold(server, as_parquet(rows))
    process = start([sys.executable, "-c", LIMITED], folder)
    _, errors = process.communicate()
    assert process.returncode == 5
    assert "0.parquet cannot be written: File too large; free some space, or set HORS" in errors
    assert kept(cache) == ["index.json"] and not list(folder.iterdir())
