from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings
from horsesense.perturbations.english.adjectives import propose_unbalanced
from horsesense.perturbations.english.pipeline import table
from horsesense.schema import Entry, Grid, LooseGrid, Schema
from horsesense.schema.notation import print_grid
from tests.perturbations.written import entry
from tests.strategies import brisk, grids, tame

LADLE = (
    "[The ladle] would not go into [the drawer] because <it = the ladle, the drawer> was too "
    "{long, short}."
)


def proposed(text: str, candidate: str = "second", seed: int = 0) -> str:
    done = propose_unbalanced(entry(text), Settings({"candidate": candidate}, seed))
    return print_grid(done.grid)


def added(text: str, candidate: str = "second", seed: int = 0) -> str:
    """The proposal with a + in the place of the words that have come in."""
    after = proposed(text, candidate, seed)
    lists = table("adjectives")
    names = lists["surnames"]
    for surnames in (f"{one} {two}" for one in names["first"] for two in names["last"]):
        after = after.replace(surnames, "+")
    words = {word for one in lists["modifiers"] for word in one["words"]}
    for word in words:
        after = after.replace(f"{word} ", "+ ")
    while "+ +" in after:
        after = after.replace("+ +", "+")
    return after


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LADLE, LADLE.replace("the drawer", "the + drawer")),
        (
            "[Nora] fed [Lena] as <she = Nora, Lena> {cooked, asked}.",
            "[Nora] fed [Lena +] as <she = Nora, Lena +> {cooked, asked}.",
        ),
        (
            "[Nora] fed [Lena]'s hen as <she = Nora, Lena> {cooked, asked}.",
            "[Nora] fed [Lena +]'s hen as <she = Nora, Lena +> {cooked, asked}.",
        ),
        (
            "[Nora] fed [Dr. Hill] as <she = Nora, Dr. Hill> {cooked, asked}.",
            "[Nora] fed [Dr. + Hill] as <she = Nora, Dr. + Hill> {cooked, asked}.",
        ),
        (  # answer and candidate in other words
            "[Nora] fed [her aunt] as <she = Nora, Nora's aunt> {cooked, asked}.",
            "[Nora] fed [her + aunt] as <she = Nora, Nora's + aunt> {cooked, asked}.",
        ),
        (
            "[Nora] fed [one of the cooks] as <she = Nora, the cook> {cooked, asked}.",
            "[Nora] fed [one of the + cooks] as <she = Nora, the + cook> {cooked, asked}.",
        ),
        (
            "[Nora] saw [the diver Lena] as <she = Nora, Lena> {looked, rose}.",
            "[Nora] saw [the + diver Lena] as <she = Nora, the + diver Lena> {looked, rose}.",
        ),
        (  # every mention
            "[1: Ned] hit [2: Tom], but [2: Tom] ran. <He = Ned, Tom> was {angry, afraid}.",
            "[1: Ned] hit [2: Tom +], but [2: Tom +] ran. <He = Ned, Tom +> was {angry, afraid}.",
        ),
        (  # a noun without an article, of which the answer has one
            "[The pipe] was full of [sand], so <it = the pipe, the sand> was {cut, blown out}.",
            "[The pipe] was full of [+ sand], so <it = the pipe, the + sand> was {cut, blown out}.",
        ),
    ],
)
def test_the_second_candidate_and_its_answer_grow_alike(text: str, expected: str) -> None:
    assert added(text) == expected


def test_the_first_candidate_may_grow_instead() -> None:
    expected = LADLE.replace("The ladle", "The + ladle").replace("the ladle", "the + ladle")
    assert added(LADLE, "first") == expected


@brisk
@given(st.integers(0, 10_000))
def test_the_article_goes_with_what_follows(seed: int) -> None:
    inside = proposed("Ned hid [the cup] in [a box]; <it = the cup, the box> {a, b}.", seed=seed)
    assert ("[an oft-" in inside) == ("[an " in inside) == ("the oft-" in inside)
    outside = proposed("Ned hid a [cup] in a [box]; the <_ = cup, box> {a, b}.", seed=seed)
    assert "a [oft-" not in outside


@brisk
@given(st.integers(0, 10_000))
def test_no_modifier_bears_on_the_answer(seed: int) -> None:
    text = LADLE.replace("long", "crooked")
    assert "lopsided" not in proposed(text, seed=seed)


def test_the_same_seed_gives_the_same_and_others_give_others() -> None:
    assert proposed(LADLE, seed=5) == proposed(LADLE, seed=5)
    assert len({proposed(LADLE, seed=seed) for seed in range(20)}) > 3


def test_the_rows_of_a_loose_pair_get_the_same_words() -> None:
    text = (
        "[Ann] called [Eve] because <she = Ann*, Eve> was bored.\n"
        "& [Ann] called [Eve] although <she = Ann, Eve*> never picked up."
    )
    grid = propose_unbalanced(entry(text), Settings({"candidate": "second"})).grid
    assert isinstance(grid, LooseGrid)
    assert grid.rows[0].answers == grid.rows[1].answers
    assert grid.rows[0].answers.values[0] == ("Ann",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[The Elbe] is near [Oder], and <it = the Elbe, Oder> is {a, b}.", "may not be a person"),
        ("[The cat] sat on [the dog] bed as <it = the cat, the dog> {a, b}.", "longer noun"),
        ("[Nora] fed [her aunt Lena] as <she = Nora, Lena> {a, b}.", "too different"),
        ("a lorry <can, cannot> pass under a {high, low} bridge", "no marked candidates"),
    ],
)
def test_what_cannot_be_trusted_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        proposed(text)


@brisk
@given(grids(tame), st.sampled_from(["first", "second"]))
def test_any_grid_is_rewritten_or_refused(grid: Grid, candidate: str) -> None:
    with suppress(NotApplicable, SchemaError):
        after = propose_unbalanced(Entry("x", grid), Settings({"candidate": candidate})).grid
        if isinstance(grid, Schema) and isinstance(after, Schema):
            other = 1 if candidate == "first" else 0
            assert after.answers.values[other] == grid.answers.values[other]
            assert after.keys == grid.keys
