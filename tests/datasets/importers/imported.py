"""Files of the tests' own making read in a format, and published files where they are at hand."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from horsesense.datasets.importers import FORMATS
from horsesense.datasets.importers.format import Format
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import TWINS, Journal
from horsesense.schema import Entry, Header, Issue, IssueKind, all_tags, problems
from horsesense.schema.notation import print_grid

DATA = Path(__file__).parents[3].parent / "shared" / "data"


@dataclass(frozen=True)
class Imported:
    """What became of a file; how its twins were found is told apart from the issues.

    `left_out` is the number of its problems that are in no entry.
    """

    entries: list[Entry]
    issues: list[Issue]
    twins: dict[str, str]
    left_out: int

    @property
    def grids(self) -> dict[str, str]:
        return {entry.id: print_grid(entry.grid) for entry in self.entries}

    @property
    def kinds(self) -> dict[str, int]:
        return dict(Counter(str(entry.grid.kind) for entry in self.entries))

    @property
    def told(self) -> dict[str, int]:
        """How often each issue was told of."""
        return dict(Counter(issue.name for issue in self.issues))

    @property
    def faults(self) -> list[tuple[int, str]]:
        return [(one.line, one.odd) for one in self.issues if one.kind is IssueKind.FAULT]

    @property
    def rights(self) -> dict[int | None, int]:
        """How often each position is that of the right option."""
        found = (one.right for entry in self.entries for one in problems(entry.grid))
        return dict(Counter(found))

    @property
    def tags(self) -> dict[str, int]:
        """How many entries have each tag, on all problems or on some."""
        return dict(Counter(tag for entry in self.entries for tag in all_tags(entry)))


def imported(
    form: Format, data: str | bytes, *companions: SourceFile, switched_off: tuple[str, ...] = ()
) -> Imported:
    """The file read to the end, faults and all."""
    raw = data.encode() if isinstance(data, str) else data
    journal = Journal(switched_off)
    reading = FileImport(
        SourceFile("own", raw), form, Header("x"), journal, companions, keep_going=True
    )
    entries = list(reading)
    twins = {one.name: one.odd for one in reading.issues() if one.name in TWINS}
    return Imported(entries, issues_of(reading), twins, journal.left_out)


@cache
def imported_file(name: str, path: str) -> Imported:
    """A published file, read once for all tests in the format of that name."""
    return imported(FORMATS[name], published(path).data)


def issues_of(reading: FileImport) -> list[Issue]:
    """What was odd about a file, without how its twins were found, which every import tells."""
    return [one for one in reading.issues() if one.name not in TWINS]


def published(path: str) -> SourceFile:
    """A published file; the test is skipped where it is not at hand."""
    file = DATA / path
    if not file.exists():
        pytest.skip(f"{path} is not at hand")
    return SourceFile(path, file.read_bytes())


def published_files() -> list[Path]:
    """All published files."""
    if not DATA.exists():
        pytest.skip("no published files are at hand")
    return sorted(path for path in DATA.rglob("*") if path.is_file())


def claimed(form: Format) -> set[str]:
    """The published files that look like the format."""
    return {
        str(path.relative_to(DATA))
        for path in published_files()
        if form.looks_like(SourceFile(path.name, path.read_bytes()))
    }
