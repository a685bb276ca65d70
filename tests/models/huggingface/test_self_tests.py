"""What is kept of the self-tests of engines, and when they run again."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path
from typing import Any, NoReturn

import pytest

from horsesense.models import Query, causal_query, load_model, multi_mask_query, spans_query
from horsesense.models.huggingface import self_tests
from horsesense.models.huggingface.model import HuggingFaceModel, wrap_network
from horsesense.models.huggingface.self_tests import (
    SelfTests,
    load_outcomes,
    record_key,
    save_outcomes,
)
from tests.models.conftest import Folders
from tests.models.huggingface.engines.engine_of import made_up

QUERIES = {
    "llama": [causal_query(made_up(length)) for length in range(3, 12)],
    "bloom": [causal_query(made_up(length)) for length in range(3, 12)],
    "roberta": [multi_mask_query(made_up(length), (1, 2)) for length in range(3, 12)],
    "t5": [spans_query(made_up(9), made_up(length)) for length in range(1, 5)],
}


@pytest.fixture
def singles(monkeypatch: pytest.MonkeyPatch) -> list[Query]:
    """The queries that engines compute singly, which only their self-tests do."""
    from horsesense.models.huggingface.engines import causal, masked, seq2seq

    seen: list[Query] = []
    for engine in (causal.CausalEngine, masked.MaskedEngine, seq2seq.Seq2SeqEngine):
        monkeypatch.setattr(engine, "answer_singly", _counting(engine.answer_singly, seen))
    return seen


def _counting(answer: Any, seen: list[Query]) -> Any:
    def counting(self: object, query: Query) -> object:
        seen.append(query)
        return answer(self, query)

    return counting


def load(folder: Path, cache: Path, **options: Any) -> HuggingFaceModel:
    model = load_model(str(folder), cache=cache, **options)
    assert isinstance(model, HuggingFaceModel)
    return model


def answers(model: HuggingFaceModel, name: str) -> dict[Query, tuple[float, ...]]:
    return {query: values for batch in model.answer(QUERIES[name]) for query, values in batch}


def record_of(cache: Path) -> Path:
    [path] = (cache / "self-tests").iterdir()
    return path


@pytest.mark.parametrize("name", QUERIES)
def test_a_record_spares_the_tests_and_changes_no_number(
    name: str, kept_folders: Folders, model_cache: Path, singles: list[Query]
) -> None:
    first = load(kept_folders(name), model_cache)
    expected = answers(first, name)
    assert singles
    singles.clear()
    second = load(kept_folders(name), model_cache)
    assert answers(second, name) == expected
    assert not singles
    assert (second.batching, second.fallback_reason) == (first.batching, first.fallback_reason)


def test_what_was_dropped_is_reported_from_the_record(
    kept_folders: Folders, model_cache: Path, singles: list[Query]
) -> None:
    reasons = []
    for _ in range(2):
        model = load(kept_folders("bloom"), model_cache)
        assert not model.dropped  # nothing is known before it is queried
        answers(model, "bloom")
        assert model.dropped == (model.fallback_reason,)
        reasons.append(model.fallback_reason)
    assert reasons[0] == reasons[1] and "trees of tokens" in reasons[0]


def test_packed_weights_that_were_dropped_stay_dropped(
    kept_folders: Folders, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(kept_folders("llama"), model_cache)
    key = record_key(model.info, budget_bytes=1 << 30, batch=None)
    reason = "its numbers for packed weights differ from single sentences (by 0.5)"
    known = {"trees of tokens": "", "concatenated trees": "", "packed weights": reason}
    save_outcomes(model_cache, key, known)
    monkeypatch.setattr(
        "horsesense.models.huggingface.engines.packed_weights._cpu_vendor", lambda: "AuthenticAMD"
    )
    answers(model, "llama")
    assert model.dropped == (reason,) and model.batching == "tree"
    parts = {type(part).__name__ for part in model.engine._body.modules()}  # type: ignore[attr-defined]
    assert "PackedGate" not in parts and "PackedLinear" not in parts


CHANGES = {
    "threads": lambda patch: patch.setattr("torch.get_num_threads", lambda: 1000),
    "torch": lambda patch: patch.setattr(self_tests, "version", lambda name: "99.0"),
    "source": lambda patch: patch.setattr(self_tests, "_source_hash", lambda: "other"),
    "processor": lambda patch: patch.setattr(self_tests, "_processor", lambda: "other"),
    "instructions": lambda patch: patch.setattr(
        "torch.backends.cpu.get_cpu_capability", lambda: "other"
    ),
    "settings": lambda patch: patch.setenv("ONEDNN_MAX_CPU_ISA", "SSE41"),
}


@pytest.mark.parametrize("part", CHANGES)
def test_another_key_tests_again(
    part: str, kept_folders: Folders, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = load(kept_folders("llama"), model_cache).info
    key = record_key(info)
    save_outcomes(model_cache, key, {"trees of tokens": ""})
    CHANGES[part](monkeypatch)
    changed = record_key(info)
    assert changed[part] != key[part]
    assert load_outcomes(model_cache, changed) == {}
    monkeypatch.undo()
    assert load_outcomes(model_cache, record_key(info)) == {"trees of tokens": ""}


@pytest.mark.parametrize(
    "options", [{"dtype": "float64"}, {"batch": 64}, {"budget_bytes": 1 << 29}]
)
def test_another_use_of_the_model_tests_again(
    options: dict[str, Any], kept_folders: Folders, model_cache: Path, singles: list[Query]
) -> None:
    answers(load(kept_folders("llama"), model_cache), "llama")
    singles.clear()
    answers(load(kept_folders("llama"), model_cache, **options), "llama")
    assert singles


def test_other_weights_are_tested_again(
    own_folder: Folders, model_cache: Path, singles: list[Query]
) -> None:
    folder = own_folder("llama")
    answers(load(folder, model_cache), "llama")
    weights = folder / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    singles.clear()
    answers(load(folder, model_cache), "llama")
    assert singles


def test_a_test_that_is_requested_runs_whatever_the_record_says(
    kept_folders: Folders, model_cache: Path, singles: list[Query]
) -> None:
    answers(load(kept_folders("llama"), model_cache), "llama")
    path = record_of(model_cache)
    before = path.read_bytes()
    path.unlink()
    singles.clear()
    answers(load(kept_folders("llama"), model_cache, retest=True), "llama")
    assert singles and path.read_bytes() == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: b"[]",
        lambda content: b"[" * 100_000,
        lambda content: content.replace(b'"trees of tokens": ""', b'"trees of tokens": "no"'),
        lambda content: content.replace(b'"threads": "', b'"threads": "1'),
    ],
    ids=["empty", "half", "list", "deep", "another outcome", "another key"],
)
def test_a_damaged_record_is_made_anew(
    spoil: Any, kept_folders: Folders, model_cache: Path, singles: list[Query]
) -> None:
    expected = answers(load(kept_folders("llama"), model_cache), "llama")
    path = record_of(model_cache)
    whole = path.read_bytes()
    path.write_bytes(spoil(whole))
    singles.clear()
    assert answers(load(kept_folders("llama"), model_cache), "llama") == expected
    assert singles and path.read_bytes() == whole


def test_a_cache_that_cannot_be_written_is_no_error(
    kept_folders: Folders, tmp_path: Path, singles: list[Query]
) -> None:
    (tmp_path / "file").touch()
    for _ in range(2):
        singles.clear()
        assert answers(load(kept_folders("llama"), tmp_path / "file" / "cache"), "llama")
        assert singles


def test_a_full_disk_is_no_error_and_leaves_nothing_behind(
    kept_folders: Folders, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    model = load(kept_folders("llama"), model_cache)
    monkeypatch.setattr(os, "fdopen", full)
    assert answers(model, "llama")
    assert list((model_cache / "self-tests").iterdir()) == []


def test_lack_of_memory_is_not_remembered() -> None:
    tests = SelfTests()

    def out_of_memory(queries: object) -> NoReturn:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    reason = tests.run("trees", out_of_memory, lambda: {causal_query((1, 2)): (-1.0,)}, tolerance=1)
    assert reason.startswith("it rejects trees (RuntimeError: ")
    assert tests.has_new and tests.has_passing


def test_a_network_without_files_leaves_no_record(kept_folders: Folders, model_cache: Path) -> None:
    import transformers

    folder = str(kept_folders("llama"))
    model = wrap_network(
        transformers.AutoModelForCausalLM.from_pretrained(folder),
        transformers.AutoTokenizer.from_pretrained(folder),
    )
    assert answers(model, "llama")
    assert not (model_cache / "self-tests").exists()


def _answer_in_process(folder: str, cache: str) -> list[tuple[float, ...]]:
    return list(answers(load(Path(folder), Path(cache)), "llama").values())


def test_two_processes_may_test_at_once(kept_folders: Folders, model_cache: Path) -> None:
    jobs = [(str(kept_folders("llama")), str(model_cache))] * 2
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        first, second = pool.starmap(_answer_in_process, jobs)
    assert first == second
    assert json.loads(record_of(model_cache).read_bytes())["outcomes"]["trees of tokens"] == ""
