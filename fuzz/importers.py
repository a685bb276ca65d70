"""Corrupt files of published datasets, for the importers: a small made-up file per format."""

from __future__ import annotations

import json
import random
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.notation import check_file_comes_back, use
from fuzz.spoiling import as_json, spoil_bytes, spoil_value
from horsesense.datasets.importers import FORMATS, SourceFile, open_import
from horsesense.schema import Header
from tests.datasets.importers.samples import SAMPLES

LIMIT_SECONDS = 2.0


class Spoilt(NamedTuple):
    """A file, and how to read it: with `format` None, the importer guesses the format."""

    name: str
    format: str | None
    keep_going: bool
    data: bytes


def prepare(folder: Path) -> dict[str, bytes]:
    """Return a file of every format."""
    if SAMPLES.keys() != FORMATS.keys():
        raise AssertionError(f"no sample of {', '.join(FORMATS.keys() - SAMPLES.keys())}")
    return {
        name: data.encode() if isinstance(data, str) else data for name, data in SAMPLES.items()
    }


def spoil(rng: random.Random, good: dict[str, bytes]) -> Spoilt:
    """Corrupt the bytes of a file, or the values of its rows if these are JSON."""
    format_ = rng.choice(sorted(good))
    data = good[format_]
    rows = _rows(format_, data)
    if rows is not None and rng.random() < 0.6:
        data = _with_values_spoilt(rng, rows, data)
    else:
        data = spoil_bytes(rng, data)
    requested = format_ if rng.random() < 0.6 else rng.choice([None, rng.choice(sorted(good))])
    return Spoilt(f"fuzz.{format_}", requested, rng.random() < 0.7, data)


def attempt(spoilt: Spoilt, folder: Path) -> bool:
    """Import it, and write the entries as a schema file; return whether nothing was left out."""
    file, header = SourceFile(spoilt.name, spoilt.data), Header("fuzz")
    reading = open_import(file, header, format_name=spoilt.format, keep_going=spoilt.keep_going)
    entries = list(reading)
    for entry in entries:
        use(entry)
    check_file_comes_back(header, entries)
    for issue in reading.issues():
        str(issue)
    return not reading.journal.faults


def _rows(format_: str, data: bytes) -> list[Any] | None:
    """Read the rows of JSON lines, of a JSON list or of Parquet; None for other formats."""
    if format_ == "table-parquet":
        import pyarrow.parquet  # type: ignore[import-untyped]

        listed: list[Any] = pyarrow.parquet.read_table(BytesIO(data)).to_pylist()
        return listed
    try:
        if data.lstrip().startswith(b"["):
            listed = json.loads(data)
            return listed
        return [json.loads(line) for line in data.splitlines()]
    except ValueError:
        return None


def _with_values_spoilt(rng: random.Random, rows: list[Any], data: bytes) -> bytes:
    spoilt = spoil_value(rng, rows)
    if data.startswith(b"PAR1"):
        return as_parquet(spoilt) or spoil_bytes(rng, data)
    if data.lstrip().startswith(b"[") or not isinstance(spoilt, list):
        return as_json(spoilt)
    return b"".join(as_json(row) + b"\n" for row in spoilt)


def as_parquet(rows: Any) -> bytes | None:
    """Write the rows as Parquet; None if that is impossible."""
    import pyarrow
    import pyarrow.parquet

    stream = BytesIO()
    try:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), stream)
    except Exception:  # the library may fail in any way
        return None
    return stream.getvalue()
