"""Kinds of the world, and kinds that nobody has heard of."""

from __future__ import annotations

import re
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty
from horsesense.generation.areas.kinds import RULES, plural
from horsesense.generation.theories.nesting import prove_all, prove_member, prove_none
from horsesense.generation.words import table
from tests.generation.drawn import drafts, named, sentences, with_drafts

KINDS = table("kinds")
WIDER = {kind: wider for wider, kinds in KINDS["kinds"].items() for kind in kinds}
PLURALS = {plural(kind): kind for kind in (*WIDER, *KINDS["kinds"])}


def is_kind_of(low: str, high: str) -> bool:
    while low in WIDER:
        low = WIDER[low]
        if low == high:
            return True
    return False


def bare(phrase: str) -> str:
    """A kind in the singular, without its article."""
    kind = re.sub("^[Aa]n? ", "", phrase)
    is_name = kind.startswith(("African", "Indian"))
    kind = kind if is_name else kind[0].lower() + kind[1:]
    singular: str = PLURALS.get(kind, kind)
    return singular


@with_drafts(7, 60)
def test_statements_about_the_world_are_what_the_table_says(count: int) -> None:
    readings = (
        (r"(?:Not all|Only some) (.+) are (.+)", lambda a, b: not is_kind_of(a, b)),
        (r"(?:All|Every) (.+) (?:are|is) (.+)", is_kind_of),
        (r"(An? .+) is not always (an? .+)", lambda a, b: not is_kind_of(a, b)),
        (r"(An? .+) is always (an? .+)", is_kind_of),
        (r"No (.+) are (.+)", lambda a, b: not (is_kind_of(a, b) or is_kind_of(b, a))),
        (r"Some (.+) are (.+)", lambda a, b: is_kind_of(b, a)),
        (r"Among the (.+) there are no (.+)", lambda a, b: not is_kind_of(b, a)),
        (r"Among the (.+) there are (.+)", lambda a, b: is_kind_of(b, a)),
        (r"There are no (.+) that are (.+)", lambda a, b: not is_kind_of(b, a)),
        (r"There are (.+) that are (.+)", lambda a, b: is_kind_of(b, a)),
        (r"(.+) need not be (.+)", lambda a, b: not is_kind_of(a, b)),
        (r"(.+) must be (.+)", is_kind_of),
        (r"(.+) cannot be (.+)", lambda a, b: not (is_kind_of(a, b) or is_kind_of(b, a))),
        (r"(.+) are never (.+)", lambda a, b: not is_kind_of(a, b)),
        (r"(.+) are counted among the (.+)", is_kind_of),
        (r"(.+) are (.+)", is_kind_of),
    )
    for rule in RULES[:4]:
        for draft in drafts(rule, count):
            for text, is_true in sentences(draft):
                found, test = next(
                    (found, test)
                    for pattern, test in readings
                    if (found := re.fullmatch(pattern, text))
                )
                assert test(bare(found[1]), bare(found[2])) == is_true, text


def narrower(text: str) -> set[tuple[str, str]]:
    """All pairs of kinds, the narrower first, that follow from a text."""
    pairs = set(re.findall(r"every (\w+) is a (\w+)", text))
    pairs |= set(re.findall(r"there is no (\w+) that is not a (\w+)", text))
    pairs |= {pair[::-1] for pair in re.findall(r"only (\w+)s are (\w+)s", text)}
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs


@with_drafts(3, 20)
def test_what_is_said_of_invented_kinds_follows_from_the_premises(count: int) -> None:
    for draft in drafts(named("follow-kinds"), count):
        for text, is_true in sentences(draft):
            premises, claim = text.lower().split(", then ")
            found = re.search(
                r"(\w+) (?:is|must be|need not be|is (?:not )?sure to be) a (\w+)$", claim
            )
            assert found
            denies = " not " in claim
            assert ((found.groups() in narrower(premises)) != denies) == is_true, text


def test_somebody_is_of_every_wider_kind_and_of_none_that_is_apart() -> None:
    links, apart = [("dax", "wop"), ("fep", "zim")], [("wop", "zim")]
    assert prove_member("dax", "wop", links, apart).holds
    assert prove_member("wop", "wop", links, apart).holds
    proof = prove_member("fep", "wop", links, apart)
    assert (proof.holds, proof.steps) == (False, ("every fep is a zim", "no zim is a wop"))
    with pytest.raises(GenerationError, match="nothing tells whether a wop is a fep"):
        prove_member("wop", "fep", links, [])


def test_kinds_of_different_trees_are_not_told_apart() -> None:
    with pytest.raises(GenerationError, match="nothing tells whether any cats are spades"):
        prove_none("cats", "spades", [("cats", "animals"), ("spades", "tools")])


def test_a_kind_that_is_apart_is_refuted_where_the_ways_part() -> None:
    links = [("poodles", "dogs"), ("dogs", "animals"), ("owls", "birds"), ("birds", "animals")]
    proof = prove_all("poodles", "owls", links)
    assert not proof.holds
    assert proof.steps == ("all poodles are dogs", "all owls are birds", "no dogs are birds")


def test_somebody_is_told_from_the_other_side_and_by_a_denial() -> None:
    for name in ("belong-to-kind", "keep-kinds-apart"):
        frames = [named(name).make(Random(s), Difficulty(2, 1, 1)).frame for s in range(30)]
        assert any("one of the " in frame for frame in frames)
        assert any("it is not true that " in frame for frame in frames)
        assert not any(re.search("not true that [^,]+ and ", frame) for frame in frames)


def test_no_kind_has_two_wider_ones_and_there_are_many() -> None:
    listed = [kind for kinds in KINDS["kinds"].values() for kind in kinds]
    assert len(set(listed)) == len(listed) > 200
    assert set(KINDS["plurals"]) <= {*listed, *KINDS["kinds"]}
    assert all(len(kinds) > 1 for kinds in KINDS["kinds"].values())


def test_invented_words_take_an_s_and_begin_with_a_consonant() -> None:
    syllables = KINDS["syllables"]
    assert not [one for one in syllables["first"] if one[0] in "aeiou"]
    assert not [one for one in syllables["second"] if one.endswith(("s", "x", "z", "ch", "y"))]
