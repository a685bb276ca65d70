"""Taking a dataset that somebody else has made, such as a published file, for a perturbation."""

from __future__ import annotations

from collections import Counter

from horsesense.errors import HorsesenseError
from horsesense.perturbations.checks import (
    LeftOut,
    Perturbed,
    check_changed,
    check_shape,
    sentences,
)
from horsesense.perturbations.transformation import (
    NotApplicable,
    Settings,
    Transformation,
    Voucher,
    pairs,
)
from horsesense.schema import Entry, Grid, Mode, modes
from horsesense.store.datasets import StoredDataset, load_entries
from horsesense.store.freezing import freeze
from horsesense.store.judged import accepted_in
from horsesense.store.modes import check_other_mode
from horsesense.store.perturbations import StoredPerturbation, find_perturbation
from horsesense.store.perturbing import keep_frozen, save_perturbation
from horsesense.store.store import Store


def adopt(
    store: Store,
    name: str,
    original: StoredDataset,
    transformation: Transformation,
    settings: Settings,
    dataset: StoredDataset,
) -> StoredPerturbation:
    """Take a dataset that somebody else has made for the perturbation; its author vouches for it.

    Entries belong together if they have the same id, and problems that pair. If all of them do, the
    dataset is what the perturbation is frozen to; otherwise those that do are frozen.
    """
    check_other_mode(store, original, transformation)
    entries = {entry.id: entry for entry in load_entries(store, dataset)}
    originals = {entry.id: entry for entry in load_entries(store, original)}
    strange = [one for one in entries if one not in originals]
    if strange:
        raise HorsesenseError(
            f"{dataset.name} is no perturbation of {original.name}, which has no"
            f" {', '.join(strange[:5])}{' …' if len(strange) > 5 else ''}"
        )
    results = [
        _adopted(one, entries[one.id], transformation)
        if one.id in entries
        else LeftOut(one.id, f"not in {dataset.name}")
        for one in originals.values()
    ]
    _check_some_pair(original, dataset, transformation, results)
    kept, _ = save_perturbation(store, name, original, transformation, settings, results)
    if len(accepted_in(store, kept, dataset)) == dataset.entries:
        with store.writing() as connection:
            keep_frozen(connection, kept.pk, dataset)
    else:
        freeze(store, kept)
    return find_perturbation(store, name)


def _adopted(original: Entry, entry: Entry, transformation: Transformation) -> Perturbed | LeftOut:
    try:
        _check(original.grid, entry.grid, transformation)
    except NotApplicable as error:
        return LeftOut(original.id, str(error))
    found = pairs(original.grid, entry.grid, transformation)
    return Perturbed(entry, "imported", Voucher.AUTHOR, found)


def _check(before: Grid, after: Grid, transformation: Transformation) -> None:
    """Refuse what cannot be what the transformation makes, whoever has made it."""
    mode = transformation.mode
    if mode not in modes(after):
        raise NotApplicable(f"a {after.kind} cannot be solved {mode}")
    if mode is Mode.BY_ANSWER:
        check_changed(before, after)
    elif sentences(before) != sentences(after):
        raise NotApplicable(f"it is not the original, which is to be solved {mode}")
    check_shape(before, after, transformation)


def _check_some_pair(
    original: StoredDataset,
    dataset: StoredDataset,
    transformation: Transformation,
    results: list[Perturbed | LeftOut],
) -> None:
    """Refuse a dataset nothing of which can be taken."""
    if any(isinstance(one, Perturbed) for one in results):
        return
    missing = f"not in {dataset.name}"
    reasons = Counter(
        one.reason for one in results if isinstance(one, LeftOut) and one.reason != missing
    )
    told = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
    raise HorsesenseError(
        f"{dataset.name} is not {transformation.name} of {original.name}:"
        f" {told or 'it has no entries'}"
    )
