from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings
from horsesense.perturbations.english.flat_frame import propose_adversarial_voice
from horsesense.schema import Entry, Grid
from horsesense.schema.notation import print_grid
from tests.perturbations.written import entry, sensible
from tests.strategies import brisk, grids, tame


def voiced(text: str) -> str:
    return print_grid(propose_adversarial_voice(entry(text), Settings()).grid)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "{owls, voles} <do, do not> eat {voles, owls}",
            "{voles, owls} <are, are not> eaten by {owls, voles}",
        ),
        (
            "{owls, voles} <eat, do not eat> {voles, owls}",
            "{voles, owls} <are, are not> eaten by {owls, voles}",
        ),
        (
            "a child <can, cannot> lift a {light, heavy} bag",
            "a {light, heavy} bag <can, cannot> be lifted by a child",
        ),
        (  # the verb follows its subject
            "the farmers <do not, do> milk the {bull, cow}",
            "the {bull, cow} <is not, is> milked by the farmers",
        ),
        (
            "The cook <did, did not> wash the {dirty, clean} plates.",
            "the {dirty, clean} plates <were, were not> washed by the cook.",
        ),
        (
            "a {heavy, light} bag <cannot, can> be lifted by a child",
            "a child <cannot, can> lift a {heavy, light} bag",
        ),
        (
            "{voles, owls} <are, are not> eaten by {owls, voles}",
            "{owls, voles} <do, do not> eat {voles, owls}",
        ),
    ],
)
def test_subject_and_object_change_places_with_their_keys(text: str, expected: str) -> None:
    assert voiced(text) == expected


def test_what_makes_sense_still_does() -> None:
    text = "{owls, voles} <do, do not> eat {voles, owls}"
    done = propose_adversarial_voice(entry(text), Settings())
    assert sensible(done.grid) == ["Voles are eaten by owls.", "Owls are not eaten by voles."]
    assert done.how == "eat → eaten by"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{owls, voles} are <larger, smaller> than {voles, owls}", "not an auxiliary"),
        ("a ball <will, will not> roll down a {steep, flat} path", "no object"),
        ("a goat <can, cannot> eat all {leaves, stones}", "quantifier"),
        ("a goat <can, cannot> eat {leaves, stones} on its own", "pronoun"),
        ("{goats, hens} <do, do not> have horns", "no passive"),
        ("goats <do, do not> eat {a leaf, stones}", "differ in number"),
        ("a {high, low} gate <can, cannot> be opened quickly", "no verb with an object"),
        ("Nora <does, does not> feed the {hen, stone}.", "capital"),
        ("the boys <do, do not> see the {brown, white} sheep", "number of the object is unclear"),
        ("the boys <do, do not> sees the {cow, hen}", "no object"),
        ("the boy <is, is not> blue by the {cow, hen}", "no participle"),
        ("<can, cannot> lift the {bag, box}", "a side is empty"),
        ("the boy <did, did not go> see the {cow, hen}", "not an auxiliary"),
        ("[Ida] met [Ann] when <she = Ida, Ann> was {older, younger}", "a Winograd schema"),
    ],
)
def test_what_cannot_be_trusted_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        voiced(text)


@brisk
@given(
    st.sampled_from(["lift", "carry", "push", "break"]),
    st.sampled_from(["can, cannot", "will, will not", "does, does not", "did not, did"]),
)
def test_the_active_of_the_passive_is_the_schema(verb: str, answers: str) -> None:
    text = f"the child <{answers}> {verb} the {{small, large}} box"
    assert voiced(voiced(text)) == text


@brisk
@given(grids(tame))
def test_any_grid_is_rewritten_or_refused(grid: Grid) -> None:
    with suppress(NotApplicable, SchemaError):
        propose_adversarial_voice(Entry("x", grid), Settings())
