import json
from collections import Counter
from pathlib import Path

import pytest

from horsesense.datasets.importers.formats import trinh_le
from horsesense.datasets.importers.formats.trinh_le import FORMAT, LABELS_EXCHANGED, STRAY_SPACES
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import FileError
from horsesense.schema import Entry, Header, Issue, IssueKind, Kind
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "trinh_le"


def question(
    number: int, sentence: str, first: str, second: str, right: int
) -> list[dict[str, object]]:
    """Two objects of the file, with the phrases put into the sentence."""
    return [
        {
            "question_id": number,
            "substitution": sentence.format(phrase),
            "correctness": position == right,
        }
        for position, phrase in enumerate((first, second))
    ]


HUNGRY = question(0, "The owl ate the vole as {} was hungry.", "the owl", "the vole", 0)
TASTY = question(1, "The owl ate the vole as {} was tasty.", "the owl", "the vole", 1)


def file_of(*objects: object) -> SourceFile:
    """A file with one object on each line after the first."""
    lines = ",\n".join(map(json.dumps, objects))
    return SourceFile("own.json", f"[\n{lines}\n]".encode())


def read(*objects: object, off: tuple[str, ...] = ()) -> tuple[dict[str, str], list[Issue]]:
    """The grids by their ids, and the issues."""
    reading = FileImport(file_of(*objects), FORMAT, Header("own"), Journal(off), keep_going=True)
    return {entry.id: print_grid(entry.grid) for entry in reading}, issues_of(reading)


def test_the_place_is_found_and_neighbours_make_a_schema() -> None:
    grids, issues = read(*HUNGRY, *TASTY)
    assert grids == {
        "0": "[The owl] ate [the vole] as <_ = the owl, the vole> was {hungry, tasty}."
    }
    assert issues == []


def test_capitals_stay_as_published() -> None:
    grids, _ = read(*question(7, "Nora met an owl, so {} left.", "nora", "The owl", 1))
    assert grids == {"7": "[Nora] met [an owl], so <_ = nora, The owl*> left."}


def test_spaces_that_only_one_sentence_has_are_no_difference() -> None:
    first, second = question(3, "Nora met Lena, but {} left.", "Nora", "Lena", 0)
    assert isinstance(second, dict)
    second["substitution"] = "Nora met Lena , but Lena left."
    grids, issues = read(first, second)
    assert grids == {"3": "[Nora] met [Lena], but <_ = Nora*, Lena> left."}
    assert [(issue.name, issue.line, issue.problem) for issue in issues] == [(STRAY_SPACES, 2, "3")]
    grids, _ = read(first, second, off=(STRAY_SPACES,))
    assert grids["3"] == 'Nora met Lena<_ = ", but Nora"*, ", but Lena"> left.'


def test_phrases_with_punctuation_marks_of_their_own_are_left_alone() -> None:
    grids, issues = read(*question(3, "Dr. A met Dr. B; {} left.", "Dr. A", "Dr. B", 0))
    assert grids == {"3": "[Dr. A] met [Dr. B]; <_ = Dr. A*, Dr. B> left."}
    assert issues == []


def test_labels_known_to_be_wrong_are_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    digest = file_of(*HUNGRY).digest[:12]
    monkeypatch.setattr(trinh_le, "_EXCHANGED", {digest: frozenset({0})})
    grids, issues = read(*HUNGRY)
    assert grids["0"].endswith("<_ = the owl, the vole*> was hungry.")
    assert [(issue.kind, issue.name, issue.line) for issue in issues] == [
        (IssueKind.REPAIR, LABELS_EXCHANGED, 2)
    ]
    grids, _ = read(*HUNGRY, off=(LABELS_EXCHANGED,))
    assert grids["0"].endswith("<_ = the owl*, the vole> was hungry.")


def test_whatever_is_wrong_with_a_question_is_a_fault_at_its_line() -> None:
    both_right = [{**one, "correctness": True} for one in TASTY if isinstance(one, dict)]
    alike = question(5, "It rained.", "", "", 0)
    nothing = question(6, "It rained{}.", " hard", "", 0)
    grids, issues = read(
        *HUNGRY,  # lines 2 and 3
        TASTY[0],
        *[{**one, "question_id": 2} for one in both_right],  # lines 5 and 6
        *[{**one, "question_id": 3} for one in [*both_right, both_right[0]]],
        *alike,  # lines 10 and 11
        *nothing,
        {"question_id": 7, "correctness": True},
        {"question_id": "8", "substitution": "It rained.", "correctness": True},
        {"question_id": -8, "substitution": "It rained.", "correctness": True},
        {"question_id": 9, "substitution": "It rained.", "correctness": "true"},
        "text",
    )
    assert list(grids) == ["0"]
    none = "the two sentences do not differ in a phrase that both have"
    assert [(issue.line, issue.odd) for issue in issues] == [
        (4, "1 sentences for question 1; two are expected"),
        (5, "2 of the two sentences are right; one is expected"),
        (7, "3 sentences for question 3; two are expected"),
        (10, none),
        (12, none),
        (14, "no field 'substitution'"),
        (15, "the question id '8' is not a number from 0"),
        (16, "the question id -8 is not a number from 0"),
        (17, "'correctness' is 'true', where true or false is expected"),
        (18, "not a JSON object"),
    ]
    assert {issue.kind for issue in issues} == {IssueKind.FAULT}


def test_bytes_that_are_no_utf_8_are_an_error_with_its_line() -> None:
    file = SourceFile("own.json", b'[\n{"question_id": "\xe9"}]')
    with pytest.raises(FileError, match="own.json:2: byte 0xe9 is not UTF-8"):
        list(FileImport(file, FORMAT, Header("own"), Journal()))


def test_a_look_tells_the_format() -> None:
    assert FORMAT.looks_like(file_of(*HUNGRY))
    assert not FORMAT.looks_like(file_of({"question_id": 0, "substitution": "It rained."}))
    assert not FORMAT.looks_like(SourceFile("own.json", json.dumps(HUNGRY[0]).encode()))


def published(name: str) -> tuple[list[Entry], Counter[str]]:
    """The entries of a published file, and how often each issue came up."""
    if not DATA.exists():
        pytest.skip("the published sentences of Trinh and Le are not at hand")
    file = SourceFile(name, (DATA / name).read_bytes())
    assert FORMAT.looks_like(file)
    reading = FileImport(file, FORMAT, Header("own"), Journal())
    entries = list(reading)
    return entries, Counter(issue.name for issue in issues_of(reading))


def test_the_published_wsc273_has_its_schemas() -> None:
    entries, names = published("wsc273.json")
    kinds = Counter(entry.grid.kind for entry in entries)
    assert kinds == {Kind.SUBSTITUTION: 133, Kind.LOOSE: 3}
    assert (names["several-twins"], names["answers-differ"]) == (1, 2)
    assert (names[STRAY_SPACES], names[LABELS_EXCHANGED]) == (0, 0)


def test_the_published_wsc285_has_six_labels_exchanged() -> None:
    entries, names = published("wsc285.json")
    kinds = Counter(entry.grid.kind for entry in entries)
    assert kinds == {Kind.SUBSTITUTION: 138, Kind.LOOSE: 4}
    assert (names[STRAY_SPACES], names[LABELS_EXCHANGED]) == (1, 6)
