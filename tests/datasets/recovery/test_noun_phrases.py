"""Noun phrases, told by their words."""

import pytest

from horsesense.schema.noun_phrases import (
    begins_longer_noun,
    ends_at,
    may_go_on,
    mentions_of,
    without_determiner,
)
from tests.datasets.recovery.twins import limited


def mentioned(phrase: str, text: str) -> list[str]:
    """The phrases of the text that mention the same."""
    return [text[start:end] for start, end in mentions_of(phrase, text)]


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("the soup", "Nora tasted her soup because it was hot.", ["her soup"]),
        ("the soup", "The bowl was full of soup.", ["soup"]),
        ("the soup", "Soup was spilt.", ["Soup"]),
        (
            "the soup",
            "This soup, that soup and a soup were hot",
            ["This soup", "that soup", "a soup"],
        ),
        ("The soup", "We love the soup", ["the soup"]),
        ("soup", "We love the soup", ["the soup"]),
        ("Ann's soup", "Ann let her soup cool.", []),
        ("Ann's soup", "Ann put her soup on the sill.", ["her soup"]),
        ("the cooks' soup", "They poured their soup away.", ["their soup"]),
        ("the kettle", "Is that my kettle's lid?", ["my kettle"]),
    ],
)
def test_a_noun_is_mentioned_with_any_determiner_or_none(
    phrase: str, text: str, found: list[str]
) -> None:
    assert mentioned(phrase, text) == found


@pytest.mark.parametrize(
    "text",
    [
        "He had his soup spoon with him.",  # a longer noun
        "He had his soup-spoon with him.",
        "He liked the hot soup, and waited.",  # a longer phrase
        "There was hot soup, and he waited.",
        "There was some soup, and he waited.",
        "We bought Ann's soup, and waited.",
        "Two bowls and three cups of soup were left.",
        "There were three soups and soupy beans.",  # another word
    ],
)
def test_a_part_of_a_longer_phrase_is_no_mention(text: str) -> None:
    assert mentioned("the soup", text) == []


def test_a_longer_noun_beside_a_mention_is_left_alone() -> None:
    assert mentioned("the soup", "Her soup spoon was in her soup.") == ["her soup"]


@pytest.mark.parametrize(
    "text",
    [
        "His soup was better than the cold soup.",
        "She gave her soup for his soup.",
    ],
)
def test_nothing_is_found_where_it_is_unclear_which_of_two_is_meant(text: str) -> None:
    assert mentioned("the soup", text) == []


@pytest.mark.parametrize("name", ["Ann", "TV", "'s"])
def test_names_are_not_looked_for(name: str) -> None:
    assert mentioned(name, "Ann and the TV, his.") == []


def test_long_texts_are_soon_searched() -> None:
    with limited(2):
        assert len(mentions_of("the hat", "hat, Hat! " * 20_000)) == 20_000


@pytest.mark.parametrize(
    "text",
    [
        "His soup cools, so she fed him her soup.",  # or a noun, «soup cools»
        "She gave the soup pepper, and ate the soup.",
        "Her pea soup hit the soup.",
    ],
)
def test_nothing_is_found_where_a_mention_may_be_more_than_that(text: str) -> None:
    assert mentioned("the soup", text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann said that soup was good.", []),
        ("Ann said that soup from a tin is good.", []),
        ("He told her that soup in tins is good.", []),
        ("It rained, so that soup was welcome.", []),
        ("It was a pity that soup wasn't there.", []),
        ("It was cold when that soup was made.", ["that soup"]),
        ("In that kitchen, that soup was made.", ["that soup"]),
        ("Ann made that soup from a tin.", ["that soup"]),
        ("Ann said this soup was good.", ["this soup"]),
    ],
)
def test_that_is_a_determiner_where_it_can_be_no_conjunction(text: str, found: list[str]) -> None:
    assert mentioned("the soup", text) == found


def test_that_before_a_plural_may_be_no_determiner() -> None:
    assert mentioned("the owls", "He said that owls hooted.") == []
    assert mentioned("the glass", "He broke that glass.") == ["that glass"]


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("She drank milk.", True),
        ("He wanted to drink milk.", True),
        ("She drank cold milk.", False),
        ("Nora drank milk.", False),  # nobody says that «drank» is a verb
        ("(Milk, he said.)", True),
        ("bread 'n milk.", False),
        ("the ewes' milk.", False),
        ("By Milk, Ltd.", False),  # a name
    ],
)
def test_before_a_bare_noun_stands_what_belongs_to_no_noun(text: str, is_found: bool) -> None:
    assert bool(mentioned("the milk", text)) is is_found


@pytest.mark.parametrize(
    "after",
    [
        "",
        ".",
        ", then",
        " and",
        " was",
        " wasn't",
        " he'd",
        " started",
        " ran",
        "'s lid",
        " – so",
        " 3",
    ],
)
def test_a_phrase_ends_before_what_can_be_no_noun(after: str) -> None:
    assert ends_at(f"the mouse{after}", 9) is (after != " 3")


@pytest.mark.parametrize("after", [" hole", " holes", " seed", " moped", " can", " Max"])
def test_a_phrase_may_go_on_with_any_other_word(after: str) -> None:
    assert not ends_at(f"the mouse{after}", 9)


@pytest.mark.parametrize(
    ("text", "is_longer"),
    [
        ("By the mouse hole he sat", True),
        ("By the mouse he sat", False),
        ("By the mouse holes", False),  # or a verb: «the owner of the mouse hopes»
        ("By the mouse lying", False),
        ("By the mouse slowly", False),
        ("By the mouse Max", False),
        ("So the mouse hole", False),  # or «so the mouse fled»
    ],
)
def test_after_a_preposition_another_word_makes_a_longer_noun(text: str, is_longer: bool) -> None:
    assert begins_longer_noun(text, 3, 12) is is_longer


@pytest.mark.parametrize(
    ("text", "is_longer"),
    [
        ("The mouse hole was deep", True),
        ("The mouse hole by it", False),  # the verb is not seen
        ("The mouse hole", False),
        ("The mouse bit was", False),
        ("The mouse holes were", False),
    ],
)
def test_at_the_start_of_a_clause_the_verb_shows_a_longer_noun(text: str, is_longer: bool) -> None:
    assert begins_longer_noun(text, 0, 9) is is_longer


@pytest.mark.parametrize(
    "text",
    [
        "So the mouse hole",
        "So the mouse hole was deep",
        "By the mouse holes",
        "So the mouse holes stank badly",
        "So the mouse holes were deep",
        "So the mouse holes by it were deep",
        "So the mouse holes stink",
        "So the mouse can was full",
        "So the mouse can stinks",
        "Is the mouse family",
        "Is the mouse painting",
        "By the mouse hiding",
        "By a grey mouse king and",
        "By a grey mouse swimming pool",
    ],
)
def test_a_phrase_before_an_unknown_word_may_go_on(text: str) -> None:
    assert may_go_on(text, 3, text.index("mouse") + 5)


@pytest.mark.parametrize(
    "text",
    [
        "So the mouse",
        "So the mouse fled",
        "So the mouse Max",
        "So the mouse slowly",
        "So the mouse hides",
        "So the mouse hides in it",
        "So the mouse hides, which was wise",
        "So the mouse hides from one who was there",
        "So the mouse can still swim because it was fit",
        "So the mouse can swim",
        "So the mouse can",
        "Is the mouse bites a cat",
        "By the mouse hiding his nose",
        "By a grey mouse hiding and",
    ],
)
def test_a_phrase_ends_before_its_verb_or_participle(text: str) -> None:
    assert not may_go_on(text, 3, text.index("mouse") + 5)


def test_a_plural_has_a_verb_without_an_ending() -> None:
    assert not may_go_on("The owls hoot at him", 0, 8)
    assert may_go_on("The owls nests at it", 0, 8)


def test_of_a_name_nobody_tells_whether_it_is_a_plural() -> None:
    assert not may_go_on("The great Zenobias conveys it", 0, 18)
    assert not may_go_on("The great Zenobias convey it", 0, 18)


@pytest.mark.parametrize(
    ("phrase", "noun"),
    [("my hat", "hat"), ("Ann’s old hat", "old hat"), ("the owls' nest", "nest"), ("its", "its")],
)
def test_a_noun_is_what_a_phrase_is_without_its_determiner(phrase: str, noun: str) -> None:
    assert without_determiner(phrase) == noun
