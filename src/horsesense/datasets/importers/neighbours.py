"""Find twins that are not marked: problems with similar statements, neighbours first.

In the WSC and datasets derived from it, the problems of a schema follow one another. A run of
similar problems is one schema, two schemas in a row, or the one schema of three.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from horsesense.datasets.recovery import (
    NEIGHBOURS,
    RawEntry,
    RawProblem,
    base_form,
    shared_end,
    shared_start,
)

_WORD = re.compile(r"\w+")
# The minimal share of common words of twins, which share all but a few.
_ALIKE = 0.55


def twins_of_neighbours(raw_problems: Iterable[RawProblem]) -> Iterator[RawEntry]:
    """Yield groups of similar neighbours: pairs, a few triples, and single problems."""
    for run in _runs(list(raw_problems)):
        for members in _schemas(run):
            yield RawEntry(members[0].name, list(members), twins=NEIGHBOURS)


def unmarked_twins(raw_problems: Iterable[RawProblem]) -> Iterator[RawEntry]:
    """Yield groups of similar neighbours, then pair the rest by equal answers and similarity.

    The latter need not be neighbours, because the file may have been shuffled.
    """
    alone: list[RawProblem] = []
    for group in twins_of_neighbours(raw_problems):
        if len(group.problems) == 1:
            alone += group.problems
        else:
            yield group
    for members in alike_pairs(alone):
        yield RawEntry(members[0].name, members, twins=NEIGHBOURS)


def _runs(raw_problems: Sequence[RawProblem]) -> Iterator[list[RawProblem]]:
    """Yield runs in which each problem is similar to the previous one."""
    run = list(raw_problems[:1])
    for previous, raw_problem in pairwise(raw_problems):
        if not are_alike(previous, raw_problem):
            yield run
            run = []
        run.append(raw_problem)
    if run:
        yield run


def _schemas(run: Sequence[RawProblem]) -> Iterator[Sequence[RawProblem]]:
    """Split a run into schemas: up to three problems make one; more are paired.

    They are paired by equal options if that works out, else by position.
    """
    if len(run) <= 3:
        yield run
        return
    by_options: dict[object, list[RawProblem]] = {}
    for raw_problem in run:
        by_options.setdefault(tuple(sorted(raw_problem.options)), []).append(raw_problem)
    if all(len(members) == 2 for members in by_options.values()):
        yield from by_options.values()
    else:
        yield from (run[start : start + 2] for start in range(0, len(run), 2))


def are_alike(raw_problem: RawProblem, other: RawProblem) -> bool:
    """Return whether two statements share most of their words."""
    ours, theirs = (_WORD.findall(found.statement.lower()) for found in (raw_problem, other))
    shared = len(set(ours) & set(theirs))
    return shared >= _ALIKE * max(len(set(ours)), len(set(theirs)))


# Japanese and Chinese have no spaces: there every character counts as a word.
_CHARACTER_OR_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
# Twins share all words but a few, or else they begin and end alike.
_SAME_ENDS = 0.4
# Bonus for problems that follow one another.
_NEIGHBOURS = 0.2
# Compare each problem with this many of the following ones, so that long files stay fast.
_REACH = 20


def alike_pairs(raw_problems: Iterable[RawProblem]) -> Iterator[list[RawProblem]]:
    """Yield pairs of twins, and problems without a twin, in the order of the file."""
    problems = list(raw_problems)
    buckets: dict[tuple[str, ...], list[int]] = {}
    for number, problem in enumerate(problems):
        buckets.setdefault(_answers(problem), []).append(number)
    partners: dict[int, int] = {}
    for bucket in buckets.values():
        if len(bucket) > 1:
            partners |= _partners(bucket, problems)
    for number, problem in enumerate(problems):
        partner = partners.get(number, number)
        if partner >= number:
            yield [problem] if partner == number else [problem, problems[partner]]


def _answers(raw_problem: RawProblem) -> tuple[str, ...]:
    return tuple(sorted(base_form(phrase).lower() for (phrase,) in raw_problem.options))


def _partners(bucket: Sequence[int], problems: Sequence[RawProblem]) -> dict[int, int]:
    """Return the partner of each problem of a bucket that has one; match the most similar first."""
    words = {number: _words(problems[number]) for number in bucket}
    sets = {number: set(words[number]) for number in bucket}
    likely = []
    for position, first in enumerate(bucket):
        for second in bucket[position + 1 : position + 1 + _REACH]:
            shared = len(sets[first] & sets[second])
            most = max(len(sets[first]), len(sets[second]))
            ends = _common_ends(problems[first].statement, problems[second].statement)
            if second == first + 1:
                ends += _NEIGHBOURS
            # A sentence with two pronouns makes two problems that are not twins.
            if (shared >= _ALIKE * most or ends >= _SAME_ENDS) and words[first] != words[second]:
                likely.append((-ends, second - first, first, second))
    partners: dict[int, int] = {}
    for _, _, first, second in sorted(likely):
        if first not in partners and second not in partners:
            partners[first], partners[second] = second, first
    return partners


def _words(raw_problem: RawProblem) -> list[str]:
    return _CHARACTER_OR_WORD.findall(raw_problem.pronoun.join(raw_problem.texts).lower())


def _common_ends(first: str, second: str) -> float:
    """Return the share of characters outside the span in which two statements differ."""
    shorter, longer = sorted((len(first), len(second)))
    start = shared_start(first, second)
    return (start + shared_end(first, second, shorter - start)) / longer
