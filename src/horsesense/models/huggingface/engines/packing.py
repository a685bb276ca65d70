"""How sequences of tokens are put into rows, so that little is computed twice or for nothing.

Causal models: the sequences of a row share a tree, in which a prefix that several have in common
is one path. A sequence is cut where that costs least, as every row begins anew at its roots.
Other models read sequences that share nothing: these stand side by side in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# A row of n nodes costs n + n²/_ATTENTION nodes: every node looks at the whole row, and what it
# sees of other branches is for nothing. Measured with a small model; the minimum is flat.
_ATTENTION = 1000
# No row of several sequences is longer than this.
LONGEST_ROW = 256

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """Sequences that share a row: nodes, and where each sequence's tokens are asked for.

    A node is a token after all those on the way to it; `parents` has -1 for a first token. The
    last token of a sequence is asked for but never read, so it needs no node. `asked` has a node
    and the token asked after it, without repetition; `paths` has for each sequence (by its number
    among all of them) the places of its tokens in `asked`.
    """

    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    depths: tuple[int, ...]
    asked: tuple[tuple[int, int], ...]
    paths: tuple[tuple[int, tuple[int, ...]], ...]


def plan_trees(sequences: Sequence[Ids], longest_row: int = LONGEST_ROW) -> list[Tree]:
    """Divide sequences into rows, each a tree (or several with roots of their own).

    A sequence that is longer than a row has one to itself.
    """
    order = sorted(range(len(sequences)), key=lambda number: sequences[number])
    ordered = [sequences[number] for number in order]
    cuts = _cuts(ordered, longest_row)
    return [
        _tree([(order[at], ordered[at]) for at in range(start, end)])
        for start, end in zip(cuts, cuts[1:], strict=False)
    ]


def fill_rows(lengths: Sequence[int], capacity: int) -> list[list[int]]:
    """Put items into as few rows of that capacity as will do: the longest first, where they fit.

    An item that is longer than a row gets one to itself.

    >>> fill_rows([3, 5, 4, 2], 7)
    [[1, 3], [2, 0]]
    """
    rows: list[list[int]] = []
    room: list[int] = []
    first_open = 0  # rows before it are full
    for item in sorted(range(len(lengths)), key=lambda item: -lengths[item]):
        for row in range(first_open, len(rows)):
            if lengths[item] <= room[row]:
                rows[row].append(item)
                room[row] -= lengths[item]
                break
        else:
            rows.append([item])
            room.append(capacity - lengths[item])
        while first_open < len(rows) and room[first_open] <= 0:
            first_open += 1
    return rows


def _cuts(ordered: Sequence[Ids], longest_row: int) -> list[int]:
    """Where rows begin, and the end: the cheapest division of the sequences in their order."""
    new = [len(ids) - 1 - _shared(ids, before) for ids, before in _with_before(ordered)]
    best: list[float] = [0.0]
    came_from = [0]
    for end in range(1, len(ordered) + 1):
        nodes, cheapest, start_of_cheapest = 0, float("inf"), end - 1
        for start in range(end - 1, -1, -1):
            # The first sequence of a row has all its nodes, the others what is new in them.
            whole = nodes + max(len(ordered[start]) - 1, 0)
            if whole > longest_row and start < end - 1:
                break
            cost = best[start] + whole + whole * whole / _ATTENTION
            if cost < cheapest:
                cheapest, start_of_cheapest = cost, start
            nodes += max(new[start], 0)
        best.append(cheapest)
        came_from.append(start_of_cheapest)
    cuts = [len(ordered)]
    while cuts[-1]:
        cuts.append(came_from[cuts[-1]])
    return cuts[::-1]


def _with_before(ordered: Sequence[Ids]) -> list[tuple[Ids, Ids]]:
    return list(zip(ordered, [(), *ordered], strict=False))


def _shared(ids: Ids, before: Ids) -> int:
    """How many nodes two neighbours share; the last token of either has none."""
    length = min(len(ids), len(before)) - 1
    for at in range(length):
        if ids[at] != before[at]:
            return at
    return max(length, 0)


def _tree(row: Sequence[tuple[int, Ids]]) -> Tree:
    nodes: dict[tuple[int, int], int] = {}  # (parent, token) to node
    tokens: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    asked: dict[tuple[int, int], int] = {}
    paths = []
    for number, ids in row:
        parent, path = -1, []
        for depth, (token, following) in enumerate(zip(ids, ids[1:], strict=False)):
            node = nodes.setdefault((parent, token), len(tokens))
            if node == len(tokens):
                tokens.append(token)
                parents.append(parent)
                depths.append(depth)
            path.append(asked.setdefault((node, following), len(asked)))
            parent = node
        paths.append((number, tuple(path)))
    return Tree(tuple(tokens), tuple(parents), tuple(depths), tuple(asked), tuple(paths))
