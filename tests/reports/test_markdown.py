from __future__ import annotations

import re

import pytest

from horsesense.reports import (
    Align,
    ReportTable,
    RowGroup,
    TableColumn,
    build_report,
    markdown,
    markdown_table,
)
from horsesense.reports.markdown import escaped
from tests.reports import hand_made
from tests.reports.built import small_report, small_tables

BAR = re.compile(r"(?<!\\)\|")


def test_every_row_of_a_table_has_as_many_cells_as_its_heading() -> None:
    for one in small_tables():
        rows = [line for line in markdown_table(one).splitlines() if line.startswith("|")]
        assert {len(BAR.findall(line)) for line in rows} == {len(one.columns) + 1}, one.name


def test_what_a_row_says_can_be_read_back() -> None:
    one = next(one for one in small_tables() if one.name == "skipped")
    row = markdown_table(one).splitlines()[5]
    cells = [re.sub(r"\\(.)", r"\1", cell).strip() for cell in BAR.split(row)[1:-1]]
    assert tuple(cells) == one.groups[0].rows[0]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b*c", r"a\_b\*c"),
        ("[x](y) `z`", r"\[x\](y) \`z\`"),
        ("one\ntwo  three", "one two three"),
        ("1. first", r"1\. first"),
        ("12) first", r"12\) first"),
        ("- item", r"\- item"),
        ("+ item", r"\+ item"),
        ("+.019", "+.019"),
        ("1.000", "1.000"),
        ("# heading", r"\# heading"),
    ],
)
def test_a_text_is_shown_as_it_is(text: str, written: str) -> None:
    assert escaped(text) == written


def test_columns_are_flush_as_they_should_be_and_groups_have_headings() -> None:
    one = ReportTable(
        name="some",
        title="Some",
        columns=(TableColumn("Model", Align.LEFT), TableColumn("C*", is_symbol=True)),
        groups=(RowGroup((("ant", ".5"),)), RowGroup((("first", ".5"),), "Baselines")),
        notes=("n: 8",),
        thesis="4.20",
    )
    assert markdown_table(one).splitlines() == [
        "### Some",
        "",
        r"| Model | C\* |",
        "| --- | ---: |",
        "| ant | .5 |",
        "| *Baselines* |  |",
        "| first | .5 |",
        "",
        "- n: 8",
    ]


def test_all_tables_are_there_and_the_summary_before_them() -> None:
    written = markdown(small_report())
    titles = [escaped(one.title) for one in small_tables()]
    places = [written.index(f"### {title}") for title in titles]
    assert places == sorted(places) and written.index("## Summary") < places[0]


def test_a_profile_of_nothing_is_still_a_report() -> None:
    assert "Nothing was evaluated." in markdown(build_report(hand_made.profile((), (), (), ())))
