"""Kinds and kinds of kinds: every poodle is a dog, not every dog is a poodle, no dog is a cat."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random

from horsesense.generation.rule import Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.telling import conditional, tell_links
from horsesense.generation.theories.nesting import (
    EVERY,
    Link,
    Links,
    climb,
    prove_all,
    prove_member,
    prove_none,
    prove_within,
)
from horsesense.generation.words import Noun, joined, people, table, with_article


@dataclass(frozen=True, slots=True)
class Parting:
    """A kind with a wider one, and other such pairs that have nothing in common with them."""

    pair: Link
    others: tuple[Link, ...]


@cache
def plural(kind: str) -> str:
    """Several of a kind.

    >>> plural("deer"), plural("poodle")
    ('deer', 'poodles')
    """
    return Noun(kind, table("kinds")["plurals"].get(kind, "")).plural


@cache
def plural_links() -> Links:
    """The table as links between plurals, the narrower kind first.

    >>> ("poodles", "dogs") in plural_links()
    True
    """
    return Links((plural(kind), plural(wider)) for kind, wider in _links())


@cache
def wider_pairs(steps: int) -> list[Link]:
    """All kinds with what is so many steps wider.

    >>> ("poodle", "mammal") in wider_pairs(2)
    True
    """
    ways = [climb(kind, _links()) for kind, _ in _links()]
    return [(way[0], way[steps]) for way in ways if len(way) > steps]


@cache
def parted_pairs(steps: int) -> list[Link]:
    """All kinds with what is so many steps wider and has others beside it.

    >>> ("poodle", "dog") in parted_pairs(1), ("waltz", "dance") in parted_pairs(1)
    (True, False)
    """
    return [pair for pair in wider_pairs(steps) if beside(pair[1])]


@cache
def partings(steps: int) -> list[Parting]:
    """All pairs of so many steps that have others apart from them in the same tree.

    >>> [("sparrow", "songbird") in p.others for p in partings(1) if "collie" in p.pair]
    [True]
    """
    pairs = wider_pairs(steps)
    ways = {wider: climb(wider, _links()) for _, wider in pairs}

    def is_apart(kind: str, other: str) -> bool:
        is_nested = kind in ways[other] or other in ways[kind]
        return not is_nested and ways[kind][-1] == ways[other][-1]

    candidates = [
        Parting(pair, tuple(other for other in pairs if is_apart(pair[1], other[1])))
        for pair in pairs
    ]
    return [parting for parting in candidates if parting.others]


@cache
def beside(kind: str) -> list[str]:
    """The kinds that stand side by side with one, under the same wider kind.

    >>> beside("oboe")
    ['bassoon', 'clarinet', 'trumpet', 'trombone']
    """
    rows = [kinds for kinds in table("kinds")["kinds"].values() if kind in kinds]
    return [other for kinds in rows for other in kinds if other != kind]


@cache
def _links() -> Links:
    return Links(
        (kind, wider) for wider, kinds in table("kinds")["kinds"].items() for kind in kinds
    )


AREA = "kinds"
WIDER = (
    ("<> {} are {}", ("all", "not all")),
    ("<> {} are {}", ("all", "only some")),
    ("{} <> be {}", ("must", "need not")),
)
WIDER_SINGULAR = (
    ("{} is <> {}", ("always", "not always")),
    ("{} <> be {}", ("must", "need not")),
)
CLASSED = ("all {} are <>", "{} are counted among the <>")
CLASSED_SINGULAR = "every {} is <>"
EXCLUDED = (
    ("<> {kind} are {{}}", ("all", "no")),
    ("{kind} <> be {{}}", ("must", "cannot")),
    ("{kind} <> {{}}", ("are", "are never")),
)
AMONG = (
    ("<> {kind} are {{}}", ("some", "no")),
    ("there <> {kind} that are {{}}", ("are", "are no")),
    ("among the {kind} there <> {{}}", ("are", "are no")),
)
FOLLOWS = (
    ("it <> that every {} is a {}", ("follows", "does not follow")),
    ("a {} <> be a {}", ("must", "need not")),
    ("whatever is a {} <> be a {}", ("is sure to", "is not sure to")),
)
# How the last premise is told, with its keys: the first says that it holds of every one.
LAST = (
    ("{{}} {low} is a {high}", ("every", "no")),
    ("{{}} {high}s are {low}s", ("only", "no")),
    ("there is no {low} that {{}} a {high}", ("is not", "is")),
)
MEMBER = (
    "{who} is a {kind}",
    "one of the {kind}s is {who}",
    "it is not true that {who} is no {kind}",
)


def widen_kind(rng: Random, difficulty: Difficulty) -> Draft:
    """All {poodles, dogs} are {dogs, poodles}: or not all."""
    low, high = rng.choice(wider_pairs(difficulty.chain))
    plurals = plural(low), plural(high)
    is_singular = rng.random() < 0.4
    frame, answers = rng.choice(WIDER_SINGULAR if is_singular else WIDER)
    keys = (with_article(low), with_article(high)) if is_singular else plurals

    def prove(key: int, answer: int) -> Proof:
        proof = prove_all(plurals[key], plurals[1 - key], plural_links())
        return proof.denied() if answer else proof

    return Draft(frame, keys, answers, square(prove))


def class_kinds(rng: Random, difficulty: Difficulty) -> Draft:
    """Every {poodle, sparrow} is <a mammal, a bird>."""
    parting = rng.choice(partings(difficulty.chain))
    lows, highs = zip(parting.pair, rng.choice(parting.others), strict=True)
    keys = plural(lows[0]), plural(lows[1])
    wider = plural(highs[0]), plural(highs[1])

    def prove(key: int, answer: int) -> Proof:
        return prove_all(keys[key], wider[answer], plural_links())

    if rng.random() < 0.4:
        articled = with_article(highs[0]), with_article(highs[1])
        return Draft(CLASSED_SINGULAR, lows, articled, square(prove))
    return Draft(rng.choice(CLASSED), keys, wider, square(prove))


def exclude_kind(rng: Random, difficulty: Difficulty) -> Draft:
    """<All, no> poodles are {mammals, birds}."""
    low, high = rng.choice(parted_pairs(difficulty.chain))
    keys = plural(high), plural(rng.choice(beside(high)))
    kind = plural(low)
    frame, answers = rng.choice(EXCLUDED)

    def prove(key: int, answer: int) -> Proof:
        return (prove_none if answer else prove_all)(kind, keys[key], plural_links())

    return Draft(frame.format(kind=kind), keys, answers, square(prove))


def find_among(rng: Random, difficulty: Difficulty) -> Draft:
    """<Some, no> mammals are {poodles, sparrows}."""
    parting = rng.choice(partings(difficulty.chain))
    low, high = parting.pair
    other = rng.choice(parting.others)[0]
    keys = plural(low), plural(other)
    kind = plural(high)
    frame, answers = rng.choice(AMONG)

    def prove(key: int, answer: int) -> Proof:
        proof = prove_none(kind, keys[key], plural_links())
        return proof if answer else proof.denied()

    return Draft(frame.format(kind=kind), keys, answers, square(prove))


def follow_kinds(rng: Random, difficulty: Difficulty) -> Draft:
    """If every mirvik is a velbid and every velbid is a triget, a mirvik must be a triget."""
    kinds = _invented(rng, difficulty.chain + 1)
    links = list(pairwise(kinds))
    premises = tell_links(links, EVERY, difficulty.places(rng))
    rng.shuffle(premises)
    ends = kinds[0], kinds[-1]
    claim, answers = rng.choice(FOLLOWS)

    def prove(key: int, answer: int) -> Proof:
        proof = prove_within(ends[key], ends[1 - key], links, EVERY)
        return proof.denied() if answer else proof

    frame = f"if {joined(premises)}, then {claim}"
    return Draft(frame, ends, answers, square(prove))


def belong_to_kind(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada is a mirvik and {every, no} mirvik is a velbid, then Ada <is, is not> a velbid."""
    kinds = _invented(rng, difficulty.chain)
    links = list(pairwise(kinds))
    who = people(rng, 1)[0]
    turned, denied = difficulty.places(rng)
    # The first premise is about the one, the last has the key; those between are plain kinds.
    manner = [1 if at in turned else 2 if at in denied else 0 for at in range(difficulty.chain)]
    clauses = tell_links([("", ""), *links], EVERY, (turned, denied))[1:-1]
    last, keys = LAST[manner[-1]]
    low, high = links[-1]
    member = MEMBER[manner[0]].format(who=who, kind=kinds[0])
    premises = [*clauses, last.format(low=low, high=high)]
    # At the end, lest its denial be taken to reach further.
    rng.shuffle(premises)
    premises.append(member)

    def prove(key: int, answer: int) -> Proof:
        known, apart = (links, []) if key == 0 else (links[:-1], links[-1:])
        proof = prove_member(kinds[0], high, known, apart)
        steps = f"{who} is a {kinds[0]}", *proof.steps
        return Proof(proof.holds != bool(answer), steps)

    frame = conditional(rng, premises, f"{who} <> a {high}")
    return Draft(frame, keys, ("is", "is not"), square(prove))


def keep_kinds_apart(rng: Random, difficulty: Difficulty) -> Draft:
    """If every mirvik is a velbid and no velbid is a triget, then a mirvik is no triget."""
    steps = difficulty.chain - 1
    kinds = _invented(rng, 2 * (steps + 1))
    arms = kinds[: steps + 1], kinds[steps + 1 :]
    links = [list(pairwise(arm)) for arm in arms]
    apart = [(arms[0][-1], arms[1][-1])]
    who = people(rng, 1)[0]
    turned, denied = difficulty.places(rng)
    # The last of the steps is that somebody is of a kind, which is told with the key.
    clauses = [tell_links([*arm, ("", "")], EVERY, (turned, denied))[:-1] for arm in links]
    member = MEMBER[1 if steps in turned else 2 if steps in denied else 0]
    excluded = "no {} is a {}".format(*rng.sample(apart[0], 2))
    premises = [*clauses[0], *clauses[1], excluded]
    rng.shuffle(premises)
    keys = arms[0][0], arms[1][0]
    kind = arms[0][-1]

    def prove(key: int, answer: int) -> Proof:
        proof = prove_member(keys[key], kind, [*links[0], *links[1]], apart)
        return Proof(proof.holds != bool(answer), (f"{who} is a {keys[key]}", *proof.steps))

    # «One of the mirviks» has the plural in its key.
    is_plural = "{kind}s" in member
    premises.append(member.replace("{kind}s", "{kind}").format(who=who, kind="{}"))
    nouns_shown = (f"{keys[0]}s", f"{keys[1]}s") if is_plural else keys
    frame = f"if {joined(premises)}, then {who} <> a {kind}"
    return Draft(frame, nouns_shown, ("is", "cannot be"), square(prove))


def _invented(rng: Random, count: int) -> list[str]:
    """Draw `count` invented kinds."""
    syllables = table(AREA)["syllables"]
    firsts = rng.sample(syllables["first"], count)
    return [first + rng.choice(syllables["second"]) for first in firsts]


RULES = (
    Rule("widen-kind", AREA, "all poodles are dogs", widen_kind, chain=range(1, 5)),
    Rule("class-kinds", AREA, "which kind a kind belongs to", class_kinds, chain=range(1, 4)),
    Rule("exclude-kind", AREA, "no dog is a cat", exclude_kind, chain=range(1, 4)),
    Rule("find-among", AREA, "some dogs are poodles", find_among, chain=range(1, 4)),
    Rule(
        "follow-kinds",
        AREA,
        "what follows for made-up kinds",
        follow_kinds,
        chain=range(2, 6),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "belong-to-kind",
        AREA,
        "what a member of a made-up kind is",
        belong_to_kind,
        chain=range(2, 6),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "keep-kinds-apart",
        AREA,
        "what a member of a made-up kind cannot be",
        keep_kinds_apart,
        chain=range(2, 5),
        converses=range(2),
        negations=range(2),
        is_open=True,
    ),
)
