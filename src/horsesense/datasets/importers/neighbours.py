"""Twins that are not marked: neighbours in the file whose statements are much alike.

In the WSC and what was made of it, the problems of a schema follow one another. A run of
problems that are alike is one schema, two schemas in a row, or the one schema of three.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from horsesense.datasets.importers.alike import alike_pairs
from horsesense.datasets.recovery import NEIGHBOURS, Found, Group

_WORD = re.compile(r"\w+")
# Twins share all words but a few; the next schema tells of something else.
_ALIKE = 0.55


def twins_of_neighbours(found: Iterable[Found]) -> Iterator[Group]:
    """Groups of neighbours: pairs, at times a triple, and problems that have no twin."""
    for run in _runs(list(found)):
        for members in _schemas(run):
            yield Group(members[0].name, list(members), twins=NEIGHBOURS)


def unmarked_twins(found: Iterable[Found]) -> Iterator[Group]:
    """Groups of neighbours, and of what is left alone, of problems with the same answers.

    These need not be neighbours: the file may have been shuffled.
    """
    alone: list[Found] = []
    for group in twins_of_neighbours(found):
        if len(group.found) == 1:
            alone += group.found
        else:
            yield group
    for members in alike_pairs(alone):
        yield Group(members[0].name, members, twins=NEIGHBOURS)


def _runs(found: Sequence[Found]) -> Iterator[list[Found]]:
    """Stretches in which each problem is like the one before it."""
    run = list(found[:1])
    for one, other in pairwise(found):
        if not _are_alike(one, other):
            yield run
            run = []
        run.append(other)
    if run:
        yield run


def _schemas(run: Sequence[Found]) -> Iterator[Sequence[Found]]:
    """Three that are alike belong together; of more, those with the same options, or neighbours."""
    if len(run) <= 3:
        yield run
        return
    by_options: dict[object, list[Found]] = {}
    for one in run:
        by_options.setdefault(tuple(sorted(one.options)), []).append(one)
    if all(len(members) == 2 for members in by_options.values()):
        yield from by_options.values()
    else:
        yield from (run[start : start + 2] for start in range(0, len(run), 2))


def _are_alike(one: Found, other: Found) -> bool:
    ours, theirs = (_WORD.findall(found.statement.lower()) for found in (one, other))
    shared = len(set(ours) & set(theirs))
    return shared >= _ALIKE * max(len(set(ours)), len(set(theirs)))
