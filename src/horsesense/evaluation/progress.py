"""Progress of an evaluation, for whoever sits before it."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, and how much of it is; `stage` is in words, such as «asking gpt2».

    While a model is asked, queries are counted, and `cached` of them were in the store: they took
    no time, which whoever tells the time left should know. Elsewhere it is 0.
    """

    stage: str
    done: int
    total: int
    cached: int = 0


OnProgress: TypeAlias = Callable[[Progress], None]


def ignore(message: object) -> None:
    """Where nobody wants to know."""


class Shown:
    """Progress as a line that is written over, or for whoever wants to be told."""

    def __init__(self, wanted: OnProgress | bool | None) -> None:
        # IPython leaves this mark in the shells of terminals and notebooks.
        is_seen = sys.stderr.isatty() or hasattr(builtins, "__IPYTHON__")
        self._call = wanted if callable(wanted) else None
        self._is_line = wanted is True or (wanted is None and is_seen)
        self._width = 0

    def tell(self, progress: Progress) -> None:
        """How far it has got."""
        if self._call is not None:
            self._call(progress)
        elif self._is_line:
            self._write(f"{progress.stage}: {progress.done:,} of {progress.total:,}")

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *_: object) -> None:
        if self._width:
            self._write("")
            sys.stderr.write("\r")
