"""Asking models: from problems to queries, from answers to observations and outcomes.

Knows models, the store and scoring methods; knows nothing of torch.
"""

from horsesense.asking.asking import OnProgress, Progress, answers_for, spelled
from horsesense.asking.doctor import FOREIGN, examine
from horsesense.asking.explanation import Explanation, Mark, Sum, explain
from horsesense.asking.finding import Finding, Health
from horsesense.asking.posing import Posed, PosedEntry, by_entry, pose
from horsesense.asking.queries import plan_all, plan_option, queries_of, wanted_by
from horsesense.asking.reader import Reader
from horsesense.asking.run import UNREAD, Observed, Scored, observe, score, scored
from horsesense.asking.sheets import marks_of, sheet_of, tags_of
from horsesense.asking.summary import Summary, summarize
from horsesense.asking.token_grid import Column, Costs, OptionTokens, PartName, TokenGrid
from horsesense.asking.verification import Drifted, Verified, verify_answers

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
    "sheet_of",
    "spelled",
    "summarize",
    "tags_of",
    "verify_answers",
    "wanted_by",
]
