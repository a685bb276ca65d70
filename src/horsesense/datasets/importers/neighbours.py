"""Twins that are not marked: problems whose statements are much alike, neighbours above all.

In the WSC and what was made of it, the problems of a schema follow one another. A run of
problems that are alike is one schema, two schemas in a row, or the one schema of three.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from horsesense.datasets.recovery import (
    NEIGHBOURS,
    Group,
    RawProblem,
    base_form,
    shared_end,
    shared_start,
)

_WORD = re.compile(r"\w+")
# Twins share all words but a few; the next schema tells of something else.
_ALIKE = 0.55


def twins_of_neighbours(raw_problems: Iterable[RawProblem]) -> Iterator[Group]:
    """Groups of neighbours: pairs, at times a triple, and problems that have no twin."""
    for run in _runs(list(raw_problems)):
        for members in _schemas(run):
            yield Group(members[0].name, list(members), twins=NEIGHBOURS)


def unmarked_twins(raw_problems: Iterable[RawProblem]) -> Iterator[Group]:
    """Groups of neighbours, and of what is left alone, of problems with the same answers.

    These need not be neighbours: the file may have been shuffled.
    """
    alone: list[RawProblem] = []
    for group in twins_of_neighbours(raw_problems):
        if len(group.problems) == 1:
            alone += group.problems
        else:
            yield group
    for members in alike_pairs(alone):
        yield Group(members[0].name, members, twins=NEIGHBOURS)


def _runs(raw_problems: Sequence[RawProblem]) -> Iterator[list[RawProblem]]:
    """Stretches in which each problem is like the one before it."""
    run = list(raw_problems[:1])
    for one, other in pairwise(raw_problems):
        if not _are_alike(one, other):
            yield run
            run = []
        run.append(other)
    if run:
        yield run


def _schemas(run: Sequence[RawProblem]) -> Iterator[Sequence[RawProblem]]:
    """Three that are alike belong together; of more, those with the same options, or neighbours."""
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


def _are_alike(raw_problem: RawProblem, other: RawProblem) -> bool:
    ours, theirs = (_WORD.findall(found.statement.lower()) for found in (raw_problem, other))
    shared = len(set(ours) & set(theirs))
    return shared >= _ALIKE * max(len(set(ours)), len(set(theirs)))


# Japanese and Chinese have no spaces: there every character counts as a word.
_CHARACTER_OR_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
# Twins share all words but a few, or else they begin and end alike.
_SAME_ENDS = 0.4
# What it counts for that two problems follow one another.
_NEIGHBOURS = 0.2
# With how many of the following problems one is compared, lest a long file take for ever.
_REACH = 20


def alike_pairs(raw_problems: Iterable[RawProblem]) -> Iterator[list[RawProblem]]:
    """Pairs of twins, and problems without one, in the order in which they first occur."""
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
    """Who belongs to whom in a bucket, both ways; the most alike find each other first."""
    words = {number: _words(problems[number]) for number in bucket}
    sets = {number: set(words[number]) for number in bucket}
    likely = []
    for place, one in enumerate(bucket):
        for other in bucket[place + 1 : place + 1 + _REACH]:
            shared = len(sets[one] & sets[other])
            most = max(len(sets[one]), len(sets[other]))
            ends = _common_ends(problems[one].statement, problems[other].statement)
            if other == one + 1:
                ends += _NEIGHBOURS
            # A sentence with two pronouns is two problems, and no twin of itself.
            if (shared >= _ALIKE * most or ends >= _SAME_ENDS) and words[one] != words[other]:
                likely.append((-ends, other - one, one, other))
    partners: dict[int, int] = {}
    for _, _, one, other in sorted(likely):
        if one not in partners and other not in partners:
            partners[one], partners[other] = other, one
    return partners


def _words(raw_problem: RawProblem) -> list[str]:
    return _CHARACTER_OR_WORD.findall(raw_problem.pronoun.join(raw_problem.texts).lower())


def _common_ends(first: str, second: str) -> float:
    """The share of characters outside the stretch in which two statements differ."""
    shorter, longer = sorted((len(first), len(second)))
    start = shared_start(first, second)
    return (start + shared_end(first, second, shorter - start)) / longer
