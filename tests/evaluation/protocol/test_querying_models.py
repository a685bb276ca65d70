"""Language models asked by the protocol: the embedded default, and a small one of each family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from horsesense.errors import ModelError
from horsesense.evaluation.protocol import Progress, run_protocol
from horsesense.evaluation.protocol.estimate import estimate
from horsesense.models import EMBEDDED, load_model
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.results import ORIGINAL, Plan, ResultKey, Results, Skipped
from horsesense.schema import Dataset, Entry, Header
from horsesense.schema.notation import parse_grid
from horsesense.scoring.outcome import EQUAL_LENGTH
from horsesense.store import Store
from tests.embedded import embedded_default
from tests.evaluation.protocol.conftest import Folders
from tests.evaluation.protocol.pantry import SHELF, plan, source

DATA = (source(), source(SHELF))


@dataclass(frozen=True)
class Asked:
    """A small model on both datasets in all their forms, and the store in which all is kept."""

    plan: Plan
    store: Store
    profile: Results


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, kept_folders: Folders) -> Iterator[Asked]:
    # Of small batches there are many, so that one can stop in the middle.
    chosen = plan(models=(str(kept_folders("gpt2")),), perturbations=("all",), batch=64)
    with Store.create_or_open(tmp_path_factory.mktemp("asked") / "store.db") as store:
        yield Asked(chosen, store, run_protocol(chosen, store, data=DATA))


def test_the_embedded_default_is_asked_a_few_questions() -> None:
    given = embedded_default()
    chosen = plan(methods=("standard",), first=1)
    profile = run_protocol(chosen, None, models=[given], data=[source()])
    model, *_ = profile.models
    assert (model.name, model.fingerprint) == (EMBEDDED, given.info.fingerprint)
    assert {cost for one in profile.tokens for cost in one.costs[:1]} == {None}
    assert model.method_for("pantry") == "smart@1"


def test_models_come_before_baselines_and_have_a_standard_method(asked: Asked) -> None:
    model, *baselines = asked.profile.models
    assert (model.name, model.family, model.is_baseline) == ("gpt2", "causal", False)
    assert [one.name for one in baselines] == ["first", "longer"]
    assert dict(model.standard) == {"pantry": "smart@1", "shelf": "smart@1"}
    answer_set = asked.profile.answer_sets[asked.profile.standard(model, "pantry")]
    assert EQUAL_LENGTH in answer_set.marks


def test_methods_without_any_score_are_told_once_with_the_reason(asked: Asked) -> None:
    [model, *_] = asked.profile.models
    assert "full" not in model.methods and "partial" in model.methods
    [gap] = [gap for gap in asked.profile.skipped if gap.where == "gpt2"]
    assert gap.reason.startswith(
        "not scored by full, mean-full, normalized-full, mean-normalized-full: the model has no BOS"
    )
    assert gap.reason.endswith("; use --frequencies FILE to provide a table") and not gap.is_named


def test_the_tokens_of_an_option_read_as_its_sentence(asked: Asked) -> None:
    profile = asked.profile
    sentences = {
        (one.dataset, one.entry, one.number, option): sentence
        for one in profile.problems
        if one.variant == ORIGINAL
        for option, sentence in enumerate(one.sentences)
    }
    assert len(profile.tokens) == len(sentences) == 24
    for one in profile.tokens:
        assert "".join(one.texts) == sentences[one.dataset, one.entry, one.number, one.option]
        assert one.costs[0] is None and all(cost is not None for cost in one.costs[1:])
    first = profile.tokens[0]
    blank = [text for text, part in zip(first.texts, first.parts, strict=True) if part == "blank"]
    assert "".join(blank).strip() == "the jam"


def test_costs_of_tokens_add_up_to_the_score(asked: Asked) -> None:
    profile = asked.profile
    answer_set = profile.answer_sets[ResultKey("gpt2", "pantry", method="partial")]
    costs = {one.problem: one.outcome.costs for one in answer_set.answers}
    of_pantry = [one for one in profile.tokens if one.dataset == "pantry"]
    for one in of_pantry:
        parts = zip(one.parts, one.costs, strict=True)
        after = sum(cost or 0.0 for part, cost in parts if part == "suffix")
        assert after == pytest.approx(costs[one.entry, one.number][one.option], abs=1e-4)


def test_a_second_run_with_other_resamples_asks_nothing(asked: Asked) -> None:
    first = asked.profile
    assert first.record.asked == first.record.queries > 0
    told: list[Progress] = []
    again = replace(asked.plan, resamples=150, batch=None)
    second = run_protocol(again, asked.store, data=DATA, on_progress=told.append)
    assert (second.record.queries, second.record.asked) == (first.record.queries, 0)
    asking = [one for one in told if one.stage == "querying gpt2"]
    assert [(one.done, one.cached) for one in asking] == [(one.total, one.total) for one in asking]
    assert dict(second.answer_sets) == dict(first.answer_sets)


def test_an_interrupted_run_goes_on_and_finds_the_same(asked: Asked, store_path: Path) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.stage.startswith("querying") and progress.done > progress.total // 2:
            raise KeyboardInterrupt

    with Store.create_or_open(store_path) as store:
        with pytest.raises(KeyboardInterrupt):
            run_protocol(asked.plan, store, data=DATA, on_progress=interrupt)
        profile = run_protocol(asked.plan, store, data=DATA)
    whole = asked.profile
    assert 0 < profile.record.asked < profile.record.queries
    assert profile.record.key == whole.record.key
    assert dict(profile.answer_sets) == dict(whole.answer_sets)
    assert profile.tokens == whole.tokens
    assert profile.estimates == whole.estimates


def test_what_is_stored_takes_no_time_and_what_is_not_does(asked: Asked) -> None:
    profile = asked.profile
    [stored] = estimate(asked.plan, asked.store, data=DATA).models
    assert (stored.queries, stored.cached) == (profile.record.queries, profile.record.queries)
    assert (stored.tokens, stored.seconds) == (0, 0.0)
    cold = estimate(asked.plan, None, data=DATA)
    [missing] = cold.models
    assert (missing.queries, missing.cached) == (stored.queries, 0)
    assert missing.tokens > 0 and missing.seconds and cold.minutes == missing.seconds / 60
    assert (missing.requests, missing.cost) == (0, None)
    assert (cold.queries, cold.cached, cold.tokens) == (missing.queries, 0, missing.tokens)
    assert cold.problems == len(profile.problems) and cold.forms == len(profile.variants)
    assert cold.datasets == 2 and cold.sentences <= 2 * cold.problems
    asked_of_model = ("gpt2", "gpt2, canaries")
    assert cold.skipped == tuple(
        skipped for skipped in profile.skipped if skipped.where not in asked_of_model
    )


def test_an_estimate_lets_go_of_the_models_that_it_has_loaded(
    kept_folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    released: list[str] = []
    monkeypatch.setattr(HuggingFaceModel, "release", lambda self: released.append(self.info.name))
    folder = str(kept_folders("gpt2"))
    estimate(plan(models=(folder,), methods=("standard",)), None, data=[source()])
    assert len(released) == 1
    given = load_model(folder)
    estimate(plan(methods=("standard",)), None, models=[given], data=[source()])
    assert len(released) == 1  # what somebody else has loaded is theirs


@pytest.mark.parametrize(
    ("name", "standard"),
    [("bert", ("mean-statement", "mean-statement")), ("t5", ("mean-prefix", "mean"))],
)
def test_a_model_of_another_family_is_asked_in_its_own_way(
    kept_folders: Folders, name: str, standard: tuple[str, str]
) -> None:
    chosen = plan(models=(str(kept_folders(name)),))
    profile = run_protocol(chosen, None, data=DATA)
    [model, *_] = profile.models
    assert model.name == name  # and not the whole path
    assert tuple(method for _, method in model.standard) == standard
    sentences = {(one.entry, one.number): one.sentences for one in profile.problems}
    for one in profile.tokens:
        wanted = sentences[one.entry, one.number][one.option]
        assert "".join(one.texts).lower() == wanted.lower()
        assert set(one.parts) <= {"prefix", "blank", "suffix"}
        assert any(cost is not None for cost in one.costs)
    answer_set = profile.answer_sets[profile.standard(model, "pantry")]
    assert len(answer_set.answers) == 8


def test_only_the_standard_methods_can_be_asked_for(kept_folders: Folders) -> None:
    chosen = plan(models=(str(kept_folders("t5")),), methods=("standard",))
    profile = run_protocol(chosen, None, data=DATA)
    assert profile.models[0].methods == ("mean-prefix", "mean")


def test_of_named_methods_each_family_takes_its_own(kept_folders: Folders) -> None:
    folders = [str(kept_folders(name)) for name in ("gpt2", "bert")]
    chosen = plan(models=(*folders, "random"), methods=("loss", "smart@3", "answer"))
    profile = run_protocol(chosen, None, data=[source()])
    methods = {one.name: one.methods for one in profile.models[:2]}
    assert methods == {"gpt2": ("loss", "smart@3"), "bert": ("loss", "answer")}
    assert [one.method_for("pantry") for one in profile.models[:2]] == ["loss", "loss"]


def test_a_model_that_cannot_be_asked_is_missing_and_the_others_are_asked(
    kept_folders: Folders,
) -> None:
    folders = [str(kept_folders(name)) for name in ("gpt2", "bert")]
    profile = run_protocol(plan(models=tuple(folders), methods=("partial",)), None, data=[source()])
    assert [one.name for one in profile.models] == ["gpt2", "first", "longer"]
    told = "none of the requested methods is for masked models"
    assert Skipped("bert", told, is_named=True) in profile.skipped
    with pytest.raises(ModelError, match="none of the requested methods"):
        run_protocol(plan(models=(folders[1],), methods=("partial",)), None, data=[source()])
    assert (
        Skipped("bert", told, is_named=True)
        in estimate(
            plan(models=tuple(folders), methods=("partial",)), None, data=[source()]
        ).skipped
    )


def test_a_table_of_frequencies_gives_the_first_token_its_probability(
    kept_folders: Folders, tmp_path: Path
) -> None:
    table = tmp_path / "table.txt"
    table.write_text("4\n{464: 3, 40000: 1}", encoding="utf-8")
    folders = [str(kept_folders(name)) for name in ("gpt2", "bert")]
    chosen = plan(models=tuple(folders), frequencies=str(table))
    profile = run_protocol(chosen, None, data=[source()])
    assert "full" in profile.models[0].methods
    told = "the table of token frequencies does not match its vocabulary, and is not used"
    assert [gap for gap in profile.skipped if "table" in gap.reason] == [Skipped("bert", told)]
    assert all(one.costs[0] is not None for one in profile.tokens if one.model == "gpt2")


def test_forms_on_which_a_method_has_no_score_are_told(kept_folders: Folders) -> None:
    # A minimal pair has no blank, and nothing after it.
    pairs = [Entry(f"e{n}", parse_grid(f"<{n} pans are on*, {n} pans is on>")) for n in (2, 3)]
    chosen = plan(models=(str(kept_folders("gpt2")),), methods=("partial", "loss"))
    profile = run_protocol(chosen, None, data=[Dataset(Header("ends"), pairs), source()])
    [gap] = [gap for gap in profile.skipped if gap.where.startswith("gpt2 on")]
    assert gap.where == "gpt2 on ends, original"
    assert gap.reason.startswith("not scored by partial: ")
    assert dict(profile.models[0].standard)["ends"] == "loss"
    with pytest.raises(ModelError, match="gpt2 could not be scored by any method"):
        run_protocol(
            replace(chosen, methods=("partial",)), None, data=[Dataset(Header("e"), pairs)]
        )
