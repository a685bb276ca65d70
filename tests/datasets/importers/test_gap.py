from collections import Counter
from pathlib import Path

import pytest

from horsesense.datasets.importers.formats.gap import FORMAT
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import ImportFaults
from horsesense.schema import Entry, Header, Issue, Kind, problems
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "gap"
NAMES = [f"{name}{column}" for name in "AB" for column in ("", "-offset", "-coref")]
HEADER = "|".join(["ID", "Text", "Pronoun", "Pronoun-offset", *NAMES, "URL"])
TEXT = "Nora Hill and Lena went up. She fell, and Lena cried."


def row(
    name: str,
    text: str,
    pronoun: str,
    first: str,
    second: str,
    labels: str = "TRUE FALSE",
    shift: int = 0,
) -> str:
    """A row whose offsets are where the words first occur, or so many characters behind it."""
    a, b = labels.split()
    at = [str(text.index(word) + shift) for word in (pronoun, first, second)]
    fields = [name, text, pronoun, at[0], first, at[1], a, second, at[2], b, f"page of {name}"]
    return "|".join(fields)


def read(
    *rows: str, header: str = HEADER, off: str = "", keep_going: bool = False
) -> tuple[list[Entry], list[Issue]]:
    """The entries and issues of a file of these rows, `|` for tabs."""
    data = "\n".join([header, *rows, ""]).replace("|", "\t").encode()
    return read_bytes(data, off=off, keep_going=keep_going)


def read_bytes(
    data: bytes, *, off: str = "", keep_going: bool = False
) -> tuple[list[Entry], list[Issue]]:
    journal = Journal([off] if off else [])
    reading = FileImport(
        SourceFile("own.tsv", data), FORMAT, Header("x"), journal, keep_going=keep_going
    )
    return list(reading), issues_of(reading)


def told(issues: list[Issue]) -> list[tuple[str, int, str, str]]:
    return [(issue.name, issue.line, issue.problem, issue.odd) for issue in issues]


def test_a_passage_is_a_problem_with_its_names_marked_where_the_file_has_them() -> None:
    entries, issues = read(row("t-1", TEXT, "She", "Nora Hill", "Lena", "FALSE TRUE"))
    grid = "[Nora Hill] and [Lena] went up. <She = Nora Hill, Lena*> fell, and Lena cried."
    assert [(entry.id, print_grid(entry.grid)) for entry in entries] == [("t-1", grid)]
    assert entries[0].tags == ("feminine",)
    assert dict(entries[0].extras) == {"x-page": "page of t-1", "x-problems": "t-1"}
    assert issues == []


def test_a_possessive_pronoun_makes_possessive_names_unless_that_is_switched_off() -> None:
    text = "The Giant met James, and his hat fell off."
    rows = row("t-1", text, "his", "The Giant", "James")
    entries, issues = read(rows)
    sentences = [one.text for one in problems(entries[0].grid)[0].sentences]
    assert sentences == [
        "The Giant met James, and The Giant's hat fell off.",
        "The Giant met James, and James's hat fell off.",
    ]
    assert entries[0].tags == ("masculine",)
    assert told(issues) == [("answer-possessive", 2, "t-1", "'The Giant', 'James'")]
    entries, _ = read(rows, off="answer-possessive")
    sentences = [one.text for one in problems(entries[0].grid)[0].sentences]
    assert sentences[0] == "The Giant met James, and The Giant hat fell off."


def test_passages_where_neither_name_is_right_are_left_out_and_counted() -> None:
    entries, issues = read(
        row("t-1", TEXT, "She", "Nora Hill", "Lena", "FALSE FALSE"),
        row("t-2", TEXT, "She", "Nora Hill", "Lena", "TRUE FALSE"),
        row("t-3", TEXT, "She", "Nora Hill", "Lena", "false False"),
    )
    assert [entry.id for entry in entries] == ["t-2"]
    assert told(issues) == [
        ("neither-is-right", 0, "", "2 passages in which neither name is right"),
        ("neither-is-right", 2, "t-1", "neither A nor B"),
        ("neither-is-right", 4, "t-3", "neither A nor B"),
    ]


def test_a_file_without_labels_is_read() -> None:
    fields = row("t-1", TEXT, "She", "Nora Hill", "Lena").split("|")
    header = HEADER.replace("|A-coref", "").replace("|B-coref", "")
    entries, _ = read("|".join(fields[:6] + fields[7:9] + fields[10:]), header=header)
    assert problems(entries[0].grid)[0].right is None


def test_a_word_that_is_not_at_its_offset_is_searched_if_it_occurs_once() -> None:
    once = "Nora Hill and Lena went up. She fell."
    rows = row("t-1", once, "She", "Nora Hill", "Lena", shift=1)
    entries, issues = read(rows)
    grid = "[Nora Hill] and [Lena] went up. <She = Nora Hill*, Lena> fell."
    assert print_grid(entries[0].grid) == grid
    assert [(issue.odd, issue.done) for issue in issues] == [
        ("Pronoun 'She' is not at 29", "found at 28, and nowhere else"),
        ("A 'Nora Hill' is not at 1", "found at 0, and nowhere else"),
        ("B 'Lena' is not at 15", "found at 14, and nowhere else"),
    ]
    with pytest.raises(ImportFaults, match="Pronoun 'She' is not at 29"):
        read(rows, off="offset-searched")


def test_a_name_inside_the_other_is_not_marked() -> None:
    text = "The aunt of Nora slept before Nora knew that she was ill."
    entries, issues = read(row("t-1", text, "she", "Nora", "aunt of Nora"))
    marked = (
        "The [2: aunt of Nora] slept before Nora knew that <she = Nora*, aunt of Nora> was ill."
    )
    assert print_grid(entries[0].grid) == marked
    assert [issue.name for issue in issues] == ["candidates-overlap"]


def test_bad_rows_are_faults_with_their_lines_and_the_rest_is_read() -> None:
    good = row("t-1", TEXT, "She", "Nora Hill", "Lena")
    fields = good.split("|")
    rows = (
        good,
        row("t-2", TEXT, "She", "Nora Hill", "Lena", "TRUE TRUE"),
        row("t-3", TEXT, "She", "Nora Hill", "Lena", "TRUE maybe"),
        row("t-4", TEXT, "She", "Nora Hill", "Lena", shift=1),
        good.replace("|28|", "|far|"),
        "|".join([*fields[:2], "", *fields[3:]]),
        "|".join(fields[:-1]),
        good,
        row("t-9", "Lena met Lena as she ran.", "she", "Lena", "Lena"),
    )
    entries, issues = read(*rows, keep_going=True)
    assert [entry.id for entry in entries] == ["t-1"]
    faults = [(one.name, one.line, one.odd) for one in issues if one.kind == "fault"]
    assert faults == [
        ("bad-row", 3, "both A and B are right"),
        ("bad-row", 4, "B-coref is 'maybe', neither TRUE nor FALSE"),
        ("bad-row", 5, "B 'Lena' is not at 15, and occurs 2 times"),
        ("bad-row", 6, "Pronoun-offset is 'far', not a number"),
        ("bad-row", 7, "Pronoun is empty"),
        ("bad-row", 8, "10 fields, but 11 are expected"),
        ("duplicate-id", 9, "the id 't-1' is already used in line 2"),
        ("not-usable", 10, "'Lena' occurs twice; the options must differ"),
    ]


def test_one_label_without_the_other_is_a_fault() -> None:
    fields = row("t-1", TEXT, "She", "Nora Hill", "Lena").split("|")
    header = HEADER.replace("|B-coref", "")
    with pytest.raises(ImportFaults, match="A or B has no label"):
        read("|".join(fields[:9] + fields[10:]), header=header)


def test_bytes_that_are_no_utf_8_are_a_fault() -> None:
    good = row("t-1", TEXT, "She", "Nora Hill", "Lena")
    data = "\n".join([HEADER, good]).replace("|", "\t").encode() + b"\nt-2\t\xff"
    entries, issues = read_bytes(data, keep_going=True)
    assert [entry.id for entry in entries] == ["t-1"]
    assert told(issues) == [("not-utf-8", 3, "", "byte 0xff at column 5 is not UTF-8")]


# rows, neither is right, A is right
REAL = {
    "gap-development.tsv": (2000, 201, 874),
    "gap-validation.tsv": (454, 62, 187),
    "gap-test.tsv": (2000, 227, 918),
}


@pytest.mark.skipif(not DATA.exists(), reason="the published files are not here")
@pytest.mark.parametrize("name", REAL)
def test_the_published_files_are_read_without_a_fault(name: str) -> None:
    rows, neither, first = REAL[name]
    data = (DATA / name).read_bytes()
    assert FORMAT.looks_like(SourceFile(name, data))
    entries, issues = read_bytes(data)
    assert len(entries) == rows - neither
    assert {entry.grid.kind for entry in entries} == {Kind.SINGLE}
    assert sum(problems(entry.grid)[0].right == 0 for entry in entries) == first
    counts = Counter(issue.name for issue in issues)
    # Each of them, and one line for all.
    assert counts["neither-is-right"] == neither + 1
    assert not counts["offset-searched"]
    assert not counts["candidates-overlap"]
    assert not counts["candidate-missing"]


@pytest.mark.skipif(not DATA.exists(), reason="the published files are not here")
def test_every_published_name_is_marked_in_its_place() -> None:
    entries, _ = read_bytes((DATA / "gap-validation.tsv").read_bytes())
    for entry in entries:
        sentence = problems(entry.grid)[0].sentences[0]
        assert {span.index for span in sentence.spans_of("candidate")} == {1, 2}
