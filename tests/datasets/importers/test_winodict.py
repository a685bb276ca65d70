"""WinoDict: problems with an invented word, whose definition comes before them."""

from typing import Any

import pytest

from horsesense.datasets.importers import SourceFile, guess_format
from horsesense.datasets.importers.formats.winodict import FORMAT
from tests.datasets.importers.imported import claimed, imported
from tests.datasets.importers.samples import coined, json_lines

ROWS = (
    coined("w-1", "weighing little", "plobby", "1"),
    coined("w-2", "A grunsy thing can carry much.", "grunsy", "2"),
)
ALIKE = (
    coined("", "A plobby thing weighs little.", "plobby", "1"),
    coined("", "A plobby thing weighs little.", "plobby", "2")
    | {"sentence": "The lorry missed the bridge because the _ was plobby."},
)


def without(row: dict[str, Any], *columns: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in columns}


def test_the_definition_comes_before_the_sentence() -> None:
    read = imported(FORMAT, json_lines(*ROWS))
    (grid,) = read.grids.values()
    assert grid == (
        'The word "plobby" means weighing little. The [lorry] hit the [bridge] because '
        "the <_ = lorry*, bridge> was plobby.\n"
        "& A grunsy thing can carry much. The [lorry] hit the [bridge] because "
        "the <_ = lorry, bridge*> was grunsy."
    )
    assert read.told == {"definition-as-sentence": 1, "blank-in-difference": 1}
    assert dict(read.entries[0].extras) == {
        "x-problems": "w-1, w-2",
        "x-word.1": "plobby",
        "x-word.2": "grunsy",
    }


def test_twins_with_the_same_definition_make_a_schema() -> None:
    read = imported(FORMAT, json_lines(*(without(row, "id") for row in ALIKE)))
    assert read.grids == {
        "1": "A plobby thing weighs little. The [lorry] {hit, missed} the [bridge] because the "
        "<_ = lorry, bridge> was plobby."
    }
    assert read.twins == {"twins-by-neighbours": "1 pair"}


def test_the_part_of_speech_is_a_tag_and_other_columns_are_reported() -> None:
    rows = [row | {"pos": "adjective", "source": "wsc"} for row in ROWS]
    read = imported(FORMAT, json_lines(*rows))
    assert read.tags == {"adjective": 1}
    assert read.told["unused-column"] == 1


@pytest.mark.parametrize(
    "names",
    [
        {"id": "qID", "fake_lemma": "new word", "sentence": "text", "answer": "Label"},
        {"fake_lemma": "word", "option1": "Option 1"},
    ],
)
def test_columns_may_have_other_names(names: dict[str, str]) -> None:
    rows = [{names.get(name, name): value for name, value in row.items()} for row in ROWS]
    data = json_lines(*rows)
    assert guess_format(SourceFile("own", data.encode())) is FORMAT
    assert imported(FORMAT, data).grids == imported(FORMAT, json_lines(*ROWS)).grids


def test_answers_count_from_0_if_one_of_them_is_0() -> None:
    rows = [row | {"answer": int(row["answer"]) - 1} for row in ROWS]
    assert imported(FORMAT, json_lines(*rows)).grids == imported(FORMAT, json_lines(*ROWS)).grids


def test_a_table_is_read_and_one_with_schemas_is_another_format() -> None:
    headings = list(ROWS[0])
    lines = [",".join(headings), *(",".join(row.values()) for row in ROWS)]
    data = "\n".join(lines) + "\n"
    assert guess_format(SourceFile("own", data.encode())) is FORMAT
    assert imported(FORMAT, data).grids == imported(FORMAT, json_lines(*ROWS)).grids
    of_your_own = json_lines(*(row | {"schema": "s"} for row in ROWS))
    assert guess_format(SourceFile("own", of_your_own.encode())).name == "table-jsonl"


def test_rows_that_cannot_be_used_are_faults() -> None:
    rows = (
        *ROWS,
        coined("x", "", "plobby", "1"),
        coined("y", "light", "plobby", "3"),
        coined("z", "light", "plobby", "1") | {"sentence": "The _ hit the _ ."},
        coined("a", "light", "plobby", "1") | {"sentence": "___ hit ___ and ___."},
        coined("b", "light", "plobby", "1") | {"option2": 3},
    )
    assert imported(FORMAT, json_lines(*rows)).faults == [
        (3, "the word or its definition is empty"),
        (4, "the label '3' is not one of 1 to 2"),
        (5, "2 blanks where one is expected"),
        (6, "3 blanks where one or two are expected"),
        (7, "'option2' is not a string"),
    ]


def test_no_published_file_of_another_dataset_looks_like_it() -> None:
    assert claimed(FORMAT) == set()
