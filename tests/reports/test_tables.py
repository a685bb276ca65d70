"""What the tables say: that they are views of measurements, and leave out what there is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from horsesense.reports import ReportTable
from horsesense.reports.lookup import turned, without_repeats
from horsesense.results import EstimateKind, ResultKey, Results, Skipped
from tests.reports import hand_made
from tests.reports.built import small_tables, tables
from tests.reports.small_profile import ANT, BEE, small_profile

AT = ResultKey("ant", "kitchen", method="partial")


def named(profile: Results, name: str) -> ReportTable:
    every = small_tables() if profile is small_profile() else tables(profile)
    return next(one for one in every if one.name == name)


def cell(table: ReportTable, row: tuple[str, ...], heading: str) -> str:
    """The cell under the first such heading, in the row that begins so; empty cells are filled."""
    at = [one.heading for one in table.columns].index(heading)
    above: tuple[str, ...] = ()
    for group in table.groups:
        for cells in group.rows:
            full = []
            for place, one in enumerate(cells[: len(row)]):
                full.append(one if one or any(cells[:place]) else above[place])
            above = tuple(full)
            if above == row:
                return cells[at]
    raise AssertionError(f"no row {row} in {table.name}")


def test_every_accuracy_of_a_perturbation_is_the_one_that_was_measured() -> None:
    profile = small_profile()
    at = ResultKey(BEE, "kitchen", "switched", method="mean-statement")
    measured = profile.difference(at, at.replace(variant="original"), "schema-accuracy")
    assert measured is not None and measured.value == pytest.approx(0.6)
    table = named(profile, "perturbations-kitchen")
    assert cell(table, (BEE, "switched", "A"), "Perturbation – Original Subset") == "+.600"


def test_the_best_method_is_flagged_as_chosen_by_accuracy_and_chosen_anew_in_each_resample() -> (
    None
):
    table = named(small_profile(), "accuracy-kitchen-ant-1")
    best = next(one for one in table.groups if one.heading.startswith("Chosen by its accuracy"))
    measured = small_profile().value(ResultKey(ANT, "kitchen", method="best"), "schema-accuracy")
    assert measured is not None and measured.value == 0.25
    assert best.rows[0][0] == "best of 4§" and best.rows[0][6] == ".250"
    assert any("chosen by the data: " in one for one in table.notes)


def test_baselines_stand_below_with_chance_and_the_control() -> None:
    table = named(small_profile(), "accuracy-kitchen-ant-1")
    assert [row[0] for row in table.groups[-1].rows] == ["chance", "first", "no-candidate"]


def test_notes_name_method_subset_size_interval_test_and_family() -> None:
    notes = " / ".join(named(small_profile(), "perturbations-kitchen").notes)
    assert "ant_1 with smart@1" in notes and "(standard setup, chosen in advance)" in notes
    assert "n: all problems; 10 to 16 problems in 5 to 8 schemas" in notes
    assert "1,000 resamples of whole clusters (5 to 8 clusters" in notes
    assert "fewer than 30 clusters" in notes
    assert "p of a difference: sign flip" in notes
    assert "p adjusted by Holm’s method over: perturbations of kitchen, ant_1 by smart@1" in notes
    assert "undecided problems (up to 1) count as failed" in notes


def test_notes_say_nothing_of_intervals_and_tests_that_are_not_shown() -> None:
    notes = " / ".join(named(small_profile(), "consistency-kitchen").notes)
    assert "95 %" not in notes and "p of" not in notes and "Holm" not in notes


def test_methods_that_are_not_standard_are_not_called_so() -> None:
    notes = " / ".join(named(small_profile(), "method-differences-kitchen-ant-1").notes)
    assert "standard setup" not in notes


def test_what_was_left_out_is_told_with_the_reason() -> None:
    assert named(small_profile(), "left-out").groups[0].rows == (
        ("kitchen", "switched", "3", "not switchable"),
    )


def test_equal_length_is_a_share_for_each_model_that_sees_tokens() -> None:
    table = named(small_profile(), "data")
    assert cell(table, ("kitchen", "switched"), "Equal Length") == ".600, .600"
    assert "for ant_1, bee|2 & co" in table.notes[-1]


def test_numbers_of_parameters_are_said_as_people_say_them() -> None:
    models = [
        hand_made.model(str(size), "causal", parameters=size)
        for size in (134_515_008, 1_557_611_200, 11_000_000_000, 0, 70_000)
    ]
    profile = hand_made.profile(tuple(models), (), (), ())
    sizes = [row[2] for row in tables(profile)[0].groups[0].rows]
    assert sizes == ["135 million", "1.6 billion", "11 billion", "–", "70,000"]


def test_response_bias_tells_texts_where_few_are_offered() -> None:
    table = named(small_profile(), "responses-yard")
    row = (ANT, "dyadic.by-boolean", "by boolean")
    assert cell(table, row, "By Text") == "false .438, true .562"
    assert cell(table, (ANT, "original", "by answer"), "By Text") == "–"


def test_dyads_by_boolean_are_compared_with_regrouped_ones() -> None:
    table = named(small_profile(), "dyads-yard")
    by_answer = cell(table, (BEE, "by answer", "A"), "Value")
    by_boolean = cell(table, (BEE, "by boolean", "A"), "Value")
    # .375 − .500 would be −.125: the dyads by answer at a fixed key are others.
    assert (by_answer, by_boolean) == (".500", ".375")
    assert cell(table, (BEE, "by boolean", "A"), "Perturbation – Original") == ".000"


def test_what_was_skipped_is_a_table_and_without_any_there_is_none() -> None:
    table = named(small_profile(), "skipped")
    assert ("kitchen.gender", 'no name has a gender: <none> | "100 %" & #_sure') in table.groups[
        0
    ].rows
    without = replace(small_profile(), skipped=())
    assert "skipped" not in [one.name for one in tables(without)]


def test_without_measurements_only_what_was_asked_is_shown() -> None:
    empty = replace(
        small_profile(), estimates=(), options=(), variants=small_profile().variants[:1]
    )
    assert [one.name for one in tables(empty)] == ["models", "data", "skipped"]
    assert "Equal Length" not in [one.heading for one in tables(empty)[1].columns]


def test_a_profile_of_baselines_alone_is_about_these() -> None:
    baselines = tuple(one for one in small_profile().models if one.is_baseline)
    profile = replace(small_profile(), models=baselines)
    table = named(profile, "accuracy-kitchen-first")
    assert [one.heading for one in table.columns][:2] == ["Scoring Method", "a, Any Length"]
    assert table.groups[0].rows[0][0] == "choice†"
    assert [row[0] for row in table.groups[-1].rows] == ["chance", "no-candidate"]
    # A baseline sees no tokens, so that nothing is of equal length.
    assert not [one for one in table.columns if "Equal Length" in one.heading]


def test_a_model_without_scores_on_a_dataset_has_no_rows_there() -> None:
    mute = hand_made.model("mute", "causal")
    profile = replace(small_profile(), models=(*small_profile().models, mute))
    assert [one.name for one in tables(profile) if "mute" in one.name] == []


def test_a_control_without_associative_problems_has_one_row_for_all() -> None:
    datasets = tuple(replace(one, tags=()) for one in small_profile().datasets)
    profile = replace(small_profile(), datasets=datasets)
    table = named(profile, "controls-kitchen")
    assert [one.heading for one in table.columns] == ["Model", "Metric", "All", "95 %", "p"]
    effect = named(profile, "effect-no-candidate-kitchen")
    assert {row[2] for row in effect.groups[0].rows} == {"all"}


def test_a_control_whose_answers_are_unknown_has_no_rows() -> None:
    profile = small_profile()
    forms = (*profile.variants, hand_made.form("kitchen", "key-masked", purpose="control"))
    found = [one.name for one in tables(replace(profile, variants=forms))]
    assert found == [one.name for one in small_tables()]
    untagged = tuple(replace(one, tags=()) for one in profile.datasets)
    table = named(replace(profile, variants=forms, datasets=untagged), "controls-kitchen")
    assert [one.heading for one in table.groups] == [
        "Original Problems",
        "No-Candidate Perturbation",
    ]


def test_two_names_that_come_to_the_same_are_told_apart() -> None:
    first, *others = small_profile().models
    twin = replace(first, name="ant 1")
    found = tuple(replace(one, key=replace(one.key, model="ant 1"))
                  for one in small_profile().estimates
                  if one.key.model == ANT and one.kind is EstimateKind.VALUE)  # fmt: skip
    profile = replace(
        small_profile(),
        models=(first, twin, *others),
        estimates=(*small_profile().estimates, *found),
    )
    names = [one.name for one in tables(profile)]
    assert "accuracy-kitchen-ant-1-2" in names and len(names) == len(set(names))


def test_forms_that_differ_are_shown_however_many_there_are() -> None:
    profile = hand_made.thesis_profile()
    at = ResultKey("GPT-2", "WSC266", method="smart@1")
    ends = (at.replace(variant="switched"), at.replace(variant="tense"))
    changed = tuple(
        replace(one, p_adjusted=0.01) if (one.key, one.against) == ends else one
        for one in profile.estimates
    )
    table = named(replace(profile, estimates=changed), "forms-wsc266")
    # Measured as switched minus tense, and shown the other way round, as the forms stand.
    assert cell(table, ("GPT-2", "tense – switched", "a"), "Difference") == "+.100"
    assert cell(table, ("GPT-2", "tense – switched", "a"), "95 %") == "−.100 to +.200"


def test_a_relative_change_of_nothing_is_undefined_and_comes_last() -> None:
    rows = named(small_profile(), "ranking-kitchen").groups[0].rows
    assert [row[-2:] for row in rows[:2]] == [("–", "–")] * 2
    assert [row[1] for row in rows[2:]] == ["1. inverted (by-key)", "2. switched"]


def test_own_subsets_are_compared_with_their_complements() -> None:
    profile = small_profile()
    at = ResultKey(ANT, "kitchen", method="smart@1")
    own = hand_made.measurement(
        EstimateKind.DIFFERENCE,
        at.replace(subset="tall and old"),
        "schema-accuracy",
        0.25,
        against=at.replace(subset="not (tall and old)"),
        before=0.0,
        after=0.25,
    )
    table = named(replace(profile, estimates=(*profile.estimates, own)), "subsets-kitchen")
    row = (ANT, "original", "tall and old", "A")
    assert cell(table, row, "In Complement") == ".000" and cell(table, row, "Difference") == "+.250"
    assert "associative" not in {row[2] for group in table.groups for row in group.rows}


def test_ties_that_count_half_are_said_to() -> None:
    profile = small_profile()
    plan = replace(profile.record.plan, ties="half")
    half = replace(profile, record=replace(profile.record, plan=plan))
    assert any("count as half solved" in one for one in named(half, "perturbations-kitchen").notes)


def test_a_difference_turned_round_turns_its_interval_and_keeps_what_is_undefined() -> None:
    told: dict[str, Any] = {
        "low": -0.1,
        "high": 0.3,
        "before": 0.2,
        "after": 0.3,
        "p": 0.2,
        "thesis_p": 0.1,
    }
    told |= {"against": AT.replace(variant="b")}
    one = hand_made.measurement(EstimateKind.DIFFERENCE, AT, "a", 0.1, **told)
    other = turned(one)
    assert other is not None and other.key == AT.replace(variant="b") and other.against == AT
    assert (other.value, other.low, other.high, other.before) == (-0.1, -0.3, 0.1, 0.3)
    # The sign flip is the same from both sides; the thesis' test takes one side for its null.
    assert (other.p, other.thesis_p) == (0.2, None)
    unknown = turned(replace(one, value=None))
    assert unknown is not None and unknown.value is None
    assert turned(None) is None


def test_cells_that_repeat_those_above_are_empty_only_where_all_before_do() -> None:
    rows = [("ant", "a", "any"), ("bee", "a", "any"), ("bee", "a", "equal"), ("bee", "A", "any")]
    assert without_repeats(rows, left=3) == (
        ("ant", "a", "any"),
        ("bee", "a", "any"),
        ("", "", "equal"),
        ("", "A", "any"),
    )


def test_data_of_other_winograd_schemas_are_compared_as_in_another_table() -> None:
    both = tuple(replace(one, is_winograd=True) for one in small_profile().datasets)
    assert named(replace(small_profile(), datasets=both), "datasets-yard-kitchen").thesis == "4.5"


def test_what_was_requested_by_name_stands_first_among_what_was_skipped() -> None:
    gaps = (Skipped("tense", "not posed"), Skipped("ant", "no such model", is_named=True))
    first, second = named(hand_made.profile((), (), (), (), skipped=gaps), "skipped").groups
    assert (first.heading, first.rows) == ("Requested by name", (("ant", "no such model"),))
    assert second.heading == "Included only as part of “all”" and second.rows[0][0] == "tense"


def test_a_report_may_have_nothing_but_what_was_skipped() -> None:
    nothing = hand_made.profile((), (), (), (), skipped=(Skipped("ant", "no such model"),))
    assert [one.name for one in tables(nothing)] == ["skipped"]


def test_a_control_without_its_subsets_is_not_shown_as_if_it_had_them() -> None:
    profile = small_profile()
    kept = tuple(
        one
        for one in profile.estimates
        if one.key.variant != "no-candidate" or "associative" not in one.key.subset
    )
    table = named(replace(profile, estimates=kept), "controls-kitchen")
    assert [one.heading for one in table.groups] == ["Original Problems"]


def test_where_nothing_has_an_interval_none_is_explained() -> None:
    profile = small_profile()
    bare = tuple(replace(one, low=None, high=None) for one in profile.estimates)
    table = named(replace(profile, estimates=bare), "perturbations-kitchen")
    assert not any("percentile" in one for one in table.notes)
    assert "95 %" not in [one.heading for one in table.columns]
