"""Estimates, budgets and usage of models behind a server, and of chat models, from the commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from horsesense import load_model
from horsesense.cli.main import cli
from horsesense.evaluation.protocol import with_chat_models
from horsesense.models import LanguageModel
from horsesense.results import Results
from horsesense.web import serving
from tests.embedded import embedded_default
from tests.models.tiny import save_tiny

FEW = ("--data", "hs-adversarial", "--first", "4", "--perturb", "none")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small model."""
    return save_tiny("gpt2", tmp_path_factory.mktemp("models") / "ant")


@pytest.fixture(scope="module")
def name(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the model behind a server."""
    model = load_model(folder, cache=tmp_path_factory.mktemp("cache"))
    assert isinstance(model, LanguageModel)
    model.info = replace(model.info, name="ant")
    with serving(model) as url:
        yield f"openai:ant@{url}"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder of the test's own."""
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--store", "own.db", "run", *FEW, *arguments])


def estimated(*arguments: str) -> Any:
    result = run(*arguments, "--dry-run", "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_an_estimate_is_what_the_run_then_sends(name: str, folder: Path) -> None:
    arguments = ("--model", name, "--tokenizer", str(folder), "--price-input", "1000000")
    expected = estimated(*arguments)
    [model] = expected["models"]
    # Sentences whose ranking is known are asked about as well.
    assert expected["requests"] == model["requests"] > model["queries"] > 0
    assert model["seconds"] is None and model["is_exact"]
    assert expected["cost"] > model["tokens"]
    done = run(*arguments, "--resamples", "20")
    assert done.exit_code == 0, done.output
    results = stored_results()
    [usage] = results.usage
    # A few requests check the server, and each generates a token at most.
    assert 0 < usage.requests - model["requests"] < 10
    assert usage.prompt_tokens >= model["tokens"] and usage.cost == usage.prompt_tokens
    assert estimated(*arguments)["requests"] == 0


def stored_results() -> Results:
    """The results of the run in the store."""
    path = Path("results.json")
    written = CliRunner().invoke(
        cli, ["--store", "own.db", "report", "--format", "json", "--output", str(path)]
    )
    assert written.exit_code == 0, written.output
    return Results.load(path)


def test_a_run_stops_before_its_budget_is_exceeded_and_continues_with_a_larger_one(
    name: str, folder: Path
) -> None:
    arguments = ("--model", name, "--tokenizer", str(folder), "--resamples", "20")
    needed = estimated(*arguments)["requests"]
    stopped = run(*arguments, "--max-requests", "15")
    assert stopped.exit_code == 6
    assert "would exceed --max-requests 15; all answers so far are stored" in stopped.stderr
    remaining = estimated(*arguments)["requests"]
    assert 0 < remaining < needed
    assert run(*arguments, "--max-requests", str(remaining + 10)).exit_code == 0


def test_an_estimate_beyond_the_budget_is_reported(name: str, folder: Path) -> None:
    arguments = ("--model", name, "--tokenizer", str(folder), "--max-requests", "10")
    result = run(*arguments, "--dry-run")
    assert "--max-requests is 10, and it may need" in result.stderr
    assert "requests to servers, without retries" in result.stdout


def test_a_limit_of_the_cost_without_prices_is_refused(name: str) -> None:
    result = run("--model", name, "--max-cost", "1")
    assert result.exit_code == 6 and "needs prices" in result.stderr


def test_the_report_says_that_weights_could_not_be_hashed(name: str) -> None:
    done = run("--model", name, "--resamples", "20")
    assert done.exit_code == 0, done.output
    [page] = Path("horsesense-runs").glob("*/report.html")
    assert "could not be hashed" in page.read_text(encoding="utf-8")


def test_chat_models_follow_local_models_only() -> None:
    served = "chat:ant@http://127.0.0.1:8000"
    models = with_chat_models(["ant", "chat:bee", served, "random@7", "bee"])
    assert models == ("ant", "chat:ant", "chat:bee", served, "random@7", "bee")


def test_a_model_on_this_machine_is_talked_to_on_request() -> None:
    embedded_default()
    result = CliRunner().invoke(
        cli,
        ["--store", "own.db", "score", "--chat", "--method", "letter", "--json"]
        + ["a lorry <can, cannot> pass under a {high, low} bridge"],
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["model"] == "chat:smollm2-135m"


def test_the_time_of_conversations_is_estimated_from_a_few() -> None:
    embedded_default()
    [causal, chat] = estimated("--chat", "--method", "letter", "--method", "partial")["models"]
    assert (causal["name"], chat["name"]) == ("smollm2-135m", "chat:smollm2-135m")
    assert chat["queries"] == 16 and chat["reply_tokens"] == 16 * 16 and chat["seconds"] > 0
    assert (chat["requests"], chat["cost"]) == (0, None)


def test_talking_to_no_model_is_refused() -> None:
    result = run("--model", "longer", "--chat")
    assert result.exit_code == 2 and "the plan has none" in result.stderr


def test_a_chat_protocol_for_a_language_model_names_the_chat_model(name: str) -> None:
    result = run("--model", name, "--method", "letter", "--resamples", "20")
    assert result.exit_code == 6 and "to talk to it, name it chat:" in result.stderr
