from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings
from horsesense.perturbations.english.flat_frame import propose_negated
from horsesense.schema import Entry, Grid
from horsesense.schema.notation import print_grid
from tests.perturbations.written import entry, sensible
from tests.strategies import brisk, grids, tame


def negated(text: str) -> str:
    return print_grid(propose_negated(entry(text), Settings()).grid)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<all, not all> lemons are {sour, ripe}",
            "<no, some> lemons are not {sour, ripe}",
        ),
        (
            "<all, not all> {spoons, tools} are {tools, spoons}",
            "<no, some> {spoons, tools} are not {tools, spoons}",
        ),
        (
            "<no, some> kittens are not {young, grey}",
            "<all, not all> kittens are {young, grey}",
        ),
        (  # the answers in the opposite order
            "<not all, all> lemons are {ripe, sour}",
            "<some, no> lemons are not {ripe, sour}",
        ),
        (
            "<All, Not all> snow is {cold, clean}.",
            "<No, Some> snow is not {cold, clean}.",
        ),
        (
            "it is |true, false| that <all, not all> lemons are {sour, ripe}",
            "it is |true, false| that <no, some> lemons are not {sour, ripe}",
        ),
    ],
)
def test_the_quantifiers_are_exchanged_and_the_rest_negated(text: str, expected: str) -> None:
    assert negated(text) == expected


def test_what_makes_sense_still_does() -> None:
    done = propose_negated(entry("<all, not all> lemons are {sour, ripe}"), Settings())
    assert sensible(done.grid) == ["No lemons are not sour.", "Some lemons are not ripe."]
    assert done.how == "all/not all → no/some"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<some, no> {birds, penguins} are grey", "no negation to remove"),
        ("<every, not every> lemon is {sour, ripe}", "not such quantifiers"),
        ("<all, not all> {owls, emus} can fly", "no copula"),
        ("<all, not all> hats that fit him are {small, blue}", "not a plain noun phrase"),
        ("<all, not all> lemons are not {sweet, ripe}", "already negated"),
        ("<all, not all> lemons are {not sweet, ripe}", "already negated"),
        ("she ate <all, not all> pies that were {hot, good}", "start of a clause"),
        ("[Ida] met [Ann] when <she = Ida, Ann> was {older, younger}", "a Winograd schema"),
    ],
)
def test_what_cannot_be_trusted_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        negated(text)


@brisk
@given(st.sampled_from(["lemons", "old hats", "cups of tea"]), st.sampled_from(["are", "were"]))
def test_the_negation_of_the_negation_is_the_schema(subject: str, copula: str) -> None:
    text = f"<all, not all> {subject} {copula} {{cold, sweet}}"
    assert negated(negated(text)) == text


@brisk
@given(grids(tame))
def test_any_grid_is_rewritten_or_refused(grid: Grid) -> None:
    with suppress(NotApplicable, SchemaError):
        propose_negated(Entry("x", grid), Settings())
