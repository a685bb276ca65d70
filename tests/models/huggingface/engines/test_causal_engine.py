import random
import threading
from typing import Any

import pytest
import torch

from horsesense.errors import ModelError
from horsesense.models import Query, causal_query, load_model
from horsesense.models.huggingface.engines import causal, packed_weights
from horsesense.models.huggingface.engines.causal import CausalEngine
from horsesense.models.huggingface.engines.layouts import ConcatenatedTrees, PaddedTrees
from horsesense.models.huggingface.engines.packed_weights import PackedGate, PackedLinear
from horsesense.models.huggingface.engines.packing import LONGEST_ROW
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.loading import DEFAULT_BYTES
from tests.models.conftest import Folders, Models
from tests.models.huggingface.engines.engine_of import needs_onednn

pytestmark = pytest.mark.usefixtures("model_cache")

TREES = ("gpt2", "llama", "llama-bos", "opt", "gpt-neox", "qwen2", "mistral", "gemma2", "gemma3")
END_TO_END = ("gpt2", "llama", "llama-bos", "opt", "gpt-neox", "qwen2", "mistral", "gemma3")
PLAIN = ("bloom", "mpt", "mamba")


def queries(engine: CausalEngine, *, longest: int = 30) -> list[Query]:
    """Made-up sentences, of which many share a beginning, and some are part of others."""
    draw = random.Random(7)
    made = {(*engine.info.before, 11, 12)}
    for _ in range(30):
        shared = draw.choice(sorted(made))
        start = draw.randint(len(engine.info.before), len(shared))
        new = draw.choices(range(300, 320), k=draw.randint(1, 12))
        made.add((*shared[:start], *new)[:longest])
    return [causal_query(ids) for ids in sorted(made) if len(ids) > 1]


def engine_of(kept_folders: Folders, name: str, budget_bytes: int = DEFAULT_BYTES) -> CausalEngine:
    model = load_model(str(kept_folders(name)), budget_bytes=budget_bytes)
    assert isinstance(model, HuggingFaceModel) and isinstance(model.engine, CausalEngine)
    return model.engine


def kept_engine(kept_models: Models, name: str) -> CausalEngine:
    """The engine of a model that tests share."""
    engine = kept_models(name).engine
    assert isinstance(engine, CausalEngine)
    return engine


def drift(engine: CausalEngine, asked: list[Query]) -> float:
    found = dict(pair for batch in engine.answer(asked) for pair in batch)
    assert set(found) == set(asked)
    return max(
        abs(a - b)
        for query in asked
        for a, b in zip(found[query], engine.answer_singly(query), strict=True)
    )


@pytest.mark.parametrize("name", TREES)
def test_a_tree_says_what_single_sentences_say(kept_models: Models, name: str) -> None:
    engine = kept_engine(kept_models, name)
    assert (engine.batching, engine.fallback_reason) == ("tree", "")
    assert drift(engine, queries(engine)) < 1e-4


@needs_onednn
@pytest.mark.parametrize("name", ["gpt2", "llama", "opt"])
def test_matrices_that_are_laid_out_give_the_same_numbers(
    kept_folders: Folders, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_weights, "_cpu_vendor", lambda: "AuthenticAMD")
    engine = engine_of(kept_folders, name)
    assert any(isinstance(part, PackedLinear) for part in engine._body.modules())
    assert not any(isinstance(part, PackedLinear) for part in engine.network.modules())
    assert drift(engine, queries(engine)) < 1e-4


@pytest.mark.parametrize("name", END_TO_END)
def test_trees_stand_end_to_end_where_attention_can_be_told(kept_models: Models, name: str) -> None:
    engine = kept_engine(kept_models, name)
    assert isinstance(engine._layout, ConcatenatedTrees)
    assert engine._body is not engine.network.base_model


@needs_onednn
def test_matrices_that_come_out_wrong_are_put_back(
    kept_folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(self: Any, states: Any) -> Any:
        return right(self, states) * 1.1

    right = PackedLinear.forward
    monkeypatch.setattr(packed_weights, "_cpu_vendor", lambda: "AuthenticAMD")
    monkeypatch.setattr(PackedLinear, "forward", wrong)
    engine = engine_of(kept_folders, "llama")
    kinds = {type(part) for part in engine._body.modules()}
    assert not kinds & {PackedLinear, PackedGate}
    assert isinstance(engine._layout, ConcatenatedTrees)
    assert drift(engine, queries(engine)) < 1e-4


@pytest.mark.parametrize("maker", ["AuthenticAMD", "GenuineIntel"])
def test_attention_that_comes_out_wrong_is_not_used(
    kept_folders: Folders, monkeypatch: pytest.MonkeyPatch, maker: str
) -> None:
    """As of an architecture that does not ask its settings how to attend."""

    def deaf(body: Any) -> bool:
        return True

    monkeypatch.setattr(packed_weights, "_cpu_vendor", lambda: maker)
    monkeypatch.setattr(causal, "use_tree_attention", deaf)
    engine = engine_of(kept_folders, "llama")
    assert engine.batching == "tree" and isinstance(engine._layout, PaddedTrees)
    assert drift(engine, queries(engine)) < 1e-4


def test_numbers_that_are_none_are_blamed_on_what_is_tried_and_not_on_the_weights(
    kept_folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoil(body: Any) -> bool:
        body.norm.register_forward_hook(lambda module, states, output: output * float("nan"))
        return True

    monkeypatch.setattr(causal, "use_tree_attention", spoil)
    engine = engine_of(kept_folders, "llama")
    assert engine.batching == "tree" and isinstance(engine._layout, PaddedTrees)
    assert drift(engine, queries(engine)) < 1e-4


def test_a_network_that_cannot_be_copied_is_used_as_it_is(own_folder: Folders) -> None:
    engine = engine_of(own_folder, "llama")
    engine.network.model.lock = threading.Lock()
    engine = CausalEngine(engine.network, engine.info)
    assert engine.batching == "tree" and engine._body is engine.network.base_model
    assert drift(engine, queries(engine)) < 1e-4


@pytest.mark.parametrize("name", PLAIN)
def test_what_cannot_take_a_tree_is_read_in_plain_batches(kept_models: Models, name: str) -> None:
    engine = kept_engine(kept_models, name)
    assert engine.batching == "plain"
    assert "tree" in engine.fallback_reason
    assert drift(engine, queries(engine)) < 1e-4


def test_local_layers_are_right_whatever_the_way(kept_models: Models) -> None:
    engine = kept_engine(kept_models, "gpt-neo")
    assert drift(engine, queries(engine)) < 1e-4


def test_a_model_that_looks_ahead_is_refused(own_folder: Folders) -> None:
    import torch

    engine = engine_of(own_folder, "gpt2")

    def looking_ahead(module: object, arguments: object, states: torch.Tensor) -> torch.Tensor:
        return states + states.mean(1, keepdim=True)

    engine.network.transformer.wte.register_forward_hook(looking_ahead)
    with pytest.raises(ModelError, match="attends to later tokens"):
        CausalEngine(engine.network, engine.info)


def test_a_sentence_longer_than_a_row_has_one_to_itself(kept_models: Models) -> None:
    engine = kept_engine(kept_models, "llama")
    draw = random.Random(1)
    long = causal_query(tuple(draw.choices(range(1000), k=LONGEST_ROW - 2)))
    assert drift(engine, [long, *queries(engine)]) < 1e-4


def test_a_small_budget_changes_no_number(kept_folders: Folders) -> None:
    roomy, tight = engine_of(kept_folders, "gpt2"), engine_of(kept_folders, "gpt2", budget_bytes=1)
    asked = queries(roomy)
    batches = list(tight.answer(asked))
    assert len(batches) > 1
    found = dict(pair for batch in roomy.answer(asked) for pair in batch)
    for query, log_probs in (pair for batch in batches for pair in batch):
        assert log_probs == pytest.approx(found[query], abs=1e-4)


def test_lack_of_memory_makes_batches_smaller(
    kept_folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_of(kept_folders, "gpt2")
    read, sizes = engine._compute_trees, []

    def short_of_memory(trees, *, count=0):  # type: ignore[no-untyped-def]
        sizes.append(len(trees))
        if len(trees) > 2:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory")
        return read(trees, count=count)

    monkeypatch.setattr(engine, "_compute_trees", short_of_memory)
    monkeypatch.setattr("horsesense.models.huggingface.engines.packing._ATTENTION", 1)
    assert drift(engine, queries(engine)) < 1e-4
    assert max(sizes) > 2


@pytest.mark.parametrize("name", ["gpt2", "llama-bos", "mistral", "gemma2", "bloom", "mamba"])
def test_the_most_probable_tokens_are_those_of_a_single_sentence(
    kept_models: Models, name: str
) -> None:
    engine = kept_engine(kept_models, name)
    asked = queries(engine)
    predicted = [prediction for batch in engine.predict(asked, 3) for prediction in batch]
    assert {query for query, _, _ in predicted} == set(asked)
    for query, log_probs, rankings in predicted:
        with torch.inference_mode():
            logits = engine.network(input_ids=torch.tensor([query.ids])).logits[0, :-1]
        expected = torch.log_softmax(logits, -1).topk(3)
        assert log_probs == pytest.approx(engine.answer_singly(query), abs=1e-4)
        assert [[token for token, _ in ranking] for ranking in rankings] == (
            expected.indices.tolist()
        )
        for ranking, values in zip(rankings, expected.values.tolist(), strict=True):
            assert [value for _, value in ranking] == pytest.approx(values, abs=1e-4)


def test_a_sentence_of_one_token_has_nothing_to_ask(kept_models: Models) -> None:
    engine = kept_engine(kept_models, "gpt2")
    [[(_, log_probs)]] = engine.answer([causal_query((5,))])
    assert log_probs == ()


def test_nothing_asked_is_nothing_answered(kept_models: Models) -> None:
    assert list(kept_engine(kept_models, "gpt2").answer([])) == []


def test_weights_that_are_no_numbers_are_refused(kept_folders: Folders) -> None:
    engine = engine_of(kept_folders, "gpt2")
    engine.network.transformer.ln_f.bias.data[0] = float("nan")
    with pytest.raises(ModelError, match="not finite"):
        list(engine.answer(queries(engine)))
    with pytest.raises(ModelError, match="not finite"):
        CausalEngine(engine.network, engine.info)
