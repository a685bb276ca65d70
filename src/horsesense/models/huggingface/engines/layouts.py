"""How inputs of a model that share nothing are laid out in a batch.

Three ways: `even` for inputs of one length, which need no mask at all and so are right for every
architecture; `padded` with a mask over what was filled up; `packed` side by side in rows without
filling up, each input seeing itself alone and counting its positions from the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from horsesense.models.huggingface.engines.packing import Ids, fill_rows

# Rows that are packed get at least so long; every token in one looks at the whole of it.
ROW = 128


@dataclass(frozen=True, slots=True)
class Laid:
    """What a network is called with, and where each input begins when rows follow each other."""

    inputs: dict[str, Any]
    starts: list[int]


def even(batch: Sequence[Ids], device: Any) -> Laid:
    """Inputs of one length, a row each."""
    length = len(batch[0])
    return Laid(
        {"input_ids": torch.tensor(batch, device=device)},
        [row * length for row in range(len(batch))],
    )


def padded(batch: Sequence[Ids], device: Any, *, pad: int) -> Laid:
    """Inputs of several lengths, a row each, filled up to the longest."""
    length = max(map(len, batch))
    ids = [(*each, *[pad] * (length - len(each))) for each in batch]
    read = [[1] * len(each) + [0] * (length - len(each)) for each in batch]
    inputs = {
        "input_ids": torch.tensor(ids, device=device),
        "attention_mask": torch.tensor(read, device=device),
    }
    return Laid(inputs, [row * length for row in range(len(batch))])


def packed(
    batch: Sequence[Ids],
    device: Any,
    *,
    dtype: torch.dtype,
    first_position: int,
    window: int | None,
    pad: int,
) -> Laid:
    """Inputs side by side in rows, kept apart by a mask.

    With a `window`, layers that look no further than that get a mask of their own.
    """
    rows = fill_rows([len(each) for each in batch], max(ROW, *(len(each) for each in batch)))
    length = max(sum(len(batch[item]) for item in row) for row in rows)
    ids = torch.full((len(rows), length), pad)
    positions = torch.full((len(rows), length), first_position)
    owners = torch.full((len(rows), length), -1)
    starts = [0] * len(batch)
    for number, row in enumerate(rows):
        at = 0
        for item in row:
            end = at + len(batch[item])
            ids[number, at:end] = torch.tensor(batch[item])
            positions[number, at:end] += torch.arange(end - at)
            owners[number, at:end] = item
            starts[item] = number * length + at
            at = end
    inputs = {
        "input_ids": ids.to(device),
        "position_ids": positions.to(device),
        "attention_mask": _masks(owners.to(device), dtype, window),
    }
    return Laid(inputs, starts)


def _masks(owners: Tensor, dtype: torch.dtype, window: int | None) -> Tensor | dict[str, Tensor]:
    together = owners[:, None, :, None] == owners[:, None, None, :]
    mask = _barring(together, dtype)
    if window is None:
        return mask
    at = torch.arange(owners.shape[1], device=owners.device)
    near = (at[:, None] - at).abs() <= window
    return {"full_attention": mask, "sliding_attention": _barring(together & near, dtype)}


def _barring(seen: Tensor, dtype: torch.dtype) -> Tensor:
    """What is added to attention. Some architectures would take booleans for numbers."""
    barred = torch.finfo(dtype).min
    return torch.zeros(seen.shape, dtype=dtype, device=seen.device).masked_fill_(~seen, barred)
