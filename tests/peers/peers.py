"""Other programs at work in an environment of their own, and what they are asked."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from horsesense.datasets.importers import SourceFile, open_import
from horsesense.schema import Header, Problem, problems

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
PYTHON = os.environ.get("HORSESENSE_PEERS", "")
TOLERANCE = 1e-3

needs_peers = pytest.mark.skipif(
    not PYTHON, reason="HORSESENSE_PEERS names no Python with lm-eval and minicons"
)


def ask_peer(module: str, models: Sequence[str], jobs: Sequence[dict[str, Any]]) -> list[Any]:
    """What a module of bench/ says to some jobs, all in one process; nothing is fetched."""
    command = [PYTHON, "-m", f"bench.{module}", str(os.cpu_count() or 1), *models]
    result = subprocess.run(
        command,
        input="".join(f"{json.dumps(job)}\n" for job in jobs),
        env=os.environ | {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    ready, *replies = (json.loads(line) for line in result.stdout.splitlines())
    assert ready["ready"]
    return replies


def published(path: str) -> list[Problem]:
    """The problems of a published file; the test is skipped where it is not at hand."""
    file = DATA / path
    if not file.exists():
        pytest.skip(f"{path} is not at hand")
    source = SourceFile(path, file.read_bytes())
    entries = open_import(source, Header("compared"))
    return [problem for entry in entries for problem in problems(entry.grid)]
