"""The options that say what is guessed, the same for every command that poses problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import click

from horsesense.schema import Mode
from horsesense.schema.notation import WRAPPERS
from horsesense.store import Store, StoredDataset, fixed_mode

MODES = {mode.value.replace(" ", "-"): mode for mode in Mode}
OWN_MODE = "the dataset's own"
_SHOWN_IDS = 5

mode_option = click.option(
    "--mode",
    "mode_name",
    type=click.Choice(list(MODES)),
    help=f"What is guessed. [{OWN_MODE}]",
)
wrapper_option = click.option(
    "--wrapper",
    help=f"Wrap every schema first: 'It is |true, false| that …', or {', '.join(WRAPPERS)}.",
)


@dataclass(frozen=True, slots=True)
class ChosenMode:
    """The mode in which problems are posed.

    `is_declared` is true where the data name that mode, and it is not by answer. `overridden` says
    so if the user wants another mode than the data declare.
    """

    mode: Mode
    is_declared: bool = False
    overridden: tuple[str, ...] = ()

    def told(self, name: str) -> list[str]:
        """What is to be said of it beside scores, which do not show what is guessed."""
        if self.is_declared:
            return [f"{name} is solved {self.mode}, as it declares"]
        return list(self.overridden)


def told_as_they_stand(ids: Sequence[str], mode: Mode) -> list[str]:
    """What to say of entries that are posed as they stand in a dataset of that mode."""
    if not ids:
        return []
    more = ", …" if len(ids) > _SHOWN_IDS else ""
    entries = "1 entry is" if len(ids) == 1 else f"{len(ids)} entries are"
    shown = ", ".join(ids[:_SHOWN_IDS]) + more
    return [f"{entries} posed as in the file ({shown}): no schema {mode}"]


def mode_of(store: Store, dataset: StoredDataset, given: str | None) -> ChosenMode:
    """The mode that the user asks for, or the dataset's own.

    A perturbation that is nothing but its original in another mode is posed in that mode only.
    """
    name = f"{dataset.name}@{dataset.version}"
    fixed = fixed_mode(store, dataset)
    if fixed is None:
        return chosen_mode(name, dataset.header.mode, given)
    if given is not None and MODES[given] is not fixed:
        raise click.UsageError(
            f"{name} is to be solved {fixed}: --mode {mode_name(fixed)}, and not {given}"
        )
    return ChosenMode(fixed, is_declared=True)


def chosen_mode(name: str, declared: Mode, given: str | None) -> ChosenMode:
    """The mode that the user asks for, or the one that the data declare."""
    if given is None or MODES[given] is declared:
        return ChosenMode(declared, is_declared=declared is not Mode.BY_ANSWER)
    if declared is Mode.BY_ANSWER:  # what is declared where nothing is said
        return ChosenMode(MODES[given])
    told = f"{name} declares that it is solved {declared}; --mode {given} overrides that"
    return ChosenMode(MODES[given], overridden=(told,))


def mode_name(mode: Mode) -> str:
    """What a mode is called on the command line."""
    return mode.value.replace(" ", "-")
