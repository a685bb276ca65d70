from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from horsesense.evaluation.inference import score
from horsesense.models import Family, load_model
from horsesense.scoring import methods_of
from horsesense.store import Store
from tests.cli.conftest import Run
from tests.evaluation.inference.stand_in import StandIn, declared, some_problems
from tests.evaluation.inference.test_verification import tamper
from tests.models.tiny import save_tiny
from tests.store.builders import change, row_counts

STORE = Path("horsesense.db")
METHODS = methods_of(Family.CAUSAL)


@pytest.fixture
def asked(run: Run) -> Run:
    """The command line with the answers of two models in its store."""
    with Store.create_or_open(STORE) as store:
        for info in (declared(), declared(name="other", weights="cc")):
            list(score(StandIn(info), some_problems(4), METHODS, store=store))
    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model in a folder."""
    return save_tiny("gpt2", tmp_path_factory.mktemp("gpt2"))


@pytest.fixture
def tiny(run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a small model that has been asked."""
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    model: Any = load_model(str(folder))
    with Store.create_or_open(STORE) as store:
        list(score(model, some_problems(6), METHODS, store=store))
    return str(folder)


def kept() -> int:
    return row_counts(STORE)["observation"]


def test_stats_tell_how_much_is_kept(asked: Run) -> None:
    shown = asked("cache", "stats")
    assert shown.exit_code == 0
    other, stand_in = [line.split() for line in shown.stdout.splitlines()[1:]]
    assert (other[0], stand_in[0]) == ("other", "stand-in")
    assert other[2:6] == ["float32", "cpu", "causal", "8"]


def test_stats_are_there_for_programs(asked: Run) -> None:
    one, _ = json.loads(asked("cache", "stats", "--json").stdout)
    assert (one["model"], one["method"], one["rows"]) == ("other", "causal", 8)
    assert one["tokens"] > 50 and one["bytes"] > 1000 and len(one["fingerprint"]) == 64


def test_an_empty_store_has_no_stats(stored: Run) -> None:
    shown = stored("cache", "stats")
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert "no answers are cached yet" in shown.stderr
    assert json.loads(stored("cache", "stats", "--json").stdout) == []


def test_pruning_says_what_goes(asked: Run) -> None:
    shown = asked("cache", "prune", "--model", "other")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("removed: 8 answers of other (")
    assert kept() == 8


def test_a_dry_run_removes_nothing(asked: Run) -> None:
    shown = asked("cache", "prune", "--all", "--dry-run")
    assert shown.stdout.count("would be removed: 8 answers of") == 2
    assert kept() == 16


def test_everything_can_go(asked: Run) -> None:
    assert len(json.loads(asked("cache", "prune", "--all", "--json").stdout)) == 2
    assert kept() == 0
    assert asked("cache", "prune", "--all").stdout == "no such answers\n"


def test_what_is_old_can_go(asked: Run) -> None:
    change(STORE, "UPDATE observation SET observed_at = '2020-01-01' WHERE pk <= 3")
    assert asked("cache", "prune", "--older-than", "365").stdout.startswith("removed: 3 answers")
    assert asked("cache", "prune", "--older-than", "365").stdout == "no such answers\n"


def test_what_is_damaged_can_go(asked: Run) -> None:
    change(STORE, "UPDATE observation SET checksum = '' WHERE pk = 3")
    assert asked("cache", "prune", "--damaged").stdout.startswith("removed: 1 answer of stand-in")
    assert kept() == 15


@pytest.mark.parametrize("options", [(), ("--all", "--damaged"), ("--dry-run",)])
def test_it_must_be_said_what_is_to_go(asked: Run, options: tuple[str, ...]) -> None:
    shown = asked("cache", "prune", *options)
    assert shown.exit_code == 2 and "choose what to remove" in shown.stderr
    assert kept() == 16


def test_a_model_that_is_not_there_is_not_pruned(asked: Run) -> None:
    shown = asked("cache", "prune", "--model", "othr")
    assert shown.exit_code == 3 and "did you mean other?" in shown.stderr


@pytest.mark.parametrize("command", [("stats",), ("prune", "--all"), ("verify", "x")])
def test_no_store_is_made(run: Run, command: tuple[str, ...]) -> None:
    assert run("cache", *command).exit_code == 4
    assert not STORE.exists()


def test_a_sound_cache_is_verified(run: Run, tiny: str) -> None:
    shown = run("cache", "verify", tiny, "--sample", "10")
    assert shown.exit_code == 0, shown.output
    assert f"{tiny}: 10 of 12 answers checked; largest difference " in shown.stdout
    assert shown.stdout.endswith(" decisions flipped; 0 findings\n")


def test_a_row_that_was_tampered_with_is_named(run: Run, tiny: str) -> None:
    with Store.open(STORE) as store:
        key = tamper(store, 5, by=0.5)
    shown = run("cache", "verify", tiny)
    assert shown.exit_code == 1
    assert f"answer {key[:8]} differs by 0.5: 'Lamp" in shown.stderr
    assert "1 finding" in shown.stdout


def test_a_damaged_row_is_named(run: Run, tiny: str) -> None:
    change(STORE, "UPDATE observation SET log_probs = '[]' WHERE pk = 5")
    shown = run("cache", "verify", tiny, "--json")
    found = json.loads(shown.stdout)
    assert (shown.exit_code, len(found["damaged"]), found["is_sound"]) == (1, 1, False)


def test_a_baseline_keeps_nothing(asked: Run) -> None:
    shown = asked("cache", "verify", "longer")
    assert shown.exit_code == 6 and "baselines are not cached" in shown.stderr


def test_a_model_that_was_never_asked_is_not_verified(asked: Run, folder: Path) -> None:
    shown = asked("cache", "verify", str(folder))
    assert shown.exit_code == 6 and "the store has no answers of" in shown.stderr


def test_replies_are_counted_and_pruned_but_not_verified(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    folder = save_tiny("gpt2", tmp_path / "gpt2")
    template = "{% for message in messages %}{{ message.content }}{% endfor %}"
    (folder / "chat_template.jinja").write_text(template)
    model: Any = load_model(f"chat:{folder}")
    judge = [method for method in methods_of(Family.CHAT) if method.name == "judge"]
    with Store.create_or_open(STORE) as store:
        list(score(model, some_problems(2), judge, store=store))
    (one,) = json.loads(run("cache", "stats", "--json").stdout)
    assert (one["method"], one["rows"]) == ("chat", row_counts(STORE)["reply"])
    verified = run("cache", "verify", f"chat:{folder}")
    assert verified.exit_code == 6 and "only log-probabilities are verified" in verified.stderr
    assert f"answers of {model.info.name}: sound" in run("store", "check").stdout
    shown = run("cache", "prune", "--model", model.info.name)
    assert f"removed: {one['rows']} answers of {model.info.name}" in shown.stdout
    assert row_counts(STORE)["reply"] == row_counts(STORE)["model"] == 0
