from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.scoring import DRIFT, Verdict, decide
from tests.strategies import brisk


@pytest.mark.parametrize(
    ("costs", "right", "verdict"),
    [
        ((1.0, 2.0), 0, Verdict.SOLVED),
        ((1.0, 2.0), 1, Verdict.FAILED),
        ((1.0, 1.0), 0, Verdict.UNDECIDED),
        ((1.0, 2.0), None, Verdict.UNLABELLED),
        ((1.0, 1.0), None, Verdict.UNLABELLED),
        ((3.0, 3.0, 1.0), 2, Verdict.SOLVED),
        ((1.0, 3.0, 1.0), 0, Verdict.UNDECIDED),
    ],
)
def test_the_cheapest_option_is_preferred(
    costs: tuple[float, ...], right: int | None, verdict: Verdict
) -> None:
    assert decide(costs, right).verdict is verdict


def test_the_margin_is_the_distance_to_the_next() -> None:
    assert decide((5.0, 2.5, 3.0), right=None).margin == 0.5


@brisk
@given(st.lists(st.floats(0, 9), min_size=2, max_size=5), st.data())
def test_a_shown_margin_is_positive_if_and_only_if_the_problem_is_solved(
    costs: list[float], data: st.DataObject
) -> None:
    outcome = decide(costs, right=data.draw(st.integers(0, len(costs) - 1)))
    signs = {Verdict.SOLVED: 1, Verdict.FAILED: -1, Verdict.UNDECIDED: 0}
    shown = outcome.signed_margin
    assert shown is not None
    assert (shown > 0) - (shown < 0) == signs[outcome.verdict]


def test_without_a_label_the_shown_margin_is_the_distance_to_the_next() -> None:
    assert decide((5.0, 2.5, 3.0), right=None).signed_margin == 0.5


def test_costs_within_the_drift_are_equal() -> None:
    assert decide((1.0, 1.0 + 0.9 * DRIFT), right=0).chosen is None
    assert decide((1.0, 1.0 + 1.1 * DRIFT), right=0).chosen == 0
    assert decide((1.0, 1.0 + 0.9 * DRIFT), right=0, drift=DRIFT / 2).chosen == 0


@brisk
@given(st.lists(st.floats(0, 9), min_size=2, max_size=5))
def test_no_place_among_the_options_is_favoured(costs: list[float]) -> None:
    there, back = decide(costs, right=None), decide(costs[::-1], right=None)
    mirrored = None if back.chosen is None else len(costs) - 1 - back.chosen
    assert (there.chosen, there.margin) == (mirrored, back.margin)


@pytest.mark.parametrize("costs", [(nan, 2.0), (1.0, nan), (nan, nan), (1.0, 2.0, nan), (1.0,), ()])
def test_nothing_is_preferred_by_costs_that_cannot_be_compared(costs: tuple[float, ...]) -> None:
    with pytest.raises(MetricError, match="no option can be chosen"):
        decide(costs, right=0)


@pytest.mark.parametrize("cost", [inf, -inf])
def test_equal_infinite_costs_are_undecided(cost: float) -> None:
    assert decide((cost, cost), right=0).verdict is Verdict.UNDECIDED


def test_what_is_impossible_is_not_preferred() -> None:
    assert decide((inf, 2.0), right=1).verdict is Verdict.SOLVED


@pytest.mark.parametrize("right", [-1, 2])
def test_an_option_that_is_not_there_cannot_be_right(right: int) -> None:
    with pytest.raises(MetricError, match="cannot be right; there are 2"):
        decide((1.0, 2.0), right)
