"""What cannot be had or done: the rest is done, or an error says that nothing is left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import HorsesenseError, ModelError, UnknownNameError, UnreadableError
from horsesense.evaluation.protocol import Progress, run_protocol
from horsesense.evaluation.protocol.estimate import estimate
from horsesense.evaluation.protocol.plans import PlanError
from horsesense.metrics import Ties
from horsesense.results import Results, Skipped
from horsesense.results.record import TIES
from tests.evaluation.inference.stand_in import StandIn
from tests.evaluation.protocol.pantry import SHELF, evaluated, plan, source, write


def gaps_of(profile: Results) -> dict[str, str]:
    return {gap.where: gap.reason for gap in profile.skipped}


def test_a_model_that_cannot_be_loaded_is_missing_and_the_rest_is_done() -> None:
    profile = evaluated(models=("random", "./nowhere"))
    assert "./nowhere" in gaps_of(profile)
    assert profile.estimates


def test_data_that_cannot_be_read_are_missing(tmp_path: Path) -> None:
    bad = write(tmp_path, "a jar <is open\n", "bad.schemas")
    chosen = plan(data=(write(tmp_path), bad, "hs-wino"))
    found = gaps_of(run_protocol(chosen, None))
    assert set(found) == {"bad", "hs-wino"}
    assert "did you mean hs-winograd" in found["hs-wino"]


def test_of_two_datasets_of_one_name_one_is_missing(tmp_path: Path) -> None:
    other = write(tmp_path, SHELF.replace("name: shelf", "name: pantry"), "other.schemas")
    profile = run_protocol(plan(data=(write(tmp_path), other)), None)
    assert len(profile.datasets) == 1
    assert gaps_of(profile) == {"pantry": "another dataset has the same name; rename one"}


def test_a_perturbation_that_does_not_apply_is_missing() -> None:
    profile = evaluated(text=SHELF, perturbations=("switched",))
    assert "shelf, switched" in gaps_of(profile)
    assert [form.name for form in profile.variants] == ["original"]


def test_an_empty_subset_and_one_that_nobody_knows_are_told_once() -> None:
    empty, unseen = "kitchen and not kitchen", "equal-length"
    profile = evaluated(subsets=("kitchen", empty, unseen), perturbations=("by-key",))
    assert profile.skipped == (
        Skipped("pantry", f"no problem is in subset {empty!r}", is_named=True),
        Skipped(
            "pantry",
            "no problem is in subset 'equal-length': baselines see no tokens, and chat models"
            " show none",
            is_named=True,
        ),
    )
    at = profile.standard(profile.models[0], "pantry").replace(subset="kitchen")
    measured = profile.value(at, "problem-accuracy")
    assert measured is not None and measured.n_problems == 6


def test_a_subset_of_one_dataset_is_missing_in_the_other() -> None:
    profile = run_protocol(plan(subsets=("kitchen",)), None, data=[source(), source(SHELF)])
    assert list(gaps_of(profile)) == ["shelf"]
    assert "no mark of a problem named 'kitchen'" in gaps_of(profile)["shelf"]


def test_a_subset_of_no_dataset_is_refused_before_a_model_is_asked() -> None:
    stages: list[Progress] = []
    with pytest.raises(UnknownNameError, match="did you mean kitchen"):
        run_protocol(plan(subsets=("kichen",)), None, data=[source()], on_progress=stages.append)
    assert not stages


def test_rules_for_ties_are_those_of_the_metrics() -> None:
    assert tuple(Ties) == TIES


def test_rules_have_a_method_of_their_own_whatever_is_asked_of_models() -> None:
    profile = evaluated(methods=("partial",))
    assert {one.methods for one in profile.models} == {("choice",)}


def test_a_method_that_nobody_has_is_missing() -> None:
    told = "no model of the run is of a family that has this method"
    wanted = Skipped("method partial", told, is_named=True)
    assert evaluated(methods=("partial", "choice", "standard")).skipped == (wanted,)


@pytest.mark.parametrize(
    "chosen",
    [
        {"models": ("random", "./nowhere")},
        {"perturbations": ("voice",)},
        {"subsets": ("equal-length",)},
        {"methods": ("partial",)},
    ],
)
def test_what_was_asked_for_by_its_name_is_told_from_the_rest(chosen: dict[str, Any]) -> None:
    assert [gap.is_named for gap in evaluated(**chosen).skipped] == [True]


def test_of_all_that_may_apply_nothing_was_asked_for_by_its_name() -> None:
    profile = evaluated(perturbations=("all",))
    assert profile.skipped and not any(gap.is_named for gap in profile.skipped)


def test_what_is_left_out_of_a_published_file_is_told() -> None:
    held = replace(source(), remarks=("3 faults in pantry.txt left out",))
    profile = run_protocol(plan(), None, data=[held])
    assert gaps_of(profile) == {"pantry": "3 faults in pantry.txt left out"}


def test_without_a_model_nothing_is_left() -> None:
    with pytest.raises(HorsesenseError, match="there is no model to evaluate: the plan has none"):
        evaluated(models=())
    with pytest.raises(HorsesenseError) as caught:
        evaluated(models=("./here", "./there"))
    assert "\n  ./here: " in str(caught.value) and "\n  ./there: " in str(caught.value)


def test_the_only_model_that_cannot_be_loaded_is_an_error_of_its_kind() -> None:
    with pytest.raises(HorsesenseError) as caught:
        evaluated(models=("./nowhere",))
    assert caught.value.exit_code > 1


def test_without_data_nothing_is_left() -> None:
    with pytest.raises(UnknownNameError, match="no dataset named 'cellar'"):
        run_protocol(plan(data=("cellar",)), None)


def test_without_a_problem_nothing_is_left() -> None:
    with pytest.raises(
        HorsesenseError, match="there are no problems by answer: the dataset is empty"
    ):
        run_protocol(plan(), None, data=[replace(source(), entries=())])


@pytest.mark.parametrize(
    ("chosen", "error", "told"),
    [
        ({"perturbations": ("swiched",)}, UnknownNameError, "did you mean switched"),
        ({"methods": ("partail",)}, UnknownNameError, "did you mean partial"),
        ({"straddling": "both"}, UnknownNameError, "way to count straddling tokens"),
        ({"ties": "won"}, UnknownNameError, "no rule for ties named 'won'"),
        ({"wrapper": "It is so that"}, HorsesenseError, "a wrapper has one truth pair"),
        ({"subsets": ("kitchen and",)}, PlanError, "invalid subset: .*\n.*kitchen and"),
        ({"subsets": ("kitchen or attic",)}, UnknownNameError, "mark of a problem named 'att"),
        ({"perturbations": ("none", "all")}, PlanError, "'none' cannot be combined"),
        ({"first": 0}, PlanError, "first is 0, but must be a whole number from 1 to"),
        ({"first": "3"}, PlanError, "first is '3', but must be a whole number"),
        ({"first": 2.5}, PlanError, "first is 2.5, but must be a whole number"),
        ({"first": True}, PlanError, "first is True, but must be a whole number"),
        ({"resamples": 10**11}, PlanError, "must be a whole number from 1 to 10000000"),
        ({"seed": -1}, PlanError, "seed is -1"),
        ({"memory": -1}, PlanError, "memory is -1, but must be a number from 0.01 to 10000"),
        ({"dtype": "float23"}, UnknownNameError, "did you mean float32"),
        ({"device": "tpu"}, ModelError, "'tpu' is not a valid device"),
    ],
)
def test_what_is_misspelt_is_refused_before_anything_is_done(
    chosen: dict[str, Any], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        evaluated(**chosen)


SNOW = """\
---
name: snow
---
the kite <climbed, sank> in the {rising, dying} wind
    id: kite

the ☃ <melted, froze> in the {sun, frost}
    id: snowman
"""


def test_problems_that_a_model_cannot_read_are_an_error_or_left_out() -> None:
    chosen = plan(perturbations=("by-key",), methods=("standard",))
    with pytest.raises(
        UnreadableError, match="in 'The ☃ melted in the sun.'.*\n  use --keep-going"
    ):
        run_protocol(chosen, None, models=[StandIn()], data=[source(SNOW)])
    going = replace(chosen, keep_going=True)
    profile = run_protocol(going, None, models=[StandIn()], data=[source(SNOW)])
    (gap,) = [gap for gap in profile.skipped if gap.where == "stand-in on snow"]
    assert gap.is_named
    assert gap.reason.startswith(
        "4 problems skipped, as it cannot tokenize them (original: snowman 1, snowman 2; by-key: "
        "snowman 1, snowman 2); the first: stand-in has no token for '☃' in 'The ☃ melted"
    )
    model, *_ = profile.models
    answer_set = profile.answer_sets[profile.standard(model, "snow")]
    assert {one.entry for one in answer_set.answers} == {"kite"}
    assert "2 problems without a score: the model cannot read it" in answer_set.remarks
    baseline = profile.answer_sets[profile.standard(profile.models[-1], "snow")]
    assert {one.entry for one in baseline.answers} == {"kite", "snowman"}


def test_of_many_problems_that_cannot_be_read_some_are_named() -> None:
    text = SNOW + "".join(
        f"\nthe ☃ <fell, rose> {{by, to}} {at}\n    id: s{at}\n" for at in range(12)
    )
    chosen = plan(keep_going=True, methods=("standard",))
    profile = run_protocol(chosen, None, models=[StandIn()], data=[source(text)])
    (gap,) = [gap for gap in profile.skipped if gap.where == "stand-in on snow"]
    assert gap.reason.startswith("26 problems skipped") and "s8 2 and 6 more);" in gap.reason


def test_a_dry_run_leaves_the_same_out() -> None:
    chosen = plan(methods=("standard",))
    refused = estimate(chosen, None, models=[StandIn()], data=[source(SNOW)])
    assert not refused.models and "☃" in refused.skipped[0].reason
    found = estimate(
        replace(chosen, keep_going=True), None, models=[StandIn()], data=[source(SNOW)]
    )
    assert found.models[0].queries == 4
