"""Quick ways that spare a slow one where it is plain what that would say: they say the same."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.schema import Axis, AxisName, find_unprintable, is_plain
from horsesense.schema.axis import check_axis, folded, is_clean, looks_alike
from horsesense.schema.english import (
    capitalise,
    is_finished_text,
    names_inside,
    opens_sentences,
    starts_sentence,
)
from tests.strategies import patient

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufeff]")
FIRST_WORD = re.compile(r"[^\W_](?:[\w'’.-]*\w)?")
FINISHED = re.compile(r"[.?!…。？！][\"'”’)\]」』]*$")

_WORDS = st.sampled_from(
    [
        "the",
        "The",
        "THE",
        "It",
        "a",
        "A",
        "owl",
        "Owl",
        "eReader",
        "Rita",
        "’",
        "'s",
        "s'",
        "_x",
        "ß",
    ]
)
_CHARACTERS = (
    st.sampled_from("aAzZ19 _.,…。!?\"'”’)]」(“-\n\t\xa0\u3000İıßΣςǅⒶé木") | st.characters()
)
any_texts = st.text(_CHARACTERS, max_size=12) | st.lists(_WORDS, max_size=5).map(" ".join)


def test_what_python_calls_printable_has_a_place_in_a_sentence() -> None:
    printable = (chr(code) for code in range(sys.maxunicode + 1) if chr(code).isprintable())
    assert not any(UNPRINTABLE.search(char) for char in printable)


def test_of_white_space_only_the_space_is_printable() -> None:
    spaces = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    assert [space for space in spaces if space.isprintable()] == [" "]


@given(any_texts)
@patient
def test_the_first_bad_character_is_found(text: str) -> None:
    found = UNPRINTABLE.search(text)
    assert find_unprintable(text) == (found[0] if found else "")


@given(st.lists(any_texts, min_size=1, max_size=4))
@patient
def test_plain_phrases_side_by_side_are_clean_each(phrases: list[str]) -> None:
    if is_plain(f" {' '.join(phrases)} "):
        assert all(phrase and is_clean(phrase) for phrase in phrases)


@given(st.lists(any_texts, min_size=2, max_size=3, unique=True), st.booleans())
@patient
def test_an_axis_is_refused_for_a_phrase_that_is_not_clean(
    phrases: list[str], may_be_empty: bool
) -> None:
    axis = Axis(tuple((phrase,) for phrase in phrases))
    if all(is_clean(phrase) and (phrase or may_be_empty) for phrase in phrases):
        check_axis(axis, AxisName.KEY, may_be_empty=may_be_empty)
    else:
        with pytest.raises(SchemaError):
            check_axis(axis, AxisName.KEY, may_be_empty=may_be_empty)


@given(any_texts)
@patient
def test_letters_and_digits_are_what_is_left_without_the_rest(phrase: str) -> None:
    assert folded(phrase) == re.sub(r"['’]s$|[\W_]+", "", phrase).lower()


@given(st.lists(any_texts, min_size=2, max_size=3))
@patient
def test_values_look_alike_where_two_have_the_same_letters(phrases: list[str]) -> None:
    axis = Axis(tuple((phrase,) for phrase in phrases))
    assert looks_alike(axis) == (len(set(map(folded, phrases))) < len(phrases))


@given(any_texts)
@patient
def test_the_first_word_tells_whether_it_opens_sentences(text: str) -> None:
    word = FIRST_WORD.search(text)
    assert opens_sentences(text) == (word is not None and opens_sentences(f"«{word[0]}"))


@given(any_texts)
@patient
def test_a_first_word_with_a_capital_stays_as_it_is(text: str) -> None:
    word = FIRST_WORD.search(text)
    is_unchanged = word is None or any(char.isupper() for char in word[0])
    assert is_unchanged <= (capitalise(text) == text)


@given(any_texts)
@patient
def test_a_text_is_finished_where_an_end_and_what_closes_it_come_last(text: str) -> None:
    assert is_finished_text(text) == (FINISHED.search(text) is not None)


@given(any_texts)
@patient
def test_names_inside_are_the_capitals_that_start_no_sentence(text: str) -> None:
    words = FIRST_WORD.finditer(text)
    inside = [word for word in words if not starts_sentence(text[: word.start()])]
    names = {re.sub(r"['’].*$", "", word[0]) for word in inside if word[0][0].isupper()}
    assert names_inside(text) == names
