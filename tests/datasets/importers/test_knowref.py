import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from horsesense.datasets.importers.formats.knowref import (
    FORMAT,
    INDEX_DISAGREES,
    SAME_CANDIDATE,
    TWO_PRONOUNS,
)
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.schema import Header, IssueKind, Kind, LooseGrid
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of

PUBLISHED = Path(__file__).parents[3].parent / "shared" / "data" / "knowref" / "knowref_test.json"

LADLE: dict[str, Any] = {
    "sentence_with_pronoun": "Nora hid the ladle from Lena , but [she] found it .",
    "original_sentence": ["Nora hid the ladle from Lena , but she found it ."],
    "candidate0": ["Nora"],
    "candidate1": ["Lena"],
    "correct_candidate": ["Lena"],
    "correct_candidate_idx": 1,
    "is_pronoun_male": False,
    "is_pronoun_person": True,
    "is_agree_on_gender": True,
    "oiginal_id": 12,
}


def reading_of(*rows: object, off: tuple[str, ...] = ()) -> FileImport:
    lines = ",\n".join(map(json.dumps, rows))
    file = SourceFile("own.json", f"[\n{lines}\n]".encode())
    return FileImport(file, FORMAT, Header("own"), Journal(off), keep_going=True)


def test_a_problem_keeps_its_tokens_and_tells_what_the_file_tells() -> None:
    reading = reading_of(LADLE)
    (entry,) = reading
    assert entry.id == "0"
    assert print_grid(entry.grid) == (
        "[Nora] hid the ladle from [Lena] , but <she = Nora, Lena*> found it ."
    )
    assert entry.tags == ("pronoun-person", "agree-on-gender")
    assert dict(entry.extras) == {"x-original-id": "12", "x-problems": "0"}
    assert issues_of(reading) == []


def test_ids_that_are_given_twice_do_no_harm() -> None:
    assert [entry.id for entry in reading_of(LADLE, LADLE)] == ["0", "1"]


def test_a_list_of_one_text_may_be_the_text_itself() -> None:
    bare = {field: value[0] for field, value in LADLE.items() if isinstance(value, list)}
    assert list(reading_of(LADLE | bare)) == list(reading_of(LADLE))
    same = reading_of(LADLE, LADLE | {"candidate0": "Lena"})
    assert len(list(same)) == 1
    assert [issue.name for issue in issues_of(same)] == [SAME_CANDIDATE]


def test_names_that_were_changed_are_tagged() -> None:
    (entry,) = reading_of(
        LADLE | {"original_sentence": ["Ann hid it from Eve , but she found it ."]}
    )
    assert "renamed" in entry.tags


def test_the_name_of_the_right_candidate_counts_and_not_its_index() -> None:
    reading = reading_of(LADLE | {"correct_candidate_idx": 0})
    (entry,) = reading
    assert "<she = Nora, Lena*>" in print_grid(entry.grid)
    (issue,) = issues_of(reading)
    assert (issue.kind, issue.name, issue.line, issue.problem) == (
        IssueKind.ODDITY,
        INDEX_DISAGREES,
        2,
        "0",
    )
    assert issue.odd == "'correct_candidate_idx' is 0, but candidate1 is the right one"


def test_what_is_not_needed_may_be_missing() -> None:
    needed = ("sentence_with_pronoun", "candidate0", "candidate1", "correct_candidate")
    reading = reading_of({name: LADLE[name] for name in needed})
    (entry,) = reading
    assert (entry.tags, dict(entry.extras)) == ((), {"x-problems": "0"})
    assert issues_of(reading) == []


def test_answers_fit_the_pronoun() -> None:
    row = LADLE | {
        "sentence_with_pronoun": "The cook met Lena after [her] ladle was lost .",
        "candidate0": ["The cook"],
    }
    (entry,) = reading_of(row)
    shown = print_grid(entry.grid)
    assert shown == "[The cook] met [Lena] after <her's = the cook, Lena*> ladle was lost ."
    (entry,) = reading_of(row, off=("answer-possessive", "answer-lowercase"))
    assert entry.grid.sentence(entry.grid.cells[0]).text == (
        "The cook met Lena after The cook ladle was lost ."
    )


def test_where_two_pronouns_are_marked_the_answer_fills_both() -> None:
    row = LADLE | {"sentence_with_pronoun": "Nora asked Lena if [she] knew [her] ."}
    reading = reading_of(row)
    (entry,) = reading
    assert [entry.grid.sentence(cell).text for cell in entry.grid.cells] == [
        "Nora asked Lena if Nora knew Nora .",
        "Nora asked Lena if Lena knew Lena .",
    ]
    (issue,) = issues_of(reading)
    assert (issue.name, issue.line, issue.odd) == (
        TWO_PRONOUNS,
        2,
        "'she' and 'her' stand in brackets",
    )


def test_a_row_with_the_same_candidate_twice_is_a_fault_if_it_is_not_left_out() -> None:
    reading = reading_of(LADLE, LADLE | {"candidate0": ["Lena"]}, off=(SAME_CANDIDATE,))
    assert [entry.id for entry in reading] == ["0"]
    (fault,) = [issue for issue in issues_of(reading) if issue.kind is IssueKind.FAULT]
    assert fault.odd == "both candidates are 'Lena'; nothing is left to choose"


def test_whatever_is_wrong_with_a_row_is_a_fault_at_its_line() -> None:
    reading = reading_of(
        LADLE,
        LADLE | {"sentence_with_pronoun": "It rained ."},
        LADLE | {"sentence_with_pronoun": "[It] and [it] and [it] ."},
        LADLE | {"sentence_with_pronoun": None},
        LADLE | {"candidate0": None},
        LADLE | {"candidate1": ["Lena", "Nora"]},
        LADLE | {"correct_candidate": [3]},
        LADLE | {"correct_candidate": ["lena"]},
        LADLE | {"candidate0": ["Lena"]},
        [],
    )
    assert [entry.id for entry in reading] == ["0"]
    issues = issues_of(reading)
    assert {issue.kind for issue in issues} == {IssueKind.FAULT, IssueKind.REPAIR}
    assert [(issue.line, issue.odd) for issue in issues] == [
        (3, "0 pronouns in brackets where one is expected"),
        (4, "3 pronouns in brackets where one is expected"),
        (5, "no field 'sentence_with_pronoun'"),
        (6, "'candidate0' is neither a string nor a list of one string"),
        (7, "'candidate1' is neither a string nor a list of one string"),
        (8, "'correct_candidate' is neither a string nor a list of one string"),
        (9, "the right candidate 'lena' is not one of the two"),
        (10, "both candidates are ['Lena']"),
        (11, "not a JSON object"),
    ]


def test_a_look_tells_the_format() -> None:
    assert FORMAT.looks_like(SourceFile("own.json", json.dumps([LADLE]).encode()))
    assert not FORMAT.looks_like(SourceFile("own.json", json.dumps(LADLE).encode()))
    assert not FORMAT.looks_like(SourceFile("own.json", b'[{"candidate0": ["Nora"]}]'))


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published KnowRef is not at hand")
def test_the_published_test_file_is_read_but_for_one_row() -> None:
    file = SourceFile("knowref_test.json", PUBLISHED.read_bytes())
    assert FORMAT.looks_like(file)
    reading = FileImport(file, FORMAT, Header("own"), Journal(), keep_going=True)
    grids = [entry.grid for entry in reading]
    assert Counter(grid.kind for grid in grids) == {Kind.SINGLE: 1268}
    rights = Counter(grid.rows[0].right for grid in grids if isinstance(grid, LooseGrid))
    assert rights == {0: 630, 1: 638}
    issues = issues_of(reading)
    names = Counter(issue.name for issue in issues)
    assert (names[INDEX_DISAGREES], names[TWO_PRONOUNS]) == (299, 1)
    assert [issue.problem for issue in issues if issue.name == SAME_CANDIDATE] == ["237"]
    assert not [issue for issue in issues if issue.kind is IssueKind.FAULT]
