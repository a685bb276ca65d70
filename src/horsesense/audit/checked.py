"""What a check of an audit finds: figures to know, and concerns to look at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from horsesense.metrics.statistics import Interval


class Weight(StrEnum):
    """How much a concern weighs."""

    FAULT = "fault"  # the data are wrong, or not what they claim to be
    LOOK = "look"  # somebody should look at it; it may be all right


@dataclass(frozen=True, slots=True)
class Concern:
    """Something to look at: which entries it is about (none: the dataset), and what it is."""

    weight: Weight
    text: str
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """An entry with something to look at; `kind` is what it has in common with other cases."""

    weight: Weight
    kind: str
    text: str
    entry: str
    badness: float = 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its name, and the interval that says how far it can be trusted."""

    name: str
    value: float | int | None
    interval: Interval | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """What one check found. `skipped` says why it could not be made, and is empty if it was."""

    name: str
    title: str
    figures: tuple[Figure, ...] = ()
    concerns: tuple[Concern, ...] = ()
    skipped: str = ""

    @property
    def faults(self) -> int:
        """How many of the concerns are faults."""
        return sum(concern.weight is Weight.FAULT for concern in self.concerns)

    @property
    def looks(self) -> int:
        """How many of them are only to be looked at."""
        return len(self.concerns) - self.faults


Checks: TypeAlias = tuple[Checked, ...]


def one_of_each_kind(cases: Iterable[Case]) -> tuple[Concern, ...]:
    """A concern for each kind of case: its entries, the worst first, and what is said of that one.

    >>> cases = [Case(Weight.LOOK, "long", f"{n} words", f"e{n}", n) for n in (7, 9)]
    >>> one_of_each_kind(cases)[0].text, one_of_each_kind(cases)[0].entries
    ('2 entries, the worst: 9 words', ('e9', 'e7'))
    """
    kinds: dict[tuple[Weight, str], list[Case]] = {}
    for case in cases:
        kinds.setdefault((case.weight, case.kind), []).append(case)
    return tuple(_concern(weight, some) for (weight, _), some in kinds.items())


def too_few(count: int, one: str, many: str, *, least: int) -> str:
    """Why a check of so few is skipped; nothing, if there are enough.

    >>> too_few(1, "entry", "entries", least=20), too_few(20, "entry", "entries", least=20)
    ('1 entry; at least 20 are needed to tell', '')
    """
    what = one if count == 1 else many
    return "" if count >= least else f"{count} {what}; at least {least} are needed to tell"


def _concern(weight: Weight, cases: list[Case]) -> Concern:
    """What is said of cases of one kind."""
    ordered = sorted(cases, key=lambda case: -case.badness)
    entries = tuple(dict.fromkeys(case.entry for case in ordered))
    text = ordered[0].text
    if len(entries) == 1 or all(case.text == text for case in ordered):
        return Concern(weight, text, entries)
    which = "worst" if ordered[0].badness > ordered[-1].badness else "first"
    return Concern(weight, f"{len(entries)} entries, the {which}: {text}", entries)
