"""Sentences in which filling puts nothing right, seen at a glance."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.schema import Axis, Frame, Grid, LooseGrid, Schema, join_parts
from horsesense.schema.notation import parse_grid
from tests.strategies import grids, patient, tame, wild

ENDS = [".", "?", "!", " (so).", " .", "…", ""]


def is_plain(grid: Grid) -> bool:
    lines = grid.rows if isinstance(grid, LooseGrid) else (grid,)
    return all(line.stands_as_written for line in lines)


def texts(grid: Grid) -> list[str]:
    return [grid.sentence(cell).text for cell in grid.cells]


def verbatim(grid: Grid) -> Grid:
    if isinstance(grid, Schema):
        return replace(grid, verbatim=True)
    return LooseGrid(tuple(replace(row, verbatim=True) for row in grid.rows))


def finished(grid: Grid) -> Grid:
    """The grid with a capital at the start of its lines and a full stop at their ends."""
    if isinstance(grid, Schema):
        return replace(grid, frame=finished_frame(grid.frame))
    return LooseGrid(tuple(replace(row, frame=finished_frame(row.frame)) for row in grid.rows))


def finished_frame(frame: Frame) -> Frame:
    return join_parts(["O" if isinstance(frame[0], str) else "Owls, ", *frame, "."])


@pytest.mark.parametrize(
    "notation",
    [
        "A lorry <can, cannot> pass under a {high, low} bridge.",
        "[The owl] saw [the vole], so <it = the owl, the vole> was {awake, asleep}!",
        "Nora met Lena. <She = Nora, Lena> was {in, out}?",
        "<Owls*, Elks, Bears> hunt.",
        "Owls <hunt, eat> {voles, elks}. They sleep.",
        "! owls <hunt, eat> {voles, elks}",
    ],
)
def test_what_is_plainly_finished_stands_as_written(notation: str) -> None:
    assert is_plain(parse_grid(notation))


@pytest.mark.parametrize(
    "notation",
    [
        "a lorry <can, cannot> pass under a {high, low} bridge.",
        "A lorry <can, cannot> pass under a {high, low} bridge",
        "A lorry <can, cannot> pass under a bridge that is {high, low}",
        "Nora lost <her's = Ada, Lena> {keys, lamp}.",
        "It fell. <owls, elks> {hunt, sleep}.",
        "<owls*, elks> hunt.",
        "Owls <hunt, eat> {, few} voles.",
        "Then <It = owls, elks> {hunt, sleep}.",
        "So {a, an}<owl, elk> hunts.",
        "Owls hunt <“voles”, “elks”> by {night, day}.",
    ],
)
def test_what_filling_may_change_does_not(notation: str) -> None:
    assert not is_plain(parse_grid(notation))


def test_a_capital_that_is_no_letter_of_a_word_is_followed_by_one_that_is() -> None:
    grid = parse_grid("Ⓐ owl <hunts, sleeps> by {night, day}.")
    assert not is_plain(grid) or texts(grid) == texts(verbatim(grid))


@given(grids(wild) | grids(tame))
@patient
def test_what_stands_as_written_is_filled_as_if_it_were_verbatim(grid: Grid) -> None:
    if is_plain(grid):
        assert texts(grid) == texts(verbatim(grid))


@given(grids(wild) | grids(tame))
@patient
def test_so_is_what_starts_with_a_capital_and_ends_with_a_stop(grid: Grid) -> None:
    grid = finished(grid)
    if is_plain(grid):
        assert texts(grid) == texts(verbatim(grid))


@given(
    st.characters(categories=["Lu", "Lt", "So", "Nl"]),
    st.sampled_from(["", " ", "x", "’"]),
    st.sampled_from(ENDS),
)
@patient
def test_so_is_what_starts_with_any_capital(first: str, then: str, end: str) -> None:
    schema = parse_grid(f"x owls <hunt, sleep> by {{night, day}}{end}")
    assert isinstance(schema, Schema)
    for frame in (
        (f"{first}{then}owls ", *schema.frame[1:]),
        ("Owls ", *schema.frame[1:]),
        (*schema.frame[1:4], f" {first}{then}owls."),
    ):
        keys = Axis(((f"{first}{then}moss",), ("Lena",)))
        for changed in (replace(schema, frame=frame), replace(schema, frame=frame, keys=keys)):
            if is_plain(changed):
                assert texts(changed) == texts(verbatim(changed))
