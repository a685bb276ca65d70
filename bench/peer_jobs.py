"""Serve jobs in a process that keeps its model loaded: JSON lines in, JSON lines out.

Each side of a comparison is such a process. Loading before the first job is not timed, and only one
of the processes works at a time.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

Job: TypeAlias = dict[str, Any]


def serve(prepare: Callable[[], Callable[[Job], Job]]) -> None:
    """Prepare, report that this process is ready, and do jobs until the input ends.

    Anything else that is printed, mostly by libraries, goes to the standard error.
    """
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as replies:
        os.dup2(2, 1)
        do_job = prepare()
        _reply(replies, {"ready": True})
        for line in sys.stdin:
            _reply(replies, do_job(json.loads(line)))


def peak_bytes() -> int:
    """Return the peak memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def forget_peak() -> None:
    """Reset the memory peak, where the system can, to leave out what came before the work."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _reply(replies: Any, reply: Job) -> None:
    print(json.dumps(reply | {"peak_bytes": peak_bytes()}), file=replies, flush=True)
