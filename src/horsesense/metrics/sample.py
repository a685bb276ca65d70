"""Samples: the answers to problems as columns, with their schemas and clusters.

A schema is two problems; a problem may be in two schemas (as in WSC273's triple), or in none. A
cluster is resampled as a whole: a schema, a dyad, that triple. Samples that are compared use the
same cluster numbers.
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
# Arrays or nested lists of True, False and None, or of verdicts.
Values: TypeAlias = npt.NDArray[Any] | Sequence[Any]

_MEANINGS = {True: 1, False: 0, None: -1}
_VERDICTS = {Verdict.SOLVED: 1, Verdict.FAILED: 0, Verdict.UNDECIDED: -1}


class Ties(StrEnum):
    """The rule for undecided problems.

    `failed`: it is not solved, and in problem consistency it is consistent with nothing. `half`: it
    counts what a random guess would count on average.
    """

    FAILED = "failed"
    HALF = "half"


# A rule or its name.
Rule: TypeAlias = Ties | Literal["failed", "half"]


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The outcomes of problems as columns: `solved` is 1, 0, or what an undecided one counts.

    `decided` is 0 where an outcome is consistent with nothing, else 1; so it is 1 for an undecided
    problem that counts half. `undecided` is 1 for undecided problems under either rule.
    """

    solved: Floats
    decided: Floats
    undecided: Floats

    @property
    def failed(self) -> Floats:
        """How much of each problem was failed."""
        return 1.0 - self.solved

    def __getitem__(self, selection: Any) -> Outcomes:
        """Select problems as in numpy."""
        return Outcomes(self.solved[selection], self.decided[selection], self.undecided[selection])

    def ravel(self) -> Outcomes:
        """Flatten to one dimension."""
        return Outcomes(self.solved.ravel(), self.decided.ravel(), self.undecided.ravel())

    def __len__(self) -> int:
        return len(self.solved)


def answered(values: Values, ties: Rule | None = None) -> Outcomes:
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
    return Outcomes(solved, decided, undecided.astype(float))


def check_readable(values: object, what: str = "values") -> None:
    """Raise an error for values without an order, and for masked arrays.

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
        known = " or ".join(repr(rule.value) for rule in Ties)
        raise MetricError(f"{ties!r} is not a rule for undecided problems; give {known}") from None


def _marks(values: Values) -> npt.NDArray[np.int8]:
    """Convert to 1 for solved, 0 for failed, -1 for undecided."""
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
    """Convert to an array of objects; check that all rows have the same length."""
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
    """The answers to some problems as columns, with their schemas and clusters.

    `schemas` are pairs of positions of problems; `clusters` is the cluster number of each problem,
    from 0 to `cluster_count` - 1. `chosen` is the position of the chosen option, -1 for none.
    `marks` says which problems have each tag.
    """

    problems: Outcomes
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
            raise MetricError(f"a schema has a position outside the {count} problems")
        if (self.schemas[:, 0] == self.schemas[:, 1]).any():
            raise MetricError("a schema has the same problem twice; it is made of two")
        if count and not 0 <= self.clusters.min() <= self.clusters.max() < self.cluster_count:
            raise MetricError(f"the clusters are not numbered from 0 to {self.cluster_count - 1}")
        first, second = self.clusters[self.schemas].T
        if (first != second).any():
            raise MetricError("the problems of a schema belong to different clusters")

    @property
    def in_schemas(self) -> Outcomes:
        """The problems of each schema, (n, 2)."""
        return self.problems[self.schemas]

    @property
    def schema_clusters(self) -> Integers:
        """The cluster of each schema."""
        return self.clusters[self.schemas[:, 0]]

    def mark(self, name: str) -> Booleans:
        """Return which problems have this mark."""
        if name not in self.marks:
            raise MetricError(f"it is not known which problems are {name!r}")
        return self.marks[name]

    def among(self, kept: Booleans) -> Sample:
        """Keep these problems, and the schemas of which both are kept; cluster numbers stay."""
        if kept.shape != self.clusters.shape:
            raise MetricError(f"{len(kept)} values for {len(self.clusters)} problems")
        positions = np.cumsum(kept) - 1
        whole = kept[self.schemas].all(axis=1)
        return replace(
            self,
            problems=self.problems[kept],
            schemas=positions[self.schemas[whole]],
            clusters=self.clusters[kept],
            chosen=None if self.chosen is None else self.chosen[kept],
            marks={name: mark[kept] for name, mark in self.marks.items()},
        )


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Two samples, before and after: of a transformation, or of a change of method or model.

    `problems` and `schemas` are pairs of positions, before and after. `problems` is None if only
    schemas correspond. The other fields count the problems and schemas without a counterpart,
    which were left out.
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
        """The number of clusters."""
        return self.before.cluster_count


Data: TypeAlias = Sample | Paired
# Two samples: two of these, both in a tuple, or paired already.
Pairable: TypeAlias = Data | Values | tuple[Sample | Values, Sample | Values]


def sample(
    values: Values,
    *,
    ties: Rule | None = None,
    clusters: Sequence[Any] | npt.NDArray[Any] | None = None,
    chosen: Values | None = None,
    marks: Mapping[str, Values] | None = None,
) -> Sample:
    """Make a sample of schemas from an array `(n, 2)`, or of single problems from `(n,)`.

    Each row is a cluster, unless `clusters` has a label for each: rows with the same label (the
    two schemas of a dyad) belong together. `chosen` and the `marks` have the shape of the values;
    `chosen` is None for an undecided problem.

    >>> sample([[True, False], [True, True]]).schemas.tolist()
    [[0, 1], [2, 3]]
    """
    read = answered(values, ties)
    shape = read.solved.shape
    if len(shape) > 1 and shape[1] != PER_SCHEMA and shape[0]:
        raise MetricError(f"a schema has two problems, and these have {shape[1]}")
    rows, width = shape[0], 1 if len(shape) == 1 else PER_SCHEMA
    labels = np.arange(rows) if clusters is None else _numbered(clusters, rows)
    positions = np.arange(rows * width)
    return Sample(
        read.ravel(),
        positions.reshape(rows, width)
        if width == PER_SCHEMA
        else np.empty((0, PER_SCHEMA), np.intp),
        np.repeat(labels, width),
        int(labels.max(initial=-1)) + 1,
        None if chosen is None else _positions(chosen),
        {name: _mark_sample(name, mark) for name, mark in (marks or {}).items()},
    )


def paired(before: Data | Values, after: Data | Values, *, ties: Rule | None = None) -> Paired:
    """Pair two samples, or two arrays of the same shape, by problem and by schema.

    >>> paired([[True, False]], [[True, True]]).problems.tolist()
    [[0, 0], [1, 1]]
    """
    old, new = (as_sample(values, ties) for values in (before, after))
    shapes = [(len(side.problems), len(side.schemas)) for side in (old, new)]
    if shapes[0] != shapes[1]:
        (problems, schemas), (problems_after, schemas_after) = shapes
        raise MetricError(
            f"{problems} problems in {schemas} schemas before, {problems_after} in"
            f" {schemas_after} after: they do not pair"
        )
    if (old.schemas != new.schemas).any():
        raise MetricError("the problems before and after make different schemas")
    if (old.clusters != new.clusters).any():
        raise MetricError("the problems before and after are in different clusters")
    return Paired(old, new, _identity(len(old.problems)), _identity(len(old.schemas)))


def as_sample(values: Data | Values, ties: Rule | None = None) -> Sample:
    """Return a sample as it is, or make one of an array; `ties` is for arrays only.

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
    """Pair two samples given as a pair, as a tuple, or as two arguments.

    >>> as_paired(([[True, False]], [[True, True]])).schemas.tolist()
    [[0, 0]]
    """
    if len(values) == 1 and isinstance(values[0], Paired):
        _check_no_rule(ties)
        return values[0]
    both = values[0] if len(values) == 1 and isinstance(values[0], tuple) else values
    if len(both) != 2:
        problem = "one sample where two are expected" if len(both) == 1 else f"{len(both)} samples"
        raise MetricError(
            f"{problem}; give before and after, (before, after) or paired(before, after)"
        )
    return paired(both[0], both[1], ties=ties)


def _check_no_rule(ties: Rule | None) -> None:
    if ties is not None:
        raise MetricError(
            f"{ties!r} cannot be used here: a sample already has its rule for undecided problems;"
            " give `ties` when you make the sample"
        )


def _check_positions(what: str, pairs: Integers, counts: Sequence[int]) -> None:
    """Check that pairs are positions among so many, before and after."""
    if pairs.shape != (len(pairs), len(counts)):
        raise MetricError(f"{what}: give pairs of positions, before and after")
    if pairs.size and (pairs.min() < 0 or (pairs.max(axis=0) >= counts).any()):
        before, after = counts
        raise MetricError(f"{what}: a position is outside the {before} before or the {after} after")
    # A schema may have several counterparts, as in a dyad, but each pair only once.
    if len(np.unique(pairs, axis=0)) < len(pairs):
        raise MetricError(f"{what}: a pair occurs twice; give each pair once")


def _numbered(labels: Sequence[Any] | npt.NDArray[Any], rows: int) -> Integers:
    """Number the clusters of the rows in the order of their labels."""
    check_readable(labels, "clusters")
    listed = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    if len(listed) != rows:
        raise MetricError(f"{len(listed)} clusters for {rows} rows")
    try:
        numbers = {label: number for number, label in enumerate(sorted(set(listed)))}
    except TypeError:  # labels that cannot be sorted, or lists
        numbers = {None: 0}
    # NaN, which is not equal to itself, is not a valid label either.
    if any(label is None or label != label for label in numbers):
        raise MetricError(
            "clusters: give each row the label of its cluster, all numbers or all strings"
        )
    return np.array([numbers[label] for label in listed], dtype=np.intp)


def _positions(chosen: Values) -> Integers:
    """Convert chosen options to positions, -1 for none."""
    flat = [-1 if option is None else option for option in _flat("chosen", chosen)]
    for option in flat:
        if type(option) is not int or option < -1:
            raise MetricError(
                f"chosen: {option!r} is not a position; give 0, 1, …, or None for no option"
            )
    return np.array(flat, dtype=np.intp)


def _mark_sample(name: str, values: Values) -> Booleans:
    flat = _flat(name, values)
    for value in flat:
        if value not in (True, False):
            raise MetricError(f"{name}: {value!r} is neither true nor false; give True or False")
    return np.array(flat, dtype=bool)


def _flat(name: str, values: Values) -> list[Any]:
    check_readable(values, name)
    try:
        flat = np.asarray(values).ravel().tolist()
    except ValueError:
        raise MetricError(
            f"{name}: rows of different lengths; give one value for each problem"
        ) from None
    return [value.item() if isinstance(value, np.generic) else value for value in flat]


def _identity(count: int) -> Integers:
    return np.repeat(np.arange(count), 2).reshape(count, 2)
