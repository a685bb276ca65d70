"""Build tables from estimates: look them up, lay out the rows, and write the notes below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.reports import wording
from horsesense.reports.table import (
    ADJUSTED_P,
    INTERVAL,
    THESIS_P,
    P,
    ReportTable,
    RowGroup,
    TableColumn,
)
from horsesense.reports.wording import (
    CHANCE,
    GUESSING_IN_BOTH_ORDERS,
    NO_WIDTH,
    UNDEFINED,
    baselines,
    counted,
    is_bound_of_guessing,
    listed,
    share,
    span,
)
from horsesense.results import ALL, Estimate, EstimateKind, ModelSubject, ResultKey, Results

Row = tuple[str, ...]
# The label of the row with the values of guessing.
CHANCE_ROW = "chance"
_TIES = {"failed": "count as failed", "half": "count as half solved"}
_FIRST_OPTION, _CONSISTENCY = "first-option-share", "consistency"


@dataclass
class Lookup:
    """Look up the estimates of a run, and keep those that were found."""

    profile: Results
    found: list[Estimate] = field(default_factory=list)

    def value(self, of: ResultKey, metric: str) -> Estimate | None:
        """A metric under a key."""
        return self._kept(self.profile.value(of, metric))

    def change(self, of: ResultKey, against: ResultKey, metric: str) -> Estimate | None:
        """A metric of two keys, such as consistency."""
        return self._kept(self.profile.change(of, against, metric))

    def difference(self, of: ResultKey, against: ResultKey, metric: str) -> Estimate | None:
        """A metric under one key minus that under another, in whichever order it was measured."""
        if difference := self.profile.difference(of, against, metric):
            return self._kept(difference)
        return self._kept(turned(self.profile.difference(against, of, metric)))

    def _kept(self, estimate: Estimate | None) -> Estimate | None:
        if estimate is not None:
            self.found.append(estimate)
        return estimate


def turned(difference: Estimate | None) -> Estimate | None:
    """Swap the sides of a difference; drop the thesis' p, which would have another null."""
    if difference is None or difference.against is None:
        return None
    return replace(
        difference,
        key=difference.against,
        against=difference.key,
        value=_minus(difference.value),
        low=_minus(difference.high),
        high=_minus(difference.low),
        before=difference.after,
        after=difference.before,
        thesis_p=None,
    )


def finished(
    lookup: Lookup,
    columns: Sequence[TableColumn],
    groups: Iterable[RowGroup],
    *,
    name: str,
    title: str,
    thesis: str = "",
    is_main: bool = False,
    tests: Sequence[EstimateKind] = (EstimateKind.DIFFERENCE,),
    notes: Iterable[str] = (),
) -> ReportTable | None:
    """The table with notes on what was looked up; None if nothing was found.

    `tests` are the kinds of estimates of which it shows p.
    """
    if not lookup.found:
        return None
    left = sum(1 for column in columns if column.align == "left")
    filled = tuple(
        RowGroup(without_repeats(group.rows, left), group.heading) for group in groups if group.rows
    )
    # Keep columns of dashes if values are undefined: a note gives the reason.
    has_undefined = any(estimate.value is None for estimate in lookup.found)
    droppable = (THESIS_P,) if has_undefined else columns
    columns, filled = without_empty(columns, filled, only=droppable)
    has_no_width = any(NO_WIDTH in row for group in filled for row in group.rows)
    width = (
        (f"{NO_WIDTH}: all resamples give the same value, which does not mean certainty",)
        if has_no_width
        else ()
    )
    guessing = tuple(_on_guessing(lookup, filled))
    return ReportTable(
        name=name,
        title=title,
        columns=tuple(columns),
        groups=filled,
        notes=(*notes, *guessing, *notes_on(lookup.profile, lookup.found, columns, tests), *width),
        thesis=thesis,
        is_main=is_main,
    )


def for_guessing(lookup: Lookup) -> str:
    """The start of a note on guessing twice, which is not about all chat models.

    Either side of what was looked up may be that of a chat model with undecided problems.
    """
    is_bound = any(
        is_bound_of_guessing(lookup.profile, replace(estimate, key=key))
        for estimate in lookup.found
        for key in (estimate.key, estimate.against)
        if key is not None
    )
    return f"for guessing{' (not by chat models with undecided problems)' if is_bound else ''}"


def _on_guessing(lookup: Lookup, groups: Iterable[RowGroup]) -> Iterator[str]:
    """A note that the row of chance is not for chat models that leave problems undecided."""
    has_chance = any(row[0] == CHANCE_ROW for group in groups for row in group.rows)
    if has_chance and any(is_bound_of_guessing(lookup.profile, each) for each in lookup.found):
        yield (
            "chance: for chat models only the most that guessing gives, so accuracies with"
            " undecided problems are not tested against it: asked in both orders,"
            f" {GUESSING_IN_BOTH_ORDERS}"
        )


def without_empty(
    columns: Sequence[TableColumn], groups: tuple[RowGroup, ...], *, only: Sequence[TableColumn]
) -> tuple[tuple[TableColumn, ...], tuple[RowGroup, ...]]:
    """Drop those columns that hold only dashes, apart from chance."""
    used: set[int] = set()
    for group in groups:
        for row in group.rows:
            if row[0] != CHANCE_ROW:
                used |= {at for at, cell in enumerate(row) if cell != UNDEFINED}
    kept = [at for at, column in enumerate(columns) if at in used or column not in only]
    left = []
    for group in groups:
        rows = [tuple([row[at] for at in kept]) for row in group.rows]
        left.append(RowGroup(tuple(rows), group.heading))
    return tuple([columns[at] for at in kept]), tuple(left)


def by_models(
    results: Results, rows: Callable[[ModelSubject], Iterable[Row]]
) -> tuple[RowGroup, ...]:
    """The rows of all models, and below them those of the baselines."""
    models, below = results.evaluated, baselines(results)
    return (
        RowGroup(tuple(row for model in models for row in rows(model))),
        RowGroup(tuple(row for model in below for row in rows(model)), "Baselines"),
    )


def without_repeats(rows: Iterable[Row], left: int) -> tuple[Row, ...]:
    """Blank the leading cells that repeat those above, except the last of the left columns.

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
    # Not -value, which would be -0.0 for 0.
    return None if value is None else 0.0 - value


def tested(difference: Estimate | None) -> tuple[str, ...]:
    """Return the cells of a difference: itself, and those below `TESTED`."""
    return (
        wording.difference(difference),
        wording.interval(difference),
        wording.p(difference),
        wording.adjusted_p(difference),
        wording.thesis_p(difference),
    )


def with_intervals(estimates: Iterable[Estimate | None]) -> tuple[str, ...]:
    """Return the cells of several estimates: the value and the interval of each."""
    cells: list[str] = []
    for estimate in estimates:
        cells += [wording.value(estimate), wording.interval(estimate)]
    return tuple(cells)


def notes_on(
    results: Results,
    found: Sequence[Estimate],
    columns: Sequence[TableColumn],
    tests: Sequence[EstimateKind],
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
    problems, schemas, named = [], [], {}
    for estimate in found:
        named[estimate.key.subset] = True
        for side in _sides(results, estimate):
            problems.append(side.n_problems)
            schemas.append(side.n_schemas)
    subsets = listed(named)
    what = "all problems" if subsets == ALL else f"subsets: {subsets}"
    either = " on either side" if all(map(_is_unpaired, found)) else ""
    return f"n: {what}; {span(problems, 'problem')} in {span(schemas, 'schema')}{either}"


def _sides(results: Results, estimate: Estimate) -> list[Estimate]:
    """An estimate, or the two that are compared in it where they have nothing in common."""
    ends = (estimate.key, estimate.against) if _is_unpaired(estimate) else ()
    values = [results.value(end, estimate.metric) for end in ends if end is not None]
    return list(filter(None, values)) or [estimate]


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
    phrases = dict.fromkeys(_tie(estimate, rule) for estimate in found)
    return listed(sorted(phrases, key=lambda phrase: phrase != rule))


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
        for key in filter(None, (estimate.key, estimate.against)):
            used.setdefault(key.model, {})[key.method] = None
            is_standard &= (key.model, key.dataset, key.method) in standards
    alike: dict[str, list[str]] = {}
    for model, methods in used.items():
        alike.setdefault(listed(methods), []).append(model)
    message = "; ".join(f"{listed(models)} with {methods}" for methods, models in alike.items())
    return f"scoring: {message}" + (" (standard setup, chosen in advance)" if is_standard else "")


def _intervals(results: Results, found: Sequence[Estimate]) -> Iterator[str]:
    with_interval = [estimate for estimate in found if estimate.low is not None]
    if not with_interval:
        return
    numbers = [estimate.n_clusters for estimate in with_interval]
    clusters = span(numbers, "cluster")
    yield (
        f"95 %: percentile bootstrap interval, {results.record.plan.resamples:,} resamples of whole"
        f" clusters ({clusters}, each a schema or several related ones); Clopper–Pearson for shares"
        " of 0 and 1"
    )
    if min(numbers) < FEW_CLUSTERS:
        yield f"fewer than {FEW_CLUSTERS} clusters: these intervals are unreliable"


def _tests(
    results: Results,
    tested: Sequence[Estimate],
    columns: Sequence[TableColumn],
    *,
    is_adjusted: bool,
) -> Iterator[str]:
    """Notes on p and the families of its adjustment, if the table shows them."""
    if P in columns or ADJUSTED_P in columns:
        is_raw = not is_adjusted or ADJUSTED_P not in columns
        for test in dict.fromkeys(estimate.test for estimate in tested):
            yield f"p of {_null(tested, test)}{', not adjusted' if is_raw else ''}"
        if tested and tested[0].kind is EstimateKind.VALUE and _is_beside_interval(columns):
            yield (
                "p assumes independent problems, the interval resamples clusters: they may disagree"
            )
    if not is_adjusted:
        return
    if ADJUSTED_P in columns and (
        families := dict.fromkeys(estimate.family for estimate in tested)
    ):
        yield f"p adjusted by Holm’s method over: {'; '.join(_families(results, families))}"
    if THESIS_P in columns and any(estimate.thesis_p is not None for estimate in tested):
        yield "p, unpaired: by the unpaired test with a known null of Maler (2023, 3.8)"


def _is_beside_interval(columns: Sequence[TableColumn]) -> bool:
    """True if the first p is next to the interval of the same number."""
    return (INTERVAL, P) in pairwise(columns[: columns.index(P) + 1]) if P in columns else False


def _families(results: Results, families: Iterable[str]) -> Iterator[str]:
    """Families with all that is in them, which may be more than a table shows."""
    sizes = Counter(estimate.family for estimate in results.estimates if estimate.p is not None)
    return (
        f"{family} ({counted(sizes[family], 'test')}, including any not shown)"
        for family in families
    )


def _null(tested: Sequence[Estimate], test: str) -> str:
    if tested[0].kind is not EstimateKind.VALUE:
        return f"a difference: {test}"
    metrics = dict.fromkeys(estimate.metric for estimate in tested)
    chances = ", ".join(share(CHANCE[metric]) for metric in metrics if metric in CHANCE)
    return f"an accuracy: {test} ({chances})"
