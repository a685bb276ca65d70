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

from horsesense.models.huggingface.engines.encoder_ends import Asked, shorten_ends
from horsesense.models.huggingface.engines.head import Head
from horsesense.models.huggingface.engines.rebuilt import copied

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
