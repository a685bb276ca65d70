"""Rows of a table that look like twins although no column says so."""

import pytest

from horsesense.datasets.importers import SourceFile, open_import
from horsesense.datasets.importers.formats.table import FORMAT
from horsesense.datasets.importers.formats.winogrande import FORMAT as WINOGRANDE
from horsesense.datasets.importers.reading import FileImport
from horsesense.errors import FileError, HorsesenseError
from horsesense.schema import Header
from horsesense.schema.notation import print_grid
from tests.datasets.importers.tables import table

HEADER = "text,option1,option2,answer"
HIGH = "A lorry ___ pass under a high bridge.,can,cannot,1"
LOW = "A lorry ___ pass under a low bridge.,can,cannot,2"
FLY = "An owl ___ fly by night.,can,cannot,1"
FULL = "A full barrel ___ float in wine.,does,does not,2"
EMPTY = "An empty barrel ___ float in wine.,does,does not,1"
UNMARKED = "no column says which rows belong together"
GRID = "A lorry <can, cannot> pass under a {high, low} bridge."


def read(*lines: str, header: str = HEADER, consecutive: bool = False) -> FileImport:
    file = SourceFile("own.csv", table(header, *lines).encode())
    return open_import(file, Header("own"), format_name=FORMAT.name, consecutive=consecutive)


def grids(reading: FileImport) -> dict[str, str]:
    return {entry.id: print_grid(entry.grid) for entry in reading}


def twins(*lines: str, header: str = HEADER, consecutive: bool = False) -> list[str]:
    reading = read(*lines, header=header, consecutive=consecutive)
    list(reading)
    return [pairing.message for pairing in reading.paired]


def test_twins_that_are_not_marked_are_mentioned_and_left_alone() -> None:
    message = f"no twins: {UNMARKED}, but problems 2 and 3 look like twins (use `dataset import "
    assert twins(FLY, HIGH, LOW) == [f"{message}--consecutive` to pair them)"]
    assert list(grids(read(FLY, HIGH, LOW))) == ["1", "2", "3"]


def test_many_are_counted_and_the_first_are_named() -> None:
    lines = [
        line.replace("lorry", noun)
        for noun in ("lorry", "cart", "tram", "bus")
        for line in (HIGH, LOW)
    ]
    (message,) = twins(*lines)
    offer = "look like twins (4 pairs; use `dataset import --consecutive` to pair them)"
    assert message == f"no twins: {UNMARKED}, but problems 1 and 2, 3 and 4, 5 and 6, … {offer}"


def test_twins_are_called_by_their_ids() -> None:
    (message,) = twins(f"a,{HIGH}", f"b,{LOW}", header=f"id,{HEADER}")
    assert "but problems a and b look like twins" in message


@pytest.mark.parametrize(
    "lines",
    [
        (HIGH, FLY),  # too few words in common
        (HIGH, LOW.replace("cannot", "may not")),  # other options
        (HIGH, HIGH),  # the same statement
        (HIGH, FLY, LOW),  # not consecutive
        (HIGH,),
    ],
)
def test_other_rows_do_not_look_like_twins(lines: tuple[str, ...]) -> None:
    assert twins(*lines) == [f"no twins: {UNMARKED}"]


def test_minimal_pairs_do_not_look_like_twins() -> None:
    header = "option1,option2,answer"
    assert twins("Owls fly.,Owls flies.,1", "Owls flies.,Owls fly.,2", header=header) == [
        f"no twins: {UNMARKED}"
    ]


def test_on_request_they_make_schemas_and_all_others_stay_alone() -> None:
    reading = read(FLY, HIGH, LOW, FULL, EMPTY, consecutive=True)
    assert grids(reading) == {
        "1": "An owl <can*, cannot> fly by night.",
        "2": GRID,
        "4": "{An empty, A full} barrel <does, does not> float in wine.",
    }
    assert [pairing.message for pairing in reading.paired] == [
        "twins by position and similarity: 2 pairs, 1 alone"
    ]


def test_options_may_be_in_opposite_orders_and_labels_play_no_part() -> None:
    exchanged = LOW.replace("can,cannot,2", "cannot,can,1")
    assert grids(read(HIGH, exchanged, consecutive=True)) == {"1": GRID}
    assert twins(HIGH, LOW[:-1] + "1", consecutive=True) == [
        "twins by position and similarity: 1 pair"
    ]


def test_what_only_one_row_says_stays_with_it() -> None:
    header = f"{HEADER},x-size,x-place,tags,note,associative"
    rows = (f"{HIGH},5,road,big,from the ferry,yes", f'{LOW},4,road,"big,tight",,yes')
    (entry,) = read(*rows, header=header, consecutive=True)
    assert (entry.tags, entry.note, dict(entry.flags)) == (
        ("big",),
        "from the ferry",
        {"associative": True},
    )
    assert dict(entry.extras) == {
        "x-problems": "1, 2",
        "x-place": "road",
        "x-size.1": "5",
        "x-size.2": "4",
        "x-tags.2": "tight",
    }


def test_rows_that_disagree_are_reported_and_the_first_is_believed() -> None:
    header = f"{HEADER},note,associative"
    reading = read(f"{HIGH},one,yes", f"{LOW},two,no", header=header, consecutive=True)
    (entry,) = reading
    assert (entry.note, dict(entry.flags)) == ("one", {"associative": True})
    assert [(one.odd, one.line) for one in reading.issues() if one.name == "rows-disagree"] == [
        ("note is 'two', and was 'one' before", 3),
        ("associative is False, and was True before", 3),
    ]


def test_a_table_that_marks_its_twins_is_not_paired_otherwise() -> None:
    with pytest.raises(FileError, match="a column says which rows belong together; leave out"):
        list(read(f"{HIGH},s", f"{LOW},s", header=f"{HEADER},schema", consecutive=True))
    assert (
        "twins by the column 'schema'"
        in twins(f"{HIGH},s", f"{LOW},s", header=f"{HEADER},schema")[0]
    )


def test_other_formats_have_their_own_rules() -> None:
    file = SourceFile("own", b"")
    with pytest.raises(HorsesenseError, match="only tables of your own"):
        open_import(file, Header("own"), format_name=WINOGRANDE.name, consecutive=True)
