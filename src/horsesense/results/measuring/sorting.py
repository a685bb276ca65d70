"""Which problems are shown of those worth a look, and in what order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Any

from horsesense.results.measuring.noteworthy import ProblemView
from horsesense.scoring.outcome import Verdict


class Sort(StrEnum):
    """By what problems are sorted: the worst failures, the fewest methods, the most flips first."""

    MARGIN = "margin"
    AGREEMENT = "agreement"
    FLIPS = "flips"
    ID = "id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which problems are wanted: of one of the verdicts, if any are named, and all the rest."""

    verdicts: frozenset[Verdict] = frozenset()
    is_flipped: bool = False
    is_half_solved: bool = False
    tags: frozenset[str] = frozenset()

    def holds_of(self, view: ProblemView) -> bool:
        """Whether that problem is wanted."""
        return (
            (not self.verdicts or view.verdict in self.verdicts)
            and (not self.is_flipped or bool(view.flips))
            and (not self.is_half_solved or view.is_half_solved)
            and self.tags <= view.tags
        )


def arranged(
    views: Iterable[ProblemView],
    wanted: Wanted,
    sort: Sort = Sort.MARGIN,
    *,
    is_reversed: bool = False,
) -> tuple[ProblemView, ...]:
    """Those of the problems that are wanted, sorted; what cannot be placed comes last."""
    key = _KEYS[sort]
    kept = [one for one in views if wanted.holds_of(one)]
    # Of what is alike otherwise, the worst failure comes first.
    kept.sort(key=lambda one: inf if one.margin is None else one.margin)
    placed = [(place, one) for one in kept if (place := key(one)) is not None]
    placed.sort(key=lambda pair: pair[0], reverse=is_reversed)
    return (*(one for _, one in placed), *(one for one in kept if key(one) is None))


def _by_flips(view: ProblemView) -> tuple[float, ...] | None:
    """The most flips first, and of equally many those of the largest part."""
    found, tested = len(view.flips), len(view.tests)
    return (-found, tested) if tested else None


def _by_agreement(view: ProblemView) -> tuple[float, ...] | None:
    share = view.agreement.value
    return None if share is None else (share,)


def _by_margin(view: ProblemView) -> tuple[float, ...] | None:
    return None if view.margin is None else (view.margin,)


def _by_place(view: ProblemView) -> tuple[str, str, int]:
    return view.problem.dataset, view.problem.entry, view.problem.number


_KEYS: Mapping[Sort, Callable[[ProblemView], tuple[Any, ...] | None]] = {
    Sort.MARGIN: _by_margin,
    Sort.AGREEMENT: _by_agreement,
    Sort.FLIPS: _by_flips,
    Sort.ID: _by_place,
}
