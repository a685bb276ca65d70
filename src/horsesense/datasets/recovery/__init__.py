"""From problems as published files give them to schemas: twins, key phrases, candidates."""

from horsesense.datasets.recovery.candidates import base_form
from horsesense.datasets.recovery.cleaning import EXTERIOR, STEPS, trimmed
from horsesense.datasets.recovery.differences import (
    Difference,
    Scattered,
    difference,
    shared_end,
    shared_start,
)
from horsesense.datasets.recovery.found import UNKNOWN_PRONOUN, Found, Group, Mark, Twins
from horsesense.datasets.recovery.journal import Journal
from horsesense.datasets.recovery.recover import ISSUES, Recovery
from horsesense.datasets.recovery.spelling import is_possessive_place, lowered_answer, names_in
from horsesense.datasets.recovery.twins import (
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
