from __future__ import annotations

import json
from pathlib import Path

import pytest

from horsesense.models.huggingface.self_tests import save_outcomes
from tests.cli.conftest import Run
from tests.models.tiny import save_tiny


@pytest.fixture
def untrained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A small model that has learnt nothing."""
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    return str(save_tiny("gpt2", tmp_path / "gpt2"))


def test_a_sound_baseline_passes(run: Run) -> None:
    result = run("doctor", "longer")
    assert result.exit_code == 0
    assert result.stdout.startswith("✓ choice            a baseline:")
    assert result.stderr == "longer: ready to use (0 failures, 0 warnings)\n"


def test_a_baseline_that_prefers_nothing_fails(run: Run) -> None:
    result = run("doctor", "uniform")
    assert result.exit_code == 1
    assert result.stdout.startswith("✗ choice            every option gets the same score")


def test_untrained_weights_fail_and_all_else_is_told(run: Run, untrained: str) -> None:
    result = run("doctor", untrained)
    assert result.exit_code == 1
    verdicts = {
        line[2:20].strip(): line[0] for line in result.stdout.splitlines() if line[0] != " "
    }
    assert [check for check, verdict in verdicts.items() if verdict == "✗"] == ["canaries"]
    assert "prefers scrambled sentences as often as plain ones" in result.stdout
    assert set(verdicts) >= {"memory", "offsets", "batches", "batching", "speed"}


def test_optimizations_are_tested_again_whatever_is_recorded(
    run: Run, untrained: str, tmp_path: Path
) -> None:
    assert "batching          tree" in run("doctor", untrained).stdout
    [record] = (tmp_path / "cache" / "self-tests").iterdir()
    whole = record.read_bytes()
    key = json.loads(whole)["key"]
    save_outcomes(tmp_path / "cache", key, {"trees of tokens": "a lie"})
    assert (
        "(plain: a lie)" in run("score", "a lorry <can*, cannot> pass", "--model", untrained).stderr
    )
    assert "batching          tree" in run("doctor", untrained).stdout
    assert record.read_bytes() == whole


def test_weights_that_are_no_numbers_fail_in_the_words_of_the_error(
    run: Run, untrained: str
) -> None:
    from safetensors.torch import load_file, save_file

    file = Path(untrained) / "model.safetensors"
    weights = load_file(file)
    weights["transformer.ln_f.weight"][3] = float("nan")
    save_file(weights, file, metadata={"format": "pt"})
    result = run("doctor", untrained)
    assert result.exit_code == 1
    *_, found, remedy, _ = result.stdout.splitlines()
    assert found.startswith("✗ querying          the weights in") and "NaN" in found
    assert remedy == 20 * " " + remedy.strip()


def test_findings_as_json(run: Run) -> None:
    result = run("doctor", "uniform", "--json")
    found = json.loads(result.stdout)
    assert (found["failures"], found["warnings"], result.exit_code) == (1, 0, 1)
    assert found["findings"][0]["verdict"] == "failure"


def test_an_unknown_model_is_an_error(run: Run) -> None:
    result = run("doctor", "longr")
    assert (result.exit_code, "did you mean longer?" in result.stderr) == (3, True)
