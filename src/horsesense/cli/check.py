"""`horsesense check`: what a run of another program says about a model, with a verdict."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click

from horsesense.cli.completing import complete_files
from horsesense.cli.metric import LogOptions, source_options
from horsesense.cli.options import ties_option
from horsesense.cli.output import (
    json_option,
    note,
    output_width,
    show_findings,
    show_json,
    working,
)
from horsesense.datasets.files import write_file
from horsesense.evaluation import check
from horsesense.reports import build_report, text, text_summary
from horsesense.reports.figures import missing_figures_reason
from horsesense.reports.summary import summary_json
from horsesense.reports.writing import report_text
from horsesense.results import Results

_WIDEST = 160


@click.command("check")
@click.argument("log", shell_complete=complete_files)
@click.option("--method", help="Metric in the log to judge by. [the first one]")
@click.option("--seed", "-s", type=click.IntRange(min=0), default=0, help="Random seed. [0]")
@click.option(
    "--resamples",
    type=click.IntRange(min=1, max=10_000_000),
    default=10_000,
    help="Number of bootstrap resamples. [10000]",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the report as an HTML page.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option("--all", "is_whole", is_flag=True, help="Show verdicts, caveats and all tables.")
@ties_option
@source_options
@json_option
def check_command(
    log: str,
    method: str | None,
    seed: int,
    resamples: int,
    output: Path | None,
    force: bool,
    is_whole: bool,
    ties: str,
    as_json: bool,
    **options: Any,
) -> None:
    """Check a run of another program, and give a verdict.

    Does the model really solve the problems, or does it prefer the same answer in both twins?
    LOG is a log of lm-evaluation-harness (samples_*.jsonl, written by --log_samples), lighteval
    or inspect, a folder of one run, or a table with the columns `schema` and `solved`. Twins are
    recognized by their ids, by their texts, or by --group-by or --consecutive. No model is needed.

    Example:

    \b
        horsesense check samples_winogrande_2026-05-01.jsonl
        horsesense check outputs/my-model --task winogrande --output report.html
    """
    source = LogOptions.pop_from(options)
    if output is not None and output.exists() and not force:
        raise click.UsageError(f"{output} already exists; use --force to overwrite it")
    with working(f"checking {log}"):
        results = check(
            log,
            task=source.task,
            method=method,
            group_by=source.group_by or "",
            consecutive=source.consecutive,
            resamples=resamples,
            seed=seed,
            ties=ties,
        )
        report = build_report(results)
    if as_json:
        show_json(_json(results, output))
    elif is_whole:
        width = min(shutil.get_terminal_size((output_width(), 0)).columns, _WIDEST)
        click.echo(text(report, width=width, all_tables=True), nl=False)
    else:
        show_findings(text_summary(report, width=output_width()))
        click.echo(f"\nmore: horsesense check {log} --all, horsesense metric compute {log}")
    for skipped in results.skipped:
        note(f"{skipped.where}: {skipped.reason}")
    if output is not None:
        if missing := missing_figures_reason():
            note(f"the page has no figures: {missing}")
        with working("writing the page"):
            write_file(output, [report_text(report, "html")], overwrite=force)
        note(f"page: {output}")


def _json(results: Results, page: Path | None) -> dict[str, Any]:
    summary = build_report(results).summary
    return {
        **summary_json(summary, None if page is None else str(page)),
        "notes": [skipped.reason for skipped in results.skipped],
        "caveats": list(summary.caveats),
    }
