"""Tables of one's own, in each of their encodings."""

import json
from importlib import import_module
from io import BytesIO
from typing import Any

from tests.datasets.importers.imported import Imported


def table(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def json_lines(*rows: dict[str, Any]) -> str:
    return table(*map(json.dumps, rows))


def parquet(columns: dict[str, list[Any]]) -> bytes:
    stream = BytesIO()
    writer, arrow = import_module("pyarrow.parquet"), import_module("pyarrow")
    writer.write_table(arrow.table(columns), stream)
    return stream.getvalue()


def told(read: Imported) -> list[tuple[str, int, str]]:
    return [(one.name, one.line, one.odd) for one in read.issues]
