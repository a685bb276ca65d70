from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from horsesense.datasets.exporters import EXPORTS, FolderExport
from tests.cli.conftest import Run

FILES = [name for name, export in EXPORTS.items() if not isinstance(export, FolderExport)]
WRAPPER = "It is |true, false| that …"


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_what_goes_to_stdout(moored: Run, name: str) -> None:
    result = moored("dataset", "export", "harbour", "--format", name, "--output", "out")
    assert (result.exit_code, result.stdout) == (0, "")
    told = "3 entries" if name == "notation" else "3 entries, 5 problems"
    assert result.stderr.splitlines()[0] == f"out: {told} of harbour@1"
    for output in ([], ["--output", "-"]):
        printed = moored("dataset", "export", "harbour", "--format", name, *output)
        assert printed.stdout == Path("out").read_text()
        assert "harbour@1" not in printed.stderr


def test_csv_has_a_row_for_each_problem(moored: Run) -> None:
    printed = moored("dataset", "export", "harbour", "--format", "csv").stdout
    first, *_, last = csv.DictReader(StringIO(printed))
    kept = ("id", "schema", "mode", "text", "option1", "option2", "answer", "pronoun")
    assert [first[column] for column in kept] == [
        "crane-1",
        "crane",
        "by answer",
        "The crane lifted the barge because the ___ was strong.",
        "crane",
        "barge",
        "1",
        "_",
    ]
    assert last["text"] == "Nora threw Lena a line so that ___ could tie it."


def test_thesis_text_has_the_lines_of_the_thesis(moored: Run) -> None:
    shown = moored("dataset", "export", "harbour", "--format", "thesis-text").stdout.splitlines()
    assert shown[:3] == [
        "schema type: Winograd; dataset name: harbour; perturbation: original; "
        "baseline: no baseline",
        "by answer",
        "w/  1/ a/  1/   1/   1: The crane lifted the barge because the *target* was strong."
        "&crane&barge&0",
    ]


def test_by_key_leaves_out_what_has_no_key_phrases_and_counts_it(moored: Run) -> None:
    result = moored("dataset", "export", "harbour", "--format", "winogrande", "--mode", "by-key")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["sentence"], row["option1"], row["option2"]) for row in rows] == [
        ("The crane lifted the barge because the crane was _.", "strong", "light"),
        ("The crane lifted the barge because the barge was _.", "strong", "light"),
    ]
    assert (
        "winogrande cannot represent grids that cannot be solved by key: 2 left out\n"
        in result.stderr
    )


def test_what_a_format_cannot_hold_is_counted(stored: Run) -> None:
    result = stored("dataset", "export", "garden", "--format", "winogrande", "--output", "out")
    assert result.stderr.splitlines() == [
        "out: 2 entries, 4 problems of garden@1",
        "winogrande cannot represent licences of the dataset: 1 left out",
        "winogrande cannot represent marked candidates: 2 left out",
        "winogrande cannot represent notes: 1 left out",
        "winogrande cannot represent pronouns: 1 left out",
        "winogrande cannot represent tags: 1 left out",
    ]


def test_notation_holds_everything(stored: Run) -> None:
    result = stored("dataset", "export", "garden", "--output", "out")
    assert result.stderr == "out: 2 entries of garden@1\n"


@pytest.mark.parametrize("name", [name for name in EXPORTS if name != "notation"])
def test_that_nothing_can_be_written_is_an_error_and_leaves_nothing(moored: Run, name: str) -> None:
    before = sorted(Path().iterdir())
    arguments = ["--format", name, "--mode", "by-boolean", "--output", "out"]
    result = moored("dataset", "export", "harbour", *arguments)
    assert result.exit_code == 1
    assert f"nothing in the dataset can be written as {name}" in result.stderr
    assert "grids that cannot be solved by boolean: 3" in result.stderr
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize("name", FILES[1:])
def test_that_nothing_can_be_written_leaves_stdout_empty(moored: Run, name: str) -> None:
    result = moored("dataset", "export", "harbour", "--format", name, "--mode", "by-boolean")
    assert (result.exit_code, result.stdout) == (1, "")


def test_a_wrapper_makes_dyads_of_what_can_be_wrapped(moored: Run) -> None:
    arguments = ["--format", "thesis-text", "--mode", "by-boolean", "--wrapper", WRAPPER]
    result = moored("dataset", "export", "harbour", *arguments)
    first, mode, *rows = result.stdout.splitlines()
    assert first.endswith('wrapper: "It is [true ~ false] that SCHEMA."; truth pair: true-false')
    assert mode == "by value"
    assert [row.split(": ", 1)[1] for row in rows] == [
        f"It is *target* that the crane lifted the barge because the {answer} was {key}."
        f"&true&false&{label}"
        for answer, key, label in (
            ("crane", "strong", 0),
            ("barge", "strong", 1),
            ("crane", "light", 1),
            ("barge", "light", 0),
        )
    ]
    assert "grids that cannot be wrapped: 2 left out" in result.stderr


def test_a_wrapper_goes_into_a_schema_file_too(moored: Run) -> None:
    shown = moored("dataset", "export", "harbour", "--wrapper", WRAPPER).stdout
    assert (
        "It is |true, false| that the [crane] lifted the [barge] because the "
        "<_ = crane, barge> was {strong, light}\n    id: crane\n"
    ) in shown


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--format", "lmeval"], 3, "no format named 'lmeval'; did you mean lm-eval?"),
        (["--mode", "by-luck"], 2, "'by-luck' is not one of"),
        (["--wrapper", "It is that …"], 1, "a wrapper has one truth pair"),
    ],
)
def test_wrong_arguments_are_told(
    moored: Run, arguments: list[str], code: int, message: str
) -> None:
    result = moored("dataset", "export", "harbour", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr


@pytest.mark.parametrize("name", FILES)
def test_a_file_does_not_take_the_place_of_a_folder(moored: Run, name: str) -> None:
    Path("out").mkdir()
    arguments = ["--format", name, "--output", "out", "--force"]
    result = moored("dataset", "export", "harbour", *arguments)
    assert result.exit_code == 5
    assert "out is a folder" in result.stderr
