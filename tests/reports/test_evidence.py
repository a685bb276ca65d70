"""The sentences of the evidence for a verdict."""

from __future__ import annotations

import pytest

from horsesense.reports.conclusion import expected
from horsesense.results import Estimate, EstimateKind, OptionCount, ResultKey
from tests.reports.hand_made import accuracy, measurement
from tests.reports.judging import (
    AT,
    BEYOND,
    BY_KEY,
    CONTROL,
    FALLS,
    SWITCHED,
    TENSE,
    compared,
    judged,
    problems,
    profile_of,
    said,
)

PROBLEMS = problems(0.75, 0.65, 0.85)
LOW = accuracy(AT, 0.12, 0.07, 0.17)


def test_accuracy_is_told_with_interval_and_chance() -> None:
    assert said("guessing", BEYOND, PROBLEMS) == (
        "On kitchen, it solves 60 % (95 % CI 50 to 70 %) of the 133 schemas; chance is"
        " 25 %. It solves 75 % (95 % CI 65 to 85 %) of the 266 problems taken individually;"
        " chance is 50 %. No problem is undecided."
    )


def test_undecided_problems_are_told_with_what_they_count_for() -> None:
    told = said("guessing", BEYOND, problems(0.6, 0.5, 0.7, n_undecided=14))
    assert "14 problems (5 %) are undecided (equal scores) and count as failed." in told
    told = said("guessing", BEYOND, problems(0.6, 0.5, 0.7, n_undecided=1))
    assert "1 problem (<1 %) is undecided (equal scores) and counts as failed." in told


def parts(half: tuple[float, float, float], neither: float) -> tuple[Estimate, ...]:
    """The shares of schemas with one problem solved, and with none."""
    value, low, high = half
    return (
        measurement(EstimateKind.VALUE, AT, "half-solved-share", value, low=low, high=high),
        measurement(EstimateKind.VALUE, AT, "anti-solved-share", neither),
    )


def test_of_how_many_schemas_one_problem_is_solved_and_of_how_many_none() -> None:
    told = said("guessing", LOW, PROBLEMS, *parts((0.76, 0.7, 0.8), 0.12))
    assert told.endswith(
        "It solves exactly one of the two problems in 76 % (95 % CI 70 to 80 %) of the"
        " schemas, and neither in 12 %; guessing would give 50 % and 25 %. A model that"
        " ignores the difference between the two problems gives both the same answer and solves"
        " exactly one."
    )


def test_the_same_answer_is_told_of_only_where_one_of_the_two_is_solved_more_than_by_chance() -> (
    None
):
    anti = parts((0.067, 0.03, 0.12), 0.92)
    assert "same answer" not in said("guessing", LOW, PROBLEMS, *anti)
    assert "neither in 92 %" in said("guessing", LOW, PROBLEMS, *anti)
    assert "same answer" not in said("guessing", BEYOND, PROBLEMS, *parts((0.7, 0.6, 0.8), 0.1))


def test_a_control_is_told_with_what_it_takes_away() -> None:
    assert said("correctly without", BEYOND, *FALLS) == (
        "On the control no-candidate (the candidates deleted), it solves 20 % (95 % CI 10 to"
        " 30 %) of 133 schemas: −35 points compared with the same schemas unperturbed (95 % CI"
        " −50 to −20)."
    )


def test_a_control_of_few_schemas_is_said_not_to_count() -> None:
    value = accuracy(CONTROL, 0.0, 0.0, 0.602, n_clusters=4, n_schemas=4)
    told = said("correctly without", *compared(CONTROL, value, 0.0, 0.0, n_clusters=4, n_schemas=4))
    assert told == (
        "On the control no-candidate (the candidates deleted), it solves 0 % (95 % CI 0 to"
        " 60 %) of 4 schemas: 0 points compared with the same schemas unperturbed (no CI: all"
        " resamples agree); too few schemas to judge."
    )


def test_where_not_all_of_a_control_is_compared_both_numbers_are_told() -> None:
    found = compared(CONTROL, accuracy(CONTROL, 0.2, 0.1, 0.3), -0.5, -0.2, n_schemas=120)
    told = "compared with the 120 schemas in common unperturbed (95 % CI −50 to −20)."
    assert said("correctly without", *found).endswith(told)


def change(of: ResultKey, metric: str, value: float | None) -> Estimate:
    return measurement(EstimateKind.CHANGE, of, metric, value, against=AT)


STEADY = change(SWITCHED, "schema-consistency", 0.8)


def test_consistency_is_told_from_the_least_to_the_greatest() -> None:
    both = STEADY, change(TENSE, "schema-consistency", 0.5)
    solved = change(SWITCHED, "consistent-schema-accuracy", 0.3)
    above, below = accuracy(SWITCHED, 0.5, 0.4, 0.6), accuracy(TENSE, 0.2, None, None)
    assert said("stable", *both, solved, above, below) == (
        "On 1 of 2 perturbations that should not matter, schema accuracy is clearly above chance"
        " (its whole interval is). On tense, 50 % of the schemas have as many solved problems as"
        " in the original, and on switched, up to 80 %. On switched, 30 % of the schemas have"
        " both problems solved there and in the original."
    )


def difference(metric: str, before: float | None, after: float, **more: object) -> Estimate:
    told = {"against": AT, "before": before, "after": after} | more
    return measurement(EstimateKind.DIFFERENCE, SWITCHED, metric, None, **told)


def test_consistency_stands_beside_what_the_accuracies_alone_give() -> None:
    # One problem is solved of .864 of the schemas before, and of .84 after.
    found = difference("problem-accuracy", 0.512, 0.54), difference("schema-accuracy", 0.08, 0.12)
    told = said("stable", STEADY, *found)
    assert "as many solved problems as in the original (expected: about 74 %)." in told
    assert told.endswith("independent answers with the same accuracies.")


def test_nothing_is_expected_where_accuracies_do_not_tell() -> None:
    schemas = difference("schema-accuracy", 0.08, 0.12)
    for of_problems in (
        difference("problem-accuracy", None, 0.54),
        difference("problem-accuracy", 0.01, 0.54),
    ):
        assert "xpected" not in said("stable", STEADY, of_problems, schemas)


def test_with_undecided_problems_only_the_consistency_of_schemas_is_expected() -> None:
    found = (
        difference("problem-accuracy", 0.512, 0.54, n_undecided=1),
        difference("schema-accuracy", 0.08, 0.12),
    )
    assert "expected: about 74 %" in said("stable", STEADY, *found)
    profile = profile_of(*found)
    assert expected(profile, SWITCHED, AT, "consistency") is None
    assert expected(profile, SWITCHED, AT, "schema-consistency") == pytest.approx(0.738, abs=0.001)


def test_what_survives_is_told_where_there_is_something_to_survive() -> None:
    kept = compared(SWITCHED, accuracy(SWITCHED, 0.5, 0.4, 0.6), -0.05, 0.05)
    few = compared(TENSE, accuracy(TENSE, 0.5, 0.4, 0.6, n_clusters=9), -0.5, -0.4)
    told = said("stable", BEYOND, STEADY, *kept, *few)
    assert (
        "By 95 % intervals, schema accuracy drops on 0 perturbations, holds on 1 (above chance,"
        " less than 10 points lost) and is inconclusive on 1; with many perturbations, one may drop"
        " by chance. Too few schemas to judge: tense."
    ) in told
    assert "Too few" not in said("stable", BEYOND, STEADY, *kept)
    assert "By 95 % intervals" not in said("stable", LOW, STEADY, *kept, *few)
    assert "By 95 % intervals" not in said("stable", BEYOND, STEADY)


def test_a_consistency_that_is_undefined_is_not_told() -> None:
    undefined = change(TENSE, "schema-consistency", None)
    told = said("stable", STEADY, undefined)
    assert "tense" not in told and "Both problems" not in told


def test_what_asks_the_other_way_round_is_told_apart() -> None:
    found = compared(BY_KEY, accuracy(BY_KEY, 0.5, 0.4, 0.6), -0.2, 0.0)
    by_key = change(BY_KEY, "schema-consistency", 0.8)
    assert said("reversed", *found, by_key) == (
        "On by-key, it solves 50 % (95 % CI 40 to 60 %) of 133 schemas: −10 points compared"
        " with the same schemas unperturbed (95 % CI −20 to 0). Whether accuracy should stay"
        " the same is an open question."
    )
    assert not any("stable" in one.question for one in judged(*found, by_key).evidence)
    few = compared(BY_KEY, accuracy(BY_KEY, 0.5, 0.4, 0.6, n_clusters=29), -0.2, 0.0)
    assert "; too few schemas to judge. Whether" in said("reversed", *few)


def test_response_bias_tells_of_first_options_and_of_truth_values() -> None:
    first = measurement(EstimateKind.VALUE, AT, "first-option-share", 0.75, n_undecided=66)
    at = AT.replace(variant="dyadic.by-boolean")
    options = (
        OptionCount(at, "1", 492, 500),
        OptionCount(at, "true", 492, 500),
        OptionCount(at, "false", 8, 500),
        OptionCount(AT, "true", 9, 10),
        # A key is a text that one dyad offers, not a truth value.
        OptionCount(AT.replace(variant="dyadic.by-key"), "let down", 2, 2),
    )
    assert said("favour", first, options=options) == (
        "It chooses the first option in 75 % of the 200 decided problems. By boolean, it"
        " answers “true” in 98 % of the 500 problems."
    )


def test_of_one_schema_it_is_not_said_that_there_are_several() -> None:
    only = {"n_problems": 1, "n_schemas": 1}
    found = (
        measurement(EstimateKind.VALUE, AT, "schema-accuracy", 0.0, **only),
        measurement(EstimateKind.VALUE, AT, "problem-accuracy", 0.5, **only),
    )
    told = said("guessing", *found)
    assert "0 % of the only schema; chance" in told and "50 % of the only problem" in told


def test_where_nothing_is_decided_no_option_is_favoured() -> None:
    first = measurement(EstimateKind.VALUE, AT, "first-option-share", None, n_undecided=266)
    assert said("favour", first) == "Every problem is undecided, so it chooses no option."


def test_the_spread_over_methods_is_told_or_that_there_is_none() -> None:
    def by(method: str, value: float | None) -> Estimate:
        return measurement(EstimateKind.VALUE, AT.replace(method=method), "schema-accuracy", value)

    assert said("method", by("smart@1", 0.3), by("full", 0.1), by("loss", None)) == (
        "Across 2 scoring methods, it solves 10 % (full) to 30 % (smart@1) of the schemas; the"
        " numbers here are for smart@1, which was chosen in advance."
    )
    assert said("method", by("smart@1", 0.3), by("full", 0.3)) == (
        "With each of 2 scoring methods, it solves 30 % of the schemas."
    )
    assert judged(by("loss", 0.3), by("full", 0.3)).evidence == ()


def test_without_measurements_there_is_no_evidence() -> None:
    assert judged().evidence == ()
