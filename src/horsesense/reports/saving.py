"""Write the report of results to a file, or to a folder of files."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from horsesense.errors import FileError, UnknownNameError
from horsesense.reports.report import Report, build_report
from horsesense.reports.writing import FORMATS, TEXTS, readable_files, report_files, report_text

if TYPE_CHECKING:
    from horsesense.results import Results

# Formats that no single file holds.
_SEVERAL = (".csv", ".parquet")
_NUMBERS = "estimates.csv"


def write_report(
    results: Results, path: str | PathLike[str], *, formats: Iterable[str] = ()
) -> Path:
    """Write the report of results, and return where it is.

    A path with a suffix is one file: .html, .md, .tex, .txt or .json. A path without one is a
    folder. It gets the `formats` that are named (text, markdown, latex, html, json, csv, parquet,
    lm-eval), or else what `horsesense run` writes, with all rows as CSV. Existing files of the same
    names are overwritten.

    Without matplotlib the page has no figures; a warning says so, and the page does too.

    Raises `FileError` if the file or folder cannot be written, and `UnknownNameError` for an
    unknown suffix or format.

        from horsesense.reports import write_report

        write_report(results, "report.html")
        write_report(results, "tables", formats=["csv", "latex"])
    """
    if not fspath(path):
        raise FileError("the path is empty; name a file such as report.html, or a folder")
    target, chosen = Path(path), tuple(formats)
    if target.suffix and chosen:
        raise FileError(f"{target} is one file, and formats need a folder: leave out the suffix")
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
    from horsesense.reports.data_files import estimates_csv

    yield from readable_files(report)
    yield _NUMBERS, estimates_csv(report.results)


def _text(report: Report, suffix: str) -> str:
    formats = {Path(name).suffix: format for format, name in TEXTS.items()}
    if suffix in _SEVERAL:
        raise FileError(f"{suffix} is several files: give a folder, a name without a suffix")
    if suffix not in formats:
        raise UnknownNameError("suffix", suffix, formats)
    return report_text(report, formats[suffix])


def _files(report: Report, formats: tuple[str, ...]) -> Iterable[tuple[str, bytes]]:
    from horsesense.reports.data_files import csv_files

    if formats:
        return report_files(report, formats)
    return chain(readable_files(report), csv_files(report.results))


def _write_folder(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    for name, content in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _warn_without_figures(target: Path) -> None:
    from horsesense.reports.figures import why_none

    if missing := why_none():
        warnings.warn(f"the page in {target} has no figures: {missing}", stacklevel=3)
