"""Rankings under many specifications: against a slow reference, by laws, and in small cases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations
from statistics import median

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horsesense.metrics import Ties, problem_accuracy, sample_of
from horsesense.metrics.robustness import (
    Choices,
    Robustness,
    best_methods,
    own_methods,
    robustness,
    same_method,
)
from horsesense.metrics.statistics import (
    Interval,
    bootstrap,
    bootstrap_best,
    bootstrap_difference,
    weights,
)
from tests.metrics.robustness.answer_sets import Schemas, answer_sets_by, choices_of

MODELS = ("ant", "bee", "cow")
RESAMPLES = 60

verdicts = st.sampled_from([True, True, False, None])
schemas = st.lists(st.tuples(verdicts, verdicts), min_size=3, max_size=3)
# Three models, each by two methods, on three schemas.
tables = st.fixed_dictionaries(
    {model: st.fixed_dictionaries({"full": schemas, "partial": schemas}) for model in MODELS}
)


@settings(max_examples=25, deadline=None)
@given(tables)
def test_everything_is_what_a_slow_loop_finds(table: dict[str, dict[str, Schemas]]) -> None:
    answer_sets = answer_sets_by({model: table[model] for model in MODELS})
    found = robustness(
        answer_sets, choices_of(answer_sets, ties=list(Ties)), resamples=RESAMPLES, seed=3
    )
    rows = [row for chunk in weights(3, RESAMPLES, np.random.default_rng(3)) for row in chunk]
    for result in found.results:
        chosen = result.specification
        drawn = [
            [_slowly(table[model][chosen.setup], chosen.ties, chosen.metric, row) for row in rows]
            for model in MODELS
        ]
        once = [
            _slowly(table[model][chosen.setup], chosen.ties, chosen.metric, [1, 1, 1])
            for model in MODELS
        ]
        assert [one.value for one in result.estimates] == once
        for one, (a, b) in zip(result.differences, combinations(range(3), 2), strict=True):
            differences = [x - y for x, y in zip(drawn[a], drawn[b], strict=True)]
            assert one.value == once[a] - once[b]
            assert one.ahead == sum(each > 0 for each in differences) / RESAMPLES
            assert one.behind == sum(each < 0 for each in differences) / RESAMPLES
            assert one.interval is not None
            assert one.interval.low == np.quantile(differences, (1 - 0.95) / 2)
            assert one.interval.high == np.quantile(differences, (1 + 0.95) / 2)


@settings(max_examples=25, deadline=None)
@given(tables)
def test_curves_sum_up_the_differences_of_all_specifications(
    table: dict[str, dict[str, Schemas]],
) -> None:
    answer_sets = answer_sets_by(table)
    found = robustness(answer_sets, choices_of(answer_sets), resamples=RESAMPLES)
    for curve in found.pair_curves:
        values = _differences(found, curve.first, curve.second)
        assert [point.value for point in curve.points] == sorted(values)
        assert curve.spread is not None
        assert (curve.spread.lowest, curve.spread.highest) == (min(values), max(values))
        assert curve.spread.median == median(values)
        assert curve.positive.count == sum(value > 0 for value in values)
        assert curve.negative.count == sum(value < 0 for value in values)
        is_clear = [_sides(point.interval) in ({1.0}, {-1.0}) for point in curve.points]
        assert curve.clear.count == sum(is_clear)
    for one in found.model_curves:
        estimates = [point.value or 0.0 for point in one.points]
        assert estimates == sorted(estimates)


@settings(max_examples=25, deadline=None)
@given(tables, st.permutations(MODELS))
def test_the_order_of_models_changes_nothing_but_signs(
    table: dict[str, dict[str, Schemas]], order: list[str]
) -> None:
    answer_sets = answer_sets_by(table)
    turned = {model: dict(reversed(answer_sets[model].items())) for model in order}
    one, other = (
        robustness(each, choices_of(answer_sets), resamples=RESAMPLES)
        for each in (answer_sets, turned)
    )
    for before, after in zip(one.results, other.results, strict=True):
        assert {each.model: each for each in before.estimates} == {
            each.model: each for each in after.estimates
        }
        assert before.tau == pytest.approx(after.tau)
        assert [set(group) for group in before.ranking or ()] == [
            set(group) for group in after.ranking or ()
        ]
        turned_round = {(each.first, each.second): each for each in after.differences}
        for each in before.differences:
            same = turned_round.get((each.first, each.second))
            if same is not None:
                assert each == same
                continue
            flipped = turned_round[each.second, each.first]
            assert each.value == -(flipped.value or 0.0)
            assert (each.ahead, each.behind) == (flipped.behind, flipped.ahead)
            assert each.holds == flipped.holds
    assert set(one.top) == set(other.top)
    assert one.stays_top == other.stays_top


@settings(max_examples=15, deadline=None)
@given(schemas)
def test_equal_models_are_never_ahead_of_each_other(answers: Schemas) -> None:
    answer_sets = answer_sets_by({model: {"full": answers} for model in MODELS})
    found = robustness(answer_sets, choices_of(answer_sets), resamples=RESAMPLES)
    for result in found.results:
        assert result.ranking == (MODELS,)
        assert (result.tau, result.reason) == (
            None,
            "all models are equal, here or in the reference",
        )
        for one in result.differences:
            assert (one.value, one.ahead, one.behind, one.holds) == (0.0, 0.0, 0.0, None)
    assert all(curve.reversed_in is None for curve in found.pair_curves)
    assert found.stays_top.value == 1.0


@settings(max_examples=15, deadline=None)
@given(tables)
def test_intervals_are_those_of_the_bootstrap(table: dict[str, dict[str, Schemas]]) -> None:
    answer_sets = answer_sets_by(table)
    setups = [same_method(answer_sets, "full"), best_methods(answer_sets)]
    choices = Choices(setups=setups, metrics=[problem_accuracy])
    full, best = robustness(answer_sets, choices, resamples=RESAMPLES, seed=5).results
    samples = {
        model: {method: sample_of(answer_set) for method, answer_set in by.items()}
        for model, by in answer_sets.items()
    }
    for estimate in full.estimates:
        data = samples[estimate.model]["full"]
        (one,) = bootstrap([problem_accuracy], data, resamples=RESAMPLES, seed=5)
        assert (estimate.value, estimate.interval) == (one.estimate, one.interval)
    for difference in full.differences:
        pair = (samples[model]["full"] for model in (difference.first, difference.second))
        (one,) = bootstrap_difference([problem_accuracy], *pair, resamples=RESAMPLES, seed=5)
        assert (difference.value, difference.interval) == (one.estimate, one.interval)
    for estimate in best.estimates:
        chosen = bootstrap_best(
            problem_accuracy, samples[estimate.model], resamples=RESAMPLES, seed=5
        ).value
        assert (estimate.value, estimate.interval) == (chosen.estimate, chosen.interval)


def test_a_ranking_that_turns_round_is_found_out() -> None:
    good, bad = [(True, True)] * 4, [(True, False)] * 4
    answer_sets = answer_sets_by(
        {"ant": {"full": good, "partial": bad}, "bee": {"full": bad, "partial": good}}
    )
    found = robustness(answer_sets, choices_of(answer_sets), resamples=RESAMPLES)
    assert [result.tau for result in found.results] == [1.0, 1.0, -1.0, -1.0]
    (curve,) = found.pair_curves
    assert [one.setup for one in curve.reversed_in or ()] == ["partial", "partial"]
    assert (curve.positive.value, curve.negative.value, curve.clear.value) == (0.5, 0.5, 1.0)
    assert found.top == ("ant",)
    assert (found.stays_top.count, found.stays_top.total) == (1, 3)


def test_the_thesis_models_keep_their_order_in_its_standard_setup() -> None:
    # Both, first, second and no problem solved, of Table 3.9; the differences are Table 4.15's.
    counts = {"GPT-2": (66, 26, 40, 1), "RoBERTa": (76, 18, 39, 0), "T5": (98, 8, 27, 0)}
    methods = {"GPT-2": "smart@1", "RoBERTa": "mean statement", "T5": "mean prefix"}
    patterns = [(True, True), (True, False), (False, True), (False, False)]
    answer_sets = answer_sets_by(
        {
            model: {
                methods[model]: [one for one, n in zip(patterns, of, strict=True) for _ in range(n)]
            }
            for model, of in counts.items()
        }
    )
    choices = Choices(setups=[own_methods("standard", methods), best_methods(answer_sets)])
    found = robustness(answer_sets, choices, resamples=RESAMPLES)
    assert {result.ranking for result in found.results} == {(("T5",), ("RoBERTa",), ("GPT-2",))}
    shown = [f"{-(one.value or 0):+.3f}" for one in found.results[0].differences]
    assert shown == ["+0.041", "+0.124", "+0.083"]
    assert found.stays_top.value == 1.0


def test_one_model_has_a_curve_and_no_ranking() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, False)] * 3, "partial": [(True, True)] * 3}}
    )
    found = robustness(
        answer_sets, choices_of(answer_sets, metrics=[problem_accuracy]), resamples=9
    )
    assert [one.reason for one in found.results] == ["a ranking needs at least two models"] * 2
    assert [point.value for point in found.model_curves[0].points] == [0.5, 1.0]
    assert (found.pair_curves, found.top, found.stays_top.value) == ((), (), None)


def test_a_value_without_width_between_the_ends_of_the_scale_says_so() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, False)] * 3}, "bee": {"full": [(None, None)] * 3}}
    )
    (result,) = robustness(
        answer_sets, choices_of(answer_sets, metrics=[problem_accuracy]), resamples=9
    ).results
    half, none = (one.interval for one in result.estimates)
    assert half is not None and none is not None
    assert (half.low, half.high, half.remark) == (0.5, 0.5, "no width: all resamples agree")
    assert (none.method, none.low) == ("Clopper–Pearson", 0.0)
    assert none.high > 0.5
    assert result.is_few


@pytest.mark.parametrize("second", [True, False])
def test_one_cluster_has_values_and_no_intervals(second: bool) -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, second)]}, "bee": {"full": [(False, False)]}}
    )
    (result,) = robustness(
        answer_sets, choices_of(answer_sets, metrics=[problem_accuracy]), resamples=9
    ).results
    (one, _), (difference,) = result.estimates, result.differences
    assert one.value == difference.value == (1 + second) / 2
    assert (difference.ahead, difference.behind, difference.holds) == (None, None, None)
    for found in (one, difference):
        assert (found.interval, found.undefined, found.reason) == (None, 0, "")
        assert found.no_interval.startswith("1 cluster, so all resamples agree")


def test_two_clusters_have_intervals() -> None:
    answer_sets = answer_sets_by({"ant": {"full": [(True, False), (True, True)]}})
    (result,) = robustness(
        answer_sets, choices_of(answer_sets, metrics=[problem_accuracy]), resamples=RESAMPLES
    ).results
    assert result.estimates[0].interval is not None
    assert result.estimates[0].interval.low == 0.5


def test_models_that_draw_level_are_not_reversed() -> None:
    good, bad = [(True, True)] * 3, [(True, False)] * 3
    answer_sets = answer_sets_by(
        {"ant": {"full": good, "partial": bad}, "bee": {"full": bad, "partial": bad}}
    )
    found = robustness(answer_sets, choices_of(answer_sets), resamples=9)
    assert found.pair_curves[0].reversed_in == ()
    assert (found.stays_top.count, found.stays_top.total) == (1, 3)


def test_the_same_seed_gives_the_same_digits_and_another_gives_others() -> None:
    answers = [(True, False), (True, True), (False, False), (True, True)] * 3
    answer_sets = answer_sets_by(
        {"ant": {"full": answers}, "bee": {"full": answers[::-1][1:] + answers[:1]}}
    )
    choices = choices_of(answer_sets)
    one, same, other = (
        robustness(answer_sets, choices, resamples=99, seed=seed) for seed in (1, 1, 2)
    )
    assert one == same
    assert one.results[0].estimates != other.results[0].estimates


def test_everything_can_be_written_as_json() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, True)] * 3}, "bee": {"full": [(None, False)] * 3}}
    )
    found = robustness(answer_sets, choices_of(answer_sets), resamples=9)
    read = json.loads(json.dumps(asdict(found), allow_nan=False))
    assert read["results"][0]["ranking"] == [["ant"], ["bee"]]
    assert read["pair_curves"][0]["points"][0]["specification"] == {
        "setup": "full",
        "subset": "all",
        "ties": "failed",
        "metric": "problem-accuracy",
    }


def _slowly(rows: Schemas, ties: Ties, metric: str, counts: Sequence[float]) -> float:
    """The accuracy of schemas that are there so many times each."""
    worth = {True: 1.0, False: 0.0, None: 0.5 if ties is Ties.HALF else 0.0}
    solved = total = 0.0
    for row, count in zip(rows, counts, strict=True):
        first, second = (worth[one] for one in row)
        if metric == "problem-accuracy":
            solved += count * (first + second)
            total += count * 2
        else:
            solved += count * first * second
            total += count
    return solved / total


def _differences(found: Robustness, first: str, second: str) -> list[float]:
    at = {model: place for place, model in enumerate(found.models)}
    values = [[one.value or 0.0 for one in result.estimates] for result in found.results]
    return [row[at[first]] - row[at[second]] for row in values]


def _sides(interval: Interval | None) -> set[float]:
    """On which sides of zero an interval has an end."""
    return {float(np.sign(end)) for end in (interval.low, interval.high)} if interval else set()
