"""Tables from estimates: looking estimates up, laying out the rows, and the notes below them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.reports import wording
from horsesense.reports.table import ADJUSTED_P, INTERVAL, THESIS_P, Column, Group, P, ReportTable
from horsesense.reports.wording import (
    CHANCE,
    NO_WIDTH,
    UNDEFINED,
    baselines,
    counted,
    listed,
    share,
    span,
)
from horsesense.results import ALL, Estimate, Kind, ModelSubject, ResultKey, Results

Row = tuple[str, ...]
# What the row is called that says what guessing gives.
CHANCE_ROW = "chance"
_TIES = {"failed": "count as failed", "half": "count as half solved"}
_FIRST_OPTION, _CONSISTENCY = "first-option-share", "consistency"


@dataclass
class Lookup:
    """The estimates of a profile, and those of them that were asked for and found."""

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

    `tests` are the kinds of estimates of which it shows p.
    """
    if not lookup.found:
        return None
    left = sum(1 for column in columns if column.align == "left")
    filled = tuple(
        Group(without_repeats(group.rows, left), group.heading) for group in groups if group.rows
    )
    # A dash for what is undefined says something, and a note says why.
    is_told = any(one.value is None for one in lookup.found)
    columns, filled = without_empty(columns, filled, only=(THESIS_P,) if is_told else columns)
    has_no_width = any(NO_WIDTH in row for group in filled for row in group.rows)
    width = (
        (f"{NO_WIDTH}: all resamples are alike, which does not mean certainty",)
        if has_no_width
        else ()
    )
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
    rows = [row for group in groups for row in group.rows if row[0] != CHANCE_ROW]
    kept = [
        at
        for at, column in enumerate(columns)
        if column not in only or any(row[at] != UNDEFINED for row in rows)
    ]
    left = (
        Group(tuple(tuple(row[at] for at in kept) for row in group.rows), group.heading)
        for group in groups
    )
    return tuple(columns[at] for at in kept), tuple(left)


def by_models(results: Results, rows: Callable[[ModelSubject], Iterable[Row]]) -> tuple[Group, ...]:
    """The rows of all models, and below them those of the baselines."""
    models, below = results.evaluated, baselines(results)
    return (
        Group(tuple(row for model in models for row in rows(model))),
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


def tested(one: Estimate | None) -> tuple[str, ...]:
    """The cells of a difference: itself, and those below `TESTED`."""
    return (
        wording.difference(one),
        wording.interval(one),
        wording.p(one),
        wording.adjusted_p(one),
        wording.thesis_p(one),
    )


def notes_on(
    results: Results,
    found: Sequence[Estimate],
    columns: Sequence[Column],
    tests: Sequence[Kind],
) -> Iterator[str]:
    """Notes on methods, sizes, ties, intervals, tests and reasons for what is undefined.

    `tests` are the kinds of estimates of which the columns show p.
    """
    yield _methods(results, found)
    yield _size(results, found)
    if undecided := max(estimate.n_undecided for estimate in found):
        yield f"undecided problems (up to {undecided}) {_ties(results, found)}"
    if any(INTERVAL.heading in column.heading for column in columns):
        yield from _intervals(results, found)
    for kind in tests:
        tested = [
            estimate for estimate in found if estimate.kind is kind and estimate.p is not None
        ]
        # The columns of adjusted p and of the thesis' p belong to what comes last.
        yield from _tests(results, tested, columns, is_adjusted=kind is tests[-1])
    reasons = dict.fromkeys(
        estimate.reason for estimate in found if estimate.value is None and estimate.reason
    )
    yield from (f"{UNDEFINED}: {reason}" for reason in reasons)


def _size(results: Results, found: Sequence[Estimate]) -> str:
    """The numbers of problems and schemas; for unpaired differences, on either side."""
    sides = [side for estimate in found for side in _sides(results, estimate)]
    problems, schemas = [side.n_problems for side in sides], [side.n_schemas for side in sides]
    subsets = listed(dict.fromkeys(estimate.key.subset for estimate in found))
    what = "all problems" if subsets == ALL else f"subsets: {subsets}"
    either = " on either side" if all(map(_is_unpaired, found)) else ""
    return f"n: {what}; {span(problems, 'problem')} in {span(schemas, 'schema')}{either}"


def _sides(results: Results, estimate: Estimate) -> list[Estimate]:
    """An estimate, or the two that are compared in it where they have nothing in common."""
    ends = (estimate.key, estimate.against) if _is_unpaired(estimate) else ()
    values = [results.value(end, estimate.metric) for end in ends if end is not None]
    return [each for each in values if each is not None] or [estimate]


def _is_unpaired(estimate: Estimate) -> bool:
    """True for a difference between two datasets, or between a subset and its complement."""
    if estimate.against is None:
        return False
    return (estimate.key.dataset, estimate.key.subset) != (
        estimate.against.dataset,
        estimate.against.subset,
    )


def _ties(results: Results, found: Sequence[Estimate]) -> str:
    """How undecided problems count, which depends on the metric."""
    rule = _TIES.get(results.record.plan.ties, results.record.plan.ties)
    message = dict.fromkeys(_tie(estimate, rule) for estimate in found)
    return listed(sorted(message, key=lambda one: one != rule))


def _tie(estimate: Estimate, rule: str) -> str:
    if estimate.metric == _FIRST_OPTION:
        return "are left out"
    if estimate.metric == _CONSISTENCY and rule == _TIES["failed"]:
        return "are never consistent in c"
    return rule


def _methods(results: Results, found: Sequence[Estimate]) -> str:
    """The scoring methods of each model; says so if all of them are the standard ones."""
    used: dict[str, dict[str, None]] = {}
    is_standard = True
    standards = {(model.name, *each) for model in results.models for each in model.standard}
    for estimate in found:
        for at in filter(None, (estimate.key, estimate.against)):
            used.setdefault(at.model, {})[at.method] = None
            is_standard &= (at.model, at.dataset, at.method) in standards
    alike: dict[str, list[str]] = {}
    for model, methods in used.items():
        alike.setdefault(listed(methods), []).append(model)
    message = "; ".join(f"{listed(models)} with {methods}" for methods, models in alike.items())
    return f"scoring: {message}" + (" (standard setup, chosen in advance)" if is_standard else "")


def _intervals(results: Results, found: Sequence[Estimate]) -> Iterator[str]:
    with_interval = [estimate for estimate in found if estimate.low is not None]
    if not with_interval:
        return
    clusters = span((one.n_clusters for one in with_interval), "cluster")
    yield (
        f"95 %: percentile bootstrap interval, {results.record.plan.resamples:,} resamples of whole"
        f" clusters ({clusters}: a schema, or schemas that belong together); Clopper–Pearson for"
        " shares of 0 and 1"
    )
    if min(one.n_clusters for one in with_interval) < FEW_CLUSTERS:
        yield f"fewer than {FEW_CLUSTERS} clusters: these intervals are unreliable"


def _tests(
    results: Results,
    tested: Sequence[Estimate],
    columns: Sequence[Column],
    *,
    is_adjusted: bool,
) -> Iterator[str]:
    """Notes on p and the families of its adjustment, if the table shows them."""
    if P in columns or ADJUSTED_P in columns:
        is_raw = not is_adjusted or ADJUSTED_P not in columns
        for test in dict.fromkeys(estimate.test for estimate in tested):
            yield f"p of {_null(tested, test)}{', not adjusted' if is_raw else ''}"
        if tested and tested[0].kind is Kind.VALUE and _is_beside_interval(columns):
            yield "p tosses a coin per problem, the interval resamples clusters: they may disagree"
    if not is_adjusted:
        return
    if ADJUSTED_P in columns and (
        families := dict.fromkeys(estimate.family for estimate in tested)
    ):
        yield f"p adjusted by Holm’s method over: {'; '.join(_families(results, families))}"
    if THESIS_P in columns and any(estimate.thesis_p is not None for estimate in tested):
        yield "the thesis' p: unpaired, with a known null (3.8), for comparison with the thesis"


def _is_beside_interval(columns: Sequence[Column]) -> bool:
    """True if the first p is next to the interval of the same number."""
    return (INTERVAL, P) in pairwise(columns[: columns.index(P) + 1]) if P in columns else False


def _families(results: Results, families: Iterable[str]) -> Iterator[str]:
    """Families with all that is in them, which may be more than a table shows."""
    sizes = Counter(estimate.family for estimate in results.estimates if estimate.p is not None)
    return (f"{family} ({counted(sizes[family], 'test')}, shown or not)" for family in families)


def _null(tested: Sequence[Estimate], test: str) -> str:
    if tested[0].kind is not Kind.VALUE:
        return f"a difference: {test}"
    metrics = dict.fromkeys(estimate.metric for estimate in tested)
    chances = ", ".join(share(CHANCE[metric]) for metric in metrics if metric in CHANCE)
    return f"an accuracy: {test} ({chances})"
