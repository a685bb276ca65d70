"""Write a report in any of its formats: as one text, or as the files of a folder."""

from __future__ import annotations

import csv
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from decimal import Decimal
from html import escape
from io import StringIO
from itertools import chain, product
from os import PathLike, fspath
from pathlib import Path

from horsesense.errors import FileError, HorsesenseError, UnknownNameError
from horsesense.reports.latex import latex, latex_table
from horsesense.reports.markdown import markdown, markdown_table
from horsesense.reports.report import Report, build_report
from horsesense.reports.summary import summary_json
from horsesense.reports.table import Align, ReportTable
from horsesense.reports.text import WIDTH, text, text_summary, text_table
from horsesense.reports.wording import UNDEFINED
from horsesense.results import Results


def csv_files(results: Results) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file: estimates.csv, answers.csv, …."""
    for table in results.tables():
        yield f"{table.name}.csv", table.to_csv().encode()


def estimates_csv(results: Results) -> bytes:
    """The content of estimates.csv alone, which is small beside that of all answers."""
    return results.estimates.to_csv().encode()


def parquet_files(results: Results) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file: estimates.parquet, answers.parquet, …."""
    for table in results.tables():
        yield f"{table.name}.parquet", table.to_parquet()


# Formats that are one text, and the name of its file in a folder.
TEXTS = {
    "text": "report.txt",
    "markdown": "report.md",
    "latex": "report.tex",
    "html": "report.html",
    "json": "results.json",
}
# Formats that are several files, and their folder.
FOLDERS = {
    "csv": "csv",
    "parquet": "parquet",
    "lm-eval": "lm-eval",
    "every-eval-ever": "every-eval-ever",
    "hf-eval-results": "hf-eval-results",
}
FORMATS = (*TEXTS, *FOLDERS)
SUMMARY = "summary.txt"
_READABLE = ("html", "markdown", "latex")
# Formats of a single table.
TABLE_FORMATS = ("text", "markdown", "latex", "html", "csv", "json")


def report_text(
    report: Report, format: str, *, width: int = WIDTH, page_path: str | None = None
) -> str:
    """A report in a format that is one text; plain text has lines of at most that width.

    JSON begins with the verdict, the findings and the path of the page, if any.
    """
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

            # The results follow, so that the whole can be read again as a file of results.
            content = {**summary_json(report.summary, page_path), **to_document(report.results)}
            return json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n"
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
        case "html":
            return table_html(table)
        case "csv":
            return table_csv(table)
        case "json":
            return table_json(table)
    raise UnknownNameError("format of a table", format, TABLE_FORMATS)


# Numbers as tables show them, such as .605 and −.117.
_NUMBER = re.compile(r"[+−]?\d*\.\d+")


def table_html(table: ReportTable) -> str:
    """One table as a piece of HTML without styles, to be put into a page."""
    sides = ["left" if column.align is Align.LEFT else "right" for column in table.columns]

    def row(cells: Iterable[str], tag: str) -> str:
        pairs = zip(cells, sides, strict=True)
        return "".join(
            f'<{tag} style="text-align: {side}">{escape(cell)}</{tag}>' for cell, side in pairs
        )

    lines = ["<table>", f"<caption>{escape(table.title)}</caption>"]
    lines += [f"<thead><tr>{row((column.heading for column in table.columns), 'th')}</tr></thead>"]
    for group in table.groups:
        lines.append("<tbody>")
        if group.heading:
            lines.append(f'<tr><th colspan="{len(sides)}">{escape(group.heading)}</th></tr>')
        lines += [f"<tr>{row(cells, 'td')}</tr>" for cells in group.rows]
        lines.append("</tbody>")
    lines.append("</table>")
    return "\n".join([*lines, *(f"<p>{escape(note)}</p>" for note in table.notes)])


def table_csv(table: ReportTable) -> str:
    """One table as CSV, with the group of each row if rows are grouped.

    Numbers are written as other programs read them, and cells that repeat those above are filled.
    """
    is_grouped = any(group.heading for group in table.groups)
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*(["Group"] if is_grouped else []), *_headings(table)])
    for heading, row in _filled_rows(table):
        writer.writerow([*([heading] if is_grouped else []), *map(_plain, row)])
    return stream.getvalue()


def table_json(table: ReportTable) -> str:
    """One table as JSON, its rows as lists in the order of the columns; undefined is null."""
    content = {
        "name": table.name,
        "title": table.title,
        "columns": _headings(table),
        "rows": [
            {"group": heading, "cells": [_json_cell(cell) for cell in row]}
            for heading, row in _filled_rows(table)
        ],
        "notes": list(table.notes),
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _headings(table: ReportTable) -> list[str]:
    return [column.heading for column in table.columns]


def _filled_rows(table: ReportTable) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each row under the heading of its group; blank cells on the left repeat those above."""
    for group in table.groups:
        above: tuple[str, ...] = ()
        for row in group.rows:
            blank = 0
            while above and blank < len(row) and not row[blank]:
                blank += 1
            above = (*above[:blank], *row[blank:])
            yield group.heading, above


def _plain(cell: str) -> str:
    """Write a number of a table as other programs read it, and nothing for what is undefined.

    >>> _plain(".605"), _plain("−.117"), _plain("–"), _plain("by-key")
    ('0.605', '-0.117', '', 'by-key')
    """
    if cell == UNDEFINED:
        return ""
    return str(Decimal(cell.replace("−", "-"))) if _NUMBER.fullmatch(cell) else cell


def _json_cell(cell: str) -> float | str | None:
    plain = _plain(cell)
    if not plain:
        return None
    return float(plain) if _NUMBER.fullmatch(cell) else plain


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


def _several(results: Results, format: str) -> Iterable[tuple[str, bytes]]:
    match format:
        case "csv":
            return csv_files(results)
        case "parquet":
            return parquet_files(results)
        case "every-eval-ever":
            from horsesense.reports.every_eval_ever import every_eval_ever_files

            return every_eval_ever_files(results)
        case "hf-eval-results":
            from horsesense.reports.hf_eval_results import eval_results_files

            return eval_results_files(results)
        case _:
            return chain(_lm_eval_results(results), _lm_eval_samples(results))


def _lm_eval_results(profile: Results) -> Iterator[tuple[str, bytes]]:
    """The results file of each model, named as lm-evaluation-harness names it."""
    from horsesense.reports.lm_eval import lm_eval_results

    for model in profile.models:
        results = json.dumps(lm_eval_results(profile, model.name), ensure_ascii=False, indent=2)
        yield _harness_name(profile, model.name, "results", "json"), results.encode()


def _lm_eval_samples(results: Results) -> Iterator[tuple[str, bytes]]:
    """The samples file of each model and task."""
    from horsesense.reports.lm_eval import lm_eval_samples, task_name

    for model, variant in product(results.models, results.variants):
        samples = lm_eval_samples(results, model.name, variant.dataset, variant.name)
        lines = [json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples]
        if lines:
            what = f"samples_{task_name(variant.dataset, variant.name)}"
            yield _harness_name(results, model.name, what, "jsonl"), "".join(lines).encode()


def _harness_name(results: Results, model: str, what: str, suffix: str) -> str:
    from horsesense.reports.lm_eval import file_name

    date = results.record.finished_at.replace(":", "-")
    return f"{file_name(model)}/{file_name(what)}_{date}.{suffix}"


# Formats that no single file holds.
_SEVERAL = (".csv", ".parquet")
_NUMBERS = "estimates.csv"


def write_report(
    results: Results, path: str | PathLike[str], *, formats: Iterable[str] = ()
) -> Path:
    """Write the report of results, and return where it is.

    A path with a suffix is one file: .html, .md, .tex, .txt or .json. A path without one is a
    folder. It gets the `formats` that are named (text, markdown, latex, html, json, csv, parquet,
    lm-eval, every-eval-ever, hf-eval-results), or else what `horsesense run` writes, with all rows
    as CSV. Existing files of the same names are overwritten.

    Without matplotlib the page has no figures; a warning says so, and the page does too.

    Raises `FileError` if the file or folder cannot be written, and `UnknownNameError` for an
    unknown suffix or format.

        from horsesense.reports import write_report

        write_report(results, "report.html")
        write_report(results, "tables", formats=["csv", "latex"])
    """
    if not fspath(path):
        raise FileError("the path is empty; give a file such as report.html, or a folder")
    target, chosen = Path(path), tuple(formats)
    if target.suffix and chosen:
        raise FileError(
            f"{target} names a single file, but formats need a folder: leave out the suffix"
        )
    report = build_report(results)
    try:
        if target.suffix:
            target.write_text(_text(report, target.suffix.lower()), encoding="utf-8")
        else:
            _write_folder(target, _files(report, chosen))
    except OSError as error:
        raise FileError(f"{target} cannot be written: {error.strerror}") from error
    if target.suffix.lower() == ".html" or (not target.suffix and "html" in (chosen or FORMATS)):
        _warn_without_figures(target)
    return target


def run_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """Make the files that `horsesense run` writes: what people read, and all estimates as CSV."""
    yield from readable_files(report)
    yield _NUMBERS, estimates_csv(report.results)


def _text(report: Report, suffix: str) -> str:
    formats = {Path(name).suffix: format for format, name in TEXTS.items()}
    if suffix in _SEVERAL:
        raise FileError(
            f"{suffix} needs several files: give a folder, that is, a name without a suffix"
        )
    if suffix not in formats:
        raise UnknownNameError("suffix", suffix, formats)
    return report_text(report, formats[suffix])


def _files(report: Report, formats: tuple[str, ...]) -> Iterable[tuple[str, bytes]]:
    if formats:
        return report_files(report, formats)
    return chain(readable_files(report), csv_files(report.results))


def _write_folder(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    for name, content in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _warn_without_figures(target: Path) -> None:
    from horsesense.reports.figures import missing_figures_reason

    if missing := missing_figures_reason():
        warnings.warn(f"the page in {target} has no figures: {missing}", stacklevel=3)
