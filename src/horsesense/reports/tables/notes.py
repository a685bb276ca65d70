"""What stands below a table: of what, and of how much, its numbers are, and how they were found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.reports.cells import UNDEFINED, counted, listed, share, span
from horsesense.reports.table import Column
from horsesense.reports.tables.columns import ADJUSTED_P, INTERVAL, THESIS_P, P
from horsesense.reports.tables.naming import CHANCE
from horsesense.results import ALL, Estimate, Kind, Results

_TIES = {"failed": "count as failed", "half": "count half"}
_FIRST_OPTION, _CONSISTENCY = "first-option-share", "consistency"


def notes_on(
    profile: Results,
    found: Sequence[Estimate],
    columns: Sequence[Column],
    tests: Sequence[Kind],
) -> Iterator[str]:
    """What is measured on what, by which method, and what the intervals and tests are.

    `tests` are the kinds of measurements of which the columns show p.
    """
    yield _methods(profile, found)
    yield _size(profile, found)
    if undecided := max(one.n_undecided for one in found):
        yield f"undecided problems {_ties(profile, found)}; there are up to {undecided}"
    if any(INTERVAL.heading in one.heading for one in columns):
        yield from _intervals(profile, found)
    for kind in tests:
        tested = [one for one in found if one.kind is kind and one.p is not None]
        # The columns of adjusted p and of the thesis' p belong to what comes last.
        yield from _tests(profile, tested, columns, is_adjusted=kind is tests[-1])
    reasons = dict.fromkeys(one.reason for one in found if one.value is None and one.reason)
    yield from (f"{UNDEFINED}: {reason}" for reason in reasons)


def _size(profile: Results, found: Sequence[Estimate]) -> str:
    """On how much it was measured; of what is not paired, on how much on either side."""
    sides = [side for one in found for side in _sides(profile, one)]
    problems, schemas = [one.n_problems for one in sides], [one.n_schemas for one in sides]
    subsets = listed(dict.fromkeys(one.key.subset for one in found))
    what = "all problems" if subsets == ALL else f"subsets: {subsets}"
    either = " on either side" if all(map(_is_unpaired, found)) else ""
    return f"n: {what}; {span(problems, 'problem')} in {span(schemas, 'schema')}{either}"


def _sides(profile: Results, one: Estimate) -> list[Estimate]:
    """A measurement, or the two that are compared in it where they have nothing in common."""
    ends = (one.key, one.against) if _is_unpaired(one) else ()
    values = [profile.value(end, one.metric) for end in ends if end is not None]
    return [each for each in values if each is not None] or [one]


def _is_unpaired(one: Estimate) -> bool:
    """Whether it is of two datasets, or of a subset and its complement."""
    if one.against is None:
        return False
    return (one.key.dataset, one.key.subset) != (one.against.dataset, one.against.subset)


def _ties(profile: Results, found: Sequence[Estimate]) -> str:
    """What undecided problems count for, which hangs on what is counted."""
    rule = _TIES.get(profile.record.plan.ties, profile.record.plan.ties)
    told = dict.fromkeys(_tie(one, rule) for one in found)
    return listed(sorted(told, key=lambda one: one != rule))


def _tie(one: Estimate, rule: str) -> str:
    if one.metric == _FIRST_OPTION:
        return "are left out"
    if one.metric == _CONSISTENCY and rule == _TIES["failed"]:
        return "are consistent with nothing in c"
    return rule


def _methods(profile: Results, found: Sequence[Estimate]) -> str:
    """Which models were scored by which methods, and whether all of these are standard."""
    used: dict[str, dict[str, None]] = {}
    is_standard = True
    standards = {(one.name, *each) for one in profile.models for each in one.standard}
    for one in found:
        for at in filter(None, (one.key, one.against)):
            used.setdefault(at.model, {})[at.method] = None
            is_standard &= (at.model, at.dataset, at.method) in standards
    alike: dict[str, list[str]] = {}
    for model, methods in used.items():
        alike.setdefault(listed(methods), []).append(model)
    told = "; ".join(f"{listed(models)} by {methods}" for methods, models in alike.items())
    return f"scored: {told}" + (": the standard setup, chosen beforehand" if is_standard else "")


def _intervals(profile: Results, found: Sequence[Estimate]) -> Iterator[str]:
    with_interval = [one for one in found if one.low is not None]
    if not with_interval:
        return
    clusters = span((one.n_clusters for one in with_interval), "cluster")
    yield (
        f"95 %: percentile interval of {profile.record.plan.resamples:,} resamples of whole"
        f" clusters ({clusters}: the schema, or what hangs together with it); at a share of 0"
        " or 1, Clopper and Pearson's"
    )
    if min(one.n_clusters for one in with_interval) < FEW_CLUSTERS:
        yield f"fewer than {FEW_CLUSTERS} clusters: such intervals are not to be trusted"


def _tests(
    profile: Results,
    tested: Sequence[Estimate],
    columns: Sequence[Column],
    *,
    is_adjusted: bool,
) -> Iterator[str]:
    """What p is, by the test, and what it is adjusted over, as far as the table shows it."""
    if P in columns or ADJUSTED_P in columns:
        is_raw = not is_adjusted or ADJUSTED_P not in columns
        for test in dict.fromkeys(one.test for one in tested):
            yield f"p of {_null(tested, test)}{', not adjusted' if is_raw else ''}"
        if tested and tested[0].kind is Kind.VALUE and _is_beside_interval(columns):
            yield "p tosses a coin for each problem, the interval draws clusters: they may disagree"
    if not is_adjusted:
        return
    if ADJUSTED_P in columns and (families := dict.fromkeys(one.family for one in tested)):
        yield f"p adjusted by Holm over: {'; '.join(_families(profile, families))}"
    if THESIS_P in columns and any(one.thesis_p is not None for one in tested):
        yield "the thesis' p: unpaired, with a known null (3.8), for comparison with it"


def _is_beside_interval(columns: Sequence[Column]) -> bool:
    """Whether the first p stands beside the interval of the same number."""
    return (INTERVAL, P) in pairwise(columns[: columns.index(P) + 1]) if P in columns else False


def _families(profile: Results, families: Iterable[str]) -> Iterator[str]:
    """Families with all that is in them, which may be more than a table shows."""
    sizes = Counter(one.family for one in profile.estimates if one.p is not None)
    return (f"{one} ({counted(sizes[one], 'test')}, shown or not)" for one in families)


def _null(tested: Sequence[Estimate], test: str) -> str:
    if tested[0].kind is not Kind.VALUE:
        return f"a difference: {test}"
    metrics = dict.fromkeys(one.metric for one in tested)
    return (
        f"an accuracy: {test} ({', '.join(share(CHANCE[one]) for one in metrics if one in CHANCE)})"
    )
