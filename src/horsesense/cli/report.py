"""`horsesense report`: a kept run in any format, one table of it, or its figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from horsesense.cli.files import write_folder, write_whole
from horsesense.cli.kept_runs import read_profile
from horsesense.cli.output import Table, note, show_table, working
from horsesense.cli.report_files import (
    FOLDERS,
    FORMATS,
    TABLE_FORMATS,
    WIDTH,
    shown_width,
    why_no_figures,
)
from horsesense.cli.runs import opened_runs
from horsesense.errors import FileError, UnknownNameError

if TYPE_CHECKING:
    from horsesense.reports import ReportTable
    from horsesense.results import Results


@dataclass(frozen=True, slots=True)
class _Choices:
    """What the user asked for, the run aside."""

    formats: tuple[str, ...]
    table: str | None
    is_listing: bool
    figures: Path | None
    output: Path | None
    force: bool

    @property
    def shown(self) -> tuple[str, ...]:
        """The formats, each once; text if nothing else is asked for."""
        default = () if self.figures and not self.output else ("text",)
        return tuple(dict.fromkeys(self.formats)) or default

    @property
    def is_folder(self) -> bool:
        """Whether several files are asked for."""
        return len(self.shown) > 1 or any(one in FOLDERS for one in self.shown)


@click.command("report")
@click.argument("run", required=False)
@click.option(
    "--format",
    "formats",
    type=click.Choice(FORMATS),
    multiple=True,
    help="May be repeated. [text]",
)
@click.option(
    "--table", metavar="NAME", help="One table only, or all whose names begin so, as «accuracy»."
)
@click.option("--tables", "is_listing", is_flag=True, help="List the tables, and stop.")
@click.option(
    "--figures",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write every figure to this folder, as SVG and PNG.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A file, or for several a folder. [the standard output]",
)
@click.option(
    "--from", "source", metavar="FILE", help="A results.json, instead of a run of the store."
)
@click.option("--force", is_flag=True, help="Overwrite what is there.")
@click.pass_obj
def report_command(path: Path, /, run: str | None, source: str | None, **options: Any) -> None:
    """Write the report of a run that is kept: RUN is its id, or without one the latest.

    The formats csv, parquet and lm-eval are several files, and so are several formats: these want
    a folder with --output.

    Example:

    \b
        horsesense report --format latex --table accuracy
        horsesense report --format html --output report.html --figures figures
    """
    choices = _Choices(**options)
    _check(choices)
    if run is not None and source is not None:
        raise click.UsageError(f"{run} or {source}? A run is kept in the store or in a file")
    if source is not None:
        _report(read_profile(source), choices)
        return
    from horsesense.store.runs import LATEST, load_run

    # What a run keeps of single answers is read when a format needs it.
    with opened_runs(path) as store:
        _report(load_run(store, LATEST if run is None else run), choices)


def _check(choices: _Choices) -> None:
    """Refuse at once what cannot be done."""
    if choices.table and (choices.is_folder or choices.shown[0] not in TABLE_FORMATS):
        raise click.UsageError(f"a table is written in one of {', '.join(TABLE_FORMATS)}")
    if choices.is_folder and choices.output is None:
        names = ", ".join(choices.shown)
        raise click.UsageError(f"{names}: that is several files; --output says to which folder")
    if choices.figures is not None and (missing := why_no_figures()):
        raise FileError(missing)
    if choices.output is None or choices.force:
        return
    if not choices.is_folder and choices.output.exists() and choices.output.is_file():
        raise FileError(f"{choices.output} is there already; --force overwrites it")


def _report(profile: Results, choices: _Choices) -> None:
    from horsesense.reports.writing import figure_files, report_files

    if choices.is_listing:
        _list_tables(profile)
        return
    if "html" in choices.shown and (missing := why_no_figures()):
        note(f"the page has no figures: {missing}")
    if choices.figures is not None:
        with working("drawing"):
            write_folder(choices.figures, figure_files(profile), overwrite=choices.force)
        note(f"figures: {choices.figures}")
    if choices.is_folder and choices.output is not None:
        with working("writing"):
            files = report_files(profile, choices.shown)
            write_folder(choices.output, files, overwrite=choices.force)
        note(f"written: {choices.output}")
    elif choices.shown:
        _write_one(profile, choices)


def _write_one(profile: Results, choices: _Choices) -> None:
    from horsesense.reports.writing import report_text, table_text

    (format,) = choices.shown
    width = WIDTH if choices.output else shown_width()
    if choices.table:
        found = _tables(profile, choices.table)
        written = "\n\n".join(
            table_text(one, format, width=width).removesuffix("\n") for one in found
        )
    else:
        with working("writing"):
            written = report_text(profile, format, width=width)
    written = written.removesuffix("\n") + "\n"
    if choices.output is None:
        click.echo(written, nl=False)
    else:
        write_whole(choices.output, [written], overwrite=choices.force)
        note(f"written: {choices.output}")


def _list_tables(profile: Results) -> None:
    from horsesense.reports import tables

    rows = [(one.name, one.thesis or "–", one.title) for one in tables(profile)]
    show_table(Table(("name", "thesis", "title"), rows))


def _tables(profile: Results, name: str) -> list[ReportTable]:
    """The table of that name, or else all whose names begin with it."""
    from horsesense.reports import tables

    every = tables(profile)
    found = [one for one in every if one.name == name] or [
        one for one in every if one.name.startswith(f"{name}-")
    ]
    if found:
        return found
    near = get_close_matches(name, _beginnings(one.name for one in every), n=3)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    remedy = f"{meant}'horsesense report --tables' lists them"
    raise UnknownNameError("table", name, (), remedy=remedy)


def _beginnings(names: Iterable[str]) -> list[str]:
    """All that tables can be asked for by, each once: `accuracy`, `accuracy-quay`, …."""
    parts = [one.split("-") for one in names]
    return list(
        dict.fromkeys("-".join(one[:end]) for one in parts for end in range(1, len(one) + 1))
    )
