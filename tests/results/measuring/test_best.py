"""The best method by the data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from horsesense.results import EstimateKind
from horsesense.results.measuring import BEST
from tests.results.measuring.made_up import answer_set, at, found, model, random_verdicts

MODELS = [model("ant", "full", "partial", "loss")]


def test_the_best_method_is_chosen_anew_in_each_resample_and_that_is_told() -> None:
    good, bad = {f"e{number}": "SS" for number in range(31)}, random_verdicts(31, seed=1)
    rows = found({at(): answer_set(bad), at(method="partial"): answer_set(good)}, models=MODELS)
    one = rows.value(at(method=BEST), "schema-accuracy")
    assert (one.value, one.count, one.total, one.n_schemas) == (1.0, 31, 31, 31)
    assert one.reason == "chosen by the data: partial (in 100 % of the resamples)"
    assert (one.p, one.family) == (None, "")
    assert rows.metrics(EstimateKind.VALUE, at(method=BEST)) == {
        "problem-accuracy",
        "schema-accuracy",
    }


def test_equally_good_methods_share_the_resamples() -> None:
    alike = answer_set(random_verdicts(31, seed=1))
    rows = found({at(): alike, at(method="partial"): alike}, models=MODELS)
    one = rows.value(at(method=BEST), "problem-accuracy")
    told = "chosen by the data: full (in 50 % of the resamples), partial (50 %)"
    assert one.reason == told
    assert one.value == rows.value(at(), "problem-accuracy").value


def test_a_method_that_is_hardly_ever_chosen_is_told_all_the_same() -> None:
    good = {f"e{number}": "SS" if number < 22 else "SF" for number in range(31)}
    bad = {f"e{number}": "SF" if number < 22 else "SS" for number in range(31)}
    answer_sets = {at(): answer_set(bad), at(method="partial"): answer_set(good)}
    one = found(answer_sets, models=MODELS, resamples=2000).value(
        at(method=BEST), "schema-accuracy"
    )
    told = "chosen by the data: partial (in 99 % of the resamples), full (< 1 %)"
    assert one.reason == told


def test_methods_are_compared_on_what_all_of_them_answer() -> None:
    answered = {f"e{number}": "SF" for number in range(31)}
    more = {"e99": "SS", **dict(reversed(answered.items()))}
    rows = found({at(): answer_set(answered), at(method="loss"): answer_set(more)}, models=MODELS)
    one = rows.value(at(method=BEST), "problem-accuracy")
    assert (one.value, one.n_problems, one.n_clusters) == (0.5, 62, 31)
    assert one.reason.endswith("; without 2 problems that not all of them answer")


def test_where_methods_have_nothing_in_common_there_is_no_best_one() -> None:
    rows = found(
        {at(): answer_set({"e0": "SS"}), at(method="loss"): answer_set({"e1": "SS"})}, models=MODELS
    )
    one = rows.value(at(method=BEST), "problem-accuracy")
    assert (one.value, one.n_problems) == (None, 0)
    assert one.reason == "there are no problems"


def test_where_methods_group_problems_into_other_schemas_there_is_no_best_one() -> None:
    whole = answer_set({"e0": "SSSS"})
    other = replace(whole, schemas=((0, 2), (1, 3)))
    rows = found({at(): whole, at(method="loss"): other}, models=MODELS)
    one = rows.value(at(method=BEST), "schema-accuracy")
    assert one.value is None
    assert one.reason == "the problems of made up and made up make different schemas"


def test_a_model_with_one_method_has_no_best_one() -> None:
    rows = found({at(): answer_set({"e0": "SS"})}, models=MODELS)
    assert not rows.metrics(EstimateKind.VALUE, at(method=BEST))


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_entries_makes_no_difference(order: int) -> None:
    verdicts = random_verdicts(31, seed=1), random_verdicts(31, seed=2)
    turned = dict(list(verdicts[1].items())[::order])
    rows = found(
        {at(): answer_set(verdicts[0]), at(method="partial"): answer_set(turned)}, models=MODELS
    )
    straight = found(
        {at(): answer_set(verdicts[0]), at(method="partial"): answer_set(verdicts[1])},
        models=MODELS,
    )
    assert rows.value(at(method=BEST), "problem-accuracy") == straight.value(
        at(method=BEST), "problem-accuracy"
    )
