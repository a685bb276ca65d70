"""Split models into a body, which computes hidden states, and a head, which computes logits.

Logits are needed at a few positions of an input and cost as much as several layers. So the body
runs by itself, and the head only at those positions. The names of the parts depend on the
architecture; the engines check that the parts give the right numbers.

The first and the last layer of BERT-like encoders can be shortened. A sentence is read in as many
masked copies as it has tokens. Before the first layer, a token is the same in all copies that do
not mask it, so its query, key and value are computed once. In the last layer only the masked
positions matter. Instead of multiplying every state by the key matrix, the few queries are
multiplied by it, and likewise for the values.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from horsesense.models.huggingface.engines.log_probs import Head
from horsesense.models.huggingface.engines.packed_weights import copy_body


class QueriedPositions(threading.local):
    """The positions of a batch that are needed, separate for each thread.

    `rows` are those positions in the flattened batch. `distinct` are positions whose tokens all
    differ, and `inverse` maps every position to the one of them with the same token.
    """

    rows: Tensor | None = None
    distinct: Tensor | None = None
    inverse: Tensor | None = None

    @contextmanager
    def only(self, inputs: dict[str, Any], rows: Tensor) -> Iterator[None]:
        """Compute only these positions inside the context."""
        self.rows = rows
        self.distinct, self.inverse = _distinct(inputs)
        try:
            yield
        finally:
            self.rows = self.distinct = self.inverse = None


def _distinct(inputs: dict[str, Any]) -> tuple[Tensor, Tensor]:
    """Find distinct tokens; two are the same if they have the same id and position id."""
    ids: Tensor = inputs["input_ids"]
    positions = inputs.get("position_ids")
    if positions is None:
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    numbers = (ids * (positions.max() + 1) + positions).flatten()
    inverse = torch.unique(numbers, return_inverse=True)[1]
    indices = torch.arange(len(numbers), device=ids.device)
    distinct = indices.new_empty(int(inverse.max()) + 1).scatter_(0, inverse, indices)
    return distinct, inverse


class DeduplicatedLinear(torch.nn.Module):
    """A linear layer that computes each distinct token once."""

    def __init__(self, layer: Any, queried: QueriedPositions) -> None:
        super().__init__()
        self._layer, self._queried = layer, queried

    def forward(self, states: Tensor) -> Tensor:
        """Return the output of the layer for all states."""
        distinct, inverse = self._queried.distinct, self._queried.inverse
        output: Tensor = self._layer(torch.flatten(states, 0, 1)[distinct])
        return output[inverse].view(*states.shape[:-1], -1)


class LastAttention(torch.nn.Module):
    """The attention of the last layer, which computes only the queried positions."""

    def __init__(self, attention: Any, queried: QueriedPositions) -> None:
        super().__init__()
        self._attention, self._queried = attention, queried
        inner = attention.self
        self._heads, self._scaling = inner.num_attention_heads, inner.scaling
        # One matrix per head: its width by the width of the states.
        self._keys = inner.key.weight.detach().unflatten(0, (self._heads, -1))
        self._values = inner.value.weight.detach().unflatten(0, (self._heads, -1))

    def forward(
        self, states: Tensor, attention_mask: Tensor | None = None, **_: Any
    ) -> tuple[Tensor, None]:
        """Return the states after attention, the queried positions in a single row."""
        rows, inner = self._queried.rows, self._attention.self
        assert rows is not None
        selected = torch.flatten(states, 0, 1)[rows]
        row, position = rows // states.shape[1], rows % states.shape[1]
        context = states[row]
        queries = inner.query(selected).unflatten(-1, (self._heads, -1)).transpose(0, 1)
        # The bias of the keys adds the same to all scores of a query, so it can be left out.
        scores = (queries @ self._keys).transpose(0, 1) @ context.transpose(1, 2) * self._scaling
        if attention_mask is not None:
            mask = attention_mask.expand(-1, -1, states.shape[1], -1)
            scores = _apply_mask(scores, mask[row, :, position])
        mixed = scores.softmax(-1) @ context
        values = mixed.transpose(0, 1) @ self._values.transpose(1, 2)
        output = torch.flatten(values.transpose(0, 1), 1)
        if inner.value.bias is not None:
            output = output + inner.value.bias
        return self._attention.output(output, selected)[None], None


def _apply_mask(scores: Tensor, mask: Tensor) -> Tensor:
    """Apply a boolean or an additive mask to scores."""
    if mask.dtype == torch.bool:
        return scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores + mask


def optimize_encoder(body: Any) -> QueriedPositions | None:
    """Shorten the first and the last layer of a BERT-like encoder; return None for other bodies.

    The body then returns only the queried positions of a batch.
    """
    layers = getattr(getattr(body, "encoder", None), "layer", None)
    if layers is None or len(layers) < 2 or not all(map(_is_bert_layer, (layers[0], layers[-1]))):
        return None
    queried = QueriedPositions()
    first = layers[0].attention.self
    for name in ("query", "key", "value"):
        setattr(first, name, DeduplicatedLinear(getattr(first, name), queried))
    layers[-1].attention = LastAttention(layers[-1].attention, queried)
    return queried


def _is_bert_layer(layer: Any) -> bool:
    attention = getattr(layer, "attention", None)
    inner = getattr(attention, "self", None)
    names = ("query", "key", "value", "num_attention_heads", "scaling")
    return hasattr(attention, "output") and all(hasattr(inner, name) for name in names)


# The modules between hidden states and logits, in order.
_MASKED_HEADS = (
    ("lm_head",),  # RoBERTa and its family, MPNet
    ("cls",),  # BERT, DeBERTa
    ("predictions",),  # ALBERT
    ("generator_predictions", "generator_lm_head"),  # ELECTRA
    ("vocab_transform", "activation", "vocab_layer_norm", "vocab_projector"),  # DistilBERT
    ("head", "decoder"),  # ModernBERT
)


class PositionFilter(threading.local):
    """A torch hook that drops all but some positions, separate for each thread."""

    rows: Tensor | None = None

    @contextmanager
    def only(self, inputs: dict[str, Any], rows: Tensor) -> Iterator[None]:
        """Keep only these positions inside the context."""
        self.rows = rows
        try:
            yield
        finally:
            self.rows = None

    def __call__(self, module: Any, inputs: Any, output: Any) -> Any:
        """Filter the output of a module; torch calls this as a hook."""
        if self.rows is None:
            return output
        states, *rest = output
        return (torch.flatten(states, 0, 1)[self.rows][None], *rest)


@dataclass(frozen=True, slots=True)
class ModelParts:
    """A body, which computes hidden states, and a head, which computes logits.

    `selection` limits the last part of the body to the positions that are needed; None if the
    architecture is not known well enough. `is_copy` marks a body whose layers may be replaced,
    and `is_whole` a model that is not split.
    """

    body: Any
    head: Head
    selection: PositionFilter | QueriedPositions | None = None
    is_copy: bool = False
    is_whole: bool = False

    def hidden(self, inputs: dict[str, Any], rows: Tensor) -> Tensor:
        """Return the hidden states at some positions of the flattened batch."""
        if self.selection is None:
            return torch.flatten(self.body(**inputs)[0], 0, 1)[rows]
        with self.selection.only(inputs, rows):
            states: Tensor = self.body(**inputs)[0][0]
        return states


def causal_head(network: Any) -> Head:
    """Return the function from hidden states to logits, with the scaling of some architectures."""
    linear: torch.nn.Linear = network.get_output_embeddings()
    config = network.config
    cap = getattr(config, "final_logit_softcapping", None)
    scale = getattr(config, "logit_scale", None) or 1 / (getattr(config, "logits_scaling", 0) or 1)
    if cap is None and scale == 1:
        return linear

    def head(states: Tensor) -> Tensor:
        logits: Tensor = linear(states) * scale
        return logits if cap is None else torch.tanh(logits / cap) * cap

    return head


def masked_parts(network: Any) -> Iterator[ModelParts]:
    """Yield ways to split a masked model, the fastest first; none if its head is unknown."""
    for names in _MASKED_HEADS:
        modules = [getattr(network, name, None) for name in names]
        if all(callable(module) for module in modules):
            yield from _splits(network, _chain(modules))
            return


def _splits(network: Any, head: Head) -> Iterator[ModelParts]:
    for optimize in (optimize_encoder, _filter_positions):
        body = copy_body(network)
        selection = None if body is None else optimize(body)
        if selection is not None:
            yield ModelParts(body, head, selection, is_copy=True)
    body = copy_body(network)
    yield ModelParts(body or network.base_model, head, is_copy=body is not None)


def _filter_positions(body: Any) -> PositionFilter | None:
    """Drop all but the needed positions after the last attention of a BERT-like encoder.

    The rest of the model treats each position separately.
    """
    layers = getattr(getattr(body, "encoder", None), "layer", None)
    last = getattr(layers[-1], "attention", None) if layers else None
    if last is None:
        return None
    position_filter = PositionFilter()
    last.register_forward_hook(position_filter)
    return position_filter


def unsplit(network: Any) -> ModelParts:
    """Return a model that is not split: its logits take the place of hidden states."""

    def body(**inputs: Any) -> tuple[Tensor]:
        return (network(**inputs).logits,)

    return ModelParts(body, torch.clone, is_whole=True)  # a copy, as logits are overwritten


def seq2seq_heads(network: Any) -> list[Head]:
    """Return the possible functions from a decoder's hidden states to logits.

    With tied embeddings, T5 and some similar models scale the states, others do not, and their
    configs have no common setting for it; so the engine tries both.
    """
    linear = getattr(network, "lm_head", None)
    if not callable(linear):
        return []
    bias = getattr(network, "final_logits_bias", None)  # BART's

    def head(states: Tensor) -> Tensor:
        logits: Tensor = linear(states)
        return logits if bias is None else logits + bias

    unscaled = linear if bias is None else head
    width = getattr(network.config, "d_model", None)
    return [unscaled] if width is None else [unscaled, lambda states: head(states * width**-0.5)]


def _chain(modules: list[Any]) -> Head:
    def head(states: Tensor) -> Tensor:
        for module in modules:
            states = module(states)
        return states

    return head
