"""Write a report in any of its formats: as one text, or as the files of a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import TYPE_CHECKING

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.reports.latex import latex, latex_table
from horsesense.reports.markdown import markdown, markdown_table
from horsesense.reports.text import WIDTH, text, text_summary, text_table

if TYPE_CHECKING:
    from horsesense.reports.report import Report
    from horsesense.reports.table import ReportTable
    from horsesense.results import Results

# Formats that are one text, and the name of its file in a folder.
TEXTS = {
    "text": "report.txt",
    "markdown": "report.md",
    "latex": "report.tex",
    "html": "report.html",
    "json": "results.json",
}
# Formats that are several files, and their folder.
FOLDERS = {"csv": "csv", "parquet": "parquet", "lm-eval": "lm-eval"}
FORMATS = (*TEXTS, *FOLDERS)
SUMMARY = "summary.txt"
_READABLE = ("html", "markdown", "latex")
# Formats of a single table.
TABLE_FORMATS = ("text", "markdown", "latex")
# Characters that the harness keeps out of file names.
_UNFIT = re.compile(r'["<>:/|\\?*\[\]]+')


def report_text(report: Report, format: str, *, width: int = WIDTH) -> str:
    """A report in a format that is one text; plain text has lines of at most that width."""
    match format:
        case "text":
            return text(report, width=width, all_tables=True)
        case "markdown":
            return markdown(report)
        case "latex":
            return latex(report)
        case "html":
            from horsesense.reports.page import page

            return page(report)
        case "json":
            from horsesense.results.document import to_document

            return (
                json.dumps(to_document(report.results), ensure_ascii=False, allow_nan=False) + "\n"
            )
    raise UnknownNameError("format of one text", format, TEXTS)


def table_text(table: ReportTable, format: str, *, width: int = WIDTH) -> str:
    """One table of a report in one of the formats that have tables alone."""
    match format:
        case "text":
            return text_table(table, width=width)
        case "markdown":
            return markdown_table(table)
        case "latex":
            return latex_table(table)
    raise UnknownNameError("format of a table", format, TABLE_FORMATS)


def report_files(report: Report, formats: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """The files of a report in these formats, with their names in a folder."""
    for format in formats:
        if format in FOLDERS:
            for name, data in _several(report.results, format):
                yield f"{FOLDERS[format]}/{name}", data
        elif format in TEXTS:
            yield TEXTS[format], report_text(report, format).encode()
        else:
            raise UnknownNameError("format", format, FORMATS)


def readable_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """The files that people read: the summary, the page, and tables to paste."""
    yield SUMMARY, text_summary(report).encode()
    yield from report_files(report, _READABLE)


def figure_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """Every figure as SVG and as PNG, or a text that says why a plug-in did not draw it."""
    for figure in report.figures:
        try:
            svg, png = figure.svg(), figure.png()
        except HorsesenseError as error:
            yield f"{figure.name}.txt", f"This figure is missing: {error}\n".encode()
            continue
        yield f"{figure.name}.svg", svg.encode()
        yield f"{figure.name}.png", png


def _several(profile: Results, format: str) -> Iterable[tuple[str, bytes]]:
    from horsesense.reports.data_files import csv_files, parquet_files

    match format:
        case "csv":
            return csv_files(profile)
        case "parquet":
            return parquet_files(profile)
        case _:
            return chain(_lm_eval_results(profile), _lm_eval_samples(profile))


def _lm_eval_results(profile: Results) -> Iterator[tuple[str, bytes]]:
    """The results file of each model, named as lm-evaluation-harness names it."""
    from horsesense.reports.lm_eval import lm_eval_results

    for model in profile.models:
        results = json.dumps(lm_eval_results(profile, model.name), ensure_ascii=False, indent=2)
        yield _harness_name(profile, model.name, "results", "json"), results.encode()


def _lm_eval_samples(profile: Results) -> Iterator[tuple[str, bytes]]:
    """The samples file of each model and task."""
    from horsesense.reports.lm_eval import lm_eval_samples, task_name

    for model, form in product(profile.models, profile.variants):
        samples = lm_eval_samples(profile, model.name, form.dataset, form.name)
        lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in samples]
        if lines:
            what = f"samples_{task_name(form.dataset, form.name)}"
            yield _harness_name(profile, model.name, what, "jsonl"), "".join(lines).encode()


def _harness_name(profile: Results, model: str, what: str, suffix: str) -> str:
    date = profile.record.finished_at.replace(":", "-")
    folder, file = (_UNFIT.sub("__", one) for one in (model, what))
    return f"{folder}/{file}_{date}.{suffix}"
