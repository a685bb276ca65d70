"""The theory of kinship: the relative of a relative.

A relation is counted in generations, up to the nearest common ancestor and down again. Two
relations make a third for certain only if the way does not go down and up again, and turns at
its top by a brother or sister: the mother of your brother may be your father's second wife, and
a son of your mother may be you.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from horsesense.errors import GenerationError
from horsesense.generation.rule import Proof
from horsesense.generation.words import table


@dataclass(frozen=True, slots=True)
class Kin:
    """How somebody is related to somebody: so many generations up, then so many down."""

    up: int
    down: int

    @property
    def converse(self) -> Kin:
        """The same from the other side."""
        return Kin(self.down, self.up)


@dataclass(frozen=True, slots=True)
class Bond:
    """That one is something to the other: «Ida» is the «mother» of «Otto»."""

    one: str
    kin: Kin
    other: str
    is_woman: bool

    @property
    def word(self) -> str:
        """The word for the first person from the view of the second."""
        return word(self.kin, self.is_woman)

    @property
    def text(self) -> str:
        """The bond as a clause."""
        return f"{self.one} is {self.other}'s {self.word}"


def compose(first: Kin, second: Kin) -> Kin | None:
    """The relation of the `first` of somebody's `second`; None if it is not determined.

    >>> compose(Kin(1, 1), Kin(1, 0))  # the sister of a mother
    Kin(up=2, down=1)
    """
    goes_up_again = second.down > 0 and first.up > 0
    may_come_back = second.down == 0 and first.up == 0
    if goes_up_again or may_come_back:
        return None
    return Kin(second.up + first.up, second.down + first.down)


def compose_all(steps: Sequence[Kin]) -> Kin | None:
    """The relation along a chain, from the nearest to the one spoken of outwards.

    >>> compose_all([Kin(0, 1), Kin(1, 1), Kin(1, 0)])  # a child of a sibling of a parent
    Kin(up=2, down=2)
    """
    whole: Kin | None = steps[-1]
    for step in reversed(steps[:-1]):
        whole = whole and compose(step, whole)
    return whole


def prove_kin(claim: Bond, bonds: Sequence[Bond]) -> Proof:
    """Whether the claim follows from a chain of bonds that leads from its one end to its other.

    >>> bonds = [Bond("Ida", Kin(1, 1), "Eva", True), Bond("Eva", Kin(1, 0), "Otto", True)]
    >>> prove_kin(Bond("Ida", Kin(2, 1), "Otto", True), bonds).text
    "Ida is Eva's sister; Eva is Otto's mother; so Ida is Otto's aunt"
    """
    actual = _along(claim.one, claim.other, bonds)
    conclusion = Bond(claim.one, actual, claim.other, claim.is_woman)
    return Proof(actual == claim.kin, (*(bond.text for bond in bonds), f"so {conclusion.text}"))


def prove_ancestor(elder: str, younger: str, bonds: Sequence[Bond]) -> Proof:
    """Return whether `one` is an ancestor of `other`, to whom a chain of bonds leads.

    >>> bonds = [Bond("Ida", Kin(1, 0), "Eva", True), Bond("Eva", Kin(1, 0), "Otto", True)]
    >>> prove_ancestor("Otto", "Ida", bonds)
    Proof(holds=False, steps=("Ida is Eva's mother", "Eva is Otto's mother"))
    """
    return Proof(_along(elder, younger, bonds).down == 0, tuple(bond.text for bond in bonds))


def prove_word(claim: Kin, steps: Sequence[Kin], women: Sequence[bool]) -> Proof:
    """Whether a chain of steps leads to such a relative, by what each step makes of the last.

    >>> prove_word(Kin(2, 0), [Kin(1, 1), Kin(1, 0)], [False, True])
    Proof(holds=False, steps=("one's mother's brother is one's uncle",))
    """
    clauses = []
    for start in range(len(steps) - 2, -1, -1):
        before, after = compose_all(steps[start + 1 :]), compose_all(steps[start:])
        if before is None or after is None:
            raise GenerationError(f"nothing tells what {len(steps)} such steps lead to")
        relative = f"{word(before, women[start + 1])}'s {word(steps[start], women[start])}"
        clauses.append(f"one's {relative} is one's {word(after, women[start])}")
    return Proof(compose_all(steps) == claim, tuple(clauses))


def word(kin: Kin, is_woman: bool) -> str:
    """The word for such a relative.

    >>> word(Kin(2, 1), True), word(Kin(1, 2), False)
    ('aunt', 'nephew')
    """
    if kin not in _words():
        raise GenerationError(f"there is no word for {kin.up} up and {kin.down} down")
    return _words()[kin]["woman" if is_woman else "man"]


def has_word(kin: Kin | None) -> bool:
    """Return whether there is a word for such a relative.

    >>> has_word(Kin(2, 2)), has_word(Kin(4, 3))
    (True, False)
    """
    return kin in _words()


@cache
def chains(length: int) -> tuple[tuple[Kin, ...], ...]:
    """All chains of `length` steps that lead to a relation with its own word.

    >>> (Kin(0, 1), Kin(1, 1)) in chains(2), (Kin(1, 0), Kin(1, 1)) in chains(2)
    (True, False)
    """
    relations = table("kinship")["relations"]
    listed = [relations[name] for name in table("kinship")["steps"]]
    steps = [Kin(row["up"], row["down"]) for row in listed]
    return tuple(
        chain for chain in product(steps, repeat=length) if has_word(compose_all(list(chain)))
    )


def _along(person: str, other: str, bonds: Sequence[Bond]) -> Kin:
    """The bond between the two ends of a chain."""
    composed = compose_all([bond.kin for bond in bonds])
    ends = bonds[0].one, bonds[-1].other
    if composed is None or (person, other) not in (ends, ends[::-1]):
        raise GenerationError(f"nothing tells what {person} is to {other}")
    return composed if person == ends[0] else composed.converse


@cache
def _words() -> dict[Kin, dict[str, str]]:
    return {Kin(row["up"], row["down"]): row for row in table("kinship")["relations"].values()}
