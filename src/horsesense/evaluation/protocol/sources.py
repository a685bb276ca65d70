"""Find the datasets that a plan names, with their stored perturbations.

A dataset in the store comes first, then a built-in one, then a file, then a published one, which is
fetched. Its entries are read only when they are needed, so that a run that is in the store already
is found quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import TypeAlias

from horsesense.datasets.fetching import Fetched, fetch
from horsesense.datasets.files import (
    default_name,
    is_data,
    looks_published,
    published_header,
    recognised,
    source_file,
)
from horsesense.datasets.folders import datasets_in, is_folder, unread_message
from horsesense.datasets.importers import open_import
from horsesense.errors import FileError
from horsesense.perturbations import TRANSFORMATIONS, UNREVIEWED, Validity, find_transformation
from horsesense.schema import Dataset, Entry, Mode, Named
from horsesense.schema.notation import SchemaFile, content_id, parse_wrapper
from horsesense.store import (
    Store,
    StoredDataset,
    StoredPerturbation,
    accepted_in,
    list_perturbations,
    load_entries,
    load_ledger,
    load_left_out,
    load_stored,
)
from horsesense.store.loading import find_stored, unknown_dataset

# Reasons why an entry is not posed, even though a transformation applies to it.
PROPOSAL = UNREVIEWED
REJECTED = "rejected by the reviewer"
_WRAPPER = "wrapper"


# For each entry of a dataset: its perturbed entry, or the reason why there is none.
PerturbedEntries: TypeAlias = Mapping[str, Entry | str]


def frozen_perturbations(
    store: Store, dataset: StoredDataset, wrapper: str
) -> tuple[list[StoredPerturbation], list[str]]:
    """List the stored perturbations that are used in a run, and remarks on those that are not.

    There is at most one for each transformation, the one that was made last. A perturbation that
    was made with other settings than those of the protocol is not used.
    """
    listed = list_perturbations(store, original=f"{dataset.name}@{dataset.version}")
    used: dict[str, StoredPerturbation] = {}
    remarks: list[str] = []
    for perturbation in sorted(listed, key=lambda perturbation: perturbation.pk):
        name, transformation = perturbation.name, perturbation.transformation
        if perturbation.dataset is None:
            continue
        if transformation not in TRANSFORMATIONS:
            remarks.append(f"{name} is not used: there is no transformation {transformation} here")
            continue
        if not _has_settings(perturbation, wrapper):
            settings = ", ".join(f"{key} {value}" for key, value in perturbation.parameters.items())
            remarks.append(
                f"{name} is not used as {transformation}: it was made with other settings"
                f" ({settings}); add it to the data to evaluate it"
            )
            continue
        if transformation in used:
            remarks.append(f"{used[transformation].name} is not used: {name} is newer")
        used[transformation] = perturbation
    return list(used.values()), remarks


def _has_settings(perturbation: StoredPerturbation, wrapper: str) -> bool:
    defaults = dict(find_transformation(perturbation.transformation).settings().values)
    settings = dict(perturbation.parameters)
    if _WRAPPER in defaults and _WRAPPER in settings:
        is_same = parse_wrapper(wrapper) == parse_wrapper(settings.pop(_WRAPPER))
        defaults.pop(_WRAPPER)
        return is_same and settings == defaults
    return settings == defaults


def _left_out(
    store: Store, perturbation: StoredPerturbation, accepted: Collection[str]
) -> dict[str, str]:
    """Give the reasons why entries are not posed, by their ids."""
    reasons = {entry.id: entry.reason for entry in load_left_out(store, perturbation)}
    for record in load_ledger(store, perturbation):
        if record.entry.id not in accepted:
            is_rejected = record.judgement.validity is Validity.REJECTED
            reasons[record.entry.id] = REJECTED if is_rejected else PROPOSAL
    return reasons


# The number of the version of a dataset that is not in the store.
UNSTORED = 0


@dataclass(frozen=True)  # without slots, for the cached properties
class DatasetRef:
    """A dataset that a plan names, with its perturbations in the store; read when it is needed.

    `id` changes with its content: an id of the store, or a hash of the bytes of a file. `number` is
    that of the version in the store. `ids` are those of its stored perturbations, by their
    transformations. `remarks` are those that do not follow from the content.
    """

    name: str
    id: str
    read: Callable[[], Dataset]
    number: int = UNSTORED
    ids: Named[str] = ()
    remarks: tuple[str, ...] = ()
    read_perturbations: Callable[[], Mapping[str, PerturbedEntries]] = dict

    @cached_property
    def dataset(self) -> Dataset:
        """The dataset, read once."""
        return self.read()

    @property
    def mode(self) -> Mode:
        """The mode in which the original is posed."""
        return self.dataset.mode

    @cached_property
    def perturbations(self) -> Mapping[str, PerturbedEntries]:
        """The stored perturbations that are posed, by their transformations, read once."""
        return self.read_perturbations()


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


def with_files(
    names: Iterable[str], store: Store | None, note: Callable[[str], None]
) -> dict[str, str]:
    """Return the names, with the files of a folder in its place, and what each is to be called.

    That is empty for all but the files of folders. The files of no format are reported.
    """
    called: dict[str, str] = {}
    for name in names:
        if not is_folder(name) or (store is not None and find_stored(store, name) is not None):
            called.setdefault(name, "")
            continue
        try:
            files, unread = datasets_in(name)
        except FileError:
            called.setdefault(name, "")  # `find_source` raises the error
            continue
        called |= files
        if unread:
            note(unread_message(name, unread))
    return called


def find_source(name: str, store: Store | None, wrapper: str, called: str = "") -> DatasetRef:
    """Find a dataset by its name, and give it another one if `called` is not empty.

    Only stored dyads that were made with the wrapper are used.
    """
    stored = None if store is None else find_stored(store, name)
    if store is not None and stored is not None:
        return _in_store(store, stored, name, wrapper)
    if is_data(name):
        found = _in_file(name)
        return found if called in ("", found.name) else _renamed(found, called)
    if fetched := fetch(name):
        return _fetched(fetched)
    raise unknown_dataset(name, store)


def _renamed(found: DatasetRef, name: str) -> DatasetRef:
    return DatasetRef(name, found.id, lambda: found.read().renamed(name))


def _fetched(fetched: Fetched) -> DatasetRef:
    return DatasetRef(fetched.header.name, fetched.id, lambda: fetched.open().dataset())


def _in_store(store: Store, stored: StoredDataset, name: str, wrapper: str) -> DatasetRef:
    perturbations, remarks = frozen_perturbations(store, stored, wrapper)
    ids: dict[str, str] = {}
    accepted: dict[str, set[str]] = {}
    left_out: dict[str, dict[str, str]] = {}
    for perturbation in perturbations:
        dataset, transformation = perturbation.dataset, perturbation.transformation
        assert dataset is not None
        accepted[transformation] = set(accepted_in(store, perturbation, dataset))
        left_out[transformation] = _left_out(store, perturbation, accepted[transformation])
        reasons = (f"{id}: {reason}" for id, reason in left_out[transformation].items())
        content = "\n".join((dataset.id, *sorted(accepted[transformation]), *reasons))
        ids[transformation] = content_id("posed", content)

    def read_perturbations() -> dict[str, PerturbedEntries]:
        entries: dict[str, PerturbedEntries] = {}
        for perturbation in perturbations:
            transformation = perturbation.transformation
            assert perturbation.dataset is not None
            entries[transformation] = left_out[transformation] | {
                entry.id: entry
                for entry in load_entries(store, perturbation.dataset)
                if entry.id in accepted[transformation]
            }
        return entries

    return DatasetRef(
        name,
        stored.id,
        lambda: load_stored(store, stored),
        number=stored.version,
        ids=tuple(ids.items()),
        remarks=tuple(remarks),
        read_perturbations=read_perturbations,
    )


def _in_file(path: str) -> DatasetRef:
    """Refer to a file or a built-in dataset, by a hash of its bytes and the name in its header."""
    file = source_file(path)
    if looks_published(file):
        header = published_header(file, recognised(file))
        return DatasetRef(
            header.name,
            file.digest,
            lambda: open_import(file, header, keep_going=True).dataset(),
        )

    def open_file() -> SchemaFile:
        return SchemaFile(BytesIO(file.data), file.name, default_name(path))

    return DatasetRef(open_file().header.name, file.digest, lambda: open_file().dataset())
