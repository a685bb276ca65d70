"""Perturbations: transformed datasets, with checks and a ledger of judgements.

A transformation declares what it does, is applied entry by entry, and its result is checked. What
English rules make is a proposal until somebody has accepted it.
"""

from horsesense.perturbations.checks import (
    UNREVIEWED,
    Perturbed,
    SkippedEntry,
    check,
    perturb,
    perturb_dataset,
    perturb_entry,
)
from horsesense.perturbations.registry import (
    TRANSFORMATIONS,
    find_transformation,
    transformation_packages,
)
from horsesense.perturbations.transformation import (
    VALID,
    Judgement,
    Ledgered,
    Level,
    MissingEnglish,
    NotApplicable,
    Parameter,
    ProblemPair,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Validity,
    Voucher,
    first_validity,
    pairs,
)

__all__ = [
    "TRANSFORMATIONS",
    "UNREVIEWED",
    "VALID",
    "Judgement",
    "SkippedEntry",
    "Ledgered",
    "Level",
    "MissingEnglish",
    "NotApplicable",
    "ProblemPair",
    "Parameter",
    "Perturbed",
    "Purpose",
    "Rewriting",
    "Right",
    "Settings",
    "Touch",
    "Transformation",
    "Validity",
    "Voucher",
    "check",
    "find_transformation",
    "first_validity",
    "transformation_packages",
    "pairs",
    "perturb",
    "perturb_dataset",
    "perturb_entry",
]
