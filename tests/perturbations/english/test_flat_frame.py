"""Frames as text, and phrases in them that may change places."""

import pytest
from hypothesis import given

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.flat_frame import (
    ANSWER_MARK,
    Number,
    check_sides,
    flat,
    has_key,
    lowered,
    number_of,
    rebuilt,
    sides_of,
    span_of,
)
from horsesense.schema import Schema
from tests.perturbations.written import entry
from tests.strategies import brisk, squares, tame


def schema(text: str) -> Schema:
    grid = entry(text).grid
    assert isinstance(grid, Schema)
    return grid


def test_a_placeholder_is_one_character_and_phrases_can_be_told_apart() -> None:
    grid = schema("a {cow, hen} <can, cannot> see a lamp")
    text = flat(grid)
    before, mark, after = text.partition(ANSWER_MARK)
    assert (len(before), mark, after) == (len("a K "), ANSWER_MARK, " see a lamp")
    assert has_key(before) and not has_key(after)
    assert sides_of(text, "", "a K", "a lamp", "") == ((0, 3), (len(text) - 6, len(text)))


def test_keys_that_have_changed_places_are_counted_anew() -> None:
    grid = schema("{owls, voles} <do, do not> eat {voles, owls}")
    first, second = (mark for mark in flat(grid) if has_key(mark))
    after = rebuilt(grid, f"{second} {ANSWER_MARK} feed {first}", grid.answers)
    assert after.keys.values == (("voles", "owls"), ("owls", "voles"))
    assert after.frame == schema("{a, b} <do, do not> feed {b, a}").frame


@brisk
@given(squares(tame))
def test_a_frame_comes_back_from_text(grid: Schema) -> None:
    if not grid.is_winograd:
        after = rebuilt(grid, flat(grid), grid.answers)
        assert (after.frame, after.keys) == (grid.frame, grid.keys)


def test_a_winograd_schema_is_refused() -> None:
    with pytest.raises(NotApplicable, match="Winograd"):
        flat(schema("[Ida] met [Ann] when <she = Ida, Ann> was {older, younger}"))


@pytest.mark.parametrize(
    ("side", "number"),
    [
        ("the {cow, hen}", "singular"),
        ("the {cows, hens}", "plural"),
        ("two {cows, hens}", "plural"),
        ("the cow and the {hen, dog}", "plural"),
        ("the {brown, white} sheep", None),
        ("a {brown, white} sheep", "singular"),
        ("{voles, owls}", "plural"),
    ],
)
def test_the_number_of_a_side_is_told_where_it_can_be(side: str, number: Number | None) -> None:
    grid = schema(f"the boy <can, cannot> see {side}")
    text = flat(grid)
    start = text.index("see ") + 4
    assert number_of(grid, text, (start, len(text))) == number


def test_key_phrases_of_different_number_are_refused() -> None:
    grid = schema("the boy <can, cannot> see {a cow, hens}")
    with pytest.raises(NotApplicable, match="differ in number"):
        number_of(grid, flat(grid), (len(flat(grid)) - 1, len(flat(grid))))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("the boy <can, cannot> see his {cow, hen}", "a pronoun may refer"),
        ("the boy <can, cannot> see every {cow, hen}", "a quantifier"),
        ("the boy <can, cannot> see to {run, sing}", "not a plain noun phrase"),
    ],
)
def test_sides_that_cannot_move_are_refused(text: str, reason: str) -> None:
    grid = schema(text)
    start = flat(grid).index("see ") + 4
    with pytest.raises(NotApplicable, match=reason):
        check_sides(grid, flat(grid), (start, len(flat(grid))))


def test_an_answer_does_not_move_and_an_empty_side_is_none() -> None:
    grid = schema("the boy <can, cannot> see the {cow, hen}")
    text = flat(grid)
    with pytest.raises(NotApplicable, match="an answer or a truth value would move"):
        check_sides(grid, text, (0, text.index(ANSWER_MARK) + 1))
    with pytest.raises(NotApplicable, match="a side is empty"):
        span_of(grid, text, (0, 0), 0)


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("The boy <can, cannot> see the {cow, hen}.", "The boy", "the boy"),
        ("the boy <can, cannot> see the {cow, hen}", "the boy", "the boy"),
        ("Nora <can, cannot> see the {cow, hen}", "Nora", "Nora"),  # a bare one is no sentence
    ],
)
def test_a_phrase_that_leaves_the_start_loses_its_capital(
    text: str, phrase: str, expected: str
) -> None:
    assert lowered(schema(text), phrase) == expected


def test_a_capital_that_may_be_of_a_name_is_refused() -> None:
    with pytest.raises(NotApplicable, match="may belong to a name"):
        lowered(schema("Nora <can, cannot> see the {cow, hen}."), "Nora")
