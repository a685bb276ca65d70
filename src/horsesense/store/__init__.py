"""The store: datasets and observations in one SQLite file, tables that other tools can open."""

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
from horsesense.store.kept import (
    KeptCount,
    Pruned,
    answered_query,
    count_kept,
    fingerprints_of,
    load_rows,
    places_of,
    prune,
)
from horsesense.store.observations import (
    AskingRun,
    Loaded,
    Row,
    as_kept,
    believed,
    fault,
    forget_answers,
    keep_answers,
    load_answers,
)
from horsesense.store.saving import Saved, save_dataset
from horsesense.store.search import Hit, search
from horsesense.store.store import Store
from horsesense.store.verification import verify_dataset, verify_file

__all__ = [
    "AskingRun",
    "Hit",
    "IssueCount",
    "KeptCount",
    "Loaded",
    "Pruned",
    "Row",
    "Saved",
    "Source",
    "Store",
    "StoredDataset",
    "answered_query",
    "as_kept",
    "believed",
    "count_issues",
    "count_kept",
    "fault",
    "find_dataset",
    "fingerprints_of",
    "forget_answers",
    "keep_answers",
    "list_datasets",
    "load_answers",
    "load_entries",
    "load_entry",
    "load_issues",
    "load_rows",
    "places_of",
    "prune",
    "remove_datasets",
    "save_dataset",
    "search",
    "sources_of",
    "verify_dataset",
    "verify_file",
]
