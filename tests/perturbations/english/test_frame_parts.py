"""Frames that are cut where their renderings are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.promotion import (
    ShownFrame,
    count_slots,
    with_first_letter,
)
from horsesense.perturbations.rewriting import Edit, renderings
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import AxisName, Candidate, Schema, Slot, join_parts
from horsesense.schema.notation import parse_grid
from tests.strategies import brisk, squares, tame

LINE = "[The old wolf] chased him because <it = the wolf, the hare> was {hungry, slow}."


def shown_frame(grid: object) -> ShownFrame:
    assert isinstance(grid, Schema)
    return ShownFrame(grid.frame, renderings(grid)[0])


def test_a_stretch_gives_the_parts_it_came_from() -> None:
    parts = shown_frame(parse_grid(LINE))
    assert parts.cut(0, len("The old wolf chased")) == [Candidate(1, "The old wolf"), " chased"]
    assert parts.cut(0, len("The old wolf"), [Edit(4, 7, "young")]) == [
        Candidate(1, "The young wolf")
    ]


def test_a_candidate_is_not_cut_in_two() -> None:
    with pytest.raises(NotApplicable, match="more or less than a noun phrase"):
        shown_frame(parse_grid(LINE)).cut(0, 5)


def test_a_pronoun_gets_its_new_case_and_the_target_never_moves() -> None:
    parts = shown_frame(parse_grid(LINE))
    doc = parse(parts.shown.text)
    him, target = doc[4:5], doc[6:7]
    assert (him.text, target.text) == ("him", "it")
    assert parts.noun_phrase(him, {"him": "he"}) == ["he"]
    assert parts.noun_phrase(him, {}) == ["him"]
    with pytest.raises(NotApplicable, match="the target would move"):
        parts.noun_phrase(target, {})


def test_the_first_letter_is_that_of_a_text_or_a_candidate_and_never_of_a_placeholder() -> None:
    slot = Slot(AxisName.KEY, 0)
    assert with_first_letter(["the ", slot], upper=True) == ["The ", slot]
    assert with_first_letter([Candidate(2, "The cup")], upper=False) == [Candidate(2, "the cup")]
    assert with_first_letter([slot, " cup"], upper=True) == [slot, " cup"]
    assert count_slots(["the ", slot, Candidate(2, "cup"), slot]) == 2


@brisk
@given(st.data())
def test_what_is_cut_in_two_between_parts_comes_together_again(data: st.DataObject) -> None:
    grid = data.draw(squares(tame))
    parts = shown_frame(grid)
    end = len(parts.shown.text) + 1
    place = data.draw(st.sampled_from([one.start for one in parts.shown.segments]))
    together = [*parts.cut(0, place), *parts.cut(place, end)]
    assert join_parts(together) == join_parts(grid.frame)
