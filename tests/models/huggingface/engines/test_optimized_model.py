"""Networks on the weights of others, and matrices laid out for the processor."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
import torch

from horsesense.models.huggingface.engines import packed_weights
from horsesense.models.huggingface.engines.log_probs import TiledHead
from horsesense.models.huggingface.engines.packed_weights import (
    PackedGate,
    PackedLinear,
    copy_body,
    pack_weights,
    packed_head,
)
from tests.models.huggingface.engines.engine_of import make_network, needs_onednn

pytestmark = needs_onednn


@pytest.fixture
def from_amd(monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor for which it pays, whichever it is."""
    monkeypatch.setattr(packed_weights, "_cpu_vendor", lambda: "AuthenticAMD")


def laid_out(body: Any) -> list[Any]:
    return [part for part in body.modules() if isinstance(part, PackedLinear | PackedGate)]


def linear(body: Any) -> list[Any]:
    return [part for part in body.modules() if type(part).__name__ in ("Linear", "Conv1D")]


def test_a_copy_has_the_weights_of_the_network_and_parts_of_its_own() -> None:
    network = make_network("roberta").train()
    body = copy_body(network)
    for (name, own), (other_name, other) in zip(
        network.roberta.named_parameters(), body.named_parameters(), strict=True
    ):
        assert name == other_name and own is other
    assert network.training and not body.training
    body.encoder.layer[0] = torch.nn.Identity()
    assert not isinstance(network.roberta.encoder.layer[0], torch.nn.Identity)


def test_what_cannot_be_copied_is_not() -> None:
    network = make_network("bert")
    network.bert.lock = threading.Lock()
    assert copy_body(network) is None


@pytest.mark.usefixtures("from_amd")
@pytest.mark.parametrize("name", ["gpt2", "llama", "roberta"])
def test_all_linear_layers_are_laid_out_and_the_network_is_left_alone(name: str) -> None:
    network = make_network(name)
    body = copy_body(network)
    assert linear(body) and pack_weights(body)
    assert laid_out(body) and not linear(body)
    assert linear(network) and not laid_out(network)
    ids = torch.tensor([[5, 6, 7, 8]])
    with torch.inference_mode():
        found, wanted = body(ids)[0], network.eval().base_model(ids)[0]
    torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)


@pytest.mark.usefixtures("from_amd")
@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_what_was_exchanged_can_be_put_back(name: str) -> None:
    body = copy_body(make_network(name))
    before = dict(body.named_modules())
    replaced = pack_weights(body)
    assert dict(body.named_modules()) != before
    for one in replaced:
        one.restore()
    assert dict(body.named_modules()) == before


@pytest.mark.usefixtures("from_amd")
@pytest.mark.parametrize("has_bias", [True, False])
def test_a_head_is_laid_out_in_tiles(has_bias: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(3)
    head, states = torch.nn.Linear(24, 2500, bias=has_bias), torch.randn(5, 24)
    with torch.inference_mode():
        found = packed_head(head)
        assert isinstance(found, TiledHead) and len(found.tiles) == 3
        torch.testing.assert_close(found(states), head(states), atol=1e-5, rtol=1e-5)
    monkeypatch.setattr(packed_weights, "_HEAD_BYTES", 1000)
    assert packed_head(head) is head
    assert packed_head(torch.clone) is torch.clone


@pytest.mark.usefixtures("from_amd")
def test_no_more_is_laid_out_than_there_is_room_for() -> None:
    body = copy_body(make_network("llama"))
    sizes = [part.weight.nbytes for part in linear(body)]
    assert pack_weights(body, budget_bytes=sum(sizes) // 2)
    left = sum(part.weight.nbytes for part in linear(body))
    assert sum(sizes) / 2 <= left < sum(sizes)
    assert not pack_weights(copy_body(make_network("llama")), budget_bytes=10)


@pytest.mark.usefixtures("from_amd")
def test_numbers_of_another_kind_are_left_as_they_are() -> None:
    assert not pack_weights(copy_body(make_network("llama").to(torch.bfloat16)))


@pytest.mark.usefixtures("from_amd")
def test_a_torch_without_onednn_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    assert not pack_weights(copy_body(make_network("llama")))


@pytest.mark.parametrize(
    "told, is_laid_out",
    [
        ("processor : 0\nvendor_id\t: AuthenticAMD\nflags : avx2\n", True),
        ("processor : 0\nvendor_id\t: GenuineIntel\n", False),
        ("processor : 0\nBogoMIPS : 50\n", False),
        (None, False),
    ],
)
def test_it_is_done_for_the_processors_for_which_it_pays(
    told: str | None, is_laid_out: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    processors = tmp_path / "cpuinfo"
    if told is not None:
        processors.write_text(told)
    monkeypatch.setattr(packed_weights, "_CPUINFO", processors)
    assert bool(pack_weights(copy_body(make_network("llama")))) is is_laid_out
