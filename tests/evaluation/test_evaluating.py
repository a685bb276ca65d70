from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import (
    HorsesenseError,
    ModelError,
    NotationErrors,
)
from horsesense.evaluation import evaluate
from horsesense.evaluation.protocol import Progress
from horsesense.metrics import Ties
from horsesense.models import Baseline, Family, ModelInfo
from horsesense.schema import Dataset, Header, Problem
from horsesense.store import Store
from tests.evaluation.evaluated import SCHEMAS, by_words, entries_of, numbers
from tests.evaluation.inference.stand_in import StandIn, declared


def test_an_object_of_the_protocol_is_evaluated_on_schemas_in_a_list() -> None:
    found = by_words()
    assert [one.name for one in found.models] == ["stand-in", "first", "longer"]
    assert [one.name for one in found.datasets] == ["own"]
    assert [one.name for one in found.variants] == ["original", "switched", "no-candidate"]
    assert found.datasets[0].schemas == 3


def test_schemas_entries_and_a_file_come_to_the_same(tmp_path: Path) -> None:
    path = tmp_path / "own.schemas"
    path.write_text("\n".join(SCHEMAS))
    entries = entries_of("\n".join(SCHEMAS))
    source = Dataset(Header("own"), entries)
    for data in (
        "\n".join(SCHEMAS),
        path,
        str(path),
        entries,
        source,
        [*entries[:1], *SCHEMAS[1:]],
    ):
        found = evaluate("first", data, perturbations="none")
        assert numbers(found) == numbers(evaluate("first", SCHEMAS, perturbations="none"))


def test_names_beside_objects_are_found() -> None:
    found = evaluate(
        [StandIn(), "random"], ["hs-winograd", *SCHEMAS], perturbations="none", first=3
    )
    names = [one.name for one in found.models]
    assert names == ["stand-in", "random", "first", "longer"]
    assert [one.name for one in found.datasets] == ["hs-winograd", "own"]


@pytest.mark.parametrize("other", ["random", StandIn()])
def test_a_name_that_cannot_be_had_is_a_gap_whatever_stands_beside_it(other: Any) -> None:
    found = evaluate(["no/such-model", other], [SCHEMAS[0], "no-such-data"], perturbations="none")
    assert {one.where for one in found.skipped} >= {"no/such-model", "no-such-data"}


def test_what_was_in_memory_is_recorded_so() -> None:
    few: dict[str, Any] = {"perturbations": "none", "methods": "standard", "first": 1}
    mixed = evaluate(["random", StandIn()], ["hs-winograd", SCHEMAS[0]], **few)
    assert mixed.record.in_memory == ("stand-in", "own")
    assert evaluate("random", "hs-winograd", **few).record.is_repeatable


class Shortest(Baseline):
    """A baseline that prefers the shortest sentence."""

    info: ModelInfo = declared(Family.BASELINE, name="shortest")

    def costs(self, problem: Problem) -> tuple[float, ...]:
        return tuple(float(len(sentence.text)) for sentence in problem.sentences)


def test_a_baseline_of_ones_own_is_evaluated() -> None:
    found = evaluate(Shortest(), SCHEMAS, perturbations="none")
    assert next(one.name for one in found.models if one.is_baseline) == "shortest"
    answers = found.answers.to_pandas()
    own = answers[answers.model == "shortest"]
    assert list(own.choice_option[2:4]) == ["the ladle", "the ladle"]
    assert set(own.reason[:2]) == {"undecided"}


def test_a_tokenizer_for_nobody_is_refused() -> None:
    with pytest.raises(ModelError, match="is only used with a loaded model"):
        evaluate("first", SCHEMAS, tokenizer=object())


class Mute:
    """What can answer, and cannot read."""

    info = declared()

    def answer(self) -> None: ...


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (17, "int is not a model: pass a name, a folder"),
        (Mute(), "Mute is not a model: .* inherits horsesense.models.LanguageModel, ChatModel or"),
        ([], "model is empty"),
    ],
)
def test_what_is_no_model_is_refused(model: Any, said: str) -> None:
    with pytest.raises(HorsesenseError, match=said):
        evaluate(model, SCHEMAS)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (17, "int is not data: pass the name of a dataset"),
        ([], "data is empty"),
        ({"towel": SCHEMAS[0]}, "dict is not data"),
        (b"towel", "bytes is not data"),
        ("no-such-data", "no-such-data"),
    ],
)
def test_what_is_no_data_is_refused(data: Any, said: str) -> None:
    with pytest.raises(HorsesenseError, match=said):
        evaluate("first", data)


def test_a_data_frame_is_no_data() -> None:
    frame = by_words().problems.to_pandas()
    with pytest.raises(HorsesenseError, match="DataFrame is not data"):
        evaluate("first", frame)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"first": "3"}, "first is '3', but must be a whole number from 1"),
        ({"first": 2.5}, "first is 2.5, but must be a whole number"),
        ({"first": True}, "first is True"),
        ({"first": 0}, "first is 0"),
        ({"seed": -1}, "seed is -1, but must be a whole number from 0"),
        ({"resamples": 0}, "resamples is 0"),
        ({"store": 5}, "store is 5; pass a path or an open store"),
        ({"methods": 5}, "methods is 5; pass a name or a list of names"),
        ({"subsets": {"associative": True}}, "subsets is {"),
        ({"perturbations": ["switched", None]}, "perturbations is None; pass a string"),
        ({"ties": 5}, "ties is 5; pass a string"),
        ({"ties": "maybe"}, "no rule for ties named 'maybe'"),
        ({"wrapper": "perhaps"}, "no wrapper named 'perhaps'"),
    ],
)
def test_what_cannot_be_set_so_is_told(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(HorsesenseError, match=said):
        evaluate("first", SCHEMAS, **{"perturbations": "none", **settings})


def test_a_plan_takes_what_is_set() -> None:
    settings: dict[str, Any] = {"wrapper": "right", "resamples": 50, "ties": Ties.HALF, "seed": 3}
    plan = evaluate("random", SCHEMAS, perturbations="none", **settings).record.plan
    assert {name: getattr(plan, name) for name in settings} == settings
    assert type(plan.ties) is str  # as it is read back


def test_a_fault_in_a_schema_is_told_with_its_place() -> None:
    with pytest.raises(NotationErrors, match="data:3"):
        evaluate("first", [SCHEMAS[0], "The {pot is <hot, cold>."])


def test_entries_with_the_same_id_are_refused() -> None:
    (entry,) = entries_of(f"{SCHEMAS[0]}\n    id: towel")
    with pytest.raises(HorsesenseError, match="two entries have the id 'towel'"):
        evaluate("first", [entry, entry])


def test_with_a_store_nothing_is_asked_twice(tmp_path: Path) -> None:
    model, path = StandIn(), tmp_path / "kept.db"
    first = evaluate(model, SCHEMAS, perturbations="none", store=path)
    asked = len(model.asked)
    assert asked > 0
    with Store.create_or_open(path) as store:
        again = evaluate(model, SCHEMAS, perturbations="none", store=store)
        further = evaluate(model, SCHEMAS, perturbations="none", store=store, seed=7)
    assert len(model.asked) == asked
    assert again == first
    assert further.record.asked == 0


def test_progress_is_told_or_shown_or_neither(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[Progress] = []
    evaluate(StandIn(), SCHEMAS, perturbations="none", progress=told.append)
    assert told[-1].done == told[-1].total
    evaluate(StandIn(), SCHEMAS, perturbations="none")
    assert capsys.readouterr().err == ""
    evaluate(StandIn(), SCHEMAS, perturbations="none", progress=True)
    assert "querying stand-in" in capsys.readouterr().err


def test_a_dataset_whose_entries_share_an_id_is_refused() -> None:
    (entry, *_) = entries_of(SCHEMAS[0])
    with pytest.raises(HorsesenseError, match="two entries have the id"):
        evaluate("first", Dataset(Header("own"), [entry, entry]))
