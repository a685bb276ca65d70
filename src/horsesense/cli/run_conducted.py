"""Conducting a plan with the store that the user has, and progress for whoever is watching."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from horsesense.cli.output import note
from horsesense.cli.run_progress import following
from horsesense.errors import StoreError
from horsesense.store import Store

if TYPE_CHECKING:
    from horsesense.results import Plan, Results


def conducted(plan: Plan, path: Path, *, fresh: bool = False, replace: bool = True) -> Results:
    """The profile of a plan, as the store keeps it.

    A run that is kept can be had from a store that cannot be written to; a new one cannot. One in
    which a model could not be asked is not kept.
    """
    from horsesense.evaluation.protocol import conduct
    from horsesense.store import find_run, load_run

    with opened_to_keep(path) as store, following() as tell:
        profile = conduct(plan, store, fresh=fresh, replace=replace, on_progress=tell, note=note)
        kept = find_run(store, profile.record.key)
        if kept is None and store.is_read_only:
            raise StoreError(
                f"{path} cannot be written to, and a run is to be kept; choose another with --store"
            )
        # Another process may have been faster; what is kept first is the run.
        is_it = fresh or kept is None or kept == profile.record
        return profile if is_it else load_run(store, profile.record.id)


def opened_to_keep(path: Path) -> Store:
    """The store, to be written to if that is possible; it is made where there is none."""
    return Store.open(path) if path.exists() else Store.create_or_open(path)
