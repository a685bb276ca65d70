"""`horsesense report` and `horsesense profile`: kept runs as files, tables, figures and text."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from horsesense.cli.output import (
    WIDTH,
    Table,
    json_option,
    note,
    show_json,
    show_table,
    shown_width,
    working,
)
from horsesense.datasets.files import write_file, write_folder
from horsesense.errors import FileError, UnknownNameError
from horsesense.reports import Report, ReportTable, build_report, text
from horsesense.reports.figures import why_none
from horsesense.reports.writing import (
    FOLDERS,
    FORMATS,
    TABLE_FORMATS,
    figure_files,
    report_files,
    report_text,
    table_text,
)
from horsesense.results import Results, select_model
from horsesense.store import LATEST, load_results, load_run, open_runs, read_results


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
    help="Write this format; repeatable. [text]",
)
@click.option("--table", metavar="NAME", help="Show this table, or all whose names start with it.")
@click.option("--tables", "is_listing", is_flag=True, help="List the tables and stop.")
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
    help="Write to this file, or folder if there are several files. [stdout]",
)
@click.option(
    "--from", "source", metavar="FILE", help="Read a results.json instead of a run in the store."
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.pass_obj
def report_command(path: Path, /, run: str | None, source: str | None, **options: Any) -> None:
    """Write the report of a kept run: RUN is its id, by default the latest.

    The formats csv, parquet and lm-eval are several files, and so are several formats: name a
    folder for them with --output.

    Example:

    \b
        horsesense report --format latex --table accuracy
        horsesense report --format html --output report.html --figures figures
    """
    choices = _Choices(**options)
    _check(choices)
    if run is not None and source is not None:
        raise click.UsageError(f"give one of {run} and --from {source}, not both")
    if source is not None:
        _report(read_results(source), choices)
        return
    # What a run keeps of single answers is read when a format needs it.
    with open_runs(path) as store:
        _report(load_run(store, LATEST if run is None else run), choices)


def _check(choices: _Choices) -> None:
    """Refuse at once what cannot be done."""
    if choices.table and (choices.is_folder or choices.shown[0] not in TABLE_FORMATS):
        raise click.UsageError(f"a table is written in one of {', '.join(TABLE_FORMATS)}")
    if choices.is_folder and choices.output is None:
        names = ", ".join(choices.shown)
        raise click.UsageError(f"{names}: that is several files; --output says to which folder")
    if choices.figures is not None and (missing := why_none()):
        raise FileError(missing)
    if choices.output is None or choices.force:
        return
    if not choices.is_folder and choices.output.exists() and choices.output.is_file():
        raise FileError(f"{choices.output} already exists; --force overwrites it")


def _report(results: Results, choices: _Choices) -> None:
    report = build_report(results)
    if choices.is_listing:
        _list_tables(report)
        return
    if "html" in choices.shown and (missing := why_none()):
        note(f"the page has no figures: {missing}")
    if choices.figures is not None:
        with working("drawing"):
            write_folder(choices.figures, figure_files(report), overwrite=choices.force)
        note(f"figures: {choices.figures}")
    if choices.is_folder and choices.output is not None:
        with working("writing"):
            files = report_files(report, choices.shown)
            write_folder(choices.output, files, overwrite=choices.force)
        note(f"written: {choices.output}")
    elif choices.shown:
        _write_one(report, choices)


def _write_one(report: Report, choices: _Choices) -> None:
    (format,) = choices.shown
    width = WIDTH if choices.output else shown_width()
    if choices.table:
        found = _tables(report, choices.table)
        written = "\n\n".join(
            table_text(one, format, width=width).removesuffix("\n") for one in found
        )
    else:
        with working("writing"):
            written = report_text(report, format, width=width)
    written = written.removesuffix("\n") + "\n"
    if choices.output is None:
        click.echo(written, nl=False)
    else:
        write_file(choices.output, [written], overwrite=choices.force)
        note(f"written: {choices.output}")


def _list_tables(report: Report) -> None:
    rows = [(table.name, table.thesis or "–", table.title) for table in report.tables]
    show_table(Table(("name", "thesis", "title"), rows))


def _tables(report: Report, name: str) -> list[ReportTable]:
    """The table of that name, or else all whose names begin with it."""
    every = report.tables
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
    parts = [name.split("-") for name in names]
    return list(
        dict.fromkeys("-".join(part[:end]) for part in parts for end in range(1, len(part) + 1))
    )


# As wide as a slide, and no wider than what can be read.
_WIDEST = 160
_IN_A_PIPE = 100


@click.command("profile")
@click.argument("model")
@click.option("--run", "run_id", metavar="ID", help="Use this run. [the latest that has the model]")
@click.option("--data", "dataset", help="Show only this dataset. [all of the run]")
@click.option("--all", "is_whole", is_flag=True, help="Show all tables, not only the main ones.")
@json_option
@click.pass_obj
def profile_command(
    path: Path, model: str, run_id: str | None, dataset: str | None, is_whole: bool, as_json: bool
) -> None:
    """Show the performance profile of a model, in words and in tables.

    MODEL was evaluated by `horsesense run`. The tables show its accuracy by every scoring method
    and under perturbations, its consistency, the controls and the dyads, beside the baselines.

    Example:

    \b
        horsesense profile smollm2-135m --data hs-winograd
    """
    with open_runs(path) as store:
        results = select_model(load_results(store, model=model, run=run_id), model, dataset)
        if as_json:
            show_json(_json(results, is_whole=is_whole))
        else:
            _show(results, is_whole=is_whole)


def _show(results: Results, *, is_whole: bool) -> None:
    width = min(shutil.get_terminal_size((_IN_A_PIPE, 0)).columns, _WIDEST)
    report = build_report(results)
    click.echo(text(report, width=width, all_tables=is_whole), nl=False)
    others = sum(not table.is_main for table in report.tables)
    if others and not is_whole:
        note(f"these are the main tables; --all shows {others} more")


def _json(results: Results, *, is_whole: bool) -> dict[str, Any]:
    model, report = results.models[0], build_report(results)
    return {
        "run": results.record.id,
        "model": {**asdict(model), "standard": dict(model.standard)},
        "datasets": [asdict(dataset) for dataset in results.datasets],
        "headline": report.summary.headline,
        "verdicts": [asdict(verdict) for verdict in report.summary.verdicts],
        "caveats": list(report.summary.caveats),
        "estimates": [asdict(estimate) for estimate in results.estimates],
        "tables": [asdict(table) for table in report.tables if is_whole or table.is_main],
        "skipped": [asdict(skipped) for skipped in results.skipped],
    }
