"""Jobs for a process that keeps its model loaded: JSON lines in, JSON lines out.

Both sides of a comparison work so, each in a process of its own: what they load before the first
job is not counted, and while one works the other waits.
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
    """Prepare, say so, and do one job after another until there are no more.

    Whatever else is printed meanwhile, by libraries mostly, goes to the standard error.
    """
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as replies:
        os.dup2(2, 1)
        answer = prepare()
        _reply(replies, {"ready": True})
        for line in sys.stdin:
            _reply(replies, answer(json.loads(line)))


def peak_bytes() -> int:
    """How much memory the process has at the most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def forget_peak() -> None:
    """Count the peak of memory from here on, where the system can; what came before was no work."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _reply(replies: Any, reply: Job) -> None:
    print(json.dumps(reply | {"peak_bytes": peak_bytes()}), file=replies, flush=True)
