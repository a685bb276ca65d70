from decimal import Decimal
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from horsesense.errors import MetricError
from horsesense.metrics.statistics import p_cell, p_sentence
from tests.strategies import brisk


@pytest.mark.parametrize(
    ("p", "cell"),
    [
        (0.414, ".4"),
        (4141 / 10001, ".4"),
        (0.05, ".05"),
        (0.0849, ".08"),
        (0.009, ".009"),
        (0.095, ".1"),
        (0.0095, ".01"),
        (0.099, ".1"),
        (0.1, ".1"),
        (0.15, ".2"),
        (0.25, ".3"),
        (0.45, ".5"),
        (0.001, ".001"),
        (0.0014, ".001"),
        (0.0015, ".002"),
        (0.00099999, "< .001"),
        (0.00095, "< .001"),
        (0.0009, "< .001"),
        (0.0004, "< .001"),
        (1e-300, "< .001"),
        (0, "< .001"),
        (0.9, ".9"),
        (0.94, ".9"),
        (0.9499, ".9"),
        (0.95, "> .9"),
        (0.96, "> .9"),
        (1, "> .9"),
        (None, "–"),
    ],
)
def test_p_values_have_one_digit(p: float | None, cell: str) -> None:
    assert p_cell(p) == cell


def p_of_distance(count: int, total: int, expected: float) -> float:
    """The thesis' p for schemas: how likely is a share at least as far from the expected one?"""
    distance = abs(count / total - expected) - 1e-12
    far = [at for at in range(total + 1) if abs(at / total - expected) >= distance]
    return min(1.0, float(binom.pmf(far, total, expected).sum()))


# Counts, what is expected, and what the thesis prints; those that settle how it rounds.
@pytest.mark.parametrize(
    ("count", "total", "expected", "printed"),
    [
        (14, 25, 0.25, "< .001"),  # Table 4.25, RoBERTa, associative: an exact .00092
        (81, 133, 98 / 133, ".001"),  # Table 4.16, T5, inverted: .0011
        (76, 133, 66 / 133, ".1"),  # Table 4.15: .099
        (31, 70, 76 / 133, ".04"),  # Table 4.16, RoBERTa, switched: .0393
        (251, 500, 0.5, "> .9"),  # Reid250×2 by key, against chance: .964
        (252, 500, 0.5, ".9"),  # by boolean: .893
        (41, 133, 42 / 137, "> .9"),  # Table 4.5, full: 1, for no count comes nearer
        (83, 133, 84 / 133, ".9"),  # Table 4.23, basic: .93
    ],
)
def test_ends_are_written_as_the_thesis_does(
    count: int, total: int, expected: float, printed: str
) -> None:
    assert p_cell(p_of_distance(count, total, expected)) == printed


def test_sentences_have_a_sign() -> None:
    said = [p_sentence(p) for p in (0.414, 0.05, 0.0004, 0.97, None)]
    assert said == ["p = .4", "p = .05", "p < .001", "p > .9", "no p"]


@brisk
@given(st.floats(0, 1))
def test_what_is_written_is_true_to_one_digit(p: float) -> None:
    cell = p_cell(p)
    if cell[0] == "<":
        assert p < 0.001
    elif cell[0] == ">":
        assert p >= 0.95
    else:
        written = Decimal(cell)
        assert len(written.as_tuple().digits) == 1
        half_a_digit = Decimal("0.5").scaleb(Decimal(p).adjusted())
        assert abs(written - Decimal(p)) <= half_a_digit * (1 + Decimal("1e-12"))


@brisk
@given(st.floats(0.001, 0.949), st.floats(0.001, 0.949))
def test_larger_values_are_not_written_smaller(one: float, other: float) -> None:
    smaller, larger = sorted([one, other])
    assert Decimal(p_cell(smaller)) <= Decimal(p_cell(larger))


@pytest.mark.parametrize("p", [nan, inf, -0.001, 1.001])
def test_what_is_no_probability_is_an_error(p: float) -> None:
    for function in (p_cell, p_sentence):
        with pytest.raises(MetricError, match="it must be from 0 to 1"):
            function(p)
