"""From sheets of answers to samples and pairs, on the problems that all of them share.

Comparisons pair two sheets (`match`, or `match_schemas` where only schemas correspond), or take
several on what all of them answered (`share_problems`). What is not shared is left out and counted.
A subset may hold of other problems for one model than for another, as equal-length answers do,
whose tokens are a model's own; then what is left is where it holds for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.answered import Integers, Rule, Ties, answered
from horsesense.metrics.sample import PER_SCHEMA, Paired, Sample
from horsesense.metrics.subsets import condition
from horsesense.scoring import Sheet

Problem: TypeAlias = tuple[str, int]

ALL = "all"


@dataclass(frozen=True, slots=True)
class Matched:
    """Two sheets, problem by problem, and how much of either has no counterpart.

    `only_before` and `only_after` count problems, and the other two schemas.
    """

    paired: Paired
    only_before: int
    only_after: int
    schemas_only_before: int
    schemas_only_after: int


@dataclass(frozen=True, slots=True)
class Shared:
    """Sheets with answers to the same problems, and how many others were left out.

    `numbers` has the number of its cluster for every entry with such a problem.
    """

    sheets: tuple[Sheet, ...]
    numbers: dict[str, int]
    dropped: int

    @property
    def problems(self) -> int:
        """How many problems are in all sheets."""
        return len(self.sheets[0].answers) if self.sheets else 0

    @property
    def schemas(self) -> int:
        """How many schemas are in all sheets."""
        return len(self.sheets[0].schemas) if self.sheets else 0

    @property
    def clusters(self) -> int:
        """How many clusters there are."""
        return max(self.numbers.values(), default=-1) + 1

    def samples(self, ties: Ties) -> tuple[Sample, ...]:
        """The sheets as samples whose clusters are numbered alike."""
        return tuple(_sample(sheet, ties, self.numbers) for sheet in self.sheets)


def sample_of(sheet: Sheet, *, ties: Rule = Ties.FAILED) -> Sample:
    """The answers of a sheet to the problems whose right option is known."""
    known = sheet.labelled()
    return _sample(known, ties, cluster_numbers(known))


def pooled(*sheets: Sheet, ties: Rule = Ties.FAILED) -> Sample:
    """The answers of several sheets as one sample, such as all perturbations of a dataset.

    Its clusters are those of the entries, with their answers on all sheets: so metrics average over
    the sheets, and resampling draws an original schema with all that was made of it. Schemas stay
    within their sheets. What is marked on one sheet, and not known to others, does not hold there.
    """
    if not sheets:
        raise MetricError("no sheets to pool; give at least one")
    known = [one.labelled() for one in sheets]
    numbers = cluster_numbers(*known)
    parts = [_sample(one, ties, numbers) for one in known]
    starts = np.cumsum([0, *(len(one.problems) for one in parts[:-1])])
    chosen = [one.chosen for one in parts if one.chosen is not None]
    absent = [np.zeros(len(one.problems), bool) for one in parts]
    return Sample(
        answered([answer.outcome.verdict for one in known for answer in one.answers], ties),
        np.concatenate([one.schemas + start for one, start in zip(parts, starts, strict=True)]),
        np.concatenate([one.clusters for one in parts]),
        parts[0].cluster_count,
        np.concatenate(chosen) if len(chosen) == len(parts) else None,
        {
            tag: np.concatenate(
                [one.marks.get(tag, no) for one, no in zip(parts, absent, strict=True)]
            )
            for tag in sorted(frozenset[str]().union(*(one.marks for one in parts)))
        },
    )


def match(before: Sheet, after: Sheet, *, ties: Rule = Ties.FAILED) -> Matched:
    """Pair the answers to the same problems of the same entries, and their schemas.

    Only what has a counterpart is kept, so that the accuracies before and after are of the same
    problems and schemas. The two problems of a schema may stand in any order.
    """
    old, new = whole = before.labelled(), after.labelled()
    common = {one.problem for one in old.answers} & {one.problem for one in new.answers}
    _check_common(common, before, after)
    old, new = kept = _with_common_schemas(*_among(common, old, new))
    places = {one.problem: at for at, one in enumerate(new.answers)}
    problems = [(at, places[one.problem]) for at, one in enumerate(old.answers)]
    schemas = [(at, at) for at in range(len(old.schemas))]
    samples = _samples(kept, ties)
    return _matched(whole, kept, Paired(*samples, _pairs(problems), _pairs(schemas)))


def match_schemas(before: Sheet, after: Sheet, *, ties: Rule = Ties.FAILED) -> Matched:
    """Pair the schemas of the same entries, in their order, where no problems correspond.

    Entries that make another number of schemas before than after are left out.
    """
    old, new = whole = before.labelled(), after.labelled()
    of_old, of_new = _schemas_by_entry(old), _schemas_by_entry(new)
    common = {entry for entry in of_old if len(of_old[entry]) == len(of_new.get(entry, ()))}
    _check_common(common, before, after)
    old, new = kept = (
        old.among(each.entry in common for each in old.answers),
        new.among(each.entry in common for each in new.answers),
    )
    of_old, of_new = _schemas_by_entry(old), _schemas_by_entry(new)
    pairs = [pair for entry in of_old for pair in zip(of_old[entry], of_new[entry], strict=True)]
    return _matched(whole, kept, Paired(*_samples(kept, ties), None, _pairs(pairs)))


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
    left = _among(common, *known)
    for sheet in left[1:]:
        _check_schemas(left[0], sheet)
    return Shared(left, cluster_numbers(*left), len(set.union(*found)) - len(common))


def cluster_numbers(*sheets: Sheet) -> dict[str, int]:
    """The number of each entry's cluster, from 0, in the order in which they occur.

    An entry is a cluster by itself, unless a tag `cluster:NAME` of its problems is one of others':
    then it is one with all entries that are so connected with it, on whichever sheet.

    >>> from horsesense.scoring import Answer, Outcome
    >>> he, she, owl = (
    ...     Answer(name, 1, Outcome((), 0, 0, 0.0), tags=frozenset(tags))
    ...     for name, tags in [("he", ["cluster:elk"]), ("she", ["cluster:elk"]), ("owl", [])]
    ... )
    >>> cluster_numbers(Sheet("", (he, owl, she), ()))
    {'he': 0, 'owl': 1, 'she': 0}
    """
    answers = [one for sheet in sheets for one in sheet.answers]
    groups: dict[str, list[str]] = {one.entry: [one.entry] for one in answers}
    tagged: dict[str, str] = {}
    for one in answers:
        for tag in one.clusters:
            _join(groups, one.entry, tagged.setdefault(tag, one.entry))
    firsts = {entry: group[0] for entry, group in groups.items()}
    numbers = {first: at for at, first in enumerate(dict.fromkeys(firsts.values()))}
    return {entry: numbers[first] for entry, first in firsts.items()}


def _among(common: set[Problem], *sheets: Sheet) -> tuple[Sheet, ...]:
    """The sheets with the answers to these problems only."""
    return tuple(sheet.among(each.problem in common for each in sheet.answers) for sheet in sheets)


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


def _join(groups: dict[str, list[str]], one: str, other: str) -> None:
    """Make the groups of two entries one, which all in it share."""
    if groups[one] is not groups[other]:
        small, large = sorted((groups[one], groups[other]), key=len)
        large += small
        groups.update(dict.fromkeys(small, large))


def _with_common_schemas(old: Sheet, new: Sheet) -> tuple[Sheet, Sheet]:
    """The sheets with the schemas that both have, alike in the order of them and their problems."""
    there = {frozenset(pair) for pair in _problems_of_schemas(new)}
    common = [pair for pair in _problems_of_schemas(old) if frozenset(pair) in there]
    return _with_schemas(old, common), _with_schemas(new, common)


def _problems_of_schemas(sheet: Sheet) -> list[tuple[Problem, Problem]]:
    answers = sheet.answers
    return [(answers[first].problem, answers[second].problem) for first, second in sheet.schemas]


def _with_schemas(sheet: Sheet, schemas: Iterable[tuple[Problem, Problem]]) -> Sheet:
    places = {one.problem: at for at, one in enumerate(sheet.answers)}
    pairs = tuple((places[first], places[second]) for first, second in schemas)
    return replace(sheet, schemas=pairs)


def _matched(whole: tuple[Sheet, Sheet], kept: tuple[Sheet, Sheet], pair: Paired) -> Matched:
    sheets = list(zip(whole, kept, strict=True))
    problems = [len(all_.answers) - len(left.answers) for all_, left in sheets]
    schemas = [len(all_.schemas) - len(left.schemas) for all_, left in sheets]
    return Matched(pair, *problems, *schemas)


def _samples(sheets: tuple[Sheet, Sheet], ties: Rule) -> tuple[Sample, Sample]:
    """The sheets in columns, with the same numbers for the same clusters."""
    numbers = cluster_numbers(*sheets)
    return _sample(sheets[0], ties, numbers), _sample(sheets[1], ties, numbers)


def _sample(sheet: Sheet, ties: Rule, numbers: Mapping[str, int]) -> Sample:
    """The sheet in columns; `numbers` has the number of each entry's cluster."""
    chosen = [-1 if one.outcome.chosen is None else one.outcome.chosen for one in sheet.answers]
    has_choices = all(one.outcome.has_choice for one in sheet.answers)
    return Sample(
        answered([one.outcome.verdict for one in sheet.answers], ties),
        _pairs(sheet.schemas),
        np.array([numbers[one.entry] for one in sheet.answers], dtype=np.intp),
        max(numbers.values(), default=-1) + 1,
        np.array(chosen, dtype=np.intp) if has_choices else None,
        {
            tag: np.array([tag in one.tags for one in sheet.answers], bool)
            for tag in sorted(sheet.tags)
        },
    )


def _schemas_by_entry(sheet: Sheet) -> dict[str, list[int]]:
    """The positions of each entry's schemas."""
    found: dict[str, list[int]] = {}
    for at, (first, _) in enumerate(sheet.schemas):
        found.setdefault(sheet.answers[first].entry, []).append(at)
    return found


def _pairs(pairs: Iterable[tuple[int, int]]) -> Integers:
    return np.array(list(pairs), dtype=np.intp).reshape(-1, PER_SCHEMA)


def _check_common(common: set[Problem] | set[str], before: Sheet, after: Sheet) -> None:
    if not common:
        raise MetricError(f"{before.name} and {after.name} have nothing in common that could pair")
