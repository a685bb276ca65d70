"""What is there already of a run: one whose files are there is shown without being loaded."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from horsesense.cli.output import note
from horsesense.cli.run_folder import (
    folders_of,
    is_whole,
    manifest_of,
    refuse_foreign,
    refuse_other,
)
from horsesense.evaluation.protocol import check_plan, gather, run_key
from horsesense.results import Plan
from horsesense.store import Store, find_run


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run in its folder, what of its plan could not be done, and why its page has no figures."""

    id: str
    folder: Path
    missing: tuple[str, ...]
    no_figures: str


def kept_run(plan: Plan, path: Path, output: Path | None) -> KeptRun | None:
    """The run of that plan, if it is in the store and all of its files are in their folder."""
    folders = folders_of(plan, output)
    if not folders or not path.exists():
        return None
    with Store.open(path) as store:
        record = find_run(store, _key(plan, store))
    if record is None:
        return None
    for folder in folders:
        found = manifest_of(folder)
        if found is not None and is_whole(folder, record):
            return KeptRun(found.id, folder, found.missing, found.no_figures)
    return None


def refuse_folder(plan: Plan, path: Path, folder: Path) -> None:
    """Refuse at once a folder into which the run of that plan would not be written."""
    refuse_foreign(folder, overwrite=False)
    if manifest_of(folder) is None:
        return
    with Store.open(path) if path.exists() else nullcontext() as store:
        key = _key(plan, store)
    refuse_other(folder, plan, key)


def _key(plan: Plan, store: Store | None) -> str:
    """The key of the run, which depends on data, models and program as they are now."""
    check_plan(plan)
    return run_key(plan, gather(plan, store, (), (), note))
