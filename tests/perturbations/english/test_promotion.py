"""Objects as the subjects of passive verbs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.passive import Clause, read_clause, verbs_of_clauses
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.promotion import (
    Promotion,
    ShownFrame,
    as_subject,
    count_slots,
    promotion,
    with_first_letter,
)
from horsesense.perturbations.rewriting import Edit, renderings
from horsesense.schema import AxisName, Candidate, Part, Schema, Slot, join_parts
from horsesense.schema.notation import parse_grid
from tests.strategies import brisk, squares, tame

END = "because <he = Tom, Ben> was {late, ill}."


def read(line: str, end: str = END) -> tuple[ShownFrame, Clause]:
    grid = parse_grid(f"{line} {end}")
    assert isinstance(grid, Schema)
    shown = renderings(grid)[0]
    return ShownFrame(grid.frame, shown), read_clause(shown, next(verbs_of_clauses(shown.text)))


def promoted(line: str) -> Promotion:
    return promotion(*read(line))


def subject(line: str, end: str = END) -> list[Part]:
    parts, clause = read(line, end)
    found = promotion(parts, clause)
    return as_subject(parts, clause, found.head, found.whole)


@pytest.mark.parametrize(
    ("line", "whole", "after"),
    [
        ("[Tom] pushed [Ben]", "Ben", []),
        ("[Tom] threw the lamp away", "the lamp", [" away"]),
        ("[Tom] threw out the lamp", "the lamp", [" out"]),
        ("[Tom] shouted at [Ben]", "Ben", [" at"]),
        ("[Tom] gave a ring to [Ben]", "a ring", [" ", "to ", Candidate(2, "Ben")]),
        (
            "[Tom] threw the lamp down to [Ben] from the roof",
            "the lamp",
            [" down", " ", "to ", Candidate(2, "Ben"), " ", "from the roof"],
        ),
        ("[Tom] carried [Ben] in a bag", "Ben", []),
        ("[Tom] carried the cup in his bag", "the cup", []),
        ("[Tom] gave [Ben] the ring", "the ring", [" to ", Candidate(2, "Ben")]),
        ("[Tom] asked [Ben] a question", "Ben", [" ", "a question"]),
    ],
)
def test_one_object_is_promoted_and_what_stood_beside_it_stays(
    line: str, whole: str, after: list[Part]
) -> None:
    found = promoted(line)
    assert (found.whole.text, found.after) == (whole, after)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[Tom] built [Ben] a hut", "two objects"),
        ("[Tom] gave [Ben] old maps to study", "two objects"),
        ("[Tom] opened the gift from [Ben]", "where the agent would go"),
        ("[Tom] lifted the cup onto his table", "where the agent would go"),
        ("[Tom] wiped the cup on the table", "where the agent would go"),
        ("[Tom] put [Ben] near the stove", "where the agent would go"),
        ("[Tom] called [Ben] loudly", "where the agent would go"),
        ("[Tom] wrote down the names", "something comes between verb and object"),
    ],
)
def test_where_it_is_not_plain_what_is_promoted_nothing_is(line: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        promoted(line)


def test_a_pronoun_is_the_subject_in_its_case() -> None:
    assert subject("[Tom] saw me near [Ben]") == ["I"]


@pytest.mark.parametrize("line", ["A man saw a dog", "Cats watched dogs", "[Tom] broke my cup"])
def test_what_is_no_newer_than_the_agent_may_be_the_subject(line: str) -> None:
    assert subject(line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[Tom] hurt himself near [Ben]", "reflexive"),
        ("[Tom] didn't thank any nurse", "a quantifier and a negation"),
        ("[Tom] took part with [Ben]", "no article"),
        ("[Tom] watched TV with [Ben]", "no article"),
        ("[Tom] washed a cup with [Ben]", "something new would be the subject"),
        ("[Tom] washed cups with [Ben]", "something new would be the subject"),
        ("Ann washed a cup for [Ben]", "something new would be the subject"),
        ("[Tom] broke something", "something new would be the subject"),
        ("[Tom] broke no cup", "something new would be the subject"),
        ("[The uncle of Ben] called [Ben]", "a name would occur twice"),
        ("[Tom] walked ten miles with [Ben]", "not transitive"),
        ("[Tom] sold his boat to [Ben]", "come before what it refers to"),
        ("[Tom] closed his eyes", "come before what it refers to"),
        ("[Tom] saw her", "come before what it refers to"),
        ("[Tom] saw them near [Ben]", "come before what it refers to"),
    ],
)
def test_an_object_that_would_mean_something_else_is_refused(line: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        subject(line)


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
    with pytest.raises(NotApplicable, match="not exactly one noun phrase"):
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
