"""Accuracies against chance, and the thesis' test of differences."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.metrics import (
    Metric,
    Paired,
    paired,
    problem_accuracy,
    sample,
    schema_accuracy,
)
from horsesense.metrics.statistics import compare, monte_carlo, observed_null, schema_null
from horsesense.results.measuring import estimates
from horsesense.results.measuring.estimates import HowToTest, chance_test, read_tests
from horsesense.scoring.outcome import Share
from tests.metrics.statistics.mixed import mixed
from tests.strategies import brisk

ASKED = HowToTest("family", 0, with_thesis=True)
schemas = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=5)


def by_guessing(count: int) -> list[tuple[int, int]]:
    """How many problems and schemas are solved in every way to guess, each as likely as others."""
    ways = product([0, 1], repeat=2 * count)
    return [
        (sum(way), sum(a * b for a, b in zip(way[::2], way[1::2], strict=True))) for way in ways
    ]


@brisk
@given(schemas)
def test_chance_is_every_way_to_guess(solved: list[tuple[bool, bool]]) -> None:
    data, ways = sample(solved), by_guessing(len(solved))
    for metric, at, expected in (
        (problem_accuracy, 0, len(solved)),
        (schema_accuracy, 1, len(solved) / 4),
    ):
        distance = abs(metric.share(data).count - expected)
        as_far = [way for way in ways if abs(way[at] - expected) >= distance]
        assert chance_test(metric, data, ASKED).p == pytest.approx(len(as_far) / len(ways))


def test_exact_and_drawn_agree_with_the_statistics() -> None:
    data = sample(np.random.default_rng(0).random((60, 2)) < 0.6)
    for metric, chances in ((problem_accuracy, (1, 2, 1)), (schema_accuracy, (3, 1))):
        null = type(schema_null(Share(1, 4)))(tuple(Fraction(one, 4) for one in chances))
        expected = monte_carlo(null, 60, metric.share(data))
        found = chance_test(metric, data, ASKED)
        assert found.p == pytest.approx(expected.exact)
        assert found.thesis_p == expected.p


def test_what_is_next_to_impossible_is_not_impossible() -> None:
    found = chance_test(problem_accuracy, sample([[True, True]] * 1000), ASKED)
    assert found.p is not None
    assert 0 < found.p < 1e-300


def compared(metric: Metric, pair: Paired) -> estimates.PValues:
    table = compare([metric], pair, with_thesis=True, resamples=9)
    thesis = table.thesis[0] if table.thesis else None
    return read_tests(table.rows[0], thesis, ASKED)


def test_the_null_of_a_difference_is_what_was_before() -> None:
    rng = np.random.default_rng(1)
    pair = paired(rng.random((50, 2)) < 0.7, rng.random((50, 2)) < 0.5)
    for metric, null in (
        (problem_accuracy, observed_null(pair.before)),
        (schema_accuracy, schema_null(schema_accuracy.share(pair.before))),
    ):
        expected = monte_carlo(null, 50, metric.share(pair.after))
        found = compared(metric, pair)
        assert found.thesis_p == expected.p
        assert found.test == "sign flip"


def test_without_schemas_the_thesis_has_no_test() -> None:
    pair = paired([True, True, False], [True, False, False])
    found = compared(problem_accuracy, pair)
    assert (found.p, found.thesis_p) == (1.0, None)


def test_the_thesis_p_is_of_problems_in_schemas_and_says_so() -> None:
    half = [[True, False]] * 40
    before = mixed(half, [True] * 40 + [False] * 40)
    pair = paired(before, mixed(half, [True] * 60 + [False] * 20))
    found = compared(problem_accuracy, pair)
    assert found.p is not None and found.p < 0.001 and found.thesis_p is None
    assert found.reason == "the unpaired p is of the problems in schemas: up to 80 left out"
    of_schemas = compared(schema_accuracy, pair)
    assert not of_schemas.reason
