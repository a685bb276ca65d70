"""How many problems of a file are in no entry: what it holds, less what was read."""

import pytest

from horsesense.datasets.importers import FORMATS, open_import
from horsesense.datasets.importers.source import SourceFile
from horsesense.schema import Header
from tests.datasets.importers.imported import imported, imported_file, published
from tests.datasets.importers.samples import json_lines, options
from tests.datasets.importers.test_trinh_le import HUNGRY, file_of

# The problems that the published files hold, and how many of them are in no entry.
PUBLISHED = {
    "gap/gap-development.tsv": ("gap", 2000, 201),
    "gap/gap-validation.tsv": ("gap", 454, 62),
    "knowref/knowref_test.json": ("knowref", 1269, 1),
    "knowref/tsv/test_switched.tsv": ("knowref-tsv", 2538, 2),
    "winobias/pro_stereotyped_type1.txt.dev": ("winobias", 396, 0),
    "winobias/anti_stereotyped_type2.txt.dev": ("winobias", 396, 0),
    "winogender/all_sentences.tsv": ("winogender", 720, 0),
    "winogrande/dev.jsonl": ("winogrande", 1267, 0),
    "wsc_xml/285/WSCollection.xml": ("wsc-xml", 285, 0),
    "trinh_le/wsc273.json": ("trinh-le", 273, 0),
}


@pytest.mark.parametrize("path", PUBLISHED)
def test_what_is_read_and_what_is_left_out_are_all_that_the_file_holds(path: str) -> None:
    name, held, left_out = PUBLISHED[path]
    found = imported_file(name, path)
    assert (sum(found.rights.values()), found.left_out) == (held - left_out, left_out)


def test_wsc266_is_what_is_left_of_the_wsc() -> None:
    file = published("wsc_xml/285/WSCollection.xml")
    reading = open_import(file, Header("x"), recipe="wsc266")
    assert (len(list(reading)), reading.left_out) == (133, "19 problems left out")


def test_every_fault_of_a_row_leaves_out_one_problem() -> None:
    rows = [options("owl-1", "high", "1"), options("owl-2", "low", "2")]
    bad = [rows[0], {**rows[0], "qID": "elk-1", "answer": "7"}, {**rows[0], "qID": "an elk"}]
    found = imported(FORMATS["winogrande"], json_lines(*rows, *bad) + "{\n[]\n")
    assert (len(found.entries), found.left_out, len(found.faults)) == (1, 5, 5)


def test_a_question_with_two_faulty_sentences_is_one_problem() -> None:
    lone = {**HUNGRY[0], "question_id": 7}
    broken = [{**row, "question_id": 8, "correctness": "no"} for row in HUNGRY]
    half = [{**HUNGRY[0], "question_id": 9}, {**HUNGRY[1], "question_id": 9, "substitution": 3}]
    found = imported(FORMATS["trinh-le"], file_of(*HUNGRY, lone, *broken, *half).data)
    assert (len(found.entries), found.left_out, len(found.faults)) == (1, 3, 5)


def test_a_sentence_of_no_question_is_not_counted_twice() -> None:
    found = imported(FORMATS["trinh-le"], file_of(*HUNGRY, {**HUNGRY[0], "question_id": "?"}).data)
    assert (found.left_out, len(found.faults)) == (0, 1)


@pytest.mark.parametrize(
    "data, told",
    [
        (b'text,option1,option2,answer\n"It ___.",a,b,1\n', ""),
        (b"text,option1,option2,answer\nIt ___.,a,b,1\nIt ___.,a,b\n", "1 problem left out"),
        (
            b'text,option1,option2,answer\nIt ___.,a,b,1\n"It ___." x,a,b,1\nIt ___.,a,b,2\n',
            "everything from line 3 onward left out",
        ),
        (
            b'text,option1,option2,answer\nIt ___.,a,b,1\nx,a,b,1\n"It" x,a,b,1\nIt ___.,a,b,2\n',
            "1 problem and everything from line 4 onward left out",
        ),
        (
            b'text,option1,option2,answer\n"It\n___.",a,b,1\n"It ___.,a,b,1\nIt ___.,a,b,2\n\n',
            "everything from line 4 onward left out",
        ),
    ],
)
def test_where_a_file_breaks_off_nobody_counts_the_rest(data: bytes, told: str) -> None:
    reading = open_import(SourceFile("own.csv", data), Header("x"), keep_going=True)
    assert len(list(reading)) == 1
    assert reading.left_out == told
    assert any(told in remark for remark in reading.remarks())


def test_a_quotation_mark_that_is_never_closed_is_reported_where_its_row_begins() -> None:
    header = "sent1,sent2,ending0,ending1,ending2,ending3,label\n"
    good = "The owl,woke,and flew,and sang,and sat,and fell,0\n"
    file = SourceFile("own.csv", f'{header}{good}"The vole,woke,\n{good}{good}'.encode())
    reading = open_import(file, Header("x"), keep_going=True)
    assert reading.format.name == "swag" and len(list(reading)) == 1
    assert reading.left_out == "everything from line 3 onward left out"
    assert [one.line for one in reading.journal.faults] == [3]


def test_a_list_that_is_never_closed_has_lost_nothing_but_is_told_of() -> None:
    data = file_of(*HUNGRY).data.rstrip().removesuffix(b"]")
    reading = open_import(SourceFile("in/own.json", data), Header("x"), keep_going=True)
    assert len(list(reading)) == 1
    assert reading.left_out == ""
    assert reading.remarks() == [
        "own.json: twins by position and similarity: 1 alone",
        "own.json: 1 fault; run 'horsesense dataset import' for details",
    ]
