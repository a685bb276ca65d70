"""Which problem goes with which, before and after a transformation (thesis 3.7.2, 3.7.3)."""

from __future__ import annotations

from typing import NamedTuple

from horsesense.perturbations.transformation import Level, Right, Transformation
from horsesense.schema import AxisName, Cell, Grid, Mode, problems


class Pair(NamedTuple):
    """A problem before and one after, by their positions in the entry.

    `options` says which option after is the counterpart of each option before.
    """

    before: int
    after: int
    options: tuple[int, ...]


def pairs(before: Grid, after: Grid, transformation: Transformation) -> tuple[Pair, ...]:
    """The pairs of problems of an entry; none where only the schemas correspond."""
    if transformation.level is Level.SCHEMA:
        return ()
    if transformation.right is Right.SPLIT:
        return _pairs_of_dyad(before, after)
    old = problems(before)
    return tuple(Pair(n, n, tuple(range(len(one.options)))) for n, one in enumerate(old))


def _pairs_of_dyad(before: Grid, after: Grid) -> tuple[Pair, ...]:
    """Each problem goes with two: the true one keeps the label, the false one turns it round."""
    places = {_place(one.cells[0]): n for n, one in enumerate(problems(after, Mode.BY_ANSWER))}
    return tuple(
        Pair(n, places[one.cells[0].key, truth], (0, 1) if truth == 0 else (1, 0))
        for n, one in enumerate(problems(before, Mode.BY_ANSWER))
        for truth in (0, 1)
    )


def _place(cell: Cell) -> tuple[int, int]:
    return cell.along(AxisName.KEY), cell.along(AxisName.TRUTH)
