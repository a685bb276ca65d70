"""Choose the mode in which the problems of a dataset are posed: the one asked for, or its own."""

from __future__ import annotations

from dataclasses import dataclass

from horsesense.errors import ArgumentError
from horsesense.perturbations import TRANSFORMATIONS, NotApplicable, Transformation
from horsesense.perturbations.catalogue.modes import ONLY_MODES
from horsesense.schema import Mode
from horsesense.store.datasets import StoredDataset, sources_of
from horsesense.store.perturbations import perturbation_of
from horsesense.store.store import Store

# The modes by the names that users type.
MODES = {mode.value.replace(" ", "-"): mode for mode in Mode}


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


@dataclass(frozen=True, slots=True)
class ChosenMode:
    """The mode in which problems are posed.

    `is_declared` is true if the data declare that mode, and it is not by answer. `overridden` is a
    remark if the user asks for another mode than the data declare.
    """

    mode: Mode
    is_declared: bool = False
    overridden: tuple[str, ...] = ()

    def remarks(self, name: str) -> list[str]:
        """Say which mode was used, for output such as scores that does not show it."""
        if self.is_declared:
            return [f"{name} is solved {self.mode}, as it declares"]
        return list(self.overridden)


def mode_of(store: Store, dataset: StoredDataset, name: str | None = None) -> ChosenMode:
    """Choose the mode of a stored dataset: the one asked for by its name, or its own.

    A perturbation that is nothing but its original in another mode is posed in that mode only.
    """
    called = f"{dataset.name}@{dataset.version}"
    fixed = fixed_mode(store, dataset)
    if fixed is None:
        return chosen_mode(called, dataset.header.mode, name)
    if name is not None and MODES[name] is not fixed:
        raise ArgumentError(
            f"{called} is to be solved {fixed}: --mode {mode_name(fixed)}, and not {name}"
        )
    return ChosenMode(fixed, is_declared=True)


def chosen_mode(called: str, declared: Mode, name: str | None) -> ChosenMode:
    """Choose the mode that is asked for by its name, or the one that the data declare."""
    if name is None or MODES[name] is declared:
        return ChosenMode(declared, is_declared=declared is not Mode.BY_ANSWER)
    if declared is Mode.BY_ANSWER:  # data that declare nothing
        return ChosenMode(MODES[name])
    remark = f"{called} declares that it is solved {declared}; --mode {name} overrides that"
    return ChosenMode(MODES[name], overridden=(remark,))


def mode_name(mode: Mode) -> str:
    """The name of a mode that users type, such as by-answer."""
    return mode.value.replace(" ", "-")
