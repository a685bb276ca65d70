import pytest
from hypothesis import given

from horsesense.schema.english import (
    capitalise,
    decapitalise,
    ends_sentence,
    is_name,
    is_possessive,
    is_several_sentences,
    names_inside,
    possessive,
    starts_sentence,
    with_full_stop,
    without_full_stop,
)
from tests.strategies import tame, wild


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("damp oats", "Damp oats"),
        ("Damp oats", "Damp oats"),
        ("“damp oats”", "“Damp oats”"),
        ("(damp) oats", "(Damp) oats"),
        ("7 oats", "7 oats"),
        ("eReader", "eReader"),
        ("o'clock", "O'clock"),
        ("étage", "Étage"),
        ("___", "___"),
        ("", ""),
        ("…", "…"),
    ],
)
def test_the_first_word_gets_a_capital_unless_its_spelling_is_its_own(
    text: str, expected: str
) -> None:
    assert capitalise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Damp oats", "damp oats"),
        ("The Danube", "the Danube"),
        ("“Damp oats”", "“damp oats”"),
        ("I", "I"),
        ("I'm", "I'm"),
        ("Friday", "Friday"),
        ("Fridays", "Fridays"),
        ("April’s rain", "April’s rain"),
        ("McAda", "McAda"),
        ("Ada Grove", "Ada Grove"),
        ("Every Ada", "every Ada"),
        ("Damp éclairs", "damp éclairs"),
        ("Old Éva", "Old Éva"),
        ("7 oats", "7 oats"),
        ("", ""),
    ],
)
def test_the_first_word_loses_its_capital_unless_it_is_a_name(text: str, expected: str) -> None:
    assert decapitalise(text) == expected


def test_a_word_known_as_a_name_keeps_its_capital() -> None:
    assert decapitalise("Ada's oats", {"Ada"}) == "Ada's oats"
    assert is_name("Ada’s", {"Ada"})


@given(tame.phrases)
def test_a_capital_given_is_a_capital_taken(text: str) -> None:
    if text[0].islower() and " A" not in text and " B" not in text:
        assert decapitalise(capitalise(text)) == text


@given(wild.phrases)
def test_giving_a_capital_twice_changes_nothing_more(text: str) -> None:
    assert capitalise(capitalise(text)) == capitalise(text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Yesterday Ada saw Boris. They waved.", {"Ada", "Boris"}),
        ("Ada saw it.", set()),
        ("It is Ada's.", {"Ada"}),
        ("It is Dr. Grove’s.", {"Dr", "Grove"}),
        ("“Ada saw it,” said Boris.", {"Boris"}),
    ],
)
def test_names_are_the_capitals_that_no_start_explains(text: str, names: set[str]) -> None:
    assert names_inside(text) == names


@pytest.mark.parametrize(
    "before",
    [
        "",
        "“",
        '("',
        "It broke. ",
        "It broke! ",
        "Did it? ",
        "It broke… ",
        "He said “no.” ",
        "It. (",
    ],
)
def test_a_sentence_starts_here(before: str) -> None:
    assert starts_sentence(before)


@pytest.mark.parametrize(
    "before",
    ["it ", "because ", "Dr. ", "the old Dr. ", "at 7 p.m. ", "pets (e.g. ", "“Mrs. ", "so: “"],
)
def test_no_sentence_starts_here(before: str) -> None:
    assert not starts_sentence(before)


@pytest.mark.parametrize("text", ["It broke.", "It broke. ", "“It broke.”", "(Did it?)", "Oh…"])
def test_a_sentence_ends_here(text: str) -> None:
    assert ends_sentence(text)


@pytest.mark.parametrize("text", ["", "It broke", "It broke,", "by Prof.", "oats, rye etc."])
def test_no_sentence_ends_here(text: str) -> None:
    assert not ends_sentence(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It fell. It broke.", True),
        ("“It fell!” It broke.", True),
        ("It fell.", False),
        ("It fell by 3.5 feet.", False),
        ("Mrs. Grove saw Dr. Moss fall.", False),
        ("oats", False),
    ],
)
def test_sentences_are_several_where_one_ends_before_the_end(text: str, expected: bool) -> None:
    assert is_several_sentences(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it broke", "it broke."),
        ("it broke.", "it broke."),
        ("did it?", "did it?"),
        ("it broke…", "it broke…"),
        ("“it broke.”", "“it broke.”"),
        ("“it broke”", "“it broke”."),
        ("oats, rye etc.", "oats, rye etc."),
    ],
)
def test_a_full_stop_is_put_where_no_end_is(text: str, expected: str) -> None:
    assert with_full_stop(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it broke.", "it broke"),
        ("it broke", "it broke"),
        ("did it?", "did it?"),
        ("oats, rye etc.", "oats, rye etc."),
        (".", ""),
        ("so it goes...", "so it goes..."),
    ],
)
def test_only_the_full_stop_of_a_sentence_is_taken_away(text: str, expected: str) -> None:
    assert without_full_stop(text) == expected


@pytest.mark.parametrize("pronoun", ["his", "Its", "their", "whose", "my", "Your", "our"])
def test_these_pronouns_are_possessive(pronoun: str) -> None:
    assert is_possessive(pronoun)


@pytest.mark.parametrize("pronoun", ["her", "Her", "him", "it", "they", "_", ""])
def test_these_pronouns_are_not_surely_possessive(pronoun: str) -> None:
    assert not is_possessive(pronoun)


@pytest.mark.parametrize(
    ("phrase", "pronoun", "owner"),
    [
        ("Ada", "her", "Ada's"),
        ("Boris", "his", "Boris's"),
        ("Boris", "His", "Boris's"),
        ("the millers", "their", "the millers'"),
        ("the millers", "Their", "the millers'"),
        ("the oxen", "their", "the oxen's"),
        ("the glass", "its", "the glass's"),
        ("Ada's", "her", "Ada's"),
        ("the millers’", "their", "the millers’"),
    ],
)
def test_the_owner_has_the_number_of_the_pronoun(phrase: str, pronoun: str, owner: str) -> None:
    assert possessive(phrase, pronoun) == owner
