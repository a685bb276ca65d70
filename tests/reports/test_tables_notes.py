"""What tables say below: of what, and of how much, their numbers are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from horsesense.reports import ReportTable
from horsesense.results import ORIGINAL, Estimate, EstimateKind, OptionCount, ResultKey, Results
from tests.reports import hand_made
from tests.reports.built import small_tables, tables
from tests.reports.hand_made import measurement, thesis_profile
from tests.reports.small_profile import ANT, BEE, small_profile

AT = ResultKey("ant", "kitchen", method="smart@1")


def named(profile: Results, name: str) -> ReportTable:
    every = small_tables() if profile is small_profile() else tables(profile)
    return next(one for one in every if one.name == name)


def notes(profile: Results, name: str) -> str:
    return " / ".join(named(profile, name).notes)


def headings(table: ReportTable) -> list[str]:
    return [one.heading for one in table.columns]


def test_what_is_adjusted_for_a_control_is_of_the_schemas_that_it_applies_to() -> None:
    """The control lacks three of eight schemas, so that the original has two accuracies."""
    control = AT.replace(variant="no-candidate")
    found = (
        hand_made.accuracy(AT, 0.75, 0.5, 1.0),
        measurement(
            EstimateKind.DIFFERENCE, control, "schema-accuracy", -0.2, against=AT, before=0.4
        ),
        measurement(EstimateKind.CHANGE, control, "adjusted-schema-accuracy", 0.2, against=AT),
    )
    table = named(profile_of(*found), "adjusted-no-candidate-kitchen")
    (row,) = table.groups[0].rows
    assert row[:4] == ("ant", "A", ".400", ".200")


def profile_of(*found: Estimate) -> Results:
    return hand_made.profile(
        (hand_made.model("ant", "causal", "kitchen"),),
        (hand_made.dataset("kitchen"),),
        (
            hand_made.form("kitchen"),
            hand_made.form("kitchen", "no-candidate", purpose="control"),
            hand_made.form("kitchen", "unbalanced"),
        ),
        found,
    )


def test_an_adjusted_accuracy_without_its_difference_has_no_accuracy_beside_it() -> None:
    control = AT.replace(variant="no-candidate")
    one = measurement(EstimateKind.CHANGE, control, "adjusted-schema-accuracy", 0.2, against=AT)
    (row,) = named(profile_of(one), "adjusted-no-candidate-kitchen").groups[0].rows
    assert row[:3] == ("ant", "A", ".200")


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, "nothing is paired /"),
        (1, "nothing is paired, although 1 problem is in both, so the interval is wider"),
        (2, "nothing is paired, although 2 problems are in both, so the interval is wider"),
    ],
)
def test_problems_that_two_datasets_have_in_common_are_counted(count: int, told: str) -> None:
    profile = small_profile()
    same = [
        replace(one, dataset="yard", entry=f"again-{at}")
        for at, one in enumerate(profile.problems)
        if (one.dataset, one.variant) == ("kitchen", ORIGINAL)
    ]
    with_same = replace(profile, problems=(*profile.problems, *same[:count]))
    assert told in notes(with_same, "datasets-yard-kitchen")


def test_two_samples_are_told_apart_and_not_added_up() -> None:
    assert "; 4 to 16 problems in 2 to 8 schemas on either side /" in notes(
        small_profile(), "datasets-yard-kitchen"
    ), notes(small_profile(), "datasets-yard-kitchen")
    assert "on either side" not in notes(small_profile(), "perturbations-kitchen")


def test_the_family_of_an_adjusted_p_has_its_size() -> None:
    profile = small_profile()
    family = f"perturbations of kitchen, {ANT} by smart@1"
    size = sum(1 for one in profile.estimates if one.family == family and one.p is not None)
    assert size > 4
    assert f"{family} ({size} tests, including any not shown)" in notes(
        profile, "perturbations-kitchen"
    )


def test_p_against_chance_is_said_not_to_be_adjusted_and_to_be_of_problems() -> None:
    told = notes(small_profile(), "accuracy-kitchen-ant-1")
    assert "p of an accuracy: " in told and ", not adjusted" in told
    assert "assumes independent" not in told
    dyads = notes(small_profile(), "dyads-yard")
    assert "p assumes independent problems, the interval resamples clusters" in dyads
    # There the only intervals are those of differences.
    assert "assumes independent" not in notes(small_profile(), "controls-kitchen")
    assert "treats the two schemas of a dyad as independent" in dyads
    assert "not adjusted" not in notes(small_profile(), "perturbations-kitchen")


def test_a_column_of_the_thesis_p_without_any_is_not_shown() -> None:
    profile = small_profile()
    assert "p, Unpaired" in headings(named(profile, "perturbations-kitchen"))
    without = tuple(replace(one, thesis_p=None) for one in profile.estimates)
    table = named(replace(profile, estimates=without), "perturbations-kitchen")
    assert "p, Unpaired" not in headings(table)
    assert "the thesis' p" not in " / ".join(table.notes)
    assert {len(row) for group in table.groups for row in group.rows} == {len(table.columns)}


def test_what_undecided_problems_count_for_depends_on_what_is_counted() -> None:
    profile = small_profile()
    assert ") count as failed" in notes(profile, "perturbations-kitchen")
    assert ") are left out" in notes(profile, "responses-kitchen")
    told = ") count as failed and are never consistent in c"
    assert told in notes(profile, "model-agreement-kitchen")
    assert told in notes(profile, "consistency-kitchen")
    plan = replace(profile.record.plan, ties="half")
    half = replace(profile, record=replace(profile.record, plan=plan))
    assert ") count as half solved" in notes(half, "consistency-kitchen")


def test_intervals_of_shares_at_the_edge_are_told_as_they_are_made() -> None:
    assert "Clopper–Pearson for shares of 0 and 1" in notes(
        small_profile(), "perturbations-kitchen"
    )


def test_methods_that_do_not_score_all_problems_are_named() -> None:
    found = [
        hand_made.accuracy(AT, 0.5, 0.4, 0.6),
        hand_made.accuracy(AT.replace(method="full"), 0.5, 0.4, 0.6, n_problems=214, n_schemas=107),
    ]
    told = notes(profile_of(*found), "accuracy-kitchen-ant")
    assert "full: only 214 of the 266 problems, in 107 schemas" in told
    assert "smart@1: on" not in told


def test_problems_without_a_score_are_counted() -> None:
    profile = small_profile()
    at = ResultKey(BEE, "kitchen", "switched", method="mean-statement")
    whole = profile.answer_sets[at]
    cut = whole.among([False, False] + [True] * (len(whole.answers) - 2))
    table = named(replace(profile, answer_sets={**profile.answer_sets, at: cut}), "unscored")
    sizes = str(len(whole.answers)), "2"
    assert [row for group in table.groups for row in group.rows] == [
        (BEE, "kitchen", "switched", "mean-statement", *sizes)
    ]
    assert "unscored" not in [one.name for one in small_tables()]


def test_a_relative_change_has_the_interval_of_the_relative_loss_turned_round() -> None:
    of = AT.replace(variant="unbalanced")
    difference = {"against": AT, "before": 0.5, "after": 0.4}
    found = (
        measurement(EstimateKind.DIFFERENCE, of, "problem-accuracy", -0.1, **difference),
        measurement(EstimateKind.CHANGE, of, "relative-loss", 0.2, against=AT, low=-0.1, high=0.3),
        measurement(EstimateKind.DIFFERENCE, of, "schema-accuracy", -0.1, **difference),
        measurement(
            EstimateKind.CHANGE, of, "relative-schema-loss", 0.2, against=AT, low=0.2, high=0.2
        ),
    )
    (row,) = named(profile_of(*found), "ranking-kitchen").groups[0].rows
    assert row[2:] == ("−20.0 %", "−30.0 % to +10.0 %", "−20.0 %", "no width")
    problems, _ = named(profile_of(*found), "ranking-models-kitchen").groups[0].rows
    assert problems[2:] == ("−20.0 %", "−30.0 % to +10.0 %")
    (bare,) = named(profile_of(found[0]), "ranking-kitchen").groups[0].rows
    assert bare[2:] == ("−20.0 %",)


def test_only_truth_values_are_told_by_text() -> None:
    profile = small_profile()
    at = ResultKey(ANT, "kitchen", method="smart@1")
    options = (*profile.options, OptionCount(at, "four", 2, 2))
    table = named(replace(profile, options=options), "responses-kitchen")
    assert "four" not in str(table.groups)
    assert "true " in str(named(profile, "responses-yard").groups)


def test_a_licence_that_is_not_known_is_said_not_to_be() -> None:
    profile = small_profile()
    first, *others = profile.datasets
    told = notes(replace(profile, datasets=(replace(first, licence=""), *others)), "data")
    assert "(licence unknown)" in told and "()" not in told


def test_what_a_file_does_not_say_of_itself_is_left_out() -> None:
    profile = small_profile()
    silent = replace(profile.datasets[0], name="evil", version=0, title="", licence="")
    told = notes(replace(profile, datasets=(silent,)), "data")
    assert "evil" not in told and "version" not in told and "licence" not in told
    told = notes(replace(profile, datasets=(replace(silent, licence="CC0"),)), "data")
    assert told.startswith("evil (CC0) / ")
    told = notes(replace(profile, datasets=(replace(silent, version=2, title="evil"),)), "data")
    assert told.startswith("evil, version 2 (licence unknown) / ")


def test_a_column_of_what_is_undefined_stays_with_its_reason() -> None:
    of, told = AT.replace(variant="unbalanced"), {"against": AT, "reason": "there is no schema"}
    undefined = measurement(EstimateKind.DIFFERENCE, of, "schema-accuracy", None, **told)
    table = named(profile_of(undefined), "perturbations-kitchen")
    assert "Perturbation – Original Subset" in headings(table)
    assert "–: there is no schema" in table.notes


def test_truth_values_are_explained_where_they_stand() -> None:
    assert "by text:" not in notes(small_profile(), "responses-kitchen")
    assert "by text:" in notes(thesis_profile(), "responses-reid250")
