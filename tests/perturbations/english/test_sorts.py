import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations.english.nouns import Sort, goes_with, sort_of, sort_of_name
from horsesense.perturbations.english.pipeline import parse


@pytest.mark.parametrize(
    "noun, sort",
    [
        ("king", Sort.MALE),
        ("fireman", Sort.MALE),
        ("oarsman", Sort.MALE),
        ("nieces", Sort.FEMALE),
        ("stuntwoman", Sort.FEMALE),
        ("teachers", Sort.PERSON),
        ("human", Sort.PERSON),
        ("ladder", Sort.THING),
        ("jugs", Sort.THING),
    ],
)
def test_sorts_of_nouns(noun: str, sort: Sort) -> None:
    assert sort_of(parse(f"We saw the {noun} there.")[3]) is sort


def test_a_name_tells_the_sort_if_it_is_known_and_of_one_gender() -> None:
    assert sort_of_name("Nell") is Sort.FEMALE and sort_of_name("Walter") is Sort.MALE
    assert sort_of_name("Robin") is None and sort_of_name("Oslo") is None


@given(st.sampled_from(Sort), st.sampled_from(Sort))
def test_whoever_goes_with_another_does_so_both_ways(one: Sort, other: Sort) -> None:
    assert goes_with(one, one)
    assert goes_with(one, other) == goes_with(other, one)


def test_somebody_may_be_he_or_she_and_nobody_is_a_thing() -> None:
    assert goes_with(Sort.PERSON, Sort.MALE) and goes_with(Sort.PERSON, Sort.FEMALE)
    assert not goes_with(Sort.MALE, Sort.FEMALE) and not goes_with(Sort.PERSON, Sort.THING)
