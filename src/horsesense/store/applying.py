"""Apply a transformation to a stored dataset, keep the perturbation, and freeze what is valid."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from horsesense.errors import HorsesenseError
from horsesense.perturbations import (
    TRANSFORMATIONS,
    LeftOut,
    Settings,
    Transformation,
    find_transformation,
    perturb,
)
from horsesense.schema import Entry, problems
from horsesense.store.datasets import (
    StoredDataset,
    find_dataset,
    list_datasets,
    load_entries,
    sources_of,
)
from horsesense.store.freezing import freeze
from horsesense.store.judged import Counts, count_validity
from horsesense.store.modes import check_other_mode
from horsesense.store.perturbations import (
    StoredPerturbation,
    find_perturbation,
    list_perturbations,
)
from horsesense.store.perturbing import save_perturbation
from horsesense.store.store import Store

_LONGEST_SLUG = 40
_SEED = re.compile(r"seed-?\d+")  # a value must not look like a seed


def _ignore(done: int, total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of applying a transformation; if nothing was perturbed, nothing was stored."""

    total: int
    problems: int
    left_out: tuple[LeftOut, ...]
    stored: StoredPerturbation | None = None
    counts: Counts | None = None
    is_new: bool = False
    replaced: bool = False

    @property
    def perturbed(self) -> int:
        """The number of entries that were perturbed."""
        return self.total - len(self.left_out)

    @property
    def reasons(self) -> list[str]:
        """Why each of the other entries was left out."""
        return [one.reason for one in self.left_out]


def apply_transformation(
    store: Store,
    transformation: str,
    dataset: str,
    *,
    parameters: Mapping[str, str] | None = None,
    seed: int = 0,
    name: str | None = None,
    unreviewed: bool = False,
) -> Applied:
    """Apply a transformation to a stored dataset, both by name, and keep the perturbation.

    Without a `name`, it is called after the dataset, the transformation and the parameters that are
    set. What the author's material or a rule vouches for becomes a dataset of that name at once;
    proposals wait for a review, unless `unreviewed` is set.

        from horsesense.store import Store, apply_transformation

        with Store.open("horsesense.db") as store:
            apply_transformation(store, "switched", "kitchen").stored
    """
    found, original = find_transformation(transformation), find_dataset(store, dataset)
    settings = found.settings(dict(parameters or {}), seed=seed)
    called = name or perturbation_name(original, found, settings)
    check_free(store, called, found, original)
    check_other_mode(store, original, found)
    entries = list(load_entries(store, original))
    return apply_to(store, found, settings, called, original, entries, unreviewed=unreviewed)


def apply_to(
    store: Store,
    transformation: Transformation,
    settings: Settings,
    name: str,
    dataset: StoredDataset,
    entries: Sequence[Entry],
    *,
    unreviewed: bool = False,
    on_progress: Callable[[int, int], None] = _ignore,
) -> Applied:
    """Apply a transformation to the entries of a dataset, keep the perturbation, and freeze it."""
    results = []
    for done, result in enumerate(perturb(entries, transformation, settings), 1):
        results.append(result)
        on_progress(done, len(entries))
    left_out = tuple(one for one in results if isinstance(one, LeftOut))
    made = [one.entry for one in results if not isinstance(one, LeftOut)]
    number = sum(len(problems(entry.grid, transformation.mode)) for entry in made)
    if not made:
        return Applied(len(results), number, left_out)
    was_there = any(one.name == name for one in list_perturbations(store))
    stored, is_new = save_perturbation(store, name, dataset, transformation, settings, results)
    freeze(store, stored, unreviewed=unreviewed)
    counts = count_validity(store, stored)
    # Read again, as it has a dataset now.
    stored = find_perturbation(store, name)
    return Applied(len(results), number, left_out, stored, counts, is_new, was_there and is_new)


def perturbation_name(
    dataset: StoredDataset, transformation: Transformation, settings: Settings
) -> str:
    """Name a perturbation: dataset, transformation, values that are not the default, and seed."""
    values = [
        _slug(settings[one.name])
        for one in transformation.parameters
        if settings[one.name] != one.default
    ]
    seed = [f"seed{settings.seed}"] if settings.seed else []
    return ".".join([dataset.name, transformation.name, *values, *seed])


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
    """Say whether a dataset was frozen from a perturbation, which may have been removed since."""
    return any(source.importer in TRANSFORMATIONS for source in sources_of(store, dataset))


def _slug(value: str) -> str:
    """Make a value part of a name; one that is not spelt out in full gets digits of its hash.

    >>> _slug("short"), _slug("[MASK]"), _slug("<mask>"), _slug("…")
    ('short', 'mask-1762d1', 'mask-da5bb5', 'b49358')
    """
    words = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")
    if words and words == value and len(words) <= _LONGEST_SLUG and not _SEED.fullmatch(words):
        return words
    digits = sha256(value.encode()).hexdigest()[:6]
    return "-".join(filter(None, [words[:_LONGEST_SLUG].strip("-"), digits]))
