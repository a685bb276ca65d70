from __future__ import annotations

import random

import pytest

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.nouns import NounGender, Number
from horsesense.perturbations.english.people import Gender, gender_of_name
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.referents import (
    Referent,
    SecondNames,
    following_pronouns,
    owned_by_each,
    pronoun_edit,
    referents_of,
)
from horsesense.perturbations.rewriting import Edit, renderings
from horsesense.schema import Schema
from tests.perturbations.written import entry


def found(line: str) -> list[Referent]:
    grid = entry(line).grid
    assert isinstance(grid, Schema)
    return referents_of(grid, renderings(grid)[0], SecondNames(random.Random(0), set()))


def test_a_noun_is_found_with_its_number_its_sort_and_its_other_form() -> None:
    jug, bowl = found("[The jug] hit [the bowl] and <it = the jug, the bowl> {moved, broke}.")
    assert (jug.word, jug.new, jug.number, jug.sort) == (
        "jug",
        "jugs",
        Number.SINGULAR,
        NounGender.THING,
    )
    assert (bowl.word, bowl.new, bowl.is_name) == ("bowl", "bowls", False)


def test_a_name_is_found_with_a_second_one() -> None:
    rosa, _ = found("[Rosa] thanked [Helen] because <_ = Rosa, Helen> was {cold, away}.")
    assert rosa.is_name and rosa.sort is NounGender.FEMALE
    assert gender_of_name(rosa.new.removeprefix("Rosa and ")) is Gender.FEMALE


def test_a_part_of_the_body_that_is_nobodys_counts_like_other_things() -> None:
    chest, _ = found("[The tea chest] hit [the jug] as <it = the chest, the jug> was {old, new}.")
    assert chest.new == "chests"


def test_a_name_after_a_comma_is_somebody_else_where_a_clause_begins() -> None:
    for name in ("[Rosa]", "[Rosa]'s dog"):
        line = f"Near the bench, {name} met [Helen] as <she = Rosa, Helen> was {{lost, near}}."
        assert [one.word for one in found(line)] == ["Rosa", "Helen"]


def test_a_candidates_number_says_whose_it_is() -> None:
    line = "[2: The bowl] hit [1: the jug] and <it = the jug, the bowl> {moved, broke}."
    assert [one.word for one in found(line)] == ["jug", "bowl"]


def test_another_mention_stands_for_the_candidate_but_no_part_of_another_noun() -> None:
    line = (
        "We hung [a bell] on [a kite] near the bell tower. "
        "The bell rang because <it = the bell, the kite> was {loud, fast}."
    )
    bell, kite = found(line)
    assert [one.i for one in bell.heads] == [3, 13] and len(kite.heads) == 1


def test_a_second_name_is_drawn_once_for_a_name_and_for_no_other() -> None:
    names = SecondNames(random.Random(0), {"Rosa", "Helen"})
    first = names.beside("Rosa", NounGender.FEMALE)
    assert names.beside("Rosa", NounGender.FEMALE) == first
    assert names.beside("Helen", NounGender.FEMALE) not in {first, "Rosa", "Helen"}


@pytest.mark.parametrize(
    "name, sort, forms",
    [
        ("Joe", NounGender.MALE, {"Joseph"}),
        ("Sue", NounGender.FEMALE, {"Susan"}),
        ("Bob", NounGender.MALE, {"Robert"}),
        ("Elizabeth", NounGender.FEMALE, {"Betty", "Lisa"}),
    ],
)
def test_no_second_name_is_a_form_of_a_name_in_the_sentence(
    name: str, sort: NounGender, forms: set[str]
) -> None:
    other = "Ian" if sort is NounGender.MALE else "Ida"
    for seed in range(300):
        names = SecondNames(random.Random(seed), {name, other})
        assert not {names.beside(name, sort), names.beside(other, sort)} & forms


def test_no_second_name_begins_like_another() -> None:
    for seed in range(100):
        names = SecondNames(random.Random(seed), {"Rosa", "Helen", "Maria"})
        drawn = [names.beside(name, NounGender.FEMALE) for name in ("Rosa", "Helen", "Maria")]
        assert len({name[:2] for name in (*drawn, "Rosa", "Helen", "Maria")}) == 6


@pytest.mark.parametrize(
    "sentence, reason",
    [
        ("The owl can <see, hear> what is", "no target"),
        ("[The jug] hit [the bowls] as <it = the jug, the bowls> was", "differ in number"),
        ("[Oslo] beat [Cairo] as <it = Oslo, Cairo> was", "not known as a person's name"),
        ("[Paul Smith] met [Victor] as <he = Paul Smith, Victor> was", "several words"),
        ("[Rosa] and [Helen] left as <she = Rosa, Helen> was", "is coordinated with"),
        ("[The jug] hit [the bowl] as <they = the jug, the bowl> were", "differs in number"),
        ("[The jug and cup] hit [the bowl] as <it = the jug, the bowl> was", "is coordinated with"),
        ("[Nell and Ida] met [Rosa] as <she = Nell, Rosa> was", "is coordinated with"),
        ("[Rosa] Smith met [Helen] as <she = Rosa, Helen> was", "'smith' after a name"),
        ("[Rosa] met a neighbour, [Helen], as <she = Rosa, Helen> was", "names another noun"),
        ("[Rosa] ran to a nurse, [Helen], and left as <she = Rosa, Helen> was", "another noun"),
        ("A nurse named [Rosa] met [Helen] as <she = Rosa, Helen> was", "names another noun"),
        ("[The ears] hurt more than [the legs], as <they = the ears, the legs> were", "together"),
        ("[His nose] hurt more than [his leg], as <it = his nose, his leg> was", "of its kind"),
        ("[The jug] hit a bowl near the bowl as <it = the jug, the bowl> was", "not marked"),
        ("A jug fell onto a bed, as <it = the big jug, the jug> was", "not marked"),
        ("Some of [the jugs] hit [the cups] as <they = the jugs, the cups> were", "'some' counts"),
        ("The [garden] gate hit [the jug] as <it = the garden, the jug> was", "another noun"),
        ("[A man in a red coat] met [the boy] as <he = the man, the boy> was", "of its own"),
        ("[The jug] hit [the bowl] near a jug as <it = the jug, the bowl> was", "another one"),
        (
            "[1: The jug] hit [2: the bowl] and [1: the pot] as <it = the jug, the bowl> was",
            "different ways",
        ),
    ],
)
def test_a_candidate_that_is_not_plain_is_refused(sentence: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        found(f"{sentence} {{old, new}}.")


PLURAL, SINGULAR = Number.PLURAL, Number.SINGULAR


def edited(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def places(text: str, *words: str) -> set[int]:
    """Where these words stand."""
    return {token.i for token in parse(text) if token.text in words}


def followed(text: str, mention: str, sort: NounGender, to: Number) -> str:
    """The text with the pronouns that refer to the mention in the other number."""
    found = following_pronouns(parse(text), places(text, mention), {sort}, to)
    owners = [(token, token.tag_ == "PRP$") for token in found]
    return edited(text, [pronoun_edit(token, to, sort, is_owner=owns) for token, owns in owners])


def owned(text: str, to: Number, *owners: str) -> list[str]:
    """What each of the owners has, in the order of the owners."""
    return [token.text for token in owned_by_each(parse(text), places(text, *owners), to)]


@pytest.mark.parametrize(
    "one, many",
    [
        ("The boy said that he was here.", "The boy said that they was here."),
        ("The boy said that we saw him.", "The boy said that we saw them."),
        ("The boy lost his hat.", "The boy lost their hat."),
        ("The boy hurt himself.", "The boy hurt themselves."),
        ("The boy said that she saw it.", "The boy said that she saw it."),
        ("Before he left, the boy ate.", "Before they left, the boy ate."),
    ],
)
def test_pronouns_follow_what_they_refer_to(one: str, many: str) -> None:
    assert followed(one, "boy", NounGender.MALE, PLURAL) == many


def test_it_is_subject_or_object() -> None:
    text = "The jug fell, and it broke, so I had it mended."
    assert followed(text, "jug", NounGender.THING, PLURAL) == (
        "The jug fell, and they broke, so I had them mended."
    )


def test_it_after_a_verb_is_an_object() -> None:
    text = "The jug was old, but we liked it."
    assert followed(text, "jug", NounGender.THING, PLURAL) == "The jug was old, but we liked them."


def test_it_stays_where_it_refers_to_nothing() -> None:
    text = "The jug stood outside when it rained."
    assert followed(text, "jug", NounGender.THING, PLURAL) == text


def test_the_singular_goes_by_the_sort() -> None:
    text = "The twins said that they lost their hats."
    assert followed(text, "twins", NounGender.FEMALE, SINGULAR) == (
        "The twins said that she lost her hats."
    )


@pytest.mark.parametrize(
    "text, mention, sort",
    [
        ("The boy met a waiter before he left.", "boy", NounGender.MALE),
        ("The jug hit the bowl before it broke.", "jug", NounGender.THING),
        ("The boy asked Victor for his hat.", "boy", NounGender.MALE),
        ("Before it broke, the jug fell.", "jug", NounGender.THING),
    ],
)
def test_a_pronoun_with_another_noun_to_refer_to_is_refused(
    text: str, mention: str, sort: NounGender
) -> None:
    with pytest.raises(NotApplicable, match="may refer to something else"):
        followed(text, mention, sort, PLURAL)


def test_a_subject_after_and_is_one_whatever_the_parser_makes_of_its_verb() -> None:
    text = "I dropped the jug, and it broke, so I had it mended and took it home."
    assert followed(text, "jug", NounGender.THING, PLURAL) == (
        "I dropped the jug, and they broke, so I had them mended and took them home."
    )


@pytest.mark.parametrize("dep, head", [("dobj", 1), ("nsubj", 5), ("nsubj", 6), ("pobj", 2)])
def test_a_wrong_parse_does_not_make_an_object_of_a_subject(dep: str, head: int) -> None:
    from spacy.tokens import Doc

    words = ["We", "had", "jugs", "and", "it", "broke", "soon"]
    tags = ["PRP", "VBD", "NNS", "CC", "PRP", "VBD", "RB"]
    deps = ["nsubj", "ROOT", "dobj", "cc", dep, "ccomp", "advmod"]
    vocab = parse("We had jugs.").vocab
    doc = Doc(vocab, words, tags=tags, heads=[1, 1, 1, 1, head, 1, 5], deps=deps)
    assert pronoun_edit(doc[4], PLURAL, NounGender.THING, is_owner=False).text == "they"


def test_an_object_before_the_verb_of_a_longer_subject_stays_one() -> None:
    text = "The jug is gone: the man who sold it was rude."
    assert followed(text, "jug", NounGender.THING, PLURAL).endswith(
        "the man who sold them was rude."
    )


def test_everybody_has_a_head_and_a_hat_but_no_dog_of_their_own() -> None:
    text = "The boy shook his head at his hat and his dog."
    assert owned(text, PLURAL, "his") == ["head", "hat"]


def test_names_and_nouns_own_too() -> None:
    text = "Rosa's cold hand held the boy's hat."
    assert owned(text, PLURAL, "Rosa", "boy") == ["hand", "hat"]


def test_what_only_describes_another_noun_is_not_owned() -> None:
    assert owned("The boy met his head gardener.", PLURAL, "his") == []


def test_one_has_one_head_but_two_hands() -> None:
    text = "The girls shook their heads and washed their hands."
    assert owned(text, SINGULAR, "their") == ["heads"]


def test_an_owner_that_stands_alone_stays_alone() -> None:
    text = "The girl said that the hat was hers."
    assert (
        followed(text, "girl", NounGender.FEMALE, PLURAL)
        == "The girl said that the hat was theirs."
    )


@pytest.mark.parametrize(
    "text, mention, sort, reason",
    [
        ("The boy said that the choice was his.", "boy", NounGender.MALE, "'his' without a noun"),
        ("The jug fell, and we heard it broke.", "jug", NounGender.THING, "a subject or an object"),
    ],
)
def test_a_pronoun_whose_case_is_in_doubt_is_refused(
    text: str, mention: str, sort: NounGender, reason: str
) -> None:
    with pytest.raises(NotApplicable, match=reason):
        followed(text, mention, sort, PLURAL)


def test_several_who_are_joined_may_be_they_too() -> None:
    text = "The twins came with Nell and Ida before they left."
    with pytest.raises(NotApplicable, match="may refer to something else"):
        followed(text, "twins", NounGender.FEMALE, SINGULAR)


@pytest.mark.parametrize("words", ["were old and slow", "slept a lot", "hid in the garden shed"])
def test_what_joins_or_describes_is_nobody_to_refer_to(words: str) -> None:
    text = f"The twins {words} before they left."
    assert followed(text, "twins", NounGender.FEMALE, SINGULAR) == text.replace("they", "she")
