"""A published file: its text, its lines, its JSON, its rows."""

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.importers.source import BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import Journal
from horsesense.errors import FileError
from tests.strategies import patient

BOM = b"\xef\xbb\xbf"


def file_of(data: str | bytes, name: str = "own.txt") -> SourceFile:
    return SourceFile(name, data.encode() if isinstance(data, str) else data)


def faults(journal: Journal) -> list[tuple[str, int, str]]:
    return [(fault.name, fault.line, fault.odd) for fault in journal.faults]


def lines(data: str | bytes) -> tuple[list[tuple[int, str]], list[tuple[str, int, str]]]:
    journal = Journal()
    return list(file_of(data).lines(journal)), faults(journal)


def json_lines(data: str | bytes) -> tuple[list[tuple[int, Any]], list[tuple[str, int, str]]]:
    journal = Journal()
    return list(file_of(data).json_lines(journal)), faults(journal)


def json_objects(data: str) -> tuple[list[tuple[int, Any]], list[tuple[str, int, str]]]:
    journal = Journal()
    return list(file_of(data).json_objects(journal)), faults(journal)


def tsv(data: str, header: list[str] | None = None) -> tuple[list[Any], list[Any]]:
    journal = Journal()
    return list(file_of(data).tsv_rows(journal, header)), faults(journal)


def csv(data: str) -> tuple[list[Any], list[Any]]:
    journal = Journal()
    return list(file_of(data).csv_rows(journal)), faults(journal)


def test_a_file_is_known_by_its_hash() -> None:
    file = file_of("owls")
    assert file.digest == sha256(b"owls").hexdigest()


def test_the_head_is_the_start_of_the_file_whatever_it_is() -> None:
    assert file_of(BOM + b"owl\xff").head == "owl\ufffd"
    assert len(file_of(b"x" * 100_000).head) == 20_000
    # A character that the end of the head cuts in two.
    assert file_of(b"x" * 19_999 + "é".encode()).head[-2:] == "x\ufffd"


def test_text_is_utf_8_without_a_byte_order_mark() -> None:
    assert file_of(BOM + "étage".encode()).text == "étage"


@pytest.mark.parametrize(
    "data, place",
    [
        (b"owls\nvoles\n\xe9tage\n", "own.txt:3: byte 0xe9 is not UTF-8"),
        (b"\xff", "own.txt:1: byte 0xff is not UTF-8"),
        (BOM + b"a\n\xff", "own.txt:2: byte 0xff is not UTF-8"),
        ("ab".encode("utf-16"), "own.txt:1: byte 0xff is not UTF-8"),
    ],
)
def test_a_byte_that_is_no_text_is_named_with_its_line(data: bytes, place: str) -> None:
    with pytest.raises(FileError) as raised:
        _ = file_of(data).text
    assert str(raised.value) == place


def test_lines_are_numbered_whatever_ends_them() -> None:
    assert lines("a\r\nb\n\nc") == ([(1, "a"), (2, "b"), (3, ""), (4, "c")], [])
    assert lines(BOM + b"a\n") == ([(1, "a"), (2, "")], [])
    assert lines("") == ([(1, "")], [])
    # Separators that only some programs take for the end of a line.
    assert lines("a\u2028b\x0bc\x85d") == ([(1, "a\u2028b\x0bc\x85d")], [])


def test_a_line_that_is_no_text_is_a_fault_and_the_rest_is_read() -> None:
    good, bad = lines(b"a\nb\xe9\nc")
    assert good == [(1, "a"), (3, "c")]
    assert bad == [("not-utf-8", 2, "byte 0xe9 at column 2 is not UTF-8")]


@given(st.text("a\r\n\x85é", max_size=12))
@patient
def test_lines_are_the_same_where_another_cannot_be_read(text: str) -> None:
    good, _ = lines(text)
    with_another, _ = lines(text.encode() + b"\n\xe9")
    assert with_another == good


def test_a_nul_is_a_character_like_others() -> None:
    assert lines(b"a\x00b") == ([(1, "a\x00b")], [])


def test_each_line_is_a_json_object() -> None:
    assert json_lines('{"a": 1}\r\n\n  \n{"b": "é"}') == ([(1, {"a": 1}), (4, {"b": "é"})], [])
    assert json_lines("") == ([], [])


@pytest.mark.parametrize(
    "line, odd",
    [
        ("{", "not JSON: "),
        ('{"a": 1} {"b": 2}', "not JSON: Extra data"),
        ("[1]", "not a JSON object"),
        ("null", "not a JSON object"),
        ("[" * 100_000, "not JSON: "),
        ('{"a": ' + "1" * 5000 + "}", "not JSON: "),
        ("\x00", "not JSON: "),
        ("x" * 1_000_000, "not JSON: "),
    ],
)
def test_a_line_that_is_no_json_object_is_a_fault(line: str, odd: str) -> None:
    good, ((name, number, told),) = json_lines(f'{{"a": 1}}\n{line}\n{{"b": 2}}')
    assert [row for row, _ in good] == [1, 3]
    assert (name, number) == ("not-json", 2)
    assert told.startswith(odd) and len(told) < 300


def test_a_file_may_be_one_json_value() -> None:
    assert file_of(BOM + b'{"a": [1, 2]}').json() == {"a": [1, 2]}
    with pytest.raises(FileError, match="^own.txt:2: not JSON: "):
        file_of('{"a":\n}').json()
    with pytest.raises(FileError, match="^own.txt:1: not JSON: "):
        file_of("[" * 100_000).json()
    with pytest.raises(FileError, match="is not UTF-8"):
        file_of(b"\xff").json()


@pytest.mark.parametrize(
    "text, expected",
    [
        ('[{"a": 1}]', [1]),
        (' [\n{"a": 1},\n\n{"a": 2}]\n', [2, 4]),
        ('{"a": 1}{"a": 2}\n{"a":\n 3}\n{"a": 4}', [1, 1, 2, 4]),
        ("[]", []),
        ("", []),
    ],
)
def test_objects_are_found_in_a_list_or_one_after_another(text: str, expected: list[int]) -> None:
    found, bad = json_objects(text)
    assert [line for line, _ in found] == expected
    assert bad == []


@pytest.mark.parametrize(
    "text, lines, line, odd",
    [
        ('[{"a": 1},\n{"a": }]', [1], 2, "not JSON: "),
        ('[{"a": 1},\n7,\n{"a": 2}]', [1, 3], 2, "not a JSON object"),
        ('[{"a": 1},\n{"a": 2}\n', [1, 2], 3, "the list is not closed with ]"),
        ('[{"a": 1},\n{"a', [1], 2, "not JSON: "),
        ("[\n" + "[" * 100_000, [], 2, "not JSON: "),
        ("owls", [], 1, "not JSON: "),
    ],
)
def test_what_is_wrong_with_a_list_is_told_with_its_line(
    text: str, lines: list[int], line: int, odd: str
) -> None:
    found, ((name, number, told),) = json_objects(text)
    assert [at for at, _ in found] == lines
    assert (name, number) == ("not-json", line)
    assert told.startswith(odd)


def test_rows_have_tabs_between_fields_and_quotation_marks_in_them() -> None:
    rows, bad = tsv('a\tb\n1\t"two"\r\n\n3\t\n')
    assert rows == [(2, {"a": "1", "b": '"two"'}), (4, {"a": "3", "b": ""})]
    assert bad == []
    assert tsv("1\t2", ["a", "b"])[0] == [(1, {"a": "1", "b": "2"})]


def test_a_row_with_too_many_or_too_few_fields_is_a_fault() -> None:
    rows, bad = tsv("a\tb\n1\n1\t2\t3\n4\t5")
    assert rows == [(4, {"a": "4", "b": "5"})]
    assert bad == [
        ("bad-row", 2, "1 fields, but 2 are expected"),
        ("bad-row", 3, "3 fields, but 2 are expected"),
    ]


def test_a_table_of_a_spreadsheet_may_quote() -> None:
    rows, bad = csv('a,b\r\n1,"two, or ""three"""\r\n\r\n"four\nlines",5\r\n6,7\r\n')
    assert [row for _, row in rows] == [
        {"a": "1", "b": 'two, or "three"'},
        {"a": "four\nlines", "b": "5"},
        {"a": "6", "b": "7"},
    ]
    assert rows[0][0] == 2 and rows[-1][0] == 6
    assert bad == []


def test_a_field_of_a_table_may_be_a_whole_passage() -> None:
    (row,), bad = csv(f"a,b\n1,{'owl ' * 50_000}\n")
    assert len(row[1]["b"]) == 200_000 and bad == []


def test_what_is_wrong_with_a_table_is_told_with_its_line() -> None:
    rows, bad = csv("a,b\n1\n2,3\n")
    assert rows == [(3, {"a": "2", "b": "3"})]
    assert bad == [("bad-row", 2, "1 fields, but 2 are expected")]
    rows, ((name, line, odd),) = csv('a,b\n1,2\n"3"x,4\n')
    assert (len(rows), name, line) == (1, "bad-row", 3)
    assert odd.startswith("not CSV: ")
    assert csv('a,b\n1,"open\n')[1][0][2].startswith("not CSV: ")
    assert csv("a,b\n1," + "x" * 2**24 + "x\n")[1][0][2].startswith("not CSV: ")


def test_texts_of_a_row_must_be_there_and_be_texts() -> None:
    row = {"a": "owl", "b": 3, "c": None}
    assert texts_of(row, "a") == ["owl"]
    for name, problem in (
        ("b", "'b' is not a string"),
        ("c", "no field 'c'"),
        ("d", "no field 'd'"),
    ):
        with pytest.raises(BadRow, match=f"^{problem}$"):
            texts_of(row, "a", name)


def test_what_follows_a_list_is_not_lost_in_silence() -> None:
    found, bad = json_objects('[\n{"a": 1}\n]\n[{"b": 2}]')
    assert found == [(2, {"a": 1})]
    assert bad == [("not-json", 3, "unexpected text after the list")]
