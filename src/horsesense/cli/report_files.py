"""What the command line knows of reports: names of formats, the width, and the files of a run."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from horsesense.results import Results

# As in horsesense.reports.writing, which takes too long to be imported for a help.
FORMATS = ("text", "markdown", "latex", "html", "json", "csv", "parquet", "lm-eval")
FOLDERS = ("csv", "parquet", "lm-eval")
TABLE_FORMATS = ("text", "markdown", "latex")
WIDTH = 100
PAGE = "report.html"
# What is printed at the end of a run.
SUMMARY = "summary.txt"
_NUMBERS = "estimates.csv"
# In less a table cannot be read.
_NARROWEST = 40


def shown_width() -> int:
    """How wide lines may be: no wider than the terminal, if there is one."""
    if not sys.stdout.isatty():
        return WIDTH
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), WIDTH)


def why_no_figures() -> str:
    """Why no figure can be drawn here, and what to do about it; empty where figures can be."""
    from horsesense.reports.figures import why_none

    return why_none()


def run_files(profile: Results) -> Iterator[tuple[str, bytes]]:
    """The files that `horsesense run` writes: to be read, and all numbers, but not all answers."""
    from horsesense.reports.data_files import estimates_csv
    from horsesense.reports.writing import readable_files

    yield from readable_files(profile)
    yield _NUMBERS, estimates_csv(profile)
