"""The store: datasets, perturbations, answers and runs in one SQLite file, open to other tools."""

from horsesense.schema import Source
from horsesense.schema.notation import dataset_id
from horsesense.store.adopting import adopt
from horsesense.store.checking import Checked, State, check_store
from horsesense.store.connection import is_damage
from horsesense.store.datasets import (
    StoredDataset,
    find_dataset,
    list_datasets,
    load_entries,
    load_entry,
    remove_datasets,
    sources_of,
    unreadable_datasets,
)
from horsesense.store.freezing import freeze
from horsesense.store.issues import IssueCount, count_issues, load_issues
from horsesense.store.judged import (
    Counts,
    accepted_in,
    count_judgements,
    count_unverified,
    count_validity,
    load_history,
    load_ledger,
    load_left_out,
    load_pairs,
)
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
from horsesense.store.ledger import Verdict, WordingChanged, judge, judge_together
from horsesense.store.loading import load_dataset, load_stored
from horsesense.store.modes import check_other_mode, fixed_mode, own_mode
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
from horsesense.store.perturbations import (
    StoredPerturbation,
    find_perturbation,
    list_perturbations,
    perturbation_of,
)
from horsesense.store.perturbing import remove_perturbation, save_perturbation
from horsesense.store.repairing import Repaired, repair_store, salvage_store
from horsesense.store.runs import (
    LATEST,
    RunSummary,
    find_run,
    keep_run,
    list_runs,
    load_run,
    remove_run,
    verify_runs,
)
from horsesense.store.saving import Saved, save_dataset, save_entries
from horsesense.store.search import Hit, search
from horsesense.store.store import Store
from horsesense.store.verification import verify_dataset, verify_file, verify_perturbations
from horsesense.store.versions import installed_version

__all__ = [
    "AskingRun",
    "Checked",
    "Counts",
    "Hit",
    "IssueCount",
    "KeptCount",
    "LATEST",
    "Loaded",
    "Pruned",
    "Repaired",
    "Row",
    "RunSummary",
    "Saved",
    "Source",
    "State",
    "Store",
    "StoredDataset",
    "StoredPerturbation",
    "Verdict",
    "WordingChanged",
    "accepted_in",
    "adopt",
    "answered_query",
    "as_kept",
    "believed",
    "check_other_mode",
    "check_store",
    "count_issues",
    "count_judgements",
    "count_kept",
    "count_unverified",
    "count_validity",
    "dataset_id",
    "fault",
    "is_damage",
    "find_dataset",
    "find_perturbation",
    "find_run",
    "fingerprints_of",
    "forget_answers",
    "fixed_mode",
    "freeze",
    "installed_version",
    "judge",
    "judge_together",
    "keep_answers",
    "keep_run",
    "list_datasets",
    "list_perturbations",
    "list_runs",
    "load_answers",
    "load_dataset",
    "load_entries",
    "load_entry",
    "load_history",
    "load_issues",
    "load_ledger",
    "load_left_out",
    "load_pairs",
    "load_rows",
    "load_run",
    "load_stored",
    "own_mode",
    "perturbation_of",
    "places_of",
    "prune",
    "remove_datasets",
    "remove_perturbation",
    "remove_run",
    "repair_store",
    "salvage_store",
    "save_dataset",
    "save_entries",
    "save_perturbation",
    "search",
    "sources_of",
    "unreadable_datasets",
    "verify_dataset",
    "verify_file",
    "verify_perturbations",
    "verify_runs",
]
