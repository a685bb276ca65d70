"""The thesis' test of an accuracy against a null hypothesis."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from horsesense.errors import MetricError
from horsesense.metrics import (
    Sample,
    Ties,
    answered,
    half_solved_share,
    paired,
    problem_accuracy,
    sample,
    schema_accuracy,
)
from horsesense.metrics.statistics import (
    MonteCarlo,
    Null,
    conditional_null,
    monte_carlo,
    observed_null,
    p_cell,
    schema_null,
    thesis_terms,
)
from horsesense.metrics.statistics.monte_carlo import fraction, repeated
from horsesense.scoring import Share
from tests.metrics.statistics.mixed import mixed

# Thesis Table 3.9, GPT-2 on WSC266: 92 of 133 first problems solved, and so on.
COUNTED = conditional_null(Fraction(92, 133), Fraction(66, 92), Fraction(40, 41))
ROUNDED = conditional_null(0.692, 0.717, 0.976)
SCHEMAS = 91
DIFFERENCE = Fraction(198, 266) - Fraction(131, 182)

CHANCES = st.fractions(0, 1, max_denominator=20)


@pytest.mark.parametrize("null", [COUNTED, ROUNDED])
def test_the_thesis_example_is_reproduced(null: Null) -> None:
    found = monte_carlo(null, SCHEMAS, DIFFERENCE)
    assert found.exact == pytest.approx(0.415, abs=0.0005)
    assert float(null.accuracy) == pytest.approx(0.744, abs=0.0005)
    # What the thesis counted, and what we do, lies within three standard errors.
    error = np.sqrt(found.exact * (1 - found.exact))
    assert abs(4140 - found.exact * 1e4) < 3 * error * 1e2
    assert abs(415_108 - found.exact * 1e6) < 3 * error * 1e3
    assert abs(found.as_far - found.exact * 1e4) < 3 * error * 1e2
    assert p_cell(found.p) == p_cell(found.exact) == ".4"


def test_a_million_trials_come_near_the_exact_probability() -> None:
    found = monte_carlo(COUNTED, SCHEMAS, DIFFERENCE, trials=10**6)
    assert abs(found.p - found.exact) < 3 * np.sqrt(0.25 / 1e6)
    assert found.p == (found.as_far + 1) / (10**6 + 1)


@pytest.mark.parametrize("null", [COUNTED, ROUNDED])
def test_a_rounded_difference_would_give_another_probability(null: Null) -> None:
    assert monte_carlo(null, SCHEMAS, 0.025, trials=1).exact == pytest.approx(0.308, abs=0.0005)


def test_the_counted_null_has_the_very_accuracy_of_the_baseline() -> None:
    assert COUNTED.accuracy == Fraction(198, 266)


def test_a_difference_in_floats_is_as_good_as_one_in_fractions_or_counts() -> None:
    expected = monte_carlo(COUNTED, SCHEMAS, DIFFERENCE, trials=1000)
    in_floats = monte_carlo(COUNTED, SCHEMAS, 198 / 266 - 131 / 182, trials=1000)
    assert (in_floats.as_far, in_floats.exact) == (expected.as_far, expected.exact)
    in_counts = monte_carlo(COUNTED, SCHEMAS, Share(131, 182), trials=1000)
    assert (in_counts.as_far, in_counts.exact) == (expected.as_far, expected.exact)
    assert in_counts.difference == -expected.difference


@given(CHANCES, CHANCES, CHANCES, st.integers(1, 30), st.integers(0, 60))
def test_which_problem_comes_first_makes_no_difference(
    first: Fraction, if_solved: Fraction, if_failed: Fraction, schemas: int, solved: int
) -> None:
    second = first * if_solved + (1 - first) * if_failed
    both, only_first = first * if_solved, first * (1 - if_solved)
    exchanged = conditional_null(
        second, both / second if second else None, only_first / (1 - second) if second < 1 else None
    )
    null = conditional_null(first, if_solved, if_failed)
    assert exchanged == null
    assert null.accuracy == (first + second) / 2
    observed = Share(min(solved, 2 * schemas), 2 * schemas)
    one, other = (monte_carlo(each, schemas, observed, trials=50) for each in (null, exchanged))
    assert one == other


def _slowly(null: Null, schemas: int, observed: Fraction) -> Fraction:
    """All ways in which schemas can turn out, one after another, in fractions."""
    distance, found = abs(observed - null.accuracy), Fraction()
    for row in product(range(len(null.chances)), repeat=schemas):
        accuracy = Fraction(sum(row), schemas * null.most)
        if abs(accuracy - null.accuracy) >= distance:
            chance = Fraction(1)
            for one in row:
                chance *= null.chances[one]
            found += chance
    return found


@given(CHANCES, CHANCES, CHANCES, st.integers(1, 5), st.integers(0, 10))
def test_the_exact_probability_is_what_all_ways_add_up_to(
    first: Fraction, if_solved: Fraction, if_failed: Fraction, schemas: int, solved: int
) -> None:
    null = conditional_null(first, if_solved, if_failed)
    observed = Share(min(solved, 2 * schemas), 2 * schemas)
    expected = _slowly(null, schemas, Fraction(int(observed.count), 2 * schemas))
    assert monte_carlo(null, schemas, observed, trials=1).exact == pytest.approx(float(expected))


def test_trials_are_what_schemas_made_up_one_by_one_give() -> None:
    rng = np.random.default_rng(7)
    as_far = 0
    for _ in range(4000):
        first = rng.random(SCHEMAS) < 92 / 133
        second = rng.random(SCHEMAS) < np.where(first, 66 / 92, 40 / 41)
        accuracy = Fraction(int(first.sum() + second.sum()), 2 * SCHEMAS)
        as_far += abs(accuracy - COUNTED.accuracy) >= DIFFERENCE
    found = monte_carlo(COUNTED, SCHEMAS, DIFFERENCE, trials=4000)
    assert abs(found.as_far - as_far) < 4 * np.sqrt(2 * 4000 * 0.25)


@given(st.integers(0, 40), st.integers(1, 40), st.integers(0, 40))
def test_schemas_are_tested_by_a_binomial_distribution(
    solved: int, schemas: int, baseline: int
) -> None:
    null = schema_null(Share(baseline, 40))
    observed = Share(min(solved, schemas), schemas)
    counts = np.arange(schemas + 1)
    distances = [abs(Fraction(int(one), schemas) - null.accuracy) for one in counts]
    is_far = np.array([one >= distances[int(observed.count)] for one in distances])
    expected = stats.binom.pmf(counts, schemas, baseline / 40)[is_far].sum()
    found = monte_carlo(null, schemas, observed, trials=20)
    assert found.exact == pytest.approx(expected, abs=1e-12)


def test_a_difference_of_nothing_has_a_p_of_1() -> None:
    found = monte_carlo(COUNTED, SCHEMAS, 0)
    assert found.p == 1
    assert found.exact == pytest.approx(1)


def test_equal_distances_on_both_sides_are_as_far() -> None:
    """With an accuracy of 1/2 the tails are alike; in floats one of them can get lost."""
    null = conditional_null(Fraction(1, 2), Fraction(1, 10), Fraction(9, 10))
    for solved in range(10):
        low, high = (
            monte_carlo(null, 10, Share(count, 20), trials=100) for count in (solved, 20 - solved)
        )
        assert (low.exact, low.as_far) == (high.exact, high.as_far)


@pytest.mark.parametrize(
    ("first", "if_solved", "if_failed", "accuracy"),
    [(1, 1, None, 1), (1, 0.5, None, 0.75), (0, None, 1, 0.5), (0, None, 0, 0), (0.5, 1, 1, 0.75)],
)
def test_a_condition_that_never_holds_needs_no_chance(
    first: float, if_solved: float | None, if_failed: float | None, accuracy: float
) -> None:
    null = conditional_null(first, if_solved, if_failed)
    assert null.accuracy == accuracy
    assert sum(null.chances) == 1
    assert monte_carlo(null, 9, 0, trials=10).p == 1


def test_under_a_certain_null_anything_else_never_happens() -> None:
    found = monte_carlo(conditional_null(1, 1, None), 9, Share(17, 18), trials=99)
    assert (found.exact, found.as_far, found.p) == (0, 0, 0.01)


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        ((0.5, 0.5, None), "no chance if it is failed"),
        ((0.5, None, 0.5), "no chance if it is solved"),
        ((1.5, 0.5, 0.5), "to solve the first problem of 1.5"),
        ((0.5, -0.5, 0.5), "if it is solved of -0.5"),
    ],
)
def test_what_is_no_null_is_refused(
    chances: tuple[float, float | None, float | None], message: str
) -> None:
    with pytest.raises(MetricError, match=message):
        conditional_null(*chances)


def test_the_null_of_a_baseline_is_counted_in_its_schemas() -> None:
    solved = [[True, True]] * 66 + [[True, False]] * 26 + [[False, True]] * 40 + [[False, False]]
    assert observed_null(sample(solved)) == COUNTED
    guessed = observed_null(sample([[None, None]], ties=Ties.HALF))
    assert guessed.chances == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))


def test_the_null_may_be_counted_in_a_plain_array() -> None:
    rows = [[True, None]] * 3 + [[True, True]]
    assert observed_null(rows) == observed_null(sample(rows))
    assert observed_null(rows, ties=Ties.HALF) == observed_null(sample(rows, ties=Ties.HALF))
    with pytest.raises(MetricError, match="two samples where one"):
        observed_null(paired(rows, rows))


@given(CHANCES, CHANCES, CHANCES)
def test_the_deviation_of_a_null_is_that_of_its_chances(
    first: Fraction, if_solved: Fraction, if_failed: Fraction
) -> None:
    null = conditional_null(first, if_solved, if_failed)
    varied = sum(
        float(one) * (count / 2 - float(null.accuracy)) ** 2
        for count, one in enumerate(null.chances)
    )
    assert null.deviation**2 == pytest.approx(varied, abs=1e-12)


def test_without_schemas_or_trials_there_is_no_test() -> None:
    with pytest.raises(MetricError, match="no schemas"):
        observed_null(sample([True, False]))
    with pytest.raises(MetricError, match="no schemas"):
        schema_null(Share(0, 0))
    with pytest.raises(MetricError, match="a total of 0 was observed"):
        monte_carlo(COUNTED, 9, Share(0, 0))
    with pytest.raises(MetricError, match="a difference of nan"):
        monte_carlo(COUNTED, 9, float("nan"))
    for schemas, trials, told in ((0, 9, "0 schemas"), (9, 0, "0 trials"), (9, -1, "-1 trials")):
        with pytest.raises(MetricError, match=f"^{told}; there must be at least one"):
            monte_carlo(COUNTED, schemas, 0, trials=trials)


def test_the_same_seed_gives_the_same_digits_and_another_one_others() -> None:
    found: list[MonteCarlo] = [
        monte_carlo(COUNTED, SCHEMAS, DIFFERENCE, seed=seed) for seed in (1, 1, 2)
    ]
    assert found[0] == found[1]
    assert found[0].as_far != found[2].as_far


@pytest.mark.parametrize("number", [0, 1, 2, 17, 1000, 30_000])
def test_repeated_coins_fall_binomially(number: int) -> None:
    found = repeated([0.7, 0.3], number)
    expected = stats.binom.pmf(found.counts, number, 0.3)
    assert found.chances == pytest.approx(expected, rel=1e-8)
    # The chances given add up to 1 but for the last digit, and that is taken to the power.
    assert found.chances.sum() == pytest.approx(1, abs=1e-15 * (number + 1))


def test_accuracies_differ_by_one_at_most() -> None:
    for difference in (5, -1.5, Fraction(9, 8)):
        with pytest.raises(MetricError, match="accuracies differ by -1 to 1"):
            monte_carlo(COUNTED, 5, difference)
    assert monte_carlo(COUNTED, 5, 1).exact < 1e-3


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_numbers_of_numpy_are_numbers(kind: type[np.floating[Any]]) -> None:
    observed = Fraction(131, 182) - Fraction(1, 2)
    assert fraction(kind(float(observed))) == observed  # type: ignore[arg-type]
    expected = monte_carlo(COUNTED, 91, observed, trials=99)
    numbers: Any = (np.int64(91), kind(float(observed)))
    assert monte_carlo(COUNTED, *numbers, trials=np.int64(99)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [91.5, 91.0, "91", None])
def test_schemas_and_trials_are_whole_numbers(number: Any) -> None:
    with pytest.raises(MetricError, match="schemas; give a whole number"):
        monte_carlo(COUNTED, number, 0.1)
    with pytest.raises(MetricError, match="trials; give a whole number"):
        monte_carlo(COUNTED, 91, 0.1, trials=number)


def test_two_samples_are_compared_by_the_null_of_the_first_on_the_schemas_of_the_second() -> None:
    rows = [[True, True]] * 66 + [[True, False]] * 26 + [[False, True]] * 40 + [[False, False]]
    before, after = sample(rows), sample(rows[20:111])
    terms = thesis_terms(problem_accuracy, before, after)
    assert terms is not None
    solved = problem_accuracy.share(after)
    assert terms.null == observed_null(before)
    assert (terms.schemas, terms.difference) == (
        91,
        Fraction(int(solved.count), 182) - Fraction(198, 266),
    )
    assert terms.test(seed=3) == monte_carlo(terms.null, 91, terms.difference, seed=3)
    of_schemas = thesis_terms(schema_accuracy, before, after)
    assert of_schemas is not None
    assert of_schemas.null == schema_null(Share(66, 133))


def test_there_is_no_thesis_test_without_schemas_nor_of_other_metrics() -> None:
    schemas, alone = sample([[True, False]]), sample([True])
    assert thesis_terms(half_solved_share, schemas, schemas) is None
    assert thesis_terms(problem_accuracy, schemas, alone) is None
    assert thesis_terms(problem_accuracy, alone, schemas) is None


def test_problems_in_no_schema_are_not_in_the_thesis_test() -> None:
    half = [[True, False]] * 40
    before = mixed(half, [True] * 40 + [False] * 40)
    terms = thesis_terms(problem_accuracy, before, mixed(half, [True] * 60 + [False] * 20))
    assert terms is not None
    assert (terms.schemas, terms.difference, terms.left_out) == (40, Fraction(0), (80, 80))
    better = [*half[1:], [True, True]]
    alone = thesis_terms(problem_accuracy, sample(half), sample(better))
    with_singles = thesis_terms(problem_accuracy, before, mixed(better, [True]))
    assert alone is not None and with_singles is not None
    assert alone.test() == with_singles.test()
    assert (alone.left_out, with_singles.left_out) == ((0, 0), (80, 1))


def test_a_problem_in_two_schemas_counts_once_in_the_difference() -> None:
    pairs = np.array([[0, 1], [1, 2]])
    one, other = (
        Sample(answered(values), pairs, np.zeros(3, np.intp), 1)
        for values in ([True, True, False], [True, True, True])
    )
    terms = thesis_terms(problem_accuracy, one, other)
    assert terms is not None
    assert (terms.difference, terms.left_out) == (Fraction(1, 3), (0, 0))
