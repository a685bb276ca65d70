import pytest

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.nouns import (
    Number,
    number_of,
    other_form,
    renumbered,
    root_of,
    uncapitalised,
    with_article,
)
from horsesense.perturbations.english.pipeline import parse

COUNTED = ["jug", "shelf", "child", "mouse", "goose", "fox", "baby", "bus", "woman", "hero"]
WORDS = ["rice", "sheep", "police", "sun", "scissors", "wiring", "advice", "qwertz", "fish", "team"]


def changed(text: str, noun: str, to: Number) -> str:
    doc = parse(text)
    head = next(token for token in doc if token.text == noun)
    for edit in sorted(renumbered(head, to), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@pytest.mark.parametrize("noun", COUNTED)
def test_plural_and_singular_are_inverse(noun: str) -> None:
    plural = other_form(noun, Number.PLURAL)
    assert plural != noun and other_form(plural, Number.SINGULAR) == noun


@pytest.mark.parametrize("noun", WORDS)
def test_what_has_no_plain_plural_is_refused(noun: str) -> None:
    with pytest.raises(NotApplicable):
        other_form(noun, Number.PLURAL)


@pytest.mark.parametrize("noun", ["axes", "leaves", "jug", "people"])
def test_what_has_no_plain_singular_is_refused(noun: str) -> None:
    with pytest.raises(NotApplicable):
        other_form(noun, Number.SINGULAR)


def test_a_capital_stays() -> None:
    assert other_form("Shelf", Number.PLURAL) == "Shelves"
    assert other_form("Geese", Number.SINGULAR) == "Goose"


@pytest.mark.parametrize("phrase", ["an hour", "a unit", "an old jug", "a young owl"])
def test_articles_go_by_the_sound(phrase: str) -> None:
    assert with_article(phrase.split(" ", 1)[1]) == phrase


@pytest.mark.parametrize(
    "one, many, noun, plural",
    [
        ("We saw an old jug there.", "We saw old jugs there.", "jug", "jugs"),
        ("We saw the old jug there.", "We saw the old jugs there.", "jug", "jugs"),
        ("We saw my aunt's jug there.", "We saw my aunt's jugs there.", "jug", "jugs"),
        ("We saw this jug there.", "We saw these jugs there.", "jug", "jugs"),
        ("We saw a Persian rug there.", "We saw Persian rugs there.", "rug", "rugs"),
        ("An old owl hooted.", "Old owls hooted.", "owl", "owls"),
        ("We saw the bag of rice there.", "We saw the bags of rice there.", "bag", "bags"),
    ],
)
def test_determiners_follow_both_ways(one: str, many: str, noun: str, plural: str) -> None:
    assert changed(one, noun, Number.PLURAL) == many
    assert changed(many, plural, Number.SINGULAR) == one


@pytest.mark.parametrize(
    "text, noun, to",
    [
        ("We saw three jugs there.", "jugs", Number.SINGULAR),
        ("We saw several jugs there.", "jugs", Number.SINGULAR),
        ("We saw every jug there.", "jug", Number.PLURAL),
        ("It was such a jug.", "jug", Number.PLURAL),
        ("The room was full of jugs.", "jugs", Number.SINGULAR),
        ("We went by bus.", "bus", Number.PLURAL),
        ("It was rather a jug.", "jug", Number.PLURAL),
        ("We saw a T-shirt there.", "shirt", Number.PLURAL),
        ("We saw the old and new jug.", "jug", Number.PLURAL),
    ],
)
def test_what_is_counted_or_bare_is_refused(text: str, noun: str, to: Number) -> None:
    with pytest.raises(NotApplicable):
        changed(text, noun, to)


def test_the_head_is_what_the_rest_depends_on() -> None:
    text = "The old sack of potatoes fell."
    assert root_of(parse(text), 0, len("The old sack of potatoes")).text == "sack"


def test_the_other_of_the_other_number_is_the_number() -> None:
    assert Number.SINGULAR.other is Number.PLURAL and Number.PLURAL.other is Number.SINGULAR


def test_a_stretch_outside_the_text_has_no_head() -> None:
    with pytest.raises(NotApplicable, match="no noun phrase"):
        root_of(parse("The owl slept."), 20, 25)


def test_a_capital_goes_over_to_the_noun_where_the_article_goes() -> None:
    assert changed("An owl hooted.", "owl", Number.PLURAL) == "Owls hooted."


def test_some_becomes_an_article() -> None:
    assert changed("We saw some old jugs there.", "jugs", Number.SINGULAR) == (
        "We saw an old jug there."
    )


def test_the_number_of_a_noun_is_told_and_of_no_other_word() -> None:
    doc = parse("The owls saw a mouse.")
    assert number_of(doc[1]) is Number.PLURAL and number_of(doc[4]) is Number.SINGULAR
    with pytest.raises(NotApplicable):
        number_of(doc[2])


@pytest.mark.parametrize(
    "many, noun, one",
    [
        ("Owls hooted.", "Owls", "An owl hooted."),
        ("“Owls hooted,” she said.", "Owls", "“An owl hooted,” she said."),
        ("Old rugs lay there.", "rugs", "An old rug lay there."),
        ("Persian rugs lay there.", "rugs", "A Persian rug lay there."),
        ("We saw Italian rugs there.", "rugs", "We saw an Italian rug there."),
    ],
)
def test_an_opening_capital_goes_over_to_the_article(many: str, noun: str, one: str) -> None:
    assert changed(many, noun, Number.SINGULAR) == one


def test_only_the_capital_of_a_first_word_goes() -> None:
    assert uncapitalised("Broken jugs") == "broken jugs"
    assert uncapitalised("French jugs") == "French jugs"


@pytest.mark.parametrize("text", ["We saw the old and new jugs.", "Big or small jugs will do."])
def test_joined_adjectives_are_refused(text: str) -> None:
    with pytest.raises(NotApplicable, match="inside a noun phrase"):
        changed(text, "jugs", Number.SINGULAR)
