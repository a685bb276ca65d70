"""Log-probabilities of single tokens, without a table of all of them that is kept.

A vocabulary has some fifty thousand tokens and one of them is asked for. The logits are computed
in tiles that stay in the processor's cache, and all that is kept of a tile is its share of the
sum under the softmax. Sums and logarithms are in float32, whatever the model computes in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import torch
from torch import Tensor

from horsesense.errors import ModelError

Head: TypeAlias = Callable[[Tensor], Tensor]

# Positions and tokens of a tile: two megabytes of float32. Larger ones leave the cache.
_POSITIONS, _TOKENS = 512, 1024
_HAIR = 1e-4
# Positions whose logits are computed whole, where a head is not a matrix alone.
_WHOLE_POSITIONS = 128


@dataclass(frozen=True, slots=True)
class Tiled:
    """A head that is a matrix alone, in tiles: each makes the logits of so many tokens."""

    tiles: Sequence[Head]

    def __call__(self, states: Tensor) -> Tensor:
        """The logits of all tokens."""
        return torch.cat([tile(states) for tile in self.tiles], -1)


def _tile(weight: Tensor, bias: Tensor | None) -> Head:
    return partial(torch.nn.functional.linear, weight=weight, bias=bias)


def tiled(matrix: torch.nn.Linear, tile: Callable[[Tensor, Tensor | None], Head] = _tile) -> Tiled:
    """The matrix in tiles; `tile` makes one of its weights and bias."""
    biases = torch.split(matrix.bias, _TOKENS) if matrix.bias is not None else None
    tiles = [
        tile(weight, biases[at] if biases else None)
        for at, weight in enumerate(torch.split(matrix.weight, _TOKENS))
    ]
    return Tiled(tiles)


@torch.inference_mode()
def log_probs_at(
    hidden: Tensor, head: Head, rows: Tensor, tokens: Tensor, *, positions: int | None = None
) -> Tensor:
    """The log-probability of each of `tokens` where `rows` says, one after another.

    `rows` ascends; a row may be asked for several tokens. `head` makes logits of hidden states;
    at most `positions` of them are in its hands at a time.
    """
    if isinstance(head, torch.nn.Linear) and hidden.dtype == torch.float32:
        head = tiled(head)
    positions = positions or (_POSITIONS if isinstance(head, Tiled) else _WHOLE_POSITIONS)
    needed, place = torch.unique_consecutive(rows, return_inverse=True)
    result = torch.empty(len(rows), dtype=torch.float32, device=hidden.device)
    for start in range(0, len(needed), positions):
        states = hidden[needed[start : start + positions]]
        here = (place >= start) & (place < start + positions)
        at, wanted = place[here] - start, tokens[here]
        if isinstance(head, Tiled):
            result[here] = _by_tiles(states, head, at, wanted)
        else:
            result[here] = _at_once(head(states).float(), at, wanted)
    return result


def finite(log_probs: Tensor) -> tuple[float, ...]:
    """The numbers as they are kept, provided that they are numbers."""
    if not torch.isfinite(log_probs).all():
        raise ModelError(
            "the model gives log-probabilities that are no finite numbers (NaN or infinite);"
            " its weights are damaged, or --dtype is too narrow for it"
        )
    values = log_probs.float()
    # Rounding may lift the logarithm of a certainty above zero by a hair. More than that is wrong,
    # and is left for whoever keeps it to refuse.
    by_a_hair = (values > 0) & (values < _HAIR)
    return tuple(values.masked_fill(by_a_hair, 0.0).tolist())


def told(error: Exception) -> str:
    """What an architecture says to a way of reading that it does not know, in a line."""
    line = next(iter(str(error).splitlines()), "")[:120]
    return f"{type(error).__name__}: {line}"


def tolerance(dtype: torch.dtype) -> float:
    """By how much the same log-probability may differ between two ways of computing it."""
    return 1e-4 if dtype == torch.float32 else 16 * torch.finfo(dtype).eps


def _by_tiles(states: Tensor, head: Tiled, at: Tensor, wanted: Tensor) -> Tensor:
    """Each tile by itself, and of each the logarithm of the sum of its exponentials."""
    sums = []
    logits = states.new_empty(len(wanted))
    for number, make in enumerate(head.tiles):
        tile = make(states)
        here = wanted // _TOKENS == number
        logits[here] = tile[at[here], wanted[here] % _TOKENS]
        # What log-softmax takes off every logit; torch makes it in one go through the cache.
        sums.append(tile[:, 0] - torch.log_softmax(tile, 1)[:, 0])
    return logits - torch.logsumexp(torch.stack(sums, 1), 1)[at]


def _at_once(logits: Tensor, at: Tensor, wanted: Tensor) -> Tensor:
    """The same for a head of any kind, in the place where its logits stand."""
    chosen = logits[at, wanted].clone()
    highest = logits.amax(1, keepdim=True)
    total = logits.sub_(highest).exp_().sum(1, keepdim=True)
    return chosen - (total.log() + highest).squeeze(1)[at]
