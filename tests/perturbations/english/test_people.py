import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.people import (
    Gender,
    bound_word,
    counterpart,
    draw_names,
    frequent_names,
    gender_of_name,
    gender_of_noun,
    genders_of_names,
    is_given_name,
    names_in,
    noun_of,
)
from horsesense.perturbations.english.pipeline import parse


def test_a_hundred_names_of_each_gender_may_be_drawn_and_none_is_of_both() -> None:
    female, male = (set(frequent_names(gender)) for gender in (Gender.FEMALE, Gender.MALE))
    assert len(female) >= 100
    assert len(male) >= 100
    assert not female & male


@pytest.mark.parametrize("gender", list(Gender))
def test_what_may_be_drawn_tells_its_gender(gender: Gender) -> None:
    assert {gender_of_name(name) for name in frequent_names(gender)} == {gender}


def test_a_name_of_either_gender_is_a_name_and_no_more() -> None:
    assert is_given_name("Kim")
    assert gender_of_name("Kim") is None
    assert not is_given_name("Teapot")


@given(st.integers(), st.lists(st.sampled_from(Gender), max_size=4))
def test_drawn_names_have_the_gender_asked_for_and_initials_of_their_own(
    seed: int, genders: list[Gender]
) -> None:
    taken = {"Anna", "Peter"}
    drawn = draw_names(random.Random(seed), genders, taken)
    assert [gender_of_name(name) for name in drawn] == genders
    assert all(one[0] != other[0] for one, other in combinations(drawn, 2))
    assert not taken & set(drawn)


def test_where_every_name_is_taken_none_is_drawn() -> None:
    with pytest.raises(NotApplicable, match="names is too short"):
        draw_names(random.Random(0), [Gender.MALE], frequent_names(Gender.MALE))


@pytest.mark.parametrize(
    ("phrase", "given_names", "unknown"),
    [
        ("Helen", ("Helen",), ()),
        ("Helen Marsh", ("Helen",), ()),
        ("Dr. Martin", (), ()),
        ("Mrs. Marsh", (), ()),
        ("Uncle Henry", ("Henry",), ()),
        ("Henry's sister", ("Henry",), ()),
        ("the tall gardener", (), ()),
        ("Zebulon", (), ("Zebulon",)),
    ],
)
def test_given_names_are_told_from_surnames(
    phrase: str, given_names: tuple[str, ...], unknown: tuple[str, ...]
) -> None:
    doc = parse(f"Yesterday {phrase} came to see us.")
    found = names_in(doc[1 : 1 + len(parse(phrase))])
    assert (found.given, found.unknown) == (given_names, unknown)


def test_the_target_tells_the_gender_of_a_name_that_does_not() -> None:
    name = parse("Yesterday Kim came to see us.")[1:2]
    assert genders_of_names(name, Gender.FEMALE) == {"Kim": Gender.FEMALE}
    with pytest.raises(NotApplicable, match="either gender"):
        genders_of_names(name, None)


@pytest.mark.parametrize(
    ("sentence", "word", "noun"),
    [
        ("The women left.", "women", "woman"),
        ("We met Mrs. Marsh.", "Mrs.", "mrs"),
        ("It was a near miss.", "miss", None),
        ("They man the pumps.", "man", None),
        ("The gardener left.", "gardener", None),
    ],
)
def test_a_gendered_noun_is_known_in_any_number(sentence: str, word: str, noun: str | None) -> None:
    token = next(one for one in parse(sentence) if one.text == word)
    assert noun_of(token) == noun


@pytest.mark.parametrize(("male", "female"), [("uncle", "aunt"), ("waiter", "waitress")])
def test_counterparts_are_each_others(male: str, female: str) -> None:
    assert (counterpart(male), counterpart(female)) == (female, male)
    assert (gender_of_noun(male), gender_of_noun(female)) == (Gender.MALE, Gender.FEMALE)


def test_a_noun_without_a_counterpart_is_refused() -> None:
    with pytest.raises(NotApplicable, match="'fireman' has no counterpart"):
        counterpart("fireman")


def test_words_that_go_with_one_gender_are_found() -> None:
    assert bound_word(["a", "long", "beard"]) == "beard"
    assert bound_word(["a", "long", "coat"]) is None
