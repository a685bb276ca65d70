from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.kept import Ask, asking, printed, run_quay


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """The commands on two runs of the same schemas, the latest without `uniform`."""
    folder = tmp_path_factory.mktemp("kept")
    run_quay(folder, "uniform", "first", perturbations=("none",))
    run_quay(folder, "longer", "first")
    return asking(folder / "store.db")


def test_a_profile_is_the_finding_and_says_how_much_more_there_is(ask: Ask) -> None:
    result = ask("profile", "longer")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("longer was tested on 5 schemas of quay")
    assert len(lines) <= 20 and "At a glance" not in lines
    tables = printed(ask("profile", "longer", "--all", "--json"))["tables"]
    caveats = len(printed(ask("profile", "longer", "--json"))["caveats"])
    assert result.stderr == f"{len(tables)} tables and {caveats} caveats: use --all\n"


def test_with_all_verdicts_caveats_and_tables_follow_the_finding(ask: Ask) -> None:
    finding, whole = ask("profile", "longer").stdout, ask("profile", "longer", "--all").stdout
    assert whole.startswith(finding)
    lines = whole.splitlines()
    assert "At a glance" in lines and "Caveats" in lines
    assert any(line.startswith("Accuracy of scoring methods for longer on quay") for line in lines)


def test_without_a_model_the_latest_run_is_shown(ask: Ask) -> None:
    latest = printed(ask("profile", "--json"))
    assert latest["run"] == printed(ask("profile", "longer", "--json"))["run"]
    assert latest["verdict"].startswith("longer was tested on 5 schemas of quay")
    assert "first was tested on 5 schemas of quay" in latest["verdict"]
    assert printed(ask("profile", "--data", "quay", "--json"))["datasets"][0]["name"] == "quay"


def test_all_tables_are_more_than_the_main_ones(ask: Ask) -> None:
    main = printed(ask("profile", "longer", "--json"))["tables"]
    whole = printed(ask("profile", "longer", "--all", "--json"))["tables"]
    names = [one["name"] for one in whole]
    assert len(names) > len(main) > 0
    assert {one["name"] for one in main} < set(names)
    assert ask("profile", "longer", "--all").stderr == ""


def test_the_latest_run_that_has_the_model_is_shown(ask: Ask) -> None:
    latest = printed(ask("profile", "first", "--json"))["run"]
    assert latest == printed(ask("profile", "longer", "--json"))["run"]
    earlier = printed(ask("profile", "uniform", "--json"))["run"]
    assert earlier != latest
    assert printed(ask("profile", "first", "--run", earlier, "--json"))["run"] == earlier


def test_only_the_model_and_the_baselines_beside_it_are_shown(ask: Ask) -> None:
    found = printed(ask("profile", "longer", "--json"))
    assert found["model"]["name"] == "longer"
    assert {one["key"]["model"] for one in found["estimates"]} == {"longer", "first"}
    assert [one["name"] for one in found["datasets"]] == ["quay"]


def test_one_dataset_of_several_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "garden.schemas").write_text(
        "---\nname: garden\n---\n<all, not all> roses are {plants, climbers}\n    id: roses\n"
    )
    quay = str(tmp_path / "quay.schemas")
    data = (quay, str(tmp_path / "garden.schemas"))
    run_quay(tmp_path, "longer", data=data, perturbations=("none",))
    ask = asking(tmp_path / "store.db")
    found = printed(ask("profile", "longer", "--data", "garden", "--json"))
    assert {one["key"]["dataset"] for one in found["estimates"]} == {"garden"}
    assert "quay" not in ask("profile", "longer", "--data", "garden", "--all").stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("ant",), "the runs have uniform, first, longer; 'horsesense run --model ant' evaluates"),
        (("longr",), "no model in any run named 'longr'; did you mean longer?"),
        (("longer", "--data", "pier"), "named 'pier'"),
        (("longer", "--run", "x"), "no run named 'x'"),
    ],
)
def test_what_is_not_there_is_said(ask: Ask, arguments: tuple[str, ...], told: str) -> None:
    result = ask("profile", *arguments)
    assert result.exit_code == 3
    assert told in result.stderr


def test_the_id_of_a_run_in_place_of_a_model_leads_to_the_option(ask: Ask) -> None:
    run = printed(ask("profile", "--json"))["run"]
    result = ask("profile", run[:6])
    assert result.exit_code == 3
    assert f"it is the id of a run: use --run {run[:6]}" in result.stderr


def test_without_a_run_it_is_said_how_to_make_one(tmp_path: Path) -> None:
    result = asking(tmp_path / "none.db")("profile", "ant")
    assert result.exit_code == 4
    assert "'horsesense run' creates one" in result.stderr
