"""Evaluate models: plan a run, query the models, measure what they answered.

Whatever the command line does by names can be done here with objects as well: a model in memory,
any object that answers like one, schemas in a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from horsesense.evaluation.checking import check as check
    from horsesense.evaluation.evaluating import evaluate as evaluate

__all__ = ["check", "evaluate"]
# Loaded when they are used: the commands that only query a model do without the metrics.
_HOMES = {
    "check": "horsesense.evaluation.checking",
    "evaluate": "horsesense.evaluation.evaluating",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'horsesense.evaluation' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
