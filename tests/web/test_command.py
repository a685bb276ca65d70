"""`horsesense serve` as a program of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import HORSESENSE
from tests.installs.installed import BARE, Installed, needs_bare
from tests.web.conftest import Folders
from tests.web.served import Client

TOKEN = "HORSESENSE_SERVE_TOKEN"


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"} | more


@contextmanager
def started(folder: Path, *options: str, **more: str) -> Iterator[tuple[Any, list[str]]]:
    """A server, and the lines that it has shown when it is ready."""
    process = subprocess.Popen(
        [*HORSESENSE, "serve", str(folder), "--port", "0", *options],
        env=environment(**more), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout and process.stderr
    with process.stdout, process.stderr:
        lines: list[str] = []
        try:
            while not lines or "lm_eval" not in lines[-1]:
                lines.append(process.stderr.readline())
                assert lines[-1], lines
            yield process, lines
        finally:
            process.kill()
            process.wait()


def url_in(lines: list[str]) -> str:
    match = re.search(r"http://127\.0\.0\.1:\d+", "".join(lines))
    assert match is not None
    return match[0]


def refused(*arguments: str, code: int, **more: str) -> str:
    """What a command says that cannot start."""
    command = [*HORSESENSE, "serve", *arguments]
    result = subprocess.run(
        command, env=environment(**more), capture_output=True, text=True, timeout=120
    )
    assert (result.returncode, result.stdout) == (code, ""), result.stderr
    assert "Traceback" not in result.stderr
    return result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_server_finishes_what_is_in_flight(
    folders: Folders, number: signal.Signals
) -> None:
    with started(folders("gpt2")) as (process, lines), ThreadPoolExecutor(1) as pool:
        client = Client(url_in(lines), "gpt2")
        with client.http:
            client.complete("Owls hoot.")
            prompts = [[*range(300, 500), at] for at in range(300)]
            waiting = pool.submit(client.complete, prompts, logprobs=1)
            with pytest.raises(TimeoutError):
                waiting.result(0.3)
            process.send_signal(number)
            choices = waiting.result(60)
        assert len(choices) == len(prompts)
        assert all(len(choice["logprobs"]["tokens"]) == 201 for choice in choices)
        assert process.wait(30) == 0
        assert process.stderr.read() == process.stdout.read() == ""


def test_it_says_where_it_listens_and_how_to_use_it(folders: Folders) -> None:
    with started(folders("gpt2")) as (_, lines):
        url, shown = url_in(lines), "".join(lines)
        assert f"horsesense run --model openai:gpt2@{url}\n" in shown
        arguments = f"model=gpt2,base_url={url}/v1/completions,tokenizer={folders('gpt2')}"
        assert f"--model local-completions --model_args {arguments}" in shown


def test_a_token_is_asked_for_and_never_shown(folders: Folders, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("a secret\n")
    with started(folders("gpt2"), "--token-file", str(file)) as (process, lines):
        client = Client(url_in(lines), "gpt2")
        with client.http as http:
            assert http.get("/v1/models").status_code == 401
            headers = {"Authorization": "Bearer a secret"}
            assert http.get("/v1/models", headers=headers).status_code == 200
        process.send_signal(signal.SIGINT)
        process.wait(30)
        assert "secret" not in "".join(lines) + process.stderr.read() + process.stdout.read()


def test_a_token_in_the_environment_opens_other_addresses(folders: Folders) -> None:
    with started(folders("gpt2"), "--host", "0.0.0.0", **{TOKEN: "a secret"}) as (_, lines):
        port = re.search(r"http://0\.0\.0\.0:(\d+)", "".join(lines))
        assert port is not None
        client = Client(f"http://127.0.0.1:{port[1]}", "gpt2")
        with client.http as http:
            assert http.get("/v1/models").status_code == 401


def test_another_address_needs_a_token(folders: Folders, tmp_path: Path) -> None:
    message = refused(str(folders("gpt2")), "--host", "0.0.0.0", code=2)
    assert TOKEN in message and "--token-file" in message
    empty = tmp_path / "token"
    empty.write_text("\n")
    message = refused(str(folders("gpt2")), "--token-file", str(empty), code=2)
    assert "is empty" in message


def test_a_taken_port_is_named(folders: Folders) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        message = refused(str(folders("gpt2")), "--port", port, code=2)
    assert f"port {port} is taken" in message and "--port 0" in message


def test_what_is_no_causal_model_is_not_served() -> None:
    assert "is a baseline model" in refused("longer", code=2)


@needs_bare
def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    result = Installed(BARE, tmp_path).run("serve", "smollm2-135m", code=6)
    assert "pip install 'horsesense[serve]'" in result.stderr
