from contextlib import suppress

import pytest
from hypothesis import given

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings
from horsesense.perturbations.english.adverb import propose_adverb
from horsesense.perturbations.rewriting import renderings
from horsesense.schema import Entry, Grid, Schema
from horsesense.schema.notation import print_grid
from tests.perturbations.written import entry
from tests.strategies import brisk, grids, tame

TAIL = "because <she = Ann, Eve> was {lonely, kind}."
NO_VERB = "no verb that an adverb would fit"


def added(text: str, seed: int = 0) -> list[str]:
    """The words that have come in, each with the word before it and the word after."""
    one = entry(text)
    done = propose_adverb(one, Settings(seed=seed))
    before, after = (renderings(grid)[0].text.split() for grid in (one.grid, done.grid))
    found, place = [], 0
    for number, word in enumerate(after):
        if place < len(before) and word == before[place]:
            place += 1
        else:
            found.append(" ".join(after[number - 1 : number + 2]))
    assert place == len(before)
    return found


def refused(text: str) -> str:
    with pytest.raises(NotApplicable) as error:
        propose_adverb(entry(text), Settings())
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"[Ann] wanted to sing with [Eve] {TAIL}", "Ann really wanted"),
        (f"[Ann] hates [Eve] {TAIL}", "Ann really hates"),
        (f"[Ann] tried to find [Eve] {TAIL}", "Ann repeatedly tried"),
        (f"[Ann] was waiting for [Eve] {TAIL}", "was patiently waiting"),
        (f"[Ann] asked [Eve] for a comb {TAIL}", "Ann politely asked"),
        (f"[Ann] lifted the vase for [Eve] {TAIL}", "Ann carefully lifted"),
        (f"[Ann] saw [Eve] dancing {TAIL}", "Ann suddenly saw"),
        (f"[Ann] hired [Eve] {TAIL}", "Ann recently hired"),
        (f"[Ann] had hired [Eve] {TAIL}", "had recently hired"),
        (f"[Ann] often sings, but she wants to hear [Eve] {TAIL}", "she really wants"),
        (
            "[The jug] fell off [the bench] as <it = the jug, the bench> {slid, shook}.",
            "jug suddenly",
        ),
        ("[Ann] borrowed [a cup] because <it = Ann, the cup*> was red.", "Ann recently borrowed"),
    ],
)
def test_a_verb_of_a_known_kind_gets_the_adverb_of_its_kind(text: str, wanted: str) -> None:
    (only,) = added(text)
    assert only.startswith(wanted)


@pytest.mark.parametrize(
    "text",
    [
        f"[Ann] hummed with [Eve] {TAIL}",  # of no kind
        f"[Ann] is near [Eve] {TAIL}",
        f"[Ann] did not want to see [Eve] {TAIL}",
        f"[Ann] must hate [Eve] {TAIL}",
        f"[Ann] warmly thanked [Eve] {TAIL}",
        f"[Ann] liked cake more than [Eve] {TAIL}",
        f"[Ann] tried the soup of [Eve] {TAIL}",
        f"[Ann] tried to bake a cake with [Eve] {TAIL}",
        f"[Ann] saw a film with [Eve] {TAIL}",
        f"[Ann] placed an order with [Eve] {TAIL}",
        f"[Ann] hired [Eve] last week {TAIL}",
        f"[Ann] hired [Eve] in 1990 {TAIL}",
        f"[Ann] hired [Eve]. She is glad {TAIL}",
        f"[Ann] hummed, and Bob hired [Eve] {TAIL}",
        "The crane lifted [the box] off [the car] as <it = the box, the car> was {new, old}.",
        "[Ann] met [Eve], and <she = Ann, Eve> wanted to {sit, rest}.",
        "We found [a rag] and [a cup], and Tom put <it = the rag, the cup> in the {bin, rack}.",
        f"[Ann] really is odd, but she wants to hear [Eve] {TAIL}",
        "[Ann] {wanted, tried} to see [Eve] as <she = Ann, Eve> was ill.",
    ],
)
def test_a_verb_that_no_adverb_plainly_fits_is_left_alone(text: str) -> None:
    assert refused(text) == NO_VERB


def test_a_sentence_gets_one_adverb_and_two_sentences_get_different_ones() -> None:
    text = f"[Ann] wanted tea and hated [Eve] {TAIL}"
    assert [one.split()[1] for one in added(text)] == ["really"]
    both = added(f"Tom carried the box. [Ann] wanted to see [Eve] {TAIL}")
    assert [one.split()[1] for one in both] == ["carefully", "really"]
    assert len(added(f"Tom wanted tea. [Ann] wanted to see [Eve] {TAIL}")) == 1


def test_both_problems_get_the_same_adverb_and_all_else_stays() -> None:
    text = "[Jim] {greeted, thanked} [Kim] because <he = Jim, Kim> had cooked the soup."
    one = entry(text)
    done = propose_adverb(one, Settings())
    assert isinstance(one.grid, Schema) and isinstance(done.grid, Schema)
    assert (done.grid.keys, done.grid.answers) == (one.grid.keys, one.grid.answers)
    assert "[Jim] warmly {greeted, thanked} [Kim]" in print_grid(done.grid)
    assert done.how == "warmly greeted"


def test_the_same_seed_gives_the_same_adverb_and_another_may_not() -> None:
    text = f"[Ann] envied [Eve] {TAIL}"
    assert added(text, 3) == added(text, 3)
    assert len({tuple(added(text, seed)) for seed in range(20)}) == 2


def test_a_question_is_refused() -> None:
    assert refused("Did [Ann] see [Eve]? <She = Ann, Eve> {looked, hid}.") == "it asks a question"


@brisk
@given(grids(tame))
def test_no_text_is_too_odd_to_be_refused_properly(grid: Grid) -> None:
    with suppress(NotApplicable, SchemaError):
        done = propose_adverb(Entry("x", grid), Settings())
        assert type(done.grid) is type(grid) and done.grid.cells == grid.cells
