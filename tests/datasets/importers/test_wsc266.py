"""The recipe that makes WSC266 of the WSC: by the published files, and by what is none of them."""

import re
from collections import Counter

import pytest

from horsesense.datasets.exporters import EXPORTS, Exported, FileExport
from horsesense.datasets.importers import FileImport, SourceFile, open_import
from horsesense.datasets.importers.formats import davis_xml
from horsesense.datasets.importers.formats.davis_xml import FORMAT_WSC as FORMAT
from horsesense.datasets.importers.formats.thesis_text import FORMAT as THESIS_TEXT
from horsesense.datasets.recovery import Journal
from horsesense.errors import HorsesenseError
from horsesense.schema import Dataset, Entry, Header, Issue, IssueKind, Mode, problems
from tests.datasets.importers.imported import imported, published
from tests.datasets.importers.samples import collection, schema_element

XML = "wsc_xml/273/WSCollection.xml"
BOTH = [XML, "wsc_xml/285/WSCollection.xml"]
# How many schemas there are without the repair, and which rows of the file differ then.
REPAIRS = {
    "extra-problem": (133, None),
    "candidate-in-key-phrase": (135, None),
    "missing-candidate": (134, None),
    "nested-candidate": (133, {51, 52, 207, 208}),
    "missing-article": (133, {147, 148, 253, 254}),
    "spelling-and-grammar": (133, {5, 171, 172, 215, 227, 228, 241, 243}),
    "word-before-blank": (133, {189, 190}),
    "wider-key-phrases": (133, set()),
    "published-candidates": (133, set()),
}


def made(file: SourceFile, *off: str) -> tuple[list[Entry], list[Issue]]:
    reading = open_import(file, Header("wsc266"), recipe="wsc266", switched_off=off)
    return list(reading), reading.issues()


def lines_of(entries: list[Entry], mode: Mode = Mode.BY_ANSWER) -> list[str]:
    header = Header("wsc266", note=published("wsc266/wsc266.txt").head.partition("\n")[0])
    export = EXPORTS["thesis-text"]
    assert isinstance(export, FileExport)
    return "".join(export.pieces(Dataset(header, entries, mode=mode), Exported())).split("\n")


@pytest.mark.parametrize("path", BOTH)
def test_the_recipe_gives_the_published_file_to_the_byte(path: str) -> None:
    entries, _ = made(published(path))
    assert len(entries) == 133
    assert sum(len(problems(entry.grid)) for entry in entries) == 266
    assert "\n".join(lines_of(entries)).encode() == published("wsc266/wsc266.txt").data


@pytest.mark.parametrize("path", BOTH)
def test_it_is_the_same_dataset_as_the_published_file(path: str) -> None:
    entries, _ = made(published(path))
    read = imported(THESIS_TEXT, published("wsc266/wsc266.txt").data)
    assert [entry.id for entry in entries] == [entry.id for entry in read.entries]
    for ours, theirs in zip(entries, read.entries, strict=True):
        assert dict(ours.extras)["x-problems"] == dict(theirs.extras)["x-problems"]
        for mode in (Mode.BY_ANSWER, Mode.BY_KEY):
            assert [
                ([sentence.text for sentence in one.sentences], one.right)
                for one in problems(ours.grid, mode)
            ] == [
                ([sentence.text for sentence in one.sentences], one.right)
                for one in problems(theirs.grid, mode)
            ]


def test_its_subsets_have_their_published_sizes() -> None:
    entries, _ = made(published(XML))
    counts = Counter(name for entry in entries for name, holds in entry.flags if holds)
    assert counts == {"associative": 25, "switchable": 70, "symmetrical": 87}
    associative = imported(THESIS_TEXT, published("wsc266/wsc266_associative.txt").data)
    assert [entry.id for entry in entries if entry.flag("associative")] == [
        entry.id for entry in associative.entries
    ]
    adjectival = imported(THESIS_TEXT, published("wsc266/wsc266_adjectival.txt").data)
    assert [entry.id for entry in entries if entry.flag("symmetrical")] == [
        entry.id for entry in adjectival.entries
    ]
    switchable = {entry.id for entry in entries if entry.flag("switchable")}
    assert switchable <= {entry.id for entry in adjectival.entries}


def test_each_schema_tells_what_its_problems_were_in_wsc273() -> None:
    entries, _ = made(published(XML))
    originals = {entry.id: dict(entry.extras)["x-wsc273"] for entry in entries}
    assert originals["26"] == "52, 51"
    assert originals["87"] == "175, 176"
    assert originals["104"] == "210, 209"
    assert originals["133"] == "272, 273"
    numbers = [int(number) for told in originals.values() for number in told.split(", ")]
    assert set(range(1, 274)) - set(numbers) == {173, 174, 247, 248, 255, 266, 267}


def test_every_change_is_told_under_the_problem_s_new_name() -> None:
    entries, issues = made(published(XML))
    named = {name for entry in entries for name in dict(entry.extras)["x-problems"].split(", ")}
    spelling = [one.problem for one in issues if one.name == "spelling-and-grammar"]
    assert spelling == ["5", "171", "172", "215", "227", "228", "241", "243"]
    removed = [one.problem for one in issues if one.done == "removed"]
    assert sorted(removed) == [f"wsc273-{number}" for number in (173, 174, 247, 248, 255, 266, 267)]
    for issue in issues:
        belongs = issue.problem in named
        assert bool(issue.entry) is belongs
    assert Counter(one.name for one in issues if one.kind is IssueKind.REPAIR) == {
        "answer-lowercase": 100,
        "answer-possessive": 26,
        "published-candidates": 39,
        "spelling-and-grammar": 8,
        "wider-key-phrases": 6,
        "nested-candidate": 4,
        "missing-article": 4,
        "candidate-in-key-phrase": 4,
        "word-before-blank": 2,
        "missing-candidate": 2,
        "extra-problem": 1,
    }


@pytest.mark.parametrize("name", REPAIRS)
def test_each_repair_can_be_switched_off(name: str) -> None:
    schemas, differing = REPAIRS[name]
    entries, issues = made(published(XML), name)
    assert len(entries) == schemas
    assert {one.kind for one in issues if one.name == name} == {IssueKind.ODDITY}
    rows, expected = lines_of(entries), published("wsc266/wsc266.txt").text.split("\n")
    if differing is None:
        assert len(rows) > len(expected)
        return
    pairs = enumerate(zip(rows[2:], expected[2:], strict=True), start=1)
    assert {number for number, (row, other) in pairs if row != other} == differing


def test_every_repair_of_the_recipe_is_known_to_the_format() -> None:
    assert set(FORMAT.recipes["wsc266"].repairs) == set(REPAIRS)
    assert FORMAT.repairs == davis_xml.REPAIRS


def test_the_subsets_are_left_alone_where_numbers_are_not_those_of_wsc266() -> None:
    entries, issues = made(published(XML), "candidate-in-key-phrase")
    assert not any(entry.flag("symmetrical") for entry in entries)
    assert any(one.line == 0 for one in issues)


def spoilt(path: str, number: int) -> SourceFile:
    """The published file with a label of one problem that is none."""
    file = published(path)
    pieces = re.split(rb"(<correctAnswer>)", file.data)
    pieces[2 * number] = b"Q " + pieces[2 * number]
    return SourceFile("own", b"".join(pieces))


@pytest.mark.parametrize("path", BOTH)
@pytest.mark.parametrize("number", [5, 20, 255, 273])
def test_a_problem_that_cannot_be_used_does_not_let_another_take_its_place(
    path: str, number: int
) -> None:
    file = spoilt(path, number)
    reading = FileImport(file, FORMAT, Header("x"), Journal(), (), True, "wsc266")
    try:
        entries = list(reading)
    except HorsesenseError:
        return
    originals = [n for entry in entries for n in dict(entry.extras)["x-wsc273"].split(", ")]
    assert str(number) not in originals
    assert "274" not in originals
    (fault,) = (one for one in reading.issues() if one.kind is IssueKind.FAULT)
    assert fault.entry == ""


def test_another_collection_is_not_the_wsc() -> None:
    for count in (1, 272):
        file = SourceFile("own", collection(*[schema_element()] * count).encode())
        with pytest.raises(HorsesenseError, match=f"problem {count + 1} is not there"):
            made(file)
    file = SourceFile("own", collection(*[schema_element()] * 273).encode())
    with pytest.raises(HorsesenseError, match="problem 51 is not the WSC's"):
        made(file)
