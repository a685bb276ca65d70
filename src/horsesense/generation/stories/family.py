"""Families in generated stories: who they are, how they are related, and how that is told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random

from horsesense.generation.rule import Difficulty
from horsesense.generation.stories.telling import tell
from horsesense.generation.theories.kin import Bond, Kin, chains, compose_all, word
from horsesense.generation.words import table

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
    """So many people of different names, women and men.

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
    """What each of a family is to the next.

    >>> [bond.text for bond in bonds_of([Person("Ida", True), Person("Jo", True)], (Kin(1, 1),))]
    ["Ida is Jo's sister"]
    """
    return [
        Bond(one.name, kin, other.name, one.is_woman)
        for (one, other), kin in zip(pairwise(members), steps, strict=True)
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
    for number, one in enumerate(chains(length)):
        for other in chains(length)[number + 1 :]:
            differing = [at for at in range(length) if one[at] != other[at]]
            if len(differing) == 1:
                fork = Fork(differing[0], (one, other))
                groups.setdefault((relation(one), relation(other)), []).append(fork)
    return list(groups.values())
