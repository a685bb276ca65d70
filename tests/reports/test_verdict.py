"""The rule of the verdict, case by case, and its sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from horsesense.reports import Conclusion
from horsesense.results import Estimate, ResultKey
from tests.reports.hand_made import accuracy
from tests.reports.judging import (
    AT,
    BEYOND,
    BY_KEY,
    CONTROL,
    FALLS,
    PART,
    SWITCHED,
    TENSE,
    compared,
    judged,
    problems,
)

LOW, NEAR = accuracy(AT, 0.12, 0.07, 0.17), accuracy(AT, 0.3, 0.2, 0.4)
RIGHT, GUESSED = problems(0.6, 0.55, 0.65), problems(0.5, 0.45, 0.55)


@pytest.mark.parametrize(
    ("found", "conclusion"),
    [
        ((), Conclusion.TOO_FEW),
        ((accuracy(AT, 0.6, 0.5, 0.7, n_schemas=29, n_clusters=29),), Conclusion.TOO_FEW),
        # Eight schemas among thirty entries, the others single problems.
        ((accuracy(AT, 0.3, 0.0, 0.6, n_schemas=8, n_clusters=30),), Conclusion.TOO_FEW),
        ((accuracy(AT, 0.6, 0.5, 0.7, n_schemas=29, n_clusters=40),), Conclusion.TOO_FEW),
        # Dyads: two schemas each.
        ((accuracy(AT, 0.6, 0.5, 0.7, n_schemas=58, n_clusters=29),), Conclusion.FEW_CLUSTERS),
        ((accuracy(AT, 0.3, 0.2, 0.4, n_schemas=30, n_clusters=30),), Conclusion.NEAR_CHANCE),
        ((accuracy(AT, 0.6, None, None),), Conclusion.TOO_FEW),
        ((LOW,), Conclusion.FEWER),
        ((LOW, GUESSED), Conclusion.FEWER),
        ((LOW, problems(0.6, 0.5, 0.7)), Conclusion.FEWER),
        ((LOW, RIGHT), Conclusion.ONE_OF_TWO),
        ((LOW, problems(0.4, 0.35, 0.45)), Conclusion.WORSE),
        ((LOW, problems(0.45, 0.4, 0.5)), Conclusion.FEWER),
        ((accuracy(AT, 0.2, 0.15, 0.25), problems(0.4, 0.35, 0.45)), Conclusion.NEAR_CHANCE),
        ((NEAR, problems(0.4, 0.35, 0.45)), Conclusion.NEAR_CHANCE),
        ((accuracy(AT, 0.2, 0.15, 0.25), GUESSED), Conclusion.NEAR_CHANCE),
        ((accuracy(AT, 0.2, 0.15, 0.25), RIGHT), Conclusion.BY_PROBLEMS),
        ((NEAR, GUESSED), Conclusion.NEAR_CHANCE),
        ((accuracy(AT, 0.3, 0.25, 0.4), GUESSED), Conclusion.NEAR_CHANCE),
        ((NEAR, RIGHT), Conclusion.BY_PROBLEMS),
        ((BEYOND,), Conclusion.UNCONTROLLED),
        ((BEYOND, *FALLS), Conclusion.UNTESTED),
    ],
)
def test_the_conclusion_follows_the_rule(
    found: tuple[Estimate, ...], conclusion: Conclusion
) -> None:
    assert judged(*found).conclusion is conclusion


@pytest.mark.parametrize(
    ("schemas", "undecided", "conclusion"),
    [
        (LOW, 27, Conclusion.UNDECIDED),
        (LOW, 26, Conclusion.FEWER),
        (NEAR, 27, Conclusion.UNDECIDED),
        # What is failed by being undecided does not make an accuracy any higher.
        (BEYOND, 27, Conclusion.UNCONTROLLED),
    ],
)
def test_where_a_tenth_is_undecided_it_cannot_be_told_to_be_no_better_than_chance(
    schemas: Estimate, undecided: int, conclusion: Conclusion
) -> None:
    guessed = problems(0.5, 0.45, 0.55, n_undecided=undecided)
    assert judged(schemas, guessed).conclusion is conclusion


def control(low: float | None, high: float | None, value: Estimate) -> tuple[Estimate, ...]:
    return compared(CONTROL, value, low, high)


SOLVED, GUESSED_TOO = accuracy(CONTROL, 0.53, 0.43, 0.63), accuracy(CONTROL, 0.3, 0.2, 0.4)


@pytest.mark.parametrize(
    ("found", "conclusion"),
    [
        (control(-0.217, 0.042, SOLVED), Conclusion.CONTROL_TOO),
        (control(-0.217, 0.0, SOLVED), Conclusion.CONTROL_TOO),
        (control(-0.217, 0.042, GUESSED_TOO), Conclusion.UNEXPLAINED),
        (control(-0.217, -0.042, SOLVED), Conclusion.UNTESTED),
        (control(None, None, SOLVED), Conclusion.FEW_CONTROLLED),
        ((SOLVED,), Conclusion.UNCONTROLLED),
    ],
)
def test_a_control_should_be_lower(found: tuple[Estimate, ...], conclusion: Conclusion) -> None:
    assert judged(BEYOND, *found).conclusion is conclusion


def few(of: ResultKey, low: float, high: float) -> tuple[Estimate, Estimate]:
    """A form that was solved whole, on four schemas."""
    return compared(of, accuracy(of, 1.0, 0.4, 1.0, n_clusters=4), low, high, n_clusters=4)


def test_a_control_of_few_schemas_does_not_decide() -> None:
    assert judged(BEYOND, *few(PART, -0.1, 0.1)).conclusion is Conclusion.FEW_CONTROLLED
    assert judged(BEYOND, *few(CONTROL, -0.1, 0.1)).conclusion is Conclusion.FEW_CONTROLLED
    part = compared(PART, accuracy(PART, 0.2, 0.1, 0.3), -0.5, -0.2)
    assert judged(BEYOND, *few(CONTROL, -0.1, 0.1), *part).conclusion is Conclusion.UNTESTED


def test_a_control_that_can_hardly_be_compared_does_not_decide() -> None:
    found = compared(CONTROL, SOLVED, -0.1, 0.1, n_clusters=29)
    assert judged(BEYOND, *found).conclusion is Conclusion.FEW_CONTROLLED


def test_a_control_of_few_schemas_among_many_problems_does_not_decide() -> None:
    found = compared(CONTROL, replace(SOLVED, n_schemas=8), -0.1, 0.1)
    assert judged(BEYOND, *found).conclusion is Conclusion.FEW_CONTROLLED


def test_the_first_control_that_was_measured_decides() -> None:
    part = compared(PART, accuracy(PART, 0.6, 0.5, 0.7), -0.1, 0.1)
    assert judged(BEYOND, *part).conclusion is Conclusion.CONTROL_TOO
    assert judged(BEYOND, *part, *FALLS).conclusion is Conclusion.UNTESTED


def perturbed(of: ResultKey, low: float, high: float) -> tuple[Estimate, Estimate]:
    return compared(of, accuracy(of, 0.5, 0.4, 0.6), low, high)


KEPT, LOST, WIDE = (-0.09, 0.05), (-0.5, -0.3), (-0.1, 0.1)


@pytest.mark.parametrize(
    ("found", "conclusion"),
    [
        (perturbed(SWITCHED, *KEPT), Conclusion.STEADY),
        (perturbed(SWITCHED, *LOST), Conclusion.BRITTLE),
        (perturbed(SWITCHED, *WIDE), Conclusion.UNSETTLED),
        (perturbed(SWITCHED, -0.09, 0.0), Conclusion.STEADY),
        (perturbed(SWITCHED, -0.09, -0.01), Conclusion.BRITTLE),
        ((*perturbed(SWITCHED, *KEPT), *perturbed(TENSE, *LOST)), Conclusion.BRITTLE),
        ((*perturbed(SWITCHED, *KEPT), *perturbed(TENSE, *WIDE)), Conclusion.UNSETTLED),
        # It is not lost, yet no longer above chance.
        (compared(SWITCHED, accuracy(SWITCHED, 0.3, 0.2, 0.4), *KEPT), Conclusion.UNSETTLED),
        (few(SWITCHED, *LOST), Conclusion.UNSETTLED),
        ((*few(SWITCHED, *LOST), *perturbed(TENSE, *KEPT)), Conclusion.STEADY),
        # Whether that should matter is open.
        (perturbed(BY_KEY, *LOST), Conclusion.UNTESTED),
    ],
)
def test_perturbations_are_judged_by_what_they_cost(
    found: tuple[Estimate, ...], conclusion: Conclusion
) -> None:
    assert judged(BEYOND, *FALLS, *found).conclusion is conclusion


def test_the_sentence_has_the_number_it_rests_on_and_what_guessing_gives() -> None:
    assert judged(accuracy(AT, 0.131, 0.08, 0.182)).sentence == (
        "On kitchen, ant solves 13 % (95 % CI 8 to 18 %) of the schemas; chance is"
        " 25 %. Verdict: it solves fewer schemas than guessing would."
    )
    none = "There are no results for ant on kitchen. Verdict: too few schemas to tell."
    assert judged().sentence == none


def test_the_sentence_has_both_accuracies_where_it_rests_on_both() -> None:
    assert judged(NEAR, RIGHT).sentence == (
        "On kitchen, ant solves 30 % (95 % CI 20 to 40 %) of the schemas and 60 % (95 % CI"
        " 55 to 65 %) of the problems; chance is 25 % and 50 %. Verdict: it solves"
        " more single problems than guessing would, but not clearly more schemas."
    )


def test_the_sentence_tells_how_much_is_undecided_where_that_decides() -> None:
    assert judged(LOW, problems(0.1, 0.05, 0.2, n_undecided=133)).sentence.endswith(
        "chance is 25 %. It leaves 50 % of the problems undecided. Verdict: too many"
        " undecided problems to tell."
    )
