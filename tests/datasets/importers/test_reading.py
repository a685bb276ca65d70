"""Reading a published file from its bytes to its entries."""

from collections.abc import Iterable
from typing import Any

import pytest

from horsesense.datasets.importers import (
    FileImport,
    SourceFile,
    find_format,
    guess_format,
    open_import,
)
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.recovery import NEIGHBOURS, Journal, RawEntry, RawProblem
from horsesense.errors import FileError, HorsesenseError, ImportFaults, UnknownNameError
from horsesense.schema import Header, IssueKind
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of
from tests.datasets.importers.samples import (
    collection,
    json_lines,
    options,
    schema_element,
    thesis,
    thesis_row,
)


def found(name: str, line: int = 1, *, right: int | None = 0, word: str = "saw") -> RawProblem:
    return RawProblem(name, line, (f"Nora {word} ", "."), (("owls",), ("elks",)), right)


def reading_of(*groups: RawEntry, keep_going: bool = True, **others: Any) -> FileImport:
    """A file in a format that gives these groups whatever is in it."""

    def read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
        return groups

    form = Format(
        name="made",
        title="a made format",
        looks_like=lambda file: True,
        read=read,
        twins=NEIGHBOURS,
        **others,
    )
    return FileImport(SourceFile("own", b""), form, Header("x"), Journal(), keep_going=keep_going)


def grids(reading: FileImport) -> dict[str, str]:
    return {entry.id: print_grid(entry.grid) for entry in reading}


def faults(reading: FileImport) -> list[tuple[str, int, str, str]]:
    return [
        (one.name, one.line, one.problem, one.odd)
        for one in issues_of(reading)
        if one.kind is IssueKind.FAULT
    ]


def test_groups_become_entries_in_their_order() -> None:
    reading = reading_of(RawEntry("b", [found("1")]), RawEntry("a", [found("2")]))
    assert list(grids(reading)) == ["b", "a"]
    assert issues_of(reading) == []


def test_a_problem_whose_id_has_occurred_is_a_fault() -> None:
    reading = reading_of(
        RawEntry("a", [found("1", 4), found("1", 9)]),
        RawEntry("b", [found("1", 12)]),
        RawEntry("c", [found("2", 13)]),
    )
    assert list(grids(reading)) == ["a", "c"]
    assert faults(reading) == [
        ("duplicate-id", 9, "1", "the id '1' is already used in line 4"),
        ("duplicate-id", 12, "1", "the id '1' is already used in line 4"),
    ]


def test_a_schema_whose_id_has_occurred_is_a_fault() -> None:
    reading = reading_of(
        RawEntry("a", [found("1", 4)]), RawEntry("a", [found("2", 5), found("3", 6)])
    )
    assert list(grids(reading)) == ["a"]
    assert faults(reading) == [
        ("duplicate-id", 5, "2", "the schema id 'a' occurs twice"),
        ("duplicate-id", 6, "3", "the schema id 'a' occurs twice"),
    ]


def test_a_label_may_be_missing_everywhere_but_not_here_and_there() -> None:
    unlabelled = [found("1", right=None), found("2", 2, right=None, word="met")]
    assert grids(reading_of(RawEntry("a", unlabelled))) == {
        "a": "Nora saw <? owls, elks>.\n& Nora met <? owls, elks>."
    }
    reading = reading_of(
        RawEntry("a", [found("1", 1), found("2", 2, right=None)]),
        RawEntry("b", [found("3", 3, right=None)]),
        RawEntry("c", [found("4", 4, right=1)]),
    )
    assert grids(reading) == {"a": "Nora saw <owls*, elks>.", "c": "Nora saw <owls, elks*>."}
    assert faults(reading) == [
        ("bad-label", 2, "2", "no label, but other problems have one"),
        ("bad-label", 3, "3", "no label, but other problems have one"),
    ]


def test_faults_are_raised_at_the_end_with_their_lines_unless_it_keeps_going() -> None:
    groups = (
        RawEntry("a", [found("1", 7), found("1", 9)]),
        RawEntry("not an id", [found("2", 3)]),
    )
    reading = reading_of(*groups, keep_going=False)
    entries = iter(reading)
    assert next(entries).id == "a"
    with pytest.raises(ImportFaults) as raised:
        next(entries)
    assert [line for line, _ in raised.value.faults] == [3, 9]
    shown = str(raised.value).splitlines()
    assert shown[0].startswith("own:3: 'not an id' cannot be an id")
    assert shown[-1] == "  nothing was stored; use --keep-going to store the rest"


def test_a_file_of_which_nothing_can_be_used_is_refused_even_if_it_keeps_going() -> None:
    with pytest.raises(FileError, match="^own: contains no usable problems of a made format$"):
        list(reading_of())
    with pytest.raises(FileError, match="contains no usable problems"):
        list(reading_of(RawEntry("not an id", [found("1")])))
    with pytest.raises(ImportFaults):
        list(reading_of(RawEntry("not an id", [found("1")]), keep_going=False))


def test_names_of_the_whole_file_keep_their_capitals_in_a_bare_format() -> None:
    twins = [
        RawProblem("1", 1, ("Kem is ", " of here."), (("north",), ("south",)), 0),
        RawProblem("2", 2, ("Kem is ", " of there."), (("north",), ("south",)), 1),
    ]
    others = [
        RawProblem("3", 3, ("Owls ", " fly to Kem."), (("can",), ("cannot",)), 0),
        RawProblem("4", 4, ("Owls ", " fly to Ems."), (("can",), ("cannot",)), 1),
    ]
    groups = (RawEntry("a", twins), RawEntry("b", others))
    assert grids(reading_of(*groups, is_bare=True)) == {
        "a": "Kem is <north, south> of {here, there}",
        "b": "owls <can, cannot> fly to {Kem, Ems}",
    }
    assert grids(reading_of(*groups))["b"] == "Owls <can, cannot> fly to {Kem, Ems}."


def test_a_format_is_found_by_its_name_or_by_a_look() -> None:
    assert find_format("winogrande").name == "winogrande"
    with pytest.raises(UnknownNameError, match="did you mean winogrande"):
        find_format("winogrand")
    assert guess_format(SourceFile("own", collection(schema_element()).encode())).name == "wsc-xml"


def test_a_reading_is_opened_with_what_the_format_knows() -> None:
    file = SourceFile("own", json_lines(options("a-1", "high", "1")).encode())
    reading = open_import(file, Header("roads"), keep_going=True)
    assert (reading.format.name, reading.keep_going) == ("winogrande", True)
    assert reading.header == Header("roads")
    assert len(list(reading)) == 1
    assert open_import(file, Header("roads"), format_name="dpr").format.name == "dpr"


def test_what_a_file_says_of_itself_is_its_note_unless_there_is_one() -> None:
    row = thesis_row(1, "Owls *target* hunt.", "can&cannot", 0)
    file = SourceFile("own", thesis(row).encode())
    note = "schema type: adversarial; dataset name: roads"
    assert open_import(file, Header("x")).header.note == note
    assert open_import(file, Header("x", note="mine")).header.note == "mine"


@pytest.mark.parametrize(
    "how, message",
    [
        ({"switched_off": ["spelling"]}, "no repair of winogrande named 'spelling'"),
        ({"recipe": "wsc266"}, "no recipe for winogrande named 'wsc266'"),
        ({"format_name": "wino"}, "no format named 'wino'"),
        (
            {"format_name": "dpr", "companions": [SourceFile("labels", b"")]},
            "this format takes no companion files; leave out labels",
        ),
    ],
)
def test_what_a_format_does_not_know_is_refused_before_anything_is_read(
    how: dict[str, Any], message: str
) -> None:
    file = SourceFile("own", json_lines(options("a-1", "high", "1")).encode())
    with pytest.raises(HorsesenseError, match=message):
        open_import(file, Header("x"), **how)


def test_a_repair_is_switched_off_by_its_name() -> None:
    file = SourceFile("own", collection(schema_element()).encode())
    reading = open_import(file, Header("x"), switched_off=["answer-lowercase"])
    assert grids(reading) == {
        "1": "[The owl] saw [the vole] because <it = The owl*, The vole> was awake."
    }
    assert [(one.name, one.kind) for one in issues_of(reading)] == [
        ("answer-lowercase", IssueKind.ODDITY)
    ]


def test_twins_of_a_file_are_told_of_from_the_first_entry_on() -> None:
    reading = reading_of(RawEntry("a", [found("1")]), RawEntry("b", [found("2")]))
    assert reading.remarks() == []
    next(iter(reading))
    assert reading.remarks() == ["own: twins by position and similarity: 2 alone"]


def test_what_could_not_be_used_is_not_counted_among_the_twins() -> None:
    reading = reading_of(
        RawEntry("a", [found("1"), found("2", 2, word="met")]),
        RawEntry("an owl", [found("3", 3), found("4", 4, word="met")]),
    )
    assert list(grids(reading)) == ["a"]
    assert reading.remarks() == [
        "own: twins by position and similarity: 1 pair",
        "own: 2 problems left out; run 'horsesense dataset import' for details",
    ]
