"""Families: what the sister of a mother is, and who is whose grandfather."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random

from horsesense.generation.rule import Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.telling import conditional, tell
from horsesense.generation.theories.kin import (
    Bond,
    Kin,
    chains,
    compose_all,
    prove_ancestor,
    prove_kin,
    prove_word,
    word,
)
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.words import table, with_article

DENIED = "{one} is not {other}'s {wrong} but {other}'s {right}"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a story."""

    name: str
    is_woman: bool


@dataclass(frozen=True, slots=True)
class Fork:
    """Two chains that differ in one step, and lead to different relatives."""

    at: int
    chains: tuple[tuple[Kin, ...], tuple[Kin, ...]]


def family(rng: Random, count: int) -> list[Person]:
    """Draw `count` people with different names, women and men.

    >>> len({person.name for person in family(Random(0), 5)})
    5
    """
    members: list[Person] = []
    for _ in range(count):
        members.append(stranger(rng, rng.random() < 0.5, members))
    return members


def stranger(rng: Random, is_woman: bool, others: list[Person]) -> Person:
    """A woman or a man who is none of the others.

    >>> stranger(Random(0), True, []).is_woman
    True
    """
    taken = [other.name for other in others]
    names = table("kinship")["women" if is_woman else "men"]
    return Person(rng.choice([name for name in names if name not in taken]), is_woman)


def bonds_of(members: list[Person], steps: tuple[Kin, ...]) -> list[Bond]:
    """The bonds between neighbours in a family.

    >>> [bond.text for bond in bonds_of([Person("Ida", True), Person("Jo", True)], (Kin(1, 1),))]
    ["Ida is Jo's sister"]
    """
    return [
        Bond(relative.name, kin, other.name, relative.is_woman)
        for (relative, other), kin in zip(pairwise(members), steps, strict=True)
    ]


def turned(bond: Bond, other: Person) -> Bond:
    """A bond from the side of the other, who is known by name in it.

    >>> turned(Bond("Ida", Kin(1, 0), "Otto", True), Person("Otto", False)).text
    "Otto is Ida's son"
    """
    return Bond(bond.other, bond.kin.converse, bond.one, other.is_woman)


def tell_bonds(
    rng: Random, difficulty: Difficulty, bonds: list[Bond], members: list[Person]
) -> list[str]:
    """The bonds in any order, some from the other side and some against a wrong one."""

    def denied(at: int) -> str:
        bond = bonds[at]
        wrong = rng.choice([kin for (kin,) in chains(1) if kin != bond.kin])
        return DENIED.format(
            one=bond.one, other=bond.other, wrong=word(wrong, bond.is_woman), right=bond.word
        )

    premises = tell(
        difficulty.places(rng),
        [bond.text for bond in bonds],
        lambda at: turned(bonds[at], members[at + 1]).text,
        denied,
    )
    rng.shuffle(premises)
    return premises


def relation(steps: tuple[Kin, ...]) -> Kin:
    """The relation of a chain that is known to make one.

    >>> relation((Kin(1, 0), Kin(1, 0)))
    Kin(up=2, down=0)
    """
    kin = compose_all(steps)
    assert kin is not None
    return kin


def draw_lopsided(rng: Random, length: int) -> tuple[Kin, ...]:
    """A chain to a relative who is something else from the other side, all sorts alike.

    >>> relation(draw_lopsided(Random(0), 2)) != relation(draw_lopsided(Random(0), 2)).converse
    True
    """
    return rng.choice(rng.choice(_lopsided(length)))


def draw_fork(rng: Random, length: int) -> Fork:
    """Two chains that differ in one step; all pairs of relatives are as likely.

    >>> len(draw_fork(Random(0), 3).chains[1])
    3
    """
    return rng.choice(rng.choice(_forks(length)))


@cache
def _lopsided(length: int) -> list[list[tuple[Kin, ...]]]:
    """The chains to relatives who are something else from the other side, by relation."""
    groups: dict[Kin, list[tuple[Kin, ...]]] = {}
    for chain in chains(length):
        kin = relation(chain)
        if kin != kin.converse:
            groups.setdefault(kin, []).append(chain)
    return list(groups.values())


@cache
def _forks(length: int) -> list[list[Fork]]:
    """All pairs of chains that differ in one step only, by the relations they make."""
    groups: dict[tuple[Kin, Kin], list[Fork]] = {}
    for number, steps in enumerate(chains(length)):
        for other in chains(length)[number + 1 :]:
            differing = [at for at in range(length) if steps[at] != other[at]]
            if len(differing) == 1:
                fork = Fork(differing[0], (steps, other))
                groups.setdefault((relation(steps), relation(other)), []).append(fork)
    return list(groups.values())


AREA = "kinship"
PARENT, CHILD = Kin(1, 0), Kin(0, 1)
OLDER = "parents are older than their children"
WITH_ARTICLES = "{} is <> of {}"
BOTH_WAYS = ("{} is {}'s <>", WITH_ARTICLES)
# The first answer is an ancestor's; each with what makes it so.
ANCESTRY = (
    ("{} is <> of {}", ("an ancestor", "a descendant"), "parents and their parents are ancestors"),
    ("{} is <> than {}", ("older", "younger"), OLDER),
    ("{} was born <> {}", ("before", "after"), OLDER),
)
OWN = (
    ("{} is <> than you", ("older", "younger")),
    ("{} was born <> you", ("before", "after")),
    ("{} is one of your <>", ("ancestors", "descendants")),
    ("you are <> than {}", ("younger", "older")),
)
# WHOSE is «her» or «his».
ELDERS = (
    ("a {} is <> than WHOSE {}", ("older", "younger")),
    ("every {} was born <> WHOSE {}", ("before", "after")),
    ("a {} is one of the <> of WHOSE {}", ("ancestors", "descendants")),
)
NAMED = ("your {whose} {{}} is your <>", "a person's {whose} {{}} is that person's <>")
NAMED_OF = "the {of} is your <>"


def trace_ancestors(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ida is Eva's mother and Eva is Otto's mother, then Ida is an ancestor of Otto."""
    members = family(rng, difficulty.chain + 1)
    bonds = bonds_of(members, (PARENT,) * difficulty.chain)
    claim, answers, why = rng.choice(ANCESTRY)
    ends = members[0].name, members[-1].name

    def prove(key: int, answer: int) -> Proof:
        elder, younger = (ends[key], ends[1 - key])[:: -1 if answer else 1]
        proof = prove_ancestor(elder, younger, bonds)
        return Proof(proof.holds, (*proof.steps, why))

    premises = tell_bonds(rng, difficulty, bonds, members)
    story = conditional(rng, premises, claim)
    return Draft(story, ends, answers, square(prove))


def name_both_ways(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ida is Eva's sister and Eva is Rosa's mother, then Ida is Rosa's aunt, not her niece."""
    steps = draw_lopsided(rng, difficulty.chain)
    members = family(rng, len(steps) + 1)
    first, last = members[0], members[-1]
    if first.is_woman != last.is_woman:
        # Both ends can be called by both words only if they are of one sex.
        members[-1] = last = stranger(rng, first.is_woman, members)
    bonds = bonds_of(members, steps)
    ends = first, last
    kins = relation(steps), relation(steps).converse

    def prove(key: int, answer: int) -> Proof:
        relative, other = ends[key], ends[1 - key]
        return prove_kin(Bond(relative.name, kins[answer], other.name, relative.is_woman), bonds)

    answers = word(kins[0], first.is_woman), word(kins[1], first.is_woman)
    claim = rng.choice(BOTH_WAYS)
    if claim == WITH_ARTICLES:
        answers = with_article(answers[0]), with_article(answers[1])
    premises = tell_bonds(rng, difficulty, bonds, members)
    story = conditional(rng, premises, claim)
    return Draft(story, (first.name, last.name), answers, square(prove))


def name_relative(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ida is Eva's {mother, sister} and Eva is Otto's mother, Ida is his <grandmother, aunt>."""
    fork = draw_fork(rng, difficulty.chain)
    members = family(rng, difficulty.chain + 1)
    first, last = members[0], members[-1]
    bond_chains = [bonds_of(members, steps) for steps in fork.chains]
    claims = [Bond(first.name, relation(steps), last.name, first.is_woman) for steps in fork.chains]
    premises = [bond.text for bond in bond_chains[0]]
    others = [at for at in range(len(premises)) if at != fork.at]
    for at in rng.sample(others, difficulty.converses):
        premises[at] = turned(bond_chains[0][at], members[at + 1]).text
    keyed = [bonds[fork.at] for bonds in bond_chains]
    premises[fork.at] = f"{keyed[0].one} is {keyed[0].other}'s {{}}"
    rng.shuffle(premises)
    claim = f"{first.name} is {last.name}'s <>"
    story = conditional(rng, premises, claim)
    keys = keyed[0].word, keyed[1].word
    answers = claims[0].word, claims[1].word
    return Draft(story, keys, answers, square(lambda k, a: prove_kin(claims[a], bond_chains[k])))


def name_in_general(rng: Random, difficulty: Difficulty) -> Draft:
    """Your mother's {mother, sister} is your <grandmother, aunt>."""
    fork = draw_fork(rng, difficulty.chain)
    women = [rng.random() < 0.5 for _ in range(difficulty.chain)]
    words = [word(kin, woman) for kin, woman in zip(fork.chains[0], women, strict=True)]
    keys = words[fork.at], word(fork.chains[1][fork.at], women[fork.at])
    kins = [relation(steps) for steps in fork.chains]
    # Only the last word of a row of possessives can be a key without an apostrophe.
    frame = rng.choice((*NAMED, NAMED_OF)) if fork.at == 0 else NAMED_OF
    words[fork.at] = "{}"
    whose = " ".join(f"{kin_word}'s" for kin_word in words[:0:-1])
    frame = frame.format(whose=whose, of=_of(words))
    answers = word(kins[0], women[0]), word(kins[1], women[0])
    return Draft(
        frame, keys, answers, square(lambda k, a: prove_word(kins[a], fork.chains[k], women))
    )


def place_own(rng: Random, difficulty: Difficulty) -> Draft:
    """{The father of your mother, the daughter of your son} is <older, younger> than you."""
    frame, answers = rng.choice(OWN)
    up, down = (
        [word(kin, rng.random() < 0.5) for _ in range(difficulty.chain)] for kin in (PARENT, CHILD)
    )
    elders, youngers = _way(up), _way(down)
    keys = elders[-1], youngers[-1]
    pairs = [*((b, a) for a, b in pairwise(elders)), *pairwise(youngers)]

    def prove(key: int, answer: int) -> Proof:
        relative, other = (keys[key], "you")[:: -1 if answer else 1]
        proof = prove_greater(relative, other, pairs, _told_older)
        return Proof(proof.holds, (*proof.steps, OLDER))

    return Draft(frame, keys, answers, square(prove))


def compare_elders(rng: Random, difficulty: Difficulty) -> Draft:
    """A {grandson, grandfather} is <younger, older> than his {grandfather, grandson}."""
    frame, answers = rng.choice(ELDERS)
    is_woman = rng.random() < 0.5
    kins = Kin(difficulty.chain, 0), Kin(0, difficulty.chain)
    steps, women = [PARENT] * difficulty.chain, [is_woman] * difficulty.chain

    def prove(key: int, answer: int) -> Proof:
        proof = prove_word(kins[key if answer == 0 else 1 - key], steps, women)
        return Proof(proof.holds, (*proof.steps, OLDER))

    keys = word(kins[0], is_woman), word(kins[1], is_woman)
    frame = frame.replace("WHOSE", "her" if is_woman else "his")
    return Draft(frame, keys, answers, square(prove))


def _of(words: list[str]) -> str:
    """The relative of a relative, the nearest to you last: «sister of your mother»."""
    return " of the ".join(words[:-1]) + f" of your {words[-1]}"


def _way(words: list[str]) -> list[str]:
    """You, a relative of yours, a relative of theirs."""
    way = ["you", f"your {words[-1]}"]
    for start in range(len(words) - 2, -1, -1):
        way.append(f"the {_of(words[start:])}")
    return way


def _told_older(elder: str, younger: str) -> str:
    return f"{elder} {'are' if elder == 'you' else 'is'} older than {younger}"


RULES = (
    Rule(
        "trace-ancestors",
        AREA,
        "who is an ancestor of whom",
        trace_ancestors,
        chain=range(2, 6),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "name-both-ways",
        AREA,
        "who is the aunt, and who the niece",
        name_both_ways,
        chain=range(2, 4),
        converses=range(3),
        negations=range(2),
        is_open=True,
    ),
    Rule(
        "name-relative",
        AREA,
        "what a relative of a relative is, among people with names",
        name_relative,
        chain=range(2, 4),
        converses=range(2),
        is_open=True,
    ),
    Rule(
        "name-in-general",
        AREA,
        "what a relative of a relative is called",
        name_in_general,
        chain=range(2, 4),
    ),
    Rule("place-own", AREA, "which relatives are older", place_own, chain=range(1, 5)),
    Rule("compare-elders", AREA, "who is always older", compare_elders, chain=range(1, 5)),
)
