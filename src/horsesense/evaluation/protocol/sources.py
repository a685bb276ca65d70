"""Where data come from: a name in a plan becomes a dataset, with what was made of it by hand.

A dataset in the store comes first, then one in the box, then a file. To find one takes little: its
entries are not read before they are asked for, which they are not if a run is known already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from horsesense.datasets.builtin import BUILT_IN
from horsesense.datasets.catalog import Recognition, recognise
from horsesense.datasets.importers import SourceFile, guess_format, open_reading
from horsesense.datasets.opening import (
    is_built_in,
    is_file,
    looks_published,
    opened_schema_file,
    published_header,
    source_file,
)
from horsesense.errors import FileError, UnknownNameError
from horsesense.evaluation.protocol.frozen import FrozenForm, frozen_forms
from horsesense.schema import Entry, Header, Mode
from horsesense.schema.notation import content_id, print_entry
from horsesense.store import (
    Store,
    StoredDataset,
    dataset_id,
    find_dataset,
    list_datasets,
    load_entries,
    own_mode,
)

# The version of a dataset that is not in the store.
UNSTORED = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSource:
    """A dataset to be posed. `id` is the one that the store has, or would have, for its content.

    `mode` is the one in which the original is posed.
    `perturbations` are the forms that are posed as they were frozen in the store, by the name of
    the transformation. `remarks` tell what is left out of it, or taken otherwise than one may
    think.
    """

    name: str
    id: str
    entries: tuple[Entry, ...]
    version: int = UNSTORED
    title: str = ""
    licence: str = ""
    mode: Mode = Mode.BY_ANSWER
    perturbations: Mapping[str, FrozenForm] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A dataset that was found and can be read.

    `id` changes with its content: the store has one for it, of a file it is a hash of its bytes.
    `ids` are those of what is frozen of it, by the transformations. `remarks` are those that do
    not follow from the content.
    """

    name: str
    id: str
    ids: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]
    read: Callable[[], DataSource]


def source_of(header: Header, entries: Iterable[Entry], *remarks: str) -> DataSource:
    """Entries as a dataset that is not in the store.

    >>> source_of(Header("pans", title="Pots and pans"), []).title
    'Pots and pans'
    """
    listed = tuple(entries)
    ids = (content_id("entry", print_entry(entry)) for entry in listed)
    return DataSource(
        name=header.name,
        id=dataset_id(header, ids),
        entries=listed,
        title=header.title,
        licence=header.licence,
        mode=header.mode,
        remarks=remarks,
    )


def found(source: DataSource) -> Found:
    """A dataset that has been read already."""
    ids = tuple((name, one.id) for name, one in source.perturbations.items())
    return Found(source.name, source.id, ids, source.remarks, lambda: source)


def find_source(name: str, store: Store | None, wrapper: str) -> Found:
    """The dataset of that name; the wrapper tells which of its dyads in the store are meant."""
    stored = _find_stored(name, store) if store is not None else None
    if store is not None and stored is not None:
        return _found_in(store, stored, name, wrapper)
    if is_built_in(name) or is_file(name):
        return _found_file(name)
    if Path(name).suffix or "/" in name:
        raise FileError(f"there is no file {name}, and no dataset of that name")
    known = [] if store is None else [one.name for one in list_datasets(store)]
    raise UnknownNameError("dataset", name, {*known, *BUILT_IN})


def _find_stored(name: str, store: Store) -> StoredDataset | None:
    try:
        return find_dataset(store, name)
    except UnknownNameError:
        return None


def _found_in(store: Store, stored: StoredDataset, name: str, wrapper: str) -> Found:
    frozen = frozen_forms(store, stored, wrapper)
    ids = tuple((form.transformation, form.id) for form in frozen.forms)
    remarks, mode = frozen.remarks, own_mode(store, stored)

    def read() -> DataSource:
        return DataSource(
            name=name,
            id=stored.id,
            entries=tuple(load_entries(store, stored)),
            version=stored.version,
            title=stored.header.title,
            licence=stored.header.licence,
            mode=mode,
            perturbations={form.transformation: form.read(store) for form in frozen.forms},
            remarks=remarks,
        )

    return Found(name, stored.id, ids, remarks, read)


def _found_file(path: str) -> Found:
    """A file, or a dataset in the box: known by its bytes, and called what its header says."""
    file = source_file(path)
    if looks_published(file):
        header = published_header(file, _recognised(file))
        return Found(header.name, file.digest, (), (), lambda: _read_published(file, header))
    with opened_schema_file(path, file.data) as schemas:
        name = schemas.header.name
    return Found(name, file.digest, (), (), lambda: _read_schemas(path, file.data))


def _read_schemas(path: str, data: bytes) -> DataSource:
    with opened_schema_file(path, data) as schemas:
        return source_of(schemas.header, schemas)


def _read_published(file: SourceFile, header: Header) -> DataSource:
    reading = open_reading(file, header, keep_going=True)
    entries = list(reading)
    return source_of(reading.header, entries, *reading.remarks())


def _recognised(file: SourceFile) -> Recognition | None:
    return recognise(file.name, file.digest, len(file.data), guess_format(file).name)
