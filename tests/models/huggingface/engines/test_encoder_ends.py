"""Encoders with shortened ends: what is asked for is what the whole encoder has there."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
import torch

from horsesense.models.huggingface.engines.heads import optimize_encoder
from horsesense.models.huggingface.engines.layouts import BatchInputs, equal_length, packed, padded
from horsesense.models.huggingface.engines.packed_weights import copy_body
from horsesense.models.huggingface.inspection import first_position
from tests.models.huggingface.engines.engine_of import MASK, made_up, make_network

KIN = ["roberta", "bert", "electra"]
IDS = made_up(8)
COPIES = [(*IDS[:at], MASK, *IDS[at + 1 :]) for at in range(1, 9)]


def laid(network: Any, layout: str) -> BatchInputs:
    if layout == "even":
        return equal_length(COPIES, "cpu")
    mixed = [*COPIES[:3], made_up(5), made_up(5, seed=1), made_up(12)]
    if layout == "padded":
        return padded(mixed, "cpu", pad=1)
    in_rows = partial(packed, first_position=first_position(network.config), window=None, pad=1)
    return in_rows(mixed, "cpu", dtype=torch.float32)


def asked(inputs: BatchInputs) -> torch.Tensor:
    """Some positions of each copy, of some several."""
    return torch.tensor(sorted({start + place for start in inputs.starts for place in (1, 3)}))


@pytest.mark.parametrize("layout", ["even", "padded", "packed"])
@pytest.mark.parametrize("attention", ["sdpa", "eager"])
@pytest.mark.parametrize("name", KIN)
def test_what_is_asked_for_is_what_the_whole_network_has_there(
    name: str, attention: str, layout: str
) -> None:
    network = make_network(name)
    network.set_attn_implementation(attention)
    body = copy_body(network)
    asks = optimize_encoder(body)
    assert asks is not None
    inputs = laid(network, layout)
    rows = asked(inputs)
    with torch.inference_mode():
        whole = network.base_model(**inputs.inputs)[0].flatten(0, 1)[rows]
        with asks.only(inputs.inputs, rows):
            found = body(**inputs.inputs)[0][0]
    torch.testing.assert_close(found, whole, atol=1e-4, rtol=1e-4)
    assert asks.rows is asks.distinct is asks.inverse is None


def test_in_the_first_layer_a_token_of_several_copies_is_computed_once() -> None:
    body = copy_body(make_network("roberta"))
    asks = optimize_encoder(body)
    assert asks is not None
    computed: list[int] = []
    body.encoder.layer[0].attention.self.query._layer.register_forward_pre_hook(
        lambda _module, states: computed.append(len(states[0]))
    )
    inputs = laid(body, "even").inputs
    with torch.inference_mode(), asks.only(inputs, torch.tensor([1])):
        body(**inputs)
    # Every token as it is and masked, and the first and the last.
    assert computed == [8 + 8 + 2]


def test_batches_of_several_threads_are_kept_apart() -> None:
    network = make_network("bert")
    body = copy_body(network)
    asks = optimize_encoder(body)
    assert asks is not None
    draw = random.Random(5)
    rows = [torch.tensor(sorted(draw.sample(range(80), k))) for k in (1, 5, 9, 2) * 8]
    inputs = laid(network, "even").inputs

    def states(asked_for: torch.Tensor) -> torch.Tensor:
        with torch.inference_mode(), asks.only(inputs, asked_for):
            found: torch.Tensor = body(**inputs)[0][0]
        return found

    with torch.inference_mode():
        whole = network.base_model(**inputs)[0].flatten(0, 1)
    with ThreadPoolExecutor(4) as pool:
        for wanted, found in zip(rows, pool.map(states, rows), strict=True):
            torch.testing.assert_close(found, whole[wanted], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", ["albert", "distilbert", "deberta-v2", "gpt2"])
def test_layers_of_another_kind_are_left_as_they_are(name: str) -> None:
    assert optimize_encoder(copy_body(make_network(name))) is None


def test_a_layer_that_is_first_and_last_at_once_is_left_as_it_is() -> None:
    assert optimize_encoder(copy_body(make_network("bert", num_hidden_layers=1))) is None
