"""Profiles: what an evaluation found, as plain data. Pure; others measure, keep and show it."""

from horsesense.profile.address import ALL, ORIGINAL, Address
from horsesense.profile.measurement import Kind, Measurement
from horsesense.profile.plan import EVERY, NO_PERTURBATION, STANDARD, Plan
from horsesense.profile.posed import PosedProblem, TokenCosts
from horsesense.profile.profile import OptionChosen, Profile
from horsesense.profile.record import Record
from horsesense.profile.subjects import (
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
