"""The audit of a dataset: faults, and hints that give answers away."""

from horsesense.audit.auditing import OnProgress, audit, chosen_checks
from horsesense.audit.controls import CONTROLS
from horsesense.audit.findings import CheckResult, Checks, Concern, Figure, Weight
from horsesense.audit.overlap import check_paths

__all__ = [
    "CONTROLS",
    "CheckResult",
    "Checks",
    "Concern",
    "Figure",
    "OnProgress",
    "Weight",
    "audit",
    "check_paths",
    "chosen_checks",
]
