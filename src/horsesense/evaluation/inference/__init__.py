"""Inference: turn problems into queries, and a model's answers into observations and outcomes.

Works with models, the store and scoring methods, and never imports torch.
"""

from horsesense.evaluation.inference.answers import (
    MethodSummary,
    Posed,
    PosedEntry,
    answer_set_of,
    by_entry,
    marks_of,
    pose,
    summarize,
    tags_of,
)
from horsesense.evaluation.inference.conversations import Conversation, Exchange
from horsesense.evaluation.inference.doctor import (
    FOREIGN,
    canary_method,
    canary_problems,
    examine,
    judge_canaries,
)
from horsesense.evaluation.inference.explanation import (
    Costs,
    Coverage,
    Explanation,
    OptionTokens,
    PartName,
    Sum,
    TokenColumn,
    TokenGrid,
    explain,
    spelling_of,
)
from horsesense.evaluation.inference.queries import (
    needed_by,
    plan_all,
    plan_option,
    queries_of,
)
from horsesense.evaluation.inference.querying import (
    Reader,
    answers_for,
    spelled,
)
from horsesense.evaluation.inference.run import (
    UNREAD,
    ObservedProblem,
    observe,
    score,
    score_observed,
)
from horsesense.evaluation.inference.tokenizer_checks import Finding, Health
from horsesense.evaluation.inference.verification import Drifted, Verified, verify_answers
from horsesense.evaluation.progress import OnProgress, Progress

__all__ = [
    "FOREIGN",
    "UNREAD",
    "canary_method",
    "canary_problems",
    "judge_canaries",
    "TokenColumn",
    "Conversation",
    "Costs",
    "Drifted",
    "Exchange",
    "Explanation",
    "Finding",
    "Health",
    "Coverage",
    "OnProgress",
    "OptionTokens",
    "PartName",
    "Posed",
    "PosedEntry",
    "Progress",
    "Reader",
    "ObservedProblem",
    "Sum",
    "MethodSummary",
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
    "score_observed",
    "answer_set_of",
    "spelled",
    "spelling_of",
    "summarize",
    "tags_of",
    "verify_answers",
    "needed_by",
]
