"""The text files of the thesis: by rows of our own, and by the published files."""

from hashlib import sha256

import pytest

from horsesense.datasets.exporters import EXPORTS, Exported, FileExport, wrapped
from horsesense.datasets.importers import SourceFile, open_import
from horsesense.datasets.importers.formats.thesis_text import FORMAT, MODES
from horsesense.errors import FileError
from horsesense.schema import (
    BooleanWrapper,
    Dataset,
    Entry,
    Header,
    IssueKind,
    Kind,
    Mode,
    problems,
)
from horsesense.schema.notation import parse_wrapper
from tests.datasets.importers.imported import claimed, imported, published
from tests.datasets.importers.samples import thesis, thesis_row

HIGH = thesis_row(1, "A lorry *target* pass under a high bridge.", "can&cannot", 0)
LOW = thesis_row(2, "A lorry *target* pass under a low bridge.", "can&cannot", 1)
# Name, schemas, loose pairs, and whether the rows of a schema are four.
FILES = {
    "reid250/reid250.txt": (125, 0, False),
    "reid250/reid250-inverted.txt": (125, 0, False),
    "reid250/reid250x2-v1-by-answer.txt": (125, 0, True),
    "reid250/reid250x2-v1-by-key.txt": (125, 0, True),
    "reid250/reid250x2-v1-by-boolean.txt": (125, 0, True),
    "wsc266/wsc266.txt": (133, 0, False),
    "wsc266/wsc266_adjectival.txt": (87, 0, False),
    "wsc266/wsc266_associative.txt": (25, 0, False),
    "wsc266/wsc266_associative_nocands.txt": (25, 0, False),
    "wsc266/wsc266_inverted.txt": (133, 0, False),
    "wsc266/wsc266_nonassociative.txt": (108, 0, False),
    "wsc266/wsc266_nonassociative_nocands.txt": (108, 0, False),
    "wsc266/wsc266_switched.txt": (70, 0, False),
    "wsc266/wsc266_unbalanced.txt": (133, 0, False),
    "wsc266/wsc273.txt": (133, 3, False),
}
IT_IS_TRUE = parse_wrapper("It is |true, false| that …")


def entries_of(file: SourceFile, *off: str) -> tuple[Header, list[Entry]]:
    reading = open_import(file, Header("x"), switched_off=off)
    assert reading.format is FORMAT
    entries = list(reading)
    return reading.header, entries


def exported(
    header: Header,
    entries: list[Entry],
    mode: Mode = Mode.BY_ANSWER,
    wrapper: BooleanWrapper | None = None,
) -> bytes:
    report = Exported()
    dataset = Dataset(header, entries, mode=mode)
    if wrapper:
        dataset = wrapped(dataset, wrapper, report)
    export = EXPORTS["thesis-text"]
    assert isinstance(export, FileExport)
    return "".join(export.pieces(dataset, report)).encode()


def sentences_of(entry: Entry) -> list[str]:
    return [entry.grid.sentence(cell).text for cell in entry.grid.cells]


def test_rows_make_schemas_by_their_number_in_the_collection() -> None:
    other = "s/  2/ a/ 17/   3/  34: Owls *target* hunt.&can&cannot&0"
    read = imported(FORMAT, thesis(HIGH, LOW, other))
    assert read.grids == {
        "1": "a lorry <can, cannot> pass under a {high, low} bridge",
        "17": "Owls <can*, cannot> hunt.",
    }
    assert [dict(entry.extras)["x-problems"] for entry in read.entries] == ["1, 2", "34"]
    assert read.issues == []


def test_a_winograd_row_has_a_pronoun_that_nobody_knows() -> None:
    rows = [
        thesis_row(1, "The owl saw Nora, so *target* fled.", "the owl&Nora", 0, "w"),
        thesis_row(2, "The owl saw Nora, so *target* smiled.", "the owl&Nora", 1, "w"),
    ]
    read = imported(FORMAT, thesis(*rows))
    assert read.grids == {"1": "[The owl] saw [Nora], so <_ = the owl, Nora> {fled, smiled}."}


def test_an_inverted_file_holds_transpositions_with_two_blanks() -> None:
    rows = [
        thesis_row(1, "*target* do eat *target2*.", "Owls¶voles&Voles¶owls", 0, "t"),
        thesis_row(2, "*target* do not eat *target2*.", "Owls¶voles&Voles¶owls", 1, "t"),
    ]
    read = imported(FORMAT, thesis(*rows, mode="by key"))
    assert read.grids == {"1": "{owls, voles} <do, do not> eat {voles, owls}"}


def test_a_dyad_has_four_rows() -> None:
    text = "It is {} that a lorry *target* pass under a {} bridge."
    rows = [
        thesis_row(number, text.format(*words), "can&cannot", right)
        for number, words, right in (
            (1, ("true", "high"), 0),
            (2, ("false", "high"), 1),
            (3, ("true", "low"), 1),
            (4, ("false", "low"), 0),
        )
    ]
    data = thesis(*rows).replace("adversarial;", "adversarial dyad;")
    assert imported(FORMAT, data).grids == {
        "1": "it is |true, false| that a lorry <can, cannot> pass under a {high, low} bridge"
    }


def test_an_answer_that_is_wider_by_a_word_does_not_take_the_key_phrase_beside_it() -> None:
    texts = (
        "owls spear carp",
        "owls do not spear carp",
        "carp spear owls",
        "carp do not spear owls",
    )
    rows = [
        thesis_row(number, f"It is *target* that {text}.", "true&false", right, "t")
        for number, text, right in zip((1, 2, 3, 4), texts, (0, 1, 1, 0), strict=True)
    ]
    data = thesis(*rows, mode="by value").replace("adversarial;", "adversarial dyad;")
    assert imported(FORMAT, data).grids == {
        "1": "it is |true, false| that {owls, carp} <spear, do not spear> {carp, owls}"
    }


@pytest.mark.parametrize(
    "row, odd",
    [
        ("owls", "not a line of the format thesis-text"),
        (HIGH.replace("s/", "x/", 1), "not a line of the format thesis-text"),
        (HIGH.replace("&cannot", ""), "3 fields where statement, two options and label"),
        (HIGH + "&1", "5 fields where statement, two options and label"),
        (HIGH.replace("*target*", "may"), "0 blanks, and options for [1, 1]"),
        (HIGH.replace("can&", "can¶do&"), "1 blanks, and options for [2, 1]"),
        (HIGH.replace("A lorry", "*target* *target*"), "3 blanks, and options for [1, 1]"),
        (HIGH[:-1] + "2", "the label '2' is not one of 0 to 1"),
        (HIGH[:-1] + "-1", "the label '-1' is not one of 0 to 1"),
        (HIGH[:-1] + "0" * 5000, "is not one of 0 to 1"),
    ],
)
def test_a_row_that_cannot_be_used_is_a_fault_with_its_line(row: str, odd: str) -> None:
    good = thesis_row(3, "Owls *target* hunt.", "can&cannot", 0, schema=2)
    read = imported(FORMAT, thesis(good, "", row))
    assert list(read.grids) == ["2"]
    ((line, told),) = read.faults
    assert line == 5 and odd in told


def test_a_missing_label_is_a_fault_where_others_have_one() -> None:
    other = thesis_row(3, "Owls *target* hunt.", "can&cannot", 0, schema=2)
    read = imported(FORMAT, thesis(HIGH[:-1], other))
    assert read.faults == [(3, "no label, but other problems have one")]


def test_a_number_that_occurs_twice_is_a_fault() -> None:
    read = imported(FORMAT, thesis(HIGH, HIGH))
    assert read.faults == [(4, "the id '1' is already used in line 3")]


def test_bytes_that_are_no_text_spoil_their_row_alone() -> None:
    data = thesis(HIGH, LOW).encode().replace(b"low", b"l\xf6w")
    read = imported(FORMAT, data)
    assert list(read.grids) == ["1"]
    assert [line for line, _ in read.faults] == [4]


@pytest.mark.parametrize("data", ["", "schema type: x", f"schema type: x\nby luck\n{HIGH}"])
def test_a_file_without_a_mode_is_refused(data: str) -> None:
    with pytest.raises(FileError, match="^own:2: no mode of solution"):
        imported(FORMAT, data)
    assert not FORMAT.looks_like(SourceFile("own", data.encode()))


def test_the_first_line_is_what_the_dataset_says_of_itself() -> None:
    header, _ = entries_of(SourceFile("own", thesis(HIGH).encode()))
    assert header.note == "schema type: adversarial; dataset name: roads"


def test_only_the_published_files_look_like_it() -> None:
    assert claimed(FORMAT) <= set(FILES)


@pytest.mark.parametrize("path", FILES)
def test_a_published_file_is_read_without_loss_and_written_to_the_byte(path: str) -> None:
    file = published(path)
    schemas, loose, are_dyads = FILES[path]
    header, entries = entries_of(file)
    kinds = [entry.grid.kind for entry in entries]
    assert (len(kinds) - kinds.count(Kind.LOOSE), kinds.count(Kind.LOOSE)) == (schemas, loose)
    assert {entry.grid.is_dyad for entry in entries} == {are_dyads}
    if path.startswith("reid250"):
        assert kinds.count(Kind.TRANSPOSITION) == 50
    mode = MODES[file.head.split("\n")[1]]
    assert exported(header, entries, mode) == file.data


def test_inverting_reid250_gives_the_published_inversion() -> None:
    inverted = published("reid250/reid250-inverted.txt")
    header, entries = entries_of(published("reid250/reid250.txt"))
    assert exported(header, entries, Mode.BY_KEY) == inverted.data


def test_reid250_and_its_inversion_hold_the_same_schemas() -> None:
    _, entries = entries_of(published("reid250/reid250.txt"))
    _, inverted = entries_of(published("reid250/reid250-inverted.txt"))
    assert [sentences_of(entry) for entry in entries] == [sentences_of(entry) for entry in inverted]
    # Where answers have a word in common, an inverted file does not show where they begin.
    same = [one.grid == other.grid for one, other in zip(entries, inverted, strict=True)]
    assert same.count(True) >= 122


@pytest.mark.parametrize(
    "mode, start",
    [
        (Mode.BY_ANSWER, "8f357a24da39"),
        (Mode.BY_KEY, "d54c6c15aa95"),
        (Mode.BY_BOOLEAN, "f3e50f789828"),
    ],
)
def test_wrapping_reid250_gives_the_published_dyads(mode: Mode, start: str) -> None:
    header, entries = entries_of(published("reid250/reid250.txt"))
    data = exported(header, entries, mode, IT_IS_TRUE)
    assert sha256(data).hexdigest().startswith(start)
    header, dyads = entries_of(SourceFile("own", data))
    assert [entry.id for entry in dyads if not entry.grid.is_dyad] == []
    assert sum(len(problems(entry.grid, mode)) for entry in dyads) == 500
    assert exported(header, dyads, mode) == data


def test_inverting_wsc266_gives_the_published_inversion() -> None:
    header, entries = entries_of(published("wsc266/wsc266.txt"))
    data = exported(header, entries, Mode.BY_KEY)
    assert sha256(data).hexdigest().startswith("ff88e602cdb5")
    header, inverted = entries_of(SourceFile("own", data))
    assert exported(header, inverted, Mode.BY_KEY) == data


@pytest.mark.parametrize("path", ["reid250/reid250.txt", "wsc266/wsc266.txt"])
def test_without_the_wider_key_phrases_the_rows_are_the_same_but_not_the_inversion(
    path: str,
) -> None:
    file = published(path)
    header, entries = entries_of(file)
    _, narrow = entries_of(file, "wider-key-phrases")
    assert exported(header, narrow) == file.data
    assert exported(header, narrow, Mode.BY_KEY) != exported(header, entries, Mode.BY_KEY)


def test_the_triple_and_the_pairs_with_other_answers_of_wsc273_stay_loose() -> None:
    read = imported(FORMAT, published("wsc266/wsc273.txt").data)
    loose = {entry.id: entry for entry in read.entries if entry.grid.kind is Kind.LOOSE}
    names = {name: dict(entry.extras)["x-problems"] for name, entry in loose.items()}
    assert sorted(names.values()) == ["173, 174", "253, 254, 255", "266, 267"]
    triple = next(loose[name] for name, told in names.items() if told == "253, 254, 255")
    assert [one.right for one in problems(triple.grid)] == [0, 1, 0]
    told = {issue.name for issue in read.issues if issue.kind is IssueKind.ODDITY}
    assert told == {
        "answers-differ",
        "several-twins",
        "candidate-differs",
        "candidate-missing",
        "candidate-in-longer-noun",
    }
