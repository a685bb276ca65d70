"""A profile in every format that a report has, as text or as files of a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import TYPE_CHECKING

from horsesense.errors import UnknownNameError
from horsesense.reports.latex import latex, latex_table
from horsesense.reports.markdown import markdown, markdown_table
from horsesense.reports.text import WIDTH, text, text_summary, text_table

if TYPE_CHECKING:
    from horsesense.reports.table import ReportTable
    from horsesense.results import Results

# Formats that are one text, and what its file is called in a folder.
TEXTS = {
    "text": "report.txt",
    "markdown": "report.md",
    "latex": "report.tex",
    "html": "report.html",
    "json": "results.json",
}
# Formats that are several files, and the folder that these go to.
FOLDERS = {"csv": "csv", "parquet": "parquet", "lm-eval": "lm-eval"}
FORMATS = (*TEXTS, *FOLDERS)
SUMMARY = "summary.txt"
_READABLE = ("html", "markdown", "latex")
# In what a single table may be written.
TABLE_FORMATS = ("text", "markdown", "latex")
# What the harness keeps out of names of files.
_UNFIT = re.compile(r'["<>:/|\\?*\[\]]+')


def report_text(profile: Results, format: str, *, width: int = WIDTH) -> str:
    """A profile in a format that is one text; plain text has lines of at most that width."""
    match format:
        case "text":
            return text(profile, width=width, all_tables=True)
        case "markdown":
            return markdown(profile)
        case "latex":
            return latex(profile)
        case "html":
            from horsesense.reports.figures import figures, why_none
            from horsesense.reports.page import page

            missing = why_none()
            drawn = () if missing else figures(profile)
            return page(profile, figures=drawn, no_figures=missing)
        case "json":
            from horsesense.results.document import to_document

            return json.dumps(to_document(profile), ensure_ascii=False, allow_nan=False) + "\n"
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


def report_files(profile: Results, formats: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """All files of a profile in these formats, by their names in a folder."""
    for format in formats:
        if format in FOLDERS:
            for name, data in _several(profile, format):
                yield f"{FOLDERS[format]}/{name}", data
        elif format in TEXTS:
            yield TEXTS[format], report_text(profile, format).encode()
        else:
            raise UnknownNameError("format", format, FORMATS)


def readable_files(profile: Results) -> Iterator[tuple[str, bytes]]:
    """What people read of a run: the summary, the page, and its tables to be pasted."""
    yield SUMMARY, text_summary(profile).encode()
    yield from report_files(profile, _READABLE)


def figure_files(profile: Results) -> Iterator[tuple[str, bytes]]:
    """Every figure of a profile, as SVG and as PNG."""
    from horsesense.reports.figures import figures

    for figure in figures(profile):
        yield f"{figure.name}.svg", figure.svg().encode()
        yield f"{figure.name}.png", figure.png()


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
    """What lm-evaluation-harness writes for each model, under its names."""
    from horsesense.reports.lm_eval import lm_eval_results

    for model in profile.models:
        results = json.dumps(lm_eval_results(profile, model.name), ensure_ascii=False, indent=2)
        yield _harness_name(profile, model.name, "results", "json"), results.encode()


def _lm_eval_samples(profile: Results) -> Iterator[tuple[str, bytes]]:
    """The same of what it logs of each model and task."""
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
