"""What perturbations are called, and which names they may not have."""

from __future__ import annotations

import re
from hashlib import sha256

from horsesense.errors import HorsesenseError
from horsesense.perturbations import TRANSFORMATIONS, Settings, Transformation
from horsesense.store import (
    Store,
    StoredDataset,
    list_datasets,
    list_perturbations,
    sources_of,
)

_LONGEST_SLUG = 40
_SEED = re.compile(r"seed-?\d+")  # which a value is not to be taken for


def perturbation_name(
    dataset: StoredDataset, transformation: Transformation, settings: Settings
) -> str:
    """The dataset, the transformation, the values that are not the default, and such a seed."""
    values = [
        _slug(settings[one.name])
        for one in transformation.parameters
        if settings[one.name] != one.default
    ]
    seed = [f"seed{settings.seed}"] if settings.seed else []
    return ".".join([dataset.name, transformation.name, *values, *seed])


def _slug(value: str) -> str:
    """A value as part of a name; one that is not spelt out in full gets digits of its hash.

    >>> _slug("short"), _slug("[MASK]"), _slug("<mask>"), _slug("…")
    ('short', 'mask-1762d1', 'mask-da5bb5', 'b49358')
    """
    words = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")
    if words and words == value and len(words) <= _LONGEST_SLUG and not _SEED.fullmatch(words):
        return words
    digits = sha256(value.encode()).hexdigest()[:6]
    return "-".join(filter(None, [words[:_LONGEST_SLUG].strip("-"), digits]))


def check_free(
    store: Store,
    name: str,
    transformation: Transformation,
    original: StoredDataset,
    *,
    adopted: StoredDataset | None = None,
) -> None:
    """Refuse a name that something else has, unless it is the dataset that is to be adopted."""
    for known in list_perturbations(store):
        if known.name == name:
            if (known.transformation, known.original.name) == (transformation.name, original.name):
                return
            what = f"{known.transformation} of {known.original.name}"
            raise HorsesenseError(f"{name} is {what} already; choose another --name")
    for dataset in list_datasets(store):
        is_adopted = adopted is not None and adopted.name == name
        if dataset.name == name and not is_adopted and not _is_frozen(store, dataset):
            raise HorsesenseError(f"a dataset is called {name} already; choose another --name")


def _is_frozen(store: Store, dataset: StoredDataset) -> bool:
    """Whether it was frozen of a perturbation, which may have been removed since."""
    known = TRANSFORMATIONS
    return any(source.importer in known for source in sources_of(store, dataset))
