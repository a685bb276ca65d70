"""Plan in which order to ask for single tokens of texts that begin alike, each token once.

All texts form a tree in which each node is a token after the tokens before it. Sorted texts visit
the tree depth first, so that a server with a cache of prompts has nearly all of each prompt in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Ids: TypeAlias = tuple[int, ...]

# A text goes to the slot of the text before it if both begin with as many tokens.
_SHARED = 4
# The tokens to ask for after which another slot may go on.
_GROUP_TOKENS = 64


@dataclass(frozen=True, slots=True)
class TokenPath:
    """A text to ask for: all its tokens, and with which text each of them is asked for.

    `owners` has the number of a path for each token but the first: of the first path that begins
    with the same tokens up to there.
    """

    ids: Ids
    owners: tuple[int, ...]

    def own_positions(self, number: int) -> range:
        """Return the positions of the tokens that are asked for with this path, which come last."""
        return range(1 + len(self.owners) - self.owners.count(number), len(self.ids))


def plan_paths(sequences: Iterable[Ids]) -> list[TokenPath]:
    """Return the paths through the tree of all tokens, each sequence once, and sorted.

    Sorted sequences visit the tree depth first, so each new token continues the path before it.

    >>> plan_paths([(5, 8), (5, 7, 9), (5, 7, 6)])[1]
    TokenPath(ids=(5, 7, 9), owners=(0, 1))
    """
    paths: list[TokenPath] = []
    previous: Ids = ()
    owners: tuple[int, ...] = ()
    for number, ids in enumerate(sorted(set(sequences))):
        shared = max(_count_shared(ids, previous) - 1, 0)
        owners = (*owners[:shared], *([number] * (len(ids) - 1 - shared)))
        paths.append(TokenPath(ids, owners))
        previous = ids
    return paths


def group_paths(paths: Sequence[TokenPath], slots: int) -> list[range]:
    """Divide paths into groups to be asked for one after another, in the same slot of the server.

    Paths that begin alike stay together, unless other slots would have nothing to do.
    """
    news = [len(path.own_positions(number)) for number, path in enumerate(paths)]
    most = min(_GROUP_TOKENS, sum(news) // (2 * slots))
    cuts, size = [0], 0
    for number in range(1, len(paths)):
        size += news[number - 1]
        if size >= most or _count_shared(paths[number - 1].ids, paths[number].ids) < _SHARED:
            cuts.append(number)
            size = 0
    return [range(*ends) for ends in zip(cuts, [*cuts[1:], len(paths)], strict=True) if paths]


def _count_shared(ids: Ids, others: Ids) -> int:
    """Return with how many equal tokens two sequences begin."""
    pairs = enumerate(zip(ids, others, strict=False))
    return next((at for at, (own, other) in pairs if own != other), min(len(ids), len(others)))


class Assembly:
    """Puts together the log-probabilities of whole paths from those asked for with each."""

    def __init__(self, paths: Sequence[TokenPath]) -> None:
        self._paths = paths
        self._values: dict[int, Mapping[int, float]] = {}
        self._missing = [{*path.owners} for path in paths]
        self._waiting: dict[int, list[int]] = defaultdict(list)
        for number, owners in enumerate(self._missing):
            for owner in owners:
                self._waiting[owner].append(number)

    def add(self, number: int, values: Mapping[int, float]) -> Iterator[int]:
        """Take what was asked for with a path, by position, and yield the paths now complete."""
        self._values[number] = values
        for waiting in self._waiting[number]:
            self._missing[waiting].remove(number)
            if not self._missing[waiting]:
                yield waiting

    def log_probs(self, number: int) -> tuple[float, ...]:
        """Return the log-probabilities of a complete path."""
        owners = self._paths[number].owners
        return tuple([self._values[owner][at] for at, owner in enumerate(owners, start=1)])
