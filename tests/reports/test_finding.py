"""What a model does on a dataset: each rule at its boundaries, by numbers made by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from horsesense.reports import build_report, latex, markdown, text_summary
from horsesense.reports.finding import (
    AnswerMark,
    Behaviour,
    ModelFinding,
    ModelQuestion,
    find,
    finding_json,
    headline,
    table_of_questions,
    table_of_shares,
)
from horsesense.results import Estimate, EstimateKind, Results
from tests.reports import hand_made
from tests.reports.hand_made import accuracy, measurement
from tests.reports.judging import (
    AT,
    BEYOND,
    BY_KEY,
    CONTROL,
    DATASET,
    FALLS,
    PART,
    SWITCHED,
    TENSE,
    compared,
    forms,
    model,
    problems,
    profile_of,
)

BELOW = accuracy(AT, 0.1, 0.05, 0.2)
PLAN = profile_of().record.plan


def one_solved(value: float, low: float, high: float, **more: object) -> Estimate:
    return measurement(
        EstimateKind.VALUE, AT, "half-solved-share", value, low=low, high=high, **more
    )


def none_solved(value: float, low: float, high: float) -> Estimate:
    return measurement(EstimateKind.VALUE, AT, "anti-solved-share", value, low=low, high=high)


def found(*estimates: Estimate) -> ModelFinding:
    return find(profile_of(*estimates), model(), DATASET)


def asked(name: str, *estimates: Estimate) -> ModelQuestion:
    return next(each for each in found(*estimates).questions if each.name == name)


def test_the_same_answer_to_both_twins_is_the_finding_where_it_is_more_than_guessing() -> None:
    finding = found(BELOW, one_solved(0.76, 0.6, 0.9), none_solved(0.14, 0.1, 0.2))
    assert finding.behaviour is Behaviour.SAME_ANSWER
    assert finding.sentence == (
        "ant gives both twins the same answer in 76 % of the 133 schemas of kitchen (guessing:"
        " 50 %): the right answer flips between twins, but the model mostly keeps its"
        " answer; it solves fewer schemas than guessing would."
    )


def test_with_undecided_problems_one_of_two_is_not_called_the_same_answer() -> None:
    undecided = accuracy(AT, 0.1, 0.05, 0.2, n_undecided=3)
    finding = found(undecided, one_solved(0.76, 0.6, 0.9, n_undecided=3))
    assert finding.behaviour is Behaviour.ONE_OF_TWO
    assert "solves only one of two twins in 76 %" in finding.sentence
    table = table_of_shares([finding], PLAN)
    assert table is not None
    assert [column.heading for column in table.columns][-1] == "One Twin Right"


def test_both_twins_right_comes_before_the_same_answer() -> None:
    finding = found(BEYOND, one_solved(0.6, 0.51, 0.7))
    assert finding.behaviour is Behaviour.SOLVES
    assert finding.sentence.startswith(
        "ant solves both twins in 60 % of the 133 schemas of kitchen (guessing: 25 %): above chance"
    )


def test_both_twins_wrong_is_the_finding_where_it_is_more_than_guessing() -> None:
    finding = found(BELOW, one_solved(0.5, 0.4, 0.6), none_solved(0.4, 0.3, 0.5))
    assert finding.behaviour is Behaviour.WRONG_TWICE
    assert "gets both twins wrong in 40 % of the 133 schemas of kitchen" in finding.sentence


def test_without_any_difference_from_guessing_it_guesses() -> None:
    near = accuracy(AT, 0.22, 0.15, 0.3)
    finding = found(near, one_solved(0.52, 0.45, 0.6), none_solved(0.26, 0.2, 0.32))
    assert finding.behaviour is Behaviour.GUESSES
    assert "solves both twins in 22 % of the 133 schemas of kitchen (guessing: 25 %)" in (
        finding.sentence
    )


def test_few_schemas_are_counted_and_not_compared_with_guessing() -> None:
    finding = found(accuracy(AT, 0.25, 0.0, 0.6, n_schemas=8, n_clusters=8))
    assert finding.behaviour is Behaviour.TOO_FEW
    assert finding.sentence == "ant was tested on 8 schemas of kitchen: too few schemas to tell."


def test_problems_without_schemas_are_counted_as_single_problems() -> None:
    single = problems(0.5, 0.3, 0.7, n_problems=14, n_schemas=0)
    assert found_with(single, first=14).sentence == (
        "ant was tested on the first 14 single problems of kitchen: too few schemas to tell."
    )


def test_a_dataset_without_known_answers_is_named_as_such() -> None:
    assert found().sentence == (
        "ant was tested on kitchen (no problem with a known answer was scored): too few schemas to"
        " tell."
    )


def test_the_counts_say_that_single_problems_count_for_one_column() -> None:
    schemas = accuracy(AT, 0.25, 0.0, 0.6, n_schemas=7, n_problems=14)
    finding = found(schemas, problems(0.5, 0.3, 0.7, n_schemas=7, n_problems=27))
    table = table_of_shares([finding], PLAN)
    assert table is not None
    assert table.notes[-1] == (
        "kitchen: 27 problems, 7 schemas; problems without a scored twin count for “Problems Right”"
        " only"
    )


def test_many_undecided_problems_are_the_finding() -> None:
    finding = found(BELOW, problems(0.4, 0.35, 0.45, n_undecided=133))
    assert finding.behaviour is Behaviour.UNDECIDED
    assert finding.sentence.startswith("ant leaves undecided 50 % of the 266 problems of kitchen: ")


def test_datasets_of_the_same_finding_share_a_sentence() -> None:
    first = found(BELOW, one_solved(0.76, 0.6, 0.9))
    second = ModelFinding(
        "ant",
        "yard",
        "smart@1",
        first.behaviour,
        first.conclusion,
        (None, *found(BELOW, one_solved(0.7, 0.6, 0.8)).shares[1:]),
        (),
    )
    assert headline([first, second]) == (
        "ant gives both twins the same answer in 76 % of the 133 schemas of kitchen and 70 % of"
        " the 133 of yard (guessing: 50 %): the right answer flips between twins, but the model"
        " mostly keeps its answer; it solves fewer schemas than guessing would."
    )
    assert headline([]) == "Nothing was evaluated."


def found_with(*estimates: Estimate, **settings: Any) -> ModelFinding:
    results = profile_of(*estimates)
    record = replace(results.record, plan=replace(results.record.plan, **settings))
    return find(replace(results, record=record), model(), DATASET)


def test_the_headline_and_the_table_say_how_the_schemas_were_drawn() -> None:
    same = (BELOW, one_solved(0.76, 0.6, 0.9))
    sample, first = found_with(*same, sample=133), found_with(*same, first=133)
    assert "in 76 % of the 133 sampled schemas of kitchen" in sample.sentence
    assert "in 76 % of the first 133 schemas of kitchen" in first.sentence
    few = accuracy(AT, 0.25, 0.0, 0.6, n_schemas=8, n_clusters=8)
    assert "tested on 8 sampled schemas of" in found_with(few, sample=8).sentence
    assert "tested on the first 8 schemas of" in found_with(few, first=8).sentence
    plans = replace(PLAN, sample=133, seed=7), replace(PLAN, first=133), PLAN
    notes = [table.notes[-1] for plan in plans if (table := table_of_shares([sample], plan))]
    counts = "kitchen: 266 problems, 133 schemas"
    assert notes == [
        f"{counts} (a sample, drawn with seed 7)",
        f"{counts} (the first ones)",
        counts,
    ]


def test_shares_have_intervals_and_arrows_where_they_are_clearly_not_guessing() -> None:
    estimates = (
        problems(0.5, 0.4, 0.6),
        BELOW,
        one_solved(0.76, 0.6, 0.9),
    )
    table = table_of_shares([found(*estimates)], PLAN)
    assert table is not None
    (row,), (guessing,) = (group.rows for group in table.groups)
    assert row == ("ant", "kitchen", "50 % (40–60)", "10 % ↓ (5–20)", "76 % ↑ (60–90)")
    assert guessing == ("guessing", "", "50 %", "25 %", "50 %")


def test_a_share_without_value_or_interval_is_shown_as_far_as_it_is_known() -> None:
    table = table_of_shares([found(accuracy(AT, 0.5, None, None))], PLAN)
    assert table is not None
    assert table.groups[0].rows == (("ant", "kitchen", "–", "50 %", "–"),)
    assert table_of_shares([found()], PLAN) is None and table_of_questions([found()]) is None


@pytest.mark.parametrize(
    ("control", "mark"),
    [
        (FALLS, AnswerMark.YES),
        (compared(CONTROL, accuracy(CONTROL, 0.5, 0.4, 0.6), -0.2, 0.1), AnswerMark.NO),
        (compared(CONTROL, accuracy(CONTROL, 0.3, 0.2, 0.4), -0.2, 0.1), AnswerMark.UNCLEAR),
        (
            compared(CONTROL, accuracy(CONTROL, 0.3, 0.2, 0.4, n_clusters=29), -0.9, -0.5),
            AnswerMark.UNCLEAR,
        ),
    ],
)
def test_controls_must_be_clearly_lower(
    control: tuple[Estimate, Estimate], mark: AnswerMark
) -> None:
    assert asked("Fails on controls", BEYOND, *control).mark is mark


def test_the_first_control_on_enough_schemas_decides() -> None:
    few = compared(CONTROL, accuracy(CONTROL, 0.5, 0.4, 0.6, n_clusters=29), -0.2, 0.1)
    enough = compared(PART, accuracy(PART, 0.2, 0.1, 0.3), -0.5, -0.2, before=0.6, after=0.2)
    control = asked("Fails on controls", BEYOND, *few, *enough)
    assert (control.mark, control.numbers) == (
        AnswerMark.YES,
        "20 % with part-sent, 60 % as written",
    )
    assert asked("Fails on controls", BEYOND).numbers == "no control was run"


def test_where_a_model_only_guesses_controls_and_rewordings_do_not_apply() -> None:
    switched = compared(SWITCHED, accuracy(SWITCHED, 0.1, 0.05, 0.2), -0.1, 0.1)
    assert asked("Fails on controls", BELOW, *FALLS).mark is AnswerMark.NOT_APPLICABLE
    assert asked("Survives rewordings", BELOW, *switched).mark is AnswerMark.NOT_APPLICABLE


def test_rewordings_must_all_be_kept_and_one_that_is_lost_is_enough_for_a_no() -> None:
    kept = compared(SWITCHED, accuracy(SWITCHED, 0.6, 0.5, 0.7), -0.05, 0.05)
    lost = compared(TENSE, accuracy(TENSE, 0.4, 0.3, 0.5), -0.3, -0.1)
    unclear = compared(TENSE, accuracy(TENSE, 0.5, 0.4, 0.6), -0.2, 0.0)
    assert asked("Survives rewordings", BEYOND, *kept).mark is AnswerMark.YES
    assert asked("Survives rewordings", BEYOND, *kept, *unclear).mark is AnswerMark.UNCLEAR
    both = asked("Survives rewordings", BEYOND, *kept, *lost)
    assert both.mark is AnswerMark.NO
    assert both.numbers == "40–60 % under 2 rewordings, 60 % as written; clearly lower under 1"
    few = compared(TENSE, accuracy(TENSE, 0.4, 0.3, 0.5, n_clusters=29), -0.3, -0.1)
    assert asked("Survives rewordings", BEYOND, *few).mark is AnswerMark.UNCLEAR
    assert asked("Survives rewordings", BEYOND).numbers == "none was tested"


@pytest.mark.parametrize(
    ("low", "high", "mark"),
    [(0.3, 0.6, AnswerMark.YES), (0.2, 0.6, AnswerMark.UNCLEAR), (0.1, 0.25, AnswerMark.NO)],
)
def test_inversion_is_compared_with_guessing(low: float, high: float, mark: AnswerMark) -> None:
    inverted = accuracy(BY_KEY, 0.25, low, high)
    question = asked("Solves it inverted", BEYOND, inverted)
    assert (question.mark, question.numbers) == (
        mark,
        "25 % choosing the key phrase, 60 % choosing the answer",
    )


def test_an_inversion_of_few_schemas_or_none_is_unclear() -> None:
    few = asked("Solves it inverted", BEYOND, accuracy(BY_KEY, 0.5, 0.4, 0.6, n_clusters=29))
    assert (few.mark, "too few" in few.numbers) == (AnswerMark.UNCLEAR, True)
    assert asked("Solves it inverted", BEYOND).numbers == "not tested"


def test_scoring_methods_agree_if_all_are_on_one_side_of_guessing() -> None:
    partial, full = AT.replace(method="partial"), AT.replace(method="full")
    above, near = accuracy(partial, 0.4, 0.3, 0.5), accuracy(full, 0.3, 0.2, 0.4)
    assert asked("Scoring methods agree", BEYOND, above).mark is AnswerMark.YES
    mixed = asked("Scoring methods agree", BEYOND, above, near)
    assert mixed.mark is AnswerMark.NO
    assert mixed.numbers == "30–60 % by 3 methods, 2 of them above guessing"
    assert asked("Scoring methods agree", BEYOND).mark is AnswerMark.NOT_APPLICABLE
    few = accuracy(partial, 0.4, 0.3, 0.5, n_clusters=29)
    assert asked("Scoring methods agree", BEYOND, few).mark is AnswerMark.UNCLEAR


def test_as_json_shares_have_their_intervals_and_questions_their_answers() -> None:
    plain = finding_json(found(BEYOND, *FALLS))
    assert json.loads(json.dumps(plain)) == plain
    assert plain["both_twins_right"] == {
        "value": 0.6, "low": 0.5, "high": 0.7, "guessing": 0.25, "problems": 266, "schemas": 133,
    }  # fmt: skip
    assert "problems_right" not in plain
    assert [each["answer"] for each in plain["questions"]][0] == "yes"


def several(number: int) -> Results:
    """The same model under several names."""
    estimates = []
    models = [hand_made.model(f"ant{at}", "causal", "kitchen") for at in range(number)]
    for each in models:
        at = AT.replace(model=each.name)
        estimates.append(accuracy(at, 0.6, 0.5, 0.7))
    return hand_made.profile(tuple(models), (DATASET,), forms(), tuple(estimates))


def test_the_numbers_of_the_questions_are_shown_for_two_findings_and_only_marks_for_more() -> None:
    two, three = (text_summary(build_report(several(number))) for number in (2, 3))
    line = "? Fails on controls: no control was run"
    assert line in two and line not in three
    assert "Fails on controls: Does it fail" in three
    for report in (build_report(several(3)),):
        assert line in markdown(report)
        assert "\\caption{Four questions.}" in latex(report)


def test_lines_are_at_most_80_characters_and_at_most_20_for_one_finding() -> None:
    lines = text_summary(build_report(several(1))).rstrip().splitlines()
    assert max(map(len, lines)) <= 80 and len(lines) <= 20
