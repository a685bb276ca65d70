"""How often intervals hold the true value, in small; at large: `bench/interval_coverage.py`."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from bench import interval_coverage
from bench.interval_coverage import HYPOTHESES, METRICS, Hypothesis
from horsesense.metrics import Metric, consistency, problem_accuracy, sample, schema_accuracy
from horsesense.metrics.statistics import bootstrap

NEGATIVE, INDEPENDENT, POSITIVE = HYPOTHESES


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_the_true_values_are_those_of_the_hypothesis(hypothesis: Hypothesis) -> None:
    a, u, v = hypothesis.first, hypothesis.if_solved, hypothesis.if_failed
    problems = interval_coverage.kinds(hypothesis, problem_accuracy)
    assert problems.value(problem_accuracy) == pytest.approx(
        a * u + (1 - a) * v / 2 + a * (1 - u) / 2  # (3.97)
    )
    schemas = interval_coverage.kinds(hypothesis, schema_accuracy)
    assert schemas.value(schema_accuracy) == pytest.approx(a * u)
    second = a * u + (1 - a) * v
    anew = (a**2 + (1 - a) ** 2 + second**2 + (1 - second) ** 2) / 2
    pairs = interval_coverage.kinds(hypothesis, consistency)
    steady = interval_coverage.STEADY
    assert pairs.value(consistency) == pytest.approx(steady + (1 - steady) * anew)


def test_the_hypotheses_are_correlated_as_they_say() -> None:
    signs = [np.sign(round(one.if_solved - one.if_failed, 9)) for one in HYPOTHESES]
    assert signs == [-1, 0, 1]


@pytest.mark.parametrize("solved", [(50, 30, 10), (99, 1, 0)])
def test_kinds_are_resampled_as_the_program_resamples_schemas(
    solved: tuple[int, int, int],
) -> None:
    both, half, none = solved
    rows = [[True, True]] * both + [[True, False]] * half + [[False, False]] * none
    (expected,) = bootstrap([problem_accuracy], sample(rows), resamples=20_000)
    found = interval_coverage.intervals(
        problem_accuracy,
        np.array([none, half, both]),
        np.array([[0.0, 2], [1, 2], [2, 2]]),
        np.random.default_rng(0),
    )
    for kind, interval in (("percentile", expected.percentile), ("empirical", expected.empirical)):
        assert interval is not None
        # One problem more or fewer is a step; two steps are left to chance.
        steps = 2 / (2 * len(rows)) + 1e-9
        assert found[kind] == pytest.approx((interval.low, interval.high), abs=steps)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_percentile_intervals_hold_as_often_as_they_say(
    metric: Metric, hypothesis: Hypothesis
) -> None:
    row = interval_coverage.coverage(hypothesis, metric, 133, sets=1000)
    # Within two points, and three standard errors of 1,000 sets, which are .021.
    assert abs(row.coverage["percentile"] - 0.95) < 0.02 + 3 * sqrt(0.95 * 0.05 / 1000)


def test_intervals_as_if_problems_stood_alone_hold_too_often_or_too_seldom() -> None:
    too_often = interval_coverage.coverage(NEGATIVE, problem_accuracy, 133, sets=400)
    too_seldom = interval_coverage.coverage(POSITIVE, problem_accuracy, 133, sets=400)
    for kind in ("Wilson", "Wald"):
        assert too_often.coverage[kind] > 0.96
        assert too_seldom.coverage[kind] < 0.93


def test_the_same_seed_gives_the_same_table() -> None:
    lines = [
        list(
            interval_coverage.table(
                iter([interval_coverage.coverage(INDEPENDENT, consistency, 30, sets=40)])
            )
        )
        for _ in range(2)
    ]
    assert lines[0] == lines[1]
    assert len(lines[0]) == 3
    assert lines[0][2].startswith("| consistency | none | 30 | ")


def test_standard_errors_are_those_of_a_share() -> None:
    row = interval_coverage.Row("none", "consistency", 30, {"Wald": 0.9}, 100)
    assert row.error("Wald") == pytest.approx(0.03)


@pytest.mark.parametrize("size", interval_coverage.SIZES[:2])  # the largest takes a while
@pytest.mark.parametrize("metric", METRICS, ids=lambda one: one.name)
def test_the_docs_have_the_coverage_that_the_simulation_finds(metric: Metric, size: int) -> None:
    page = (Path(__file__).parents[3] / "docs/explanation/statistics.md").read_text()
    sets = interval_coverage.SETS
    for hypothesis in HYPOTHESES:
        row = interval_coverage.coverage(hypothesis, metric, size, sets=sets)
        (*_, line) = interval_coverage.table(iter([row]))
        assert line in page
