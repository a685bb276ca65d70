"""What reports say of guessing to a chat model, which is asked in both orders."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from horsesense.reports import ReportTable, build_report
from horsesense.reports.conclusion import Conclusion, conclude
from horsesense.reports.figures.accuracy import on_chance
from horsesense.reports.figures.specification import excludes
from horsesense.reports.finding import (
    AnswerMark,
    Behaviour,
    ModelFinding,
    find,
    finding_json,
    table_of_shares,
)
from horsesense.reports.page import page
from horsesense.reports.page.folds import figure_folds
from horsesense.reports.verdict import verdict
from horsesense.reports.wording import GUESSING_IN_BOTH_ORDERS, is_bound_of_guessing, percent
from horsesense.results import ORIGINAL, Estimate, EstimateKind, ResultKey, Results, Variant
from horsesense.scoring.chat import choice_of
from horsesense.scoring.outcome import AnswerSet
from tests.reports import hand_made
from tests.reports.chat_profile import SHED, answer
from tests.reports.hand_made import accuracy, measurement
from tests.reports.judging import AT, BY_KEY, DATASET, compared, model, problems, profile_of
from tests.reports.small_profile import record, small_profile
from tests.results.measuring.made_up import measure
from tests.scoring.asked import problem_of, questions_by, replied

COIN, ANT = "chat:coin", "ant"
# One reply in four pairs of replies is right in both orders, and one is wrong in both.
FLIPS = [first + second for first, second in product("SFOO", repeat=2)]
SCHEMAS = 3 * len(FLIPS)


@cache
def coin_profile(family: str = "chat", ties: str = "failed", *, with_ant: bool = False) -> Results:
    """A model that flips a coin at each question; every pair of outcomes is as often as it is."""
    made = record()
    made = replace(made, plan=replace(made.plan, data=(SHED,), models=(COIN,), ties=ties))
    subjects = [
        replace(hand_made.model(COIN, "causal", SHED), family=family, standard=((SHED, "letter"),))
    ]
    if with_ant:
        subjects += [hand_made.model(ANT, "causal", SHED, standard=((SHED, "letter"),))]
    models = tuple(replace(subject, methods=("letter",)) for subject in subjects)
    variants = (Variant(dataset=SHED, name=ORIGINAL, entries=SCHEMAS, problems=2 * SCHEMAS),)
    of = replace(hand_made.dataset(SHED), entries=SCHEMAS, problems=2 * SCHEMAS, schemas=SCHEMAS)
    answer_sets = {
        ResultKey(each.name, SHED, method="letter"): (flipped() if each.name == COIN else solved())
        for each in models
    }
    measured = measure(
        answer_sets=answer_sets,
        models=models,
        datasets=(of,),
        variants=variants,
        resamples=made.plan.resamples,
        ties=ties,
    )
    return Results(
        made, models, (of,), variants, measured.estimates, measured.options, answer_sets=answer_sets
    )


def flipped() -> AnswerSet:
    return answer_set(FLIPS)


def solved() -> AnswerSet:
    return answer_set(["SS", "SS", "SF"])


def answer_set(pattern: list[str]) -> AnswerSet:
    answers = tuple(
        answer(schema, number, letter)
        for schema in range(SCHEMAS)
        for number, letter in enumerate(pattern[schema % len(pattern)], 1)
    )
    return AnswerSet("made up", answers, tuple((at, at + 1) for at in range(0, 2 * SCHEMAS, 2)))


def asked(*estimates: Estimate, ties: str = "failed") -> Results:
    """Estimates of a chat model, made by hand."""
    results = profile_of(*estimates)
    plan = replace(results.record.plan, ties=ties)
    return replace(
        results,
        models=(replace(model(), family="chat"),),
        record=replace(results.record, plan=plan),
    )


def found(results: Results) -> ModelFinding:
    return find(results, results.models[0], results.datasets[0])


def small_table(results: Results) -> ReportTable:
    table = table_of_shares([found(results)], results.record.plan)
    assert table is not None
    return table


def guessed(method: str) -> Counter[str]:
    """The outcomes of a problem by every way to reply to its questions."""
    problem = problem_of()
    questions = questions_by(method, problem)
    ways = product(*(question.answers for question in questions))
    return Counter(
        {None: "undecided", problem.right: "solved"}.get(
            choice_of(
                [replied(question, text) for question, text in zip(questions, way, strict=True)]
            ).chosen,
            "failed",
        )
        for way in ways
    )


@pytest.mark.parametrize(
    ("method", "solved", "undecided"),
    [
        ("letter", Fraction(1, 4), Fraction(1, 2)),
        ("word", Fraction(1, 4), Fraction(1, 2)),
        ("judge", Fraction(1, 16), Fraction(7, 8)),
    ],
)
def test_what_guessing_gives_is_what_all_ways_to_reply_give(
    method: str, solved: Fraction, undecided: Fraction
) -> None:
    ways = guessed(method)
    assert Fraction(ways["solved"], ways.total()) == solved
    assert Fraction(ways["undecided"], ways.total()) == undecided
    assert ways["failed"] == ways["solved"]
    said = [percent(float(share)) for share in (solved, solved**2, undecided)]
    assert all(each in GUESSING_IN_BOTH_ORDERS for each in said)


def test_a_coin_is_neither_tested_against_chance_nor_called_worse_than_guessing() -> None:
    results = coin_profile()
    key = ResultKey(COIN, SHED, method="letter")
    values = [results.value(key, metric) for metric in ("problem-accuracy", "schema-accuracy")]
    assert [each and each.value for each in values] == [1 / 4, 1 / 16]
    assert [each and each.p for each in values] == [None, None]
    report = build_report(results)
    written = page(report)
    assert "↓" not in str(report.tables) and "fewer schemas than guessing" not in written
    assert "chance is 50 %" not in written and "chance is 25 %" not in written
    assert "chance is at most 25 %" in written and 'class="chance" x1="50' not in written
    judged = verdict(results, results.models[0], results.datasets[0])
    assert judged.conclusion is Conclusion.UNDECIDED
    first = judged.evidence[0].sentence
    assert f"It is asked in both orders: {GUESSING_IN_BOTH_ORDERS}." in first
    assert "guessing would give" not in first


def test_the_small_table_has_no_row_of_guessing_without_a_model_that_it_is_for() -> None:
    table = small_table(coin_profile())
    assert [row[0] for group in table.groups for row in group.rows] == [COIN]
    assert table.notes[1] == "in brackets: 95 % interval"
    assert table.notes[2].startswith("no arrows for chat models with undecided problems: asked in")
    both = coin_profile(with_ant=True)
    mixed = build_report(both).summary.shares
    assert mixed is not None
    coin, ant, guessing = (row for group in mixed.groups for row in group.rows)
    assert (coin[0], ant[0], guessing[0]) == (COIN, ANT, "guessing")
    assert "↑" in "".join(ant) and "↓" not in "".join(coin)
    assert "in brackets: 95 % interval; ↑ ↓: clearly above or below guessing" in mixed.notes


@pytest.mark.parametrize(("family", "ties"), [("causal", "failed"), ("chat", "half")])
def test_elsewhere_chance_is_chance(family: str, ties: str) -> None:
    results = coin_profile(family, ties)
    key = ResultKey(COIN, SHED, method="letter")
    value = results.value(key, "problem-accuracy")
    assert value is not None and value.p is not None
    assert "guessing" in str(small_table(results).groups)
    written = page(build_report(results))
    assert "chance is 50 %" in written and 'class="chance" x1="50' in written
    assert not on_chance(results)


def test_tables_with_chance_say_that_guessing_gives_less_in_both_orders() -> None:
    report = build_report(coin_profile())
    noted = [table.name for table in report.tables if "only the most" in " ".join(table.notes)]
    assert noted == ["glance", "accuracy-shed-chat-coin"]
    assert "only the most" not in str(build_report(small_profile()).tables)


def test_figures_with_chance_say_so_and_fill_nothing_below_it() -> None:
    captions = {figure.name: figure.caption for figure in build_report(coin_profile()).figures}
    for name in ("datasets", "methods-shed", "plane-shed"):
        assert captions[name].endswith("it leaves problems undecided.")
    low = accuracy(AT, 0.1, 0.05, 0.2)
    assert excludes(low, 0.25) and not excludes(low, 0.25, is_bound=True)
    assert excludes(accuracy(AT, 0.6, 0.5, 0.7), 0.25, is_bound=True)


FEWER = accuracy(AT, 0.1, 0.05, 0.2, n_undecided=9)


@pytest.mark.parametrize(
    ("of_problems", "by_chat", "by_others"),
    [
        (problems(0.6, 0.55, 0.7, n_undecided=9), Conclusion.BY_PROBLEMS, Conclusion.ONE_OF_TWO),
        (problems(0.5, 0.4, 0.6, n_undecided=9), Conclusion.NEAR_CHANCE, Conclusion.FEWER),
        (problems(0.3, 0.2, 0.4, n_undecided=9), Conclusion.NEAR_CHANCE, Conclusion.WORSE),
    ],
)
def test_with_few_undecided_problems_it_is_still_not_below_guessing(
    of_problems: Estimate, by_chat: Conclusion, by_others: Conclusion
) -> None:
    assert conclude(asked(FEWER, of_problems), AT) is by_chat
    assert conclude(profile_of(FEWER, of_problems), AT) is by_others
    assert conclude(asked(FEWER, of_problems, ties="half"), AT) is by_others
    decided = [replace(each, n_undecided=0) for each in (FEWER, of_problems)]
    assert conclude(asked(*decided), AT) is by_others


def test_two_wrong_twins_are_no_finding_if_guessing_gives_more_of_them() -> None:
    neither = measurement(
        EstimateKind.VALUE, AT, "anti-solved-share", 0.6, low=0.5, high=0.7, n_undecided=9
    )
    finding = found(asked(FEWER, neither))
    assert finding.behaviour is Behaviour.GUESSES
    assert finding.sentence.endswith(
        "(guessing: at most 25 %): it does not clearly solve more schemas than guessing would."
    )
    assert found(profile_of(FEWER, neither)).behaviour is Behaviour.WRONG_TWICE


def test_what_is_above_the_most_that_guessing_gives_is_above_chance() -> None:
    beyond = accuracy(AT, 0.6, 0.5, 0.7, n_undecided=9)
    finding = found(asked(beyond))
    assert finding.behaviour is Behaviour.SOLVES
    assert "in 60 % of the 133 schemas of kitchen (guessing: at most 25 %): above chance" in (
        finding.sentence
    )
    assert finding_json(finding)["both_twins_right"]["guessing"] is None
    assert finding_json(found(profile_of(beyond)))["both_twins_right"]["guessing"] == 0.25


def test_an_inverted_accuracy_below_chance_may_still_be_more_than_guessing() -> None:
    rows = compared(BY_KEY, accuracy(BY_KEY, 0.1, 0.05, 0.2, n_undecided=9), -0.6, -0.4)
    estimates = (accuracy(AT, 0.6, 0.5, 0.7), *rows)

    def inverted(results: Results) -> AnswerMark:
        questions = {each.name: each.mark for each in found(results).questions}
        return questions["Solves it inverted"]

    assert inverted(asked(*estimates)) is AnswerMark.UNCLEAR
    assert inverted(profile_of(*estimates)) is AnswerMark.NO


def test_without_an_estimate_or_its_model_nothing_is_known_of_guessing() -> None:
    assert not is_bound_of_guessing(asked(), None)
    assert not is_bound_of_guessing(replace(asked(), models=()), FEWER)
    assert asked().datasets == (DATASET,)


def test_the_heading_of_the_comparison_says_that_chat_models_may_get_less_by_guessing() -> None:
    folds = figure_folds(build_report(coin_profile(with_ant=True)))
    answers = {fold.name: fold.answer for fold in folds}
    assert answers["comparison"].endswith(
        "(guessing: 25 %, or less for chat models, which are asked in both orders)."
    )


@pytest.mark.parametrize(
    ("family", "said"),
    [("chat", " (not by chat models with undecided problems): c .500"), ("causal", ": c .500")],
)
def test_the_agreement_of_guessing_models_is_not_that_of_chat_models(
    family: str, said: str
) -> None:
    report = build_report(coin_profile(family, with_ant=True))
    [table] = [each for each in report.tables if each.name == "model-agreement-shed"]
    assert table.notes[0] == f"for guessing{said}, C .375"
