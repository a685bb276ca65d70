"""`horsesense report` and `horsesense profile`: write stored runs as files, tables and figures."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from horsesense.cli.completing import (
    complete_datasets,
    complete_files,
    complete_models,
    complete_runs,
)
from horsesense.cli.layout import TextTable
from horsesense.cli.output import (
    WIDTH,
    format_of_name,
    json_option,
    note,
    output_width,
    show_findings,
    show_json,
    show_table,
    working,
)
from horsesense.datasets.files import write_file, write_folder
from horsesense.errors import FileError, HorsesenseError, UnknownNameError
from horsesense.evaluation.run_folder import PAGE, default_folder
from horsesense.reports import Report, ReportTable, build_report, text, text_summary
from horsesense.reports.figures import missing_figures_reason
from horsesense.reports.summary import summary_json
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
from horsesense.store import LATEST, find_model, load_results, load_run, open_runs, read_results


@dataclass(frozen=True, slots=True)
class _ReportOptions:
    """The options of `report`, except for the run."""

    formats: tuple[str, ...]
    table: str | None
    is_listing: bool
    with_thesis: bool
    figures: Path | None
    output: Path | None
    force: bool

    @property
    def chosen_formats(self) -> tuple[str, ...]:
        """The requested formats, each once; by default that of the output's name, or text."""
        if self.formats or (self.figures and not self.output):
            return tuple(dict.fromkeys(self.formats))
        names = TABLE_FORMATS if self.table else set(FORMATS) - set(FOLDERS)
        return (format_of_name(self.output, names) or "text",)

    @property
    def is_folder(self) -> bool:
        """Whether the output consists of several files."""
        formats = self.chosen_formats
        if self.table is not None and len(formats) == 1:
            return False
        return len(formats) > 1 or any(format in FOLDERS for format in formats)


@click.command("report")
@click.argument(
    "run",
    required=False,
    shell_complete=complete_runs,
)
@click.option(
    "--format",
    "formats",
    type=click.Choice(FORMATS),
    multiple=True,
    metavar="FORMAT",
    help=f"Output format; repeatable: {', '.join(FORMATS)}. [by the name of --output, else text]",
)
@click.option(
    "--table",
    metavar="NAME",
    help=f"Write only this table, as {', '.join(TABLE_FORMATS)}; see --tables.",
)
@click.option("--tables", "is_listing", is_flag=True, help="List the tables, and exit.")
@click.option(
    "--thesis",
    "with_thesis",
    is_flag=True,
    help="With --tables, show which tables of Maler (2023) they correspond to.",
)
@click.option(
    "--figures",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder to write all figures to, as SVG and PNG.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="File to write to, or a folder if there are several files. [stdout]",
)
@click.option(
    "--from",
    "source",
    metavar="FILE",
    help="Use this results.json instead of a stored run.",
    shell_complete=complete_files,
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.pass_obj
def report_command(path: Path, /, run: str | None, source: str | None, **options: Any) -> None:
    """Write the report of a stored run, by default the latest.

    RUN is the id of a run. The formats csv, parquet, lm-eval, every-eval-ever and hf-eval-results
    consist of several files; for these, or for several formats, give a folder with --output.

    Example:

    \b
        horsesense report --format latex --table finding
        horsesense report --output report.html --figures figures
    """
    choices = _ReportOptions(**options)
    _check(choices)
    if run is not None and source is not None:
        raise click.UsageError(f"use either {run} or --from {source}, not both")
    if source is not None:
        _report(read_results(source), choices)
        return
    # The answers of a run are loaded when a format needs them, so the store stays open.
    with open_runs(path) as store:
        _report(load_run(store, LATEST if run is None else run), choices)


def _check(choices: _ReportOptions) -> None:
    """Reject invalid options before the report is built."""
    if choices.table and (choices.is_folder or choices.chosen_formats[0] not in TABLE_FORMATS):
        raise click.UsageError(f"--table works with one of the formats {', '.join(TABLE_FORMATS)}")
    if not choices.formats and format_of_name(choices.output, ("csv",)) and not choices.table:
        raise click.UsageError("a CSV file has one table: choose it with --table (see --tables)")
    if choices.is_folder and choices.output is None:
        names = ", ".join(choices.chosen_formats)
        raise click.UsageError(f"{names}: several files; give a folder with --output")
    if choices.figures is not None and (missing := missing_figures_reason()):
        raise FileError(missing)
    if choices.output is None or choices.force:
        return
    if not choices.is_folder and choices.output.exists() and choices.output.is_file():
        raise FileError(f"{choices.output} already exists; use --force to overwrite it")


def _report(results: Results, choices: _ReportOptions) -> None:
    report = build_report(results)
    if choices.is_listing:
        _list_tables(report, with_thesis=choices.with_thesis)
        return
    if "html" in choices.chosen_formats and (missing := missing_figures_reason()):
        note(f"the page has no figures: {missing}")
    if choices.figures is not None:
        with working("drawing"):
            write_folder(choices.figures, figure_files(report), overwrite=choices.force)
        note(f"figures: {choices.figures}")
    if choices.is_folder and choices.output is not None:
        with working("writing"):
            files = report_files(report, choices.chosen_formats)
            write_folder(choices.output, files, overwrite=choices.force)
        note(f"written: {choices.output}")
    elif choices.chosen_formats:
        _write_file(report, choices)


def _write_file(report: Report, choices: _ReportOptions) -> None:
    (format,) = choices.chosen_formats
    width = WIDTH if choices.output else output_width()
    if choices.table:
        for warning in report.summary.warnings:
            note(f"warning: {warning}")
        content = table_text(find_table(report.tables, choices.table), format, width=width)
    else:
        with working("writing"):
            content = report_text(report, format, width=width)
    content = content.removesuffix("\n") + "\n"
    if choices.output is None:
        click.echo(content, nl=False)
    else:
        write_file(choices.output, [content], overwrite=choices.force)
        note(f"written: {choices.output}")


def _list_tables(report: Report, *, with_thesis: bool) -> None:
    """List the tables, with those of Maler (2023) whose layout they follow if `with_thesis`."""
    rows = [(table.name, table.title, table.thesis or "–") for table in report.tables]
    names = ("name", "title", "Maler (2023)")
    width = len(names) if with_thesis else len(names) - 1
    show_table(TextTable(names[:width], [row[:width] for row in rows]))


def find_table(tables: Sequence[ReportTable], name: str) -> ReportTable:
    """Return the table of that name, or else the only one whose name starts with it."""
    matches = [table for table in tables if table.name == name] or [
        table for table in tables if table.name.startswith(f"{name}-")
    ]
    if len(matches) > 1:
        candidates = ", ".join(table.name for table in matches)
        raise HorsesenseError(f"{name} stands for several tables; give one of them: {candidates}")
    if matches:
        return matches[0]
    known = [table.name for table in tables]
    similar = get_close_matches(name, _prefixes(known), n=3)
    similar = similar or [prefix for prefix in _prefixes(known) if prefix.startswith(name)][:3]
    suggestion = f"did you mean {' or '.join(similar)}? " if similar else ""
    remedy = f"{suggestion}the tables are {', '.join(known)}"
    raise UnknownNameError("table", name, (), remedy=remedy)


def _prefixes(names: Iterable[str]) -> list[str]:
    """Return everything that `--table` accepts: `accuracy`, `accuracy-quay`, …."""
    parts = [name.split("-") for name in names]
    return list(
        dict.fromkeys("-".join(part[:end]) for part in parts for end in range(1, len(part) + 1))
    )


# The greatest width that is still easy to read.
_WIDEST = 160
_IN_A_PIPE = 100


@click.command("profile")
@click.argument("model", required=False, shell_complete=complete_models)
@click.option(
    "--run",
    "run_id",
    metavar="ID",
    help="Run to use. [the latest with the model]",
    shell_complete=complete_runs,
)
@click.option(
    "--data",
    "dataset",
    help="Show only this dataset. [all in the run]",
    shell_complete=complete_datasets,
)
@click.option("--all", "is_whole", is_flag=True, help="Show verdicts, caveats and all tables.")
@json_option
@click.pass_obj
def profile_command(
    path: Path,
    model: str | None,
    run_id: str | None,
    dataset: str | None,
    is_whole: bool,
    as_json: bool,
) -> None:
    """Summarize a model's results; --all shows everything.

    MODEL is a model that was evaluated with `horsesense run`; without it, the latest run is
    shown. With --all, verdicts with their evidence, caveats and all tables follow: accuracy by
    every scoring method and under perturbations, consistency, controls and dyads, next to the
    baselines.

    Example:

    \b
        horsesense profile
        horsesense profile smollm2-135m --data hs-winograd --all
    """
    with open_runs(path) as store:
        results = load_results(store, model=model, run=run_id)
        if model is not None or dataset is not None:
            name = find_model(results, model).name
            results = select_model(results, name, dataset)
        if as_json:
            show_json(_json(results, is_whole=is_whole))
        else:
            _show(results, is_whole=is_whole)


def _show(results: Results, *, is_whole: bool) -> None:
    width = min(shutil.get_terminal_size((_IN_A_PIPE, 0)).columns, _WIDEST)
    report = build_report(results)
    if is_whole:
        click.echo(text(report, width=width, all_tables=True), nl=False)
        return
    show_findings(text_summary(report, width=width))
    note(f"{len(report.tables)} tables and {len(report.summary.caveats)} caveats: use --all")


def _json(results: Results, *, is_whole: bool) -> dict[str, Any]:
    model, report = results.models[0], build_report(results)
    page = default_folder(results.record) / PAGE
    return {
        **summary_json(report.summary, str(page) if page.exists() else None),
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
