"""From problems as published files give them to schemas: twins, key phrases, candidates."""

from horsesense.recovery.candidates import base_form
from horsesense.recovery.cleaning import EXTERIOR, STEPS, trimmed
from horsesense.recovery.differences import (
    Difference,
    Scattered,
    difference,
    shared_end,
    shared_start,
)
from horsesense.recovery.found import UNKNOWN_PRONOUN, Found, Group, Mark
from horsesense.recovery.journal import Journal
from horsesense.recovery.recover import ISSUES, PROBLEMS, Recovery
from horsesense.recovery.spelling import is_possessive_place, lowered_answer, names_in

__all__ = [
    "EXTERIOR",
    "ISSUES",
    "PROBLEMS",
    "STEPS",
    "UNKNOWN_PRONOUN",
    "Difference",
    "Found",
    "Group",
    "Journal",
    "Mark",
    "Recovery",
    "Scattered",
    "base_form",
    "difference",
    "is_possessive_place",
    "lowered_answer",
    "names_in",
    "shared_end",
    "shared_start",
    "trimmed",
]
