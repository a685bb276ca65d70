"""The evaluation protocol: from a plan to a profile, by way of data, forms, models and the store.

Knows neither the command line nor torch. A run that is in the store is loaded from it; otherwise
models are asked what the store does not have. What a run would take is in `estimate`, which not
every run needs.
"""

from horsesense.evaluation.progress import OnProgress, Progress
from horsesense.evaluation.protocol.participants import gather
from horsesense.evaluation.protocol.plans import (
    DEFAULT_DATA,
    DEFAULT_MODELS,
    parse_plan,
    plan_from,
    plan_text,
    read_plan,
)
from horsesense.evaluation.protocol.recording import differences, page_hash, run_key
from horsesense.evaluation.protocol.running import check_plan, run_protocol
from horsesense.evaluation.protocol.sources import DatasetRef, find_source, reference

__all__ = [
    "DEFAULT_DATA",
    "DEFAULT_MODELS",
    "DatasetRef",
    "OnProgress",
    "Progress",
    "check_plan",
    "run_protocol",
    "differences",
    "find_source",
    "gather",
    "page_hash",
    "parse_plan",
    "plan_from",
    "plan_text",
    "read_plan",
    "reference",
    "run_key",
]
