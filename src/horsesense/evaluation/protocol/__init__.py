"""The evaluation protocol: run a plan, from the names of models and datasets to `Results`.

Never imports the command line or torch. A run that is in the store is loaded from it; otherwise the
models are queried for what the store does not have. `estimate`, which predicts the time of a run,
is imported separately.
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
    with_chat_models,
)
from horsesense.evaluation.protocol.recording import differences, page_hash, run_key
from horsesense.evaluation.protocol.running import check_plan, run_protocol
from horsesense.evaluation.protocol.sources import DatasetRef, find_source, reference, with_files

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
    "with_chat_models",
    "with_files",
]
