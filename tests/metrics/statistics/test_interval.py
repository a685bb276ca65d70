from collections.abc import Callable
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from statsmodels.stats.proportion import proportion_confint

from horsesense.errors import MetricError
from horsesense.metrics.statistics import Interval, clopper_pearson, wald, wilson
from horsesense.metrics.statistics.interval import normal_quantile, whole
from horsesense.scoring import Share
from tests.strategies import brisk

METHODS = [wald, wilson, clopper_pearson]
Method = Callable[..., Interval]


@pytest.mark.parametrize(
    ("method", "theirs"), [(wald, "normal"), (wilson, "wilson"), (clopper_pearson, "beta")]
)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("total", [1, 2, 7, 25, 133])
def test_intervals_are_those_of_statsmodels(
    method: Method, theirs: str, level: float, total: int
) -> None:
    for count in range(total + 1):
        low, high = proportion_confint(count, total, alpha=1 - level, method=theirs)
        ours = method(Share(count, total), level)
        assert (ours.low, ours.high) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize(("method", "theirs"), [(wilson, "wilson"), (clopper_pearson, "exact")])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("total", [1, 2, 7, 25, 133])
def test_intervals_are_those_of_scipy(
    method: Method, theirs: str, level: float, total: int
) -> None:
    for count in range(total + 1):
        other = binomtest(count, total).proportion_ci(level, theirs)
        ours = method(Share(count, total), level)
        assert (ours.low, ours.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_wald_is_the_formula_of_the_thesis() -> None:
    interval = wald(Share(66, 133))
    half_width = norm.ppf(0.975) * (66 / 133 * 67 / 133 / 133) ** 0.5
    assert interval.low == pytest.approx(66 / 133 - half_width, abs=1e-15)
    assert interval.high == pytest.approx(66 / 133 + half_width, abs=1e-15)
    assert interval.remark == ""


@pytest.mark.parametrize(("count", "end"), [(1, "low"), (19, "high")])
def test_wald_says_where_it_was_cut_off(count: int, end: str) -> None:
    interval = wald(Share(count, 20))
    assert getattr(interval, end) == (0.0 if end == "low" else 1.0)
    assert interval.remark == "cut off: Wald's interval left 0 to 1"


@pytest.mark.parametrize("count", [0, 20])
def test_wald_says_that_it_has_no_width_at_the_ends(count: int) -> None:
    interval = wald(Share(count, 20))
    assert interval.low == interval.high == count / 20
    assert "has no width" in interval.remark


@pytest.mark.parametrize("method", [wilson, clopper_pearson])
def test_the_others_have_a_width_at_the_ends(method: Method) -> None:
    none, all_of_them = method(Share(0, 20)), method(Share(20, 20))
    assert none.low == 0.0 < none.high < 0.3
    assert 0.7 < all_of_them.low < all_of_them.high == 1.0


@pytest.mark.parametrize("method", METHODS)
@brisk
@given(data=st.data(), total=st.integers(1, 400), level=st.floats(0.01, 0.999))
def test_intervals_hold_their_share_and_mirror_that_of_the_rest(
    method: Method, data: st.DataObject, total: int, level: float
) -> None:
    count = data.draw(st.integers(0, total))
    interval, rest = method(Share(count, total), level), method(Share(total - count, total), level)
    assert 0 <= interval.low <= count / total + 1e-12
    assert count / total - 1e-12 <= interval.high <= 1
    assert (interval.low, interval.high) == pytest.approx((1 - rest.high, 1 - rest.low), abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_an_interval_knows_its_level_and_method(method: Method) -> None:
    interval = method(Share(1, 2), 0.9)
    assert interval.level == 0.9
    assert interval.method in {"Wald", "Wilson", "Clopper–Pearson"}


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_share_has_no_interval(method: Method) -> None:
    with pytest.raises(MetricError, match="a share with a total of 0"):
        method(Share(0, 0))


@pytest.mark.parametrize("method", METHODS)
def test_halves_are_no_binomial_count(method: Method) -> None:
    with pytest.raises(MetricError) as caught:
        method(Share(2.5, 4))
    assert str(caught.value) == (
        "2.5 out of 4 counts halves, which a binomial share cannot;"
        " count undecided problems as failed, or resample"
    )


def test_half_a_unit_in_the_total_is_an_error_too() -> None:
    with pytest.raises(MetricError, match=r"2 out of 4\.5 counts halves"):
        whole(Share(2, 4.5))


def test_whole_numbers_may_come_as_floats() -> None:
    assert whole(Share(2.0, 4.0)) == (2, 4)
    assert wilson(Share(2.0, 4.0)) == wilson(Share(2, 4))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("level", [0, 1, -0.5, 95, nan])
def test_a_level_lies_between_0_and_1(method: Method, level: float) -> None:
    with pytest.raises(MetricError, match="a confidence level of"):
        method(Share(1, 2), level)


def test_the_normal_quantile_is_that_of_scipy() -> None:
    for probability in (0.001, 0.5, 0.975):
        assert normal_quantile(probability) == pytest.approx(norm.ppf(probability), abs=1e-14)
