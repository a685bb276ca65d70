from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import GARDEN, Run, write

SMALL = ("--model", "longer", "--perturb", "none", "--resamples", "20")


@pytest.fixture
def kept(run: Run) -> Run:
    """The command line with two runs in its store."""
    write("garden.schemas", GARDEN)
    for seed in ("0", "1"):
        result = run("run", "--data", "garden.schemas", *SMALL, "--seed", seed)
        assert result.exit_code == 0, result.output
    return run


def ids(run: Run) -> list[str]:
    """The runs that are kept, in order."""
    return [one["id"] for one in json.loads(run("runs", "list", "--json").stdout)]


def test_runs_are_listed_in_the_order_in_which_they_were_kept(kept: Run) -> None:
    first, second = ids(kept)
    head, *rows = kept("runs", "list").stdout.splitlines()
    assert head.split() == ["id", "finished", "seconds", "models", "data"]
    assert [row.split()[0] for row in rows] == [first, second]
    assert all(row.endswith("garden") and "longer" in row for row in rows)


def test_a_run_is_shown_with_all_that_it_takes_to_repeat_it(kept: Run) -> None:
    first, second = ids(kept)
    shown = kept("runs", "show").stdout
    assert f"run        {second}" in shown
    assert "seed 1; resamples 20" in shown
    assert "perturbations none" in shown
    told = json.loads(kept("runs", "show", first, "--json").stdout)
    assert (told["id"], told["plan"]["seed"], told["plan"]["models"]) == (first, 0, ["longer"])
    assert told["datasets"][0]["problems"] == 4
    assert told["key"].startswith(first)


def test_the_beginning_of_an_id_will_do(kept: Run) -> None:
    first, _ = ids(kept)
    told = json.loads(kept("runs", "show", first[:6], "--json").stdout)
    assert told["id"] == first


def test_a_removed_run_is_gone_and_can_be_made_again(kept: Run) -> None:
    first, second = ids(kept)
    result = kept("runs", "remove", first)
    assert (result.exit_code, result.stdout) == (0, f"removed: {first}\n")
    assert ids(kept) == [second]
    assert json.loads(kept("runs", "remove", "latest", "--json").stdout) == {"removed": ["latest"]}
    assert "no runs yet; create one with 'horsesense run'" in kept("runs", "list").stderr
    assert kept("run", "--data", "garden.schemas", *SMALL).exit_code == 0
    assert ids(kept) == [first]


@pytest.mark.parametrize("command", ["show", "remove"])
def test_a_run_that_is_not_there_is_an_error(kept: Run, command: str) -> None:
    result = kept("runs", command, "zz")
    assert result.exit_code == 3
    assert "no run named 'zz'" in result.stderr
    assert len(ids(kept)) == 2


@pytest.mark.parametrize("command", ["list", "show"])
def test_without_a_store_it_is_said_what_makes_one(run: Run, tmp_path: Path, command: str) -> None:
    result = run("runs", command)
    assert result.exit_code == 4
    assert "there is no store at horsesense.db; 'horsesense run' creates one" in result.stderr
    assert not list(tmp_path.iterdir())
