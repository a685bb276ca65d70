"""The comparison of two sets of answers."""

from __future__ import annotations

from statistics import stdev
from typing import Any

import numpy as np
import pytest

from horsesense.errors import MetricError
from horsesense.metrics import (
    consistency,
    paired,
    problem_accuracy,
    random_pair_accuracy,
    sample,
    schema_accuracy,
    split,
)
from horsesense.metrics.statistics import (
    Correction,
    adjust,
    bootstrap,
    bootstrap_difference,
    compare,
    compare_subset,
    mcnemar,
    noticeable_difference,
    permute_labels,
    sign_flip,
    sign_test,
    thesis_terms,
)
from tests.metrics.statistics.mixed import mixed

RNG = np.random.default_rng(5)
BEFORE, AFTER = RNG.random((60, 2)) < 0.6, RNG.random((60, 2)) < 0.7
ACCURACIES = (problem_accuracy, schema_accuracy)


def test_a_row_holds_what_its_parts_give_each_by_itself() -> None:
    pair = paired(BEFORE, AFTER)
    table = compare(ACCURACIES, pair, resamples=500, seed=3)
    alone = bootstrap_difference(ACCURACIES, pair.after, pair.before, resamples=500, seed=3)
    for row, metric, difference in zip(table.rows, ACCURACIES, alone, strict=True):
        assert (row.one, row.other) == (metric(BEFORE).value, metric(AFTER).value)
        assert row.difference == difference
        assert row.test == sign_flip(metric, pair.after, pair.before)
        assert row.reason == ""


def test_changes_come_from_the_same_resamples() -> None:
    pair = paired(BEFORE, AFTER)
    table = compare(ACCURACIES, pair, changes=[consistency], resamples=200, seed=3)
    assert table.changes == bootstrap([consistency], pair, resamples=200, seed=3)
    assert table.rows == compare(ACCURACIES, pair, resamples=200, seed=3).rows


def test_the_thesis_test_is_added_on_request_for_accuracies() -> None:
    pair = paired(BEFORE, AFTER)
    metrics = (*ACCURACIES, random_pair_accuracy)
    table = compare(metrics, pair, with_thesis=True, resamples=9, seed=3)
    assert [test.metric for test in table.thesis] == [metric.name for metric in ACCURACIES]
    for test, metric in zip(table.thesis, ACCURACIES, strict=True):
        terms = thesis_terms(metric, pair.before, pair.after)
        assert terms is not None and test.p == terms.test(seed=3).p
    assert compare(metrics, pair, resamples=9).thesis == ()


def test_no_difference_has_no_thesis_p() -> None:
    (test,) = compare([problem_accuracy], (BEFORE, BEFORE), with_thesis=True, resamples=9).thesis
    assert test.p is None


def test_a_metric_of_two_samples_has_no_value_on_either_side() -> None:
    with pytest.raises(MetricError, match="one sample where two are expected"):
        compare([consistency], (BEFORE, AFTER), resamples=9)


def test_the_family_is_the_table() -> None:
    table = compare(ACCURACIES, paired(BEFORE, AFTER), resamples=50)
    ps = [row.test.p for row in table.rows if row.test]
    assert table.family.size == 2
    # Holm: the smaller one counts twice, and the larger is no smaller than that.
    adjusted = [row.adjusted_p for row in table.rows]
    assert min(p for p in adjusted if p is not None) == pytest.approx(min(1, 2 * min(ps)))


def test_what_could_be_noticed_hangs_on_how_much_the_schemas_differ() -> None:
    (row,) = compare([problem_accuracy], paired(BEFORE, AFTER), resamples=50).rows
    differences = [
        (sum(after) - sum(before)) / 2
        for before, after in zip(BEFORE.tolist(), AFTER.tolist(), strict=True)
    ]
    expected = noticeable_difference(stdev(differences), 60)
    assert row.noticeable is not None and expected.difference is not None
    assert row.noticeable.difference == pytest.approx(expected.difference)


def test_what_no_test_fits_has_its_interval_and_the_reason() -> None:
    (row, tested) = compare(
        [random_pair_accuracy, problem_accuracy], paired(BEFORE, AFTER), resamples=50
    ).rows
    assert (row.test, row.adjusted_p, row.noticeable) == (None, None, None)
    assert row.reason == "random-pair-accuracy is not a share; bootstrap the difference instead"
    assert row.difference.percentile is not None
    assert tested.test is not None and tested.adjusted_p == tested.test.p


def test_a_subset_is_held_against_its_complement() -> None:
    tall = np.repeat(RNG.random(60) < 0.4, 2).reshape(60, 2)
    parts = split(sample(BEFORE, marks={"tall": tall}), "tall")
    (row,) = compare_subset([problem_accuracy], parts, resamples=200).rows
    assert row.one == problem_accuracy(BEFORE[~tall[:, 0]]).value
    assert row.other == problem_accuracy(BEFORE[tall[:, 0]]).value
    assert row.test == permute_labels(problem_accuracy, parts.subset, parts.complement)
    assert row.noticeable is None


def test_a_cluster_on_both_sides_is_left_out_of_the_test_only() -> None:
    tall = np.repeat(RNG.random(60) < 0.4, 2).reshape(60, 2)
    tall[0] = [True, False]
    parts = split(sample(BEFORE, marks={"tall": tall}), "tall")
    (row,) = compare_subset([problem_accuracy], parts, resamples=200).rows
    assert row.test is not None
    assert (row.test.left_out, row.test.units, row.reason) == (1, 59, "")
    assert row.other == BEFORE[tall].mean()
    assert row.difference.estimate == pytest.approx(BEFORE[tall].mean() - BEFORE[~tall].mean())
    assert row.difference.clusters == 60


def test_a_table_is_adjusted_by_either_correction() -> None:
    pair = paired(BEFORE, AFTER)
    both = split(
        sample(BEFORE, marks={"first": [[True, True]] * 20 + [[False, False]] * 40}), "first"
    )
    for correction in Correction:
        for given in (correction, correction.value):
            tables = (
                compare(ACCURACIES, pair, resamples=50, correction=given),
                compare_subset(ACCURACIES, both, resamples=50, correction=given),
            )
            for table in tables:
                ps = [row.test.p for row in table.rows if row.test]
                expected = adjust(ps, correction, family=table.family.family)
                assert table.family == expected
                assert table.family.correction is correction
                assert tuple(row.adjusted_p for row in table.rows) == expected.ps


def test_an_unknown_correction_is_said_before_anything_is_drawn() -> None:
    parts = split(sample(BEFORE, marks={"all": np.ones((60, 2), bool)}), "all")
    with pytest.raises(
        MetricError, match="'Bonferroni' is not a correction of p-values; give 'Holm'"
    ):
        compare(ACCURACIES, (BEFORE, AFTER), correction="Bonferroni")
    with pytest.raises(MetricError, match="is not a correction of p-values"):
        compare_subset(ACCURACIES, parts, correction="Bonferroni")


def test_of_no_metrics_there_is_an_empty_table() -> None:
    table = compare([], paired(BEFORE, AFTER), resamples=50)
    assert (table.rows, table.family.size) == ((), 0)


def test_plain_arrays_are_as_good_as_a_pair() -> None:
    expected = compare(ACCURACIES, paired(BEFORE, AFTER), resamples=50)
    assert compare(ACCURACIES, (BEFORE, AFTER), resamples=50) == expected
    halves = compare(ACCURACIES, ([[None, True]] * 4, [[True, True]] * 4), ties="half")
    assert [row.one for row in halves.rows] == [0.75, 0.5]
    with pytest.raises(MetricError, match=r"paired\(before, after\)"):
        compare(ACCURACIES, BEFORE)


def test_a_subset_without_its_complement_is_no_comparison() -> None:
    wrong: Any = BEFORE
    with pytest.raises(MetricError, match=r"give split\(sample\(values, marks=…\), …\)"):
        compare_subset(ACCURACIES, wrong)


def test_one_cluster_has_a_difference_and_nothing_that_could_be_noticed() -> None:
    (row,) = compare([problem_accuracy], ([[True, False]], [[True, True]])).rows
    assert (row.one, row.other, row.difference.estimate) == (0.5, 1.0, 0.5)
    assert row.difference.interval is None
    assert row.difference.no_interval.startswith("1 cluster, ")
    assert row.test is not None
    assert (row.test.p, row.noticeable) == (1.0, None)


def test_clusters_without_a_schema_are_no_units_of_schema_accuracy() -> None:
    worse, better = [[True, True]] * 6 + [[True, False]] * 2, [[True, True]] * 8
    both = mixed(worse, [True] * 60), mixed(better, [True] * 60)
    of_problems, of_schemas = compare(ACCURACIES, both).rows
    assert of_problems.test is not None and of_problems.test.units == 68
    assert of_schemas.test is not None and of_schemas.noticeable is not None
    assert (of_schemas.test.units, of_schemas.test.unequal) == (8, 2)
    assert of_schemas.noticeable.clusters == 8 and of_schemas.noticeable.remark
    [alone] = compare([schema_accuracy], (worse, better)).rows
    assert (alone.test, alone.noticeable) == (of_schemas.test, of_schemas.noticeable)


def test_all_differences_are_after_minus_before() -> None:
    old, new = [[True, False]] * 3 + [[True, True]], [[True, True]] * 4
    (row,) = compare([schema_accuracy], (old, new), resamples=9).rows
    found = [mcnemar((old, new)), sign_test((old, new))]
    assert row.test is not None
    assert row.difference.estimate == row.test.difference == found[0].difference == 0.75
    assert found[1].difference == 0.375
