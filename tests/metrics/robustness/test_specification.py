"""Setups, tie rules and metrics of a specification, and choices that are none."""

from __future__ import annotations

import pytest

from horsesense.errors import MetricError, NotationError, UnknownNameError
from horsesense.metrics import (
    Metric,
    Ties,
    consistency,
    half_solved_share,
    problem_accuracy,
    schema_accuracy,
    second_given_solved,
    undecided_share,
)
from horsesense.metrics.robustness import (
    Choices,
    Setup,
    best_methods,
    own_methods,
    robustness,
    same_method,
)
from tests.metrics.robustness.answer_sets import Schemas, answer_sets_by, choices_of

RESAMPLES = 60


def test_unknown_names_are_errors_that_offer_others() -> None:
    answer_sets = answer_sets_by({"ant": {"partial": [(True, True)] * 3}})
    with pytest.raises(UnknownNameError, match="did you mean partial"):
        same_method(answer_sets, "partail")
    for setup in (own_methods("own", {"ant": "partail"}), own_methods("own", {"ent": "partial"})):
        with pytest.raises(UnknownNameError, match="did you mean"):
            robustness(answer_sets, Choices(setups=[setup]))
    with pytest.raises(UnknownNameError, match="odd"):
        robustness(answer_sets, Choices(setups=[best_methods(answer_sets)], subsets=["od"]))
    with pytest.raises(NotationError, match="expected"):
        robustness(answer_sets, Choices(setups=[best_methods(answer_sets)], subsets=["odd and"]))


@pytest.mark.parametrize("missing", ["setups", "subsets", "ties", "metrics"])
def test_no_specification_is_an_error(missing: str) -> None:
    given_ = {"setups": [Setup("full", {})], missing: []}
    with pytest.raises(MetricError, match="no specification"):
        Choices(**given_)  # type: ignore[arg-type]


def test_a_choice_given_twice_is_an_error() -> None:
    with pytest.raises(MetricError, match="'all' is given twice"):
        Choices(setups=[Setup("full", {})], subsets=["all", "all"])


@pytest.mark.parametrize(
    ("metric", "why"),
    [(consistency, "two samples"), (half_solved_share, "neither better high nor low")],
)
def test_metrics_that_rank_nobody_are_errors(metric: Metric, why: str) -> None:
    with pytest.raises(MetricError, match=why):
        Choices(setups=[Setup("full", {})], metrics=[metric])


def test_nothing_to_rank_or_to_draw_is_an_error() -> None:
    answer_sets = answer_sets_by({"ant": {"full": [(True, True)] * 3}})
    choices = choices_of(answer_sets)
    with pytest.raises(MetricError, match="no model"):
        robustness({}, choices)
    with pytest.raises(MetricError, match="0 resamples"):
        robustness(answer_sets, choices, resamples=0)
    for level in (0.0, 1.0, float("nan")):
        with pytest.raises(MetricError, match="confidence level"):
            robustness(answer_sets, choices, level=level)


def test_a_setup_that_takes_no_answer_set_leaves_everybody_out() -> None:
    answer_sets = answer_sets_by({"ant": {"full": [(True, True)] * 3}})
    found = robustness(answer_sets, Choices(setups=[Setup("none", {})]), resamples=9)
    assert [one.reason for one in found.left_out] == [
        "there are no answers of ant in setup 'none'"
    ] * 2


def test_of_several_methods_the_best_is_chosen_anew_in_each_resample() -> None:
    # Each method solves what the other fails: the best is better than either on average.
    table = {
        "ant": {
            "full": [(True, True), (False, False)] * 4,
            "partial": [(False, False), (True, True)] * 4,
        }
    }
    answer_sets = answer_sets_by(table)
    choices = Choices(setups=[same_method(answer_sets, "full"), best_methods(answer_sets)])
    full, _, best, _ = robustness(answer_sets, choices, resamples=RESAMPLES).results
    assert full.estimates[0].value == best.estimates[0].value == 0.5
    assert full.estimates[0].interval is not None and best.estimates[0].interval is not None
    assert full.estimates[0].interval.low < 0.5 <= best.estimates[0].interval.low


def test_the_best_of_a_lower_is_better_metric_is_the_lowest() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(None, True)] * 3, "partial": [(True, True)] * 3}}
    )
    choices = Choices(setups=[best_methods(answer_sets)], metrics=[undecided_share])
    assert robustness(answer_sets, choices, resamples=9).results[0].estimates[0].value == 0.0


def test_a_method_with_nothing_to_count_does_not_spoil_the_best_one() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(False, True)] * 3, "partial": [(True, True)] * 3}}
    )
    choices = Choices(setups=[best_methods(answer_sets)], metrics=[second_given_solved])
    (result,) = robustness(answer_sets, choices, resamples=9).results
    assert result.estimates[0].interval is not None
    assert result.estimates[0].interval.remark == "on 3 of 3 clusters"


def test_a_model_without_the_method_is_left_out_and_nobody_is_ranked() -> None:
    good, bad = [(True, True)] * 3, [(True, False)] * 3
    answer_sets = answer_sets_by(
        {"ant": {"full": good}, "bee": {"full": bad}, "cow": {"answer": good}}
    )
    found = robustness(answer_sets, choices_of(answer_sets, metrics=[schema_accuracy]), resamples=9)
    full, answer = found.results
    reason = "there are no answers of cow in setup 'full'"
    assert (full.ranking, full.tau, full.reason) == (None, None, reason)
    assert full.differences[0].value == 1.0
    assert (full.differences[1].value, full.differences[1].reason) == (None, reason)
    assert [one.value for one in answer.estimates] == [None, None, 1.0]
    assert [one.model for one in found.left_out] == ["cow", "ant", "bee"]
    assert (found.top, found.stays_top.total) == ((), 0)
    assert found.pair_curves[1].spread is None
    assert found.pair_curves[1].reversed_in is None


def test_without_a_ranking_in_the_reference_there_is_no_tau() -> None:
    good, bad = [(True, True)] * 3, [(True, False)] * 3
    answer_sets = answer_sets_by({"ant": {"answer": good, "full": good}, "bee": {"full": bad}})
    found = robustness(answer_sets, choices_of(answer_sets, metrics=[schema_accuracy]), resamples=9)
    assert found.results[1].ranking == (("ant",), ("bee",))
    assert (found.results[1].tau, found.results[1].reason) == (None, "the reference has no ranking")


def test_the_rule_for_undecided_problems_can_turn_a_ranking() -> None:
    table: dict[str, dict[str, Schemas]] = {
        "ant": {"full": [(None, None), (None, None), (True, False)]},
        "bee": {"full": [(True, False), (True, False), (False, False)]},
    }
    answer_sets = answer_sets_by(table)
    choices = choices_of(answer_sets, ties=[Ties.FAILED, Ties.HALF], metrics=[problem_accuracy])
    found = robustness(answer_sets, choices, resamples=RESAMPLES)
    assert [result.ranking for result in found.results] == [
        (("bee",), ("ant",)),
        (("ant",), ("bee",)),
    ]
    assert found.results[1].tau == -1.0


def test_metrics_that_are_better_when_lower_rank_the_lowest_first() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(None, True)] * 3}, "bee": {"full": [(False, True)] * 3}}
    )
    setups = [same_method(answer_sets, "full"), best_methods(answer_sets)]
    choices = Choices(setups=setups, metrics=[undecided_share])
    for result in robustness(answer_sets, choices, resamples=RESAMPLES).results:
        assert result.ranking == (("bee",), ("ant",))
        assert (result.differences[0].value, result.differences[0].holds) == (-0.5, 1.0)
