"""What an evaluation found, and ways to look at it: words, frames, tables, figures, files."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from horsesense.errors import FileError, HorsesenseError, UnknownNameError
from horsesense.results import Results

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

    from horsesense.reports import DrawnFigure, Report, ReportTable

# Of what no single file has all.
_SEVERAL = (".csv", ".parquet")


@dataclass(frozen=True, repr=False)
class Evaluated:
    """What an evaluation found: a profile, and ways to look at it."""

    profile: Results

    @cached_property
    def report(self) -> Report:
        """The report, built once."""
        from horsesense.reports import build_report

        return build_report(self.profile)

    @property
    def summary(self) -> str:
        """What was found, in words."""
        from horsesense.reports import text_summary

        return text_summary(self.report)

    def estimates(self) -> pandas.DataFrame:
        """Every number with its interval: a row for each."""
        return self.profile.estimates.to_pandas()

    def measurements(self) -> pandas.DataFrame:
        """The same, under the name of the release before."""
        warnings.warn("measurements() is now estimates()", DeprecationWarning, stacklevel=2)
        return self.estimates()

    def answers(self) -> pandas.DataFrame:
        """What was answered to each problem, by each model and each method."""
        return self.profile.answers.to_pandas()

    def problems(self) -> pandas.DataFrame:
        """The problems as they were posed, in every variant."""
        return self.profile.problems.to_pandas()

    def tokens(self, entry: str, number: int = 1, dataset: str | None = None) -> pandas.DataFrame:
        """A problem of the original token by token: what each costs, for each option.

        The dataset must be named only where several have such an entry.
        """
        told = [one for one in self.profile.tokens if dataset in (None, one.dataset)]
        numbers = {str(one.number) for one in told if one.entry == entry}
        if not numbers:
            where = "" if dataset is None else f" of {dataset}"
            known = {one.entry for one in told}
            raise UnknownNameError(f"entry{where} whose tokens were kept", entry, known)
        places = {one.dataset for one in told if (one.entry, one.number) == (entry, number)}
        if not places:
            raise UnknownNameError(f"problem of the entry {entry}", str(number), numbers)
        if len(places) > 1:
            listed = " and ".join(sorted(places))
            raise HorsesenseError(f"{entry} is an entry of {listed}; say which: dataset=…")
        return self.profile.token_table(places.pop(), entry, number).to_pandas()

    def tables(self) -> tuple[ReportTable, ...]:
        """The tables of the report."""
        return self.report.tables

    def figures(self) -> tuple[DrawnFigure, ...]:
        """The figures of the report."""
        return self.report.figures

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it by its suffix: .html, .md, .tex, .txt or .json; a folder without one.

        A folder has what `horsesense run` writes for readers, and all rows as CSV. What is there
        under that name is overwritten. Without matplotlib a page has no figures, which is warned
        of and stands in the page.
        """
        if not fspath(path):
            raise FileError("no name is given; name a file such as report.html, or a folder")
        target = Path(path)
        try:
            if target.suffix:
                target.write_text(self._written(target.suffix.lower()), encoding="utf-8")
            else:
                self._save_folder(target)
        except OSError as error:
            raise FileError(f"{target} cannot be written: {error.strerror}") from error
        if target.suffix.lower() in ("", ".html"):
            _warn_of_no_figures(target)
        return target

    def _written(self, suffix: str) -> str:
        from horsesense.reports.writing import TEXTS, report_text

        formats = {Path(name).suffix: format for format, name in TEXTS.items()}
        if suffix in _SEVERAL:
            raise FileError(f"{suffix} is several files: give a folder, a name without a suffix")
        if suffix not in formats:
            raise UnknownNameError("suffix", suffix, formats)
        return report_text(self.report, formats[suffix])

    def _save_folder(self, folder: Path) -> None:
        from horsesense.reports.data_files import csv_files
        from horsesense.reports.writing import readable_files

        folder.mkdir(parents=True, exist_ok=True)
        for name, content in chain(readable_files(self.report), csv_files(self.profile)):
            (folder / name).write_bytes(content)

    def __repr__(self) -> str:
        """What was evaluated on what."""
        models = ", ".join(one.name for one in self.profile.evaluated)
        return f"<Evaluated {models} on {', '.join(one.name for one in self.profile.datasets)}>"

    def _repr_html_(self) -> str:
        """All at a glance, for notebooks."""
        from horsesense.reports.page import glance_html

        return glance_html(self.report)


def _warn_of_no_figures(target: Path) -> None:
    from horsesense.reports.figures import why_none

    if missing := why_none():
        warnings.warn(f"the page in {target} has no figures: {missing}", stacklevel=3)
