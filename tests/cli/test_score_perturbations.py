import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, write

SCHEMAS = """\
[Nora] threw [Lena] the rope because <she = Nora, Lena> was {ashore, drowning}.
    id: rope
    switchable: yes
[Ivo] thanked [Emil] because <he = Ivo, Emil> had {eaten, cooked}.
    id: meal
"""


@pytest.fixture
def unreviewed(run: Run) -> Run:
    """The command line with a perturbation of which one entry is accepted and one proposed."""
    assert run("dataset", "import", write("quay.schemas", SCHEMAS)).exit_code == 0
    assert run("perturb", "apply", "switched", "quay", "--unreviewed").exit_code == 0
    return run


def scored(run: Run, *options: str) -> tuple[str, str]:
    result = run("score", "--dataset", "--model", "first", *options)
    assert result.exit_code == 0, result.stderr
    return result.stdout, result.stderr


def test_the_share_of_what_was_accepted_is_told(unreviewed: Run) -> None:
    stdout, stderr = scored(unreviewed, "quay.switched")
    assert "2/4" in stdout
    assert "quay.switched@1: switched of quay; 1 of 2 entries accepted" in stderr
    assert "outdated" not in stderr


def test_scores_can_be_restricted_to_what_was_accepted(unreviewed: Run) -> None:
    stdout, stderr = scored(unreviewed, "quay.switched", "--accepted")
    assert "1/2" in stdout
    assert "only these are scored" in stderr


def test_a_dataset_that_is_no_perturbation_has_nothing_accepted(
    unreviewed: Run, tmp_path: Path
) -> None:
    result = unreviewed("score", "--dataset", "quay", "--model", "first", "--accepted")
    assert (result.exit_code, "quay@1 is not a perturbation" in result.stderr) == (2, True)
    result = unreviewed("score", "<a*, b> c", "--model", "first", "--accepted")
    assert (result.exit_code, "add --dataset" in result.stderr) == (2, True)


def test_checking_everything_checks_perturbations(unreviewed: Run) -> None:
    result = unreviewed("dataset", "check")
    assert result.exit_code == 0
    assert "perturbation quay.switched: ok" in result.stdout


def test_a_wording_that_was_edited_since_is_not_among_what_was_accepted(unreviewed: Run) -> None:
    edit = "[Lena] threw [Nora] the line because <she = Lena, Nora> was {ashore, drowning}."
    judged = ("--by", "nora", "--accept", "meal", "--edit", "rope", edit)
    assert unreviewed("perturb", "review", "quay.switched", *judged).exit_code == 0
    stdout, stderr = scored(unreviewed, "quay.switched@1", "--accepted")
    assert "1/2" in stdout
    assert "quay.switched@1: switched of quay; 1 of 2 entries accepted, and only" in stderr
    assert "outdated: quay.switched is quay.switched@2 now" in stderr
    _, stderr = scored(unreviewed, "quay.switched")
    assert "2 of 2 entries accepted" in stderr and "outdated" not in stderr


def test_a_dataset_of_which_nothing_is_valid_any_more_is_outdated(unreviewed: Run) -> None:
    judged = ("--by", "nora", "--reject", "meal", "--reject", "rope")
    told = unreviewed("perturb", "review", "quay.switched", *judged).stderr
    assert "no entry is valid, so there is no dataset; quay.switched@1 is outdated" in told
    _, stderr = scored(unreviewed, "quay.switched")
    assert "0 of 2 entries accepted" in stderr
    assert "outdated: quay.switched has no dataset now" in stderr
    shown = unreviewed("perturb", "show", "quay.switched").stdout
    assert "\ndataset: none: no entry is valid; quay.switched@1 is outdated\n" in shown
    found = json.loads(unreviewed("perturb", "show", "quay.switched", "--json").stdout)
    assert (found["dataset"], found["outdated"]) == (None, "quay.switched@1")
    alone = unreviewed("score", "--dataset", "quay.switched", "--model", "first", "--accepted")
    assert alone.exit_code == 1


def test_a_dataset_that_was_removed_is_told_from_one_without_valid_entries(unreviewed: Run) -> None:
    unreviewed("dataset", "remove", "quay.switched", "--yes")
    shown = unreviewed("perturb", "show", "quay.switched").stdout
    assert (
        "\ndataset: none; freeze the valid entries with 'horsesense perturb review quay.switched'"
        in shown
    )


@pytest.fixture
def by_key(unreviewed: Run) -> Run:
    """The command line with a perturbation that is there to be solved by key."""
    assert unreviewed("perturb", "apply", "by-key", "quay").exit_code == 0
    return unreviewed


def modes_of(run: Run, *arguments: str) -> set[str]:
    result = run("score", "--dataset", *arguments, "--model", "first", "--explain", "--json")
    assert result.exit_code == 0, result.stderr
    return {one["mode"] for one in json.loads(result.stdout)["problems"]}


def test_a_perturbation_is_scored_in_its_own_mode(by_key: Run) -> None:
    assert modes_of(by_key, "quay.by-key") == {"by key"}
    assert modes_of(by_key, "quay.by-key", "--mode", "by-key") == {"by key"}
    assert modes_of(by_key, "quay") == {"by answer"}
    assert modes_of(by_key, "quay.switched", "--mode", "by-key") == {"by key"}
    assert (
        "quay.by-key@1: by-key of quay, solved by key; 2 of 2" in scored(by_key, "quay.by-key")[1]
    )


def test_zero_shot_problems_are_solved_by_key(by_key: Run) -> None:
    assert by_key("perturb", "apply", "zero-shot", "quay").exit_code == 0
    assert modes_of(by_key, "quay.zero-shot") == {"by key"}


def test_dyads_of_a_perturbation_by_boolean_are_solved_so(by_key: Run) -> None:
    assert by_key("perturb", "apply", "dyadic", "quay").exit_code == 0
    assert by_key("perturb", "apply", "by-boolean", "quay.dyadic").exit_code == 0
    assert modes_of(by_key, "quay.dyadic.by-boolean") == {"by boolean"}


def test_the_mode_outlives_the_perturbation(by_key: Run) -> None:
    by_key("perturb", "remove", "quay.by-key", "--yes")
    assert modes_of(by_key, "quay.by-key") == {"by key"}


@pytest.mark.parametrize(
    "command",
    [
        ("score", "--dataset", "quay.by-key", "--model", "first"),
        ("dataset", "measure", "quay.by-key"),
        ("dataset", "export", "quay.by-key", "--format", "winogrande"),
    ],
)
@pytest.mark.parametrize("mode", ["by-answer", "by-boolean"])
def test_another_mode_than_its_own_is_refused(
    by_key: Run, command: tuple[str, ...], mode: str
) -> None:
    result = by_key(*command, "--mode", mode)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "quay.by-key@1 can only be solved by key; use --mode by-key" in result.stderr


def test_a_perturbation_is_measured_and_exported_in_its_own_mode(by_key: Run) -> None:
    assert "problems by key" in by_key("dataset", "measure", "quay.by-key").stdout
    assert "problems by answer" in by_key("dataset", "measure", "quay").stdout
    rows = by_key("dataset", "export", "quay.by-key", "--format", "winogrande").stdout
    assert json.loads(rows.splitlines()[0])["option1"] == "ashore"
    whole = by_key("dataset", "export", "quay.by-key")
    assert whole.exit_code == 0 and "{ashore, drowning}" in whole.stdout


def test_what_was_accepted_is_a_subset_of_what_was_answered(unreviewed: Run) -> None:
    written = unreviewed(
        *("score", "--dataset", "quay.switched", "--model", "first", "--output", "run.jsonl")
    )
    assert written.exit_code == 0
    result = unreviewed("metric", "compute", "run.jsonl", "--subset", "accepted", "--metric", "a")
    whole = unreviewed("metric", "compute", "run.jsonl", "--metric", "a")
    assert [one.stdout.splitlines()[-1].split()[2] for one in (result, whole)] == ["1/2", "2/4"]
