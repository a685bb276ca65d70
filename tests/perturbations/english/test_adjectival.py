import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings, Voucher
from horsesense.perturbations.english.adjectives import propose_adjectival
from horsesense.perturbations.english.pipeline import table
from horsesense.schema import Entry, Grid, LooseGrid, Schema, candidates_of
from horsesense.schema.notation import print_grid
from tests.perturbations.written import entry, sensible
from tests.strategies import brisk, grids, tame

LADLE = (
    "[The ladle] would not go into [the drawer] because <it = the ladle, the drawer> was too "
    "{long, short}."
)
SOUP = "[Nora] gave [Lena] the soup because <she = Nora, Lena> {was full, felt cold}."


def proposed(text: str, seed: int = 0) -> Schema:
    grid = propose_adjectival(entry(text), Settings(seed=seed)).grid
    assert isinstance(grid, Schema)
    return grid


def shown(text: str, seed: int = 0) -> str:
    """The proposal with the two adjectives written as 1 and 2."""
    grid = proposed(text, seed)
    first, second = (value[0].split()[-2] for value in grid.answers.values)
    assert [first, second] in [pair["words"] for pair in table("adjectives")["pairs"]]
    return print_grid(grid).replace(first, "1").replace(second, "2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # what is put into the other one can be a drawer too
            LADLE,
            "[The 1 drawer] would not go into [the 2 drawer] because <it = the 1 drawer, "
            "the 2 drawer> was too {long, short}.",
        ),
        (
            SOUP,
            "[The 1 woman] gave [the 2 woman] the soup because <she = the 1 woman, the 2 woman> "
            "{was full, felt cold}.",
        ),
        (
            "[Ned]'s guess beat [Tom]'s guess because <he = Ned, Tom> was {sharp, dull}.",
            "[The 1 man]'s guess beat [the 2 man]'s guess because <he = the 1 man, the 2 man> "
            "was {sharp, dull}.",
        ),
        (
            "[Ned's] guess beat [Tom's] guess because <he = Ned, Tom> was {sharp, dull}.",
            "[The 1 man's] guess beat [the 2 man's] guess because <he = the 1 man, the 2 man> "
            "was {sharp, dull}.",
        ),
        (  # numbers stay with their candidates
            "[2: The lid] was dropped by [1: Ned] onto [2: the lid]; <he = Ned, the lid> {a, b}.",
            "[2: The 2 man] was dropped by [1: the 1 man] onto [2: the 2 man]; <he = the 1 man, "
            "the 2 man> {a, b}.",
        ),
        (  # the one that hunts can be hunted
            "[The wolves] chased [the hares] because <they = the wolves, the hares> were "
            "{hungry, slow}.",
            "[The 1 wolves] chased [the 2 wolves] because <they = the 1 wolves, the 2 wolves> "
            "were {hungry, slow}.",
        ),
        (  # the article stands before the mark
            "The [cup] went into the [box] because the <_ = cup, box> was {small, large}.",
            "The [1 box] went into the [2 box] because the <_ = 1 box, 2 box> was {small, large}.",
        ),
        (  # both were new to the reader
            "She put [a cup] into [a box], and <it = the cup, the box> {broke, shut}.",
            "She put [a 1 box] into [a 2 box], and <it = the 1 box, the 2 box> {broke, shut}.",
        ),
    ],
)
def test_the_candidates_come_to_differ_by_an_adjective(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_of_names_that_nobody_has_recorded_a_pronoun_for_people_remain() -> None:
    mixed = proposed("[Ann] met [Tom] because <_ = Ann, Tom> was {early, late}.")
    women = proposed("[Ann] met [Nora] because <_ = Ann, Nora> was {early, late}.")
    assert {value[0].split()[-1] for value in mixed.answers.values} == {"person"}
    assert {value[0].split()[-1] for value in women.answers.values} == {"woman"}


@brisk
@given(st.integers(0, 10_000))
def test_no_adjective_bears_on_the_answer(seed: int) -> None:
    assert "the tall" not in print_grid(proposed(SOUP.replace("was full", "is short"), seed))
    faded = "[The cup] hit [the jug], so <it = the cup, the jug> {is red, broke}."
    assert re.search(r"the (striped|dotted) (cup|jug)", print_grid(proposed(faded, seed)))


def test_what_makes_sense_still_does_and_the_same_seed_gives_the_same() -> None:
    done = propose_adjectival(entry(LADLE), Settings(seed=3))
    first, second = (value[0] for value in proposed(LADLE, 3).answers.values)
    assert [text.split("because ")[1] for text in sensible(done.grid)] == [
        f"{first} was too long.",
        f"{second} was too short.",
    ]
    assert done == propose_adjectival(entry(LADLE), Settings(seed=3))
    assert done.how == f"candidates → {first} and {second}"
    assert done.voucher is Voucher.NOBODY
    assert len({print_grid(proposed(LADLE, seed)) for seed in range(20)}) > 1


def test_the_rows_of_a_loose_pair_get_the_same_words() -> None:
    text = (
        "[Ann] called [Eve] because <she = Ann*, Eve> was bored.\n"
        "& [Ann] called [Eve] although <she = Ann, Eve*> never picked up."
    )
    grid = propose_adjectival(entry(text), Settings()).grid
    assert isinstance(grid, LooseGrid)
    first, second = grid.rows
    assert first.answers == second.answers
    assert [row.right for row in grid.rows] == [0, 1]


def test_what_the_author_calls_unsymmetrical_is_refused() -> None:
    with pytest.raises(NotApplicable, match="^not symmetrical$"):
        propose_adjectival(entry(LADLE, symmetrical="no"), Settings())
    assert propose_adjectival(entry(LADLE, symmetrical="yes"), Settings())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[The idea] beat [the plan] as <it = the idea, the plan> was {good, bad}.", "is unknown"),
        ("[The dog] bit [the cup], so <it = the dog, the cup> {fled, broke}.", "different kinds"),
        ("[The cup] hit [the jugs], so <it = the cup, the jugs> {fled, broke}.", "number"),
        ("[The cup] hit [the jug]. When the cup fell, <it = the cup, the jug> {a, b}.", "again"),
        ("Her dear friend [Ann] met [Eve] as <she = Ann, Eve> was {early, late}.", "belongs|appos"),
        ("There is [a cup] in [the box]. <It = the cup, the box> is {a, b}.", "there is"),
        ("By [the dog] bed [the cat] lay, as <it = the dog, the cat> {a, b}.", "longer noun"),
        ("a lorry <can, cannot> pass under a {high, low} bridge", "no marked candidates"),
        ("My brother, [Tom], met [Ben] because <he = Tom, Ben> was {early, late}.", "apposition"),
        ("[The cup] hit [the jug], so <it = the cup, the jug> {fell red, broke} striped.", "neut"),
        (
            "The [1: cup] hit [2: the jug], and then [1: cup] fell, so <it = the cup, the jug> "
            "{broke, bent}.",
            "not always used with its article",
        ),
    ],
)
def test_what_cannot_be_trusted_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        proposed(text)


@brisk
@given(grids(tame))
def test_any_grid_is_rewritten_or_refused(grid: Grid) -> None:
    with suppress(NotApplicable, SchemaError):
        after = propose_adjectival(Entry("x", grid), Settings()).grid
        if isinstance(grid, Schema) and isinstance(after, Schema):
            numbers = [[one.number for one in candidates_of(g.frame)] for g in (grid, after)]
            assert numbers[0] == numbers[1]
            assert after.keys == grid.keys
