"""Fetch datasets by name from where they are published, and keep their files."""

from __future__ import annotations

from horsesense.datasets.fetch_settings import fetching, offline_reason
from horsesense.datasets.fetching.download import ChangedError, FetchError, data_folder
from horsesense.datasets.fetching.fetched import Fetched
from horsesense.datasets.fetching.hub import SCHEME, fetch_from_hub, find_hub_dataset
from horsesense.datasets.fetching.published import (
    fetch_file,
    fetch_published,
    find_published,
    how_to_get,
)
from horsesense.datasets.importers import SourceFile

__all__ = [
    "ChangedError",
    "FetchError",
    "Fetched",
    "can_fetch",
    "data_folder",
    "fetch",
    "fetch_companion",
    "fetching",
    "how_to_get",
    "offline_reason",
]


def can_fetch(name: str) -> bool:
    """Return whether a name means a published dataset, a file of one, or a dataset of the hub."""
    return find_published(name) is not None or find_hub_dataset(name) is not None


def fetch(name: str) -> Fetched | None:
    """Return the published dataset of that name, fetched if need be; None if there is none."""
    if found := find_published(name):
        return fetch_published(*found)
    on_hub = find_hub_dataset(name)
    if on_hub is None:
        return None
    return fetch_from_hub(on_hub, is_plain=not name.startswith(SCHEME))


def fetch_companion(name: str) -> SourceFile | None:
    """Return a file of a published dataset, such as `winogrande/dev-labels.lst`, or None."""
    found = find_published(name)
    return None if found is None or not found[1] else fetch_file(*found)
