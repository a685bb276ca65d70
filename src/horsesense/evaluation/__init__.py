"""Evaluate models: plan a run, query the models, measure what they answered.

Whatever the command line does by names can be done here with objects as well: a model in memory,
any object that answers like one, schemas in a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from horsesense.evaluation.evaluating import evaluate as evaluate

__all__ = ["evaluate"]


def __getattr__(name: str) -> Any:
    # Loaded when it is used: the commands that only query a model do without the metrics.
    if name != "evaluate":
        raise AttributeError(f"module 'horsesense.evaluation' has no attribute {name!r}")
    from horsesense.evaluation.evaluating import evaluate

    return evaluate
