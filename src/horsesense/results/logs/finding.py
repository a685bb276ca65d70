"""Which files of a folder are logs, by their names, and our own by their first line.

A folder is searched as deep as the programs write, counted from what they were told to write into:
lm-evaluation-harness has a folder for each model, lighteval has `details/ORGANIZATION/MODEL/DATE`,
inspect has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError
from horsesense.results.logs import own_scores

# How many folders lie between.
_DEPTHS = {
    "samples_*.jsonl": 1,
    "samples_*.jsonl.gz": 1,
    "details_*.parquet": 4,
    "*.eval": 1,
}
_OURS = "*.jsonl"
_FIRST_BYTES = 20_000


def logs_in(folder: Path) -> list[Path]:
    """The logs of a folder; there must be one."""
    found = {path for pattern, depth in _DEPTHS.items() for path in _files(folder, pattern, depth)}
    found |= {path for path in _files(folder, _OURS, 1) if _is_ours(path)}
    if not found:
        raise FileError(
            f"{folder}: no log in this folder: none of {', '.join(_DEPTHS)}, and no {_OURS} of "
            "`horsesense score --output`; any other file is to be named itself"
        )
    return sorted(found)


def bytes_of(path: Path, most: int = -1) -> bytes:
    """What the file holds, or the first bytes of it."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error


def _files(folder: Path, pattern: str, depth: int) -> Iterator[Path]:
    """The files of this kind in a folder and in those below, so deep and no deeper."""
    for between in range(depth + 1):
        yield from (path for path in folder.glob("*/" * between + pattern) if path.is_file())


def _is_ours(path: Path) -> bool:
    return own_scores.looks_like(SourceFile(str(path), bytes_of(path, _FIRST_BYTES)))
