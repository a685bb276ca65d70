"""Schemas of our own for the tests beside this file, and short ways to evaluate them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from horsesense.evaluation.protocol import run_protocol
from horsesense.results import Plan, Results
from horsesense.schema import Dataset
from horsesense.schema.notation import read_schemas
from horsesense.store import Store, StoredDataset, save_dataset

# Of the four Winograd schemas one says that it can be switched and one that it cannot; two have
# another wording, one has other candidates.
PANTRY = """\
---
name: pantry
title: Winograd schemas of a pantry
licence: CC0
---
[The jam] would not go into [the jar] because <it = the jam, the jar> was too {thick, small}.
    id: jam
    tags: kitchen
    switchable: yes
    associative: yes
    tense: [The jam] won't go into [the jar] because <it = the jam, the jar> is too {thick, small}.

[The cook] scolded [the maid] because <she = the cook, the maid> was {cross, lazy}.
    id: cook
    tags: people
    switchable: no
    adjectival: the tall woman, the short woman

[The tray] slid off [the shelf] because <it = the tray, the shelf> was {loose, slanted}.
    id: tray
    tags: kitchen
    associative: no
    tense: [The tray] slides off [the shelf] because <it = the tray, the shelf> is {loose, slanted}.

[Ida] lent [Meg] a pan because <she = Ida, Meg> {owned, wanted} one.
    id: pan
    tags: people, kitchen
"""
SHELF = """\
---
name: shelf
title: Adversarial schemas of a shelf
---
a jar of honey is <heavier, lighter> than a {cup, barrel} of honey
    id: honey

{mice, cats} <are, are not> eaten by {cats, mice}
    id: mice
"""
# Enough for an interval, and quickly drawn.
RESAMPLES = 200


def write(folder: Path, text: str = PANTRY, name: str = "pantry.schemas") -> str:
    """The schemas in a file; its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def source(text: str = PANTRY) -> Dataset:
    """The schemas as a dataset that is not in the store."""
    return read_schemas(BytesIO(text.encode()), "pantry.schemas", "unnamed")


def stored(store: Store, text: str = PANTRY) -> StoredDataset:
    """The schemas as a dataset in the store."""
    return save_dataset(store, source(text)).dataset


def plan(**chosen: Any) -> Plan:
    """A plan that is quickly done."""
    quick: dict[str, Any] = {"models": ("random",), "data": (), "resamples": RESAMPLES}
    return Plan(**quick | {"perturbations": ("none",)} | chosen)


def evaluated(store: Store | None = None, text: str = PANTRY, **chosen: Any) -> Results:
    """The profile of the schemas."""
    return run_protocol(plan(**chosen), store, data=[source(text)])
