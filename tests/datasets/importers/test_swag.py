import pytest

from horsesense.datasets.importers.formats.swag import FORMAT, FORMAT_JSON
from horsesense.errors import FileError
from horsesense.schema import problems
from tests.datasets.importers.imported import claimed, imported, published

HEADER = (
    ",video-id,fold-ind,startphrase,sent1,sent2,gold-source,ending0,ending1,ending2,ending3,label\n"
)
LORRY = "A lorry nears a bridge. It"
ENDINGS = 'stops.,turns back.,"hoots, and waits.",sings.'
GRID = 'A lorry nears a bridge. It <stops.*, turns back., "hoots, and waits.", sings.>'


def row(number: int, fold: object = 7, label: object = 0, endings: str = ENDINGS) -> str:
    sentences = "A lorry nears a bridge.,It"
    return f"{number},clip (a)/{number},{fold},{LORRY},{sentences},gold,{endings},{label}\n"


def test_a_row_is_a_problem_with_four_options() -> None:
    read = imported(FORMAT, HEADER + row(0) + row(1, label=2))
    assert read.grids["clip-a-0-7"] == GRID
    assert [entry.tags for entry in read.entries] == [("gold",), ("gold",)]
    assert read.entries[1].extras == (("x-problems", "clip-a-1-7"),)
    assert (read.rights, read.issues) == ({0: 1, 2: 1}, [])


def test_a_test_file_has_no_labels() -> None:
    header = HEADER.replace(",gold-source", "").replace(",label", "")
    line = row(0).replace(",gold,", ",").replace(",0\n", "\n")
    read = imported(FORMAT, header + line)
    assert read.grids == {"clip-a-0-7": GRID.replace("*", "").replace("<", "<? ")}
    assert (read.entries[0].tags, read.issues) == ((), [])


def test_the_second_sentence_may_not_have_begun() -> None:
    line = row(0).replace(LORRY, LORRY[:-3]).replace(",It,", ",,")
    # The ending would get a capital if the sentence were not kept as it is published.
    grid = f"! {GRID.replace(' It', '')}"
    assert imported(FORMAT, HEADER + line).grids == {"clip-a-0-7": grid}


def test_a_start_that_is_another_is_told_of() -> None:
    read = imported(FORMAT, HEADER + row(0).replace(LORRY, "A lorry"))
    assert read.grids == {"clip-a-0-7": GRID}
    assert [(one.name, one.line, one.odd) for one in read.issues] == [
        ("start-differs", 2, "'A lorry'")
    ]


def test_rows_that_cannot_be_used_are_faults() -> None:
    same = "stops.,stops.,turns back.,sings."
    rows = (row(0), row(1, label=4), row(0), "1,2\n", row(3, endings=same), row(4, label=""), '"')
    assert imported(FORMAT, HEADER + "".join(rows)).faults == [
        (3, "the label '4' is not one of 0 to 3"),
        (4, "the id 'clip-a-0-7' is already used in line 2"),
        (5, "2 fields, but 12 are expected"),
        (6, "'stops.' occurs twice; the options must differ"),
        (7, "no label, but other problems have one"),
        (8, "not CSV: unexpected end of data"),
    ]
    with pytest.raises(FileError, match="own:1: byte 0xff is not UTF-8"):
        imported(FORMAT, b"\xff" + HEADER.encode())


JSON = """{
  "ending0": "stops.", "ending1": "turns back.", "ending2": "hoots, and waits.",
  "ending3": "sings.", "label": 0,
  "sent1": "A lorry nears a bridge.", "sent2": "It"
}"""


def test_objects_one_after_another_are_numbered() -> None:
    read = imported(FORMAT_JSON, f"{JSON} {JSON}\n")
    assert read.grids == {"1": GRID, "2": GRID}
    assert (read.entries[0].tags, read.issues) == ((), [])
    assert imported(FORMAT_JSON, f"[{JSON}, {JSON}]").grids == {"1": GRID, "2": GRID}


def test_objects_that_cannot_be_used_are_faults() -> None:
    bad = JSON.replace('"ending3"', '"ending4"')
    assert imported(FORMAT_JSON, f"{JSON}\n{bad}\n7\n{{").faults == [
        (6, "no field 'ending3'"),
        (11, "not a JSON object"),
        (
            12,
            "not JSON: Expecting property name enclosed in double quotes: "
            "line 12 column 2 (char 347)",
        ),
    ]


def test_only_the_published_files_of_the_formats_look_like_them() -> None:
    assert claimed(FORMAT) == {"swag/swag.csv"}
    assert claimed(FORMAT_JSON) == {"swag/sample.json"}


def test_the_published_csv() -> None:
    read = imported(FORMAT, published("swag/swag.csv").data)
    assert (read.kinds, read.issues) == ({"single problem": 11}, [])
    assert read.rights == {0: 3, 1: 1, 2: 7}
    assert {len(problems(entry.grid)[0].options) for entry in read.entries} == {4}


def test_the_published_objects() -> None:
    read = imported(FORMAT_JSON, published("swag/sample.json").data)
    assert (read.kinds, read.issues) == ({"single problem": 10}, [])
    assert read.rights == {0: 3, 1: 2, 3: 5}
