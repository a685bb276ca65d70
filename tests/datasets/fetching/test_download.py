"""Downloads that fail, each with its own message, after which nothing is left."""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.client import HTTPMessage
from io import BytesIO
from pathlib import Path
from threading import Barrier, Thread
from typing import Any
from urllib.error import URLError
from urllib.request import Request

import pytest
from click.testing import CliRunner

from horsesense import load_dataset
from horsesense.cli.main import cli
from horsesense.datasets.catalog import find_known
from horsesense.datasets.fetching import ChangedError, FetchError, data_folder, download, fetching
from horsesense.datasets.fetching.download import MOST_ANSWERED, get
from horsesense.errors import ArgumentError, FileError
from horsesense.store import import_dataset
from tests.datasets.fetching.servers import Handler, Server, serving

GAP = find_known("gap").file("gap-test.tsv")
assert GAP.source is not None
PLACE = f"/{GAP.source.repository}/{GAP.source.commit}/gap-test.tsv"
LIST = f"/repos/{GAP.source.repository}/git/trees/{GAP.source.commit}"
REMEDY = (
    "\n  Get gap-test.tsv yourself from the GitHub repository"
    " google-research-datasets/gap-coreference (commit 83135f26025c)."
    "\n  Then type: horsesense dataset import gap-test.tsv --name gap"
)


def kept(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*") if path.is_file()]


def fails(cache: Path, store: Path) -> str:
    """Import GAP in vain, and return the message."""
    with pytest.raises(FetchError) as caught:
        import_dataset(store, "gap")
    assert not kept(cache) and not store.exists()
    message = str(caught.value)
    assert message.startswith("gap cannot be fetched: ") and message.endswith(REMEDY)
    return message.removeprefix("gap cannot be fetched: ").removesuffix(REMEDY)


def test_a_changed_file_is_refused_with_both_hashes(
    server: Server, cache: Path, store_path: Path
) -> None:
    server.files[PLACE] = b"x" * GAP.bytes
    other = sha256(server.files[PLACE]).hexdigest()
    assert fails(cache, store_path) == (
        "gap-test.tsv is not the published file: its SHA-256 should begin with"
        f" {GAP.sha256[:12]}, but begins with {other[:12]}; it was not kept"
    )


def test_a_changed_file_may_be_elsewhere_as_it_was(
    server: Server, cache: Path, store_path: Path
) -> None:
    assert GAP.source is not None
    for path in ("gap-test.tsv", "old/gap-test.tsv"):
        server.hold(GAP.source, path, b"y" * GAP.bytes)
    assert "is not the published file" in fails(cache, store_path)
    assert server.asked == [PLACE, LIST, PLACE, PLACE.replace("gap-test", "old/gap-test")]


def test_a_missing_file_is_said_to_be(server: Server, cache: Path, store_path: Path) -> None:
    host = server.address.removeprefix("http://")
    assert fails(cache, store_path) == f"{host} does not have {server.address}{PLACE} (any more)"


@pytest.mark.parametrize("announced", [GAP.bytes - 1, GAP.bytes + 1])
def test_a_file_of_the_wrong_size_is_not_even_read(
    announced: int, server: Server, cache: Path, store_path: Path
) -> None:
    server.answers[PLACE] = lambda handler: handler.send(200, b"", announced=announced)
    host = server.address.removeprefix("http://")
    least = "at least " if announced > GAP.bytes else ""
    assert fails(cache, store_path) == (
        f"gap-test.tsv from {host} has the wrong size: {GAP.bytes:,} bytes were published, but it"
        f" has {least}{announced:,}; it was not kept"
    )


@pytest.mark.parametrize("size", [GAP.bytes - 1, GAP.bytes + 100_000])
def test_a_size_that_was_not_announced_is_counted(
    size: int, server: Server, cache: Path, store_path: Path
) -> None:
    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(b"x" * size)
        handler.close_connection = True

    server.answers[PLACE] = answer
    assert "has the wrong size: " in fails(cache, store_path)


def test_a_truncated_download_is_said_to_be(server: Server, cache: Path, store_path: Path) -> None:
    server.answers[PLACE] = lambda handler: handler.send(200, b"x" * 9000, announced=GAP.bytes)
    host = server.address.removeprefix("http://")
    assert fails(cache, store_path) == (
        f"the connection to {host} ended after 9,000 of {GAP.bytes:,} bytes; try again"
    )


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (500, "has a server error (500 Internal Server Error); try again later"),
        (503, "has a server error (503 Service Unavailable); try again later"),
        (403, "gives gap-test.tsv only to those who were granted access"),
        (429, "accepts no more requests from you for now; try again in an hour"),
        (418, "refuses http"),
    ],
)
def test_an_answer_that_is_no_file_is_explained(
    status: int, words: str, server: Server, cache: Path, store_path: Path
) -> None:
    server.answers[PLACE] = lambda handler: handler.send(status, b"no")
    assert words in fails(cache, store_path)


def test_redirects_are_followed_but_not_in_a_circle(
    server: Server, cache: Path, store_path: Path
) -> None:
    server.answers[PLACE] = lambda handler: handler.redirect("/a")
    server.answers["/a"] = lambda handler: handler.redirect(PLACE)
    assert "redirects http" in (message := fails(cache, store_path)) and "in a loop" in message
    server.files["/b"] = b"x" * GAP.bytes
    server.answers["/a"] = lambda handler: handler.redirect("/b")
    assert "not the published file" in fails(cache, store_path)


def test_a_redirect_to_a_file_of_this_computer_is_not_followed(
    server: Server, cache: Path, store_path: Path
) -> None:
    server.answers[PLACE] = lambda handler: handler.redirect("file:///etc/hostname")
    assert "redirects" in fails(cache, store_path)


def test_a_redirect_from_https_to_http_is_not_followed() -> None:
    request, headers = Request("https://127.0.0.1/x"), HTTPMessage()
    follow = download._Redirects().redirect_request
    again = follow(request, BytesIO(), 302, "Found", headers, "https://127.0.0.1/y")
    assert again is not None and again.full_url == "https://127.0.0.1/y"
    with pytest.raises(
        URLError, match="it redirects to http://127.0.0.1/y, which is not encrypted"
    ):
        follow(request, BytesIO(), 302, "Found", headers, "http://127.0.0.1/y")


def test_no_network_is_said_to_be(
    cache: Path, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as server:
        address = server.address
    monkeypatch.setenv("HORSESENSE_DATA_MIRROR", address)
    host = address.removeprefix("http://")
    assert fails(cache, store_path).startswith(f"{host} cannot be reached: ")
    assert fails(cache, store_path).endswith("; check your network connection")


def test_a_silent_server_is_not_waited_for(
    cache: Path, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("horsesense.datasets.fetching.download.TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setenv("HORSESENSE_DATA_MIRROR", f"http://{address}")
        assert fails(cache, store_path).startswith(f"{address} did not respond for ")


def test_an_answer_that_is_no_http_is_said_to_be(
    server: Server, cache: Path, store_path: Path
) -> None:
    def answer(handler: Handler) -> None:
        handler.wfile.write(b"nonsense\r\n\r\n")
        handler.close_connection = True

    server.answers[PLACE] = answer
    assert "cannot be reached" in fails(cache, store_path)


@pytest.mark.parametrize("variable", ["HORSESENSE_OFFLINE", "HF_HUB_OFFLINE"])
def test_the_variables_for_staying_offline_are_respected(
    variable: str, server: Server, cache: Path, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "1")
    assert (
        fails(cache, store_path)
        == f"{variable} is set, and gap-test.tsv has not been fetched before"
    )
    assert not server.asked


def test_a_caller_can_stay_offline(server: Server, cache: Path) -> None:
    with pytest.raises(FetchError, match="you chose to work offline, and dev.jsonl and dev-labels"):
        load_dataset("winogrande", offline=True)
    with (
        fetching(offline=True),
        pytest.raises(FetchError, match="so 127.0.0.1:.* was not contacted"),
    ):
        get(f"{server.address}/list")
    assert not server.asked


def test_an_address_must_be_one(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HORSESENSE_DATA_MIRROR", "/srv/data")
    with pytest.raises(ArgumentError, match="HORSESENSE_DATA_MIRROR is '/srv/data', which is not"):
        load_dataset("gap")


def test_a_file_is_looked_for_in_the_list_of_its_repository(
    server: Server, cache: Path, store_path: Path
) -> None:
    server.answers[LIST] = lambda handler: handler.send(403, b"")
    assert "limits how often" in fails(cache, store_path)
    server.answers[LIST] = lambda handler: handler.send(500, b"")
    assert "has a server error" in fails(cache, store_path)
    del server.answers[LIST]
    for content in (b"{", b"[]", b'{"tree": [{"type": "blob"}]}'):
        server.files[LIST] = content
        assert "is not in GitHub's format" in fails(cache, store_path)
    server.files[LIST] = json.dumps({"tree": []}).encode()
    assert "does not have" in fails(cache, store_path)


def test_a_list_without_end_is_refused(server: Server, cache: Path) -> None:
    server.answers["/list"] = lambda handler: handler.send(200, b"", announced=MOST_ANSWERED + 1)
    with pytest.raises(ChangedError, match="bytes are allowed at most"):
        get(f"{server.address}/list")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="may write anywhere")
def test_a_folder_that_cannot_be_written_is_said_to_be(server: Server, cache: Path) -> None:
    server.files["/x"] = b"x"
    cache.mkdir(mode=0o500)
    with pytest.raises(FileError, match="cannot be written: Permission denied; free some space"):
        download.download(
            f"{server.address}/x", data_folder() / "x", size=1, most=1, check=lambda digest: None
        )


def test_a_cache_that_is_a_file_is_said_to_be(server: Server, cache: Path) -> None:
    cache.write_text("")
    with pytest.raises(
        FileError, match="cannot be written: .*; free some space, or set HORSESENSE"
    ):
        download.download(
            f"{server.address}/x", data_folder() / "x", size=1, most=1, check=lambda digest: None
        )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_said_to_be(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.files["/x"] = b"x" * 100_000
    fdopen = os.fdopen

    def full(handle: int, mode: str) -> Any:
        os.close(handle)
        return fdopen(os.open("/dev/full", os.O_WRONLY), mode)

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(FileError, match=os.strerror(errno.ENOSPC)):
        download.download(
            f"{server.address}/x",
            data_folder() / "x",
            size=0,
            most=10**6,
            check=lambda digest: None,
        )
    assert not kept(cache)


def test_two_at_once_leave_one_whole_file(server: Server, cache: Path) -> None:
    barrier = Barrier(2, timeout=30)

    def together(handler: Handler) -> None:
        barrier.wait()  # neither gets its bytes before both have asked
        handler.send(200, b"x" * 300_000)

    server.answers["/x"] = together
    target = data_folder() / "x"

    def run() -> None:
        download.download(
            f"{server.address}/x", target, size=300_000, most=300_000, check=lambda digest: None
        )

    threads = [Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kept(cache) == [target] and target.read_bytes() == b"x" * 300_000


def test_progress_is_counted_in_bytes(server: Server, cache: Path) -> None:
    seen: list[tuple[str, int, int]] = []

    @contextmanager
    def watch(label: str) -> Iterator[Callable[[int, int], None]]:
        yield lambda done, total: seen.append((label, done, total))

    server.files["/a/x.bin"] = b"x" * 150_000
    with fetching(watch=watch):
        assert len(get(f"{server.address}/a/x.bin")) == 150_000
    assert {label for label, _, _ in seen} == {"fetching x.bin"}
    assert seen[-1][1:] == (150_000, 150_000) and len(seen) > 1


COMMANDS = (
    ["dataset", "import", "gap"],
    ["score", "gap", "--model", "longer"],
    ["run", "--data", "gap", "--model", "longer"],
)


def test_the_command_line_fails_with_the_code_of_files(
    server: Server, cache: Path, store_path: Path
) -> None:
    for arguments in COMMANDS:
        command = ["--store", str(store_path), *arguments]
        result = CliRunner().invoke(cli, [*command, "--offline"])
        assert result.exit_code == 5 and "you chose to work offline" in result.stderr
        assert REMEDY in result.stderr
        assert not server.asked
    result = CliRunner().invoke(cli, ["--store", str(store_path), "dataset", "import", "gap"])
    assert result.exit_code == 5 and "(any more)" in result.stderr and server.asked
