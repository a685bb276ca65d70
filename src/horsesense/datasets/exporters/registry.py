"""Every format that datasets can be written in, by name: ours, and those that other packages add.

Another package adds one by an entry point of the group `horsesense.exporters`, whose value is a
`FileExport` or a `FolderExport`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from horsesense.datasets.exporters.exported import Exported
from horsesense.datasets.exporters.hugging_face import hugging_face
from horsesense.datasets.exporters.lm_eval import lm_eval
from horsesense.datasets.exporters.table import csv_table, json_lines
from horsesense.datasets.exporters.thesis_text import thesis_text
from horsesense.datasets.exporters.winogrande import winogrande
from horsesense.registry import Registry, blame_each
from horsesense.schema import Dataset, Entry, Mode
from horsesense.schema.notation import print_file

ALL_MODES = tuple(Mode)


@dataclass(frozen=True, slots=True)
class FileExport:
    """A format of one text file: `pieces` gives its text, bit by bit.

    A format without modes holds whole grids, whatever is guessed.
    """

    name: str
    about: str
    suffix: str
    modes: tuple[Mode, ...]
    pieces: Callable[[Dataset, Exported], Iterator[str]]


@dataclass(frozen=True, slots=True)
class FolderExport:
    """A format of several files: `files` gives the path of each in the folder, and its bytes."""

    name: str
    about: str
    modes: tuple[Mode, ...]
    files: Callable[[Dataset, Exported], Iterator[tuple[str, bytes]]]


Export: TypeAlias = FileExport | FolderExport


def notation(dataset: Dataset, report: Exported) -> Iterator[str]:
    """A schema file, which holds everything."""

    def counted() -> Iterator[Entry]:
        for entry in dataset:
            report.entries += 1
            yield entry

    return print_file(dataset.header, counted())


def _blaming(export: Export, source: str) -> Export:
    def failing(dataset: Dataset, _: Exported) -> str:
        return f"the format {export.name!r} of {source} fails on {dataset.name}"

    if isinstance(export, FileExport):
        return replace(export, pieces=blame_each(export.pieces, failing))
    return replace(export, files=blame_each(export.files, failing))


EXPORTS: Registry[Export] = Registry(
    "format", "horsesense.exporters", (FileExport, FolderExport), wrap=_blaming
)
EXPORTS.add(
    FileExport("notation", "a schema file with everything", ".schemas", (), notation),
    FileExport("csv", "a table of problems", ".csv", ALL_MODES, csv_table),
    FileExport("jsonl", "the same table as JSON lines", ".jsonl", ALL_MODES, json_lines),
    FileExport(
        "thesis-text",
        "the line format used in the files of Maler (2023)",
        ".txt",
        ALL_MODES,
        thesis_text,
    ),
    FileExport("winogrande", "WinoGrande's JSON lines", ".jsonl", ALL_MODES, winogrande),
    FolderExport(
        "hf",
        "a folder for Hugging Face datasets: Parquet and dataset card",
        ALL_MODES,
        hugging_face,
    ),
    FolderExport("lm-eval", "a folder of tasks for lm-evaluation-harness", ALL_MODES, lm_eval),
)


def find_export(name: str) -> Export:
    """The format of that name."""
    return EXPORTS[name]
