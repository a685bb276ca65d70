from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import (
    ModelError,
)
from horsesense.evaluation import evaluate
from horsesense.models.huggingface.model import wrap_network
from tests.evaluation.evaluated import SCHEMAS, numbers
from tests.models.tiny import save_tiny


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny("gpt2", tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def network(folder: Path, model_cache: Path) -> Any:
    import transformers

    return transformers.AutoModelForCausalLM.from_pretrained(folder)


@pytest.fixture
def model_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def tokenizer_of(folder: Path) -> Any:
    import transformers

    return transformers.AutoTokenizer.from_pretrained(folder)


def test_a_loaded_model_says_what_the_folder_says(folder: Path, network: Any) -> None:
    loaded = evaluate(network, SCHEMAS, tokenizer=tokenizer_of(folder), perturbations="switched")
    by_name = evaluate(folder, SCHEMAS, perturbations="switched")
    assert numbers(loaded) == numbers(by_name)
    assert [one.costs for one in loaded.tokens] == [
        pytest.approx(one.costs, abs=1e-4) for one in by_name.tokens
    ]
    subjects = loaded.models[0], by_name.models[0]
    assert subjects[0].name == subjects[1].name == "tiny"
    assert replace(subjects[0], fingerprint="") == replace(subjects[1], fingerprint="")


def test_a_loaded_model_is_known_by_its_parameters_and_not_by_its_name(
    folder: Path, network: Any
) -> None:
    import torch

    tokenizer = tokenizer_of(folder)
    first = wrap_network(network, tokenizer).info
    with torch.no_grad():
        network.transformer.h[1].mlp.c_fc.weight[0, 0] += 1e-3
    tuned = wrap_network(network, tokenizer).info
    half = wrap_network(network.to(torch.bfloat16), tokenizer).info
    assert first.name == tuned.name
    assert len({first.fingerprint, tuned.fingerprint, half.fingerprint}) == 3
    assert half.dtype == "bfloat16"


def test_a_model_in_training_is_asked_without_dropout_and_left_in_training(
    folder: Path, network: Any
) -> None:
    tokenizer = tokenizer_of(folder)
    chosen: dict[str, Any] = {"perturbations": "none", "methods": "standard"}
    model = wrap_network(network, tokenizer)
    settled = evaluate(model, SCHEMAS[0], **chosen)
    network.train()
    network.transformer.drop.eval()
    found = evaluate(network, SCHEMAS[0], tokenizer=tokenizer, **chosen)
    assert found.answer_sets == settled.answer_sets
    assert network.training and network.transformer.h[0].attn.training
    assert not network.transformer.drop.training
    query = next(iter(_queries(model)))
    assert model.answer_singly(query) == pytest.approx(model.answer_singly(query), abs=0)


def _queries(model: Any) -> Iterator[Any]:
    from horsesense.models import causal_query

    yield causal_query(model.tokenize("The goat ate the oats.").ids)


def test_a_loaded_model_without_a_tokenizer_is_refused(network: Any) -> None:
    with pytest.raises(ModelError, match="needs its tokenizer"):
        evaluate(network, SCHEMAS)


def test_what_is_no_tokenizer_is_refused(network: Any) -> None:
    with pytest.raises(ModelError, match="str is not a transformers tokenizer"):
        evaluate(network, SCHEMAS, tokenizer="tiny")


def test_a_loaded_model_without_a_head_is_refused_by_its_name(folder: Path, network: Any) -> None:
    with pytest.raises(ModelError, match="^tiny lacks a language-modelling head"):
        evaluate(network.transformer, SCHEMAS, tokenizer=tokenizer_of(folder))
