"""Models are compared on the problems that all of them answered, and on no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from horsesense.errors import MetricError
from horsesense.metrics import match, problem_accuracy, sample_of, schema_accuracy, subset
from horsesense.metrics.robustness import Choices, best_methods, robustness
from horsesense.metrics.statistics import bootstrap
from horsesense.scoring import Outcome
from tests.metrics.robustness.answer_sets import answer_sets_by, choices_of, tagged

RESAMPLES = 60


def test_a_subset_is_resampled_as_by_itself() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, False), (True, True), (False, False)] * 2}}
    )
    choices = Choices(
        setups=[best_methods(answer_sets)], subsets=["odd"], metrics=[problem_accuracy]
    )
    (result,) = robustness(answer_sets, choices, resamples=RESAMPLES).results
    data = subset(sample_of(answer_sets["ant"]["full"]), "odd")
    (one,) = bootstrap([problem_accuracy], data, resamples=RESAMPLES)
    assert (result.problems, result.schemas, result.clusters) == (6, 3, 3)
    assert result.estimates[0].interval == one.interval


def test_entries_of_one_cluster_are_drawn_together() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, False), (True, True), (False, False)] * 2}}
    )
    full = answer_sets["ant"]["full"]
    joined = [
        replace(one, tags=one.tags | {"cluster:owls"} if at < 4 else one.tags)
        for at, one in enumerate(full.answers)
    ]
    answer_sets = {"ant": {"full": replace(full, answers=tuple(joined))}}
    choices = Choices(setups=[best_methods(answer_sets)], metrics=[problem_accuracy])
    (result,) = robustness(answer_sets, choices, resamples=RESAMPLES).results
    data = sample_of(answer_sets["ant"]["full"])
    (one,) = bootstrap([problem_accuracy], data, resamples=RESAMPLES)
    assert (result.schemas, result.clusters) == (6, 5)
    assert result.estimates[0].interval == one.interval


def test_an_empty_subset_is_undefined_for_everybody() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, True)] * 3}, "bee": {"full": [(True, False)] * 3}}
    )
    choices = Choices(setups=[best_methods(answer_sets)], subsets=["all", "odd and not odd"])
    found = robustness(answer_sets, choices, resamples=9)
    reason = "no problem of the subset is answered by all of the models"
    for result in found.results[2:]:
        assert (result.problems, result.schemas, result.ranking) == (0, 0, None)
        assert {(one.value, one.reason) for one in result.estimates} == {(None, reason)}
        assert {(one.value, one.reason) for one in result.differences} == {(None, reason)}
    assert {(one.specification.subset, one.reason) for one in found.left_out} == {
        ("odd and not odd", reason)
    }


def test_a_subset_without_a_whole_schema_has_no_schema_accuracy() -> None:
    answer_sets = answer_sets_by({"ant": {"full": [(True, True)] * 3}})
    choices = Choices(setups=[best_methods(answer_sets)], subsets=["first"])
    problems, whole = robustness(answer_sets, choices, resamples=9).results
    assert (problems.problems, problems.schemas, problems.estimates[0].value) == (3, 0, 1.0)
    assert (whole.estimates[0].value, whole.estimates[0].reason) == (None, "there are no schemas")


def test_only_problems_that_all_have_answered_count_and_the_others_are_told() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, True)] * 4}, "bee": {"full": [(True, False)] * 4}}
    )
    short = answer_sets["bee"]["full"].among([True] * 5 + [False] * 3)
    answer_sets = {"ant": answer_sets["ant"], "bee": {"full": short}}
    found = robustness(
        answer_sets, choices_of(answer_sets, metrics=[problem_accuracy]), resamples=9
    )
    (result,) = found.results
    assert (result.problems, result.schemas, result.dropped) == (5, 2, 3)
    assert [one.value for one in result.estimates] == [1.0, 3 / 5]
    assert [one.reason for one in found.left_out] == [
        "3 problems are not answered by all models, or not in the subset of all"
    ]
    pair = match(answer_sets["ant"]["full"], short)
    assert (len(pair.before.problems), len(pair.before.schemas)) == (5, 2)


def test_a_subset_that_differs_between_models_is_cut_down_to_what_they_share() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, True)] * 3}, "bee": {"full": [(True, True)] * 3}}
    )
    equal = {"ant": {"w0", "w1"}, "bee": {"w1", "w2"}}
    marked = {
        model: {"full": tagged(by["full"], "equal-length", equal[model])}
        for model, by in answer_sets.items()
    }
    choices = Choices(setups=[best_methods(marked)], subsets=["equal-length"])
    found = robustness(marked, choices, resamples=9)
    assert [(one.problems, one.dropped) for one in found.results] == [(2, 4)] * 2
    # With one cluster there is a value but nothing to draw.
    assert found.results[1].differences[0].value == 0.0
    assert found.results[1].differences[0].no_interval.startswith("1 cluster, ")
    assert found.pair_curves[0].clear.count == 0


def test_a_tag_that_one_answer_set_lacks_holds_of_nothing_there() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, True)] * 3}, "bee": {"full": [(True, True)] * 3}}
    )
    answer_sets = {
        "ant": {"full": tagged(answer_sets["ant"]["full"], "old", {"w0"})},
        "bee": answer_sets["bee"],
    }
    choices = Choices(setups=[best_methods(answer_sets)], subsets=["old", "not old"])
    found = robustness(answer_sets, choices, resamples=9)
    assert [(one.problems, one.dropped) for one in found.results[::2]] == [(0, 2), (4, 2)]


def test_problems_whose_right_option_is_unknown_do_not_count() -> None:
    answer_sets = answer_sets_by({"ant": {"full": [(True, False)] * 3}})
    answer_set = answer_sets["ant"]["full"]
    outcome = Outcome((1.0, 2.0), 0, None, 1.0)
    answers = replace(answer_set.answers[0], outcome=outcome), *answer_set.answers[1:]
    answer_sets = {"ant": {"full": replace(answer_set, answers=answers)}}
    (result,) = robustness(
        answer_sets, choices_of(answer_sets, metrics=[problem_accuracy]), resamples=9
    ).results
    assert (result.problems, result.schemas) == (5, 2)


def test_answer_sets_whose_problems_hang_together_otherwise_do_not_pair() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, True)] * 3}, "bee": {"full": [(True, True)] * 3}}
    )
    answer_set = answer_sets["bee"]["full"]
    odd = replace(answer_set, schemas=answer_set.schemas[:2])
    both = {"ant": answer_sets["ant"], "bee": {"full": odd}}
    with pytest.raises(MetricError, match="make different schemas"):
        robustness(both, choices_of(both), resamples=9)


def test_answer_sets_with_no_problem_in_common_give_no_number() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": [(True, True)] * 3}, "bee": {"full": [(True, True)] * 3}}
    )
    answer_set = answer_sets["bee"]["full"]
    away = tuple(replace(one, entry="x" + one.entry) for one in answer_set.answers)
    answer_sets = {"ant": answer_sets["ant"], "bee": {"full": replace(answer_set, answers=away)}}
    found = robustness(answer_sets, choices_of(answer_sets), resamples=9)
    assert {one.value for result in found.results for one in result.estimates} == {None}
    assert {result.dropped for result in found.results} == {12}


def test_whose_answer_set_comes_first_does_not_change_what_is_drawn() -> None:
    answers = [(True, True), (True, True), (True, False), (False, False)]
    answer_set = answer_sets_by({"ant": {"full": answers}})["ant"]["full"]
    backwards = replace(answer_set, answers=answer_set.answers[::-1])
    for one, other in (
        ({"ant": {"full": answer_set}, "bee": {"full": backwards}}, ["bee", "ant"]),
        ({"ant": {"full": answer_set, "partial": backwards}}, ["ant"]),
    ):
        turned = {model: dict(reversed(one[model].items())) for model in other}
        same, other_way = (
            robustness(each, Choices(setups=[best_methods(each)]), resamples=RESAMPLES).results[0]
            for each in (one, turned)
        )
        assert same.estimates[0] == other_way.estimates[-1]


def test_resamples_without_a_schema_are_counted() -> None:
    answer_sets = answer_sets_by({"ant": {"full": [(True, False), (True, True), (False, True)]}})
    answer_set = answer_sets["ant"]["full"]
    answer_sets = {"ant": {"full": replace(answer_set, schemas=answer_set.schemas[:1])}}
    choices = choices_of(answer_sets, metrics=[schema_accuracy])
    (result,) = robustness(answer_sets, choices, resamples=RESAMPLES).results
    assert 0 < result.estimates[0].undefined < RESAMPLES
