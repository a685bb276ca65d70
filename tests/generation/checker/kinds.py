"""Kinds, read back: every sort of individual there may be, by the kinds it is of and is not of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import TypeAlias

from tests.generation.checker.plain_text import (
    NAME,
    Undecided,
    decide,
    follows,
    in_all_or_none,
    table,
)

# The kinds that an individual is of.
Sort: TypeAlias = frozenset[str]

_K = "[a-z]+"
# What no individual is: of the first kind but not of the second, or of both.
_EVERY = (
    f"every (?P<a>{_K}) is a (?P<b>{_K})",
    f"only (?P<b>{_K})s are (?P<a>{_K})s",
    f"there is no (?P<a>{_K}) that is not a (?P<b>{_K})",
)
_NONE = (
    f"no (?P<a>{_K}) is a (?P<b>{_K})",
    f"no (?P<a>{_K})s are (?P<b>{_K})s",
    f"there is no (?P<a>{_K}) that is a (?P<b>{_K})",
)
_MEMBER = (
    f"(?P<who>{NAME}) is a (?P<a>{_K})",
    f"one of the (?P<a>{_K})s is (?P<who>{NAME})",
    f"it is not true that (?P<who>{NAME}) is no (?P<a>{_K})",
)
_FOLLOWS = (
    f"it (?:follows|does (?P<no>not) follow) that every (?P<a>{_K}) is a (?P<b>{_K})",
    f"a (?P<a>{_K}) (?:must|(?P<no>need not)) be a (?P<b>{_K})",
    f"whatever is a (?P<a>{_K}) is (?P<no>not )?sure to be a (?P<b>{_K})",
)
_BELONGS = f"(?P<who>{NAME}) (?:is|(?P<no>is not|cannot be)) a (?P<b>{_K})"
_ALL, _NOT_ALL, _SOME, _NO = "all", "not all", "some", "no"
_WORLD = (
    ("all (?P<a>.+) are (?P<b>.+)", _ALL),
    ("(?P<a>.+) must be (?P<b>.+)", _ALL),
    ("(?P<a>.+) are counted among the (?P<b>.+)", _ALL),
    ("(?:not all|only some) (?P<a>.+) are (?P<b>.+)", _NOT_ALL),
    ("(?P<a>.+) need not be (?P<b>.+)", _NOT_ALL),
    ("(?:some|there are) (?P<a>.+?) (?:that )?are (?P<b>.+)", _SOME),
    ("among the (?P<a>.+) there are no (?P<b>.+)", _NO),
    ("among the (?P<a>.+) there are (?P<b>.+)", _SOME),
    ("(?:no|there are no) (?P<a>.+?) (?:that )?are (?P<b>.+)", _NO),
    ("(?P<a>.+) cannot be (?P<b>.+)", _NO),
    ("(?P<a>.+) are never (?P<b>.+)", _NO),
    ("(?P<a>.+) are (?P<b>.+)", _ALL),
)
_WORLD_SINGULAR = (
    ("(?P<a>an? .+) (?:is always|must be) (?P<b>an? .+)", _ALL),
    ("(?P<a>an? .+) (?:is not always|need not be) (?P<b>an? .+)", _NOT_ALL),
    ("every (?P<a>.+) is (?P<b>an? .+)", _ALL),
)


def is_true(sentence: str) -> bool:
    """Whether a sentence about kinds is true."""
    return decide(sentence, (_story, _world))


def _story(body: str) -> bool | None:
    told = follows(body)
    if not told:
        return None
    rules = [rule for clause in told[0] if (rule := _rule(clause))]
    members = [found for clause in told[0] if (found := _match(clause, _MEMBER))]
    if len(rules) + len(members) != len(told[0]):
        return None
    if (claim := _match(told[1], _FOLLOWS)) and not members:
        sorts = _sorts(rules, {claim["a"], claim["b"]})
        return all(claim["b"] in one for one in sorts if claim["a"] in one) != bool(claim["no"])
    claim = re.fullmatch(_BELONGS, told[1])
    if not claim or {claim["who"]} != {found["who"] for found in members}:
        return None
    own = {found["a"] for found in members}
    possible = [one for one in _sorts(rules, {*own, claim["b"]}) if own <= one]
    return in_all_or_none((claim["b"] in one for one in possible), body) != bool(claim["no"])


def _rule(clause: str) -> tuple[str, str, bool] | None:
    """Two kinds, and whether what is of the first must be of the second, or must not."""
    if found := _match(clause, _EVERY):
        return found["a"], found["b"], True
    if found := _match(clause, _NONE):
        return found["a"], found["b"], False
    return None


def _match(clause: str, patterns: tuple[str, ...]) -> re.Match[str] | None:
    return next((found for one in patterns if (found := re.fullmatch(one, clause))), None)


def _sorts(rules: list[tuple[str, str, bool]], named: set[str]) -> Iterator[Sort]:
    """All sorts of individuals that break no rule."""
    kinds = sorted({kind for rule in rules for kind in rule[:2]} | named)
    if len(kinds) > 8:
        raise Undecided(f"too many kinds: {kinds}")
    at = [(kinds.index(a), kinds.index(b), is_b) for a, b, is_b in rules]
    for of in product((False, True), repeat=len(kinds)):
        if all(not of[a] or of[b] == is_b for a, b, is_b in at):
            yield frozenset(kind for kind, is_of in zip(kinds, of, strict=True) if is_of)


def _world(body: str) -> bool | None:
    for patterns, read in ((_WORLD_SINGULAR, _singular), (_WORLD, _plural)):
        for pattern, manner in patterns:
            found = re.fullmatch(pattern, body)
            first, second = (read(found["a"]), read(found["b"])) if found else ("", "")
            if found and first and second:
                return _holds(first, second, manner)
    return None


def _holds(first: str, second: str, manner: str) -> bool:
    """Whether it is so of the individuals of the world, of which there is one of each sort."""
    ones = [second in one for one in _individuals() if first in one]
    is_common = any(first in one and second in one for one in _individuals())
    if not is_common and not _have_a_wider_kind(first, second):
        raise Undecided(f"nobody knows whether a {first} may be a {second}")
    truths = {_ALL: all(ones), _NOT_ALL: not all(ones), _SOME: any(ones), _NO: not any(ones)}
    return truths[manner]


def _have_a_wider_kind(first: str, second: str) -> bool:
    """Whether both are of one kind: the table keeps apart what stands under one."""
    shared = [
        frozenset.intersection(*(one for one in _individuals() if kind in one))
        for kind in (first, second)
    ]
    return bool(shared[0] & shared[1])


@cache
def _individuals() -> frozenset[Sort]:
    """One individual of every kind that is of none narrower: no kind fills its wider kind."""
    kinds = table("kinds")["kinds"]
    sorts = {frozenset({kind}) for kind in _kinds()}
    while True:
        wider = {one | {w for w, narrow in kinds.items() if one & set(narrow)} for one in sorts}
        if wider == sorts:
            return frozenset(sorts)
        sorts = wider


@cache
def _kinds() -> frozenset[str]:
    kinds = table("kinds")["kinds"]
    return frozenset({*kinds, *(kind for narrower in kinds.values() for kind in narrower)})


def _singular(words: str) -> str:
    """The kind that is named, with the article that it takes or without one."""
    article, _, kind = words.partition(" ")
    if article not in ("a", "an"):
        kind = words
    elif article != ("an" if kind[:1] in tuple("aeiouAEIOU") else "a"):
        return ""
    return kind if kind in _kinds() else ""


@cache
def _plural(word: str) -> str:
    """The kind of which a word is the plural; nothing if there is none."""
    for kind in _kinds():
        irregular = table("kinds")["plurals"].get(kind)
        if re.search("([sxz]|[cs]h)$", kind):
            regular = f"{kind}es"
        else:
            regular = re.sub("(?<![aeiou])y$", "ie", kind) + "s"
        if word == (irregular or regular):
            return kind
    return ""
