"""Forms that are posed as they were frozen in the store: published files, reviewed proposals."""

from __future__ import annotations

from dataclasses import dataclass

from horsesense.perturbations import TRANSFORMATIONS, UNREVIEWED, Validity, find_transformation
from horsesense.schema import Entry
from horsesense.schema.notation import content_id, parse_wrapper
from horsesense.store import (
    Store,
    StoredDataset,
    StoredPerturbation,
    accepted_in,
    list_perturbations,
    load_entries,
    load_ledger,
    load_left_out,
)

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
        entries = tuple(one for one in load_entries(store, dataset) if one.id in self.accepted)
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


def _found(store: Store, one: StoredPerturbation, dataset: StoredDataset) -> FoundForm:
    accepted = frozenset(accepted_in(store, one, dataset))
    left_out = _left_out(store, one, accepted)
    told = (dataset.id, *sorted(accepted), *(f"{id}: {reason}" for id, reason in left_out))
    id = content_id("posed", "\n".join(told))
    return FoundForm(one.transformation, id, one, accepted, left_out)


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
