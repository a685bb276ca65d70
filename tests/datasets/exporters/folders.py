"""Entries to export, and what comes out, for the tests beside this file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from horsesense.datasets.exporters import EXPORTS, Exported, FileExport, FolderExport
from horsesense.schema import Dataset, Entry, Header, Mode
from horsesense.schema.notation import parse_grid

LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"
OWLS = "{owls, voles} <do, do not> eat {voles, owls}"
LADLE = (
    "[The ladle] would not go into [the drawer] because "
    "<it = the ladle, the drawer> was too {long, short}."
)
SWIMMER = "a swimmer can <breathe, drown> {, under water}"
STORM = "After the storm the gardener tied up <the tomatoes*, the wheelbarrow, the hailstones>."
KEYS = "<The keys to the shed are lost.*, The keys to the shed is lost.>"
COOK = "[The cook] told [the waiter] that <? he = the cook, the waiter> was late."
BUS = (
    "The bus missed the train because <it = the bus*, the train> was late.\n"
    "& The train waited for the ferry because <it = the train, the ferry*> was late."
)
FULL_FIELDS: dict[str, Any] = {
    "tags": ("space", "size"),
    "note": "it sticks out",
    "flags": (("switchable", False), ("invertible", True)),
    "phrases": (("adjectival", ("the old tray", "the new tray")),),
    "extras": (("x-by", "Ida"), ("x-problems", "q7, q8")),
}


def entry(name: str, notation: str = LORRY, **fields: Any) -> Entry:
    return Entry(name, parse_grid(notation), **fields)


def dataset_of(
    *entries: Entry, header: Header | None = None, mode: Mode | None = None, **others: Any
) -> Dataset:
    return Dataset(header or Header("kitchen"), entries, mode=mode, **others)


def text_of(name: str, what: Dataset, report: Exported | None = None) -> str:
    """The text of a format that is one file."""
    export = EXPORTS[name]
    assert isinstance(export, FileExport)
    return "".join(export.pieces(what, report or Exported()))


def files_of(name: str, what: Dataset, report: Exported | None = None) -> dict[str, bytes]:
    """The files of a format that is a folder."""
    export = EXPORTS[name]
    assert isinstance(export, FolderExport)
    return dict(export.files(what, report or Exported()))


def write(folder: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def left_out(name: str, what: Dataset) -> dict[str, int]:
    """What a format could not hold."""
    report = Exported()
    export = EXPORTS[name]
    written = export.pieces if isinstance(export, FileExport) else export.files
    for _ in written(what, report):
        pass
    return dict(report.left_out)
