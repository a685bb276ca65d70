"""Layouts: how the inputs of a model are arranged in a batch.

Three layouts arrange independent inputs. `equal_length` puts inputs of one length into rows; it
needs no mask and works for every architecture. `padded` fills rows up to the longest input and
masks the padding. `packed` puts several inputs into one row without padding; a mask and position
ids keep them apart.

Two layouts arrange trees of tokens, where each node sees itself and its ancestors. `PaddedTrees`
uses one padded row per tree and a mask. `ConcatenatedTrees` puts all trees into a single row
without padding; it needs an architecture whose attention can be replaced, so that it stays within
each tree.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from horsesense.models.huggingface.engines.packing import Ids, Tree, fill_rows

# The minimum length of packed rows. Every token attends to the whole row.
ROW = 128


@dataclass(frozen=True, slots=True)
class BatchInputs:
    """The arguments of a network, and where each input starts in the flattened rows."""

    inputs: dict[str, Any]
    starts: list[int]


def equal_length(batch: Sequence[Ids], device: Any) -> BatchInputs:
    """Arrange inputs of one length, one per row."""
    length = len(batch[0])
    return BatchInputs(
        {"input_ids": torch.tensor(batch, device=device)},
        [row * length for row in range(len(batch))],
    )


def padded(batch: Sequence[Ids], device: Any, *, pad: int) -> BatchInputs:
    """Arrange inputs of different lengths, one per row, padded to the longest."""
    length = max(map(len, batch))
    ids = [(*sequence, *[pad] * (length - len(sequence))) for sequence in batch]
    mask = [[1] * len(sequence) + [0] * (length - len(sequence)) for sequence in batch]
    inputs = {
        "input_ids": torch.tensor(ids, device=device),
        "attention_mask": torch.tensor(mask, device=device),
    }
    return BatchInputs(inputs, [row * length for row in range(len(batch))])


def packed(
    batch: Sequence[Ids],
    device: Any,
    *,
    dtype: torch.dtype,
    first_position: int,
    window: int | None,
    pad: int,
) -> BatchInputs:
    """Arrange several inputs per row, kept apart by a mask.

    With a `window`, layers with sliding attention get a mask of their own.
    """
    lengths = [len(sequence) for sequence in batch]
    rows = fill_rows(lengths, max(ROW, *lengths))
    length = max(sum(lengths[item] for item in row) for row in rows)
    ids = torch.full((len(rows), length), pad)
    positions = torch.full((len(rows), length), first_position)
    owners = torch.full((len(rows), length), -1)
    starts = [0] * len(batch)
    for number, row in enumerate(rows):
        at = 0
        for item in row:
            end = at + lengths[item]
            ids[number, at:end] = torch.tensor(batch[item])
            positions[number, at:end] += torch.arange(end - at)
            owners[number, at:end] = item
            starts[item] = number * length + at
            at = end
    inputs = {
        "input_ids": ids.to(device),
        "position_ids": positions.to(device),
        "attention_mask": _packed_masks(owners.to(device), dtype, window),
    }
    return BatchInputs(inputs, starts)


def _packed_masks(
    owners: Tensor, dtype: torch.dtype, window: int | None
) -> Tensor | dict[str, Tensor]:
    same_input = owners[:, None, :, None] == owners[:, None, None, :]
    mask = _additive_mask(same_input, dtype)
    if window is None:
        return mask
    at = torch.arange(owners.shape[1], device=owners.device)
    near = (at[:, None] - at).abs() <= window
    return {"full_attention": mask, "sliding_attention": _additive_mask(same_input & near, dtype)}


def _additive_mask(visible: Tensor, dtype: torch.dtype) -> Tensor:
    """Turn a boolean mask into one that is added to the scores.

    Some architectures would add a boolean mask as zeros and ones.
    """
    lowest = torch.finfo(dtype).min
    zeros = torch.zeros(visible.shape, dtype=dtype, device=visible.device)
    return zeros.masked_fill_(~visible, lowest)


# The names of attention implementations in transformers: torch's, and ours for trees.
_TORCH_ATTENTION, _TREE_ATTENTION = "sdpa", "horsesense-within-trees"


class TreeLayout(Protocol):
    """A layout of trees, which are given longest first."""

    def size(self, trees: Sequence[Tree]) -> int:
        """Return the number of tokens computed for these trees, padding included."""

    @contextmanager
    def inputs(
        self, trees: Sequence[Tree], first_position: int, network: Any
    ) -> Iterator[BatchInputs]:
        """Provide the arguments of the network, valid inside the context."""


@dataclass(frozen=True, slots=True)
class PaddedTrees:
    """One padded row per tree."""

    def size(self, trees: Sequence[Tree]) -> int:
        """Count every row as long as the longest."""
        return len(trees) * len(trees[0].tokens)

    @contextmanager
    def inputs(
        self, trees: Sequence[Tree], first_position: int, network: Any
    ) -> Iterator[BatchInputs]:
        """Provide all rows with a mask."""
        length = max(1, *(len(tree.tokens) for tree in trees))
        ids = np.zeros((len(trees), length), dtype=np.int64)
        positions = np.full_like(ids, first_position)
        for row, tree in enumerate(trees):
            ids[row, : len(tree.tokens)] = tree.tokens
            positions[row, : len(tree.depths)] += tree.depths
        mask = torch.stack([tree_mask(tree, length, network.dtype) for tree in trees])
        inputs = _inputs(ids, positions, network) | {"attention_mask": mask.to(network.device)}
        yield BatchInputs(inputs, [row * length for row in range(len(trees))])


@dataclass(frozen=True, slots=True)
class ConcatenatedTrees:
    """All trees in a single row, for a body prepared by `use_tree_attention`."""

    def size(self, trees: Sequence[Tree]) -> int:
        """Count the tokens; there is no padding."""
        return sum(len(tree.tokens) for tree in trees)

    @contextmanager
    def inputs(
        self, trees: Sequence[Tree], first_position: int, network: Any
    ) -> Iterator[BatchInputs]:
        """Provide the row, and pass the tree masks to the attention function."""
        ids = np.concatenate([np.array(tree.tokens, dtype=np.int64) for tree in trees])
        depths = np.concatenate([np.array(tree.depths, dtype=np.int64) for tree in trees])
        ends = np.cumsum([len(tree.tokens) for tree in trees]).tolist()
        starts = [0, *ends[:-1]]
        _CURRENT.masks = [
            (slice(start, end), tree_mask(tree, end - start, network.dtype))
            for tree, start, end in zip(trees, starts, ends, strict=True)
            if end > start
        ]
        try:
            yield BatchInputs(_inputs(ids[None], depths[None] + first_position, network), starts)
        finally:
            _CURRENT.masks = []


class _CurrentTrees(threading.local):
    """The slices and masks of the trees in the current batch, separate for each thread."""

    masks: Sequence[tuple[slice, Tensor]] = ()


_CURRENT = _CurrentTrees()


def use_tree_attention(body: Any) -> bool:
    """Replace a body's attention by one that stays within trees; return False if that fails.

    It requires torch's own attention, float32 and a CPU: there, many small matrix products cost
    no more than one large product, unlike on a GPU. Torch handles narrower types better itself.
    """
    return replace_attention(body, _TREE_ATTENTION, _attend)


def replace_attention(body: Any, name: str, attend: Callable[..., Any]) -> bool:
    """Replace torch's own attention, in float32 on a CPU, by a function; return False for others.

    The function is registered under that name.
    """
    from transformers.modeling_utils import AttentionInterface

    uses_torch = getattr(body.config, "_attn_implementation", None) == _TORCH_ATTENTION
    if not uses_torch or body.device.type != "cpu" or body.dtype != torch.float32:
        return False
    AttentionInterface.register(name, attend)
    body.config._attn_implementation = name
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
    """Compute attention for each tree; heads that share keys become rows of one product."""
    heads, shared, width = query.shape[1], key.shape[1], query.shape[3]
    scale = width**-0.5 if scaling is None else scaling
    outputs = []
    for at, tree_bias in _CURRENT.masks:
        queries = query[0, :, at].reshape(shared, -1, width)
        bias = tree_bias.repeat(1, heads // shared, 1)
        scores = torch.baddbmm(bias, queries, key[0, :, at].transpose(1, 2), alpha=scale)
        mixed = torch.bmm(scores.softmax(-1), value[0, :, at])
        outputs.append(mixed.view(heads, tree_bias.shape[1], -1).transpose(0, 1))
    return torch.cat(outputs)[None], None


def tree_mask(tree: Tree, length: int, dtype: torch.dtype) -> Tensor:
    """Return the additive mask of a tree in a row of that length.

    It is zero for a node and its ancestors, and the lowest number elsewhere.
    """
    visible = np.eye(length, dtype=bool)  # padding sees itself: a fully masked row gives NaN
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            visible[node, : parent + 1] = visible[parent, : parent + 1]
    lowest = torch.finfo(dtype).min
    return torch.from_numpy(visible).logical_not_().to(dtype).mul_(lowest)[None]


def _inputs(ids: Any, positions: Any, network: Any) -> dict[str, Any]:
    return {
        "input_ids": torch.from_numpy(ids).to(network.device),
        "position_ids": torch.from_numpy(positions).to(network.device),
    }
