"""How many tokens go through a model at once, where the user says so."""

from __future__ import annotations

import random
from typing import Any

import pytest

from horsesense.errors import ModelError
from horsesense.models import (
    Family,
    Query,
    causal_query,
    load_model,
    multi_mask_query,
    single_mask_query,
    spans_query,
)
from horsesense.models.huggingface.model import HuggingFaceModel
from tests.models.conftest import Folders, Models

pytestmark = pytest.mark.usefixtures("model_cache", "no_network", "one_thread")

# A tree of tokens, plain batches, masked copies, and sources with their labels.
NAMES = ("gpt2", "bloom", "bert", "t5")


def load(kept_folders: Folders, name: str, batch: int | None = None) -> HuggingFaceModel:
    model = load_model(str(kept_folders(name)), batch=batch)
    assert isinstance(model, HuggingFaceModel)
    return model


def queries(family: Family) -> list[Query]:
    """Sentences of several lengths, many of which begin alike."""
    draw = random.Random(3)
    sentences = [tuple(draw.choices(range(300, 306), k=draw.randint(4, 12))) for _ in range(40)]
    asked: list[Query] = []
    for ids in dict.fromkeys(sentences):
        if family is Family.CAUSAL:
            asked.append(causal_query(ids))
        elif family is Family.MASKED:
            asked += [single_mask_query(ids, (1, 2)), multi_mask_query(ids, (1, 2))]
        else:
            asked += [spans_query(ids, ids[:2]), spans_query(ids, ids[1:4])]
    return asked


def answers(model: HuggingFaceModel, asked: list[Query]) -> dict[Query, tuple[float, ...]]:
    return dict(pair for batch in model.answer(asked) for pair in batch)


def tokens_read(model: HuggingFaceModel, asked: list[Query]) -> list[int]:
    """How many tokens the network, or its encoder, gets at a time."""
    network: Any = model.engine.network  # type: ignore[attr-defined]
    is_encoded = model.info.family is Family.SEQ2SEQ
    reader = network.get_encoder() if is_encoded else network.get_input_embeddings()
    sizes: list[int] = []

    def count(_module: Any, inputs: Any, named: Any) -> None:
        sizes.append((inputs or (named["input_ids"],))[0].numel())

    hook = reader.register_forward_pre_hook(count, with_kwargs=True)
    answers(model, asked)
    hook.remove()
    return sizes


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("batch", [1, 32])
def test_a_batch_has_no_more_tokens_than_were_asked_for(
    kept_folders: Folders, kept_models: Models, name: str, batch: int
) -> None:
    model = load(kept_folders, name, batch)
    asked = queries(model.info.family)
    longest = max(len(query.ids) for query in asked)
    assert max(tokens_read(model, asked)) <= max(batch, longest)
    assert max(tokens_read(kept_models(name), asked)) > max(batch, longest)


@pytest.mark.parametrize("name", NAMES)
def test_small_batches_give_the_same_numbers(
    kept_folders: Folders, kept_models: Models, name: str
) -> None:
    model = kept_models(name)
    asked = queries(model.info.family)
    found = answers(load(kept_folders, name, batch=16), asked)
    for query, log_probs in answers(model, asked).items():
        assert found[query] == pytest.approx(log_probs, abs=1e-4)


def test_batches_may_be_larger_than_what_suits_the_machine(
    kept_folders: Folders, kept_models: Models
) -> None:
    model = load(kept_folders, "gpt2", batch=4096)
    draw = random.Random(5)
    asked = [causal_query(tuple(draw.choices(range(300, 9000), k=12))) for _ in range(200)]
    assert max(tokens_read(model, asked)) > max(tokens_read(kept_models("gpt2"), asked))


def test_a_batch_without_tokens_is_refused() -> None:
    with pytest.raises(ModelError, match="a batch cannot have 0 tokens; give 1 or more"):
        load_model("first", batch=0)
