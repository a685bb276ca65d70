"""Values at every address."""

from __future__ import annotations

from dataclasses import replace

import pytest

from horsesense.metrics import Ties
from horsesense.results import EstimateKind
from horsesense.scoring.outcome import Answer, AnswerSet, Outcome, decide
from tests.results.measuring.made_up import (
    answer_set,
    at,
    control,
    dataset,
    found,
    model,
    original,
    outcome,
    random_verdicts,
)
from tests.results.measuring.slowly import of_one, sets_of

METRICS = (
    "problem-accuracy",
    "schema-accuracy",
    "half-solved-share",
    "anti-solved-share",
    "first-option-share",
)


@pytest.mark.parametrize("metric", METRICS)
def test_every_value_is_what_counting_slowly_gives(metric: str) -> None:
    verdicts = random_verdicts(40, seed=1)
    is_old = {f"e{number}": {"old"} for number in range(0, 40, 3)}
    data = {at(): answer_set(verdicts, tags=is_old)}
    rows = found(data, subsets=["old"])
    for subset, kept in (
        ("all", lambda entry: True),
        ("old", lambda entry: entry in is_old),
        ("not old", lambda entry: entry not in is_old),
    ):
        one = rows.value(at(subset=subset), metric)
        expected = sets_of(verdicts, kept)
        assert one.value == pytest.approx(of_one(metric, expected))
        assert (one.n_problems, one.n_schemas) == (len(expected.problems), len(expected.schemas))
        assert one.n_clusters == len(expected.schemas)
        assert one.count is not None and one.total is not None
        assert one.value == one.count / one.total
        assert one.low is not None and one.high is not None
        assert one.low <= one.value <= one.high


def test_the_subsets_are_those_that_the_answer_set_knows() -> None:
    verdicts = random_verdicts(4, seed=1)
    rows = found({at(): answer_set(verdicts, marks=["equal-length"])})
    subsets = {one.key.subset for one in rows.measured.estimates}
    assert subsets == {"all", "equal-length", "not equal-length"}


def test_what_is_marked_somewhere_in_the_dataset_is_known_to_all_its_forms() -> None:
    verdicts = random_verdicts(4, seed=1)
    answer_sets = {
        at(): answer_set(verdicts, tags={"e0": ["associative"]}),
        at("blind"): answer_set(verdicts),
    }
    rows = found(
        answer_sets, datasets=[dataset(tags=["associative"])], forms=[original(), control("blind")]
    )
    one = rows.value(at("blind", subset="associative"), "schema-accuracy")
    assert (one.value, one.reason) == (None, "there are no schemas")
    assert one.p is None
    assert rows.value(at("blind", subset="not associative"), "schema-accuracy").n_schemas == 4


def test_accuracies_are_tested_against_chance_and_nothing_else_is() -> None:
    rows = found({at(): answer_set({f"e{number}": "SS" for number in range(3)})})
    problems = rows.value(at(), "problem-accuracy")
    assert problems.p == pytest.approx(2 / 64)  # all six solved, or none
    assert problems.test == "exact, against chance"
    assert problems.thesis_p == pytest.approx(2 / 64, abs=0.006)
    schemas = rows.value(at(), "schema-accuracy")
    assert schemas.p == pytest.approx(1 / 64)  # none is not as far from a quarter as all
    assert schemas.thesis_p == pytest.approx(1 / 64, abs=0.006)
    for metric in METRICS[2:]:
        assert rows.value(at(), metric).p is None


def test_the_thesis_p_is_told_of_the_standard_method_only() -> None:
    verdicts = random_verdicts(9, seed=3)
    answer_sets = {at(): answer_set(verdicts), at(method="partial"): answer_set(verdicts)}
    rows = found(answer_sets, models=[model("ant", "full", "partial")])
    assert rows.value(at(), "problem-accuracy").thesis_p is not None
    other = rows.value(at(method="partial"), "problem-accuracy")
    assert other.p == rows.value(at(), "problem-accuracy").p
    assert other.thesis_p is None


def test_chance_itself_has_a_p_of_one_and_no_thesis_p() -> None:
    one = found({at(): answer_set({"e0": "SF", "e1": "FS"})}).value(at(), "problem-accuracy")
    assert (one.p, one.thesis_p, one.p_adjusted) == (1.0, None, 1.0)


def test_with_more_options_there_is_no_test_against_chance() -> None:
    answers = [Answer(f"e{number}", 1, decide((1.0, 2.0, 3.0), right=0)) for number in range(40)]
    one = found({at(): AnswerSet("three", tuple(answers), ())}).value(at(), "problem-accuracy")
    assert (one.value, one.p, one.family) == (1.0, None, "")
    assert one.reason == "no test: problems with 3 options, so chance is not 1/2"


COIN = {f"e{at}": "SU" if at % 2 else "UF" for at in range(40)}
IN_BOTH_ORDERS = (
    "no test: asked in both orders, guessing leaves problems undecided, so chance is not 1/2"
)


def test_a_chat_model_with_undecided_problems_is_not_tested_against_chance() -> None:
    chat, other = model("ant", family="chat"), model("ant")
    tags = {entry: ["associative"] for entry in list(COIN)[::2]}
    decided = {**COIN, **dict.fromkeys(list(COIN)[::2], "SF")}
    answer_sets = {at(): answer_set(decided, tags=tags)}
    rows = found(answer_sets, models=[chat], datasets=[dataset(tags=["associative"])])
    for metric in METRICS[:2]:
        one = rows.value(at(), metric)
        assert (one.p, one.thesis_p, one.family) == (None, None, "")
        assert one.reason == IN_BOTH_ORDERS and one.low is not None
        # In this subset, all are decided.
        assert rows.value(at(subset="associative"), metric).p is not None
        assert found(answer_sets, models=[other]).value(at(), metric).p is not None
        assert found(answer_sets, models=[chat], ties=Ties.HALF).value(at(), metric).p is not None


@pytest.mark.parametrize(
    ("families", "is_tested"),
    [
        (("chat", "baseline"), False),
        (("causal", "baseline"), True),
        (("chat", "causal"), True),
        (("baseline", "baseline"), True),
    ],
)
def test_a_chat_model_with_undecided_problems_is_not_tested_against_a_baseline(
    families: tuple[str, str], is_tested: bool
) -> None:
    ant, bee = (
        model(name, family=family) for name, family in zip(("ant", "bee"), families, strict=True)
    )
    key, against = at(model="bee"), at()
    answer_sets = {against: answer_set(COIN), key: answer_set(random_verdicts(40, seed=4))}
    one = found(answer_sets, models=[ant, bee]).difference(key, against, "problem-accuracy")
    assert one.value is not None and (one.p is not None) is is_tested
    assert (one.reason == IN_BOTH_ORDERS) is not is_tested


def test_where_only_is_told_whether_a_problem_was_solved_no_option_was_chosen() -> None:
    told = [Outcome((), 0, right, 0.0, has_choice=False) for right in (0, 1, 0)]
    answers = tuple(Answer(f"e{number}", 1, one) for number, one in enumerate(told))
    rows = found({at(): AnswerSet("log", answers, ())})
    assert rows.metrics(EstimateKind.VALUE, at()) == set(METRICS[:-1])
    assert rows.value(at(), "problem-accuracy").p == 1.0  # 2 of 3: nothing is nearer to half


def test_of_an_unlabelled_form_only_what_was_chosen_is_told() -> None:
    masked = answer_set({"e0": "?", "e1": "?"})
    undecided = Answer("e2", 1, replace(outcome("U", 0), right=None))
    answer_sets = {
        at(): answer_set({"e0": "SS"}),
        at("masked"): replace(masked, answers=(*masked.answers, undecided)),
    }
    rows = found(answer_sets, forms=[original(), control("masked", level="schema")])
    assert rows.metrics(EstimateKind.VALUE, at("masked")) == {"first-option-share"}
    one = rows.value(at("masked"), "first-option-share")
    assert (one.count, one.total, one.n_problems, one.n_undecided) == (2, 2, 3, 1)
    kinds = {one.kind for one in rows.measured.estimates if one.key.variant == "masked"}
    assert kinds == {EstimateKind.VALUE}


def test_undecided_problems_are_counted_and_count_as_the_rule_says() -> None:
    answer_sets = {at(): answer_set({"e0": "SU", "e1": "UF"})}
    failed, half = found(answer_sets), found(answer_sets, ties=Ties.HALF)
    assert failed.value(at(), "problem-accuracy").value == 1 / 4
    assert half.value(at(), "problem-accuracy").value == 2 / 4
    assert half.value(at(), "problem-accuracy").p == 1.0
    assert half.value(at(), "schema-accuracy").value == 1 / 4
    for rows in (failed, half):
        assert rows.value(at(), "problem-accuracy").n_undecided == 2


@pytest.mark.parametrize(("count", "is_few"), [(29, True), (30, False)])
def test_few_clusters_are_flagged(count: int, is_few: bool) -> None:
    one = found({at(): answer_set(random_verdicts(count, seed=2))}).value(at(), "problem-accuracy")
    assert one.value is not None
    assert one.reason == ("fewer than 30 clusters" if is_few else "")


def test_a_single_cluster_has_no_interval_and_says_why() -> None:
    one = found({at(): answer_set({"e0": "SF"})}).value(at(), "problem-accuracy")
    assert (one.value, one.low, one.high) == (0.5, None, None)
    assert one.reason.startswith("1 cluster, so all resamples agree")


def test_a_problem_without_a_twin_counts_among_problems_only() -> None:
    rows = found({at(): answer_set({"e0": "SS", "e1": "S", "e2": "F"})})
    problems, schemas = (rows.value(at(), name) for name in METRICS[:2])
    assert (problems.count, problems.total) == (3, 4)
    assert (schemas.count, schemas.total) == (1, 1)
    assert problems.p == pytest.approx(10 / 16)  # three or more of four, or at most one
    assert problems.thesis_p == pytest.approx(10 / 16, abs=0.03)
