"""Corrupt logs of other programs and our own: JSON lines, tables, Parquet, zip and gzip."""

from __future__ import annotations

import gzip
import json
import random
import struct
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.importers import as_parquet
from fuzz.spoiling import as_json, spoil_bytes, spoil_value
from horsesense.datasets.importers import SourceFile
from horsesense.errors import HorsesenseError
from horsesense.metrics import problem_accuracy, sample_of, schema_accuracy
from horsesense.results.logs import Logged, read_log_file
from tests.results.logs.logs import INSPECT, LIGHTEVAL, LM_EVAL, SCORED, rows_of, sample

LIMIT_SECONDS = 2.0
_TABLE = b"schema,problem,chosen,right,solved,tags\nowl,1,A,A,1,x\nowl,2,2,1,0,\nelk,1,,1,,y\n"
# How many rows to take from a log.
_ROWS = 4


class Good(NamedTuple):
    """A named log: its rows, its JSON object, or its bytes."""

    name: str
    content: Any


class Spoilt(NamedTuple):
    """A log, and how to read it."""

    name: str
    data: bytes
    group_by: str
    consecutive: bool


def prepare(folder: Path) -> list[Good]:
    """Return a few rows of a log of every program."""
    import pyarrow.parquet  # type: ignore[import-untyped]

    harness = [rows_of(path)[:_ROWS] for path in sorted(LM_EVAL.glob("*/samples_*.jsonl"))]
    details = [
        pyarrow.parquet.read_table(path).to_pylist()[:_ROWS]
        for path in sorted(LIGHTEVAL.glob("**/details_*.parquet"))
    ]
    inspect = json.loads(gzip.decompress((INSPECT / "mock/shore-two-epochs.json.gz").read_bytes()))
    inspect["samples"] = inspect["samples"][:_ROWS]
    solved = [{"schema": "owl", "problem": n, "solved": n % 2, "tags": ["x"]} for n in (1, 2)]
    bytes_of = {**sample(0, -1.5, -2.5), "metrics": ["acc", "acc_bytes", "acc_norm"]}
    bytes_of |= {"acc_bytes": 1.0, "acc_norm": 1.0}
    return [
        *(Good("samples_owls.jsonl", rows) for rows in harness),
        Good("samples_owls.jsonl", [bytes_of, sample(1, "-inf", -1.0, right=1)]),
        *(Good("details_owls.parquet", rows) for rows in details for _ in range(2)),
        *(Good("owls.eval", inspect), Good("owls.eval", inspect), Good("owls.json", inspect)),
        Good("scored.jsonl", rows_of(SCORED)[:_ROWS]),
        *(Good("owls.jsonl", solved), Good("owls.csv", _TABLE)),
        Good("owls.csv", _TABLE.replace(b",", b";")),
    ]


def spoil(rng: random.Random, good: list[Good]) -> Spoilt:
    """Put wrong values into a log, change its bytes, or both; sometimes compress it."""
    name, content = rng.choice(good)
    data = _written(rng, name, content)
    if isinstance(content, bytes) or rng.random() < 0.2:
        data = spoil_bytes(rng, data)
    if rng.random() < 0.1:
        data = gzip.compress(data, mtime=0)
        if rng.random() < 0.5:
            data = spoil_bytes(rng, data, most=3)
    group_by = rng.choice(["", "", "", "schema", "id", "doc.text", "x"])
    return Spoilt(name, data, group_by, not group_by and rng.random() < 0.1)


def attempt(spoilt: Spoilt, folder: Path) -> bool:
    """Read it, and count the solved problems; an error must name the file."""
    try:
        logs = read_log_file(
            SourceFile(spoilt.name, spoilt.data),
            group_by=spoilt.group_by,
            consecutive=spoilt.consecutive,
        )
    except HorsesenseError as error:
        if spoilt.name not in str(error) and "no document has a field" not in str(error):
            raise AssertionError(
                f"the message does not name the file: {str(error)[:200]}"
            ) from error
        if len(str(error)) > 3_000:
            raise AssertionError("the message is far too long") from error
        raise
    for log in logs:
        count(log)
    return True


def count(log: Logged) -> None:
    """Count the solved problems, as `metric compute` does; all texts must be printable."""
    answer_set = log.answer_set
    names = (name for answer in answer_set.answers for name in (answer.entry, *answer.options))
    "".join(
        (log.task, log.method, log.model, *answer_set.remarks, *answer_set.marks, *names)
    ).encode()
    try:
        sample_ = sample_of(answer_set)
    except HorsesenseError as error:
        str(error)
        return
    for metric in (problem_accuracy, schema_accuracy):
        metric(sample_)


def _written(rng: random.Random, name: str, content: Any) -> bytes:
    """Write the content as a file, with corrupted values if it has values."""
    if isinstance(content, bytes):
        return content
    spoilt = spoil_value(rng, content)
    if name.endswith(".parquet"):
        # A column has one type, so a wrong value must be in all of its rows.
        row = spoil_value(rng, rng.choice(content))
        rows = [row] if rng.random() < 0.7 else [row] * 2
        return as_parquet(rows) or as_parquet(content) or b""
    if name.endswith(".eval"):
        return _zipped(rng, spoilt if isinstance(spoilt, dict) else content)
    if name.endswith(".jsonl") and isinstance(spoilt, list):
        return b"".join(as_json(row) + b"\n" for row in spoilt)
    return as_json(spoilt)


def _zipped(rng: random.Random, log: dict[str, Any]) -> bytes:
    """Zip the log as inspect does, sometimes with false sizes."""
    stream = BytesIO()
    samples = log.get("samples")
    how = rng.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
    header = {name: value for name, value in log.items() if name != "samples"}
    members = {
        f"samples/{number}.json": as_json(row)
        for number, row in enumerate(samples if isinstance(samples, list) else [samples])
    }
    members["header.json"] = as_json(header if rng.random() < 0.95 else [header])
    with zipfile.ZipFile(stream, "w") as packed:
        for name, data_of in members.items():
            # ZipInfo has a fixed date; the current time would make the file differ between runs.
            packed.writestr(zipfile.ZipInfo(name), data_of, how)
    data = bytearray(stream.getvalue())
    if rng.random() < 0.3:
        _falsify(rng, data)
    return bytes(data)


def _falsify(rng: random.Random, data: bytearray) -> None:
    """Change a size, the method or the checksum in the directory of a zip."""
    at = data.find(b"PK\x01\x02")
    if at < 0:
        return
    field, size = rng.choice([(10, 2), (16, 4), (20, 4), (24, 4), (42, 4)])
    value = rng.choice([0, 1, 93, 255, 2**16 - 1, 2**31, 2**32 - 1]) % (1 << 8 * size)
    struct.pack_into("<H" if size == 2 else "<I", data, at + field, value)
    if field == 10:
        struct.pack_into("<H", data, 8, value)
