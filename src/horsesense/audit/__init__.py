"""The audit of a dataset: faults, and hints that give answers away."""

from horsesense.audit.auditing import OnProgress, audit, chosen_checks
from horsesense.audit.controls import CONTROLS
from horsesense.audit.findings import Checked, Checks, Concern, Figure, Weight
from horsesense.audit.overlap import check_paths

__all__ = [
    "CONTROLS",
    "Checked",
    "Checks",
    "Concern",
    "Figure",
    "OnProgress",
    "Weight",
    "audit",
    "check_paths",
    "chosen_checks",
]
