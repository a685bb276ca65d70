"""Where data come from: a name in a plan becomes a dataset, with what was made of it by hand.

A dataset in the store comes first, then one in the box, then a file. To find one takes little: its
entries are not read before they are asked for, which they are not if a run is known already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

from horsesense.datasets.files import (
    default_name,
    is_built_in,
    is_file,
    looks_published,
    published_header,
    recognised,
    source_file,
)
from horsesense.datasets.importers import open_import
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

# Why an entry is not posed though a transformation applies to it.
PROPOSAL = UNREVIEWED
REJECTED = "rejected by whoever looked at it"
_WRAPPER = "wrapper"


@dataclass(frozen=True, slots=True)
class FrozenForm:
    """The entries that are posed, and why the others of the dataset are not, by their ids.

    `id` changes with all of it.
    """

    id: str
    entries: tuple[Entry, ...]
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FoundForm:
    """A frozen form that was found: `id` tells what would be posed."""

    transformation: str
    id: str
    perturbation: StoredPerturbation
    accepted: frozenset[str]
    left_out: tuple[tuple[str, str], ...]

    def read(self, store: Store) -> FrozenForm:
        """The form as it is posed."""
        dataset = self.perturbation.dataset
        assert dataset is not None
        entries = tuple(
            entry for entry in load_entries(store, dataset) if entry.id in self.accepted
        )
        return FrozenForm(self.id, entries, self.left_out)


@dataclass(frozen=True, slots=True)
class Frozen:
    """What is frozen of a dataset, and what of it is not posed."""

    forms: tuple[FoundForm, ...]
    remarks: tuple[str, ...]


def frozen_forms(store: Store, dataset: StoredDataset, wrapper: str) -> Frozen:
    """The forms of a dataset in the store, one for each transformation.

    A form means one thing: what was made with other settings than those of the protocol is not
    posed in its name. Of several that would do, it is the one that was made last.
    """
    listed = list_perturbations(store, original=f"{dataset.name}@{dataset.version}")
    listed.sort(key=lambda one: one.pk)  # in the order in which they were made
    forms: dict[str, FoundForm] = {}
    remarks: list[str] = []
    for one in listed:
        if one.dataset is None:
            continue
        if one.transformation not in TRANSFORMATIONS:
            remarks.append(
                f"{one.name} is not posed: no transformation is called {one.transformation} here"
            )
            continue
        if not _has_settings(one, wrapper):
            told = ", ".join(f"{name} {value}" for name, value in one.parameters.items())
            remarks.append(
                f"{one.name} is not posed as {one.transformation}: it was made with other settings"
                f" ({told}); name it among the data"
            )
            continue
        if one.transformation in forms:
            former = forms[one.transformation].perturbation.name
            remarks.append(f"{former} is not posed: {one.name} was made later")
        forms[one.transformation] = _found(store, one, one.dataset)
    return Frozen(tuple(forms.values()), tuple(remarks))


def _has_settings(perturbation: StoredPerturbation, wrapper: str) -> bool:
    wanted = dict(find_transformation(perturbation.transformation).settings().values)
    given = dict(perturbation.parameters)
    if _WRAPPER in wanted and _WRAPPER in given:
        wrappers = (parse_wrapper(one) for one in (wrapper, given.pop(_WRAPPER)))
        wanted.pop(_WRAPPER)
        return given == wanted and len(set(wrappers)) == 1
    return given == wanted


def _found(store: Store, perturbation: StoredPerturbation, dataset: StoredDataset) -> FoundForm:
    accepted = frozenset(accepted_in(store, perturbation, dataset))
    left_out = _left_out(store, perturbation, accepted)
    told = (dataset.id, *sorted(accepted), *(f"{id}: {reason}" for id, reason in left_out))
    id = content_id("posed", "\n".join(told))
    return FoundForm(perturbation.transformation, id, perturbation, accepted, left_out)


def _left_out(
    store: Store, perturbation: StoredPerturbation, accepted: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """Why entries are not posed, by their ids."""
    reasons = {one.id: one.reason for one in load_left_out(store, perturbation)}
    for one in load_ledger(store, perturbation):
        if one.entry.id not in accepted:
            is_rejected = one.judgement.validity is Validity.REJECTED
            reasons[one.entry.id] = REJECTED if is_rejected else PROPOSAL
    return tuple(reasons.items())


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
