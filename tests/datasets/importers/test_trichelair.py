import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from horsesense.datasets.importers.formats.trichelair import (
    FORMAT,
    INDEX_ORDER,
    NOT_SWITCHED,
    labels_by_index,
)
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.schema import Entry, Header, IssueKind, Kind
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "wsc_switched_associative_labels"
ASSOCIATIVE, SWITCHED = "WSC_associative_label.json", "WSC_switched_label.json"


def problem(index: int, key: str, right: str, **labels: object) -> dict[str, Any]:
    return {
        "index": index,
        "sentence": f"The owl ate the vole as [it] was {key}.",
        "answer0": "The owl",
        "answer1": "The vole",
        "correct_answer": right,
        **labels,
    }


HUNGRY = problem(4, "hungry", "The owl", is_associative=0)
TASTY = problem(5, "tasty", "The vole", is_associative=1)


def file_of(*rows: object) -> SourceFile:
    """A file with one object on each line."""
    lines = ",\n".join(map(json.dumps, rows))
    return SourceFile("own.json", f"[{lines}]".encode())


def reading_of(*rows: object, companions: tuple[SourceFile, ...] = ()) -> FileImport:
    return FileImport(file_of(*rows), FORMAT, Header("own"), Journal(), companions, keep_going=True)


def test_a_schema_is_associative_if_one_of_its_problems_is() -> None:
    reading = reading_of(HUNGRY, TASTY)
    (entry,) = reading
    assert entry.id == "4"
    assert print_grid(entry.grid) == (
        "[The owl] ate [the vole] as <it = the owl, the vole> was {hungry, tasty}."
    )
    assert entry.flags == (("associative", True),)
    assert dict(entry.extras) == {"x-associative": "5", "x-problems": "4, 5"}
    assert [(issue.kind, issue.name, issue.problem) for issue in issues_of(reading)] == [
        (IssueKind.REPAIR, "answer-lowercase", "4"),
        (IssueKind.REPAIR, "answer-lowercase", "5"),
    ]


def test_problems_are_sorted_by_their_index() -> None:
    lid = problem(2, "", "", is_associative=0) | {
        "sentence": "Nora put the lid on the jar until [it] burst.",
        "answer0": "the lid",
        "answer1": "the jar",
        "correct_answer": "the jar",
    }
    reading = reading_of(TASTY, lid, HUNGRY)
    assert [entry.id for entry in reading] == ["2", "4"]
    first = issues_of(reading)[0]
    assert (first.kind, first.name, first.line, first.problem) == (
        IssueKind.STEP,
        INDEX_ORDER,
        0,
        "",
    )


def switched(row: dict[str, Any], value: int, sentence: str) -> dict[str, Any]:
    """The row as the other file has it."""
    kept = {name: row[name] for name in row if name != "is_associative"}
    return kept | {"is_switchable": value, "sentence_switched": sentence}


def test_switched_sentences_are_kept_as_published() -> None:
    rows = (
        switched(HUNGRY, 1, "The vole ate  the owl as [it] was hungry. "),
        switched(TASTY, 1, "The vole ate the owl as [it] was tasty."),
    )
    reading = reading_of(*rows)
    (entry,) = reading
    assert entry.flags == (("switchable", True),)
    assert dict(entry.extras) == {
        "x-problems": "4, 5",
        "x-switchable": "4, 5",
        "x-switched": "4: The vole ate the owl as [it] was hungry. ¶ "
        "5: The vole ate the owl as [it] was tasty.",
    }
    steps = [issue.name for issue in issues_of(reading) if issue.kind is IssueKind.STEP]
    assert steps == ["exterior-whitespace", "double-spaces"]


def test_a_sentence_that_was_not_switched_is_reported() -> None:
    reading = reading_of(switched(HUNGRY, 0, HUNGRY["sentence"].lower()))
    (entry,) = reading
    assert entry.flags == (("switchable", False),)
    assert "x-switchable" not in dict(entry.extras)
    assert [issue.problem for issue in issues_of(reading) if issue.name == NOT_SWITCHED] == ["4"]


def test_the_other_file_adds_its_labels() -> None:
    other = file_of(HUNGRY, TASTY)
    rows = (switched(HUNGRY, 1, "It."), switched(TASTY, 0, "It."))
    (entry,) = reading_of(*rows, companions=(other,))
    assert entry.flags == (("associative", True), ("switchable", True))
    assert dict(entry.extras)["x-switchable"] == "4"


def test_labels_are_given_by_index() -> None:
    journal = Journal()
    assert labels_by_index(file_of(TASTY, HUNGRY), journal) == {
        4: {"associative": False},
        5: {"associative": True},
    }
    assert labels_by_index(file_of(switched(TASTY, 1, "")), journal) == {5: {"switchable": True}}
    assert journal.faults == []


def test_faults_of_a_companion_name_its_file_and_line() -> None:
    journal = Journal()
    rows = (HUNGRY, HUNGRY, {"index": 7}, {"index": 8, "is_associative": 2}, 3)
    assert labels_by_index(file_of(*rows), journal) == {4: {"associative": False}}
    assert [(fault.line, fault.odd) for fault in journal.faults] == [
        (0, "own.json:2: the index 4 occurs twice"),
        (0, "own.json:3: no field 'is_associative' or 'is_switchable'"),
        (0, "own.json:4: 'is_associative' is 2, where 0 or 1 is expected"),
        (0, "own.json:5: not a JSON object"),
    ]
    labels_by_index(SourceFile("own.xml", b"<collection/>"), journal)
    assert journal.faults[-1].odd.startswith("own.xml:1: not JSON")


def test_whatever_is_wrong_with_a_row_is_a_fault_at_its_line() -> None:
    reading = reading_of(
        HUNGRY,
        TASTY | {"index": "5"},
        TASTY | {"index": True},
        TASTY | {"index": -1},
        TASTY | {"sentence": "It rained."},
        TASTY | {"sentence": "[It] rained as [it] does."},
        TASTY | {"correct_answer": "the vole"},
        TASTY | {"answer0": None},
        TASTY | {"sentence_switched": 3},
        TASTY | {"is_associative": "1"},
        TASTY | {"index": 4},
    )
    assert [entry.id for entry in reading] == ["4"]
    faults = [issue for issue in issues_of(reading) if issue.kind is IssueKind.FAULT]
    assert [(fault.line, fault.odd) for fault in faults] == [
        (2, "the index '5' is not a number from 0"),
        (3, "the index True is not a number from 0"),
        (4, "the index -1 is not a number from 0"),
        (5, "problem 5: 0 pronouns in brackets; one is expected"),
        (6, "problem 5: 2 pronouns in brackets; one is expected"),
        (7, "problem 5: the right answer 'the vole' is not one of the two"),
        (8, "no field 'answer0'"),
        (9, "problem 5: 'sentence_switched' is not a string"),
        (10, "'is_associative' is '1', where 0 or 1 is expected"),
        (11, "the id '4' is already used in line 1"),
    ]


def test_a_look_tells_the_format() -> None:
    assert FORMAT.looks_like(file_of(HUNGRY))
    assert FORMAT.looks_like(file_of(switched(HUNGRY, 1, "It.")))
    assert not FORMAT.looks_like(SourceFile("own.json", json.dumps(HUNGRY).encode()))
    assert not FORMAT.looks_like(file_of({"index": 0, "is_associative": 0}))


def published(name: str, *others: str) -> tuple[list[Entry], Counter[str]]:
    """The entries of a published file, and how often each issue came up."""
    if not DATA.exists():
        pytest.skip("the published labels are not at hand")
    file, *companions = (SourceFile(one, (DATA / one).read_bytes()) for one in (name, *others))
    assert FORMAT.looks_like(file)
    reading = FileImport(file, FORMAT, Header("own"), Journal(), companions)
    entries = list(reading)
    return entries, Counter(issue.name for issue in issues_of(reading))


def listed(entries: list[Entry], name: str) -> int:
    """How many problems a field lists."""
    return sum(
        len(dict(entry.extras).get(name, "").split(", ")) for entry in flagged(entries, name)
    )


def flagged(entries: list[Entry], name: str) -> list[Entry]:
    return [entry for entry in entries if entry.flag(name.removeprefix("x-"))]


def test_the_published_associative_file_has_26_associative_schemas() -> None:
    entries, names = published(ASSOCIATIVE)
    kinds = Counter(entry.grid.kind for entry in entries)
    assert kinds == {Kind.SUBSTITUTION: 133, Kind.LOOSE: 3}
    assert (len(flagged(entries, "x-associative")), listed(entries, "x-associative")) == (26, 37)
    # The twenty-six of Table 3.1 of the thesis.
    assert (names[INDEX_ORDER], names["answer-possessive"]) == (1, 26)


def test_the_published_switched_file_has_65_switchable_schemas() -> None:
    entries, names = published(SWITCHED, ASSOCIATIVE)
    assert len(entries) == 136
    assert (len(flagged(entries, "x-switchable")), listed(entries, "x-switchable")) == (65, 131)
    assert (len(flagged(entries, "x-associative")), listed(entries, "x-associative")) == (26, 37)
    # In problem 91 the switched sentence stands in the place of the sentence.
    assert (names[NOT_SWITCHED], names["blank-in-difference"], names[INDEX_ORDER]) == (2, 1, 0)
    assert all("x-switched" in dict(entry.extras) for entry in entries)
