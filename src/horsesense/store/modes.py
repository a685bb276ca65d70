"""The mode in which the problems of a stored dataset are posed if nobody asks for another."""

from __future__ import annotations

from horsesense.perturbations import TRANSFORMATIONS, NotApplicable, Transformation
from horsesense.perturbations.catalogue.modes import ONLY_MODES
from horsesense.schema import Mode
from horsesense.store.datasets import StoredDataset, sources_of
from horsesense.store.perturbations import perturbation_of
from horsesense.store.store import Store


def own_mode(store: Store, dataset: StoredDataset) -> Mode:
    """The mode that a perturbation was made for, or the one that the dataset declares."""
    return fixed_mode(store, dataset) or dataset.header.mode


def check_other_mode(store: Store, dataset: StoredDataset, transformation: Transformation) -> None:
    """Refuse a transformation into the mode in which the dataset is posed already."""
    mode = transformation.mode
    if transformation.name in ONLY_MODES and mode is own_mode(store, dataset):
        raise NotApplicable(
            f"{dataset.name}@{dataset.version} is solved {mode} already, so that this would change"
            " nothing; score, measure and export take --mode by-answer for the other"
        )


def fixed_mode(store: Store, dataset: StoredDataset) -> Mode | None:
    """The mode without which a perturbation would be its original; None for all other datasets."""
    perturbation = perturbation_of(store, dataset)
    if perturbation:
        modes = [perturbation.mode]
    else:
        # Where the perturbation was removed, the source still tells what has made the dataset.
        known = TRANSFORMATIONS
        makers = [one.importer for one in sources_of(store, dataset) if not one.bytes]
        modes = [known[one].mode for one in makers if one in known]
    return next((one for one in modes if one is not Mode.BY_ANSWER), None)
