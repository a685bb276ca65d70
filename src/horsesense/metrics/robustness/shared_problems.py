"""Shared problems: models are compared on what all of them answered, and on nothing else.

What only some answered is left out and counted. A subset may hold of other problems for one model
than for another, as equal-length answers do, whose tokens are a model's own; then what is left is
where it holds for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Sample, Ties, cluster_numbers, condition, sample_of
from horsesense.scoring.outcome import Sheet

ALL = "all"


@dataclass(frozen=True, slots=True)
class Shared:
    """Sheets with answers to the same problems, and how many others were left out.

    `numbers` has the number of its cluster for every entry with such a problem.
    """

    sheets: tuple[Sheet, ...]
    numbers: dict[str, int]
    dropped: int

    @property
    def clusters(self) -> int:
        """How many clusters there are."""
        return max(self.numbers.values(), default=-1) + 1

    def samples(self, ties: Ties) -> tuple[Sample, ...]:
        """The sheets as samples whose clusters are numbered alike."""
        numbers = self.numbers
        return tuple(
            replace(
                sample_of(sheet, ties=ties),
                clusters=np.array([numbers[one.entry] for one in sheet.answers], dtype=np.intp),
                cluster_count=self.clusters,
            )
            for sheet in self.sheets
        )


def all_tags(sheets: Iterable[Sheet]) -> frozenset[str]:
    """Every tag of a sheet.

    >>> all_tags([Sheet("run 1", (), ())])
    frozenset()
    """
    return frozenset().union(*(sheet.tags for sheet in sheets))


def share_problems(sheets: Sequence[Sheet], subset: str, tags: frozenset[str]) -> Shared:
    """The answers to problems that are in all sheets, and in the subset.

    `subset` is an expression, or «all». `tags` are those that it may name: one that holds of no
    answer in one sheet is known all the same if it holds of some in another.

    >>> share_problems([], "all", frozenset())
    Shared(sheets=(), numbers={}, dropped=0)
    """
    known = [sheet.labelled() for sheet in sheets]
    found = [_problems_in(sheet, subset, tags) for sheet in known]
    if not found:
        return Shared((), {}, 0)
    common = set.intersection(*found)
    left = tuple(sheet.among(one.problem in common for one in sheet.answers) for sheet in known)
    for sheet in left[1:]:
        _check_schemas(left[0], sheet)
    return Shared(left, cluster_numbers(*left), len(set.union(*found)) - len(common))


def _problems_in(sheet: Sheet, subset: str, tags: frozenset[str]) -> set[tuple[str, int]]:
    """The problems of a sheet of which the expression holds."""
    problems = [one.problem for one in sheet.answers]
    if subset == ALL:
        return set(problems)
    sample = sample_of(sheet)
    nowhere = dict.fromkeys(tags, np.zeros(len(problems), dtype=bool))
    holds = condition(subset)(replace(sample, marks={**nowhere, **sample.marks}))
    return {problem for problem, is_in in zip(problems, holds.tolist(), strict=True) if is_in}


def _check_schemas(one: Sheet, other: Sheet) -> None:
    # Options are not compared: a log may tell only whether a problem was solved.
    if _schemas(one) != _schemas(other):
        raise MetricError(f"the problems of {one.name} and {other.name} make different schemas")


def _schemas(sheet: Sheet) -> set[frozenset[tuple[str, int]]]:
    return {frozenset(sheet.answers[at].problem for at in pair) for pair in sheet.schemas}
