"""A model from its name to its answers."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from horsesense.errors import ModelError
from horsesense.models import (
    Query,
    causal_query,
    load_model,
    single_mask_query,
    spans_query,
)
from horsesense.models.huggingface.model import HuggingFaceModel
from tests.models.conftest import Folders

pytestmark = pytest.mark.usefixtures("model_cache", "no_network")


def load(folder: Path) -> HuggingFaceModel:
    model = load_model(str(folder))
    assert isinstance(model, HuggingFaceModel)
    return model


def query_for(model: HuggingFaceModel, name: str) -> Query:
    reading = model.tokenize("The goats ate the oats.")
    if name == "t5":
        label = model.tokenize("<extra_id_0> the oats<extra_id_1>")
        return spans_query(model.tokenize("The goats ate<extra_id_0>.").ids, label.ids)
    return (
        single_mask_query(reading.ids, reading.real)
        if name == "bert"
        else causal_query(reading.ids)
    )


@pytest.mark.parametrize("name", ["gpt2", "bert", "t5"])
def test_a_model_of_each_family_answers(name: str, kept_folders: Folders) -> None:
    model = load(kept_folders(name))
    query = query_for(model, name)
    ((answered, log_probs),) = (pair for batch in model.answer([query]) for pair in batch)
    assert answered == query and len(log_probs) == query.size
    assert log_probs == pytest.approx(model.answer_singly(query), abs=1e-4)
    assert all(math.isfinite(value) and value < 0 for value in log_probs)


def test_the_weights_are_loaded_when_the_model_is_first_asked(
    kept_folders: Folders, tmp_path: Path
) -> None:
    told: list[str] = []
    model = load_model(str(kept_folders("gpt2")), progress=told.append)
    assert isinstance(model, HuggingFaceModel)
    query = causal_query(model.tokenize("Goats.").ids)
    told.clear()
    for _ in range(2):
        list(model.answer([query]))
    assert told == [f"loading {model.info.name}"]


def test_weights_that_were_let_go_are_loaded_anew(kept_folders: Folders) -> None:
    told: list[str] = []
    model = load_model(str(kept_folders("gpt2")), progress=told.append)
    assert isinstance(model, HuggingFaceModel)
    query = causal_query(model.tokenize("Goats.").ids)
    model.release()  # of nothing, which is no harm
    told.clear()
    first = list(model.answer([query]))
    model.release()
    assert model.batching == "" and list(model.answer([query])) == first
    assert told == [f"loading {model.info.name}"] * 2


def test_a_text_longer_than_the_context_is_refused_before_anything_is_computed(
    kept_folders: Folders,
) -> None:
    model = load(kept_folders("bert"))
    reading = model.tokenize("the " * 200)
    query = single_mask_query(reading.ids, reading.real)
    with pytest.raises(ModelError, match="reads at most 128 tokens, and a text has 202; shorten"):
        next(model.answer([query]))
    with pytest.raises(ModelError, match="reads at most 128 tokens"):
        model.answer_singly(query)


def test_a_token_that_the_model_does_not_have_is_refused(kept_folders: Folders) -> None:
    model = load(kept_folders("gpt2"))
    with pytest.raises(ModelError, match="returns token 50257, but the model has only 50257"):
        model.answer_singly(causal_query((5, 50_257)))


@pytest.mark.parametrize("library", ["safetensors", "tokenizers", "torch", "transformers"])
def test_a_missing_library_is_told_before_anything_is_looked_at(
    library: str, kept_folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    folder = kept_folders("gpt2")
    monkeypatch.setitem(sys.modules, library, None)
    for name in (str(folder), "smollm2-135m"):
        with pytest.raises(ModelError, match=r"pip install 'horsesense\[hf\]'"):
            load_model(name, progress=told.append)
    assert told == []


def test_what_begins_alike_is_read_once_and_the_last_token_not_at_all(
    kept_folders: Folders, model_cache: Path
) -> None:
    model = load_model(str(kept_folders("gpt2")), cache=model_cache)
    assert isinstance(model, HuggingFaceModel)
    queries = [causal_query((1, 2, 3, 4)), causal_query((1, 2, 3, 5)), causal_query((1, 9))]
    assert model.count_tokens(queries) == 3
    # A tree of which anything is missing is read whole.
    assert model.count_tokens(queries, queries[1:]) == 3
    assert model.count_tokens(queries, queries) == 0
    assert repr(model).startswith(f"<HuggingFaceModel {kept_folders('gpt2')}: causal, ")
