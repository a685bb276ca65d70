"""Packing: divide token sequences into rows so that little is computed twice or wasted.

For causal models, the sequences of a row form a tree in which shared prefixes occur once. The
sorted sequences are divided into rows at the lowest total cost. For other models, independent
sequences are placed next to each other in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# A row of n nodes costs n + n²/_ATTENTION nodes: every node attends to the whole row, and the other
# branches are wasted work. Measured with a small model; the minimum is flat.
_ATTENTION = 1000
# The maximum length of a row with several sequences.
LONGEST_ROW = 256

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """Sequences that share a row, as a tree of tokens.

    A node is a token with a given prefix; `parents` has -1 for a first token. The last token of a
    sequence is only predicted, so it needs no node. `targets` lists pairs of a node and a token to
    predict after it, without repetition. `paths` maps each sequence, by its number, to the indices
    of its tokens in `targets`.
    """

    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    depths: tuple[int, ...]
    targets: tuple[tuple[int, int], ...]
    paths: tuple[tuple[int, tuple[int, ...]], ...]


def plan_trees(sequences: Sequence[Ids], longest_row: int = LONGEST_ROW) -> list[Tree]:
    """Divide sequences into rows, each of one or more trees.

    A sequence that is longer than a row gets a row to itself.
    """
    order = sorted(range(len(sequences)), key=lambda number: sequences[number])
    ordered = [sequences[number] for number in order]
    cuts = _cuts(ordered, longest_row)
    return [
        _tree([(order[at], ordered[at]) for at in range(start, end)])
        for start, end in zip(cuts, cuts[1:], strict=False)
    ]


def fill_rows(lengths: Sequence[int], capacity: int) -> list[list[int]]:
    """Pack items into rows of that capacity: longest first, each into the first row with space.

    An item that is longer than a row gets a row to itself.

    >>> fill_rows([3, 5, 4, 2], 7)
    [[1, 3], [2, 0]]
    """
    rows: list[list[int]] = []
    space: list[int] = []
    first_open = 0  # rows before it are full
    for item in sorted(range(len(lengths)), key=lambda item: -lengths[item]):
        for row in range(first_open, len(rows)):
            if lengths[item] <= space[row]:
                rows[row].append(item)
                space[row] -= lengths[item]
                break
        else:
            rows.append([item])
            space.append(capacity - lengths[item])
        while first_open < len(rows) and space[first_open] <= 0:
            first_open += 1
    return rows


def _cuts(ordered: Sequence[Ids], longest_row: int) -> list[int]:
    """Return where rows start, and the end, for the cheapest division of the sorted sequences."""
    new = [
        len(ids) - 1 - _shared_nodes(ids, previous)
        for ids, previous in zip(ordered, [(), *ordered], strict=False)
    ]
    best: list[float] = [0.0]
    came_from = [0]
    for end in range(1, len(ordered) + 1):
        nodes, cheapest, start_of_cheapest = 0, float("inf"), end - 1
        for start in range(end - 1, -1, -1):
            # The first sequence of a row adds all its nodes, the others only their new ones.
            total = nodes + max(len(ordered[start]) - 1, 0)
            if total > longest_row and start < end - 1:
                break
            cost = best[start] + total + total * total / _ATTENTION
            if cost < cheapest:
                cheapest, start_of_cheapest = cost, start
            nodes += max(new[start], 0)
        best.append(cheapest)
        came_from.append(start_of_cheapest)
    cuts = [len(ordered)]
    while cuts[-1]:
        cuts.append(came_from[cuts[-1]])
    return cuts[::-1]


def _shared_nodes(ids: Ids, previous: Ids) -> int:
    """Count the nodes that two neighbours share; the last token of a sequence has none."""
    length = min(len(ids), len(previous)) - 1
    for at in range(length):
        if ids[at] != previous[at]:
            return at
    return max(length, 0)


def _tree(row: Sequence[tuple[int, Ids]]) -> Tree:
    nodes: dict[tuple[int, int], int] = {}  # (parent, token) to node
    tokens: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    targets: dict[tuple[int, int], int] = {}
    paths = []
    for number, ids in row:
        parent, path = -1, []
        for depth, (token, following) in enumerate(zip(ids, ids[1:], strict=False)):
            node = nodes.setdefault((parent, token), len(tokens))
            if node == len(tokens):
                tokens.append(token)
                parents.append(parent)
                depths.append(depth)
            path.append(targets.setdefault((node, following), len(targets)))
            parent = node
        paths.append((number, tuple(path)))
    return Tree(tuple(tokens), tuple(parents), tuple(depths), tuple(targets), tuple(paths))
