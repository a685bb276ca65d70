"""Profiles: what an evaluation found, as plain data. Pure; others measure, keep and show it."""

from horsesense.results.address import ALL, ORIGINAL, Address
from horsesense.results.measurement import Kind, Measurement
from horsesense.results.plan import EVERY, NO_PERTURBATION, STANDARD, Plan
from horsesense.results.posed import PosedProblem, TokenCosts
from horsesense.results.profile import OptionChosen, Profile
from horsesense.results.record import Record
from horsesense.results.subjects import (
    BY_ANSWER,
    BY_BOOLEAN,
    BY_KEY,
    CONSISTENCY_TEST,
    CONTROL,
    PROBLEM_LEVEL,
    SCHEMA_LEVEL,
    DatasetSubject,
    FormSubject,
    Gap,
    ModelSubject,
)

__all__ = [
    "ALL",
    "Address",
    "BY_ANSWER",
    "BY_BOOLEAN",
    "BY_KEY",
    "CONSISTENCY_TEST",
    "CONTROL",
    "DatasetSubject",
    "EVERY",
    "FormSubject",
    "Gap",
    "Kind",
    "Measurement",
    "ModelSubject",
    "NO_PERTURBATION",
    "ORIGINAL",
    "OptionChosen",
    "PROBLEM_LEVEL",
    "Plan",
    "PosedProblem",
    "Profile",
    "Record",
    "SCHEMA_LEVEL",
    "STANDARD",
    "TokenCosts",
]
