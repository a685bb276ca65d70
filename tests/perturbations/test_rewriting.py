from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.rewriting import (
    DiffKind,
    Edit,
    Rendering,
    renderings,
    rewritten,
    side,
    word_diff,
)
from horsesense.schema import Axis, Grid, LooseGrid, pair
from horsesense.schema.notation import parse_grid, print_grid
from tests.strategies import brisk, grids, tame

LADLE = (
    "[The ladle] missed [the drawer] because <it = the ladle, the drawer> was too {long, short}."
)


def edits(shown: Rendering, *changes: tuple[str, str]) -> list[Edit]:
    """Edits that put the second text in the place of the first."""
    starts = [(shown.text.index(old), old, new) for old, new in changes]
    return [Edit(start, start + len(old), new) for start, old, new in starts]


def edited(notation: str, *changes: tuple[str, str]) -> str:
    grid = parse_grid(notation)
    return print_grid(rewritten(grid, [edits(one, *changes) for one in renderings(grid)]))


def test_a_rendering_has_the_pronoun_in_its_place_and_each_key_phrase() -> None:
    assert [one.text for one in renderings(parse_grid(LADLE))] == [
        "The ladle missed the drawer because it was too long.",
        "The ladle missed the drawer because it was too short.",
    ]
    (shown,) = renderings(parse_grid("[An owl] saw it when <_ = the owl*, the vole> left."))
    assert shown.text == "An owl saw it when it left."


def test_without_a_target_the_sensible_answer_stands_there() -> None:
    lorry = parse_grid("a lorry <can, cannot> pass under a {high, low} bridge")
    assert [one.text for one in renderings(lorry)] == [
        "a lorry can pass under a high bridge",
        "a lorry cannot pass under a low bridge",
    ]
    dyad = parse_grid("It is |true, false| that {owls, voles} <do, do not> eat {voles, owls}.")
    assert renderings(dyad)[1].text == "It is true that voles do not eat owls."


def test_edits_go_back_to_where_the_text_came_from() -> None:
    assert edited(LADLE, ("missed", "misses"), ("it", "they"), ("drawer", "drawers")) == (
        "[The ladle] misses [the drawers] because <they = the ladle, the drawer> was too "
        "{long, short}."
    )


def test_an_edit_of_a_key_phrase_belongs_to_that_phrase() -> None:
    grid = parse_grid(LADLE)
    first, second = renderings(grid)
    changed = rewritten(grid, [edits(first, ("long", "wide")), []])
    assert "{wide, short}" in print_grid(changed)
    changed = rewritten(grid, [[], edits(second, ("short", "flat"))])
    assert "{long, flat}" in print_grid(changed)


def test_an_insertion_between_parts_goes_to_the_text() -> None:
    grid = parse_grid(LADLE)
    shown = renderings(grid)
    place = shown[0].text.index(" missed")
    inserted = rewritten(grid, [[Edit(place, place, " just")] for _ in shown])
    assert print_grid(inserted).startswith("[The ladle] just missed [the drawer]")


def test_the_two_problems_may_differ_in_their_keys_alone() -> None:
    grid = parse_grid(LADLE)
    first, _ = renderings(grid)
    with pytest.raises(NotApplicable, match="differ in more than their key phrases"):
        rewritten(grid, [edits(first, ("missed", "left")), []])


def test_an_edit_across_a_boundary_and_overlapping_ones_are_refused() -> None:
    with pytest.raises(NotApplicable, match="stands partly in a candidate"):
        edited(LADLE, ("ladle missed", "ladles miss"))
    with pytest.raises(NotApplicable, match="overlap"):
        edited(LADLE, ("missed", "left"), ("ssed", "x"))
    with pytest.raises(NotApplicable, match="'can' is an answer"):
        edited("a lorry <can, cannot> pass under a {high, low} bridge", ("can", "may"))


def test_a_possessive_target_stays_possessive() -> None:
    grid = "[Ivo] saw [Boris] when <his = Ivo, Boris> hat was {on, off}."
    assert "<her's = Ivo, Boris>" in edited(grid, ("his", "her"))
    unknown = "[Ivo] met [Boris] when <_ = Ivo, Boris> was {in, out}."
    assert "<_ = Ivo" in edited(unknown, ("it", "he"))


def test_answers_may_be_given_with_the_edits() -> None:
    grid = parse_grid(LADLE)
    none: list[list[Edit]] = [[], []]
    changed = rewritten(grid, none, answers=[pair("the spoon", "the box")])
    assert "<it = the spoon, the box>" in print_grid(changed)
    loose = parse_grid("[An owl] saw [a vole] as <it = the owl*, the vole> left.")
    changed = rewritten(loose, [[]], answers=[Axis((("a hen",), ("a cat",)))])
    assert "<it = a hen*, a cat>" in print_grid(changed)


@brisk
@given(grids(tame))
def test_without_edits_nothing_changes(grid: Grid) -> None:
    assert rewritten(grid, [[] for _ in renderings(grid)]) == grid


@brisk
@given(grids(tame))
def test_segments_cover_a_rendering_from_end_to_end(grid: Grid) -> None:
    count = len(grid.rows) if isinstance(grid, LooseGrid) else 2
    shown = renderings(grid)
    assert len(shown) == count
    for one in shown:
        ends = [0, *(segment.end for segment in one.segments)]
        assert ends[:-1] == [segment.start for segment in one.segments]
        assert ends[-1] == len(one.text)


SAME, REMOVED, ADDED = DiffKind.SAME, DiffKind.REMOVED, DiffKind.ADDED
WORDS = st.sampled_from(["the", "The", "kettle", "lid's", "old-fashioned", "was", ",", "."])
SENTENCES = st.one_of(st.lists(WORDS, max_size=12).map(" ".join), st.text(max_size=30))


@pytest.mark.parametrize(
    ("before", "after", "runs"),
    [
        (
            "The kettle boils.",
            "The kettle boiled.",
            [(SAME, "The kettle "), (REMOVED, "boils"), (ADDED, "boiled"), (SAME, ".")],
        ),
        ("the lid", "the old lid", [(SAME, "the "), (ADDED, "old "), (SAME, "lid")]),
        ("the old lid", "the lid", [(SAME, "the "), (REMOVED, "old "), (SAME, "lid")]),
        ("Nora's lid", "Nora lid", [(REMOVED, "Nora's"), (ADDED, "Nora"), (SAME, " lid")]),
        ("a lid", "a lid", [(SAME, "a lid")]),
        ("", "a lid", [(ADDED, "a lid")]),
        ("", "", []),
    ],
)
def test_words_are_kept_removed_or_added(
    before: str, after: str, runs: list[tuple[DiffKind, str]]
) -> None:
    assert [tuple(run) for run in word_diff(before, after)] == runs


def test_changes_side_by_side_are_one() -> None:
    runs = word_diff("It was too long.", "They were too long.")
    assert [tuple(run) for run in runs] == [
        (REMOVED, "It was"),
        (ADDED, "They were"),
        (SAME, " too long."),
    ]


@given(SENTENCES, SENTENCES)
def test_each_side_spells_its_sentence(before: str, after: str) -> None:
    runs = word_diff(before, after)
    assert "".join(run.text for run in side(runs, REMOVED)) == before
    assert "".join(run.text for run in side(runs, ADDED)) == after


@given(SENTENCES, SENTENCES)
def test_runs_are_empty_nowhere_and_white_space_joins_no_two_changes(
    before: str, after: str
) -> None:
    runs = word_diff(before, after)
    assert all(run.text for run in runs)
    for one, gap, other in zip(runs, runs[1:], runs[2:], strict=False):
        is_gap = gap.kind is SAME and gap.text.isspace()
        assert not (is_gap and one.kind is not SAME and other.kind is not SAME)


@given(SENTENCES)
def test_a_sentence_does_not_differ_from_itself(sentence: str) -> None:
    assert {run.kind for run in word_diff(sentence, sentence)} <= {SAME}
