"""Inference: from problems to queries, from a model's answers to observations and outcomes.

Knows models, the store and scoring methods; knows nothing of torch.
"""

from horsesense.evaluation.inference.answers import (
    Posed,
    PosedEntry,
    Summary,
    answer_set_of,
    by_entry,
    marks_of,
    pose,
    summarize,
    tags_of,
)
from horsesense.evaluation.inference.asking import (
    OnProgress,
    Progress,
    Reader,
    answers_for,
    spelled,
)
from horsesense.evaluation.inference.doctor import FOREIGN, examine
from horsesense.evaluation.inference.explanation import (
    Column,
    Costs,
    Explanation,
    Mark,
    OptionTokens,
    PartName,
    Sum,
    TokenGrid,
    explain,
)
from horsesense.evaluation.inference.queries import (
    plan_all,
    plan_option,
    queries_of,
    wanted_by,
)
from horsesense.evaluation.inference.run import UNREAD, Observed, Scored, observe, score, scored
from horsesense.evaluation.inference.tokenizer_checks import Finding, Health
from horsesense.evaluation.inference.verification import Drifted, Verified, verify_answers

__all__ = [
    "FOREIGN",
    "UNREAD",
    "Column",
    "Costs",
    "Drifted",
    "Explanation",
    "Finding",
    "Health",
    "Mark",
    "Observed",
    "OnProgress",
    "OptionTokens",
    "PartName",
    "Posed",
    "PosedEntry",
    "Progress",
    "Reader",
    "Scored",
    "Sum",
    "Summary",
    "TokenGrid",
    "Verified",
    "answers_for",
    "by_entry",
    "examine",
    "explain",
    "marks_of",
    "observe",
    "plan_all",
    "plan_option",
    "pose",
    "queries_of",
    "score",
    "scored",
    "answer_set_of",
    "spelled",
    "summarize",
    "tags_of",
    "verify_answers",
    "wanted_by",
]
