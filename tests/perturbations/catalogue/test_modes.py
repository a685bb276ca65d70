import pytest
from hypothesis import given, reject

from horsesense.perturbations import NotApplicable, Perturbed, Voucher, checks, pairs
from horsesense.perturbations.catalogue.modes import BY_BOOLEAN, BY_KEY
from horsesense.schema import Entry, Schema, problems
from horsesense.schema.notation import print_grid
from tests.perturbations.written import applied, entry, result
from tests.strategies import brisk, squares, tame

LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"


def test_by_key_the_grid_is_the_same_and_only_schemas_correspond() -> None:
    before = entry(LORRY, invertible="yes", moved_keys="a {high, low} bridge <lets, stops> it")
    done = result(BY_KEY, before)
    assert isinstance(done, Perturbed)
    # Nothing was rewritten, so the author's material still fits.
    assert done.entry == before
    assert done.voucher is Voucher.AUTHOR
    assert pairs(before.grid, done.entry.grid, BY_KEY) == ()


def test_by_key_asks_for_the_author_and_for_phrases() -> None:
    assert applied(BY_KEY, entry(LORRY, invertible="no")) == "(not invertible)"
    assert applied(BY_KEY, entry("the <owl*, vole> hoots")) == (
        "(a single problem has no key phrases)"
    )


def test_by_boolean_needs_a_dyad() -> None:
    assert applied(BY_BOOLEAN, entry(LORRY)) == "(a substitution schema has no truth pair)"
    dyad = "It is |true, false| that {owls, voles} <do, do not> eat {voles, owls}."
    assert applied(BY_BOOLEAN, entry(dyad)) == dyad


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "a swimmer <breathes, drowns> well {, under water}",
            "a swimmer <breathes, drowns> {well, well under water}",
        ),
        (
            "is it {, not} so, <yes, no> it is.",
            "is {it, it not} so, <yes, no> it is.",
        ),
        (
            "a swimmer can <breathe, drown> {, under} water",
            "a swimmer can <breathe, drown> {water, under water}",
        ),
    ],
)
def test_by_key_an_empty_key_phrase_gets_a_word_from_beside_it(text: str, expected: str) -> None:
    done = result(BY_KEY, entry(text))
    assert isinstance(done, Perturbed)
    assert print_grid(done.entry.grid) == expected
    assert done.how.startswith("read by key, with ")


def test_by_key_nothing_can_be_added_between_two_placeholders() -> None:
    assert applied(BY_KEY, entry("a swimmer can <breathe, drown> {, under water}")) == (
        "(a key phrase is empty, and no word beside it can be added)"
    )


@brisk
@given(squares(tame))
def test_inverting_twice_gives_the_problems_back(grid: Schema) -> None:
    """By key is a reading: the sentences of one mode are those of the other, by another axis."""
    try:
        once = BY_KEY.rewrite(Entry("e", grid), BY_KEY.settings())
    except NotApplicable:
        reject()
    by_key, by_answer = problems(once.grid, BY_KEY.mode), problems(once.grid)
    turned = [[problem.sentences[n] for problem in by_key] for n in (0, 1)]
    assert turned == [list(problem.sentences) for problem in by_answer]
    assert checks.sentences(once.grid) == checks.sentences(grid)
