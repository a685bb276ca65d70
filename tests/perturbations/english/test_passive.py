"""What is said instead of an active verb, and instead of a passive one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.passive import (
    Clause,
    active_group,
    is_particle,
    is_plural,
    may_precede_object,
    object_of,
    passive_group,
    phrase_of,
    read_clause,
    tense_of_clause,
    verbs_of_clauses,
)
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.verbs import Tense
from horsesense.perturbations.rewriting import renderings
from horsesense.schema.notation import parse_grid

VERBS = ["lift", "see", "throw", "carry", "eat", "hit"]


@pytest.mark.parametrize(
    ("lemma", "auxiliaries", "tense", "plural", "expected"),
    [
        ("lift", [], Tense.PAST, False, "was lifted"),
        ("lift", [], Tense.PAST, True, "were lifted"),
        ("throw", [], Tense.PRESENT, False, "is thrown"),
        ("throw", [], Tense.PRESENT, True, "are thrown"),
        ("lift", ["could", "n't"], Tense.PAST, False, "couldn't be lifted"),
        ("open", ["wo", "n't"], Tense.PRESENT, True, "won't be opened"),
        ("see", ["did", "not"], Tense.PRESENT, True, "were not seen"),
        ("see", ["does", "n't"], Tense.PAST, False, "isn't seen"),
        ("eat", ["is"], Tense.PRESENT, True, "are being eaten"),
        ("eat", ["were"], Tense.PAST, False, "was being eaten"),
        ("break", ["have"], Tense.PRESENT, False, "has been broken"),
        ("break", ["had", "n't"], Tense.PAST, True, "hadn't been broken"),
        ("find", ["might", "have"], Tense.PAST, False, "might have been found"),
        ("lift", ["can", "not"], Tense.PRESENT, False, "cannot be lifted"),
        ("catch", ["'ll"], Tense.PRESENT, False, "will be caught"),
    ],
)
def test_a_verb_group_becomes_passive(
    lemma: str, auxiliaries: list[str], tense: Tense, plural: bool, expected: str
) -> None:
    assert passive_group(lemma, auxiliaries, tense, plural) == expected


def test_adverbs_stand_after_the_first_word_of_a_passive() -> None:
    assert passive_group("lift", [], Tense.PAST, True, adverbs=["nearly"]) == "were nearly lifted"
    assert passive_group("see", ["ca", "n't"], Tense.PRESENT, False, adverbs=["now"]) == (
        "can't now be seen"
    )


@pytest.mark.parametrize("auxiliaries", [["will", "be"], ["has", "been"], ["ought"]])
def test_what_nobody_says_in_the_passive_is_refused(auxiliaries: list[str]) -> None:
    with pytest.raises(NotApplicable, match="no common passive"):
        passive_group("paint", auxiliaries, Tense.PRESENT, False)


@pytest.mark.parametrize(
    ("auxiliaries", "plural", "expected"),
    [
        (["was"], False, "carried"),
        (["is"], False, "carries"),
        (["is"], True, "carry"),
        (["were", "n't"], False, "didn't carry"),
        (["are", "not"], False, "does not carry"),
        (["could", "n't", "be"], True, "couldn't carry"),
        (["have", "been"], False, "has carried"),
        (["was", "being"], True, "were carrying"),
        (["must", "have", "been"], True, "must have carried"),
    ],
)
def test_a_passive_verb_group_becomes_active(
    auxiliaries: list[str], plural: bool, expected: str
) -> None:
    assert active_group("carry", auxiliaries, plural) == expected


def test_a_passive_with_get_is_not_made_active() -> None:
    with pytest.raises(NotApplicable, match="no common active"):
        active_group("carry", ["got"], plural=False)


@given(
    st.sampled_from(VERBS),
    st.sampled_from([("could",), ("might", "have"), ("had",), ("would", "n't")]),
    st.booleans(),
)
def test_there_and_back_a_verb_group_is_what_it_was(
    lemma: str, auxiliaries: tuple[str, ...], plural: bool
) -> None:
    there = passive_group(lemma, auxiliaries, Tense.PAST, plural)
    form = passive_group(lemma, (), Tense.PAST, False).removeprefix("was ")
    words = there.removesuffix(f" {form}").replace("n't", " n't").split()
    back = active_group(lemma, words, not plural)
    assert passive_group(lemma, auxiliaries, Tense.PAST, not plural) == there
    assert back.replace("n't", " n't").split()[: len(auxiliaries)] == list(auxiliaries)


@pytest.mark.parametrize(
    ("sentence", "noun", "expected"),
    [
        ("Three ducks crossed the road.", "ducks", True),
        ("A duck crossed the road.", "duck", False),
        ("The duck and the goose crossed the road.", "duck", True),
        ("The police crossed the road.", "police", True),
        ("A lot of ducks crossed the road.", "lot", True),
    ],
)
def test_the_number_of_a_noun_phrase_is_that_of_its_verb(
    sentence: str, noun: str, expected: bool
) -> None:
    head = next(word for word in parse(sentence) if word.text == noun)
    assert is_plural(head) is expected


def test_nouns_joined_by_or_have_no_plain_number() -> None:
    head = next(word for word in parse("The duck or the geese ate the bread.") if word.i == 1)
    with pytest.raises(NotApplicable, match="number"):
        is_plural(head)


END = "because <he = Tom, Ben> was {late, ill}."


def clause(line: str, end: str = END) -> Clause:
    """The main clause of the first problem."""
    shown = renderings(parse_grid(f"{line} {end}"))[0]
    return read_clause(shown, next(verbs_of_clauses(shown.text)))


def test_auxiliaries_and_adverbs_stand_between_subject_and_verb() -> None:
    group = clause("[Tom] already hasn't really pushed [Ben]").group
    assert group.words.text == "already hasn't really pushed"
    assert (group.leading, group.auxiliaries, group.adverbs) == (
        ("already",),
        ("has", "n't"),
        ("really",),
    )


def test_without_auxiliaries_no_adverb_leads() -> None:
    group = clause("[Tom] quickly pushed [Ben]").group
    assert (group.leading, group.auxiliaries, group.adverbs) == ((), (), ("quickly",))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Near the gate stood [Tom] with [Ben]", "no subject"),
        ("[Tom] is with [Ben]", "not transitive"),
        ("[Tom], who sang, pushed [Ben]", "the subject contains a clause"),
        ("Will [Tom] push [Ben] today", "a question"),
    ],
)
def test_what_is_not_read_for_sure_is_refused(line: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        clause(line)


@pytest.mark.parametrize(
    ("line", "tense"),
    [
        ("[Tom] pushed [Ben]", Tense.PAST),
        ("[Tom] pushes [Ben]", Tense.PRESENT),
        ("[Tom] put the cup near [Ben]", Tense.PAST),  # as there is no -s
        ("The boys put the cup near [Tom] and [Ben]", Tense.PAST),  # as all else is
    ],
)
def test_the_tense_of_a_verb_may_be_told_by_what_is_around_it(line: str, tense: Tense) -> None:
    assert tense_of_clause(clause(line)) is tense


def test_nothing_may_tell_the_tense() -> None:
    one = clause("[The boys] put [the cups] in a box", "because <they = x, y> are {tired, clean}.")
    with pytest.raises(NotApplicable, match="tense of the verb"):
        tense_of_clause(one)


def test_a_verb_that_is_a_key_phrase_is_refused() -> None:
    with pytest.raises(NotApplicable, match="the verb is a key phrase"):
        clause("[Tom] {loudly, softly} called [Ben]", "because <he = Tom, Ben> was late.")


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ("[Tom] pushed the cart of [Ben]", "the cart of Ben"),
        ("[Tom] pushed the cart to [Ben]", "the cart"),
        ("[Tom] pushed the cart and the sledge", "the cart and the sledge"),
        ("[Tom] drank [a cup with two handles]", "a cup with two handles"),
        ("[Tom] laughed at [Ben]", "Ben"),
    ],
)
def test_an_object_ends_where_it_is_sure_to(line: str, phrase: str) -> None:
    one = clause(line)
    assert phrase_of(one.shown, object_of(one)).text == phrase


def test_an_object_with_a_clause_of_its_own_has_no_plain_end() -> None:
    one = clause("[Tom] pushed [Ben] who sang")
    with pytest.raises(NotApplicable, match="where the object ends"):
        phrase_of(one.shown, object_of(one))


def test_a_verb_without_an_object_is_not_transitive() -> None:
    with pytest.raises(NotApplicable, match="not transitive"):
        object_of(clause("[Tom] slept near [Ben]"))


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Tom threw the rag away.", "away", True),
        ("Tom threw the rag away", "away", True),
        ("Tom threw the rag away because it stank.", "away", True),
        ("Tom threw the rag out of the box.", "out", False),
        ("Tom threw the rag there.", "there", False),
    ],
)
def test_a_particle_ends_what_the_verb_says(text: str, word: str, expected: bool) -> None:
    doc = parse(text)
    assert is_particle(doc[1], next(token for token in doc if token.text == word)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tom took out the bin.", True),
        ("Tom turned off the lamp.", True),
        ("Tom laughed at the lamp.", True),
        ("Tom knocked on the lamp.", False),
        ("Tom ran off the road.", False),
        ("Tom wrote down the names.", False),
    ],
)
def test_some_words_may_stand_between_verb_and_object(text: str, expected: bool) -> None:
    doc = parse(text)
    assert may_precede_object(doc[1].lemma_, doc[2]) is expected
