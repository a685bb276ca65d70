"""Relatives of relatives, in stories and in general."""

from __future__ import annotations

import re
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty, RequestedDifficulty
from horsesense.generation.theories.kin import (
    Bond,
    Kin,
    chains,
    compose,
    compose_all,
    prove_kin,
    prove_word,
    word,
)
from horsesense.generation.words import table
from tests.generation.drawn import drafts, named, sentences, with_drafts

KINSHIP = table("kinship")
MOTHER, DAUGHTER, SISTER = Kin(1, 0), Kin(0, 1), Kin(1, 1)
WORDS = {
    one[sex]: (one["up"], one["down"])
    for one in KINSHIP["relations"].values()
    for sex in ("woman", "man")
}
SEXES = {
    one[sex]: sex
    for one in KINSHIP["relations"].values()
    for sex in ("woman", "man")
    if one["woman"] != one["man"]
}


def bonds(text: str) -> list[tuple[str, str, str]]:
    """Who is whose what, as a text says."""
    text = re.sub(r"is not \w+'s [\w-]+ but", "is", text)
    return re.findall(r"(\w+) is (\w+)'s ([\w-]+)", text)


@pytest.mark.parametrize("name", ["trace-ancestors", "name-both-ways", "name-relative"])
@with_drafts(3, 20)
def test_the_premises_of_a_story_call_people_by_their_sex(name: str, count: int) -> None:
    for draft in drafts(named(name), count):
        for text, is_true in sentences(draft):
            for one, _, relation in bonds(text) if is_true else ():
                sex = SEXES.get(relation)
                assert sex is None or one in KINSHIP["women" if sex == "woman" else "men"], text


@with_drafts(3, 20)
def test_the_generations_of_a_family_add_up(count: int) -> None:
    for draft in drafts(named("name-relative"), count):
        for text, is_true in sentences(draft):
            told = bonds(text)
            at = 0 if " if " in text else -1
            one, other, claimed = told.pop(at)
            height = {other: 0}
            while len(height) <= len(told):
                for low, high, relation in told:
                    up, down = WORDS[relation]
                    if high in height:
                        height[low] = height[high] + up - down
                    elif low in height:
                        height[high] = height[low] - up + down
            up, down = WORDS[claimed]
            assert height[one] == up - down or not is_true, text


def test_a_sister_of_a_mother_is_an_aunt_and_her_daughter_a_cousin() -> None:
    assert word(compose_all([SISTER, MOTHER]) or SISTER, True) == "aunt"
    assert word(compose_all([DAUGHTER, SISTER, MOTHER]) or SISTER, False) == "cousin"


def test_there_is_no_telling_who_the_mother_of_a_sister_is() -> None:
    assert compose(MOTHER, SISTER) is None
    assert compose(DAUGHTER, MOTHER) is None
    with pytest.raises(GenerationError, match="nothing tells what 2 such steps"):
        prove_word(MOTHER, [MOTHER, SISTER], [True, True])


def test_a_bond_between_others_is_not_told() -> None:
    known = [Bond("Ida", SISTER, "Eva", True), Bond("Eva", MOTHER, "Otto", True)]
    with pytest.raises(GenerationError, match="nothing tells what Ida is to Rosa"):
        prove_kin(Bond("Ida", MOTHER, "Rosa", True), known)


def test_there_is_not_a_word_for_every_relative() -> None:
    with pytest.raises(GenerationError, match="no word for 5 up and 3 down"):
        word(Kin(5, 3), True)


def test_a_false_relation_is_refuted_by_the_right_one() -> None:
    known = [Bond("Ida", SISTER, "Eva", True), Bond("Eva", MOTHER, "Rosa", True)]
    proof = prove_kin(Bond("Rosa", Kin(2, 1), "Ida", True), known)
    assert not proof.holds
    assert proof.steps[-1] == "so Rosa is Ida's niece"


@pytest.mark.parametrize("length", [2, 3])
def test_every_beginning_of_a_chain_has_a_word_too(length: int) -> None:
    for chain in chains(length):
        assert compose_all(chain[1:]) is not None


def test_premises_are_denied_as_often_as_asked_for() -> None:
    for difficulty in RequestedDifficulty().of(named("trace-ancestors")):
        frame = named("trace-ancestors").make(Random(2), difficulty).frame
        assert frame.count(" but ") == difficulty.negations


def test_relatives_in_general_are_older_by_every_step() -> None:
    draft = named("place-own").make(Random(0), Difficulty(3))
    assert draft.cells[0][0].text.count(" older than ") == 4


def test_no_name_is_listed_twice_or_ends_in_s() -> None:
    names = [*KINSHIP["women"], *KINSHIP["men"]]
    assert len(set(names)) == len(names)
    assert not [name for name in names if name.endswith("s")]
    assert set(KINSHIP["steps"]) <= set(KINSHIP["relations"])
