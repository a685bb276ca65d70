"""What holds for every grid and every file, whatever is in them."""

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horsesense.errors import NotationErrors
from horsesense.schema import Axis, AxisName, BooleanWrapper, Entry, Grid, Header, Slot
from horsesense.schema.notation import (
    SchemaFile,
    grid_id,
    parse_grid,
    parse_wrapper,
    print_entry,
    print_file,
    print_grid,
    print_wrapper,
)
from tests.strategies import KINDS, brisk, entries, grids, headers, pairs, patient, wild

# Text that is often almost notation.
_SCRAPS = st.sampled_from(
    [*'{}<>⟨⟩|‖[]\\",*?=& ', "\\", " = ", "1: ", "moss", "<oats*, rye>", "{a, b}", "<c, d>"]
)
_scribble = st.lists(_SCRAPS, max_size=12).map("".join)
_files = st.lists(entries(), min_size=1, max_size=3, unique_by=lambda entry: entry.id)


def _reread(text: str) -> tuple[Header, list[Entry]]:
    file = SchemaFile(BytesIO(text.encode()), "barn.txt", "barn")
    return file.header, list(file)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@patient
def test_parsing_what_was_printed_gives_the_grid_back(kind: str, data: st.DataObject) -> None:
    grid = data.draw(KINDS[kind](wild))
    assert parse_grid(print_grid(grid)) == grid


@given(grids())
@patient
def test_what_is_printed_is_printed_the_same_again(grid: Grid) -> None:
    text = print_grid(grid)
    assert print_grid(parse_grid(text)) == text


@given(_scribble)
@settings(max_examples=150, deadline=None)
def test_scribble_is_refused_with_its_place_or_read_once_and_for_all(text: str) -> None:
    try:
        grid = parse_grid(text)
    except NotationErrors as refusal:
        assert all(0 <= error.column <= len(text) for error in refusal.errors)
    else:
        assert parse_grid(print_grid(grid)) == grid


@given(grids(), grids())
@brisk
def test_equal_grids_and_only_they_share_an_id(one: Grid, other: Grid) -> None:
    assert (grid_id(one) == grid_id(other)) == (one == other)
    assert grid_id(parse_grid(print_grid(one))) == grid_id(one)


@given(grids())
@brisk
def test_spaces_around_a_line_change_nothing(grid: Grid) -> None:
    first, *further = print_grid(grid).split("\n")
    spaced = "\n".join([f"  {first}  ", *(f"{line}  " for line in further)])
    assert parse_grid(spaced) == grid


@given(headers(), _files)
@brisk
def test_reading_a_printed_file_gives_header_and_entries_back(
    header: Header, file: list[Entry]
) -> None:
    assert _reread("".join(print_file(header, file))) == (header, file)


@given(entries())
@brisk
def test_an_entry_is_printed_the_same_again(entry: Entry) -> None:
    text = print_entry(entry)
    _, (reread,) = _reread(text)
    assert print_entry(reread) == text


@given(st.lists(_scribble | st.just("    id: one"), max_size=6).map("\n".join))
@settings(max_examples=100, deadline=None)
def test_whatever_a_file_holds_its_faults_are_told_in_the_order_of_the_text(text: str) -> None:
    file = SchemaFile(BytesIO(text.encode()), "barn.txt", "barn")
    list(file.sound_entries())
    places = [(error.line_number, error.column) for error in file.errors]
    assert places == sorted(places)


@given(st.binary(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    file = SchemaFile(BytesIO(content), "barn.txt", "barn")
    sound = list(file.sound_entries())
    assert (bool(sound) or bool(file.errors)) and file.reader.size == len(content)


_fixed = wild.phrases.filter(lambda text: "…" not in text and "..." not in text)


@given(_fixed, _fixed, _fixed, pairs(wild.phrases), st.booleans())
@patient
def test_parsing_a_printed_wrapper_gives_the_wrapper_back(
    one: str, two: str, three: str, truths: Axis, comes_first: bool
) -> None:
    slot = Slot(AxisName.TRUTH, 0)
    before = (f"{one} ", slot, f" {two} ") if comes_first else (f"{one} ",)
    after = (f" {three}",) if comes_first else (f" {two} ", slot, f" {three}")
    wrapper = BooleanWrapper(before, after, truths)
    assert parse_wrapper(print_wrapper(wrapper)) == wrapper
