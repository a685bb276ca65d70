"""Solved and undecided problems, as arrays.

Metrics take plain arrays of booleans: `(n,)` for problems, `(n, 2)` for the two problems of each
schema. None stands for an undecided problem, and a rule with a name says what it counts for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from horsesense.errors import MetricError
from horsesense.scoring import Verdict

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.intp]
Booleans: TypeAlias = npt.NDArray[np.bool_]
# What a caller may give: arrays or nested lists of True, False and None, or of verdicts.
Values: TypeAlias = npt.NDArray[Any] | Sequence[Any]

_MEANINGS = {True: 1, False: 0, None: -1}
_VERDICTS = {Verdict.SOLVED: 1, Verdict.FAILED: 0, Verdict.UNDECIDED: -1}


class Ties(StrEnum):
    """The value of an undecided problem.

    `failed`: it is not solved; and in problem consistency, it is consistent with nothing. `half`:
    what it would count on average if somebody guessed, each time anew.
    """

    FAILED = "failed"
    HALF = "half"


# A rule may also be given by its name.
Rule: TypeAlias = Ties | Literal["failed", "half"]


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """How much of each problem was solved: 1, 0, or what an undecided one counts for.

    `decided` is 0 where a problem's outcome can be consistent with none, and 1 elsewhere; so it is
    1 for an undecided one that counts half. `undecided` is 1 for it under either rule.
    """

    solved: Floats
    decided: Floats
    undecided: Floats

    @property
    def failed(self) -> Floats:
        """What is left of each problem."""
        return 1.0 - self.solved

    def __getitem__(self, at: Any) -> Answered:
        """Some of the problems, or the same ones in another shape."""
        return Answered(self.solved[at], self.decided[at], self.undecided[at])

    def ravel(self) -> Answered:
        """The problems one after another."""
        return Answered(self.solved.ravel(), self.decided.ravel(), self.undecided.ravel())

    def __len__(self) -> int:
        return len(self.solved)


def answered(values: Values, ties: Rule | None = None) -> Answered:
    """Read an array or nested list of True, False and None, or of verdicts.

    Without a rule for them, undecided problems are failed.

    >>> answered([[True, None], [False, True]], Ties.HALF).solved.tolist()
    [[1.0, 0.5], [0.0, 1.0]]
    """
    rule = _rule(ties)
    marks = _marks(values)
    undecided = marks < 0
    solved = np.where(undecided, 0.5 if rule is Ties.HALF else 0.0, marks)
    decided = np.where(undecided & (rule is Ties.FAILED), 0.0, 1.0)
    return Answered(solved, decided, undecided.astype(float))


def check_readable(values: object, what: str = "values") -> None:
    """An error where values have no order, or hide some under a mask, which arrays read through.

    >>> check_readable([True, None])
    """
    if isinstance(values, Mapping | Set | str | bytes | bytearray):
        raise MetricError(f"{what}: a {type(values).__name__}; give an array or a list")
    rows = [values, *values] if isinstance(values, list | tuple) else [values]
    if any(isinstance(one, np.ma.MaskedArray) for one in rows):
        raise MetricError(f"{what}: a masked array; give None for what is undecided")


def _rule(ties: Rule | None) -> Ties:
    try:
        return Ties.FAILED if ties is None else Ties(ties)
    except ValueError:
        known = " or ".join(repr(one.value) for one in Ties)
        raise MetricError(f"{ties!r} is not a rule for undecided problems; give {known}") from None


def _marks(values: Values) -> npt.NDArray[np.int8]:
    """1 for solved, 0 for failed, -1 for undecided."""
    check_readable(values)
    array = values if isinstance(values, np.ndarray) else _array(values)
    if array.ndim not in (1, 2):
        raise MetricError(f"an array of {array.ndim} dimensions; give (n,) problems or (n, 2)")
    if array.dtype == np.bool_ or array.size == 0:
        return array.astype(np.int8)
    if array.dtype != object:
        _check_zeros_and_ones(array)
        return array.astype(np.int8)
    marks = [_mark(value) for value in array.ravel()]
    return np.array(marks, dtype=np.int8).reshape(array.shape)


def _array(values: Sequence[Any]) -> npt.NDArray[Any]:
    """The values as an array of objects; equally many in each row."""
    if not isinstance(values, Iterable):
        raise MetricError(f"{values!r} is not an array; give True, False or None for each problem")
    listed: list[Any] = list(values)
    rows = [list(row) for row in listed if _is_row(row)]
    if not rows:
        return _of_objects(listed, (len(listed),))
    if len(rows) < len(listed):
        raise MetricError("some rows are problems, and some are schemas; give one or the other")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise MetricError(
                f"row {number} has {len(row)} problems, and the first {len(rows[0])};"
                " schemas have two problems each"
            )
    flat = [value for row in rows for value in row]
    return _of_objects(flat, (len(rows), len(rows[0])))


def _of_objects(flat: Iterable[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    return np.fromiter(flat, dtype=object).reshape(shape)


def _is_row(value: object) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def _check_zeros_and_ones(array: npt.NDArray[Any]) -> None:
    if not np.issubdtype(array.dtype, np.number) or not np.isin(array, (0, 1)).all():
        odd = next(value for value in array.ravel().tolist() if value not in (0, 1))
        raise MetricError(f"{odd!r} is neither solved nor failed; give True, False or None")


def _mark(value: Any) -> int:
    if isinstance(value, Verdict):
        if value not in _VERDICTS:
            raise MetricError("an unlabelled problem is neither solved nor failed; leave it out")
        return _VERDICTS[value]
    value = value.item() if isinstance(value, np.generic) else value
    if value is not None and (_is_row(value) or value not in (0, 1)):
        raise MetricError(f"{value!r} is neither solved nor failed; give True, False or None")
    return _MEANINGS[value]
