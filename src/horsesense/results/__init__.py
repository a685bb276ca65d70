"""The results of an evaluation, in three tables: problems, answers and estimates.

`problems` has a row per problem of each variant of a dataset, `answers` a row per model, method and
problem, and `estimates` a row per metric, with its interval and test. This package only holds the
tables; `measuring` computes the estimates, and the store and the reports read them.
"""

from horsesense.results.record import (
    ALL,
    BY_ANSWER,
    BY_BOOLEAN,
    BY_KEY,
    CANARIES,
    CONSISTENCY_TEST,
    CONTROL,
    EVERY,
    NO_PERTURBATION,
    ORIGINAL,
    OWN_SCHEMAS,
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
from horsesense.results.results import REPLY_TAGS, Results, select_model
from horsesense.results.rows import (
    AnswerRow,
    Estimate,
    EstimateKind,
    OptionCount,
    ProblemRow,
    ReplyCount,
    ServerUsage,
    TokenCosts,
)
from horsesense.results.tables import Column, Table

__all__ = [
    "ALL",
    "BY_ANSWER",
    "BY_BOOLEAN",
    "BY_KEY",
    "CANARIES",
    "CONSISTENCY_TEST",
    "CONTROL",
    "EVERY",
    "NO_PERTURBATION",
    "ORIGINAL",
    "OWN_SCHEMAS",
    "PROBLEM_LEVEL",
    "REPLY_TAGS",
    "SCHEMA_LEVEL",
    "STANDARD",
    "AnswerRow",
    "Column",
    "DatasetSubject",
    "Estimate",
    "EstimateKind",
    "ModelSubject",
    "OptionCount",
    "Plan",
    "ProblemRow",
    "Record",
    "ReplyCount",
    "ResultKey",
    "Results",
    "ServerUsage",
    "Skipped",
    "Table",
    "TokenCosts",
    "Variant",
    "select_model",
]
