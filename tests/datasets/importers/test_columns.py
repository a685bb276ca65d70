"""Formats are recognised by all their columns."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest

from horsesense.datasets.importers import FORMATS, SourceFile, guess_format
from horsesense.datasets.importers.columns import UNUSED, is_part_of_a_problem
from horsesense.datasets.importers.formats.winogrande import FORMAT as WINOGRANDE
from horsesense.datasets.recovery import Journal
from horsesense.errors import FileError
from tests.datasets.importers.imported import imported
from tests.datasets.importers.samples import SAMPLES, json_lines, options

# What stands between the fields of tables; the other formats are JSON.
TABLES = {
    "perturbed-wsc": "\t",
    "wnli": "\t",
    "knowref-tsv": "\t",
    "winogender": "\t",
    "gap": "\t",
    "swag": ",",
    "crows-pairs": ",",
}
_OPTIONS = "qID sentence option1 option2"
_ENDINGS = "sent1 sent2 ending0 ending1 ending2 ending3"
# The columns or keys without which a file is not of the format.
NEEDED = {
    "perturbed-wsc": "text_original pron pron_index pair_number answer_a answer_b correct_answer",
    "wnli": "index sentence1 sentence2",
    "knowref-tsv": "question_id source substitution0 substitution1 label",
    "winogender": "sentid sentence",
    "gap": "ID Text Pronoun Pronoun-offset A A-offset B B-offset URL",
    "swag": _ENDINGS,
    "crows-pairs": "sent_more sent_less stereo_antistereo bias_type",
    "trichelair": "index sentence answer0 answer1 correct_answer is_associative",
    "square-one": f"{_OPTIONS} pair_id",
    "square-one-zero-shot": "s1 s2 ans1 ans2",
    "perturbed-wsc-jsonl": f"{_OPTIONS} pair_number",
    "winogrande": _OPTIONS,
    "trinh-le": "question_id substitution correctness",
    "superglue-wsc": "text target idx",
    "knowref": "sentence_with_pronoun candidate0 candidate1 correct_candidate",
    "superglue-copa": "premise choice1 choice2 question idx",
    "swag-json": _ENDINGS,
    "blimp": "sentence_good sentence_bad UID pairID",
}
Change = Callable[[dict[str, Any]], dict[str, Any]]


def text(name: str) -> str:
    sample = SAMPLES[name]
    assert isinstance(sample, str)
    return sample


def rows_of(name: str) -> list[dict[str, Any]]:
    if name not in TABLES:
        first = SourceFile("own", text(name).encode()).first_object
        assert first
        return [first]
    journal, file = Journal(), SourceFile("own", text(name).encode())
    rows = file.tsv_rows(journal) if TABLES[name] == "\t" else file.csv_rows(journal)
    return [row for _, row in rows]


def changed(name: str, change: Change) -> SourceFile:
    """The sample of a format with all its rows changed."""
    rows = [change(row) for row in rows_of(name)]
    if name not in TABLES:
        lines = json_lines(*rows)
        data = f"[{lines.strip()}]" if text(name).startswith("[") else lines
    else:
        table = StringIO()
        writer = csv.writer(table, delimiter=TABLES[name], quotechar="\x1f", lineterminator="\n")
        writer.writerows([rows[0], *(row.values() for row in rows)])
        data = table.getvalue()
    return SourceFile("own", data.encode())


def guessed(file: SourceFile) -> str:
    try:
        return guess_format(file).name
    except FileError:
        return ""


@pytest.mark.parametrize("name", NEEDED)
def test_a_file_with_a_further_part_of_a_problem_is_something_else(name: str) -> None:
    assert guessed(changed(name, lambda row: row)) == name
    for column in ("candidate7", "Option 9", "sentence_x"):
        assert guessed(changed(name, lambda row: {**row, column: "an owl"})) != name  # noqa: B023


@pytest.mark.parametrize("name", NEEDED)
def test_a_file_may_have_columns_that_say_nothing_of_the_problem(name: str) -> None:
    assert guessed(changed(name, lambda row: {**row, "annotator": "Nora", "split": "dev"})) == name


@pytest.mark.parametrize("name", NEEDED)
def test_a_file_without_a_column_that_is_needed_is_something_else(name: str) -> None:
    for column in NEEDED[name].split():
        assert column in rows_of(name)[0]
        lacking = changed(
            name,
            lambda row: {key: value for key, value in row.items() if key != column},  # noqa: B023
        )
        assert guessed(lacking) != name, column


@pytest.mark.parametrize("columns", ["candidate0\tcandidate1", "cand0\tcand1", "cand_a\tcand_b"])
def test_candidates_beside_two_sentences_are_not_wnli(columns: str) -> None:
    header = f"index\tsentence1\tsentence2\tlabel\t{columns}\n"
    row = "0\tThe owl saw the vole as it slept.\tThe vole slept.\t1\tthe owl\tthe vole\n"
    with pytest.raises(FileError, match="no known format"):
        guess_format(SourceFile("own.tsv", f"{header}{row}".encode()))


def test_a_third_option_makes_winogrande_a_plain_table() -> None:
    row = options("owl-1", "high", "3", option3="driver")
    assert guessed(SourceFile("own", json_lines(row).encode())) == "table-jsonl"


@pytest.mark.parametrize(
    "column", ["label", "target", "split", "idx", "Gold", "correct answer", "gold_label"]
)
def test_winogrande_may_tell_the_answer_twice_or_the_split_and_that_is_reported(
    column: str,
) -> None:
    rows = [options(f"owl-{n}", word, str(n)) for n, word in ((1, "high"), (2, "low"))]
    file = SourceFile("own", json_lines(*({**row, column: "x"} for row in rows)).encode())
    assert guessed(file) == "winogrande"
    found = imported(WINOGRANDE, file.data)
    assert found.twins == {"twins-by-id": "1 pair"}
    assert [(one.name, one.line, one.odd) for one in found.issues] == [
        ("unused-column", 0, f"the column {column!r}")
    ]


def test_all_unused_columns_of_winogrande_are_one_issue() -> None:
    rows = [options("owl-1", "high", "1", split="dev"), options("owl-2", "low", "2", label=2)]
    (issue,) = imported(WINOGRANDE, json_lines(*rows)).issues
    assert (issue.odd, issue.done) == ("the columns 'split', 'label'", "left out")


@pytest.mark.parametrize("name", ["square-one", "wnli"])
def test_unused_columns_are_one_issue_in_formats_that_use_few(name: str) -> None:
    file = changed(name, lambda row: {**row, "annotator": "Nora", "split": "dev"})
    told = [one.odd for one in imported(FORMATS[name], file.data).issues if one.name == UNUSED]
    assert told == ["the columns 'annotator', 'split'"]


def test_a_label_that_is_the_only_answer_is_not_passed_over() -> None:
    row = options("owl-1", "high", None, label=1)
    assert guessed(SourceFile("own", json_lines(row).encode())) == "table-jsonl"


@pytest.mark.parametrize("name", ["square-one", "perturbed-wsc-jsonl"])
def test_what_has_rows_like_those_of_winogrande_may_tell_the_answer_twice(name: str) -> None:
    assert guessed(changed(name, lambda row: {**row, "label": "1"})) == name


def test_an_eighth_field_is_no_row_of_xwino() -> None:
    lines = text("xwino").splitlines()
    assert guessed(SourceFile("own", "\n".join(lines).encode())) == "xwino"
    more = "\n".join(f"{line}\tthe owl" for line in lines)
    assert guessed(SourceFile("own", more.encode())) == ""


def test_a_name_in_a_text_is_no_column() -> None:
    row = {"note": 'the fields "qID" "sentence" "option1" "option2" are not here'}
    assert guessed(SourceFile("own", json_lines(row).encode())) == ""


def test_a_first_row_that_cannot_be_read_does_not_hide_what_the_file_is() -> None:
    rows = "{'qID': 'owl-1'}\n" + text("winogrande")
    assert guessed(SourceFile("own", rows.encode())) == "winogrande"
    long = json.dumps(options("owl-1", "high " * 9_000, "1"))
    assert guessed(SourceFile("own", long.encode())) == "winogrande"


@pytest.mark.parametrize(
    "column, expected",
    [
        ("candidate0", True),
        ("Candidate_1", True),
        ("cand0", True),
        ("Cand B", True),
        ("candour", False),
        ("option-3", True),
        ("choice_b", True),
        ("C", True),
        ("C-offset", True),
        ("span3_text", True),
        ("pair_id", True),
        ("correct answer", True),
        ("label2", True),
        ("annotator", False),
        ("sentence_length", False),
        ("gold-source", False),
        ("x-label", False),
        ("", False),
    ],
)
def test_parts_of_problems_have_names_of_their_own(column: str, expected: bool) -> None:
    assert is_part_of_a_problem(column) is expected
