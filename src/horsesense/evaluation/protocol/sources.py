"""Where data come from: a name in a plan becomes a dataset, with what was made of it by hand.

A dataset in the store comes first, then one in the box, then a file. To find one takes little: its
entries are not read before they are asked for, which they are not if a run is known already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

from horsesense.datasets.importers import open_import
from horsesense.datasets.opening import (
    default_name,
    is_built_in,
    is_file,
    looks_published,
    published_header,
    recognised,
    source_file,
)
from horsesense.evaluation.protocol.frozen import FrozenForm, frozen_forms
from horsesense.schema import Dataset, Mode, Named
from horsesense.schema.notation import SchemaFile
from horsesense.store import Store, StoredDataset, load_stored
from horsesense.store.loading import find_stored, unknown_dataset

# The number of the version of a dataset that is not in the store.
UNSTORED = 0


@dataclass(frozen=True)  # without slots, which leave no place for what was read
class DatasetRef:
    """A dataset as a plan names it: found, and read when it is needed.

    `id` changes with its content: the store has one for it, of a file it is a hash of its bytes.
    `number` is that of the version in the store. `ids` are those of what is frozen of it, by the
    transformations. `remarks` are those that do not follow from the content.
    """

    name: str
    id: str
    read: Callable[[], Dataset]
    number: int = UNSTORED
    ids: Named[str] = ()
    remarks: tuple[str, ...] = ()
    read_frozen: Callable[[], Mapping[str, FrozenForm]] = dict

    @cached_property
    def dataset(self) -> Dataset:
        """The dataset, read once."""
        return self.read()

    @property
    def mode(self) -> Mode:
        """The mode in which the original is posed."""
        return self.dataset.mode

    @cached_property
    def perturbations(self) -> Mapping[str, FrozenForm]:
        """What is posed as it was frozen in the store, by the name of the transformation."""
        return self.read_frozen()


def reference(dataset: Dataset) -> DatasetRef:
    """Refer to a dataset that has been read already.

    Its remarks may not follow from its content, so they are part of the reference.
    """
    return DatasetRef(
        dataset.name,
        dataset.version,
        lambda: dataset.replace(remarks=()),
        remarks=tuple(dataset.remarks),
    )


def find_source(name: str, store: Store | None, wrapper: str) -> DatasetRef:
    """Find a dataset by its name; the wrapper tells which of its dyads in the store are meant."""
    stored = None if store is None else find_stored(store, name)
    if store is not None and stored is not None:
        return _in_store(store, stored, name, wrapper)
    if is_built_in(name) or is_file(name):
        return _in_file(name)
    raise unknown_dataset(name, store)


def _in_store(store: Store, stored: StoredDataset, name: str, wrapper: str) -> DatasetRef:
    frozen = frozen_forms(store, stored, wrapper)
    return DatasetRef(
        name,
        stored.id,
        lambda: load_stored(store, stored),
        number=stored.version,
        ids=tuple((form.transformation, form.id) for form in frozen.forms),
        remarks=frozen.remarks,
        read_frozen=lambda: {form.transformation: form.read(store) for form in frozen.forms},
    )


def _in_file(path: str) -> DatasetRef:
    """A file, or a dataset in the box: known by its bytes, and called what its header says."""
    file = source_file(path)
    if looks_published(file):
        header = published_header(file, recognised(file))
        return DatasetRef(
            header.name,
            file.digest,
            lambda: open_import(file, header, keep_going=True).dataset(),
        )

    def opened() -> SchemaFile:
        return SchemaFile(BytesIO(file.data), file.name, default_name(path))

    return DatasetRef(opened().header.name, file.digest, lambda: opened().dataset())
