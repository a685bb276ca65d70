"""Samples: problems, the schemas they make, and what is drawn together when resampling.

A schema is two problems; a problem may be in two schemas (as in WSC273's triple), or in none. A
cluster is whatever belongs together: a schema, a dyad, that triple. Samples that are compared
number their clusters alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
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
    if any(isinstance(row, np.ma.MaskedArray) for row in rows):
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


PER_SCHEMA = 2


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The answers to some problems.

    `schemas` are pairs of positions among the problems; `clusters` has the number of each
    problem's cluster, from 0 to `cluster_count` - 1. `chosen` is the position of the option that
    was preferred, -1 for none. `marks` says of which problems something holds, by its name.
    """

    problems: Answered
    schemas: Integers
    clusters: Integers
    cluster_count: int
    chosen: Integers | None = None
    marks: Mapping[str, Booleans] = field(default_factory=dict)

    def __post_init__(self) -> None:
        count = len(self.problems)
        of_each = {"clusters": self.clusters, "chosen": self.chosen, **self.marks}
        for name, column in of_each.items():
            check_readable(column, name)
            if column is not None and column.shape != (count,):
                raise MetricError(f"{name}: {len(column)} values for {count} problems")
        if self.schemas.shape != (len(self.schemas), PER_SCHEMA):
            raise MetricError("a schema is made of two problems")
        if self.schemas.size and not 0 <= self.schemas.min() <= self.schemas.max() < count:
            raise MetricError(f"a schema has a problem that is none of the {count}")
        if (self.schemas[:, 0] == self.schemas[:, 1]).any():
            raise MetricError("a schema has the same problem twice; it is made of two")
        if count and not 0 <= self.clusters.min() <= self.clusters.max() < self.cluster_count:
            raise MetricError(f"the clusters are not numbered from 0 to {self.cluster_count - 1}")
        first, second = self.clusters[self.schemas].T
        if (first != second).any():
            raise MetricError("the problems of a schema belong to different clusters")

    @property
    def in_schemas(self) -> Answered:
        """The problems of each schema, (n, 2)."""
        return self.problems[self.schemas]

    @property
    def schema_clusters(self) -> Integers:
        """The cluster of each schema."""
        return self.clusters[self.schemas[:, 0]]

    def mark(self, name: str) -> Booleans:
        """Of which problems that holds."""
        if name not in self.marks:
            raise MetricError(f"nothing says which problems are {name!r}")
        return self.marks[name]

    def among(self, kept: Booleans) -> Sample:
        """These problems only, and the schemas that are left whole; clusters keep their numbers."""
        if kept.shape != self.clusters.shape:
            raise MetricError(f"{len(kept)} values for {len(self.clusters)} problems")
        places = np.cumsum(kept) - 1
        whole = kept[self.schemas].all(axis=1)
        return replace(
            self,
            problems=self.problems[kept],
            schemas=places[self.schemas[whole]],
            clusters=self.clusters[kept],
            chosen=None if self.chosen is None else self.chosen[kept],
            marks={name: mark[kept] for name, mark in self.marks.items()},
        )


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Two samples, before and after: of a transformation, or of a change of method or model.

    `problems` and `schemas` are pairs of positions, before and after. `problems` is None where
    only schemas correspond. The other fields count problems and schemas that were left out because
    they have no counterpart.
    """

    before: Sample
    after: Sample
    problems: Integers | None
    schemas: Integers
    only_before: int = 0
    only_after: int = 0
    schemas_only_before: int = 0
    schemas_only_after: int = 0

    def __post_init__(self) -> None:
        if self.before.cluster_count != self.after.cluster_count:
            raise MetricError("the samples before and after do not have the same clusters")
        sides = (self.before, self.after)
        if self.problems is not None:
            _check_positions("problems", self.problems, [len(side.problems) for side in sides])
        _check_positions("schemas", self.schemas, [len(side.schemas) for side in sides])

    @property
    def cluster_count(self) -> int:
        """How many clusters there are."""
        return self.before.cluster_count


Data: TypeAlias = Sample | Paired
# What two samples may be given as: two of these, both in a tuple, or paired already.
Pairable: TypeAlias = Data | Values | tuple[Sample | Values, Sample | Values]


def sample(
    values: Values,
    *,
    ties: Rule | None = None,
    clusters: Sequence[Any] | npt.NDArray[Any] | None = None,
    chosen: Values | None = None,
    marks: Mapping[str, Values] | None = None,
) -> Sample:
    """A sample of schemas from an array `(n, 2)`, or of problems without schemas from `(n,)`.

    Each row is a cluster, unless `clusters` has a label for each: rows with the same label (the
    two schemas of a dyad) belong together. `chosen` and the `marks` have the shape of the values;
    of an undecided problem, None is chosen.

    >>> sample([[True, False], [True, True]]).schemas.tolist()
    [[0, 1], [2, 3]]
    """
    read = answered(values, ties)
    shape = read.solved.shape
    if len(shape) > 1 and shape[1] != PER_SCHEMA and shape[0]:
        raise MetricError(f"a schema has two problems, and these have {shape[1]}")
    rows, width = shape[0], 1 if len(shape) == 1 else PER_SCHEMA
    labels = np.arange(rows) if clusters is None else _numbered(clusters, rows)
    at = np.arange(rows * width)
    return Sample(
        read.ravel(),
        at.reshape(rows, width) if width == PER_SCHEMA else np.empty((0, PER_SCHEMA), np.intp),
        np.repeat(labels, width),
        int(labels.max(initial=-1)) + 1,
        None if chosen is None else _positions(chosen),
        {name: _mark_sample(name, mark) for name, mark in (marks or {}).items()},
    )


def paired(before: Data | Values, after: Data | Values, *, ties: Rule | None = None) -> Paired:
    """Two samples, or plain arrays of the same shape, problem by problem and schema by schema.

    >>> paired([[True, False]], [[True, True]]).problems.tolist()
    [[0, 0], [1, 1]]
    """
    one, other = (as_sample(values, ties) for values in (before, after))
    shapes = [(len(each.problems), len(each.schemas)) for each in (one, other)]
    if shapes[0] != shapes[1]:
        (problems, schemas), (problems_after, schemas_after) = shapes
        raise MetricError(
            f"{problems} problems in {schemas} schemas before, {problems_after} in"
            f" {schemas_after} after: they do not pair"
        )
    if (one.schemas != other.schemas).any():
        raise MetricError("the problems before and after make different schemas")
    if (one.clusters != other.clusters).any():
        raise MetricError("the problems before and after are in different clusters")
    return Paired(one, other, _identity(len(one.problems)), _identity(len(one.schemas)))


def as_sample(values: Data | Values, ties: Rule | None = None) -> Sample:
    """A sample as it is, or one of a plain array; the rule `ties` is for arrays only.

    >>> as_sample([[True, False]]).cluster_count
    1
    """
    if isinstance(values, Paired):
        raise MetricError("two samples where one is expected")
    if isinstance(values, Sample):
        _check_no_rule(ties)
        return values
    return sample(values, ties=ties)


def as_paired(*values: Pairable, ties: Rule | None = None) -> Paired:
    """Two samples, before and after: paired already, in a tuple, or one after the other.

    >>> as_paired(([[True, False]], [[True, True]])).schemas.tolist()
    [[0, 0]]
    """
    if len(values) == 1 and isinstance(values[0], Paired):
        _check_no_rule(ties)
        return values[0]
    both = values[0] if len(values) == 1 and isinstance(values[0], tuple) else values
    if len(both) != 2:
        given = "one sample where two are expected" if len(both) == 1 else f"{len(both)} samples"
        raise MetricError(
            f"{given}; give before and after, (before, after) or paired(before, after)"
        )
    return paired(both[0], both[1], ties=ties)


def _check_no_rule(ties: Rule | None) -> None:
    if ties is not None:
        raise MetricError(
            f"{ties!r} comes too late: a sample has its rule for undecided problems;"
            " give `ties` where it is made"
        )


def _check_positions(what: str, pairs: Integers, counts: Sequence[int]) -> None:
    """Check that pairs are positions among so many, before and after."""
    if pairs.shape != (len(pairs), len(counts)):
        raise MetricError(f"{what}: give pairs of positions, before and after")
    if pairs.size and (pairs.min() < 0 or (pairs.max(axis=0) >= counts).any()):
        before, after = counts
        raise MetricError(
            f"{what}: a position is none of the {before} before, or none of the {after} after"
        )
    # One may have several counterparts, as where a schema becomes a dyad, but none twice.
    if len(np.unique(pairs, axis=0)) < len(pairs):
        raise MetricError(f"{what}: a pair is there twice; give each pair once")


def _numbered(labels: Sequence[Any] | npt.NDArray[Any], rows: int) -> Integers:
    """The number of each row's cluster, in the order of their labels."""
    check_readable(labels, "clusters")
    listed = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    if len(listed) != rows:
        raise MetricError(f"{len(listed)} clusters for {rows} rows")
    try:
        numbers = {label: at for at, label in enumerate(sorted(set(listed)))}
    except TypeError:  # labels that cannot be sorted, or lists
        numbers = {None: 0}
    # What is not equal to itself, NaN, names no cluster either.
    if any(label is None or label != label for label in numbers):
        raise MetricError("clusters: give each row the label of its cluster, all numbers or texts")
    return np.array([numbers[label] for label in listed], dtype=np.intp)


def _positions(chosen: Values) -> Integers:
    """The position of the option that was chosen of each problem, -1 for none."""
    flat = [-1 if one is None else one for one in _flat("chosen", chosen)]
    for one in flat:
        if type(one) is not int or one < -1:
            raise MetricError(
                f"chosen: {one!r} is not a position; give 0, 1, …, or None for no option"
            )
    return np.array(flat, dtype=np.intp)


def _mark_sample(name: str, values: Values) -> Booleans:
    flat = _flat(name, values)
    for one in flat:
        if one not in (True, False):
            raise MetricError(f"{name}: {one!r} is neither true nor false; give True or False")
    return np.array(flat, dtype=bool)


def _flat(name: str, values: Values) -> list[Any]:
    check_readable(values, name)
    try:
        found = np.asarray(values).ravel().tolist()
    except ValueError:
        raise MetricError(f"{name}: rows of different lengths; give one value a problem") from None
    return [one.item() if isinstance(one, np.generic) else one for one in found]


def _identity(count: int) -> Integers:
    return np.repeat(np.arange(count), 2).reshape(count, 2)
