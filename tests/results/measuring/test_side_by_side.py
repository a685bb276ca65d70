from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from horsesense.errors import MetricError, UnknownNameError
from horsesense.metrics import METRICS, match
from horsesense.metrics.statistics import compare, holm
from horsesense.results import ORIGINAL, Results, Skipped
from horsesense.results.measuring.across_runs import (
    SchemaFlip,
    Side,
    SideBySide,
    compare_sides,
    losses,
)
from tests.results.hand_made import Margins, profile

GOOD: Margins = {f"rope-{at}": [1.0 + at, 2.0] for at in range(12)}
BAD: Margins = {f"rope-{at}": [-1.0 - at, 2.0] for at in range(12)}
ORIGINALS = (ORIGINAL, "partial")


def side(answer_sets: Any, *, model: str = "ant", method: str = "", **settings: Any) -> Side:
    whole = profile(answer_sets, model=model, **settings)
    return Side(model, whole, whole.models[0], method)


def side_by_side(*sides: Side) -> SideBySide:
    return compare_sides(sides)


def changed(one: Side, **changes: Any) -> Side:
    """The same in a run of which something else was recorded."""
    record = replace(one.results.record, **changes)
    whole: Results = replace(one.results, record=record)
    return replace(one, results=whole)


def test_differences_are_those_of_the_second_minus_the_first() -> None:
    found = side_by_side(side({ORIGINALS: GOOD}), side({ORIGINALS: BAD}, model="bee"))
    (form,) = found.variants
    assert [row.difference.estimate for row in form.differences] == [-0.5, -1.0]
    assert (form.names, form.problems, form.schemas) == (("ant", "bee"), 24, 12)
    assert (form.of.model, form.against.model) == ("bee", "ant")
    assert [one.estimate for one in form.consistency] == [0.5, 0.0]
    assert found.skipped == ()


def test_it_is_the_comparison_that_statistics_makes_of_the_two_answer_sets() -> None:
    one, other = side({ORIGINALS: GOOD}), side({ORIGINALS: BAD}, model="bee")
    answer_sets = (next(iter(each.results.answer_sets.values())) for each in (one, other))
    metrics = [METRICS[name] for name in ("problem-accuracy", "schema-accuracy")]
    expected = compare(metrics, match(*answer_sets), resamples=200)
    assert side_by_side(one, other).variants[0].differences == expected.rows


def test_p_is_adjusted_over_all_forms_and_sides() -> None:
    both = {ORIGINALS: GOOD, ("switched", "partial"): GOOD}
    worse = {ORIGINALS: BAD, ("switched", "partial"): GOOD}
    sides = side(both), side(worse, model="bee"), side(both, model="cat")
    found = side_by_side(*sides)
    rows = [row for form in found.variants for row in form.differences]
    assert found.family.size == len(rows) == 8
    assert [row.adjusted_p for row in rows] == list(
        holm([row.test.p for row in rows if row.test]).ps
    )
    assert [form.names for form in found.variants] == [("ant", "bee")] * 2 + [("ant", "cat")] * 2


def test_schemas_that_one_side_solves_are_flips_sorted_by_margin() -> None:
    first: Margins = {"rope": [1.0, 2.0], "boat": [-1.0, 3.0], "raft": [1.0, 1.0], "tide": [1, 0]}
    second: Margins = {"rope": [1.5, -0.5], "boat": [4.0, 6.0], "raft": [2.0, 2.0], "tide": [1, 0]}
    found = side_by_side(side({ORIGINALS: first}), side({ORIGINALS: second}, model="bee"))
    assert found.variants[0].flips == (
        SchemaFlip("boat", (1, 2), -1.0, 4.0, True),
        SchemaFlip("rope", (1, 2), 1.0, -0.5, False),
    )


def test_worse_is_what_is_significant_and_beyond_delta() -> None:
    found = side_by_side(side({ORIGINALS: GOOD}), side({ORIGINALS: BAD}, model="bee"))
    assert [row.metric for _, row in losses(found)] == [
        "problem-accuracy",
        "schema-accuracy",
    ]
    assert [row.metric for _, row in losses(found, 0.5)] == ["schema-accuracy"]
    assert losses(side_by_side(*reversed(found.sides))) == ()


def test_a_few_schemas_are_no_proof_of_a_loss() -> None:
    few = [{name: margins[name] for name in list(margins)[:3]} for margins in (GOOD, BAD)]
    found = side_by_side(side({ORIGINALS: few[0]}), side({ORIGINALS: few[1]}, model="bee"))
    assert found.variants[0].differences[1].difference.estimate == -1.0
    assert losses(found) == ()


def test_less_accuracy_in_a_control_is_no_loss() -> None:
    control = ("no-candidate", "partial")
    found = side_by_side(
        side({ORIGINALS: GOOD, control: GOOD}), side({ORIGINALS: GOOD, control: BAD}, model="bee")
    )
    assert [row.difference.estimate for row in found.variants[1].differences] == [-0.5, -1.0]
    assert losses(found) == ()


def test_other_data_are_a_gap_and_the_rest_is_still_compared() -> None:
    found = side_by_side(
        side({ORIGINALS: GOOD}),
        side({ORIGINALS: GOOD}, model="bee", data_id="d2"),
        side({ORIGINALS: GOOD}, model="cat"),
    )
    assert found.skipped == (Skipped("quay", "the data differ: ant answered d1, bee answered d2"),)
    assert [form.names for form in found.variants] == [("ant", "cat")]


def test_problems_in_other_words_are_left_out() -> None:
    found = side_by_side(
        side({ORIGINALS: GOOD}), side({ORIGINALS: GOOD}, model="bee", wording="a ___ held")
    )
    told = [one.reason for one in found.skipped]
    assert told == [
        "entries left out as their texts differ between the runs: 12",
        "no problem was answered by both",
    ]
    assert found.variants == ()


def test_a_limit_is_a_gap_and_what_both_were_asked_is_compared() -> None:
    few = {name: GOOD[name] for name in list(GOOD)[:4]}
    found = side_by_side(side({ORIGINALS: GOOD}), side({ORIGINALS: few}, model="bee", first=4))
    (gap,) = found.skipped
    assert gap.where == "ant and bee"
    assert gap.reason.startswith(
        "ant answered all problems and bee answered the first 4 schemas and single problems;"
    )
    assert found.variants[0].schemas == 4
    assert not any("answered by one" in told for told in found.remarks)


def test_samples_of_other_seeds_are_a_gap() -> None:
    one, other = (
        side({ORIGINALS: GOOD}, model=model, sample=4, seed=seed)
        for seed, model in enumerate(("ant", "bee"))
    )
    assert (
        side_by_side(one, other)
        .skipped[0]
        .reason.startswith(
            "ant answered 4 schemas and single problems drawn with seed 0 and bee answered 4"
            " schemas and single problems drawn with seed 1;"
        )
    )


def test_what_only_one_was_asked_or_answered_is_a_remark() -> None:
    partly = {**GOOD, "rope-0": [1.0, None]}
    one = side({ORIGINALS: GOOD, ("switched", "partial"): GOOD})
    other = side({ORIGINALS: partly}, model="bee")
    found = side_by_side(one, other)
    assert found.skipped == ()
    assert found.remarks == (
        "only ant has this variant of quay: switched",
        "quay, original: problems left out because only one of the two answered them: 1",
    )
    renamed = replace(other.results, datasets=(replace(other.results.datasets[0], name="pier"),))
    found = side_by_side(one, replace(other, results=renamed))
    assert found.remarks == (
        "only ant has this dataset: quay",
        "only bee has this dataset: pier",
    )


def test_a_form_in_which_nothing_is_right_is_remarked_on() -> None:
    unlabelled = {"rope": ["none", "none"]}
    answer_sets = {ORIGINALS: GOOD, ("no-candidate", "partial"): unlabelled}
    found = side_by_side(side(answer_sets), side(answer_sets, model="bee"))
    assert len(found.variants) == 1
    assert found.remarks == (
        "quay, no-candidate: no problem is labelled, so there is no accuracy to compare",
    )


def test_a_method_without_answers_is_a_gap() -> None:
    answer_sets = {ORIGINALS: GOOD, (ORIGINAL, "full"): BAD, ("switched", "partial"): GOOD}
    found = side_by_side(side(answer_sets), side(answer_sets, model="bee", method="full"))
    assert found.skipped == (Skipped("quay, switched", "bee has no answers by full"),)
    assert [form.of.method for form in found.variants] == ["full"]
    unknown = side({ORIGINALS: GOOD}, model="bee")
    unknown = replace(unknown, model=replace(unknown.model, standard=()))
    found = side_by_side(side({ORIGINALS: GOOD}), unknown)
    assert found.skipped == (Skipped("quay, original", "bee has no answers by any method"),)


def test_a_method_that_is_the_best_is_flagged_unless_it_is_the_standard() -> None:
    answer_sets = {ORIGINALS: BAD, (ORIGINAL, "full"): GOOD, ("switched", "smart@1"): GOOD}
    plain = side(answer_sets, model="bee")
    assert side_by_side(plain, side(answer_sets, method="full")).remarks[0] == (
        "ant: full is its best method on quay (1.000); the standard is partial. Picking a"
        " method by its accuracy flatters the model"
    )
    for method in ("partial", "smart@1"):
        assert side_by_side(plain, side(answer_sets, method=method)).remarks == ()
    only = side({(ORIGINAL, "full"): GOOD}, method="full")
    assert not any("best" in told for told in side_by_side(only, plain).remarks)


def test_other_programs_and_settings_are_remarks() -> None:
    one = side({ORIGINALS: GOOD})
    later = side({ORIGINALS: GOOD}, model="bee", seed=3, ties="half", subsets=("tall",))
    told = side_by_side(one, later).remarks
    assert told == (
        "ant and bee: seed 0 and 3; the first is used",
        "ant and bee: ties failed and half; the first is used",
        "ant and bee: subsets none and tall; all problems are compared",
    )
    plain = side({ORIGINALS: GOOD}, model="bee")
    told = side_by_side(one, changed(plain, horsesense="2", program="p2")).remarks
    assert told == ("ant and bee: by horsesense 1 and 2",)
    (told_once,) = side_by_side(one, changed(plain, program="p2")).remarks
    assert "its code has changed" in told_once
    assert not side_by_side(one, changed(plain, program="p2")).skipped


def test_ties_count_by_the_rule_of_the_first() -> None:
    tied: Margins = {"rope": [0.0, 1.0], "boat": [1.0, 1.0]}
    halves = side({ORIGINALS: tied}, ties="half"), side({ORIGINALS: tied}, model="bee")
    assert side_by_side(*halves).variants[0].differences[0].one == 0.875
    assert side_by_side(*reversed(halves)).variants[0].differences[0].one == 0.75


def test_the_same_model_in_two_runs_is_said_to_be_the_same() -> None:
    one = replace(side({ORIGINALS: GOOD}), name="r1:ant")
    other = replace(side({ORIGINALS: GOOD}), name="r2:ant")
    found = side_by_side(one, other)
    assert found.remarks == ("r1:ant and r2:ant: the same model, by its fingerprint",)


def test_one_side_alone_and_unknown_methods_are_refused() -> None:
    with pytest.raises(MetricError, match="two models"):
        side_by_side(side({ORIGINALS: GOOD}))
    with pytest.raises(UnknownNameError, match="method of bee"):
        side_by_side(side({ORIGINALS: GOOD}), side({ORIGINALS: GOOD}, model="bee", method="x"))
