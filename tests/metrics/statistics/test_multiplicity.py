from collections.abc import Callable
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from horsesense.errors import MetricError
from horsesense.metrics.statistics import Adjusted, Correction, adjust, benjamini_hochberg, holm
from tests.strategies import brisk

p_values = st.floats(0, 1)
with_gaps = st.lists(st.none() | p_values, max_size=12)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 12, 30, 200])
@pytest.mark.parametrize("power", [1, 5])  # with all of them large, and with many small ones
def test_adjusted_values_are_those_of_statsmodels(size: int, power: int) -> None:
    ps = (np.random.default_rng(size).random(size).round(2) ** power).tolist()  # with ties
    theirs = multipletests(ps, method="holm")[1]
    assert holm(ps).ps == pytest.approx(theirs.tolist(), rel=1e-12, abs=1e-300)
    theirs = multipletests(ps, method="fdr_bh")[1]
    assert benjamini_hochberg(ps).ps == pytest.approx(theirs.tolist(), rel=1e-12, abs=1e-300)


@brisk
@given(st.lists(p_values, max_size=12))
def test_adjusted_values_are_those_of_the_definition(ps: list[float]) -> None:
    rising, n = sorted(ps), len(ps)
    for p, by_holm, by_share in zip(ps, holm(ps).ps, benjamini_hochberg(ps).ps, strict=True):
        # The smallest rank that equal values may have for Holm, the largest for the other.
        first, last = rising.index(p), n - rising[::-1].index(p)
        largest = max(rising[rank] * (n - rank) for rank in range(first + 1))
        smallest = min(rising[rank - 1] * n / rank for rank in range(last, n + 1))
        assert by_holm == pytest.approx(min(1.0, largest), rel=1e-12, abs=1e-300)
        assert by_share == pytest.approx(min(1.0, smallest), rel=1e-12, abs=1e-300)


@brisk
@given(with_gaps, st.sampled_from([holm, benjamini_hochberg]))
def test_undefined_ones_are_not_in_the_family(
    ps: list[float | None], adjust: Callable[..., Adjusted]
) -> None:
    adjusted = adjust(ps)
    known = [p for p in ps if p is not None]
    without = adjust(known)
    assert [p is None for p in adjusted.ps] == [p is None for p in ps]
    assert tuple(p for p in adjusted.ps if p is not None) == without.ps
    assert adjusted.size == without.size == len(known)


@brisk
@given(st.permutations(range(8)), st.lists(p_values, min_size=8, max_size=8))
def test_order_does_not_matter(order: list[int], ps: list[float]) -> None:
    shuffled = [ps[at] for at in order]
    assert holm(shuffled).ps == tuple(holm(ps).ps[at] for at in order)
    lenient = benjamini_hochberg(ps).ps
    assert benjamini_hochberg(shuffled).ps == tuple(lenient[at] for at in order)


@brisk
@given(st.lists(p_values, max_size=12))
def test_holm_is_the_stricter(ps: list[float]) -> None:
    for p, strict, lenient in zip(ps, holm(ps).ps, benjamini_hochberg(ps).ps, strict=True):
        assert strict is not None
        assert lenient is not None
        assert p <= lenient * (1 + 1e-12)
        assert lenient <= strict * (1 + 1e-12)


def test_a_family_has_a_name_and_a_size() -> None:
    ps, name = (0.01, None, 0.04), "scoring methods of one model"
    assert holm(ps, family=name) == Adjusted((0.02, None, 0.04), 2, Correction.HOLM, name)
    lenient = benjamini_hochberg(ps, family=name)
    assert (lenient.family, lenient.correction) == (name, Correction.BENJAMINI_HOCHBERG)
    assert holm(ps).family == ""


@pytest.mark.parametrize("ps", [(), (None, None)])
def test_a_family_may_be_empty(ps: tuple[None, ...]) -> None:
    assert holm(ps) == Adjusted(ps, 0, Correction.HOLM)
    assert benjamini_hochberg(ps).size == 0


@pytest.mark.parametrize("p", [nan, -0.1, 1.1])
@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_what_is_no_probability_is_not_adjusted(adjust: Callable[..., Adjusted], p: float) -> None:
    with pytest.raises(MetricError, match="it must be from 0 to 1"):
        adjust([0.5, p])


@brisk
@given(with_gaps)
def test_either_correction_may_be_named(ps: list[float | None]) -> None:
    assert adjust(ps, "Holm", family="one") == holm(ps, family="one")
    named = adjust(ps, Correction.BENJAMINI_HOCHBERG.value)
    assert named == adjust(ps, Correction.BENJAMINI_HOCHBERG) == benjamini_hochberg(ps)
    with pytest.raises(MetricError, match="'none' is not a correction of p-values; give 'Holm' or"):
        adjust(ps, "none")
