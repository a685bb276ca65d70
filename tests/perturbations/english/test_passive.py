"""What is said instead of an active verb, and instead of a passive one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations.english.passive import active_group, is_plural, passive_group
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.verbs import Tense
from horsesense.perturbations.transformation import NotApplicable

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
    with pytest.raises(NotApplicable, match="no passive"):
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
    with pytest.raises(NotApplicable, match="no active"):
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
