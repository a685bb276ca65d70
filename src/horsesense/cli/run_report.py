"""Build and write the report at the end of a run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from horsesense.cli.output import output_width, working
from horsesense.evaluation.run_folder import PAGE, RunFiles, write_run
from horsesense.reports import build_report, text_summary
from horsesense.reports.figures import missing_figures_reason
from horsesense.reports.writing import report_text, run_files
from horsesense.results import Results


def write_report(
    results: Results, missing: Sequence[str], folder: Path, *, overwrite: bool, as_json: bool
) -> tuple[str, str]:
    """Write the report of a run to a folder.

    Return the text to print, and the reason why the page has no figures, if it has none.
    """
    with working("writing the report"):
        report = build_report(results)
        no_figures = missing_figures_reason()
        files = RunFiles(results.record, tuple(missing), partial(run_files, report), no_figures)
        write_run(folder, files, overwrite=overwrite)
    if as_json:
        return report_text(report, "json", page_path=str(folder / PAGE)), no_figures
    return text_summary(report, width=output_width()), no_figures
