"""Progress of an evaluation, as a line in a terminal or a notebook or for a callback."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage has come; `stage` is in words, such as «querying gpt2».

    While a model is queried, `done` and `total` count distinct queries, and `cached` of them came
    from the store. They took no time, so do not count them in an estimate of the time left.
    `damaged` are the keys of damaged rows of the store, whose queries are answered again.
    """

    stage: str
    done: int
    total: int
    cached: int = 0
    damaged: tuple[str, ...] = ()


OnProgress: TypeAlias = Callable[[Progress], None]


def ignore(message: object) -> None:
    """Do nothing: the default of callbacks."""


class ProgressLine:
    """Progress as a line that is overwritten, or passed to a callback."""

    def __init__(self, show: OnProgress | bool | None) -> None:
        # IPython leaves this mark in the shells of terminals and notebooks.
        is_seen = sys.stderr.isatty() or hasattr(builtins, "__IPYTHON__")
        self._call = show if callable(show) else None
        self._is_line = show is True or (show is None and is_seen)
        self._width = 0

    def update(self, progress: Progress) -> None:
        """Show the progress."""
        if self._call is not None:
            self._call(progress)
        elif self._is_line:
            self._write(f"{progress.stage}: {progress.done:,} of {progress.total:,}")

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            self._write("")
            sys.stderr.write("\r")
