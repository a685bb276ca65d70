"""The key of a run: a hash of all that its numbers depend on.

What cannot change a number is no part of it: how much goes through a model at once, how much
memory there is, and where a model lies, for which its fingerprint stands.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from horsesense.errors import FileError
from horsesense.evaluation.protocol.participants import Participants
from horsesense.evaluation.protocol.recording import library_versions, program_hash
from horsesense.perturbations import transformation_packages
from horsesense.results import Plan

_NUMBERLESS = frozenset({"models", "data", "frequencies", "batch", "memory", "allow_pickle"})
# The libraries that numbers are computed with once a model has answered.
_COMPUTED_WITH = ("numpy", "scipy")


def run_key(plan: Plan, taking_part: Participants) -> str:
    """The key of a run of that plan with those who could be had for it."""
    content: dict[str, Any] = {
        "plan": {name: value for name, value in asdict(plan).items() if name not in _NUMBERLESS},
        "models": taking_part.fingerprints,
        "data": [(one.name, one.id, one.ids, one.remarks) for one in taking_part.data],
        "in memory": taking_part.in_memory,
        "missing": [(gap.where, gap.reason) for gap in taking_part.skipped],
        "frequencies": digest_of(plan.frequencies) if plan.frequencies else "",
        "transformations": transformation_packages(),
        "program": program_hash(),
        "versions": library_versions(_COMPUTED_WITH),
    }
    told = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()


def digest_of(path: str) -> str:
    """The hash of a file that the plan names."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
