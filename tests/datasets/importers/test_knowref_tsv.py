from collections import Counter
from pathlib import Path

import pytest

from horsesense.datasets.importers.formats.knowref import BROKEN_SWITCH, SAME_CANDIDATE
from horsesense.datasets.importers.formats.knowref import FORMAT_TSV as FORMAT
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.schema import Entry, Header, IssueKind, Kind
from horsesense.schema.material import PROBLEMS
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of

PUBLISHED = (
    Path(__file__).parents[3].parent / "shared" / "data" / "knowref" / "tsv" / "test_switched.tsv"
)
HEADER = "question_id\tsource\tsubstitution0\tsubstitution1\tlabel"


def row(question: str, sentence: str, first: str, second: str, label: str) -> str:
    sentences = (sentence.format(first), sentence.format(second))
    return "\t".join((question, "web", *sentences, label))


ORIGINAL = row("7", "Nora hid it from Lena , but {} found it .", "Nora", "Lena", "1")
SWITCHED = row("7", "Lena hid it from Nora , but {} found it .", "Lena", "Nora", "1")


def reading_of(*rows: str, off: tuple[str, ...] = ()) -> FileImport:
    file = SourceFile("own.tsv", "\n".join((HEADER, *rows)).encode())
    return FileImport(file, FORMAT, Header("own"), Journal(off), keep_going=True)


def shown(entry: Entry) -> str:
    return print_grid(entry.grid)


def test_a_question_is_a_transposition_schema() -> None:
    reading = reading_of(ORIGINAL, SWITCHED)
    (entry,) = reading
    assert entry.id == "7"
    assert shown(entry) == "{Lena, Nora} hid it from {Nora, Lena} , but <Nora, Lena> found it ."
    assert dict(entry.extras) == {PROBLEMS: "7-switched, 7", "x-source": "web"}
    assert [issue.name for issue in issues_of(reading)] == ["options-exchanged"]


def test_a_candidate_that_stands_there_twice_leaves_a_loose_pair() -> None:
    first = row("7", "Nora met Lena , but {} left Lena .", "Nora", "Lena", "0")
    second = row("7", "Lena met Nora , but {} left Nora .", "Nora", "Lena", "1")
    (entry,) = reading_of(first, second)
    assert shown(entry) == (
        "Nora met Lena , but <Nora*, Lena> left Lena .\n"
        "& Lena met Nora , but <Nora, Lena*> left Nora ."
    )


def test_a_row_alone_is_a_single_problem_and_labels_may_be_missing() -> None:
    (entry,) = reading_of(ORIGINAL[:-1].replace("web", ""))
    assert shown(entry) == "Nora hid it from Lena , but <? Nora, Lena> found it ."
    assert entry.grid.kind is Kind.SINGLE
    assert dict(entry.extras) == {PROBLEMS: "7"}


def test_a_sentence_that_was_switched_wrongly_is_reported() -> None:
    reading = reading_of(ORIGINAL, SWITCHED.replace("hid it", "hid ####it"))
    assert len(list(reading)) == 1
    assert [
        (issue.kind, issue.line, issue.problem)
        for issue in issues_of(reading)
        if issue.name == BROKEN_SWITCH
    ] == [(IssueKind.ODDITY, 3, "7-switched")]


def test_whatever_is_wrong_with_a_row_is_a_fault_at_its_line() -> None:
    reading = reading_of(
        ORIGINAL,
        SWITCHED,
        ORIGINAL,
        row("8", "It rained .", "", "", "0"),
        SWITCHED.replace("7\t", "8\t", 1)[:-1] + "2",
        "9\tweb",
        off=(SAME_CANDIDATE,),
    )
    assert [entry.id for entry in reading] == ["7"]
    faults = [issue for issue in issues_of(reading) if issue.kind is IssueKind.FAULT]
    assert [(fault.line, fault.odd) for fault in faults] == [
        (4, "row 3 of question 7; two are expected"),
        (5, "the two sentences do not differ in a phrase that both have"),
        (6, "the label '2' is not one of 0 to 1"),
        (7, "2 fields, but 5 are expected"),
    ]


def test_a_row_after_a_faulty_one_is_still_the_switched_one() -> None:
    (entry,) = reading_of(row("7", "It rained .", "", "", "0"), SWITCHED)
    assert dict(entry.extras)[PROBLEMS] == "7-switched"


def test_a_look_tells_the_format() -> None:
    assert FORMAT.looks_like(SourceFile("own.tsv", f"{HEADER}\n{ORIGINAL}".encode()))
    assert FORMAT.looks_like(SourceFile("own.tsv", f"{HEADER}\r\n{ORIGINAL}".encode()))
    assert not FORMAT.looks_like(SourceFile("own.tsv", b"question_id\tlabel\n"))


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published KnowRef table is not at hand")
def test_the_published_table_is_read_but_for_one_question() -> None:
    file = SourceFile("test_switched.tsv", PUBLISHED.read_bytes())
    assert FORMAT.looks_like(file)
    reading = FileImport(file, FORMAT, Header("own"), Journal(), keep_going=True)
    entries = list(reading)
    kinds = Counter(entry.grid.kind for entry in entries)
    assert kinds == {Kind.TRANSPOSITION: 1249, Kind.SUBSTITUTION: 2, Kind.LOOSE: 17}
    assert all(dict(entry.extras)[PROBLEMS].count(",") == 1 for entry in entries)
    issues = issues_of(reading)
    names = Counter(issue.name for issue in issues)
    assert names[BROKEN_SWITCH] == 2
    assert names["scattered-difference"] + names["blank-in-difference"] == 17
    # Question 237 has the same candidate twice.
    assert [issue.line for issue in issues if issue.name == SAME_CANDIDATE] == [476, 477]
    assert not [issue for issue in issues if issue.kind is IssueKind.FAULT]
