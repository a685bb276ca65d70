"""A JSON list of objects is read as the same rows in JSON lines would be."""

import json
from typing import Any

import pytest

from horsesense.datasets.importers import SourceFile, guess_format, is_published, open_import
from horsesense.errors import FileError, ImportFaults
from horsesense.schema import Entry, Header

ROWS: list[dict[str, Any]] = [
    {"schema": "lorry", "text": "A lorry ___ pass under a high bridge.", "answer": 1},
    {"schema": "lorry", "text": "A lorry ___ pass under a low bridge.", "answer": 2},
]
ROWS = [row | {"options": ["can", "cannot"]} for row in ROWS]
WINO = [
    {"qID": "W-1", "sentence": "The plank beat the cart, for the _ was long.", "answer": "1"},
    {"qID": "W-2", "sentence": "The plank beat the cart, for the _ was short.", "answer": "2"},
]


def read(data: str, *, keep_going: bool = False, format_name: str | None = None) -> list[Entry]:
    file = SourceFile("own.json", data.encode())
    return list(open_import(file, Header("own"), keep_going=keep_going, format_name=format_name))


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("rows", "format_name"),
    [
        (ROWS, "table-jsonl"),
        ([row | {"option1": "plank", "option2": "cart"} for row in WINO], "winogrande"),
    ],
)
def test_a_list_gives_what_lines_give(
    rows: list[dict[str, Any]], format_name: str, indent: int | None
) -> None:
    listed = "\ufeff\n" + json.dumps(rows, indent=indent)
    lines = "\n".join(map(json.dumps, rows))
    file = SourceFile("own.json", listed.encode())
    assert guess_format(file).name == format_name and is_published(file)
    assert read(listed) == read(lines) == read(listed, format_name=format_name)


def test_faults_are_told_with_the_number_of_the_row() -> None:
    rows = [*ROWS, 7, ROWS[0] | {"options": ["can"], "schema": "short"}]
    with pytest.raises(ImportFaults) as raised:
        read(json.dumps(rows, indent=1))
    assert str(raised.value).splitlines()[:2] == [
        "own.json: row 3: not a JSON object",
        "own.json: row 4: fewer than two options",
    ]
    assert len(read(json.dumps(rows), keep_going=True)) == 1


@pytest.mark.parametrize(
    ("end", "fault"),
    [
        (', {"text": }]', "own.json: row 3: not JSON"),
        (", " + "[" * 100_000, "own.json: row 3: not JSON"),
        (', {"text": ' + "9" * 5000 + "}]", "own.json: row 3: not JSON"),
        (',\n{"text": "A l', "own.json: row 3: not JSON"),
        ("", "own.json: row 3: the list is not closed with ]"),
        ("] []", "own.json: row 3: unexpected text after the list"),
    ],
)
def test_a_list_that_breaks_off_is_a_fault(end: str, fault: str) -> None:
    broken = json.dumps(ROWS)[:-1] + end
    with pytest.raises(ImportFaults) as raised:
        read(broken)
    assert str(raised.value).startswith(fault)
    assert [entry.id for entry in read(broken, keep_going=True)] == ["lorry"]


def test_a_list_without_the_columns_of_the_format_that_was_named_is_told_what_it_lacks() -> None:
    with pytest.raises(FileError, match="own.json: no columns for the options"):
        read('[{"a": 1}]', format_name="table-jsonl")


@pytest.mark.parametrize(
    "data", ["[]", "[", "[1, 2]", "[[1]]", "[The owl] <hunts*, sings>.", '[{"a": 1', '[{"a": 1}]']
)
def test_a_list_without_rows_of_a_known_kind_is_in_no_format(data: str) -> None:
    file = SourceFile("own.json", data.encode())
    assert not is_published(file)
    with pytest.raises(FileError, match="no known format"):
        guess_format(file)


def test_a_list_has_the_digest_of_its_file() -> None:
    file = SourceFile("own.json", json.dumps(ROWS).encode())
    reading = open_import(file, Header("own"))
    assert (reading.file.digest, reading.file.name) == (file.digest, file.name)
