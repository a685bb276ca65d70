from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import GARDEN, Run, write

PLACE = ("kind", "model", "dataset", "variant", "subset", "method")
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
    assert head.split() == ["id", "finished", "model", "data", "problems", "schemas"]
    assert [row.split()[0] for row in rows] == [first, second]
    assert all("longer  garden" in row for row in rows)


def test_runs_are_listed_with_the_accuracies_of_their_report(kept: Run) -> None:
    first, _ = ids(kept)
    listed = json.loads(kept("runs", "list", "--json").stdout)[0]["accuracies"]
    report = json.loads(kept("report", first, "--format", "json").stdout)
    estimates = report["tables"]["estimates"]
    at = {name: number for number, name in enumerate(estimates["columns"])}
    for accuracy in listed:
        for metric in ("problem-accuracy", "schema-accuracy"):
            place = ("value", accuracy["model"], "garden", "original", "all", accuracy["method"])
            [row] = [
                row for row in estimates["rows"]
                if tuple(row[at[name]] for name in PLACE) == place and row[at["metric"]] == metric
            ]  # fmt: skip
            assert accuracy[metric] == {name: row[at[name]] for name in accuracy[metric]}
    [longer] = [accuracy for accuracy in listed if accuracy["model"] == "longer"]
    shares = [f"{100 * longer[name]['value']:.0f}" for name in longer if "accuracy" in name]
    row = kept("runs", "list").stdout.splitlines()[1].split()
    assert row[-4:] == [shares[0], "%", shares[1], "%"]


def test_baselines_that_the_plan_does_not_name_are_only_in_the_json(kept: Run) -> None:
    assert "uniform" not in kept("runs", "list").stdout
    listed = json.loads(kept("runs", "list", "--json").stdout)[0]
    assert {accuracy["model"] for accuracy in listed["accuracies"]} == set(listed["models"])
    assert len(listed["models"]) > 1


def test_what_is_not_defined_is_a_dash_in_the_list(run: Run) -> None:
    write("open.schemas", "we ate <soup*, sand>\nthey ate <bread*, ice>\n")
    assert run("run", "--data", "open.schemas", *SMALL).exit_code == 0
    row = run("runs", "list").stdout.splitlines()[1]
    assert row.split()[-3:] == ["50", "%", "–"]


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
