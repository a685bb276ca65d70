"""Family trees, built from what is said of relatives: who is the mother and the father of whom.

A relative is reached by steps to a parent (P), a brother or sister (S) or a child (C). Brothers
and sisters have both parents in common; nobody is their own ancestor, and nobody's parents are
related to each other. Where a step could go to the mother or to the father there are two trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

WOMAN, MAN = "woman", "man"


@dataclass(slots=True)
class Tree:
    """People with their known parents; those that are named are all different."""

    named: frozenset[str]
    sexes: dict[str, str] = field(default_factory=dict)
    parents: dict[str, dict[str, str]] = field(default_factory=dict)
    apart: set[tuple[str, str]] = field(default_factory=set)
    # Those who have turned out to be somebody else of the tree.
    same: dict[str, str] = field(default_factory=dict)

    def who(self, person: str) -> str:
        """Somebody, as the tree calls them."""
        while person in self.same:
            person = self.same[person]
        return person

    def sex(self, person: str) -> str | None:
        """Whether somebody is a woman or a man, if it is known."""
        return self.sexes.get(self.who(person))

    def copy(self) -> Tree:
        """The same tree, to be changed."""
        parents = {child: dict(two) for child, two in self.parents.items()}
        return Tree(self.named, dict(self.sexes), parents, set(self.apart), dict(self.same))

    def ancestors(self, person: str, steps: int) -> set[str]:
        """Those so many generations above somebody."""
        found = {self.who(person)}
        for _ in range(steps):
            found = {parent for one in found for parent in self.parents.get(one, {}).values()}
        return found

    def all_ancestors(self, person: str) -> set[str]:
        """All above somebody; among them the person, if the tree bites its tail."""
        found: set[str] = set()
        new = self.ancestors(person, 1)
        while new:
            found |= new
            new = {parent for one in new for parent in self.ancestors(one, 1)} - found
        return found

    def is_possible(self) -> bool:
        """Whether there could be such a family."""
        if any(one == other for one, other in self.apart):
            return False
        above = {child: self.all_ancestors(child) for child in self.parents}
        if any(child in elders for child, elders in above.items()):
            return False
        sides = [[{one} | above.get(one, set()) for one in self.ancestors(c, 1)] for c in above]
        return not any(len(two) == 2 and two[0] & two[1] for two in sides)


def merge(tree: Tree, one: str, other: str) -> Tree | None:
    """The tree in which two are the same person, and so are their parents; None if impossible."""
    tree = tree.copy()
    work = [(one, other)]
    while work:
        kept, gone = (tree.who(person) for person in work.pop())
        if kept == gone:
            continue
        if gone in tree.named:
            kept, gone = gone, kept
        sexes = {tree.sexes[who] for who in (kept, gone) if who in tree.sexes}
        if gone in tree.named or len(sexes) > 1:
            return None
        mine, theirs = tree.parents.pop(kept, {}), tree.parents.pop(gone, {})
        work += [(mine[sex], theirs[sex]) for sex in mine.keys() & theirs.keys()]
        tree.parents[kept] = theirs | mine
        for sex in sexes:
            tree.sexes[kept] = sex
        _rename(tree, gone, kept)
    return tree if tree.is_possible() else None


def _rename(tree: Tree, gone: str, kept: str) -> None:
    tree.same[gone] = kept
    for two in tree.parents.values():
        for sex, parent in two.items():
            two[sex] = kept if parent == gone else parent
    tree.apart = {
        (kept if one == gone else one, kept if other == gone else other)
        for one, other in tree.apart
    }


def with_relative(tree: Tree, one: str, steps: str, other: str) -> Iterator[Tree]:
    """The trees in which `one` is reached from `other` by the steps."""
    if set(steps) == {"C"}:
        one, steps, other = other, "P" * len(steps), one
    ups, downs = steps.count("P"), steps.count("C")
    for grown, top in _climb(tree, tree.who(other), ups):
        if "S" in steps:
            for twice, second in _climb(grown, grown.who(one), downs):
                if siblings := _with_siblings(twice, top, second):
                    yield siblings
        elif merged := merge(grown, top, one):
            yield merged


def is_relative(tree: Tree, one: str, steps: str, other: str) -> bool:
    """Whether `one` is sure to be reached from `other` by the steps."""
    if set(steps) == {"C"}:
        one, steps, other = other, "P" * len(steps), one
    tops = tree.ancestors(other, steps.count("P"))
    if "S" not in steps:
        return tree.who(one) in tops
    seconds = tree.ancestors(one, steps.count("C"))
    return any(_are_siblings(tree, top, second) for top in tops for second in seconds)


def _climb(tree: Tree, person: str, steps: int) -> Iterator[tuple[Tree, str]]:
    """The tree with so many generations above somebody, on one side or the other."""
    if steps == 0:
        yield tree, person
        return
    for sex in (WOMAN, MAN):
        grown, parent = _with_parent(tree, person, sex)
        yield from _climb(grown, parent, steps - 1)


def _with_parent(tree: Tree, person: str, sex: str) -> tuple[Tree, str]:
    if parent := tree.parents.get(person, {}).get(sex):
        return tree, parent
    grown, parent = tree.copy(), f"{sex} who begot {person}"
    grown.parents.setdefault(person, {})[sex] = parent
    grown.sexes[parent] = sex
    return grown, parent


def _with_siblings(tree: Tree, one: str, other: str) -> Tree | None:
    """The tree in which two are different children of the same two parents."""
    grown: Tree | None = tree.copy()
    assert grown
    grown.apart.add((one, other))
    for sex in (WOMAN, MAN):
        if grown:
            grown, first = _with_parent(grown, grown.who(one), sex)
            grown, second = _with_parent(grown, grown.who(other), sex)
            grown = merge(grown, first, second)
    return grown


def _are_siblings(tree: Tree, one: str, other: str) -> bool:
    """Whether two have the same two parents and cannot be the same person."""
    mine, theirs = (tree.parents.get(who, {}) for who in (one, other))
    return one != other and len(mine) == 2 and mine == theirs and not merge(tree, one, other)
