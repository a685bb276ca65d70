"""All that a profile holds as CSV and Parquet files, in full precision.

CSV is that of RFC 4180 in UTF-8, with a header; nothing stands for what is not known, and what is
no plain number or text is JSON. In Parquet lists are lists, and what has names is JSON.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from io import BytesIO, StringIO
from math import inf
from typing import Any, get_args, get_origin

from horsesense.errors import FileError
from horsesense.results import Plan, Profile
from horsesense.results.rows import FlatTable, flat_tables

MEASUREMENTS = "measurements"
# A number that is valid JSON and too large, for infinity, which is not.
_INFINITE = "1e999"
_encode = json.JSONEncoder(ensure_ascii=False).encode


def csv_files(profile: Profile) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file: measurements.csv, answers.csv, …."""
    for table in flat_tables(profile, _symbols()):
        yield f"{table.name}.csv", _csv(table)


def measurements_csv(profile: Profile) -> bytes:
    """The content of measurements.csv alone, which is small beside that of all answers."""
    return next(_csv(one) for one in flat_tables(profile, _symbols()) if one.name == MEASUREMENTS)


def parquet_files(profile: Profile) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file: measurements.parquet, answers.parquet, …."""
    arrow, writer = _pyarrow()
    for table in flat_tables(profile, _symbols()):
        kinds = {name: _arrow_type(arrow, hint) for name, hint in table.columns.items()}
        columns = list(zip(*table.rows, strict=True)) or [()] * len(kinds)
        arrays = [
            arrow.array(map(_json, column), arrow.string())
            if kind is None
            else arrow.array(column, kind)
            for column, kind in zip(columns, kinds.values(), strict=True)
        ]
        stream = BytesIO()
        writer.write_table(arrow.table(arrays, names=list(kinds)), stream)
        yield f"{table.name}.parquet", stream.getvalue()


def _symbols() -> dict[str, str]:
    from horsesense.metrics import METRICS  # with numpy, which takes its time

    return {name: metric.declared.symbol for name, metric in METRICS.items()}


def _csv(table: FlatTable) -> bytes:
    stream = StringIO()
    writer = csv.writer(stream)
    writer.writerow(table.columns)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return stream.getvalue().encode()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return float.__repr__(value)  # of numpy's, repr tells the kind too
    return value if isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    if isinstance(value, tuple):
        is_texts = all(isinstance(one, str) for one in value)
        return _json_of_texts(value) if is_texts else _json_of_tuple(value)
    return _encode(asdict(value) if isinstance(value, Plan) else value)


@lru_cache(maxsize=10_000)
def _json_of_texts(value: tuple[str, ...]) -> str:
    """Options and tags come again and again; numbers do not, and 1 would be taken for 1.0."""
    return _encode(value)


def _json_of_tuple(value: tuple[Any, ...]) -> str:
    is_infinite = any(one in (inf, -inf) for one in value)
    return _encode(value).replace("Infinity", _INFINITE) if is_infinite else _encode(value)


def _pyarrow() -> tuple[Any, Any]:
    """The packages `pyarrow` and `pyarrow.parquet`, which not everybody has."""
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        remedy = "pip install 'horsesense[parquet]'"
        raise FileError(f"a Parquet file cannot be written without pyarrow: {remedy}") from error
    return pyarrow, pyarrow.parquet


def _arrow_type(arrow: Any, hint: Any) -> Any:
    """The type of a column; none for what is written as JSON."""
    plain = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}
    arguments = get_args(hint)
    if get_origin(hint) is tuple:
        inner = _arrow_type(arrow, arguments[0]) if arguments[-1] is Ellipsis else None
        return None if inner is None else arrow.list_(inner)
    return plain.get(arguments[0] if arguments else hint)
