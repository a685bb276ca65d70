"""What is audited: the entries of a dataset, with the problems that they pose by answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from horsesense.audit.words import is_english
from horsesense.schema import Dataset, Entry, Grid, Kind, Mode, Posed, PosedEntry, pose

# Why checks of candidates, targets and blanks are skipped without `Subject.winograd`.
NO_WINOGRAD = "there are no Winograd schemas"
# Why checks that know English words are skipped without `Subject.is_english`.
NOT_ENGLISH = "the text is not English"


@dataclass(frozen=True, slots=True)
class Filled:
    """The sentences of an entry, cell by cell, and those of them that are known to make sense."""

    texts: tuple[str, ...]
    sensible: tuple[str, ...]


@dataclass(frozen=True)  # without slots, which leave no place for what is kept
class Subject:
    """A dataset as its checks read it. `posed` leaves out what cannot be solved by answer."""

    name: str
    entries: tuple[Entry, ...]
    posed: Posed

    @cached_property
    def pairs(self) -> tuple[tuple[Entry, PosedEntry], ...]:
        """Each entry that poses problems, with them."""
        entries = {entry.id: entry for entry in self.entries}
        return tuple((entries[one.id], one) for one in self.posed.entries)

    @cached_property
    def winograd(self) -> tuple[Entry, ...]:
        """The Winograd schemas; a minimal pair with a target has no blank and is none."""
        return tuple(
            entry
            for entry in self.entries
            if entry.grid.is_winograd and entry.grid.kind is not Kind.MINIMAL_PAIR
        )

    @cached_property
    def filled(self) -> Mapping[str, Filled]:
        """The sentences of each entry, by its id: several checks read them, and to fill is slow."""
        return {entry.id: _filled(entry.grid) for entry in self.entries}

    @cached_property
    def is_english(self) -> bool:
        """False where the words of the entries are those of another language."""
        return is_english(text for filled in self.filled.values() for text in filled.texts[:1])


def subject(dataset: Dataset) -> Subject:
    """Make a dataset ready for its checks; what its wording gives away shows by answer."""
    return Subject(dataset.name, dataset.entries, pose(dataset, Mode.BY_ANSWER))


def _filled(grid: Grid) -> Filled:
    cells = grid.cells
    texts = tuple(grid.sentence(cell).text for cell in cells)
    told = zip(cells, texts, strict=True)
    return Filled(texts, tuple(text for cell, text in told if grid.is_sensible(cell)))
