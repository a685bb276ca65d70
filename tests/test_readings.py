from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from horsesense.datasets.builtin import BUILT_IN
from horsesense.schema import Entry, Kind
from horsesense.schema.notation import grid_id
from readings.sheets import WORDINGS, entries_of, posed, read_soundly, record, sheets

pytestmark = pytest.mark.usefixtures("untraced")

READINGS = Path(__file__).parent.parent / "readings"
READ = (*BUILT_IN, f"hs-winograd{WORDINGS}")


@pytest.fixture(scope="module")
def winograd() -> list[Entry]:
    return entries_of("hs-winograd")


@pytest.mark.parametrize("name", READ)
def test_built_in_data_was_read_blind_in_this_wording_and_solved_without_hesitation(
    name: str,
) -> None:
    entries = entries_of(name)
    read = read_soundly(entries, name, record(name))
    assert [entry.id for entry in entries if entry.id not in read] == []


def test_a_schema_that_is_changed_has_not_been_read(winograd: list[Entry]) -> None:
    first, second = winograd[:2]
    changed = replace(first, grid=dict(second.versions)["tense"], versions=())
    read = read_soundly([changed, second], "hs-winograd", record("hs-winograd"))
    assert read == {second.id}


@pytest.mark.parametrize("fault", ({"answer": "wrong"}, {"certainty": "hesitant"}))
def test_a_schema_that_one_reader_stumbled_over_does_not_count(
    winograd: list[Entry], fault: dict[str, str]
) -> None:
    readings = record("hs-winograd")
    own = next(reading for reading in readings if reading.content == grid_id(winograd[0].grid))
    stumbled = [*readings, replace(own, **fault)]  # type: ignore[arg-type]
    assert winograd[0].id not in read_soundly(winograd, "hs-winograd", stumbled)


def test_rejected_schemas_are_not_in_the_built_in_data() -> None:
    rejected = {row["entry"] for row in _changes() if row["done"] == "rejected"}
    assert rejected
    assert not rejected & {entry.id for name in BUILT_IN for entry in entries_of(name)}


def test_no_reader_sees_two_problems_of_a_schema(winograd: list[Entry]) -> None:
    for sheet in sheets(winograd, "hs-winograd", 1):
        seen = [line.entry.id for line in sheet]
        assert len(seen) == len(set(seen))


def test_a_sheet_shows_the_sentence_and_the_options_and_no_hint(
    winograd: list[Entry],
) -> None:
    dealt = sheets(winograd, "hs-winograd", 1)
    lines = [line for sheet in dealt for line in sheet]
    assert sum(map(len, dealt)) == sum(len(posed(entry, "hs-winograd")) for entry in winograd)
    for line in lines:
        assert line.entry.id not in line.text
        assert all(" … ".join(option) in line.text for option in line.problem.options)
    right_first = sum(line.order[0] == line.problem.right for line in lines)
    assert 0.4 < right_first / len(lines) < 0.6


def test_the_built_in_data_is_at_least_as_large_as_promised(winograd: list[Entry]) -> None:
    adversarial = entries_of("hs-adversarial")
    kinds = [entry.grid.kind for entry in adversarial]
    assert len(winograd) >= 150
    assert kinds.count(Kind.SUBSTITUTION) >= 90
    assert kinds.count(Kind.TRANSPOSITION) >= 60
    for entry in (*winograd, *adversarial):
        assert entry.tags and entry.note


def _changes() -> list[dict[str, str]]:
    with (READINGS / "changes.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, dialect="excel-tab"))
