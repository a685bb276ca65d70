from dataclasses import replace
from math import inf, nan

import pytest

from horsesense.models import Family, PreferenceObservation
from horsesense.scoring import (
    DRIFT,
    Method,
    Score,
    Scores,
    Undefined,
    Verdict,
    find_method,
    methods_of,
    outcome_of,
    outcomes_of,
    score_problem,
)
from tests.scoring.observed import causal


def test_a_baseline_chooses_by_its_own_costs() -> None:
    choice = find_method("choice", Family.BASELINE)
    result = score_problem(choice, [PreferenceObservation(1.0), PreferenceObservation(0.0)])
    assert isinstance(result, Scores)
    assert outcome_of(result, right=1).verdict is Verdict.SOLVED


@pytest.mark.parametrize("cost", [nan, inf])
def test_a_cost_that_is_no_number_is_no_score(cost: float) -> None:
    partial = find_method("partial", Family.CAUSAL)
    observed = causal("It [is] so"), causal("It [is] so", costs=(1, 2, cost))
    assert score_problem(partial, observed) == Undefined(
        f"option 2: its cost is {cost}, which is not a finite number"
    )


def test_a_method_refuses_observations_of_another_family() -> None:
    with pytest.raises(TypeError, match="can only score a CausalObservation"):
        score_problem(find_method("full", Family.CAUSAL), [PreferenceObservation(1.0)])


def test_the_drift_is_divided_as_the_costs_are() -> None:
    apart = 0.5 * DRIFT
    assert outcome_of(Scores((Score(1, ()), Score(1 + apart, ()))), right=0).chosen is None
    means = Scores((Score(1, (), divisor=10), Score(1 + apart, (), divisor=2)))
    assert outcome_of(means, right=0).chosen == 0


def test_every_method_decides_by_its_own_scores() -> None:
    scores = Scores((Score(2.0, ()), Score(1.0, ())))
    decides = Method("decides", Family.CAUSAL, "decides", "something", lambda seen: scores)
    declines = Method(
        "declines", Family.CAUSAL, "declines", "nothing", lambda seen: Undefined("no")
    )
    found = outcomes_of([decides, declines], [], 1)
    assert found == {"decides": outcome_of(scores, 1), "declines": Undefined("no")}


def test_a_number_that_was_not_asked_for_is_missed() -> None:
    seen = replace(causal("So [owls] hunt mice"), log_probs=(None, -1.0, None, -1.0))
    with pytest.raises(ValueError, match="was not queried for"):
        outcomes_of(methods_of(Family.CAUSAL), (seen, seen), 0)
