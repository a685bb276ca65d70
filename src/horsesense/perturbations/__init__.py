"""Perturbations: what transformations make of datasets, and who has judged it.

A transformation declares what it does, is applied entry by entry, and its result is checked. What
English rules make is a proposal until somebody has accepted it.
"""

from horsesense.perturbations.applying import (
    UNREVIEWED,
    LeftOut,
    Perturbed,
    perturb,
    perturb_dataset,
    perturb_entry,
)
from horsesense.perturbations.checks import check
from horsesense.perturbations.ledger import (
    VALID,
    Judgement,
    Ledgered,
    Validity,
    first_validity,
)
from horsesense.perturbations.pairing import Pair, pairs
from horsesense.perturbations.registry import (
    TRANSFORMATIONS,
    find_transformation,
    known_transformations,
    transformation_packages,
)
from horsesense.perturbations.transformation import (
    Level,
    MissingEnglish,
    NotApplicable,
    Parameter,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Voucher,
)

__all__ = [
    "TRANSFORMATIONS",
    "UNREVIEWED",
    "VALID",
    "Judgement",
    "LeftOut",
    "Ledgered",
    "Level",
    "MissingEnglish",
    "NotApplicable",
    "Pair",
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
    "known_transformations",
    "transformation_packages",
    "pairs",
    "perturb",
    "perturb_dataset",
    "perturb_entry",
]
