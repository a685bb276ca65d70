from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.nouns import (
    NounGender,
    Number,
    PronounCase,
    case_of,
    case_of_target,
    gender_of_pronoun,
    goes_with,
    is_plural_pronoun,
    number_of,
    other_form,
    pronoun,
    pronoun_in_number,
    renumbered,
    root_of,
    sort_of,
    sort_of_name,
    sort_of_pronoun,
    uncapitalised,
    with_article,
)
from horsesense.perturbations.english.people import Gender
from horsesense.perturbations.english.pipeline import parse
from horsesense.schema import Target

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
    with pytest.raises(NotApplicable, match="not a noun phrase"):
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


@pytest.mark.parametrize(
    "noun, sort",
    [
        ("king", NounGender.MALE),
        ("fireman", NounGender.MALE),
        ("oarsman", NounGender.MALE),
        ("nieces", NounGender.FEMALE),
        ("stuntwoman", NounGender.FEMALE),
        ("teachers", NounGender.PERSON),
        ("human", NounGender.PERSON),
        ("ladder", NounGender.THING),
        ("jugs", NounGender.THING),
    ],
)
def test_sorts_of_nouns(noun: str, sort: NounGender) -> None:
    assert sort_of(parse(f"We saw the {noun} there.")[3]) is sort


def test_a_name_tells_the_sort_if_it_is_known_and_of_one_gender() -> None:
    assert sort_of_name("Nell") is NounGender.FEMALE and sort_of_name("Walter") is NounGender.MALE
    assert sort_of_name("Robin") is None and sort_of_name("Oslo") is None


@given(st.sampled_from(NounGender), st.sampled_from(NounGender))
def test_whoever_goes_with_another_does_so_both_ways(one: NounGender, other: NounGender) -> None:
    assert goes_with(one, one)
    assert goes_with(one, other) == goes_with(other, one)


def test_somebody_may_be_he_or_she_and_nobody_is_a_thing() -> None:
    assert goes_with(NounGender.PERSON, NounGender.MALE) and goes_with(
        NounGender.PERSON, NounGender.FEMALE
    )
    assert not goes_with(NounGender.MALE, NounGender.FEMALE) and not goes_with(
        NounGender.PERSON, NounGender.THING
    )


@given(st.sampled_from(Gender), st.sampled_from(PronounCase))
def test_a_pronoun_tells_the_gender_it_was_made_for(gender: Gender, case: PronounCase) -> None:
    assert gender_of_pronoun(pronoun(gender, case)) is gender
    assert gender_of_pronoun(pronoun(gender, case).capitalize()) is gender


@pytest.mark.parametrize("word", ["it", "they", "who", "I", "_"])
def test_other_pronouns_tell_none(word: str) -> None:
    assert gender_of_pronoun(word) is None


@pytest.mark.parametrize(
    ("sentence", "word", "case"),
    [
        ("We saw her at the station.", "her", PronounCase.OBJECT),
        ("We saw her bicycle at the station.", "her", PronounCase.OWNER),
        ("Her bicycle was at the station.", "Her", PronounCase.OWNER),
        ("His bicycle was at the station.", "His", PronounCase.OWNER),
        ("The bicycle was his.", "his", PronounCase.OWNER_ALONE),
        ("The bicycle was hers.", "hers", PronounCase.OWNER_ALONE),
        ("He hurt himself.", "himself", PronounCase.REFLEXIVE),
        ("He hurt himself.", "He", PronounCase.SUBJECT),
    ],
)
def test_the_sentence_tells_the_case(sentence: str, word: str, case: PronounCase) -> None:
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
        ("she", PronounCase.SUBJECT),
        ("He", PronounCase.SUBJECT),
        ("her", PronounCase.OBJECT),
        ("him", PronounCase.OBJECT),
        ("her's", PronounCase.OWNER),
        ("his", PronounCase.OWNER),
        ("herself", PronounCase.REFLEXIVE),
    ],
)
def test_the_notation_tells_the_case_of_a_target(written: str, case: PronounCase) -> None:
    assert case_of_target(Target(written)) is case


def test_pronouns_tell_sort_and_number() -> None:
    assert (
        sort_of_pronoun("Herself") is NounGender.FEMALE
        and sort_of_pronoun("its") is NounGender.THING
    )
    assert sort_of_pronoun("we") is None and sort_of_pronoun("they") is None
    assert is_plural_pronoun("Their") and not is_plural_pronoun("his")


@given(
    st.sampled_from([NounGender.MALE, NounGender.FEMALE, NounGender.THING]),
    st.sampled_from(PronounCase),
)
def test_a_pronoun_in_a_number_tells_that_number(sort: NounGender, case: PronounCase) -> None:
    assert is_plural_pronoun(pronoun_in_number(Number.PLURAL, sort, case))
    assert sort_of_pronoun(pronoun_in_number(Number.SINGULAR, sort, case)) is sort
