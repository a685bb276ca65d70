"""What a causal model is tried out with when it is loaded."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import pairwise

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.packing import Ids
from horsesense.models.info import ModelInfo
from horsesense.models.query import Query

# Nodes of all the trees that a model is tried out with, and the most that one of them has.
_PROBED, LARGEST_PROBE = 96, 48


def probes(declaration: ModelInfo, longest_row: int) -> list[Ids]:
    """Made-up sentences of one length that begin alike, as far as they fit a tree of some size."""
    draw = random.Random(0)
    tokens = range(min(declaration.vocabulary, 20_000))
    longest = min(16, longest_row, declaration.context or longest_row)
    trunk = (*declaration.before, *draw.choices(tokens, k=longest))[:longest]
    made = {trunk}
    nodes = longest
    while len(made) < 2 or nodes < min(longest_row, _PROBED) - longest:
        shared = draw.randrange(len(declaration.before), longest - 1)
        made.add((*trunk[:shared], *draw.choices(tokens, k=longest - shared)))
        nodes += longest - shared
    return sorted(made)


def check_causal(single: Mapping[Query, tuple[float, ...]], name: str, within: float) -> None:
    """Refuse a model for which what comes later changes what came before."""
    for (one, values), (other, other_values) in pairwise(single.items()):
        pairs = enumerate(zip(one.ids, other.ids, strict=False))
        shared = next((at for at, (a, b) in pairs if a != b), len(one.ids))
        # The first token has no number.
        alike = list(zip(values, other_values, strict=False))[: max(shared - 1, 0)]
        if any(abs(a - b) > within for a, b in alike):
            raise ModelError(
                f"{name} looks at what comes after a token, so the log-probabilities of its"
                " tokens do not make up that of a sentence; it cannot be asked as a causal model"
            )
