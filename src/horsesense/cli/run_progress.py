"""How far a run has come, on a terminal: the stage, a bar, the rate, and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from horsesense.cli import output

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import Task, TaskID

    from horsesense.evaluation.protocol import Progress

# What `done` counts while a model is asked; elsewhere it has no name.
_ASKING, _QUERIES = "asking", "queries"


@contextmanager
def following() -> Iterator[Callable[[Progress], None]]:
    """A function that is told how far a run has come, and draws it once it takes a while."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    started = time.monotonic()
    with ExitStack() as drawn:
        shown: _Shown | None = None

        def tell(progress: Progress) -> None:
            nonlocal shown
            if shown is None and time.monotonic() - started > output.QUIET_SECONDS:
                shown = _Shown(drawn.enter_context(_bars()))
            if shown is not None:
                shown.tell(progress)

        yield tell


class _Shown:
    """The bar of the current stage; one at a time, as stages follow each other."""

    def __init__(self, bars: Bars) -> None:
        self.bars = bars
        self.stage = ""
        self.bar: TaskID | None = None

    def tell(self, progress: Progress) -> None:
        if progress.stage != self.stage or self.bar is None:
            if self.bar is not None:
                self.bars.remove_task(self.bar)
            # What was done before the bar is drawn says nothing about the rate.
            self.stage = progress.stage
            self.bar = self.bars.add_task(
                progress.stage,
                total=progress.total or None,
                completed=progress.done,
                unit=_QUERIES if progress.stage.startswith(_ASKING) else "",
            )
        else:
            self.bars.update(self.bar, completed=progress.done, total=progress.total or None)


def _bars() -> Bars:
    # Here, as it takes rich a moment to be imported.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class RateColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(_rate(task.speed, task.fields["unit"]))

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}"),
        RateColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def _rate(speed: float | None, unit: str) -> str:
    """So many a second, if that is known.

    >>> _rate(41.6, "queries"), _rate(3.14, ""), _rate(None, "")
    ('42 queries/s', '3.1/s', '')
    """
    if speed is None:
        return ""
    return f"{speed:.{0 if speed >= 10 else 1}f}{' ' if unit else ''}{unit}/s"
