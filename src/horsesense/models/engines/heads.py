"""The parts of a model that come before and after the hidden states.

Logits are wanted for a few positions of an input, and cost as much as several layers; so the
body is run by itself, and the head where it is asked. What the parts are called depends on the
architecture. Whether they were put together rightly is tried out by those who use them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from horsesense.models.engines.head import Head

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
    def only(self, rows: Tensor) -> Iterator[None]:
        """Keep these positions for the time being."""
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

    `last` stands after the module from which on each position goes its own way, None where that is
    not known; from there on only those are computed that are asked for.
    """

    body: Any
    head: Head
    last: Keeping | None = None
    is_whole: bool = False

    def hidden(self, inputs: dict[str, Any], rows: Tensor) -> Tensor:
        """The hidden states at some positions, counted through all rows of a batch."""
        if self.last is None:
            return torch.flatten(self.body(**inputs)[0], 0, 1)[rows]
        with self.last.only(rows):
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


def masked_parts(network: Any) -> list[Parts]:
    """The parts of a masked model, the quickest first; none where its head is not known."""
    for names in _MASKED_HEADS:
        modules = [getattr(network, name, None) for name in names]
        if all(callable(module) for module in modules):
            body, head = network.base_model, _in_turn(modules)
            last = _last_attention(body)
            if last is None:
                return [Parts(body, head)]
            keeping = Keeping()
            last.register_forward_hook(keeping)
            return [Parts(body, head, keeping), Parts(body, head)]
    return []


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


def _last_attention(body: Any) -> Any:
    """The attention of the last layer, as BERT and its kin have it; what follows mixes nothing."""
    layers = getattr(getattr(body, "encoder", None), "layer", None)
    return getattr(layers[-1], "attention", None) if layers else None


def _in_turn(modules: list[Any]) -> Head:
    def head(states: Tensor) -> Tensor:
        for module in modules:
            states = module(states)
        return states

    return head
