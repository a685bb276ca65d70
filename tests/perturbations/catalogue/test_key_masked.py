import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from horsesense.perturbations import Perturbed, Voucher
from horsesense.perturbations.catalogue.masking import KEY_MASKED
from horsesense.schema import Entry, Schema, problems
from tests.perturbations.written import applied, entry, result
from tests.strategies import brisk, squares, tame

BROOM = "[The broom] hid [the door] because <it = the broom, the door> was {thick, near}."


def test_two_problems_become_one_without_a_right_answer() -> None:
    done = result(KEY_MASKED, entry(BROOM))
    assert isinstance(done, Perturbed)
    (problem,) = problems(done.entry.grid)
    assert problem.statement.text == "The broom hid the door because ___ was."
    assert problem.right is None and problem.options == (("the broom",), ("the door",))
    assert (done.how, done.voucher) == ("the key phrase removed", Voucher.RULE)


def test_a_mask_may_stand_for_the_key_phrase() -> None:
    done = result(KEY_MASKED, entry(BROOM), mask="[MASK]")
    assert isinstance(done, Perturbed)
    (problem,) = problems(done.entry.grid)
    assert problem.statement.text == "The broom hid the door because ___ was [MASK]."
    assert done.how == "[MASK] for the key phrase"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{owls, voles} <do, do not> eat {voles, owls}", "<? do, do not> eat"),
        ("{three, nine} geese are <fewer, more>", "geese are <? fewer, more>"),
        ("they are {up, down}, so go <up, down>", "they are, so go <? up, down>"),
        ("they are {up, down} now so go <up, down>", "they are now so go <? up, down>"),
        ("It fell. {big, small} owls <hid, ran>", "It fell. Owls <? hid, ran>"),
        ("[Nora] {fed, bit} [Lena] as <she = Nora, Lena> sat", "[Nora] [Lena] as <? she = Nora, "),
        ("! it was {up, far} , so <it ran, it hid>", "! It was , so <? it ran, it hid>"),
        ("! {up, far} they <ran, hid>", "! They <? ran, hid>"),
    ],
)
def test_spaces_close_up_and_capitals_are_put_right(text: str, expected: str) -> None:
    assert applied(KEY_MASKED, entry(text)).startswith(expected)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("so the <owl*, vole> hid", "a single problem has no key phrases"),
        ("It is |true, false| that owls <do, do not> {eat, fear} voles.", "a dyad has a truth"),
        ("a swimmer can <breathe, drown> {, under water}", "a key phrase is empty, so one of the"),
    ],
)
def test_where_no_one_problem_comes_of_it_it_does_not_apply(text: str, reason: str) -> None:
    assert applied(KEY_MASKED, entry(text)).startswith(f"({reason}")


def test_an_empty_key_phrase_can_be_masked() -> None:
    text = "a swimmer can <breathe, drown> {, under water}"
    masked = applied(KEY_MASKED, entry(text), mask="[MASK]")
    assert masked == r"a swimmer can <? breathe, drown> \[MASK\]"


def test_it_applies_to_its_example() -> None:
    assert applied(KEY_MASKED, entry(KEY_MASKED.example.strip())).endswith("was too.")


@given(grid=squares(tame), mask=st.sampled_from(["", "[MASK]", "…"]))
@brisk
def test_options_and_mask_are_all_that_is_left_of_the_choice(grid: Schema, mask: str) -> None:
    done = result(KEY_MASKED, Entry("x", grid), mask=mask)
    assume(isinstance(done, Perturbed))
    assert isinstance(done, Perturbed)
    (problem,) = problems(done.entry.grid)
    assert problem.right is None
    lengths = [len(one.text.split()) for one in problem.sentences]
    before = [
        len(one.text.split()) - sum(len(phrase.split()) for phrase in grid.keys.values[0])
        for one in problems(grid)[0].sentences
    ]
    places = grid.keys.placeholders if mask else 0
    assert lengths == [count + places for count in before]


def test_between_a_candidate_and_a_placeholder_nothing_closes_up() -> None:
    one = entry("[Ann]{ and, or} [Eve] left as <she = Ann, Eve> was ill.")
    assert applied(KEY_MASKED, one) == "[Ann] [Eve] left as <? she = Ann, Eve> was ill."
