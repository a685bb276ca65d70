"""Bootstrap intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from horsesense.errors import MetricError
from horsesense.metrics import (
    Metric,
    Ties,
    accuracy_difference,
    anti_solved_share,
    consistency,
    half_solved_share,
    paired,
    preserved_accuracy,
    problem_accuracy,
    sample,
    schema_accuracy,
    strict_schema_consistency,
)
from horsesense.metrics.statistics import (
    bootstrap,
    bootstrap_best,
    bootstrap_difference,
    clopper_pearson,
)
from horsesense.scoring import Share
from tests.metrics.statistics.slowly import ends, loop, made, quantile

SETS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=12)


@given(SETS, SETS, st.sampled_from([consistency, preserved_accuracy, strict_schema_consistency]))
def test_it_is_what_a_plain_loop_gives(
    old: list[tuple[bool, bool]], new: list[tuple[bool, bool]], metric: Metric
) -> None:
    count = min(len(old), len(new))
    pair = paired(old[:count], new[:count])
    (found,) = bootstrap([metric], pair, resamples=60, seed=4, level=0.9)
    values = loop(metric, pair, 60, 4)
    defined = [value for value in values if value == value]
    assert found.undefined == 60 - len(defined)
    assert found.estimate == metric.share(pair).value
    if found.estimate is None:
        assert (found.percentile, found.empirical) == (None, None)
        assert found.reason == preserved_accuracy.declared.undefined
        return
    low, high = quantile(defined, 0.05), quantile(defined, 0.95)
    assert ends(found) == pytest.approx(
        (low, high, 2 * found.estimate - high, 2 * found.estimate - low)
    )


@pytest.mark.parametrize(("ours", "theirs"), [("percentile", "percentile"), ("empirical", "basic")])
def test_it_agrees_with_scipy_to_the_digit(ours: str, theirs: str) -> None:
    solved = made(60)
    expected = stats.bootstrap(
        (solved.mean(axis=1),), np.mean, n_resamples=2000, batch=2000, method=theirs, rng=8
    ).confidence_interval
    (found,) = bootstrap([problem_accuracy], solved, resamples=2000, seed=8)
    interval = getattr(found, ours)
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), abs=1e-12)
    assert (interval.level, interval.method) == (0.95, ours)


def test_all_metrics_of_the_same_data_are_resampled_alike() -> None:
    metrics = [problem_accuracy, schema_accuracy, half_solved_share, anti_solved_share]
    together = bootstrap(metrics, made(50), resamples=300)
    alone = [bootstrap([metric], made(50), resamples=300)[0] for metric in metrics]
    assert list(together) == alone


def test_the_same_seed_gives_the_same_digits_and_another_one_others() -> None:
    one, same, other = (
        bootstrap([problem_accuracy], made(50), resamples=300, seed=seed) for seed in (1, 1, 2)
    )
    assert one == same != other


def test_the_two_problems_of_a_schema_are_drawn_together() -> None:
    half_solved = [[True, False]] * 50
    (by_schema,) = bootstrap([problem_accuracy], half_solved)
    (by_problem,) = bootstrap([problem_accuracy], np.ravel(half_solved))
    assert ends(by_schema) == (0.5, 0.5, 0.5, 0.5)
    assert by_problem.percentile is not None
    assert by_problem.percentile.high - by_problem.percentile.low > 0.15


def test_the_schemas_of_a_dyad_are_drawn_together() -> None:
    solved = np.repeat(made(40), 2, axis=0)
    dyads = sample(solved, clusters=np.repeat(np.arange(40), 2))
    assert bootstrap([schema_accuracy], dyads) == bootstrap([schema_accuracy], made(40))
    assert bootstrap([schema_accuracy], dyads)[0].clusters == 40


def test_fewer_than_thirty_clusters_are_flagged() -> None:
    flags = [bootstrap([problem_accuracy], made(n), resamples=9)[0].is_few for n in (29, 30)]
    assert flags == [True, False]


def test_clusters_in_which_a_metric_counts_nothing_are_none_of_its_clusters() -> None:
    """Eight schemas among thirty entries: the others are single problems."""
    rows = [(at, at + 1) for at in range(0, 16, 2)]
    clusters = [at // 2 for at in range(16)] + list(range(8, 30))
    mixed = replace(sample([True, False] * 19, clusters=clusters), schemas=np.array(rows))
    metrics = [problem_accuracy, schema_accuracy]
    both = bootstrap(metrics, mixed, resamples=9)
    assert [(one.clusters, one.is_few) for one in both] == [(30, False), (8, True)]
    differences = bootstrap_difference(metrics, mixed, mixed, resamples=9)
    assert [(one.clusters, one.is_few) for one in differences] == [(30, False), (8, True)]


@pytest.mark.parametrize(("value", "count"), [(True, 40), (False, 0)])
def test_at_a_share_of_0_or_1_an_exact_interval_on_clusters_stands_in(
    value: bool, count: int
) -> None:
    found = bootstrap([problem_accuracy, schema_accuracy], [[value, value]] * 40)
    expected = clopper_pearson(Share(count, 40))
    for one in found:
        assert one.percentile is not None
        assert one.percentile.low == one.percentile.high == float(value)
        assert one.percentile.remark == "no width: all resamples agree"
        assert one.interval is one.exact is not None
        assert (one.exact.low, one.exact.high) == (expected.low, expected.high)
        assert (one.exact.method, one.exact.remark) == (
            "Clopper–Pearson",
            f"on {count} of 40 clusters",
        )


def test_the_exact_interval_counts_only_clusters_in_which_something_is_counted() -> None:
    before_, after_ = [[True, True]] * 5 + [[False, False]] * 7, [[True, True]] * 12
    (found,) = bootstrap([preserved_accuracy], paired(before_, after_))
    assert found.exact is not None
    assert found.exact.remark == "on 5 of 5 clusters"
    assert found.undefined > 0  # (7/12)^12 of 10,000 are about 16


def test_any_other_share_keeps_its_percentile_interval() -> None:
    (found,) = bootstrap([problem_accuracy], made(40))
    assert found.exact is None
    assert found.interval is found.percentile is not None
    assert found.percentile.remark == ""


def test_a_metric_that_is_no_share_has_no_exact_interval() -> None:
    (found,) = bootstrap([accuracy_difference], paired([[True, True]] * 9, [[True, True]] * 9))
    assert found.estimate == 0
    assert found.exact is None


def test_an_undefined_metric_has_no_interval_and_a_reason() -> None:
    (found,) = bootstrap([schema_accuracy], [True, False, True])
    assert (found.estimate, found.interval, found.empirical) == (None, None, None)
    assert (found.undefined, found.reason) == (10_000, "there are no schemas")


@pytest.mark.parametrize("second", [True, False])
def test_a_metric_undefined_in_every_resample_has_a_value_and_no_percentile_interval(
    second: bool,
) -> None:
    pair = paired([[True, True]] + [[False, False]] * 3, [[True, second]] * 4)
    runs = [bootstrap([preserved_accuracy], pair, resamples=1, seed=seed)[0] for seed in range(20)]
    (found, *_) = (run for run in runs if run.undefined)
    assert (found.estimate, found.percentile, found.reason) == ((1 + second) / 2, None, "")
    # At 1 there is the exact interval; elsewhere there is none, and that is said.
    assert (found.interval is None) == (found.no_interval != "") == (not second)
    assert found.no_interval in ("", "it is undefined in every resample")


def test_a_subset_draws_only_the_clusters_it_has() -> None:
    solved = made(60)
    kept = np.repeat(np.arange(60) < 35, 2)
    (subset,) = bootstrap([problem_accuracy], sample(solved).among(kept))
    (alone,) = bootstrap([problem_accuracy], sample(solved[:35]))
    assert subset == alone
    assert subset.clusters == 35


ONE_CLUSTER = "1 cluster, so all resamples agree; resampling takes at least two"


@pytest.mark.parametrize("second", [True, False])
def test_of_one_cluster_there_is_an_estimate_and_no_interval(second: bool) -> None:
    one = [[True, second]]
    (found,) = bootstrap([problem_accuracy], one)
    (difference,) = bootstrap_difference([problem_accuracy], one, [[False, False]])
    best = bootstrap_best(problem_accuracy, {"one": one, "worse": [[False, False]]})
    assert (best.best, best.chosen) == (("one",), {"one": 0, "worse": 0})
    for each in (found, difference, best.value):
        assert each.estimate == (1 + second) / 2
        assert (each.interval, each.percentile, each.empirical, each.exact) == (None,) * 4
        assert (each.clusters, each.resamples, each.undefined) == (1, 0, 0)
        assert (each.reason, each.no_interval) == ("", ONE_CLUSTER)


def test_why_there_is_no_value_is_not_why_there_is_no_interval() -> None:
    (found,) = bootstrap([schema_accuracy], [True])
    assert (found.estimate, found.reason, found.no_interval) == (None, "there are no schemas", "")


def test_a_constant_has_a_value_even_of_no_cluster() -> None:
    (found,) = bootstrap([_constant], sample(np.empty((0, 2), bool)))
    assert (found.estimate, found.no_interval) == (0.5, "no cluster; resampling takes at least two")


def test_resamples_and_seeds_are_checked_whatever_the_number_of_clusters() -> None:
    for data in ([[True, True]], made(9)):
        with pytest.raises(MetricError, match="0 resamples; there must be at least one"):
            bootstrap([problem_accuracy], data, resamples=0)
        with pytest.raises(MetricError, match="a seed of -1"):
            bootstrap([problem_accuracy], data, seed=-1)


def test_a_metric_of_two_samples_is_not_one_of_one() -> None:
    for data in (made(9), sample(made(9)), made(9).tolist()):
        with pytest.raises(MetricError, match=r"one sample where two.*paired\(before, after\)"):
            bootstrap([problem_accuracy, consistency], data)
    with pytest.raises(MetricError, match="two samples where one"):
        bootstrap([problem_accuracy], paired(made(9), made(9)))


def test_two_plain_arrays_are_as_good_as_a_pair() -> None:
    old, new = made(40, 1), made(40, 2)
    expected = bootstrap([consistency], paired(old, new))
    assert bootstrap([consistency], (old, new)) == expected
    assert bootstrap([consistency], (old.tolist(), sample(new))) == expected
    third = made(40, 3)
    assert bootstrap_difference([consistency], (old, new), (old, third)) == bootstrap_difference(
        [consistency], paired(old, new), paired(old, third)
    )


def test_the_rule_for_undecided_problems_is_that_of_plain_arrays() -> None:
    rows = [[True, None]] * 3 + [[None, None]] * 4 + [[True, True]]
    halves = sample(rows, ties=Ties.HALF)
    assert bootstrap([problem_accuracy], rows, ties=Ties.HALF) == bootstrap(
        [problem_accuracy], halves
    )
    assert bootstrap([problem_accuracy], rows, ties="half") != bootstrap([problem_accuracy], rows)
    (found,) = bootstrap_difference([problem_accuracy], rows, [[True, True]] * 8, ties="half")
    assert found.estimate == 10.5 / 16 - 1
    best = bootstrap_best(problem_accuracy, {"one": rows}, ties="half")
    assert best.value.estimate == 10.5 / 16
    with pytest.raises(MetricError, match="a sample already has its rule"):
        bootstrap([problem_accuracy], halves, ties=Ties.FAILED)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, float("nan")])
def test_a_level_lies_between_0_and_1(level: float) -> None:
    with pytest.raises(MetricError, match="confidence level"):
        bootstrap([problem_accuracy], made(9), level=level)


def test_no_metrics_give_no_intervals() -> None:
    assert bootstrap([], made(9)) == ()


_constant = Metric(
    problem_accuracy.declared,
    lambda data: np.zeros((data.cluster_count, 1)),
    lambda sums: sums[..., 0] + 0.5,
    is_share=False,
)
