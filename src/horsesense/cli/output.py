"""Print tables, JSON, messages and progress bars.

Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from itertools import islice
from pathlib import Path
from threading import Event, Lock, Timer
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.spinner import Spinner
from rich.table import Table as RichTable
from rich.text import Text

from horsesense.cli.layout import GAP, TextTable, fit_table, wrap_text
from horsesense.registry import Registry

Item = TypeVar("Item")
# Wide enough for any line: output that is piped into a file must not be cut or wrapped.
_UNBOUNDED = 100_000
# The least width at which a table is readable.
_NARROWEST = 40
# Show a progress bar only after this time.
QUIET_SECONDS = 1.0
# The width of reports: the same as in horsesense.reports.text, which is slow to import.
WIDTH = 100

# The formats of files by the ends of their names.
_FORMATS = {
    ".csv": "csv",
    ".htm": "html",
    ".html": "html",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".txt": "text",
}

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def show_table(table: TextTable) -> None:
    """Print a table, fitted to the terminal, or at full width into a pipe."""
    if not sys.stdout.isatty():
        click.echo(_drawn(table, in_terminal=False))
        return
    click.echo("\n\n".join(_drawn(part, in_terminal=True) for part in fit_table(table, _columns())))


def show_text(text: str, *, lead: str = "", indent: int = 0) -> None:
    """Print text, wrapped at words in a terminal, and as it is into a pipe.

    The `lead` comes first, and lines after it are indented as far as it takes up space.
    """
    wrapped = wrap_text(text, _columns() - indent) if sys.stdout.isatty() else text
    click.echo(lead + wrapped.replace("\n", "\n" + " " * indent))


def _drawn(table: TextTable, *, in_terminal: bool) -> str:
    rich_table = RichTable(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    for column in table.columns:
        rich_table.add_column(column, no_wrap=True)
    for row in table.rows:
        rich_table.add_row(*row)
    buffer = StringIO()
    console = Console(
        file=buffer, width=_UNBOUNDED, force_terminal=in_terminal, highlight=False, markup=False
    )
    console.print(rich_table, soft_wrap=False)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())


def _columns() -> int:
    return max(shutil.get_terminal_size().columns, _NARROWEST)


def output_width() -> int:
    """Return the width for a report: that of the terminal, if there is one, up to `WIDTH`."""
    return min(_columns(), WIDTH) if sys.stdout.isatty() else WIDTH


# The marks and arrows in a summary, with their colours.
_COLOURS = {"✓": "green", "✗": "red", "?": "yellow", "↑": "green", "↓": "red"}
_MARK = re.compile(r"^[✓✗?](?= )|[↑↓](?= \()", re.MULTILINE)


def show_findings(text: str) -> None:
    """Print a summary, its headline in bold and its marks in colour on a terminal.

    As in other programs, NO_COLOR in the environment turns both off.
    """
    has_styles = False if os.environ.get("NO_COLOR") else None
    headline, blank, rest = text.partition("\n\n")
    while headline.startswith("WARNING"):
        click.echo(click.style(headline + blank, fg="red", bold=True), nl=False, color=has_styles)
        headline, blank, rest = rest.partition("\n\n")
    coloured = _MARK.sub(lambda mark: click.style(mark[0], fg=_COLOURS[mark[0]], bold=True), rest)
    click.echo(click.style(headline, bold=True) + blank + coloured, nl=False, color=has_styles)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, in the plural where needed.

    >>> counted(1, "error"), counted(2, "entry", "entries")
    ('1 error', '2 entries')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def to_the_minute(moment: str) -> str:
    """Shorten a date and time for a list.

    >>> to_the_minute("2026-01-31T12:30:59+00:00")
    '2026-01-31 12:30'
    """
    return moment[:16].replace("T", " ")


def show_json(value: Any) -> None:
    """Print a value as indented JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def note(text: str) -> None:
    """Print a message to stderr, wrapped in a terminal unless it names a command to copy."""
    is_wrapped = sys.stderr.isatty() and "horsesense " not in text
    click.echo(wrap_text(text, _columns()) if is_wrapped else text, err=True)


def warn_of_plugins(*registries: Registry[Any]) -> None:
    """Warn of plug-ins that failed to load."""
    for registry in registries:
        for failure in registry.failures:
            note(f"warning: {failure}")


def with_count(items: Iterable[Item], label: str, total: int) -> Iterator[Item]:
    """Pass items through with a progress bar, given their number; see `with_progress`."""
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
    """Pass items through, and draw a progress bar on a terminal if it takes a while.

    `position` returns how much is done, and the total if it is known.
    """
    with counting(label) as report:
        for number, item in enumerate(items):
            yield item
            if number % 200 == 0:
                report(*position())


def with_spinner(items: Iterable[Item], label: str) -> Iterator[Item]:
    """Pass items through, and show on a terminal that the next one takes a while."""
    source = iter(items)
    while True:
        with working(label):
            following = list(islice(source, 1))
        if not following:
            return
        yield following[0]


@contextmanager
def counting(label: str) -> Iterator[Callable[[int, int | None], None]]:
    """Provide a function `report(done, total)` that draws a bar, as `with_progress` does.

    The bar appears after a while even if nothing was reported yet.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    done, total = 0, None
    bars = _bars()

    def start() -> None:
        bars.start()
        bars.add_task(label, completed=done, total=total)

    def report(now: int, of: int | None) -> None:
        nonlocal done, total
        done, total = now, of or None
        for task in bars.task_ids:
            bars.update(task, completed=done, total=total)

    with after_a_while(start, bars.stop):
        yield report


@contextmanager
def working(label: str) -> Iterator[None]:
    """Show on a terminal that work is in progress, if it takes a while."""
    if not sys.stderr.isatty():
        yield
        return
    console = Console(stderr=True)
    # Results that are printed meanwhile must still go to stdout.
    status = Live(
        Spinner("dots", Text(f"{label} …")),
        console=console,
        refresh_per_second=12,
        transient=True,
        redirect_stdout=False,
    )
    with after_a_while(status.start, status.stop):
        yield


@contextmanager
def after_a_while(start: Callable[[], None], stop: Callable[[], None]) -> Iterator[None]:
    """Start something if the work takes longer than `QUIET_SECONDS`; stop it at the end."""
    lock, is_over, has_started = Lock(), Event(), Event()

    def start_once() -> None:
        with lock:
            if not is_over.is_set():
                has_started.set()
                start()

    timer = Timer(QUIET_SECONDS, start_once)
    timer.daemon = True
    if QUIET_SECONDS > 0:
        timer.start()
    else:
        start_once()
    try:
        yield
    finally:
        timer.cancel()
        with lock:  # it may be starting
            is_over.set()
            if has_started.is_set():
                stop()


def _bars() -> Progress:
    columns = (
        SpinnerColumn(style="default"),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)


def format_of_name(file: Path | None, formats: Collection[str]) -> str | None:
    """Return the one of the formats that the name of a file ends in, as `table.tex` in LaTeX."""
    format = _FORMATS.get(file.suffix.lower()) if file else None
    return format if format in formats else None
