"""The parts of a model that come before and after the hidden states.

Logits are wanted for a few positions of an input, and cost as much as several layers; so the
body is run by itself, and the head where it is asked. What the parts are called depends on the
architecture. Whether they were put together rightly is tried out by those who use them.

In the first and the last layer of BERT and its kin there is much less to compute. A sentence is
read in as many masked copies as it has tokens. Before the first layer, a token is the same in all
copies that do not mask it: its query, key and value are computed once. In the last layer nothing
is needed but what stands at the masks. There a query meets the states themselves: instead of
multiplying every state by the matrix of keys, the query is multiplied by it, once, and likewise
for the values.
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
from horsesense.models.huggingface.engines.packed_weights import copied


class Asked(threading.local):
    """What is asked of a batch, which the ends have to know; every thread has one of its own.

    `rows` are the positions that are asked for. `distinct` are places where tokens stand that
    are all different, and `of_each` tells for every place which of them is the same.
    """

    rows: Tensor | None = None
    distinct: Tensor | None = None
    of_each: Tensor | None = None

    @contextmanager
    def only(self, inputs: dict[str, Any], rows: Tensor) -> Iterator[None]:
        """Compute these positions of a batch for the time being."""
        self.rows = rows
        self.distinct, self.of_each = _distinct(inputs)
        try:
            yield
        finally:
            self.rows = self.distinct = self.of_each = None


def _distinct(inputs: dict[str, Any]) -> tuple[Tensor, Tensor]:
    """Tokens are the same where they stand at the same position of their sentence."""
    ids: Tensor = inputs["input_ids"]
    positions = inputs.get("position_ids")
    if positions is None:
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    numbers = (ids * (positions.max() + 1) + positions).flatten()
    of_each = torch.unique(numbers, return_inverse=True)[1]
    places = torch.arange(len(numbers), device=ids.device)
    distinct = places.new_empty(int(of_each.max()) + 1).scatter_(0, of_each, places)
    return distinct, of_each


class Once(torch.nn.Module):
    """A layer that computes the same token once."""

    def __init__(self, layer: Any, asked: Asked) -> None:
        super().__init__()
        self._layer, self._asked = layer, asked

    def forward(self, states: Tensor) -> Tensor:
        """What the layer makes of all states."""
        distinct, of_each = self._asked.distinct, self._asked.of_each
        made: Tensor = self._layer(torch.flatten(states, 0, 1)[distinct])
        return made[of_each].view(*states.shape[:-1], -1)


class LastAttention(torch.nn.Module):
    """Attention of the positions that are asked for, which alone go further."""

    def __init__(self, attention: Any, asked: Asked) -> None:
        super().__init__()
        self._attention, self._asked = attention, asked
        inner = attention.self
        self._heads, self._scaling = inner.num_attention_heads, inner.scaling
        # A head's part of a matrix: its width by that of the states.
        self._keys = inner.key.weight.detach().unflatten(0, (self._heads, -1))
        self._values = inner.value.weight.detach().unflatten(0, (self._heads, -1))

    def forward(
        self, states: Tensor, attention_mask: Tensor | None = None, **_: Any
    ) -> tuple[Tensor, None]:
        """The states after attention, a single row of those that are asked for."""
        rows, inner = self._asked.rows, self._attention.self
        assert rows is not None
        kept = torch.flatten(states, 0, 1)[rows]
        row, place = rows // states.shape[1], rows % states.shape[1]
        seen = states[row]
        queries = inner.query(kept).unflatten(-1, (self._heads, -1)).transpose(0, 1)
        # The keys' bias adds the same to all that a query sees, which makes no difference.
        scores = (queries @ self._keys).transpose(0, 1) @ seen.transpose(1, 2) * self._scaling
        if attention_mask is not None:
            mask = attention_mask.expand(-1, -1, states.shape[1], -1)
            scores = _masked(scores, mask[row, :, place])
        mixed = scores.softmax(-1) @ seen
        values = mixed.transpose(0, 1) @ self._values.transpose(1, 2)
        found = torch.flatten(values.transpose(0, 1), 1)
        if inner.value.bias is not None:
            found = found + inner.value.bias
        return self._attention.output(found, kept)[None], None


def _masked(scores: Tensor, mask: Tensor) -> Tensor:
    """Scores without what a mask bars, whether it tells what is seen or adds what bars the rest."""
    if mask.dtype == torch.bool:
        return scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores + mask


def shorten_ends(body: Any) -> Asked | None:
    """Exchange the first and the last layer for shorter ones; None where they are of another kind.

    What comes out of the body then is what is asked of its batches.
    """
    layers = getattr(getattr(body, "encoder", None), "layer", None)
    if layers is None or len(layers) < 2 or not all(map(_is_of_the_kin, (layers[0], layers[-1]))):
        return None
    asked = Asked()
    first = layers[0].attention.self
    for name in ("query", "key", "value"):
        setattr(first, name, Once(getattr(first, name), asked))
    layers[-1].attention = LastAttention(layers[-1].attention, asked)
    return asked


def _is_of_the_kin(layer: Any) -> bool:
    attention = getattr(layer, "attention", None)
    inner = getattr(attention, "self", None)
    names = ("query", "key", "value", "num_attention_heads", "scaling")
    return hasattr(attention, "output") and all(hasattr(inner, name) for name in names)


# The modules between hidden states and logits, in the order in which they are applied.
_MASKED_HEADS = (
    ("lm_head",),  # RoBERTa and its family, MPNet
    ("cls",),  # BERT, DeBERTa
    ("predictions",),  # ALBERT
    ("generator_predictions", "generator_lm_head"),  # ELECTRA
    ("vocab_transform", "activation", "vocab_layer_norm", "vocab_projector"),  # DistilBERT
    ("head", "decoder"),  # ModernBERT
)


class Keeping(threading.local):
    """Drops all positions but some after a module; for each thread those of its own batch."""

    rows: Tensor | None = None

    @contextmanager
    def only(self, inputs: dict[str, Any], rows: Tensor) -> Iterator[None]:
        """Keep these positions of a batch for the time being."""
        self.rows = rows
        try:
            yield
        finally:
            self.rows = None

    def __call__(self, module: Any, inputs: Any, output: Any) -> Any:
        """What goes on from the module, as torch asks its hooks."""
        if self.rows is None:
            return output
        states, *rest = output
        return (torch.flatten(states, 0, 1)[self.rows][None], *rest)


@dataclass(frozen=True, slots=True)
class Parts:
    """A body, which makes hidden states, and a head, which makes logits of them.

    `asked` stands where each position goes its own way, None where that is not known; from there
    on only those are computed that are asked for. A body that `is_own` is a copy, whose layers may
    be exchanged.
    """

    body: Any
    head: Head
    asked: Keeping | Asked | None = None
    is_own: bool = False
    is_whole: bool = False

    def hidden(self, inputs: dict[str, Any], rows: Tensor) -> Tensor:
        """The hidden states at some positions, counted through all rows of a batch."""
        if self.asked is None:
            return torch.flatten(self.body(**inputs)[0], 0, 1)[rows]
        with self.asked.only(inputs, rows):
            states: Tensor = self.body(**inputs)[0][0]
        return states


def causal_head(network: Any) -> Head:
    """From hidden states to logits, with what some architectures do to these in the end."""
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


def masked_parts(network: Any) -> Iterator[Parts]:
    """The parts of a masked model, the quickest first; none where its head is not known."""
    for names in _MASKED_HEADS:
        modules = [getattr(network, name, None) for name in names]
        if all(callable(module) for module in modules):
            yield from _parts(network, _in_turn(modules))
            return


def _parts(network: Any, head: Head) -> Iterator[Parts]:
    for shorten in (shorten_ends, _keep_asked):
        body = copied(network)
        asked = None if body is None else shorten(body)
        if asked is not None:
            yield Parts(body, head, asked, is_own=True)
    body = copied(network)
    yield Parts(body or network.base_model, head, is_own=body is not None)


def _keep_asked(body: Any) -> Keeping | None:
    """Drop all but the positions that are asked for after the last attention, as BERT's kin has it.

    What follows it mixes nothing.
    """
    layers = getattr(getattr(body, "encoder", None), "layer", None)
    last = getattr(layers[-1], "attention", None) if layers else None
    if last is None:
        return None
    keeping = Keeping()
    last.register_forward_hook(keeping)
    return keeping


def whole(network: Any) -> Parts:
    """A model that is not taken apart: its logits take the place of hidden states."""

    def body(**inputs: Any) -> tuple[Tensor]:
        return (network(**inputs).logits,)

    return Parts(body, torch.clone, is_whole=True)  # a copy, as logits are overwritten


def seq2seq_heads(network: Any) -> list[Head]:
    """From a decoder's hidden states to logits, in the ways that architectures have of it.

    T5 and some of its kin scale what they multiply with tied embeddings, others do not, and no
    setting has the same name in all of them; so both are to be tried.
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


def _in_turn(modules: list[Any]) -> Head:
    def head(states: Tensor) -> Tensor:
        for module in modules:
            states = module(states)
        return states

    return head
