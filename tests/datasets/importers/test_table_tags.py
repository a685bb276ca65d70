"""Tags of the rows of a plain table: each stays with its problem."""

from io import BytesIO
from typing import Any

import pytest

from horsesense.datasets.exporters import Exported, FileExport, find_export
from horsesense.datasets.importers.format import Format
from horsesense.datasets.importers.formats.table import FORMAT, FORMAT_JSONL
from horsesense.schema import Dataset, Entry, Header, Mode
from horsesense.schema.notation import SchemaFile, parse_grid, print_entry
from tests.datasets.importers.imported import Imported, imported
from tests.datasets.importers.tables import json_lines, table, told

FORMATS = {"csv": FORMAT, "jsonl": FORMAT_JSONL}
LORRY = "A lorry <can, cannot> pass under a {high, low} bridge."
SOUND = {"id": "owls", "text": "Owls ___.", "options": ["hunt", "sing"], "answer": 1}
DYAD = "It is |true, false| that a lorry <can, cannot> pass under a {high, low} bridge."


def read_twins(first: Any, second: Any) -> Imported:
    """The schema of two rows with these tags; the row that comes second in the schema is first."""
    row = {"schema": "lorry", "options": ["can", "cannot"]}
    low = row | {"text": "A lorry ___ pass under a low bridge.", "answer": 2, "tags": second}
    high = row | {"text": "A lorry ___ pass under a high bridge.", "answer": 1, "tags": first}
    return imported(FORMAT_JSONL, json_lines(low, high, SOUND))


def returned(entry: Entry, name: str, mode: Mode = Mode.BY_ANSWER) -> list[Entry]:
    export = find_export(name)
    assert isinstance(export, FileExport)
    data = "".join(export.pieces(Dataset(Header("own"), [entry], mode=mode), Exported()))
    form: Format = FORMATS[name]
    return imported(form, data).entries


def test_tags_of_both_rows_are_the_schemas_and_others_stay_with_their_problem() -> None:
    read = read_twins("roads, tall", ["roads", "a/b:1+", "sunk"])
    entry = read.entries[0]
    assert entry.tags == ("roads",)
    assert dict(entry.extras) == {
        "x-problems": "lorry-2, lorry-1",
        "x-tags.1": "tall",
        "x-tags.2": "a/b:1+, sunk",
    }
    assert told(read) == [("tags-of-problems", 0, "not all rows of 1 schema have the same tags")]


def test_tags_that_all_rows_have_are_nothing_to_tell_of() -> None:
    read = read_twins("roads, tall, roads", ["tall", "roads"])
    assert read.entries[0].tags == ("roads", "tall")
    assert read.issues == []


def test_a_row_alone_gives_its_tags_to_its_entry() -> None:
    (entry,) = imported(FORMAT_JSONL, json_lines(SOUND | {"tags": "birds"})).entries
    assert (entry.tags, entry.extras) == (("birds",), (("x-problems", "owls"),))


def test_a_tag_of_one_row_that_is_no_tag_is_a_fault() -> None:
    read = read_twins("", "two words")
    assert [line for line, odd in read.faults if "'two words' is not a valid tag" in odd] == [1, 2]


def test_a_field_in_the_place_of_tags_is_a_fault() -> None:
    row = {"schema": "owl", "options": ["hunt", "sing"], "answer": 1}
    rows = [
        row | {"text": "Owls ___.", "tags": "a", "x-tags": "mine"},
        row | {"text": "Elms ___.", "tags": "b", "x-tags": "yours"},
    ]
    read = imported(FORMAT_JSONL, json_lines(*rows, SOUND))
    assert len(read.faults) == 2 and "'x-tags.1'" in read.faults[0][1]


@pytest.mark.parametrize("name", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("written", "mode"),
    [
        (LORRY, Mode.BY_ANSWER),
        (LORRY, Mode.BY_KEY),
        (DYAD, Mode.BY_ANSWER),
        (DYAD, Mode.BY_KEY),
        (DYAD, Mode.BY_BOOLEAN),
        ("Owls eat <voles*, oats>.\n& Owls eat <moss, mice*>.", Mode.BY_ANSWER),
    ],
)
def test_tags_of_problems_come_back_from_a_table(name: str, written: str, mode: Mode) -> None:
    extras = {"x-tags.2": "low:1, odd/even"}
    if "true" in written:
        extras |= {"x-tags.4": "last"}
    entry = Entry("lorry", parse_grid(written), tags=("roads",), extras=tuple(extras.items()))
    (back,) = returned(entry, name, mode)
    assert back.tags == ("roads",)
    assert {k: v for k, v in back.extras if k != "x-problems"} == extras


def test_tags_of_problems_come_back_from_a_schema_file() -> None:
    entry = Entry("lorry", parse_grid(LORRY), extras=(("x-tags.2", "low:1, odd/even"),))
    assert list(SchemaFile(BytesIO(print_entry(entry).encode()), "own", "own")) == [entry]


def test_a_dataset_with_tags_in_csv_has_them_row_by_row() -> None:
    text = table(
        "id,schema,text,option1,option2,answer,tags",
        'q1,lorry,A lorry ___ pass under a high bridge.,can,cannot,1,"roads, tall"',
        "q2,lorry,A lorry ___ pass under a low bridge.,can,cannot,2,roads",
    )
    (entry,) = imported(FORMAT, text).entries
    assert (entry.tags, dict(entry.extras)["x-tags.1"]) == (("roads",), "tall")
