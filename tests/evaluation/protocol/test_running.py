"""A plan from its names to its profile, with rules in the place of models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import ModelError
from horsesense.evaluation.protocol import Progress, run_protocol
from horsesense.models import Baseline, Model, Query, load_model, make_baseline
from horsesense.results import ALL, ORIGINAL, ResultKey, Skipped
from horsesense.schema import Dataset, Problem
from horsesense.store import Store, keep_run, list_runs, load_run
from tests.evaluation.inference.word_model import WordModel
from tests.evaluation.protocol.conftest import Folders
from tests.evaluation.protocol.pantry import SHELF, evaluated, plan, source, stored, write


class _Failing(Baseline):
    """A rule that fails until it is told otherwise."""

    def __init__(self, rule: Any) -> None:
        self.rule, self.info, self.is_failing = rule, rule.info, True

    def costs(self, problem: Problem) -> tuple[float, ...]:
        if self.is_failing:
            raise ModelError("out of luck")
        costs: tuple[float, ...] = self.rule.costs(problem)
        return costs


def test_a_plan_becomes_a_profile(fresh_store: Store, tmp_path: Path) -> None:
    stored(fresh_store)
    chosen = plan(data=("pantry", write(tmp_path, SHELF)), perturbations=("all",))
    profile = run_protocol(chosen, fresh_store)
    assert [one.name for one in profile.datasets] == ["pantry", "shelf"]
    assert [one.version for one in profile.datasets] == [1, 0]
    assert [one.name for one in profile.models] == ["random", "first", "longer"]
    assert all(one.is_baseline for one in profile.models)
    found = {(form.dataset, form.name) for form in profile.variants}
    assert {(at.dataset, at.variant) for at in profile.answer_sets} == found
    assert {(one.dataset, one.variant) for one in profile.problems} == found
    at = profile.standard(profile.models[1], "pantry")
    accuracy = profile.value(at, "problem-accuracy")
    assert accuracy is not None and (accuracy.value, accuracy.n_problems) == (0.5, 8)
    schemas = profile.value(at, "schema-accuracy")
    assert schemas is not None and schemas.value == 0.0


def test_problems_are_told_in_words() -> None:
    profile = evaluated(first=1)
    first, second = profile.problems
    assert (first.entry, first.number, first.label, second.label) == ("jam", 1, 0, 1)
    assert first.options == ("the jam", "the jar")
    assert first.sentences[0] == (
        "The jam would not go into the jar because the jam was too thick."
    )
    assert "the jam" not in first.statement.lower().split("because")[1]


def test_baselines_are_there_once_though_they_are_named() -> None:
    profile = evaluated(models=("longer", "random"))
    assert [one.name for one in profile.models] == ["longer", "random", "first"]


def test_a_second_run_is_loaded_and_not_computed(
    fresh_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = evaluated(fresh_store)
    monkeypatch.setattr("horsesense.evaluation.protocol.running.pose_all", None)
    second = evaluated(fresh_store)
    assert second.record == first.record
    assert (second.estimates, dict(second.answer_sets)) == (
        first.estimates,
        dict(first.answer_sets),
    )
    assert (second.problems, second.variants, second.skipped) == (
        first.problems, first.variants, first.skipped,
    )  # fmt: skip


def test_a_fresh_run_finds_the_same(fresh_store: Store) -> None:
    first = evaluated(fresh_store, perturbations=("all",))
    fresh = run_protocol(first.record.plan, fresh_store, data=[source()], fresh=True)
    assert fresh.record.key == first.record.key
    assert fresh.estimates == first.estimates
    assert len(list_runs(fresh_store)) == 1


def test_a_fresh_run_replaces_the_one_that_is_kept_if_it_may(fresh_store: Store) -> None:
    chosen, data = plan(seed=5), [source()]
    first = run_protocol(chosen, fresh_store, data=data)
    keep_run(fresh_store, replace(first, estimates=()), replace=True)  # as if it were wrong
    assert not run_protocol(chosen, fresh_store, data=data).estimates
    beside = run_protocol(chosen, fresh_store, data=data, fresh=True, replace=False)
    assert beside.estimates and not load_run(fresh_store).estimates
    fresh = run_protocol(chosen, fresh_store, data=data, fresh=True)
    kept = load_run(fresh_store)
    assert (kept.record, kept.estimates) == (fresh.record, first.estimates)
    assert len(list_runs(fresh_store)) == 1


def test_a_run_in_which_a_model_failed_is_not_kept_and_the_next_asks_again(
    fresh_store: Store, kept_folders: Folders
) -> None:
    said: list[str] = []
    chosen, failing = plan(methods=("standard",)), _Failing(load_model("random@3"))
    models: list[str | Model] = [str(kept_folders("gpt2")), failing]
    first = run_protocol(chosen, fresh_store, models=models, data=[source()], note=said.append)
    canaries, failed = first.skipped
    assert failed == Skipped("random@3", "out of luck", is_named=True)
    assert not list_runs(fresh_store)
    [*_, told] = said
    assert told.startswith("random@3 failed, so the run is not stored")
    failing.is_failing = False
    second = run_protocol(chosen, fresh_store, models=models, data=[source()])
    assert second.record.key == first.record.key
    # Its weights are random, so it fails the canaries, in the second run by its stored answers.
    assert canaries.where == "gpt2, canaries" and not canaries.is_named
    assert second.skipped == (canaries,)
    assert [model.name for model in second.models[:2]] == ["gpt2", "random@3"]
    assert [one.record for one in list_runs(fresh_store)] == [second.record]


@pytest.mark.parametrize(
    ("server", "remedy"), [("", "download them again"), ("vllm 0.32.0", "check the server: ")]
)
def test_a_model_that_fails_the_canaries_is_to_be_downloaded_unless_it_is_served(
    server: str, remedy: str
) -> None:
    class Even(WordModel):
        def answer_singly(self, query: Query) -> tuple[float, ...]:
            return tuple(-1.0 - at for at in range(query.size))

    even = Even()
    even.info = replace(even.info, server=server)
    results = run_protocol(plan(methods=("partial",)), None, models=[even], data=[source()])
    [canaries] = [each for each in results.skipped if each.where == "words, canaries"]
    assert canaries.reason.startswith("every option gets the same score: ")
    assert remedy in canaries.reason


def test_names_and_objects_go_together_and_the_record_tells_which_were_which(
    tmp_path: Path,
) -> None:
    models: list[str | Model] = ["random", load_model("random@3")]
    data: list[str | Dataset] = [write(tmp_path, SHELF), source()]
    profile = run_protocol(plan(), None, models=models, data=data)
    assert [one.name for one in profile.models] == ["random", "random@3", "first", "longer"]
    assert [one.name for one in profile.datasets] == ["shelf", "pantry"]
    assert profile.record.in_memory == ("random@3", "pantry")
    assert not profile.record.is_repeatable
    assert run_protocol(plan(data=(write(tmp_path),)), None).record.is_repeatable


def test_a_store_that_cannot_be_written_to_is_no_hindrance(
    fresh_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(fresh_store)
    monkeypatch.setattr(fresh_store, "is_read_only", True)
    said: list[str] = []
    profile = run_protocol(plan(data=("pantry",)), fresh_store, note=said.append)
    assert profile.estimates and not list_runs(fresh_store)
    assert said == [f"{fresh_store.path} cannot be written to, so the run is not stored"]


def test_progress_is_told_stage_by_stage() -> None:
    told: list[Progress] = []
    run_protocol(plan(), None, data=[source()], on_progress=told.append)
    assert {one.stage for one in told} == {"measuring"}  # rules are asked nothing
    assert (told[-1].done, told[-1].cached) == (told[-1].total, 0)
    total = told[-1].total
    assert [(step.done, step.total) for step in told] == [(at, total) for at in range(1, total + 1)]


def test_models_and_data_can_be_given_as_they_are() -> None:
    given = [load_model("first"), load_model("random@3")]
    profile = run_protocol(plan(models=("whatever",)), None, models=given, data=[source()])
    assert [one.name for one in profile.models] == ["first", "random@3", "longer"]


def test_models_of_one_name_are_told_apart() -> None:
    named = [
        replace(make_baseline("random", seed), info=declared)
        for seed in (1, 2)
        for declared in [replace(load_model(f"random@{seed}").info, name="mine")]
    ]
    profile = run_protocol(plan(), None, models=named, data=[source()])
    names = [each.name for each in profile.models]
    assert len(set(names)) == 4 and all(name.startswith("mine@") for name in names[:2])


def test_addresses_of_answer_sets_are_of_all_problems() -> None:
    assert ResultKey("random", "pantry", ORIGINAL, ALL, "choice") in evaluated().answer_sets
