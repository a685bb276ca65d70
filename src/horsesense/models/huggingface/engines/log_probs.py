"""Log-probabilities of single tokens, computed without keeping the logits of the vocabulary.

A vocabulary has some fifty thousand tokens, and a query needs the log-probability of one. The
logits are computed in tiles that fit the processor's cache, and only their share of the softmax
sum is kept. Sums and logarithms are in float32, whatever type the model computes in.
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

# Positions and tokens of a tile: two megabytes of float32. Larger tiles leave the cache.
_POSITIONS, _TOKENS = 512, 1024
# How far rounding may lift a log-probability above zero.
_ROUNDING_ERROR = 1e-4
# Positions whose logits are computed at once if the head is not a single matrix.
_WHOLE_POSITIONS = 128


@dataclass(frozen=True, slots=True)
class TiledHead:
    """A head that is a single matrix, split into tiles that each compute some tokens."""

    tiles: Sequence[Head]

    def __call__(self, states: Tensor) -> Tensor:
        """Return the logits of all tokens."""
        return torch.cat([tile(states) for tile in self.tiles], -1)


def _linear_tile(weight: Tensor, bias: Tensor | None) -> Head:
    return partial(torch.nn.functional.linear, weight=weight, bias=bias)


def tile_head(
    matrix: torch.nn.Linear, make_tile: Callable[[Tensor, Tensor | None], Head] = _linear_tile
) -> TiledHead:
    """Split a matrix into tiles; `make_tile` takes the weights and the bias of one."""
    biases = torch.split(matrix.bias, _TOKENS) if matrix.bias is not None else None
    tiles = [
        make_tile(weight, biases[number] if biases else None)
        for number, weight in enumerate(torch.split(matrix.weight, _TOKENS))
    ]
    return TiledHead(tiles)


def log_probs_at(
    hidden: Tensor, head: Head, rows: Tensor, tokens: Tensor, *, positions: int | None = None
) -> Tensor:
    """Return the log-probability of each of `tokens` at the matching one of `rows`.

    `rows` ascends and may repeat a row for several tokens. `head` computes logits from hidden
    states, for at most `positions` of them at a time.
    """
    return ranked_log_probs_at(hidden, head, rows, tokens, 0, positions=positions)[0]


@torch.inference_mode()
def ranked_log_probs_at(
    hidden: Tensor,
    head: Head,
    rows: Tensor,
    tokens: Tensor,
    count: int,
    *,
    positions: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the same, then the `count` highest log-probabilities at each row, and their tokens.

    The last two have a line for each of `tokens`, highest first. A token that is among the highest
    has exactly the same number there.
    """
    if isinstance(head, torch.nn.Linear) and hidden.dtype == torch.float32:
        head = tile_head(head)
    positions = positions or (_POSITIONS if isinstance(head, TiledHead) else _WHOLE_POSITIONS)
    needed, inverse = torch.unique_consecutive(rows, return_inverse=True)
    result = torch.empty(len(rows), dtype=torch.float32, device=hidden.device)
    tops: list[Top] = []
    for start in range(0, len(needed), positions):
        states = hidden[needed[start : start + positions]]
        here = (inverse >= start) & (inverse < start + positions)
        at, targets = inverse[here] - start, tokens[here]
        if isinstance(head, TiledHead):
            chosen, total, top = _by_tiles(states, head, at, targets, count)
        else:
            chosen, total, top = _in_place(head(states).float(), at, targets, count)
        result[here] = chosen - total[at]
        tops.append(((top[0] - total[:, None])[at], top[1][at]))
    if not tops:  # nothing was asked
        return result, result.new_empty(0, count), tokens.new_empty(0, count)
    return result, torch.cat([top[0] for top in tops]), torch.cat([top[1] for top in tops])


def checked_values(log_probs: Tensor) -> tuple[float, ...]:
    """Return the numbers as floats; raise an error if one is NaN or infinite."""
    if not torch.isfinite(log_probs).all():
        raise ModelError(
            "the model returns log-probabilities that are not finite (NaN or infinite);"
            " its weights are damaged, or --dtype is too narrow for it"
        )
    values = log_probs.float()
    # Rounding may lift the logarithm of a certainty slightly above zero. Larger values are wrong
    # and are rejected when they are stored.
    is_rounding = (values > 0) & (values < _ROUNDING_ERROR)
    return tuple(values.masked_fill(is_rounding, 0.0).tolist())


def tolerance(dtype: torch.dtype) -> float:
    """Return how much a log-probability may differ between two ways of computing it."""
    return 1e-4 if dtype == torch.float32 else 16 * torch.finfo(dtype).eps


# The highest logits of each state, and their tokens.
Top: TypeAlias = tuple[Tensor, Tensor]


def _by_tiles(
    states: Tensor, head: TiledHead, at: Tensor, targets: Tensor, count: int
) -> tuple[Tensor, Tensor, Top]:
    """Return the logits of the targets, the logarithms of the sums over all tokens, and the top.

    Each tile is computed by itself, and only its share of the sum and of the top is kept.
    """
    sums, tops = [], []
    logits = states.new_empty(len(targets))
    for number, compute in enumerate(head.tiles):
        tile = compute(states)
        here = targets // _TOKENS == number
        logits[here] = tile[at[here], targets[here] % _TOKENS]
        # What log-softmax subtracts from every logit; torch computes it in one pass.
        sums.append(tile[:, 0] - torch.log_softmax(tile, 1)[:, 0])
        values, tokens = _top(tile, count)
        tops.append((values, tokens + number * _TOKENS))
    total = torch.logsumexp(torch.stack(sums, 1), 1)
    values, places = _top(torch.cat([values for values, _ in tops], 1), count)
    return logits, total, (values, torch.cat([tokens for _, tokens in tops], 1).gather(1, places))


def _in_place(
    logits: Tensor, at: Tensor, targets: Tensor, count: int
) -> tuple[Tensor, Tensor, Top]:
    """Compute the same for a head of any kind, overwriting its logits."""
    chosen = logits[at, targets].clone()
    top = _top(logits, count)
    highest = logits.amax(1, keepdim=True)
    total = logits.sub_(highest).exp_().sum(1, keepdim=True)
    return chosen, (total.log() + highest).squeeze(1), top


def _top(logits: Tensor, count: int) -> Top:
    """Return the highest logits of each row, and their columns; a single one is much faster."""
    if count == 0:
        return logits[:, :0], logits.new_empty((len(logits), 0), dtype=torch.long)
    if count == 1:
        highest = torch.max(logits, 1, keepdim=True)
        return highest.values, highest.indices
    return torch.topk(logits, min(count, logits.shape[1]), 1)
