"""What became of a dataset that was to be kept, in words and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from horsesense.cli.output import counted
from horsesense.cli.views import dataset_json
from horsesense.errors import HorsesenseError
from horsesense.store import Saved, Store, list_perturbations


def refuse_perturbation(store: Store, name: str) -> None:
    """Refuse the name of a perturbation: what is valid of it is frozen under that name."""
    for one in list_perturbations(store):
        if one.name == name:
            raise HorsesenseError(
                f"{name} is what {one.transformation} of {one.original.name} is called;"
                f" choose another --name, or first horsesense perturb remove {name}"
            )


def told_saved(saved: Saved) -> str:
    """Whether it is new, and what has changed since the version before."""
    dataset = saved.dataset
    if not saved.is_new:
        later = "" if saved.latest == dataset.version else f"; the latest is {saved.latest}"
        mended = "; it was damaged, and is mended" if saved.is_mended else ""
        return f"{dataset.name}: stored already, as version {dataset.version}{later}{mended}"
    entries = counted(dataset.entries, "entry", "entries")
    told = f"{dataset.name}: version {dataset.version} stored, {entries}"
    return "; ".join([told, *_changes(saved)])


def _changes(saved: Saved) -> Sequence[str]:
    return [
        f"{len(ids)} {what} ({', '.join(ids[:5])}{', …' if len(ids) > 5 else ''})"
        for what, ids in (
            ("added", saved.added),
            ("changed", saved.changed),
            ("removed", saved.removed),
        )
        if ids
    ]


def saved_json(saved: Saved) -> dict[str, Any]:
    """What became of a dataset that was to be kept."""
    changes = {"added": saved.added, "changed": saved.changed, "removed": saved.removed}
    return {
        **dataset_json(saved.dataset),
        "is_new": saved.is_new,
        "is_mended": saved.is_mended,
        "latest": saved.latest,
        **changes,
    }
