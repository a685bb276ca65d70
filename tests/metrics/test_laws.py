"""What every metric declares of itself, and has to keep; one that declares nothing fails."""

import doctest
import importlib
import math
import pkgutil
from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from types import ModuleType
from typing import get_type_hints

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import horsesense.metrics
from horsesense.metrics import (
    METRICS,
    Applies,
    Metric,
    MetricFields,
    MetricSpec,
    Paired,
    Sample,
    Ties,
    paired,
    sample,
)
from tests.metrics.loops import OF_ONE, OF_TWO
from tests.metrics.replies import (
    Case,
    Reply,
    all_decided,
    data_of,
    guesses,
    paired_of,
    rules,
    sets_of,
    value_of,
    with_undecided,
)
from tests.strategies import brisk

pytestmark = pytest.mark.usefixtures("untraced")

every = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)

# Exchanging the first and second problems of all schemas changes nothing.
INVARIANT = {
    "worst-member-accuracy",
    "problem-accuracy",
    "schema-accuracy",
    "half-solved-share",
    "anti-solved-share",
    "random-pair-accuracy",
    "undecided-share",
    "first-option-share",
    "female-gender-gap",
    "male-gender-gap",
    "consistency",
    "consistent-accuracy",
    "preserved-accuracy",
    "inversely-preserved-accuracy",
    "weak-schema-consistency",
    "schema-consistency",
    "strict-schema-consistency",
    "consistent-schema-accuracy",
    "preserved-schema-accuracy",
    "inversely-preserved-schema-accuracy",
    "expected-strict-consistency",
    "chance-corrected-consistency",
    "gained-share",
    "lost-share",
    "kept-with-other-answers",
    "unsettled-share",
    "accuracy-difference",
    "schema-accuracy-difference",
    "adjusted-accuracy",
    "adjusted-schema-accuracy",
    "relative-loss",
    "relative-schema-loss",
    "relative-gain",
    "relative-schema-gain",
    "adjusted-schema-lower-bound",
    "equal-length-share",
    "second-last-share",
}
# It does change these, and a counterexample is to be found.
VARIANT = {
    "first-problem-accuracy",
    "second-problem-accuracy",
    "second-given-solved",
    "second-given-failed",
    "first-given-solved",
    "first-given-failed",
}
# They ask whether a problem is undecided, so guessing at it is not the same.
ABOUT_UNDECIDED = {"undecided-share", "first-option-share"}
# They ask whether a problem is undecided, beside whether it is solved: so they are no loop over
# solved problems where one is. Consistency c holds no undecided problem consistent with anything.
BESIDE_SOLVED = {*ABOUT_UNDECIDED, "consistency", "unsettled-share"}
# One of its columns is a square; its values, and not its columns, are what guessing gives.
SQUARED = {"random-pair-accuracy"}

FEW_SCHEMAS = (1, 2)


def test_every_metric_declares_whether_problems_may_be_exchanged() -> None:
    assert METRICS.keys() == INVARIANT | VARIANT
    assert not INVARIANT & VARIANT


def test_every_metric_has_a_loop_to_equal() -> None:
    assert OF_ONE.keys() == {name for name, one in METRICS.items() if not one.is_paired}
    assert OF_TWO.keys() == {name for name, one in METRICS.items() if one.is_paired}


@every
def test_every_declaration_is_complete(metric: Metric) -> None:
    said = metric.declared
    for text in (said.symbol, said.title, said.equation, said.source, said.undefined):
        assert text.strip()
    low, high = said.bounds
    assert low < high
    assert said.chance is None or low <= said.chance <= high
    assert (said.is_symmetric is None) != metric.is_paired


@every
def test_what_counts_schemas_counts_nothing_of_single_problems(metric: Metric) -> None:
    pairs = guessed(2, as_single_problems)
    counted = [metric.columns(pair if metric.is_paired else pair.before) for pair in pairs]
    assert metric.counts_schemas == (not any(columns.any() for columns in counted))


@every
def test_an_equation_tells_what_its_letters_mean(metric: Metric) -> None:
    equation = metric.declared.equation
    # A is schema accuracy, and nothing that is counted.
    assert "|A|" not in equation
    meanings = {"z₁": "problem", "z₂": "problem", "q(": "shares of schemas", "r_B": "r_B = "}
    for letter, meaning in meanings.items():
        assert letter not in equation or meaning in equation


def test_whoever_declares_a_metric_may_declare_what_there_is_to_declare() -> None:
    told = {"name", "title", "doc"}  # by the function and its docstring
    assert get_type_hints(MetricFields).keys() == {one.name for one in fields(MetricSpec)} - told


@given(all_decided)
@brisk
def test_every_metric_equals_a_plain_loop(case: Case) -> None:
    old, new = sets_of(case, 0), sets_of(case, 1)
    for name, metric in METRICS.items():
        expected = OF_TWO[name](old, new) if metric.is_paired else OF_ONE[name](old)
        found = value_of(metric, data_of(metric, case))
        assert found == pytest.approx(expected, abs=1e-12), name


@given(with_undecided)
@brisk
def test_an_undecided_problem_that_counts_as_failed_is_not_solved_to_every_metric(
    case: Case,
) -> None:
    """The loops are the equations, and know only what is solved."""
    old, new = sets_of(case, 0), sets_of(case, 1)
    for name in sorted(METRICS.keys() - BESIDE_SOLVED):
        metric = METRICS[name]
        expected = OF_TWO[name](old, new) if metric.is_paired else OF_ONE[name](old)
        found = value_of(metric, data_of(metric, case, Ties.FAILED))
        assert found == pytest.approx(expected, abs=1e-12), name


@given(with_undecided, rules)
@brisk
def test_the_bounds_hold(case: Case, ties: Ties) -> None:
    for name, metric in METRICS.items():
        value = value_of(metric, data_of(metric, case, ties))
        low, high = metric.declared.bounds
        assert value is None or (math.isfinite(value) and low <= value <= high), name


@given(with_undecided, rules)
@brisk
def test_symmetric_metrics_do_not_ask_what_came_first(case: Case, ties: Ties) -> None:
    there = paired_of(case, ties)
    back = paired(there.after, there.before)
    for name, metric in METRICS.items():
        if metric.declared.is_symmetric:
            assert value_of(metric, there) == pytest.approx(value_of(metric, back)), name


@pytest.mark.parametrize(
    "metric",
    [one for one in METRICS.values() if one.declared.is_symmetric is False],
    ids=lambda m: m.name,
)
def test_metrics_that_are_not_symmetric_differ_somewhere(metric: Metric) -> None:
    there = [paired_of(case) for case in guesses(2)]
    assert any(
        value_of(metric, pair) != value_of(metric, paired(pair.after, pair.before))
        for pair in there
    )


@given(with_undecided, rules, st.randoms(use_true_random=False))
@brisk
def test_the_order_of_schemas_does_not_matter(case: Case, ties: Ties, random: Random) -> None:
    shuffled = tuple(random.sample(case, len(case)))
    for name, metric in METRICS.items():
        expected = value_of(metric, data_of(metric, case, ties))
        assert value_of(metric, data_of(metric, shuffled, ties)) == pytest.approx(expected), name


def exchanged(case: Case) -> Case:
    return tuple(((old[1], old[0]), (new[1], new[0])) for old, new in case)


@given(with_undecided, rules)
@brisk
def test_first_and_second_problems_may_be_exchanged(case: Case, ties: Ties) -> None:
    for name in sorted(INVARIANT):
        metric = METRICS[name]
        expected = value_of(metric, data_of(metric, case, ties))
        found = value_of(metric, data_of(metric, exchanged(case), ties))
        assert found == pytest.approx(expected), name


@pytest.mark.parametrize("name", sorted(VARIANT))
def test_metrics_that_tell_problems_apart_differ_somewhere(name: str) -> None:
    metric = METRICS[name]
    assert any(
        value_of(metric, data_of(metric, case))
        != value_of(metric, data_of(metric, exchanged(case)))
        for case in guesses(2)
    )


def as_rows(one: Sample) -> Sample:
    return one


def as_one_cluster(one: Sample) -> Sample:
    return replace(one, clusters=np.zeros_like(one.clusters), cluster_count=1)


def as_single_problems(one: Sample) -> Sample:
    count = len(one.problems)
    alone = np.arange(count)
    return replace(one, schemas=np.empty((0, 2), np.intp), clusters=alone, cluster_count=count)


LAYOUTS = (as_rows, as_one_cluster, as_single_problems)


@cache
def guessed(schemas: int, layout: Callable[[Sample], Sample]) -> list[Paired]:
    pairs = [paired_of(case) for case in guesses(schemas)]
    return [paired(layout(pair.before), layout(pair.after)) for pair in pairs]


def by_chance(metric: Metric, schemas: int, layout: Callable[[Sample], Sample]) -> float | None:
    """What guessing gives on average, by counting all that it can come to."""
    pairs = guessed(schemas, layout)
    found = [value_of(metric, pair if metric.is_paired else pair.before) for pair in pairs]
    defined = [Fraction(value) for value in found if value is not None]
    return float(sum(defined) / len(defined)) if defined else None


@pytest.mark.parametrize(
    "metric",
    [one for one in METRICS.values() if one.declared.chance is not None],
    ids=lambda m: m.name,
)
@pytest.mark.parametrize("schemas", FEW_SCHEMAS)
def test_guessing_gives_what_is_declared_whatever_the_clusters(
    metric: Metric, schemas: int
) -> None:
    expected = pytest.approx(metric.declared.chance, abs=1e-12)
    assert by_chance(metric, schemas, as_rows) == expected
    assert by_chance(metric, schemas, as_one_cluster) == expected
    alone = by_chance(metric, schemas, as_single_problems)
    assert alone is None or alone == expected


@pytest.mark.parametrize(
    "metric",
    [one for one in METRICS.values() if one.declared.chance is None],
    ids=lambda m: m.name,
)
def test_what_declares_no_value_by_chance_has_none(metric: Metric) -> None:
    found = {by_chance(metric, schemas, one) for schemas in FEW_SCHEMAS for one in LAYOUTS}
    assert metric.declared.applies is Applies.DATASET or len(found - {None}) > 1


def test_a_worst_member_is_solved_by_chance_the_more_seldom_the_more_there_are() -> None:
    metric = METRICS["worst-member-accuracy"]
    assert [by_chance(metric, 2, one) for one in LAYOUTS] == [1 / 4, 1 / 16, 1 / 2]


def completions(case: Case) -> list[Case]:
    """The case with every undecided problem solved or failed, in all ways."""
    replies = [reply for pair in case for row in pair for reply in row]
    ways = product(*([r.solved] if r.solved is not None else [True, False] for r in replies))
    return [_completed(case, way) for way in ways]


def _completed(case: Case, way: tuple[bool, ...]) -> Case:
    left = iter(way)

    def fill(reply: Reply) -> Reply:
        return Reply(next(left), reply.right, reply.marks)

    return tuple(((fill(old[0]), fill(old[1])), (fill(new[0]), fill(new[1]))) for old, new in case)


@given(with_undecided.map(lambda case: case[:2]))
@brisk
def test_half_is_what_guessing_at_undecided_problems_counts_on_average(case: Case) -> None:
    pairs = [paired_of(one) for one in completions(case)]
    halves = paired_of(case, Ties.HALF)
    for name in sorted(METRICS.keys() - ABOUT_UNDECIDED - SQUARED):
        metric = METRICS[name]
        counted = [metric.columns(pair if metric.is_paired else pair.before) for pair in pairs]
        half = metric.columns(halves if metric.is_paired else halves.before)
        np.testing.assert_allclose(half, np.mean(counted, axis=0), atol=1e-12, err_msg=name)


@given(with_undecided.map(lambda case: case[:2]))
@brisk
def test_half_is_what_guessing_gives_on_average_where_squares_are_counted(case: Case) -> None:
    for name in SQUARED:
        metric = METRICS[name]
        found = [value_of(metric, data_of(metric, one)) for one in completions(case)]
        defined = [value for value in found if value is not None]
        expected = float(np.mean(defined)) if defined else None
        assert value_of(metric, data_of(metric, case, Ties.HALF)) == pytest.approx(expected)


@given(with_undecided, rules, st.data())
@brisk
def test_weighing_clusters_is_the_same_as_repeating_them(
    case: Case, ties: Ties, data: st.DataObject
) -> None:
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(case), max_size=len(case)))
    repeated = tuple(
        pair for pair, weight in zip(case, weights, strict=True) for _ in range(weight)
    )
    for name, metric in METRICS.items():
        sums = np.array(weights, dtype=float) @ metric.columns(data_of(metric, case, ties))
        expected = value_of(metric, data_of(metric, repeated, ties))
        found = float(metric.combine(sums))
        assert found == pytest.approx(math.nan if expected is None else expected, nan_ok=True), name


@every
def test_every_metric_is_undefined_on_nothing(metric: Metric) -> None:
    assert value_of(metric, data_of(metric, ())) is None


def modules() -> list[ModuleType]:
    found = pkgutil.iter_modules(horsesense.metrics.__path__, "horsesense.metrics.")
    return [importlib.import_module(one.name) for one in found]


def home_of(metric: Metric) -> ModuleType:
    """The module in which a metric is defined: the one in which its name stands for it."""
    name = metric.name.replace("-", "_")
    return next(one for one in modules() if vars(one).get(name) is metric)


@every
def test_every_metric_has_an_example_that_runs(metric: Metric) -> None:
    known = {"sample": sample, **vars(home_of(metric))}
    example = doctest.DocTestParser().get_doctest(metric.declared.doc, known, metric.name, None, 0)
    assert example.examples
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0
