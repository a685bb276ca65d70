"""Looking up measurements for a table, so that its notes can tell what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from horsesense.reports.cells import NO_WIDTH, UNDEFINED
from horsesense.reports.table import Column, Group, ReportTable
from horsesense.reports.tables.columns import THESIS_P
from horsesense.reports.tables.naming import baselines
from horsesense.reports.tables.notes import notes_on
from horsesense.results import Estimate, Kind, ModelSubject, ResultKey, Results

Row = tuple[str, ...]
# What the row is called that says what guessing gives.
CHANCE_ROW = "chance"


@dataclass
class Lookup:
    """The measurements of a profile, and those of them that were asked for and found."""

    profile: Results
    found: list[Estimate] = field(default_factory=list)

    def value(self, of: ResultKey, metric: str) -> Estimate | None:
        """A metric at an address."""
        return self._kept(self.profile.value(of, metric))

    def change(self, of: ResultKey, against: ResultKey, metric: str) -> Estimate | None:
        """A metric of two addresses."""
        return self._kept(self.profile.change(of, against, metric))

    def difference(self, of: ResultKey, against: ResultKey, metric: str) -> Estimate | None:
        """A metric at an address minus that at another, whichever way round it was measured."""
        if one := self.profile.difference(of, against, metric):
            return self._kept(one)
        return self._kept(turned(self.profile.difference(against, of, metric)))

    def _kept(self, one: Estimate | None) -> Estimate | None:
        if one is not None:
            self.found.append(one)
        return one


def turned(one: Estimate | None) -> Estimate | None:
    """A difference seen from the other side, where the thesis' test would have another null."""
    if one is None or one.against is None:
        return None
    return replace(
        one,
        key=one.against,
        against=one.key,
        value=_minus(one.value),
        low=_minus(one.high),
        high=_minus(one.low),
        before=one.after,
        after=one.before,
        thesis_p=None,
    )


def finished(
    lookup: Lookup,
    columns: Sequence[Column],
    groups: Iterable[Group],
    *,
    name: str,
    title: str,
    thesis: str = "",
    is_main: bool = False,
    tests: Sequence[Kind] = (Kind.DIFFERENCE,),
    notes: Iterable[str] = (),
) -> ReportTable | None:
    """The table with notes on what was looked up; None if nothing was found.

    `tests` are the kinds of measurements of which it shows p.
    """
    if not lookup.found:
        return None
    left = sum(1 for one in columns if one.align == "left")
    filled = tuple(
        Group(without_repeats(one.rows, left), one.heading) for one in groups if one.rows
    )
    # A dash for what is undefined says something, and a note says why.
    is_told = any(one.value is None for one in lookup.found)
    columns, filled = without_empty(columns, filled, only=(THESIS_P,) if is_told else columns)
    has_no_width = any(NO_WIDTH in row for group in filled for row in group.rows)
    width = (f"{NO_WIDTH}: all resamples are alike, which proves nothing",) if has_no_width else ()
    return ReportTable(
        name=name,
        title=title,
        columns=tuple(columns),
        groups=filled,
        notes=(*notes, *notes_on(lookup.profile, lookup.found, columns, tests), *width),
        thesis=thesis,
        is_main=is_main,
    )


def without_empty(
    columns: Sequence[Column], groups: tuple[Group, ...], *, only: Sequence[Column]
) -> tuple[tuple[Column, ...], tuple[Group, ...]]:
    """A table without those of its columns that have nothing but dashes, chance aside."""
    rows = [row for one in groups for row in one.rows if row[0] != CHANCE_ROW]
    kept = [
        at
        for at, one in enumerate(columns)
        if one not in only or any(row[at] != UNDEFINED for row in rows)
    ]
    left = (
        Group(tuple(tuple(row[at] for at in kept) for row in one.rows), one.heading)
        for one in groups
    )
    return tuple(columns[at] for at in kept), tuple(left)


def by_models(profile: Results, rows: Callable[[ModelSubject], Iterable[Row]]) -> tuple[Group, ...]:
    """The rows of all models, and below them those of the baselines."""
    models, below = profile.evaluated, baselines(profile)
    return (
        Group(tuple(row for one in models for row in rows(one))),
        Group(tuple(row for one in below for row in rows(one)), "Baselines"),
    )


def without_repeats(rows: Iterable[Row], left: int) -> tuple[Row, ...]:
    """Rows with the first cells empty that repeat those above, the last of the left ones stays.

    >>> without_repeats([("ant", "a", ".5"), ("ant", "A", ".2")], left=2)
    (('ant', 'a', '.5'), ('', 'A', '.2'))
    """
    written, above = [], ()  # type: list[Row], Row
    for row in rows:
        same = 0
        while same < min(left - 1, len(above)) and row[same] == above[same]:
            same += 1
        written.append(("",) * same + tuple(row[same:]))
        above = tuple(row)
    return tuple(written)


def _minus(value: float | None) -> float | None:
    # Not -value, for no difference has no sign.
    return None if value is None else 0.0 - value
