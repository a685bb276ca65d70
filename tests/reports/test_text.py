from __future__ import annotations

import re

import pytest

from horsesense.reports import (
    Align,
    ReportTable,
    RowGroup,
    TableColumn,
    build_report,
    text,
    text_table,
)
from tests.reports import hand_made
from tests.reports.built import small_report, small_tables

LEFT = TableColumn("Model", Align.LEFT)


def table(columns: tuple[TableColumn, ...], *rows: tuple[str, ...], **more: object) -> ReportTable:
    told: dict[str, object] = {"name": "some", "title": "Some", "groups": (RowGroup(rows),)} | more
    return ReportTable(columns=columns, **told)  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_wider_than_asked(width: int) -> None:
    lines = text(small_report(), width=width, all_tables=True).splitlines()
    assert max(map(len, lines)) <= width


def test_nothing_is_lost_where_a_table_is_split() -> None:
    for one in small_tables():
        narrow = text_table(one, width=70)
        for row in (row for group in one.groups for row in group.rows):
            for cell in row:
                assert all(word in narrow for word in cell.split()), (one.name, cell)


def test_the_columns_on_the_left_stand_in_every_part() -> None:
    columns = (LEFT, *(TableColumn(f"N{at}") for at in range(4)))
    drawn = text_table(table(columns, ("ant", *["." + "5" * 9] * 4)), width=30)
    heads = [line.split() for line in drawn.splitlines() if line.startswith("Model")]
    assert heads == [["Model", "N0", "N1"], ["Model", "N2", "N3"]]
    assert drawn.count("ant ") == 2


def test_a_column_too_wide_for_any_part_stands_alone() -> None:
    drawn = text_table(
        table((LEFT, TableColumn("A"), TableColumn("B")), ("ant", "5" * 50, "6" * 50)), width=30
    )
    assert "5" * 50 in drawn and "6" * 50 in drawn


def test_long_texts_are_folded_and_headings_stand_on_the_line_below() -> None:
    columns = (TableColumn("Where", Align.LEFT), TableColumn("Some long heading", Align.LEFT))
    drawn = text_table(table(columns, ("ant", "no name has a gender " * 4)), width=40)
    assert drawn.splitlines()[2:] == [
        "Where  Some long heading",
        "----------------------------------------",
        "ant    no name has a gender no name has",
        "       a gender no name has a gender no",
        "       name has a gender",
    ]


def test_texts_are_folded_no_more_than_it_takes() -> None:
    columns = (TableColumn("Where", Align.LEFT), TableColumn("Reason", Align.LEFT))
    row = ("a place of thirty letters, say", "because " * 30)
    lines = text_table(table(columns, row), width=100).splitlines()[3:]
    assert [len(one) for one in lines][0] == 100
    assert lines[1].startswith(row[0])


def test_headings_of_several_words_are_folded_to_the_width_of_the_cells() -> None:
    drawn = text_table(table((LEFT, TableColumn("a, Any Length")), ("ant", ".500")))
    assert drawn.splitlines()[2:4] == ["       a, Any", "Model  Length"]


def test_groups_stand_apart_by_lines_and_headings() -> None:
    groups = (
        RowGroup((("ant", ".5"),)),
        RowGroup((("bee", ".5"),)),
        RowGroup((("first", ".5"),), "Baselines"),
        RowGroup((("chance", ".5"),)),
    )
    drawn = text_table(table((LEFT, TableColumn("a")), groups=groups)).splitlines()
    assert [line.split()[0] for line in drawn[2:]] == [
        *("Model", "-" * 10, "ant", "bee", "-" * 10, "Baselines", "first", "-" * 10, "chance"),
    ]


def test_numbers_are_not_broken_before_the_percent_sign() -> None:
    lines = text(small_report(), width=61).splitlines()
    assert not [line for line in lines if re.match(r"\s*%", line)]


def test_only_the_main_tables_are_shown_unless_all_are_wanted() -> None:
    some, every = (text(small_report(), all_tables=which) for which in (False, True))
    assert "Difference in scoring methods" in every and "Difference in scoring methods" not in some


def test_sections_stand_under_their_titles_if_any_table_is_shown() -> None:
    some, every = (text(small_report(), all_tables=which) for which in (False, True))
    assert "\n\nModels and data\n===============\n\n" in every
    assert "Models and data" not in some
    assert "\n\nPerturbations\n=============\n\n" in some


def test_a_profile_of_nothing_is_still_a_report() -> None:
    nothing = text(build_report(hand_made.profile((), (), (), ())), all_tables=True)
    assert nothing.startswith("Nothing was evaluated.\n\nno model on no data: run 0123456789ab")


def test_a_title_never_points_to_a_table_of_another_work() -> None:
    assert text_table(table((LEFT,), ("ant",), thesis="4.16")).splitlines()[0] == "Some"
