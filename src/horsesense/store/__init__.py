"""The store: datasets in one SQLite file, plain tables that other tools can open."""

from horsesense.store.datasets import (
    Source,
    StoredDataset,
    find_dataset,
    list_datasets,
    load_entries,
    load_entry,
    remove_datasets,
    sources_of,
)
from horsesense.store.issues import IssueCount, count_issues, load_issues
from horsesense.store.saving import Saved, save_dataset
from horsesense.store.search import Hit, search
from horsesense.store.store import Store
from horsesense.store.verification import verify_dataset, verify_file

__all__ = [
    "Hit",
    "IssueCount",
    "Saved",
    "Source",
    "Store",
    "StoredDataset",
    "count_issues",
    "find_dataset",
    "list_datasets",
    "load_entries",
    "load_entry",
    "load_issues",
    "remove_datasets",
    "save_dataset",
    "search",
    "sources_of",
    "verify_dataset",
    "verify_file",
]
