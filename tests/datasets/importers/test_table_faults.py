import sys
from typing import Any

import pytest

from horsesense.datasets.importers.formats.table import FORMAT, FORMAT_JSONL, FORMAT_PARQUET
from horsesense.datasets.importers.reading import FileImport, guess_format
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import FileError, ImportFaults
from horsesense.schema import Header
from tests.datasets.importers.imported import claimed, imported
from tests.datasets.importers.tables import json_lines, parquet, table


def test_rows_that_cannot_be_used_are_faults() -> None:
    header = "id,schema,mode,text,option1,option2,option3,answer,switchable"
    rows = (
        "1,,,Owls ___.,hunt,sing,,1,",
        "2,,,Owls hunt.,hunt,sing,,1,",
        "3,,,_ _ _,hunt,sing,,1,",
        "4,,,Owls ___.,hunt,,,1,",
        "5,,,Owls ___.,hunt,,sing,1,",
        "6,,,Owls ___.,hunt,sing,,3,",
        "7,,,Owls ___.,hunt,sing,,fly,",
        "8,,by owl,Owls ___.,hunt,sing,,1,",
        "9,,by key,,hunt,sing,,1,",
        "10,,,___ eat ___.,Owls,Voles,,1,",
        '"1,1",,,Owls ___.,hunt,sing,,1,',
        "12,,,Owls ___.,hunt,sing,,1,perhaps",
        "13,o,,Owls ___.,hunt,sing,,1,",
        "14,o,by key,Owls ___.,hunt,sing,,1,",
        "?,,,Owls ___.,hunt,sing,,1,",
        "16,,,Owls ___.,hunt,sing,,,",
        "1,,,Owls ___.,hunt,sing,,1,",
        "18,too few",
        '"',
    )
    assert imported(FORMAT, table(header, *rows)).faults == [
        (3, "0 blanks where one or two are expected"),
        (4, "3 blanks where one or two are expected"),
        (5, "fewer than two options"),
        (6, "option 2 is empty"),
        (7, "the answer '3' is neither an option nor one of 1 to 2"),
        (8, "the answer 'fly' is neither an option nor one of 1 to 2"),
        (9, "the mode 'by owl' is not one of by answer, by key, by boolean"),
        (10, "no text"),
        (11, "'Owls' has 1 phrases for 2 blanks"),
        (12, "the id '1,1' has a comma in it"),
        (13, "switchable is 'perhaps', which is neither yes nor no"),
        (15, "by key in a schema that is solved by answer"),
        (16, "'?' cannot be an id"),
        (17, "no label, but other problems have one"),
        (18, "the id '1' is already used in line 2"),
        (19, "2 fields, but 9 are expected"),
        (20, "not CSV: unexpected end of data"),
    ]


def test_values_of_the_wrong_kind_are_faults() -> None:
    good: dict[str, Any] = {"text": "Owls _.", "option1": "hunt", "option2": "sing"}
    rows = (good, good | {"text": ["Owls _."]}, good | {"option1": {}}, good | {"mode": 1})
    data = json_lines(*rows).encode() + b"{\n"
    assert imported(FORMAT_JSONL, data).faults == [
        (2, "'text' is not a string"),
        (3, "'option1' is not a string"),
        (4, "the mode 1 is not one of by answer, by key, by boolean"),
        (
            5,
            "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
    ]
    no_list = json_lines({"text": "Owls _.", "options": "hunt, sing"})
    with pytest.raises(ImportFaults, match="own:1: no list of options"):
        list(FileImport(SourceFile("own", no_list.encode()), FORMAT_JSONL, Header("x"), Journal()))


@pytest.mark.parametrize("data", ["owl,vole\n1,2\n", "text,option1,option2\n", "", "\n"])
def test_a_table_without_problems_is_refused(data: str) -> None:
    with pytest.raises(FileError, match="own: .*no"):
        imported(FORMAT, data)


def test_a_parquet_file_is_read_row_by_row() -> None:
    columns: dict[str, list[Any]] = {
        "text": ["Owls ___.", "Elms ___.", None],
        "option1": ["hunt", "hunt", "x"],
        "option2": ["sing", "grow", None],
        "answer": [1.0, 2.0, 1.0],
        "x-size": [3, None, 4],
    }
    read = imported(FORMAT_PARQUET, parquet(columns))
    assert read.grids == {"1": "Owls <hunt*, sing>.", "2": "Elms <hunt, grow*>."}
    assert read.entries[0].extras == (("x-problems", "1"), ("x-size", "3"))
    assert read.faults == [(3, "fewer than two options")]


def test_a_broken_parquet_file_is_refused() -> None:
    good = parquet({"text": ["Owls ___."], "option1": ["hunt"], "option2": ["sing"]})
    for data in (b"PAR1", b"PAR1 and so on", good[:-20], good[:60] + good[70:]):
        with pytest.raises(FileError, match="own: .*not a Parquet file"):
            imported(FORMAT_PARQUET, data)


def test_who_lacks_pyarrow_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FileError, match=r"pip install 'horsesense\[parquet\]'"):
        imported(FORMAT_PARQUET, b"PAR1")


def test_tables_are_known_by_their_headings() -> None:
    def looks(name: str, data: bytes) -> list[str]:
        file = SourceFile(name, data)
        forms = (FORMAT, FORMAT_JSONL, FORMAT_PARQUET)
        return [form.name for form in forms if form.looks_like(file)]

    assert looks("a.csv", b"text,option1,option2\n") == ["table-csv"]
    assert looks("a.csv", b"\xef\xbb\xbfText;Option A;Option B\r\n") == ["table-csv"]
    assert looks("a.jsonl", b'{"text": "", "options": []}\n{') == ["table-jsonl"]
    assert looks("a.parquet", b"PAR1") == ["table-parquet"]
    for data in (
        b"",
        b"text\n",
        b'"text',
        b"text\roption1\n",
        b"{}",
        b"[1]",
        b"\xff\x00",
        b'{"text": "", "option1"',
    ):
        assert looks("a", data) == []
    winogrande = b'{"qID": "1", "sentence": "", "option1": "", "option2": "", "answer": "1"}\n'
    assert looks("dev.jsonl", winogrande) == []


def test_no_published_file_looks_like_a_table() -> None:
    for form in (FORMAT, FORMAT_JSONL, FORMAT_PARQUET):
        assert claimed(form) == set()


@pytest.mark.parametrize(
    ("header", "meant"),
    [
        ("schema,sentence,option1,optoin2,answer", "'option2' by the column 'optoin2'"),
        ("schema,sentnce,option1,option2,answer", "'sentence' by the column 'sentnce'"),
    ],
)
def test_a_misspelt_column_is_named_when_the_table_cannot_be_read(header: str, meant: str) -> None:
    rows = table(header, "1,Owls ___ fly.,can,cannot,1").encode()
    with pytest.raises(FileError, match=f"did you mean {meant}[?] Otherwise specify one"):
        guess_format(SourceFile("own.csv", rows))


def test_a_column_that_is_like_none_gets_no_suggestion() -> None:
    rows = table("colour,sentence1,mood", "red,Owls ___ fly.,happy").encode()
    with pytest.raises(FileError) as caught:
        guess_format(SourceFile("own.csv", rows))
    assert "did you mean" not in str(caught.value)
