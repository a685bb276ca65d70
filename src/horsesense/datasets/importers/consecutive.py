"""Consecutive rows that look like twins, in a table that does not say which rows belong together.

Such rows have the same options and most of their words in common. They are mentioned, and are
paired on request. Labels play no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from horsesense.datasets.importers.neighbours import are_alike
from horsesense.datasets.recovery import NEIGHBOURS, NO_TWINS, Journal, RawEntry, Twins

DISAGREE = "rows-disagree"
LOOK_LIKE_TWINS = "look like twins"
_SHOWN = 3


def have_no_twins(groups: Iterable[RawEntry]) -> bool:
    """Return whether no group has, or could have, several problems."""
    return all(group.twins is not None and group.twins.issue == NO_TWINS for group in groups)


def mention_twins(groups: Sequence[RawEntry]) -> None:
    """Add to the reason why there are no twins which problems look like some."""
    pairs = _pairs(groups)
    if not pairs:
        return
    names = [f"{first.problems[0].name} and {second.problems[0].name}" for first, second in pairs]
    which = ", ".join([*names[:_SHOWN], *(["…"] if len(names) > _SHOWN else [])])
    count = f"{len(names)} pairs; " if len(names) > 1 else ""
    offer = f"({count}use `dataset import --consecutive` to pair them)"
    for group in groups:
        if group.twins:
            how = f"{group.twins.how}, but problems {which} {LOOK_LIKE_TWINS} {offer}"
            group.twins = Twins(group.twins.issue, how)


def pair_twins(groups: Sequence[RawEntry], journal: Journal) -> list[RawEntry]:
    """Return the groups with consecutive problems that look like twins in one group."""
    paired = {id(first): second for first, second in _pairs(groups)}
    taken = {id(second) for second in paired.values()}
    joined = [
        _joined(group, paired[id(group)], journal) if id(group) in paired else group
        for group in groups
        if id(group) not in taken
    ]
    for group in joined:
        group.twins = NEIGHBOURS
    return joined


def _pairs(groups: Sequence[RawEntry]) -> list[tuple[RawEntry, RawEntry]]:
    """The pairs from the first group on; no group is in two."""
    pairs: list[tuple[RawEntry, RawEntry]] = []
    place = 1
    while place < len(groups):
        first, second = groups[place - 1], groups[place]
        if look_like_twins(first, second):
            pairs.append((first, second))
            place += 1
        place += 1
    return pairs


def look_like_twins(first: RawEntry, second: RawEntry) -> bool:
    """Return whether two single problems have the same options and similar statements."""
    if len(first.problems) != 1 or len(second.problems) != 1 or first.mode is not second.mode:
        return False
    ours, theirs = first.problems[0], second.problems[0]
    return (
        sorted(ours.options) == sorted(theirs.options)
        and any(ours.texts)
        and ours.texts != theirs.texts
        and are_alike(ours, theirs)
    )


def _joined(first: RawEntry, second: RawEntry, journal: Journal) -> RawEntry:
    """Return the entry of two problems; what only one of them says stays with it where it can."""
    old: dict[str, Any] = {"note": first.note or second.note, **first.flags}
    new: dict[str, Any] = {"note": second.note or first.note, **second.flags}
    problem = second.problems[0]
    for what, value in new.items():
        if old.get(what, value) != value:
            odd = f"{what} is {value!r}, and was {old[what]!r} before"
            journal.oddity(DISAGREE, problem.line, problem.name, odd, "the first one is used")
    shared = dict(first.extras.items() & second.extras.items())
    members = [
        problem._replace(
            extras=tuple(pair for pair in group.extras.items() if pair[0] not in shared)
        )
        for group in (first, second)
        for problem in group.problems
    ]
    extras = {name: value for name, value in first.extras.items() if name in shared}
    return replace(
        first,
        problems=members,
        note=old["note"],
        flags=second.flags | first.flags,
        extras=extras,
    )
