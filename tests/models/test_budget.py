from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from horsesense.errors import BudgetError
from horsesense.models import Budget, Prices, server_settings


def test_a_request_beyond_the_limit_is_refused_and_not_counted() -> None:
    budget = Budget(max_requests=2)
    budget.reserve(10, 1)
    budget.reserve(10, 1)
    with pytest.raises(BudgetError, match="would exceed --max-requests 2; all answers so far"):
        budget.reserve(10, 1)
    assert (budget.requests, budget.prompt_tokens, budget.reply_tokens) == (2, 20, 2)


def test_tokens_are_reserved_at_most_and_settled_as_used() -> None:
    budget = Budget(max_tokens=100)
    budget.reserve(60, 30)
    budget.settle((60, 30), (60, 2))
    budget.reserve(20, 1)
    assert (budget.prompt_tokens, budget.reply_tokens) == (80, 3)
    budget.settle((20, 1), (20, 1))
    with pytest.raises(BudgetError, match="--max-tokens 100"):
        budget.reserve(17, 1)


def test_a_request_waits_until_those_in_flight_have_taken_less() -> None:
    budget = Budget(max_tokens=100)
    budget.part().reserve(60, 30)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(budget.part().reserve, 20, 1)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.1)
        budget.settle((60, 30), (60, 2))
        waiting.result(timeout=5)
    assert (budget.requests, budget.prompt_tokens, budget.reply_tokens) == (2, 80, 3)


def test_a_request_is_refused_when_those_in_flight_leave_no_room() -> None:
    budget = Budget(max_tokens=100)
    first, second = budget.part(), budget.part()
    first.reserve(60, 30)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(second.reserve, 20, 1)
        first.settle((60, 30), (60, 30))
        with pytest.raises(BudgetError, match="--max-tokens 100"):
            waiting.result(timeout=5)
    assert (budget.requests, second.requests, budget.in_flight) == (1, 0, 0)


def test_the_number_of_requests_is_not_waited_for() -> None:
    budget = Budget(max_requests=1, max_tokens=100)
    budget.reserve(60, 30)
    with pytest.raises(BudgetError, match="--max-requests 1"):
        budget.reserve(20, 1)


def test_a_cost_is_limited_by_the_prices() -> None:
    budget = Budget(max_cost=1.0, prices=Prices(1.0, 10.0))
    budget.reserve(500_000, 40_000)
    assert budget.cost == pytest.approx(0.9)
    budget.settle((500_000, 40_000), (500_000, 40_000))
    with pytest.raises(BudgetError, match="--max-cost 1;"):
        budget.reserve(0, 20_000)


def test_one_price_is_enough() -> None:
    assert Prices(output=2.0).cost(1_000_000, 500_000) == 1.0
    assert Prices(input=2.0).cost(1_000_000, 500_000) == 2.0


def test_models_share_the_limits_of_a_run_and_count_for_themselves() -> None:
    whole = Budget(max_requests=3)
    first, second = whole.part(), whole.part()
    first.reserve(5, 1)
    second.reserve(7, 1)
    second.settle((7, 1), (6, 0))
    second.reserve(7, 1)
    with pytest.raises(BudgetError):
        first.reserve(5, 1)
    assert (first.requests, second.requests, whole.requests) == (1, 2, 3)
    assert (first.prompt_tokens, second.prompt_tokens, whole.prompt_tokens) == (5, 13, 18)


def test_threads_never_exceed_the_limit_together() -> None:
    budget = Budget(max_requests=500)

    def reserve(_: int) -> bool:
        try:
            budget.part().reserve(1, 1)
        except BudgetError:
            return False
        return True

    with ThreadPoolExecutor(16) as threads:
        assert sum(threads.map(reserve, range(1000))) == 500
    assert budget.requests == 500


def test_a_limit_of_the_cost_needs_a_price() -> None:
    with pytest.raises(
        BudgetError, match="needs prices: give --price-input, --price-output or both"
    ):
        server_settings(max_cost=1.0)
    settings = server_settings(max_cost=1.0, price_output=2.0, concurrency=3)
    assert (settings.budget.max_cost, settings.concurrency, settings.retries) == (1.0, 3, 6)
