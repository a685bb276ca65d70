from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from horsesense.cli.layout import GAP, TextTable, fit_table, wrap_text
from tests.cli.terminal import HORSESENSE, in_terminal, without_colours

NAMES = st.text("abc-./ 船", max_size=30)
LONG = "all that a model solved in the unperturbed dataset by its standard method"


def widths(table: TextTable) -> list[int]:
    """The widths of the columns of a table as it is printed."""
    lines = [[cell.split("\n") for cell in row] for row in (table.columns, *table.rows)]
    return [
        max(cell_len(line) for cell in cells for line in cell) for cells in zip(*lines, strict=True)
    ]


def fitted(table: TextTable, width: int) -> list[TextTable]:
    parts = list(fit_table(table, width))
    assert all(sum(widths(part)) + GAP * (len(part.columns) - 1) <= width for part in parts)
    return parts


def plain(cells: Sequence[str]) -> list[str]:
    return [re.sub(r"\s", "", cell) for cell in cells]


def test_a_table_that_fits_is_left_alone() -> None:
    table = TextTable(("name", "size"), [("owls", "2"), ("voles", "30")])
    assert list(fit_table(table, 11)) == [table]


def test_long_text_is_wrapped_before_anything_else() -> None:
    row = ("hs-winograd.switched", "CC BY 4.0", LONG)
    [part] = fitted(TextTable(("name", "licence", "title"), [row]), 60)
    assert part.rows[0][:2] == row[:2]
    assert part.rows[0][2].replace("\n", " ") == LONG


def test_short_text_is_wrapped_before_long_text_gets_too_narrow() -> None:
    [part] = fitted(TextTable(("name", "licence", "title"), [("owls", "CC BY 4.0", LONG)]), 34)
    assert part.rows[0][:2] == ("owls", "CC BY\n4.0")


def test_long_words_are_broken_at_punctuation_but_not_in_numbers() -> None:
    [part] = fitted(TextTable(("name", "value"), [("hs-winograd.switched", "0.123")]), 20)
    assert part.rows == [("hs-winograd.\nswitched", "0.123")]


def test_columns_that_do_not_fit_are_put_below_with_the_keys() -> None:
    columns = ("data", "", *(f"difference{number}" for number in range(5)))
    table = TextTable(columns, [("owls", "a", *("0.123",) * 5), ("", "A", *("0.456",) * 5)], keys=2)
    first, second = fitted(table, 50)
    assert first.columns == columns[:5]
    assert second.columns == (*columns[:2], *columns[5:])
    assert [row[:2] for row in second.rows] == [("owls", "a"), ("", "A")]


def test_if_nothing_else_helps_words_are_broken_anywhere() -> None:
    [part] = fitted(TextTable(("name", "value"), [("a" * 30, "b" * 30)]), 20)
    assert plain(part.rows[0]) == ["a" * 30, "b" * 30]


@given(st.lists(st.tuples(NAMES, NAMES, NAMES), max_size=4), st.integers(20, 120))
def test_whatever_is_in_a_table_fits_and_is_all_there(
    rows: list[tuple[str, str, str]], width: int
) -> None:
    parts = fitted(TextTable(("one", "two", "three"), rows), width)
    for position, row in enumerate(rows):
        cells = [cell for n, part in enumerate(parts) for cell in part.rows[position][n > 0 :]]
        assert plain(tuple(cells)) == plain(row)


@given(st.text("ab c-.船\n", max_size=80), st.integers(4, 40))
def test_wrapped_text_fits_and_keeps_its_words(text: str, width: int) -> None:
    wrapped = wrap_text(text, width)
    assert all(cell_len(line) <= width for line in wrapped.split("\n"))
    assert re.sub(r"\s", "", wrapped) == re.sub(r"\s", "", text)


def test_wide_characters_count_twice() -> None:
    assert wrap_text("船船船 船", 6) == "船船船\n船"


QUICK = ("--perturb", "none", "--resamples", "20")


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store that has datasets and a run, and two logs."""
    folder = tmp_path_factory.mktemp("town")
    for arguments in (
        ("dataset", "import", "hs-winograd"),
        ("perturb", "apply", "switched", "hs-winograd"),
        ("run", "--model", "longer", "--data", "hs-winograd", "--first", "8", *QUICK),
        ("score", "--model", "longer", "--data", "hs-winograd", "--output", "longer.jsonl"),
        ("score", "--model", "first", "--data", "hs-winograd", "--output", "first.jsonl"),
    ):
        subprocess.run([*HORSESENSE, *arguments], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "dataset list",
        "runs list",
        "metric list",
        "metric compute longer.jsonl --resamples 50",
        "metric compare first.jsonl longer.jsonl --resamples 50",
        "why --limit 5",
        "compare longer first",
        "model list",
        "perturb list --in-store",
        "metric explain schema-consistency",
        "doctor longer",
    ],
)
def test_results_are_no_wider_than_the_terminal(town: Path, command: str) -> None:
    shown = in_terminal([*HORSESENSE, *command.split()], town)
    lines = without_colours(shown).splitlines()
    assert len(lines) > 1
    assert [line for line in lines if cell_len(line) > 80 and "━" not in line] == []
