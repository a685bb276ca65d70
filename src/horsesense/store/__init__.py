"""The store: datasets, perturbations, answers and runs in one SQLite file, open to other tools."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from horsesense.schema import Source
from horsesense.schema.notation import dataset_id
from horsesense.store.cache import KeptCount, Pruned, count_kept, fingerprints_of, prune
from horsesense.store.checking import (
    Repaired,
    State,
    StoreCheck,
    check_store,
    repair_store,
    salvage_store,
)
from horsesense.store.connection import Store, is_damage
from horsesense.store.datasets import (
    StoredDataset,
    find_dataset,
    installed_version,
    list_datasets,
    load_entries,
    load_entry,
    remove_datasets,
    sources_of,
    unreadable_datasets,
)
from horsesense.store.judged import (
    JudgementCounts,
    accepted_in,
    count_judgements,
    count_unverified,
    count_validity,
    load_history,
    load_ledger,
    load_left_out,
    load_pairs,
)
from horsesense.store.ledger import (
    ReviewVerdict,
    WordingChanged,
    judge,
    judge_entries,
    judge_together,
    reload_ledgered,
    verdict_on,
)
from horsesense.store.loading import (
    IssueCount,
    count_issues,
    find_stored,
    load_dataset,
    load_issues,
    load_stored,
    unknown_dataset,
)
from horsesense.store.observations import (
    Loaded,
    ObservationRow,
    QueryRun,
    answered_query,
    as_kept,
    believed,
    fault,
    forget_answers,
    keep_answers,
    load_answers,
    load_rows,
    places_of,
)
from horsesense.store.perturbations import (
    MODES,
    ChosenMode,
    StoredPerturbation,
    check_other_mode,
    chosen_mode,
    find_perturbation,
    fixed_mode,
    list_perturbations,
    mode_name,
    mode_of,
    own_mode,
    perturbation_of,
)
from horsesense.store.perturbing import (
    Applied,
    adopt,
    apply_to,
    apply_transformation,
    check_free,
    freeze,
    perturbation_name,
    remove_perturbation,
    save_perturbation,
)
from horsesense.store.replies import LoadedReplies, forget_replies, keep_replies, load_replies
from horsesense.store.runs import (
    ACCURACIES,
    LATEST,
    RunSummary,
    find_model,
    find_run,
    keep_run,
    list_runs,
    load_accuracies,
    load_results,
    load_run,
    open_runs,
    read_results,
    remove_run,
    unknown_model,
    verify_runs,
)
from horsesense.store.saving import Saved, save_dataset, save_entries
from horsesense.store.search import Hit, search
from horsesense.store.verification import verify_dataset, verify_file, verify_perturbations

if TYPE_CHECKING:
    from horsesense.store.files import Imported as Imported
    from horsesense.store.files import export_dataset as export_dataset
    from horsesense.store.files import export_text as export_text
    from horsesense.store.files import import_dataset as import_dataset
    from horsesense.store.files import prepare_export as prepare_export
    from horsesense.store.files import refuse_perturbation as refuse_perturbation
    from horsesense.store.files import write_export as write_export
    from horsesense.store.material import Material as Material
    from horsesense.store.material import open_material as open_material
    from horsesense.store.sides import find_sides as find_sides

# Names that need importers, exporters or numpy: imported when they are used.
_LAZY = {
    "export_dataset": "horsesense.store.files",
    "export_text": "horsesense.store.files",
    "prepare_export": "horsesense.store.files",
    "write_export": "horsesense.store.files",
    "Imported": "horsesense.store.files",
    "import_dataset": "horsesense.store.files",
    "refuse_perturbation": "horsesense.store.files",
    "Material": "horsesense.store.material",
    "open_material": "horsesense.store.material",
    "find_sides": "horsesense.store.sides",
}

__all__ = [
    "ACCURACIES",
    "Applied",
    "QueryRun",
    "StoreCheck",
    "ChosenMode",
    "JudgementCounts",
    "Hit",
    "Imported",
    "IssueCount",
    "KeptCount",
    "LATEST",
    "Loaded",
    "LoadedReplies",
    "MODES",
    "Material",
    "Pruned",
    "Repaired",
    "ObservationRow",
    "RunSummary",
    "Saved",
    "Source",
    "State",
    "Store",
    "StoredDataset",
    "StoredPerturbation",
    "ReviewVerdict",
    "WordingChanged",
    "accepted_in",
    "adopt",
    "answered_query",
    "apply_to",
    "apply_transformation",
    "as_kept",
    "believed",
    "check_free",
    "check_other_mode",
    "check_store",
    "chosen_mode",
    "count_issues",
    "count_judgements",
    "count_kept",
    "count_unverified",
    "count_validity",
    "dataset_id",
    "export_dataset",
    "export_text",
    "fault",
    "find_dataset",
    "find_model",
    "find_perturbation",
    "find_run",
    "find_sides",
    "find_stored",
    "fingerprints_of",
    "fixed_mode",
    "forget_answers",
    "forget_replies",
    "freeze",
    "import_dataset",
    "installed_version",
    "is_damage",
    "judge",
    "judge_entries",
    "judge_together",
    "keep_answers",
    "keep_replies",
    "keep_run",
    "list_datasets",
    "list_perturbations",
    "list_runs",
    "load_accuracies",
    "load_answers",
    "load_replies",
    "load_dataset",
    "load_entries",
    "load_entry",
    "load_history",
    "load_issues",
    "load_ledger",
    "load_left_out",
    "load_pairs",
    "load_results",
    "load_rows",
    "load_run",
    "mode_name",
    "mode_of",
    "open_material",
    "open_runs",
    "load_stored",
    "own_mode",
    "perturbation_name",
    "perturbation_of",
    "places_of",
    "prepare_export",
    "prune",
    "read_results",
    "refuse_perturbation",
    "reload_ledgered",
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
    "unknown_dataset",
    "unknown_model",
    "unreadable_datasets",
    "verdict_on",
    "verify_dataset",
    "verify_file",
    "verify_perturbations",
    "verify_runs",
    "write_export",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'horsesense.store' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
