from horsesense.perturbations import Perturbed, pairs
from horsesense.perturbations.catalogue.modes import DYADIC
from horsesense.schema import problems
from tests.perturbations.written import applied, entry, result

LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"


def test_a_schema_is_wrapped_in_any_wrapper() -> None:
    assert applied(DYADIC, entry(LORRY)) == (
        "It is |true, false| that a lorry <can, cannot> pass under a {high, low} bridge"
    )
    probable = applied(DYADIC, entry(LORRY), wrapper="That … is |probable, improbable|.")
    assert probable.endswith("is |probable, improbable|.")


def test_each_problem_goes_with_two_and_the_false_one_turns_the_options_round() -> None:
    before = entry(LORRY)
    done = result(DYADIC, before)
    assert isinstance(done, Perturbed)
    old, new = problems(before.grid), problems(done.entry.grid)
    found = pairs(before.grid, done.entry.grid, DYADIC)
    assert sorted((pair.before, pair.after) for pair in found) == [(0, 0), (0, 1), (1, 2), (1, 3)]
    for pair in found:
        right = old[pair.before].right
        assert right is not None
        assert new[pair.after].right == pair.options[right]
        is_true = "true" in new[pair.after].sentences[0].text
        assert pair.options == ((0, 1) if is_true else (1, 0))


def test_what_does_not_fit_into_a_wrapper_is_left_out() -> None:
    two = "[Nora] saw [Lena]. <She = Nora, Lena> {waved, hid}."
    assert applied(DYADIC, entry(two)) == (
        "(only one sentence fits into a wrapper, and this has several)"
    )
    dyad = "It is |true, false| that {owls, voles} <do, do not> eat {voles, owls}."
    assert applied(DYADIC, entry(dyad)) == "(a dyad is already wrapped)"
    assert applied(DYADIC, entry("the <owl*, vole> hoots")) == (
        "(a single problem has no key phrases)"
    )
