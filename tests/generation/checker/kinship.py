"""Kinship, read back: a claim is true if it holds in every family tree that fits the premises.

It is false if there is no family tree in which the premises and the claim are true.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from tests.generation.checker.pedigree import MAN, WOMAN, Tree, is_relative, with_relative
from tests.generation.checker.plain_text import NAME, Undecided, decide, follows, table

# Who is it, which word, and whose relative: («Ida», «aunt», «Otto»).
Bond: TypeAlias = tuple[str, str, str]

_BASIC = {
    "mother": "P", "father": "P", "daughter": "C", "son": "C", "sister": "S", "brother": "S",
    "grandmother": "PP", "grandfather": "PP", "granddaughter": "CC", "grandson": "CC",
    "aunt": "PS", "uncle": "PS", "niece": "SC", "nephew": "SC", "cousin": "PSC",
}  # fmt: skip
_OF_WOMEN = ("mother", "daughter", "sister", "aunt", "niece")
_WORD = "[a-z-]+"
_BOND = (
    f"(?P<one>{NAME}) is (?P<other>{NAME})'s (?P<word>{_WORD})",
    f"(?P<one>{NAME}) is an? (?P<word>{_WORD}) of (?P<other>{NAME})",
)
_DENIED = f"({NAME}) is not ({NAME})'s ({_WORD}) but ({NAME})'s ({_WORD})"
_OLDER = "(?P<older>is older than|was born before|is an ancestor of)"
_YOUNGER = "(?:is younger than|was born after|is a descendant of)"
_AGES = f"(?P<one>{NAME}) (?:{_OLDER}|{_YOUNGER}) (?P<other>{NAME})"
_GENERAL = (
    f"your (?P<row>(?:{_WORD}'s )+{_WORD}) is your (?P<word>{_WORD})",
    f"a person's (?P<row>(?:{_WORD}'s )+{_WORD}) is that person's (?P<word>{_WORD})",
    f"the (?P<of>{_WORD} of (?:the {_WORD} of )*your {_WORD}) is your (?P<word>{_WORD})",
)
_RELATIVE = f"(?:your (?P<row>{_WORD})|the (?P<of>{_WORD} of (?:the {_WORD} of )*your {_WORD}))"
_OWN = (
    f"{_RELATIVE} (?:(?P<older>is older than|was born before)|is younger than|was born after) you",
    f"{_RELATIVE} is one of your (?:(?P<older>ancestors)|descendants)",
    f"you are (?:(?P<older>younger)|older) than {_RELATIVE}",
)
_ELDERS = (
    f"(?:a|every) (?P<one>{_WORD}) (?:(?P<older>is older than|was born before|"
    "is one of the ancestors of)|is younger than|was born after|is one of the descendants of) "
    f"(?P<whose>her|his) (?P<other>{_WORD})"
)


def is_true(sentence: str) -> bool:
    """Whether a sentence about relatives is true."""
    return decide(sentence, (_story, _general, _own, _elders))


def _story(body: str) -> bool | None:
    told = follows(body)
    if not told:
        return None
    given: list[Bond] = []
    not_so: list[Bond] = []
    for clause in told[0]:
        if (bond := _bond(clause)) and "'s" in clause:
            given.append(bond)
        elif (found := re.fullmatch(_DENIED, clause)) and found[2] == found[4]:
            given.append((found[1], found[5], found[2]))
            not_so.append((found[1], found[3], found[2]))
        else:
            return None
    claim, ages = _bond(told[1]), re.fullmatch(_AGES, told[1])
    if claim:
        return _renamed(_is_so, given, not_so, claim)
    if ages:
        pair = ages["one"], "", ages["other"]
        return _renamed(_is_older, given, not_so, pair) == bool(ages["older"])
    return None


def _bond(clause: str) -> Bond | None:
    for pattern in _BOND:
        found = re.fullmatch(pattern, clause)
        if found and _steps(found["word"]):
            return found["one"], found["word"], found["other"]
    return None


def _renamed(
    decide_: Callable[..., bool], given: list[Bond], not_so: list[Bond], claim: Bond
) -> bool:
    """What is decided of the same people under other names, so that it is done once only."""
    facts = table("kinship")
    new: dict[str, str] = {}
    for one, _, other in (*given, claim):
        for name in (one, other):
            sex = WOMAN if name in facts["women"] else MAN if name in facts["men"] else "person"
            new.setdefault(name, f"{sex} {len(new)}")
    told = [tuple((new[a], word, new[b]) for a, word, b in some) for some in (given, not_so)]
    return decide_(*told, (new[claim[0]], claim[1], new[claim[2]]), frozenset(new.values()))


def _general(body: str) -> bool | None:
    for pattern in _GENERAL:
        if found := re.fullmatch(pattern, body):
            chain = _chain(found.groupdict())
            if chain and _steps(found["word"]):
                claim = chain[-1][0], found["word"], "you"
                return _is_so(chain, (), claim, frozenset({"you"}))
    return None


def _own(body: str) -> bool | None:
    for pattern in _OWN:
        if (found := re.fullmatch(pattern, body)) and (chain := _chain(found.groupdict())):
            pair = chain[-1][0], "", "you"
            return _is_older(chain, (), pair, frozenset({"you"})) == bool(found["older"])
    return None


def _chain(told: dict[str, str | None]) -> tuple[Bond, ...]:
    """A relative of yours, a relative of theirs and so on; nothing if a word is not known."""
    words = re.split(" of (?:the |your )", told.get("of") or "")[::-1]
    if row := told.get("row"):
        words = row.split("'s ")
    people = ["you", *(f"relative {place}" for place in range(len(words)))]
    if not all(_steps(word) for word in words):
        return ()
    return tuple((people[at + 1], word, people[at]) for at, word in enumerate(words))


def _elders(body: str) -> bool | None:
    found = re.fullmatch(_ELDERS, body)
    if not found or not _steps(found["one"]) or not _steps(found["other"]):
        return None
    if _sex(found["one"]) != (WOMAN if found["whose"] == "her" else MAN):
        return None
    given = (("one", found["one"], "other"), ("other", found["other"], "one"))
    is_older = _is_older(given, (), ("one", "", "other"), frozenset({"one", "other"}))
    return is_older == bool(found["older"])


@cache
def _is_so(
    given: tuple[Bond, ...], not_so: tuple[Bond, ...], claim: Bond, named: frozenset[str]
) -> bool:
    trees = _trees(given, not_so, named)
    one, word, other = claim
    if all(
        _sex(word) in (None, tree.sex(one)) and is_relative(tree, one, _steps(word), other)
        for tree in trees
    ):
        return True
    if not any(_grown(tree, claim) for tree in trees):
        return False
    raise Undecided(f"{given} leave open {claim}")


@cache
def _is_older(
    given: tuple[Bond, ...], not_so: tuple[Bond, ...], claim: Bond, named: frozenset[str]
) -> bool:
    """Whether the first is an ancestor of the other, or an error where neither is."""
    trees = _trees(given, not_so, named)
    one, _, other = claim
    if all(tree.who(one) in tree.all_ancestors(other) for tree in trees):
        return True
    if all(tree.who(other) in tree.all_ancestors(one) for tree in trees):
        return False
    raise Undecided(f"{given} leave open who of {one} and {other} is older")


@cache
def _trees(given: tuple[Bond, ...], not_so: tuple[Bond, ...], named: frozenset[str]) -> list[Tree]:
    """All family trees that fit."""
    sexes = {name: sex for name in named for sex in (WOMAN, MAN) if name.startswith(sex)}
    trees = [Tree(named, sexes)]
    for bond in given:
        trees = [grown for tree in trees for grown in _grown(tree, bond)]
    trees = [
        tree
        for tree in trees
        if not any(is_relative(tree, one, _steps(word), other) for one, word, other in not_so)
    ]
    if not trees:
        raise Undecided(f"there is no such family: {given}")
    return trees


def _grown(tree: Tree, bond: Bond) -> list[Tree]:
    """The tree with a bond, in all ways there are."""
    one, word, other = bond
    sex = _sex(word)
    known = tree.sex(one)
    if sex and known not in (None, sex):
        return []
    if sex and not known:
        tree = tree.copy()
        tree.sexes[tree.who(one)] = sex
    return list(with_relative(tree, one, _steps(word), other))


def _sex(word: str) -> str | None:
    if word == "cousin":
        return None
    return WOMAN if word.endswith(_OF_WOMEN) else MAN


@cache
def _steps(word: str) -> str:
    """The steps to a relative of that name; nothing if there is no such word."""
    if word in _BASIC:
        return _BASIC[word]
    great, _, rest = word.partition("-")
    steps = _steps(rest) if great == "great" else ""
    if steps in ("P", "C", "S", "PSC"):
        return ""
    if steps.startswith("P"):
        return f"P{steps}"
    return f"{steps}C" if steps else ""
