"""How twins were found: by what the file says, or by what was assumed where it says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from horsesense.datasets.recovery.found import Group, Twins

BY_MARK, BY_ID, BY_POSITION = "twins-by-mark", "twins-by-id", "twins-by-position"
BY_NEIGHBOURS, BY_OPTIONS = "twins-by-neighbours", "twins-by-options"
BY_LIKENESS, NO_TWINS = "twins-by-likeness", "no-twins"
# Every import reports one of these, or several, once for the whole file.
TWINS = {
    BY_MARK: "the file says which problems are twins: a field, a column or a row has them together",
    BY_ID: "problems whose ids belong together were taken for twins",
    BY_POSITION: "twins are not marked; the problems were taken two by two",
    BY_NEIGHBOURS: "twins are not marked; neighbours that are alike were taken for twins",
    BY_OPTIONS: "twins are not marked; problems with the same options were taken for twins",
    BY_LIKENESS: "twins are not marked; alike problems with the same answers were taken for twins",
    NO_TWINS: "nothing makes two problems of the file twins",
}
# Here nobody but the program says who is whose twin.
ASSUMED = frozenset({BY_NEIGHBOURS, BY_OPTIONS, BY_LIKENESS})

NEIGHBOURS = Twins(BY_NEIGHBOURS, "neighbourhood and likeness")
LIKENESS = Twins(BY_LIKENESS, "likeness, with the same answers")
SINGLES = Twins(NO_TWINS, "problems of this format have none")
_SIZES = {2: ("pair", "pairs"), 3: ("triple", "triples")}


class _Size(NamedTuple):
    """How many problems are together, and whether they are a dyad."""

    problems: int
    is_dyad: bool


@dataclass(frozen=True, slots=True)
class Paired:
    """A way in which twins were found, and the groups that it made, by their size."""

    twins: Twins
    sizes: Counter[_Size]

    @property
    def alone(self) -> int:
        """How many problems have no twin."""
        return sum(count for size, count in self.sizes.items() if size.problems == 1)

    @property
    def pairs(self) -> int:
        """How many groups there are of two problems."""
        return sum(count for size, count in self.sizes.items() if size.problems == 2)

    @property
    def larger(self) -> int:
        """How many groups there are of more than two problems."""
        return self.sizes.total() - self.pairs - self.alone

    @property
    def counts(self) -> str:
        """How many groups of each size there are, in words."""
        together = sorted((size, count) for size, count in self.sizes.items() if size.problems > 1)
        told = [_counted(count, *_nouns(size)) for size, count in together]
        return ", ".join([*told, f"{self.alone} alone"] if self.alone or not told else told)

    @property
    def done(self) -> str:
        """What was taken for twins, in words."""
        how = self.twins.how
        return how if self.twins.issue == NO_TWINS else f"taken for twins by {how}"

    @property
    def told(self) -> str:
        """How twins were found, and how many, in words."""
        if self.twins.issue == NO_TWINS:
            return f"no twins: {self.twins.how}"
        return f"twins by {self.twins.how}: {self.counts}"


def paired(groups: Iterable[Group], usual: Twins) -> list[Paired]:
    """The ways in which these groups were made; `usual` is that of groups that do not say."""
    found: dict[Twins, Counter[_Size]] = {}
    for group in groups:
        size = _Size(len(group.found), group.is_dyad)
        found.setdefault(group.twins or usual, Counter())[size] += 1
    return [Paired(twins, sizes) for twins, sizes in found.items()]


def _nouns(size: _Size) -> tuple[str, str]:
    if size.is_dyad:
        return "dyad", "dyads"
    return _SIZES.get(size.problems) or (f"group of {size.problems}", f"groups of {size.problems}")


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
