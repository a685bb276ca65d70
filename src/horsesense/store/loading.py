"""Loading datasets by their names, from a store, the box or a file.

It lives above `horsesense.datasets`, which reads files and knows no store.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from os import PathLike, fspath
from pathlib import Path

from horsesense.datasets.builtin import BUILT_IN
from horsesense.datasets.opening import STDIN, is_built_in, is_file, read_dataset
from horsesense.errors import FileError, UnknownNameError
from horsesense.perturbations import TRANSFORMATIONS
from horsesense.schema import Dataset, Entry, Header, Mode, Step
from horsesense.store.datasets import (
    StoredDataset,
    find_dataset,
    list_datasets,
    load_entries,
    sources_of,
)
from horsesense.store.issues import load_issues
from horsesense.store.modes import own_mode
from horsesense.store.perturbations import perturbation_of
from horsesense.store.store import Store


def load_dataset(
    name_or_path: str | PathLike[str],
    *,
    format: str | None = None,
    mode: str | None = None,
    name: str | None = None,
    store: Store | str | PathLike[str] | None = None,
) -> Dataset:
    """Load a dataset: one in the box, a file in any known format, or one in a store.

    A dataset in the `store` (an open one, or its path) comes first, then one in the box such as
    `hs-winograd`, then a file; `-` is the standard input. The `format` of a file is guessed unless
    you name it. `mode` says what a model is to guess: `by answer`, `by key` or `by boolean`; by
    itself it is the dataset's own. `name` is what the dataset is called from now on.

    What a published file holds that cannot be used is left out; see the `issues` and `remarks` of
    the dataset.

    >>> load_dataset("hs-winograd", mode="by key").mode
    <Mode.BY_KEY: 'by key'>
    """
    wanted = fspath(name_or_path)
    with _opened(store) as opened:
        stored = None if opened is None or format else find_stored(opened, wanted)
        if opened is not None and stored is not None:
            dataset = load_stored(opened, stored)
        elif wanted == STDIN or is_built_in(wanted) or is_file(wanted):
            dataset = read_dataset(wanted, format=format)
        else:
            raise unknown_dataset(wanted, opened)
    if name is not None:
        dataset = dataset.renamed(name)
    return dataset if mode is None else dataset.replace(mode=_mode(mode))


def load_stored(
    store: Store, stored: StoredDataset, entries: Iterable[Entry] | None = None
) -> Dataset:
    """Load a dataset of the store; `entries` are its own, if somebody watches them go by."""
    original, steps = _history(store, stored)
    return Dataset(
        stored.header,
        load_entries(store, stored) if entries is None else entries,
        mode=own_mode(store, stored),
        issues=load_issues(store, stored),
        sources=sources_of(store, stored),
        original=original,
        steps=steps,
        stored_id=stored.id,
    )


def find_stored(store: Store, name: str) -> StoredDataset | None:
    """The dataset of that name in the store; None if it has none."""
    try:
        return find_dataset(store, name)
    except UnknownNameError:
        return None


def unknown_dataset(name: str, store: Store | None) -> FileError | UnknownNameError:
    """The error for a name that nothing has, with the nearest names that something has."""
    if Path(name).suffix or "/" in name:
        return FileError(f"there is no file {name}, and no dataset of that name")
    known = [] if store is None else [dataset.name for dataset in list_datasets(store)]
    return UnknownNameError("dataset", name, {*known, *BUILT_IN})


def _opened(store: Store | str | PathLike[str] | None) -> AbstractContextManager[Store | None]:
    """The store for as long as it is needed; one that was given open stays so."""
    if store is None or isinstance(store, Store):
        return nullcontext(store)
    return Store.open(Path(store))


def _mode(name: str) -> Mode:
    known = {mode.value: mode for mode in Mode}
    spelled = name.replace("-", " ")
    if spelled not in known:
        raise UnknownNameError("mode", name, known)
    return known[spelled]


def _history(store: Store, stored: StoredDataset) -> tuple[Header | None, list[Step]]:
    """What a dataset was made from, and by which transformations, one after the other."""
    steps: list[Step] = []
    while perturbation := perturbation_of(store, stored):
        steps.insert(0, Step(perturbation.transformation, perturbation.parameters))
        stored = perturbation.original
    original = stored.header
    # Where a perturbation was removed, the source still tells what has made the dataset.
    for source in sources_of(store, stored):
        if not source.bytes and source.importer in TRANSFORMATIONS:
            steps.insert(0, Step(source.importer, {}))
            original = Header(source.file.partition("@")[0])
            break
    return (original if steps else None), steps
