"""Runs with a model behind a server: killed at any moment, and with a key that must not leak."""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner, Result

from horsesense import evaluate, load_model
from horsesense.cli.main import cli
from horsesense.errors import ModelError
from horsesense.models import LanguageModel, server_settings
from horsesense.results import Results
from horsesense.scoring.outcome import DRIFT
from horsesense.store import Store, count_kept
from horsesense.web import serving
from tests.cli.terminal import HORSESENSE
from tests.models.tiny import save_tiny
from tests.servers.faulty import (
    Answer,
    FaultyProxy,
    changes,
    faulty_proxy,
    faulty_server,
    forwards,
    hangs,
    page,
    redirects,
    refuses,
    resets,
    self_signed,
)

KILLS = 20
IN_FLIGHT = 4
SCHEMAS = 80
KEY = "hs-secret-0123456789+abc/DEF=="
ANSWERS = "/v1/completions"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small model."""
    return save_tiny("gpt2", tmp_path_factory.mktemp("models") / "ant")


@pytest.fixture(scope="module")
def url(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the model, whose server demands the key."""
    model = load_model(folder, cache=tmp_path_factory.mktemp("cache"))
    assert isinstance(model, LanguageModel)
    model.info = replace(model.info, name="ant")
    with serving(model, token=KEY) as address:
        yield address


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The key, and folders of the test's own, so that every file that is written can be read."""
    monkeypatch.setenv("HORSESENSE_API_KEY", KEY)
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def answered(proxy: FaultyProxy) -> Counter[bytes]:
    """How often each request for log-probabilities was forwarded."""
    forwarded = tuple(proxy.forwarded.items())
    return Counter({body: times for (path, body), times in forwarded if path == ANSWERS})


def evaluated(address: str, folder: Path, store: Path) -> Results:
    """The results of the run, which is not disturbed any more."""
    return evaluate(
        f"openai:ant@{address}", "hs-adversarial", perturbations="none", first=SCHEMAS,
        resamples=20, server=server_settings(tokenizer=str(folder)), store=store, progress=False,
    )  # fmt: skip


def killed_at(process: subprocess.Popen[bytes], proxy: FaultyProxy, moment: int) -> bool:
    """Kill a process after so many requests; return whether it was still running."""
    while process.poll() is None:
        if answered(proxy).total() >= moment:
            process.kill()
            process.wait()
            return True
        time.sleep(0.002)
    return False


def test_a_run_killed_at_random_moments_against_a_failing_server_loses_and_repeats_nothing(
    url: str, folder: Path, tmp_path: Path
) -> None:
    undisturbed = evaluated(url, folder, tmp_path / "undisturbed.db")
    moments, store = random.Random(2024), tmp_path / "killed.db"
    with faulty_proxy(url, share=0.1, seed=7) as proxy:
        command = [
            *HORSESENSE, "--store", str(store), "run", "--model", f"openai:ant@{proxy.url}",
            "--data", "hs-adversarial", "--perturb", "none", "--first", str(SCHEMAS),
            "--concurrency", str(IN_FLIGHT), "--retries", "12", "--tokenizer", str(folder),
        ]  # fmt: skip
        settings = server_settings(tokenizer=str(folder))
        load_model(f"openai:ant@{proxy.url}", server=settings).release()
        canaries, rows = answered(proxy), 0
        for _ in range(KILLS):
            moment = answered(proxy).total() + moments.randint(0, 24)
            with subprocess.Popen(
                command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            ) as process:
                assert killed_at(process, proxy, moment), process.communicate()
            if store.exists():
                kept = stored_rows(store)
                assert kept >= rows
                rows = kept
        killed = evaluated(proxy.url, folder, store)
        assert proxy.failed > KILLS
        repeated = {body: n - 1 for body, n in answered(proxy).items() if body not in canaries}
        # What was in flight when a process was killed had no one to store it.
        assert len(repeated) > 0 and sum(repeated.values()) <= KILLS * IN_FLIGHT
        before = answered(proxy)
        evaluated(proxy.url, folder, store)
        assert (answered(proxy) - before).keys() <= canaries.keys()
    assert tuple(killed.estimates) == tuple(undisturbed.estimates)
    assert killed.answer_sets.keys() == undisturbed.answer_sets.keys()
    for key, answer_set in undisturbed.answer_sets.items():
        pairs = zip(answer_set.answers, killed.answer_sets[key].answers, strict=True)
        for expected, answer in pairs:
            assert replace(answer, outcome=expected.outcome) == expected
            assert answer.outcome.chosen == expected.outcome.chosen
            # What the server computes together depends on what is in flight.
            assert answer.outcome.costs == pytest.approx(expected.outcome.costs, abs=DRIFT)
    assert stored_rows(store) == stored_rows(tmp_path / "undisturbed.db")
    assert killed.record.queries == undisturbed.record.queries


def stored_rows(path: Path) -> int:
    """How many answers a store has, all of them intact."""
    with Store.open(path) as store:
        counts = count_kept(store)
    assert not any(count.damaged for count in counts)
    return sum(count.rows for count in counts)


def leaks(folder: Path) -> list[str]:
    """The files below a folder that have the key in them, in any usual spelling."""
    spellings = [each.encode() for each in (KEY, quote(KEY), quote(KEY, safe=""))]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [str(path) for path in files if any(each in path.read_bytes() for each in spellings)]


def test_no_key_is_written_or_printed_whatever_goes_wrong(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORSESENSE_DEBUG", "1")
    real = forwards(url)
    with faulty_server({"*": page("elsewhere")}) as elsewhere:
        faults: dict[str, Answer] = {
            "page": page(f"<p>{KEY}</p>"),
            "unauthorized": refuses(401, f"the key {KEY} is not valid"),
            "missing": refuses(404, f"no such path for {KEY}"),
            "busy": refuses(429, f"too many requests with {quote(KEY)}", retry_after="0"),
            "broken": refuses(500, f"Authorization: Bearer {KEY}"),
            "redirect": redirects(f"{elsewhere.url}/?key={quote(KEY)}"),
            "reset": resets(real),
            "hang": hangs,
            "few": changes(real, drop_values),
            "not a number": changes(real, spoil_values),
        }
        printed = []
        for name, answer in faults.items():
            script = {"*": real, ANSWERS: answer}
            with faulty_server(script) as server:
                printed.append(failed_run(server.url, tmp_path / f"{name}.db"))
                assert any("authorization" in request.headers for request in server.requests)
        context, _ = self_signed(tmp_path)
        with faulty_server({"*": real}, tls=context) as server:
            printed.append(failed_run(server.url, tmp_path / "tls.db"))
        assert elsewhere.requests == []
    succeeded = run(url, tmp_path / "good.db")
    assert succeeded.exit_code == 0, succeeded.output
    for text in (*printed, succeeded.output):
        assert KEY not in text and quote(KEY) not in text and quote(KEY, safe="") not in text
    assert leaks(tmp_path) == []


def drop_values(content: Any) -> None:
    """Leave out a log-probability."""
    content["choices"][0]["logprobs"]["token_logprobs"].pop()


def spoil_values(content: Any) -> None:
    """Make a log-probability not a number."""
    content["choices"][0]["logprobs"]["token_logprobs"][-1] = float("nan")


def run(address: str, store: Path) -> Result:
    """Run the command line on a few schemas, and write the report."""
    arguments = [
        "--store", str(store), "run", "--model", f"openai:ant@{address}", "--first", "4",
        "--data", "hs-adversarial", "--perturb", "none", "--resamples", "20", "--retries", "1",
        "--timeout", "2", "--force",
    ]  # fmt: skip
    return CliRunner().invoke(cli, arguments)


def failed_run(address: str, store: Path) -> str:
    """What is printed by a run that must fail with an error of ours."""
    result = run(address, store)
    assert result.exit_code == ModelError.exit_code, result.output
    assert "Error: " in result.output
    return result.output
