from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb, nan, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from horsesense.errors import MetricError
from horsesense.metrics.statistics import (
    beyond_luck,
    discordant_deviation,
    lucky_draw,
    noticeable_difference,
    problem_deviation,
    schema_deviation,
    schemas_needed,
)
from tests.strategies import brisk

chances = st.floats(0, 1)
TRIALS = 20_000


@brisk
@given(chances, chances, chances)
def test_the_deviation_of_a_schemas_share_is_that_of_its_four_outcomes(
    first: float, if_solved: float, if_failed: float
) -> None:
    mean = square = 0.0
    for one, two in product((1, 0), repeat=2):
        second = if_solved if one else if_failed
        chance = (first if one else 1 - first) * (second if two else 1 - second)
        mean += chance * (one + two) / 2
        square += chance * ((one + two) / 2) ** 2
    variance = problem_deviation(first, if_solved, if_failed) ** 2
    assert variance == pytest.approx(square - mean**2, abs=1e-12)


def test_independent_problems_deviate_less_than_schemas_that_go_together() -> None:
    assert problem_deviation(0.5, 0.5, 0.5) == pytest.approx(sqrt(0.25 / 2))
    assert problem_deviation(0.5, 1, 0) == 0.5
    assert problem_deviation(0.5, 0, 1) == 0.0


def test_a_noticeable_difference_is_so_many_standard_errors() -> None:
    found = noticeable_difference(0.4, 133, significance=0.01, power=0.9)
    errors = norm.ppf(0.995) + norm.ppf(0.9)
    assert found.difference == pytest.approx(errors * 0.4 / sqrt(133), abs=1e-14)
    assert (found.clusters, found.significance, found.power) == (133, 0.01, 0.9)
    assert found.remark == ""


@pytest.mark.parametrize("schemas", [133, 600])
def test_problem_accuracy_has_the_claimed_power(schemas: int) -> None:
    """Schemas as the thesis draws them (Table 3.9, GPT-2), with more half-solved ones solved."""
    first, if_solved, if_failed = 92 / 133, 66 / 92, 40 / 41
    least = noticeable_difference(
        problem_deviation(first, if_solved, if_failed), schemas
    ).difference
    assert least is not None
    both, neither = first * if_solved, (1 - first) * (1 - if_failed)
    accuracy = both + (1 - both - neither) / 2
    both += 2 * least
    drawn = np.random.default_rng(1).multinomial(
        schemas, [both, 1 - both - neither, neither], TRIALS
    )
    mean = drawn @ [1, 0.5, 0] / schemas
    deviation = np.sqrt(drawn @ [1, 0.25, 0] / schemas - mean**2)
    noticed = np.abs(mean - accuracy) > norm.ppf(0.975) * deviation / sqrt(schemas)
    assert noticed.mean() == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("accuracy", [0.25, 0.5])
def test_schema_accuracy_has_the_claimed_power(accuracy: float) -> None:
    schemas = 500
    deviation = schema_deviation(accuracy)
    least = noticeable_difference(deviation, schemas).difference
    assert least is not None
    mean = np.random.default_rng(2).binomial(schemas, accuracy + least, TRIALS) / schemas
    noticed = np.abs(mean - accuracy) > norm.ppf(0.975) * deviation / sqrt(schemas)
    assert noticed.mean() == pytest.approx(0.8, abs=0.03)


def test_a_paired_difference_has_the_claimed_power() -> None:
    schemas, discordant = 400, 0.3
    least = noticeable_difference(discordant_deviation(discordant), schemas, power=0.9).difference
    assert least is not None
    gained, lost = (discordant + least) / 2, (discordant - least) / 2
    drawn = np.random.default_rng(3).multinomial(schemas, [gained, lost, 1 - discordant], TRIALS)
    difference, changed = drawn[:, 0] - drawn[:, 1], drawn[:, 0] + drawn[:, 1]
    noticed = np.abs(difference) > norm.ppf(0.975) * np.sqrt(changed)
    assert noticed.mean() == pytest.approx(0.9, abs=0.03)


@brisk
@given(st.floats(0.01, 1), st.integers(1, 5000), st.floats(0.5, 0.99))
def test_the_schemas_needed_are_the_fewest_that_show_the_difference(
    deviation: float, schemas: int, power: float
) -> None:
    least = noticeable_difference(deviation, schemas, power=power).difference
    if least is not None:
        # A bit more or less than the least, as its last digit is not to be relied upon.
        assert schemas_needed(least * (1 + 1e-9), deviation, power=power) == schemas
        assert schemas_needed(-least * (1 - 1e-9), deviation, power=power) == schemas + 1


def test_one_schema_is_needed_where_nothing_varies() -> None:
    assert schemas_needed(0.1, 0.0) == 1


@pytest.mark.parametrize(
    ("deviation", "schemas", "remark"),
    [
        (0.0, 100, "nothing varies, so the normal approximation does not apply"),
        (0.5, 1, "not even a difference of 1 would be noticed"),
    ],
)
def test_there_may_be_no_noticeable_difference(deviation: float, schemas: int, remark: str) -> None:
    found = noticeable_difference(deviation, schemas)
    assert (found.difference, found.remark) == (None, remark)


def test_few_schemas_make_it_doubtful() -> None:
    assert noticeable_difference(0.5, 29).remark.startswith("fewer than 30 clusters")
    assert noticeable_difference(0.5, 29).difference is not None
    assert noticeable_difference(0.5, 30).remark == ""


def exactly_lucky(total: int, more_than: int, models: int, chance: Fraction) -> Fraction:
    """The same, without rounding."""
    at_most = sum(
        comb(total, count) * chance**count * (1 - chance) ** (total - count)
        for count in range(max(0, min(more_than, total) + 1))
    )
    return Fraction(1 - at_most**models)


def test_a_lucky_draw_is_that_of_trichelair_and_others() -> None:
    one, ten = lucky_draw(273, 150), lucky_draw(273, 150, models=10)
    half = Fraction(1, 2)
    assert one == pytest.approx(float(exactly_lucky(273, 150, 1, half)), abs=1e-14)
    assert ten == pytest.approx(float(exactly_lucky(273, 150, 10, half)), abs=1e-13)
    # They print .04 and .37.
    assert (f"{one:.4f}", f"{ten:.4f}") == ("0.0450", "0.3689")


@pytest.mark.parametrize("models", [1, 3, 10])
@pytest.mark.parametrize("chance", [Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("total", [1, 2, 40])
def test_luck_is_exact(total: int, chance: Fraction, models: int) -> None:
    for more_than in range(-2, total + 2):
        ours = lucky_draw(total, more_than, models=models, chance=float(chance))
        exact = exactly_lucky(total, more_than, models, chance)
        assert ours == pytest.approx(float(exact), rel=1e-11, abs=1e-300)


@pytest.mark.parametrize(("chance", "probability"), [(0.0, 0.0), (1.0, 1.0)])
def test_luck_may_be_none_or_certain(chance: float, probability: float) -> None:
    assert lucky_draw(5, 3, models=2, chance=chance) == probability


@brisk
@given(st.integers(1, 60), st.sampled_from([0.25, 0.5]), st.integers(1, 20), st.floats(0.01, 0.9))
def test_beyond_luck_is_the_first_count_that_is(
    total: int, chance: float, models: int, significance: float
) -> None:
    counts = (
        count
        for count in range(total + 1)
        if lucky_draw(total, count - 1, models=models, chance=chance) < significance
    )
    found = beyond_luck(total, significance=significance, models=models, chance=chance)
    assert found == next(counts, None)


def test_more_guessers_are_luckier() -> None:
    assert beyond_luck(273) == 151
    assert beyond_luck(273, models=10) == 159
    assert beyond_luck(133, chance=0.25) == 43


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: noticeable_difference(0.5, 0), "0 clusters"),
    (lambda: noticeable_difference(-0.1, 9), "a deviation of -0.1"),
    (lambda: noticeable_difference(nan, 9), "a deviation of nan"),
    (lambda: schemas_needed(0.1, float("inf")), "a deviation of inf"),
    (lambda: schemas_needed(0, 0.5), "a difference of 0"),
    (lambda: schemas_needed(1.5, 0.5), "a difference of 1.5"),
    (lambda: schemas_needed(nan, 0.5), "a difference of nan"),
    (lambda: noticeable_difference(0.5, 9, significance=0), "a significance of 0"),
    (lambda: noticeable_difference(0.5, 9, power=1), "a power of 1"),
    (
        lambda: noticeable_difference(0.5, 9, power=0.4),
        "a power of 0.4; it must be at least",
    ),
    (lambda: schema_deviation(1.5), "a chance of 1.5"),
    (lambda: discordant_deviation(-1), "a chance of -1"),
    (lambda: problem_deviation(0.5, 0.5, nan), "a chance of nan"),
    (lambda: lucky_draw(5, 3, chance=2), "a chance of 2"),
    (lambda: lucky_draw(0, 3), "0 to solve"),
    (lambda: lucky_draw(5, 3, models=0), "0 models"),
    (lambda: beyond_luck(5, significance=1), "a significance of 1"),
]


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_makes_no_sense_is_an_error(call: Callable[[], object], message: str) -> None:
    with pytest.raises(MetricError, match=f"^{message}"):
        call()


@pytest.mark.parametrize("difference", [1e-300, -1e-300, 5e-324, np.float64(1e-300)])
def test_a_difference_too_small_for_any_number_of_schemas_is_said(difference: float) -> None:
    with pytest.raises(MetricError, match="needs more schemas than can be computed"):
        schemas_needed(difference, 0.5)


@pytest.mark.parametrize("more_than", [nan, 150.5, "150", None])
def test_luck_is_counted_in_whole_numbers(more_than: Any) -> None:
    with pytest.raises(MetricError, match="solved; give a whole number"):
        lucky_draw(273, more_than)
    with pytest.raises(MetricError, match="to solve; give a whole number"):
        beyond_luck(more_than)
