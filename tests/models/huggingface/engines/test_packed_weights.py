"""Layers whose matrices are laid out for the processor."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from horsesense.models.huggingface.engines.packed_weights import PackedGate, PackedLinear
from tests.models.huggingface.engines.engine_of import make_network, needs_onednn

pytestmark = needs_onednn


@pytest.mark.parametrize("shape", [(1,), (7,), (3, 5), (2, 0)])
@pytest.mark.parametrize("width", [24, 1024, 1025, 2500])
@pytest.mark.parametrize("has_bias", [True, False])
def test_a_matrix_that_is_laid_out_multiplies_like_a_linear_layer(
    shape: tuple[int, ...], width: int, has_bias: bool
) -> None:
    torch.manual_seed(3)
    layer = torch.nn.Linear(width, 40, bias=has_bias)
    states = torch.randn(*shape, width)
    with torch.inference_mode():
        before = states.clone()
        found = PackedLinear(layer.weight, layer.bias)(states)
        torch.testing.assert_close(found, layer(states), atol=1e-5, rtol=1e-5)
        assert torch.equal(states, before)


@pytest.mark.parametrize("width, parts", [(24, 1), (1024, 1), (1025, 2), (2500, 3), (3072, 3)])
def test_no_sum_is_longer_than_onednn_rounds_well(width: int, parts: int) -> None:
    layer = PackedLinear(torch.zeros(2, width), None)
    assert len(layer._parts) == parts and layer._width <= 1024


def gated(name: str, **sizes: Any) -> Any:
    return make_network(name, **sizes).base_model.layers[0].mlp


@pytest.mark.parametrize(
    "name, sizes",
    [
        ("llama", {}),
        ("llama", {"intermediate_size": 2100, "mlp_bias": True}),
        ("gemma3", {"intermediate_size": 1030}),  # another activation
    ],
    ids=["narrow", "wide with biases", "wide with GELU"],
)
def test_a_gated_layer_in_parts_gives_what_it_gives_as_a_whole(
    name: str, sizes: dict[str, Any]
) -> None:
    layer = gated(name, **sizes)
    torch.manual_seed(3)
    states = torch.randn(2, 9, 32)
    with torch.inference_mode():
        for part in layer.modules():
            if getattr(part, "bias", None) is not None:
                part.bias.normal_()
        before, right = states.clone(), layer(states)
        found = PackedGate(layer)(states)
        torch.testing.assert_close(found, right, atol=1e-4, rtol=1e-4)
        assert torch.equal(states, before)


def test_other_layers_are_not_taken_for_gated_ones() -> None:
    assert len(PackedGate.matrices(gated("llama"))) == 3
    assert not PackedGate.matrices(make_network("gpt2").transformer.h[0].mlp)
    assert not PackedGate.matrices(torch.nn.Linear(3, 4))
    half = gated("llama")
    half.up_proj = torch.nn.Identity()
    assert not PackedGate.matrices(half)
