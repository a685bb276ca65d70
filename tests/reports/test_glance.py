"""A profile at a glance, as notebooks show it."""

from __future__ import annotations

from xml.etree import ElementTree

from horsesense.reports import build_report
from horsesense.reports.page import glance_html
from tests.reports.built import small_report
from tests.reports.small_profile import BEE
from tests.results.awkward import awkward_profile, bare_profile


def shown() -> ElementTree.Element:
    """What is shown of the small profile, in which a name has characters to be escaped."""
    return ElementTree.fromstring(f"<div>{glance_html(small_report())}</div>")


def test_the_headline_stands_above_the_table() -> None:
    headline, *tables = shown()
    assert (headline.tag, {table.tag for table in tables}) == ("p", {"table"})
    assert headline.text == (
        "ant_1 was tested on 8 schemas of kitchen and 4 schemas of yard: too few schemas to tell."
        " bee|2 & co was tested on 8 schemas of kitchen and 4 schemas of yard: too few schemas to"
        " tell."
    )


def test_the_table_has_every_heading_and_row_of_the_overview() -> None:
    told = small_report().summary.glance
    assert told is not None
    *_, table = shown().iter("table")
    headings, *rows = [tuple(cell.text or "" for cell in row) for row in table.iter("tr")]
    assert headings == tuple(one.heading for one in told.columns)
    assert rows == [row for group in told.groups for row in group.rows]
    assert rows[2][:4] == (BEE, "kitchen", ".625", ".375")
    assert [cell.tag for row in table.iter("tr") for cell in row] == (
        ["th"] * len(headings) + ["td"] * len(headings) * len(rows)
    )


def test_names_are_flush_left_and_numbers_right_under_their_headings() -> None:
    for row in shown().iter("tr"):
        assert [one.get("style") for one in row][:4] == [
            *["text-align: left"] * 2,
            *["text-align: right"] * 2,
        ]


def test_there_is_only_a_headline_where_there_are_no_numbers() -> None:
    assert glance_html(build_report(bare_profile())) == "<p>Nothing was evaluated.</p>"
    assert (
        glance_html(build_report(awkward_profile()))
        == "<p>ant was tested on quay (no problem with a known answer was scored): too few"
        " schemas to tell.</p>"
    )
