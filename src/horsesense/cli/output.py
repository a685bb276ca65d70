"""Tables for people, JSON for programs, progress for the impatient.

Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import StringIO
from threading import Event, Lock, Timer
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from horsesense.registry import Registry

Item = TypeVar("Item")
# Wide enough for any line: what is piped into a file must not be cut or wrapped.
_UNBOUNDED = 100_000
# In less a table would vanish.
_NARROWEST = 40
QUIET_SECONDS = 1.0
# As wide as reports: as in horsesense.reports.text, which takes long to be imported.
WIDTH = 100

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings, ready to be shown."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]


def show_table(table: Table) -> None:
    """Print a table: fitted to a terminal, as wide as it needs to be in a pipe."""
    drawn = RichTable(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in table.columns:
        drawn.add_column(column, overflow="fold")
    for row in table.rows:
        drawn.add_row(*row)
    buffer = StringIO()
    in_terminal = sys.stdout.isatty()
    width = max(shutil.get_terminal_size().columns, _NARROWEST) if in_terminal else _UNBOUNDED
    console = Console(
        file=buffer, width=width, force_terminal=in_terminal, highlight=False, markup=False
    )
    console.print(drawn, soft_wrap=False)
    click.echo("\n".join(line.rstrip() for line in buffer.getvalue().splitlines()))


def shown_width() -> int:
    """How wide the lines of a report may be: no wider than the terminal, if there is one."""
    if not sys.stdout.isatty():
        return WIDTH
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), WIDTH)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "error"), counted(2, "entry", "entries")
    ('1 error', '2 entries')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def show_json(value: Any) -> None:
    """Print a value as JSON, readable by people too."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def note(text: str) -> None:
    """Say something beside the result, on stderr."""
    click.echo(text, err=True)


def note_failures(*registries: Registry[Any]) -> None:
    """Say which plug-ins cannot be used, and why."""
    for registry in registries:
        for failure in registry.failures:
            note(f"warning: {failure}")


def with_count(items: Iterable[Item], label: str, total: int) -> Iterator[Item]:
    """Pass items through as `with_progress` does, where their number is known."""
    done = 0

    def counting() -> Iterator[Item]:
        nonlocal done
        for item in items:
            done += 1
            yield item

    return with_progress(counting(), label, lambda: (done, total))


def with_progress(
    items: Iterable[Item], label: str, position: Callable[[], tuple[int, int | None]]
) -> Iterator[Item]:
    """Pass items through unchanged; draw a bar on a terminal once it takes a while.

    `position` says how much is done, and how much there is in all if that is known.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    started = time.monotonic()
    source = iter(items)
    for item in source:
        yield item
        if time.monotonic() - started > QUIET_SECONDS:
            break
    else:
        return
    with _bars() as progress:
        bar = progress.add_task(label, total=None)
        for number, item in enumerate(source):
            yield item
            if number % 200 == 0:
                done, total = position()
                progress.update(bar, completed=done, total=total)


@contextmanager
def counting(label: str) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how much is done of how much; draws as `with_progress` does."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    started = time.monotonic()
    with ExitStack() as drawn:
        progress: Progress | None = None

        def tell(done: int, total: int) -> None:
            nonlocal progress
            if progress is None and time.monotonic() - started > QUIET_SECONDS:
                progress = drawn.enter_context(_bars())
                progress.add_task(label)
            if progress is not None:
                progress.update(progress.task_ids[0], completed=done, total=total)

        yield tell


@contextmanager
def working(label: str) -> Iterator[None]:
    """Show on a terminal that something is going on, once it takes a while."""
    if not sys.stderr.isatty():
        yield
        return
    with ExitStack() as drawn:
        lock, is_over = Lock(), Event()

        def show() -> None:
            with lock:
                if not is_over.is_set():
                    drawn.enter_context(_bars(is_known=False)).add_task(label, total=None)

        timer = Timer(QUIET_SECONDS, show)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with lock:  # it may just be about to be shown
                is_over.set()


def _bars(*, is_known: bool = True) -> Progress:
    message = (TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn())
    columns = (TextColumn("{task.description}"), BarColumn(), *(message if is_known else ()))
    return Progress(*columns, console=Console(stderr=True), transient=True)
