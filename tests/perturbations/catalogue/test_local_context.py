import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from horsesense.errors import HorsesenseError
from horsesense.perturbations import Perturbed, Voucher
from horsesense.perturbations.catalogue.cutting import LOCAL_CONTEXT, start_of_last_words
from horsesense.schema import BLANK, Entry, Grid, problems
from tests.perturbations.written import applied, entry, result, sensible
from tests.strategies import brisk, singles, tame

MOTH = (
    "[The moth] hit [the lamp] and they laughed because <it = the moth, the lamp> was {dim, lit}."
)


def test_two_words_before_the_blank_and_all_after_it_are_left() -> None:
    done = result(LOCAL_CONTEXT, entry(MOTH))
    assert isinstance(done, Perturbed)
    assert sensible(done.entry.grid) == [
        "Laughed because the moth was dim.",
        "Laughed because the lamp was lit.",
    ]
    assert (done.how, done.voucher) == ("2 words before the blank kept", Voucher.RULE)


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("0", "<it = the moth"),
        ("1", "because <it = the moth"),
        ("4", "and they laughed because <it"),
        ("6", "[2: the lamp] and they laughed because <it"),
        ("8", "(there is no text before the remaining part)"),
        ("99", "(there is no text before the remaining part)"),
    ],
)
def test_the_number_of_words_is_for_the_user_to_choose(words: str, left: str) -> None:
    assert applied(LOCAL_CONTEXT, entry(MOTH), words=words).startswith(left)


@pytest.mark.parametrize("words", ["", "two", "-1", "1.5", "²"])
def test_what_is_no_number_is_refused(words: str) -> None:
    with pytest.raises(HorsesenseError, match="not a number of words"):
        LOCAL_CONTEXT.rewrite(entry(MOTH), LOCAL_CONTEXT.settings({"words": words}))


def test_a_key_phrase_among_the_words_stays_and_one_before_them_does_not_go() -> None:
    near = "in the end {big, small} birds <win, lose> there"
    assert applied(LOCAL_CONTEXT, entry(near)) == "{big, small} birds <win, lose> there"
    far = "in the end {big, small} birds do often <win, lose> there"
    assert applied(LOCAL_CONTEXT, entry(far)) == "(the key phrase is not in the remaining part)"


def test_key_phrases_of_different_lengths_may_stand_in_the_way() -> None:
    text = "at the end {dark, very dark} owls <hid, ran>"
    apart = "(the two problems would be cut in different places)"
    assert applied(LOCAL_CONTEXT, entry(text), words="3") == apart


def test_a_bracket_before_the_blank_is_no_word() -> None:
    assert start_of_last_words("a plain big (", 1) == len("a plain ")
    assert start_of_last_words("a plain big ", 1) == len("a plain ")


def test_it_applies_to_its_example() -> None:
    assert applied(LOCAL_CONTEXT, entry(LOCAL_CONTEXT.example.strip())).startswith("night because")


@given(grid=singles(tame), words=st.integers(0, 4))
@brisk
def test_so_many_words_are_left_where_no_candidate_is_kept_whole(grid: Grid, words: int) -> None:
    done = result(LOCAL_CONTEXT, Entry("x", grid), words=str(words))
    assume(isinstance(done, Perturbed))
    assert isinstance(done, Perturbed)
    (problem,) = problems(done.entry.grid)
    before, _, _ = problem.statement.text.partition(BLANK)
    left = len(before.split())
    assert left >= words
    assert left == words or problem.statement.spans_of("candidate")
