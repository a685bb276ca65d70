"""Results: what an evaluation found, as plain tables. Pure; others measure, keep and show it."""

from horsesense.results.record import (
    ALL,
    BY_ANSWER,
    BY_BOOLEAN,
    BY_KEY,
    CONSISTENCY_TEST,
    CONTROL,
    EVERY,
    NO_PERTURBATION,
    ORIGINAL,
    PROBLEM_LEVEL,
    SCHEMA_LEVEL,
    STANDARD,
    DatasetSubject,
    ModelSubject,
    Plan,
    Record,
    ResultKey,
    Skipped,
    Variant,
)
from horsesense.results.results import Results
from horsesense.results.rows import AnswerRow, Estimate, Kind, OptionCount, ProblemRow, TokenCosts
from horsesense.results.selecting import select_model
from horsesense.results.tables import Column, Table

__all__ = [
    "ALL",
    "BY_ANSWER",
    "BY_BOOLEAN",
    "BY_KEY",
    "CONSISTENCY_TEST",
    "CONTROL",
    "EVERY",
    "NO_PERTURBATION",
    "ORIGINAL",
    "PROBLEM_LEVEL",
    "SCHEMA_LEVEL",
    "STANDARD",
    "AnswerRow",
    "Column",
    "DatasetSubject",
    "Estimate",
    "Kind",
    "ModelSubject",
    "OptionCount",
    "Plan",
    "ProblemRow",
    "Record",
    "ResultKey",
    "Results",
    "Skipped",
    "Table",
    "TokenCosts",
    "Variant",
    "select_model",
]
