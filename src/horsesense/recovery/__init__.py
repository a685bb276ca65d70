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
from horsesense.recovery.found import UNKNOWN_PRONOUN, Found, Group, Mark, Twins
from horsesense.recovery.journal import Journal
from horsesense.recovery.recover import ISSUES, PROBLEMS, Recovery
from horsesense.recovery.spelling import is_possessive_place, lowered_answer, names_in
from horsesense.recovery.twins import (
    ASSUMED,
    BY_ID,
    BY_MARK,
    BY_NEIGHBOURS,
    BY_OPTIONS,
    BY_POSITION,
    LIKENESS,
    NEIGHBOURS,
    NO_TWINS,
    SINGLES,
    TWINS,
    Paired,
    paired,
)

__all__ = [
    "ASSUMED",
    "BY_ID",
    "BY_MARK",
    "BY_NEIGHBOURS",
    "BY_OPTIONS",
    "BY_POSITION",
    "EXTERIOR",
    "ISSUES",
    "LIKENESS",
    "NEIGHBOURS",
    "SINGLES",
    "NO_TWINS",
    "PROBLEMS",
    "STEPS",
    "TWINS",
    "UNKNOWN_PRONOUN",
    "Difference",
    "Found",
    "Group",
    "Journal",
    "Mark",
    "Paired",
    "Recovery",
    "Scattered",
    "Twins",
    "base_form",
    "difference",
    "is_possessive_place",
    "lowered_answer",
    "names_in",
    "paired",
    "shared_end",
    "shared_start",
    "trimmed",
]
