"""A subset against its complement: clusters change sides at random."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from horsesense.errors import MetricError
from horsesense.metrics import (
    Sample,
    problem_accuracy,
    sample,
    schema_accuracy,
)
from horsesense.metrics.statistics import (
    permute_labels,
)


def _made(count: int, seed: int, chance: float = 0.7) -> Any:
    return np.random.default_rng(seed).random((count, 2)) < chance


def _split(whole: Sample, inside: list[bool]) -> tuple[Sample, Sample]:
    kept = np.repeat(inside, 2)
    return whole.among(kept), whole.among(~kept)


def test_permuting_labels_is_what_all_choices_give() -> None:
    solved = np.vstack([_made(4, 5, 0.9), _made(6, 6, 0.4)])
    inside = [True] * 4 + [False] * 6
    found = permute_labels(problem_accuracy, *_split(sample(solved), inside))
    counts = [Fraction(int(one)) for one in solved.sum(axis=1)]

    def difference(chosen: tuple[int, ...]) -> Fraction:
        solved_inside = sum((counts[at] for at in chosen), Fraction())
        return solved_inside / 8 - (sum(counts, Fraction()) - solved_inside) / 12

    observed = difference((0, 1, 2, 3))
    choices = [abs(difference(one)) >= abs(observed) for one in combinations(range(10), 4)]
    expected = sum(choices) / len(choices)
    assert 0 < expected < 1
    assert found.p == pytest.approx(expected, rel=1e-12)
    assert found.difference == pytest.approx(float(observed))
    assert (found.units, found.unequal, found.trials, found.left_out) == (10, None, None, 0)
    turned = permute_labels(problem_accuracy, *_split(sample(solved), [not one for one in inside]))
    assert turned.p == found.p
    assert turned.difference == pytest.approx(-found.difference)


def test_drawn_labels_come_near_to_all_choices() -> None:
    solved = np.vstack([_made(6, 3, 0.9), _made(12, 6, 0.5)])
    found = permute_labels(problem_accuracy, solved[:6], solved[6:], trials=20_000)
    counts = solved.sum(axis=1)
    inside = counts[np.array(list(combinations(range(18), 6)))].sum(axis=1)
    differences = np.abs(inside / 12 - (counts.sum() - inside) / 24)
    expected = np.mean(differences >= abs(found.difference) - 1e-12)
    assert 0.005 < expected < 0.9
    assert found.trials == 20_000
    assert found.p == pytest.approx(expected, abs=4 * np.sqrt(0.25 / 20_000))


def test_clusters_on_both_sides_are_left_out_and_counted() -> None:
    solved = np.vstack([[[True, False]] * 3, _made(4, 5, 0.9), _made(6, 6, 0.4)])
    kept = np.repeat([False] * 3 + [True] * 4 + [False] * 6, 2)
    kept[[0, 3, 4]] = True  # one problem of each of the first three
    whole = sample(solved)
    found = permute_labels(problem_accuracy, whole.among(kept), whole.among(~kept))
    expected = permute_labels(problem_accuracy, solved[3:7], solved[7:])
    assert found == replace(expected, left_out=3)
    assert expected.left_out == 0


def test_permuting_labels_agrees_with_scipy() -> None:
    solved = np.vstack([_made(30, 1, 0.8), _made(50, 2, 0.6)])
    means = solved.mean(axis=1)
    expected = stats.permutation_test(
        (means[:30], means[30:]),
        lambda first, second, axis: first.mean(axis=axis) - second.mean(axis=axis),
        n_resamples=20_000,
        vectorized=True,
        rng=1,
    )
    whole = sample(solved)
    found = permute_labels(problem_accuracy, *_split(whole, [True] * 30 + [False] * 50))
    assert found.difference == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue, rel=0.3, abs=0.005)


def test_permuting_labels_gives_the_same_digits_for_a_seed() -> None:
    sides = _split(sample(_made(40, 2)), [True] * 17 + [False] * 23)
    one, same, other = (
        permute_labels(schema_accuracy, *sides, trials=500, seed=seed).p for seed in (1, 1, 2)
    )
    assert one == same != other


def test_clusters_that_are_in_neither_do_not_take_part() -> None:
    whole = sample(_made(40, 1))
    first, second = (np.repeat((np.arange(40) // 10) == at, 2) for at in (0, 1))
    found = permute_labels(problem_accuracy, whole.among(first), whole.among(second))
    assert found.units == 20


def test_a_trial_without_a_value_counts_against_a_difference() -> None:
    """A cluster without a schema is alone on one side in half of all trials."""
    problems = sample([[True, True], [False, False], [True, True]])
    loose = problems.among(np.array([True, True, True, True, True, False]))
    sides = loose.among(np.arange(5) < 2), loose.among(np.arange(5) >= 2)
    found = permute_labels(schema_accuracy, *sides)
    assert (found.difference, found.p) == (1.0, 1.0)


def test_a_subset_takes_clusters_whole_and_must_have_a_value() -> None:
    whole = sample(_made(9, 1))
    firsts = np.arange(18) % 2 == 0
    with pytest.raises(MetricError, match="every cluster is partly in the subset"):
        permute_labels(problem_accuracy, whole.among(firsts), whole.among(~firsts))
    with pytest.raises(MetricError, match="undefined on one side: there are no problems"):
        permute_labels(problem_accuracy, *_split(whole, [True] * 9))
    first = np.arange(18) == 0
    with pytest.raises(MetricError, match="on one side, without 1 clusters that are partly on"):
        permute_labels(problem_accuracy, whole.among(first), whole.among(~first))
