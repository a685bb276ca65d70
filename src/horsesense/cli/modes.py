"""The options that say what is guessed, the same for every command that poses problems."""

from __future__ import annotations

import click

from horsesense.notation import WRAPPERS
from horsesense.perturbations import known_transformations
from horsesense.schema import Mode
from horsesense.store import Store, StoredDataset, perturbation_of, sources_of

MODES = {mode.value.replace(" ", "-"): mode for mode in Mode}

mode_option = click.option(
    "--mode",
    "mode_name",
    type=click.Choice(list(MODES)),
    help="What is guessed. [by-answer]",
)
wrapper_option = click.option(
    "--wrapper",
    help=f"Wrap every schema first: 'It is |true, false| that …', or {', '.join(WRAPPERS)}.",
)


def mode_of(store: Store, dataset: StoredDataset, given: str | None) -> Mode:
    """The mode that the user asks for or, if the dataset is there to be solved in one, that one."""
    own = _own_mode(store, dataset)
    if own is Mode.BY_ANSWER or given is None:
        return MODES[given] if given else own
    if MODES[given] is not own:
        raise click.UsageError(
            f"{dataset.name}@{dataset.version} is to be solved {own}: --mode {mode_name(own)},"
            f" and not {given}"
        )
    return own


def mode_name(mode: Mode) -> str:
    """What a mode is called on the command line."""
    return mode.value.replace(" ", "-")


def _own_mode(store: Store, dataset: StoredDataset) -> Mode:
    perturbation = perturbation_of(store, dataset)
    if perturbation:
        return perturbation.mode
    # Where the perturbation was removed, the source still tells what has made the dataset.
    known = known_transformations()
    makers = [one.importer for one in sources_of(store, dataset) if not one.bytes]
    return next((known[one].mode for one in makers if one in known), Mode.BY_ANSWER)
