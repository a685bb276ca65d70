"""Tags of single rows of a table, from the import to a figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

HEADER = "id,schema,text,option1,option2,answer,tags"


@pytest.fixture
def barrels(run: Run) -> Run:
    """The command line with six schemas in its store, of each of which one problem is heavy."""
    rows = [
        f'{n}{"ab"[at]},s{n},"Barrel {n} is {how} and ___.",floats,sinks,{at + 1},{tags}'
        for n in range(6)
        for at, (how, tags) in enumerate([("empty", "cellar"), ("full", '"cellar, x/heavy"')])
    ]
    Path("barrels.csv").write_text("\n".join([HEADER, *rows]) + "\n")
    assert run("dataset", "import", "barrels.csv").exit_code == 0
    return run


def output(run: Run, *arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_stored_dataset_shows_which_problem_has_a_tag(barrels: Run) -> None:
    shown = barrels("dataset", "show", "barrels").stdout
    assert "cellar; 2: x/heavy" in shown
    issues = barrels("dataset", "issues", "barrels", "--all").stdout
    assert "not all rows of 6 schemas have the same tags" in issues


@pytest.mark.parametrize("mode", ["by-answer", "by-key"])
def test_a_subset_by_the_tag_of_single_problems_counts_these(barrels: Run, mode: str) -> None:
    scored = barrels(
        "score", "--model", "first", "--dataset", "barrels", "--mode", mode, "--output", "s.jsonl"
    )
    assert scored.exit_code == 0, scored.output
    metrics = output(
        barrels, "metric", "compute", "s.jsonl", "--subset", "x/heavy", "--metric", "a"
    )
    (found,) = metrics["metrics"]
    # The first option is right of the problems that are not heavy.
    assert found["share"] == {"count": 0, "total": 6}


def test_an_exported_table_has_the_tags_row_by_row(barrels: Run) -> None:
    assert (
        barrels(
            "dataset", "export", "barrels", "--format", "jsonl", "--output", "b.jsonl"
        ).exit_code
        == 0
    )
    rows = [json.loads(line) for line in Path("b.jsonl").read_text().splitlines()]
    assert [row["tags"] for row in rows[:2]] == ["cellar", "cellar, x/heavy"]
    again = barrels("dataset", "import", "b.jsonl", "--name", "barrels")
    assert again.stdout.startswith("barrels: already stored as version 1"), again.output
