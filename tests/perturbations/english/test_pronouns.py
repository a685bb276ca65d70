import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.nouns import (
    Case,
    Number,
    Sort,
    case_of,
    case_of_target,
    gender_of_pronoun,
    is_plural_pronoun,
    pronoun,
    pronoun_in_number,
    sort_of_pronoun,
)
from horsesense.perturbations.english.people import Gender
from horsesense.perturbations.english.pipeline import parse
from horsesense.schema import Target


@given(st.sampled_from(Gender), st.sampled_from(Case))
def test_a_pronoun_tells_the_gender_it_was_made_for(gender: Gender, case: Case) -> None:
    assert gender_of_pronoun(pronoun(gender, case)) is gender
    assert gender_of_pronoun(pronoun(gender, case).capitalize()) is gender


@pytest.mark.parametrize("word", ["it", "they", "who", "I", "_"])
def test_other_pronouns_tell_none(word: str) -> None:
    assert gender_of_pronoun(word) is None


@pytest.mark.parametrize(
    ("sentence", "word", "case"),
    [
        ("We saw her at the station.", "her", Case.OBJECT),
        ("We saw her bicycle at the station.", "her", Case.OWNER),
        ("Her bicycle was at the station.", "Her", Case.OWNER),
        ("His bicycle was at the station.", "His", Case.OWNER),
        ("The bicycle was his.", "his", Case.OWNER_ALONE),
        ("The bicycle was hers.", "hers", Case.OWNER_ALONE),
        ("He hurt himself.", "himself", Case.REFLEXIVE),
        ("He hurt himself.", "He", Case.SUBJECT),
    ],
)
def test_the_sentence_tells_the_case(sentence: str, word: str, case: Case) -> None:
    token = next(one for one in parse(sentence) if one.text == word)
    assert case_of(token) is case


def test_her_before_a_noun_that_it_may_not_own_is_refused() -> None:
    token = next(one for one in parse("She fed her soup.") if one.text == "her")
    token.tag_, token.dep_ = "PRP", "dative"
    with pytest.raises(NotApplicable, match="'her' may be an object or an owner"):
        case_of(token)


def test_her_of_which_tag_and_syntax_disagree_is_refused() -> None:
    token = next(one for one in parse("She gave her apples.") if one.text == "her")
    token.tag_, token.dep_ = "PRP$", "dative"
    with pytest.raises(NotApplicable, match="'her' may be an object or an owner"):
        case_of(token)


@pytest.mark.parametrize(
    ("written", "case"),
    [
        ("she", Case.SUBJECT),
        ("He", Case.SUBJECT),
        ("her", Case.OBJECT),
        ("him", Case.OBJECT),
        ("her's", Case.OWNER),
        ("his", Case.OWNER),
        ("herself", Case.REFLEXIVE),
    ],
)
def test_the_notation_tells_the_case_of_a_target(written: str, case: Case) -> None:
    assert case_of_target(Target(written)) is case


def test_pronouns_tell_sort_and_number() -> None:
    assert sort_of_pronoun("Herself") is Sort.FEMALE and sort_of_pronoun("its") is Sort.THING
    assert sort_of_pronoun("we") is None and sort_of_pronoun("they") is None
    assert is_plural_pronoun("Their") and not is_plural_pronoun("his")


@given(st.sampled_from([Sort.MALE, Sort.FEMALE, Sort.THING]), st.sampled_from(Case))
def test_a_pronoun_in_a_number_tells_that_number(sort: Sort, case: Case) -> None:
    assert is_plural_pronoun(pronoun_in_number(Number.PLURAL, sort, case))
    assert sort_of_pronoun(pronoun_in_number(Number.SINGULAR, sort, case)) is sort
