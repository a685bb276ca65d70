"""Samples of schemas and of problems that are in none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from horsesense.metrics import Sample, answered


def mixed(schemas: Sequence[Sequence[bool]], single: Sequence[bool]) -> Sample:
    """The schemas, and after them the single problems; each is a cluster."""
    values = [one for row in schemas for one in row]
    pairs = np.arange(len(values), dtype=np.intp).reshape(-1, 2)
    alone = np.arange(len(schemas), len(schemas) + len(single), dtype=np.intp)
    clusters = np.concatenate([np.repeat(np.arange(len(schemas), dtype=np.intp), 2), alone])
    return Sample(answered([*values, *single]), pairs, clusters, len(schemas) + len(single))
