from __future__ import annotations

from importlib.resources import files

import inflect
import pytest

from horsesense.errors import GenerationError
from horsesense.generation.words import joined, number_word, table, with_article

TABLES = sorted(
    file.name.removesuffix(".toml")
    for file in (files("horsesense.generation") / "tables").iterdir()
    if file.name.endswith(".toml")
)


@pytest.fixture(scope="module")
def english() -> inflect.engine:
    return inflect.engine()


def test_numbers_are_spelt_as_a_library_spells_them(english: inflect.engine) -> None:
    for number in [*range(2_000), 12_345, 99_999, 100_000, 340_021, 999_999]:
        spelt = english.number_to_words(number, comma="")
        assert number_word(number) == spelt, number


def test_a_million_and_more_are_written_in_digits() -> None:
    assert number_word(1_000_000) == "1000000"


def test_there_is_no_word_for_less_than_nothing() -> None:
    with pytest.raises(GenerationError, match="-1 is not a count"):
        number_word(-1)


@pytest.mark.parametrize("name", TABLES)
def test_every_table_can_be_read(name: str) -> None:
    assert table(name)


def test_clauses_are_joined_with_one_and() -> None:
    assert joined(["a", "b"]) == "a and b"


@pytest.mark.parametrize("word", ["owl", "unicorn", "hour", "hen", "egg", "umbrella", "useful box"])
def test_articles_are_those_of_a_library(word: str, english: inflect.engine) -> None:
    assert with_article(word) == english.a(word)
