"""Tables of a comparison, by sides made by hand."""

from __future__ import annotations

from dataclasses import replace

from horsesense.reports.side_by_side import comparison_tables
from horsesense.results import ORIGINAL
from horsesense.results.measuring.across_runs import Side, SideBySide, compare_sides
from tests.results.hand_made import Margins, profile

GOOD: Margins = {f"rope-{at}": [1.0 + at, 2.0] for at in range(12)}
BAD: Margins = {f"rope-{at}": [-1.0 - at, 2.0] for at in range(12)}


def side(name: str, margins: Margins) -> Side:
    results = profile({(ORIGINAL, "partial"): margins}, model=name)
    return Side(name, results, results.models[0])


def compared(*sides: Side) -> SideBySide:
    return compare_sides(sides)


def test_two_sides_have_columns_of_their_own() -> None:
    differences, consistency, flips = comparison_tables(
        compared(side("ant", GOOD), side("bee", BAD))
    )
    assert [column.heading for column in differences.columns][3:6] == ["ant", "bee", "Difference"]
    assert differences.title == "Accuracy of ant and bee"
    (first, second), *_ = (group.rows for group in differences.groups)
    assert first[:6] == ("quay", ORIGINAL, "a", "1.000", ".500", "−.500")
    assert second[:6] == ("", "", "A", "1.000", ".000", "−1.000")
    assert consistency.groups[0].rows[0][-2:] == ("0", "12")
    assert flips.groups[0].rows[0][-1] == "ant" and len(flips.groups[0].rows) == 12
    assert differences.notes[0].startswith("ant: run ")


def test_more_sides_are_groups_under_the_pair() -> None:
    several = compared(side("ant", GOOD), side("bee", BAD), side("cat", GOOD))
    differences, _, flips = comparison_tables(several)
    assert [column.heading for column in differences.columns][3:5] == ["First", "Other"]
    assert [group.heading for group in differences.groups] == ["bee minus ant", "cat minus ant"]
    # Nothing flips between ant and cat.
    assert [group.heading for group in flips.groups] == ["bee minus ant"]
    assert differences.title == "Accuracy of ant, bee and cat"


def test_nothing_compared_makes_empty_tables() -> None:
    nothing = replace(compared(side("ant", GOOD), side("bee", BAD)), variants=())
    assert all(table.groups == () for table in comparison_tables(nothing))


def test_a_value_without_an_interval_has_a_dash() -> None:
    # A single schema is a single cluster, so there is nothing to resample.
    single = {"rope-0": GOOD["rope-0"]}
    differences, consistency, _ = comparison_tables(
        compared(side("ant", single), side("bee", single))
    )
    assert differences.groups[0].rows[0][6] == "–"
    assert consistency.groups[0].rows[0][5] == "–"
