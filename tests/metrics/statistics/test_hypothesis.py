from collections.abc import Callable
from fractions import Fraction
from math import comb, nan

import pytest
from scipy.stats import binomtest, chisquare

from horsesense.errors import MetricError
from horsesense.metrics.statistics import chi_square, exact_binomial
from horsesense.scoring import Share


@pytest.mark.parametrize("total", [1, 2, 25, 133, 1267])
@pytest.mark.parametrize("expected", [0.25, 0.5, 0.797, 0.99])
def test_chi_square_is_that_of_scipy(total: int, expected: float) -> None:
    for count in range(0, total + 1, 1 if total < 200 else 83):
        theirs = chisquare([count, total - count], [expected * total, (1 - expected) * total])
        ours = chi_square(Share(count, total), expected)
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12, abs=1e-12)
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("total", [1, 2, 25, 133, 1267])
@pytest.mark.parametrize("expected", [0.0, 0.25, 0.5, 0.797, 0.99, 1.0])
def test_the_exact_test_is_that_of_scipy(total: int, expected: float) -> None:
    for count in range(0, total + 1, 1 if total < 200 else 83):
        theirs = binomtest(count, total, expected)
        ours = exact_binomial(Share(count, total), expected)
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9, abs=1e-12)


def test_the_exact_test_adds_up_what_is_no_likelier() -> None:
    total, third = 20, Fraction(1, 3)
    chances = [comb(total, k) * third**k * (1 - third) ** (total - k) for k in range(total + 1)]
    for count, chance in enumerate(chances):
        exact = sum(other for other in chances if other <= chance)
        assert exact_binomial(Share(count, total), 1 / 3).p == pytest.approx(
            float(exact), abs=1e-12
        )


# From Table 3.9, where 133 schemas make every count: v, a₂, and what section 3.8.2 says of p.
@pytest.mark.parametrize(
    ("second_if_failed", "second", "below", "not_below"),
    [
        (Share(40, 41), Share(106, 133), 0.01, 0.001),
        (Share(39, 39), Share(115, 133), 0.025, 0.01),
        (Share(27, 27), Share(125, 133), 0.25, 0.1),
    ],
    ids=["GPT-2", "RoBERTa", "T5"],
)
def test_the_thesis_on_the_independence_of_problems(
    second_if_failed: Share, second: Share, below: float, not_below: float
) -> None:
    assert second.value is not None
    assert not_below < chi_square(second_if_failed, second.value).p < below


def test_about_384_is_the_critical_value_for_05() -> None:
    above, below = chi_square(Share(1098, 2000), 0.527), chi_square(Share(1097, 2000), 0.527)
    assert below.statistic < 3.84 < above.statistic
    assert above.p < 0.05 < below.p


def test_few_expected_are_remarked_upon() -> None:
    assert chi_square(Share(5, 10), 0.5).remark == ""
    assert chi_square(Share(5, 9), 0.5).remark == (
        "an expected count of 4.5, below 5; use the exact test instead"
    )
    assert "an expected count of 2.0" in chi_square(Share(18, 20), 0.9).remark
    assert exact_binomial(Share(5, 9), 0.5).remark == ""


def test_what_is_expected_is_no_surprise() -> None:
    assert chi_square(Share(5, 20), 0.25).p == 1.0
    assert exact_binomial(Share(5, 20), 0.25).p == 1.0


@pytest.mark.parametrize("expected", [0, 1, -0.1, nan])
def test_chi_square_needs_both_solved_and_failed_expected(expected: float) -> None:
    with pytest.raises(MetricError, match="an expected share of"):
        chi_square(Share(1, 2), expected)


@pytest.mark.parametrize("expected", [-0.1, 1.1, nan])
def test_an_expected_share_is_a_share(expected: float) -> None:
    with pytest.raises(MetricError, match="it must be from 0 to 1"):
        exact_binomial(Share(1, 2), expected)


@pytest.mark.parametrize("test", [chi_square, exact_binomial])
def test_neither_takes_halves_or_nothing(test: Callable[..., object]) -> None:
    with pytest.raises(MetricError, match="counts halves"):
        test(Share(0.5, 1), 0.5)
    with pytest.raises(MetricError, match="a share with a total of 0"):
        test(Share(0, 0), 0.5)
