"""Groups of problems: the worst member of each, and gaps between the genders of Winogender.

Exact match over several perturbations is the problem accuracy of their combined sample, so
everything that works for accuracies, such as resampling, works for it too. For other scores and
other groups, use `worst_member`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from horsesense.errors import MetricError
from horsesense.metrics.accuracy import problem_accuracy, schema_accuracy
from horsesense.metrics.counting import Unit, by_cluster, formula, only_sample, share
from horsesense.metrics.metric import Applies, Columns, Direction, Value
from horsesense.metrics.sample import (
    Booleans,
    Data,
    Floats,
    Integers,
    Outcomes,
    Rule,
    Sample,
    Values,
    as_sample,
    check_readable,
    paired,
)
from horsesense.scoring import Share

# The positions of each group's members, or the label of every problem's group.
Groups: TypeAlias = Sequence[Any] | npt.NDArray[Any]
# Kinds of arrays: signed and unsigned whole numbers, and floats. Complex numbers have no order.
_REAL = "iuf"
FEMALE, MALE, GOTCHA = "female", "male", "gotcha"
_REMARK = (
    "Zero is best. Above zero, stereotypes help where they are right and harm where they are not;"
    " below zero, it is the other way round. The published tables show it in percent."
    " Filling in an answer replaces the pronoun, so a model that is scored by filling in may give"
    " the same verdict for he, she and they, and then the gap shows nothing."
)


def worst_member(scores: Values, groups: Groups, *, is_lower_better: bool = False) -> Share | Value:
    """Return the mean score of the worst member of each group (Elazar et al., section 3.1).

    `groups` lists the positions of each group's members, or gives the label of every problem's
    group, a number or a text. Booleans give the share of groups all of whose members are true.

    >>> worst_member([True, True, False], [[0, 1], [1, 2]])
    Share(count=1, total=2)
    >>> worst_member([0.5, 0.75, 0.25], ["a", "a", "b"])
    Value(value=0.375, reason='')
    """
    read = _scores(scores)
    check_readable(groups, "groups")
    members = _members(list(groups), len(read))
    if not members:
        return Share(0, 0) if read.dtype == np.bool_ else Value(None, "there are no groups")
    starts = np.cumsum([0, *map(len, members[:-1])])
    worst = (np.maximum if is_lower_better else np.minimum).reduceat(
        read[np.concatenate(members)], starts
    )
    if read.dtype == np.bool_:
        return Share(int(worst.sum()), len(worst))
    with np.errstate(over="ignore"):
        mean = float(worst.mean())
    if not np.isfinite(mean):
        raise MetricError("the scores are too large to have a mean")
    return Value(mean)


@share(
    Unit.CLUSTER,
    symbol="min",
    equation="|{k : M solves every problem of k}| / |clusters|, k a cluster",
    source="Elazar et al., section 3.1 (group score); Maler 2023, 2.9.2",
    applies=Applies.OUTCOMES,
    undefined="there are no problems",
    remark="A cluster is a schema, a dyad of four problems, a triple, a problem by itself, or all"
    " entries with the same tag `cluster:NAME`, such as Winogender's three genders. By chance it"
    " is 1/2ⁿ for clusters of n problems: a quarter for schemas. For other groups and other scores"
    " there is `worst_member`.",
)
def worst_member_accuracy(sample: Sample) -> tuple[Floats, Floats]:
    """The share of clusters with all problems solved.

    >>> worst_member_accuracy(sample([[True, True], [True, False]], clusters=["dyad", "dyad"]))
    Share(count=0, total=1)
    """
    whole = np.ones(sample.cluster_count)
    np.multiply.at(whole, sample.clusters, sample.problems.solved)
    held = np.bincount(sample.clusters, minlength=sample.cluster_count) > 0
    return whole * held, held.astype(np.float64)


def combined(*samples: Data | Values, ties: Rule | None = None) -> Sample:
    """Combine samples with the same problems; a problem is solved if it is solved in all of them.

    It is undecided if it is undecided in one of them and failed in none. If undecided problems
    count half, one that is undecided twice counts a quarter, as by guessing each time anew.

    >>> combined([[True, True]], [[True, False]], [[True, True]]).problems.solved.tolist()
    [1.0, 0.0]
    """
    if not samples:
        raise MetricError("no samples to combine; give the original and its perturbations")
    first, *others = (as_sample(values, ties) for values in samples)
    for other in others:
        paired(first, other)
    problems = reduce(_both, (each.problems for each in (first, *others)))
    return Sample(problems, first.schemas, first.clusters, first.cluster_count, marks=first.marks)


def exact_match(*samples: Data | Values, ties: Rule | None = None) -> Share:
    """Return the share of problems solved in all samples, such as all perturbations.

    For two samples it is the consistent accuracy c_a (thesis 2.9.2; 3.82).

    >>> exact_match([[True, True]], [[True, False]], [[True, True]])
    Share(count=1, total=2)
    """
    return problem_accuracy.share(combined(*samples, ties=ties))


def exact_schema_match(*samples: Data | Values, ties: Rule | None = None) -> Share:
    """Return the share of schemas solved in all samples; for two, C_a (thesis 3.90).

    >>> exact_schema_match([[True, True]], [[True, False]], [[True, True]])
    Share(count=0, total=1)
    """
    return schema_accuracy.share(combined(*samples, ties=ties))


def _scores(scores: Values) -> npt.NDArray[Any]:
    """Convert the scores to booleans or floats."""
    check_readable(scores, "scores")
    array = np.asarray(scores)
    if array.ndim != 1:
        raise MetricError(f"scores of {array.ndim} dimensions; give one score for each problem")
    if array.dtype == np.bool_:
        return array
    if array.size and array.dtype.kind not in _REAL:
        raise MetricError(
            "a score is a real number or a boolean; say what an undecided one counts for"
        )
    floats = array.astype(float)
    if not np.isfinite(floats).all():
        odd = int(np.argmin(np.isfinite(floats)))
        raise MetricError(f"the score of problem {odd + 1} is {floats[odd]}, which has no mean")
    return floats


def _members(groups: list[Any], count: int) -> list[Integers]:
    """Return the positions of each group's members."""
    are_lists = [isinstance(group, list | tuple | range | np.ndarray) for group in groups]
    if any(are_lists):
        if not all(are_lists):
            raise MetricError("some groups are lists of positions, and some are labels")
        return [_positions(group, count, number) for number, group in enumerate(groups, 1)]
    if groups and len(groups) != count:
        raise MetricError(f"{len(groups)} labels of groups for {count} scores")
    by_label: dict[Any, list[int]] = {}
    for position, label in enumerate(groups):
        by_label.setdefault(label, []).append(position)
    return [np.array(positions, dtype=np.intp) for positions in by_label.values()]


def _positions(group: Sequence[int], count: int, number: int) -> Integers:
    array = np.asarray(group)
    if not array.size:
        raise MetricError(f"group {number} is empty, and has no worst member")
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise MetricError(f"group {number} is not a list of positions")
    if array.min() < 0 or array.max() >= count:
        raise MetricError(f"group {number} has a position that is not between 0 and {count - 1}")
    return array.astype(np.intp)


def _both(first: Outcomes, second: Outcomes) -> Outcomes:
    """Combine two outcomes of each problem: it is solved if both are, and failed if either is."""
    has_failed = _surely_failed(first) | _surely_failed(second)
    undecided = np.where(has_failed, 0.0, np.maximum(first.undecided, second.undecided))
    decided = np.where(has_failed, 1.0, first.decided * second.decided)
    return Outcomes(first.solved * second.solved, decided, undecided)


def _surely_failed(problems: Outcomes) -> Booleans:
    failed: Booleans = (problems.solved == 0) & (problems.undecided == 0)
    return failed


def _accuracy(gender: str, *, is_gotcha: bool) -> Columns:
    """Count the solved problems of a gender, among those that are gotchas or that are not."""

    def columns(data: Data) -> Floats:
        sample = only_sample(data)
        among = (sample.mark(gender) & (sample.mark(GOTCHA) == is_gotcha)).astype(float)
        counts = sample.problems.solved * among, among
        return by_cluster(counts, sample.clusters, sample.cluster_count)

    return columns


@formula(
    _accuracy(FEMALE, is_gotcha=False),
    _accuracy(FEMALE, is_gotcha=True),
    symbol="ΔF",
    equation="ΔF = a(female, not gotcha) − a(female, gotcha)",
    source="Sakaguchi et al. (WinoGrande), 5.4 and Table 7",
    applies=Applies.OUTCOMES,
    undefined="no problem is female and a gotcha, or none is female and no gotcha",
    direction=Direction.NEITHER,
    bounds=(-1.0, 1.0),
    chance=0.0,
    remark=_REMARK,
)
def female_gender_gap(usual: Floats, gotcha: Floats) -> Floats:
    """The accuracy on female problems that are not gotchas, minus that on those that are.

    >>> marks = {"female": [[True, True]], "gotcha": [[False, True]]}
    >>> female_gender_gap(sample([[True, False]], marks=marks))
    Value(value=1.0, reason='')
    """
    return usual - gotcha


@formula(
    _accuracy(MALE, is_gotcha=False),
    _accuracy(MALE, is_gotcha=True),
    symbol="ΔM",
    equation="ΔM = a(male, not gotcha) − a(male, gotcha)",
    source="Sakaguchi et al. (WinoGrande), 5.4 and Table 7",
    applies=Applies.OUTCOMES,
    undefined="no problem is male and a gotcha, or none is male and no gotcha",
    direction=Direction.NEITHER,
    bounds=(-1.0, 1.0),
    chance=0.0,
    remark=_REMARK,
)
def male_gender_gap(usual: Floats, gotcha: Floats) -> Floats:
    """The accuracy on male problems that are not gotchas, minus that on those that are.

    >>> marks = {"male": [[True, True]], "gotcha": [[False, True]]}
    >>> male_gender_gap(sample([[True, True]], marks=marks))
    Value(value=0.0, reason='')
    """
    return usual - gotcha
