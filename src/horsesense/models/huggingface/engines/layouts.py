"""How the inputs of a model are laid out in a batch.

Three layouts for inputs that share nothing: `even` for inputs of one length, which need no mask at
all and so are right for every architecture; `padded` with a mask over what was filled up; `packed`
side by side in rows without filling up, each input seeing itself alone and counting its positions
from the first.

Two for trees of tokens, in which each node sees itself and its ancestors: `InRows`, a row for each
tree, filled up to the longest, and a mask for all of them; and `EndToEnd`, one tree after another
in a single row. There nothing is filled up, and attention is told to stay within a tree, which
takes an architecture that lets itself be told.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from horsesense.models.huggingface.engines.packing import Ids, Tree, fill_rows

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


# How transformers calls attention that torch computes, and that which stays within a tree.
_TORCHS_OWN, _WITHIN_TREES = "sdpa", "horsesense-within-trees"


class TreeLayout(Protocol):
    """A way to lay out trees, the longest first."""

    def size(self, trees: Sequence[Tree]) -> int:
        """Tokens that are computed for them, with what they are filled up with."""

    @contextmanager
    def laid(self, trees: Sequence[Tree], first_position: int, network: Any) -> Iterator[Laid]:
        """What the network is called with for the time being."""


@dataclass(frozen=True, slots=True)
class InRows:
    """A row for each tree."""

    def size(self, trees: Sequence[Tree]) -> int:
        """Rows are as long as the longest."""
        return len(trees) * len(trees[0].tokens)

    @contextmanager
    def laid(self, trees: Sequence[Tree], first_position: int, network: Any) -> Iterator[Laid]:
        """All rows, with a mask."""
        length = max(1, *(len(tree.tokens) for tree in trees))
        ids = np.zeros((len(trees), length), dtype=np.int64)
        positions = np.full_like(ids, first_position)
        for row, tree in enumerate(trees):
            ids[row, : len(tree.tokens)] = tree.tokens
            positions[row, : len(tree.depths)] += tree.depths
        mask = torch.stack([tree_mask(tree, length, network.dtype) for tree in trees])
        inputs = _inputs(ids, positions, network) | {"attention_mask": mask.to(network.device)}
        yield Laid(inputs, [row * length for row in range(len(trees))])


@dataclass(frozen=True, slots=True)
class EndToEnd:
    """One tree after another, for a body that is made to `stay_within_trees`."""

    def size(self, trees: Sequence[Tree]) -> int:
        """Nothing is filled up."""
        return sum(len(tree.tokens) for tree in trees)

    @contextmanager
    def laid(self, trees: Sequence[Tree], first_position: int, network: Any) -> Iterator[Laid]:
        """A single row, whose parts attention is told of."""
        ids = np.concatenate([np.array(tree.tokens, dtype=np.int64) for tree in trees])
        depths = np.concatenate([np.array(tree.depths, dtype=np.int64) for tree in trees])
        ends = np.cumsum([len(tree.tokens) for tree in trees]).tolist()
        starts = [0, *ends[:-1]]
        _WITHIN.trees = [
            (slice(start, end), tree_mask(tree, end - start, network.dtype))
            for tree, start, end in zip(trees, starts, ends, strict=True)
            if end > start
        ]
        try:
            yield Laid(_inputs(ids[None], depths[None] + first_position, network), starts)
        finally:
            _WITHIN.trees = []


class _Within(threading.local):
    """The trees of a batch: their places in its row and their masks; for each thread its own."""

    trees: Sequence[tuple[slice, Tensor]] = ()


_WITHIN = _Within()


def stay_within_trees(body: Any) -> bool:
    """Make a body attend within trees, where its attention is torch's own; false where it is not.

    That pays where one small product after another costs no more than all of them at once, which
    is so on a processor and not on a graphics card. Narrow numbers are left to torch, which knows
    how to add them up.
    """
    from transformers.modeling_utils import AttentionInterface

    is_torchs_own = getattr(body.config, "_attn_implementation", None) == _TORCHS_OWN
    if not is_torchs_own or body.device.type != "cpu" or body.dtype != torch.float32:
        return False
    AttentionInterface.register(_WITHIN_TREES, _attend)
    body.config._attn_implementation = _WITHIN_TREES
    return True


def _attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    _: object,
    *,
    scaling: float | None = None,
    **settings: Any,
) -> tuple[Tensor, None]:
    """Attention of each tree by itself; heads that share their keys are rows of one product."""
    heads, shared, width = query.shape[1], key.shape[1], query.shape[3]
    scale = width**-0.5 if scaling is None else scaling
    found = []
    for at, mask in _WITHIN.trees:
        asking = query[0, :, at].reshape(shared, -1, width)
        barred = mask.repeat(1, heads // shared, 1)
        scores = torch.baddbmm(barred, asking, key[0, :, at].transpose(1, 2), alpha=scale)
        mixed = torch.bmm(scores.softmax(-1), value[0, :, at])
        found.append(mixed.view(heads, mask.shape[1], -1).transpose(0, 1))
    return torch.cat(found)[None], None


def tree_mask(tree: Tree, length: int, dtype: torch.dtype) -> Tensor:
    """What is added to attention in a row of that length: nothing for a node and its ancestors,
    and all there is to bar the rest. A boolean mask would be taken for numbers by some
    architectures.
    """
    sees = np.eye(length, dtype=bool)  # a row of nothing but bars would give no numbers at all
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            sees[node, : parent + 1] = sees[parent, : parent + 1]
    barred = torch.finfo(dtype).min
    return torch.from_numpy(sees).logical_not_().to(dtype).mul_(barred)[None]


def _inputs(ids: Any, positions: Any, network: Any) -> dict[str, Any]:
    return {
        "input_ids": torch.from_numpy(ids).to(network.device),
        "position_ids": torch.from_numpy(positions).to(network.device),
    }
