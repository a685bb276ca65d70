"""Read the rows of a Parquet file, up to a limit.

A few kilobytes of Parquet may hold a billion equal rows. So the number of rows is checked before
reading, and the number of bytes while reading.
"""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from horsesense.datasets.importers.source import SourceFile
from horsesense.errors import FileError

MOST_ROWS = 2_000_000
MOST_BYTES = 256 * 2**20
_BATCH_ROWS = 1_000


def parquet_rows(file: SourceFile) -> list[dict[str, Any]]:
    """Return all rows as dictionaries."""
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        raise needs_pyarrow(file.name) from error
    rows: list[dict[str, Any]] = []
    size = 0
    try:
        opened = pyarrow.parquet.ParquetFile(BytesIO(file.data))
        metadata = opened.metadata
        declared_size = sum(
            metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups)
        )
        if metadata.num_rows > MOST_ROWS or declared_size > MOST_BYTES:
            raise _too_large(file)
        for batch in opened.iter_batches(batch_size=_BATCH_ROWS):
            size += batch.nbytes
            if size > MOST_BYTES or len(rows) > MOST_ROWS:
                raise _too_large(file)
            rows += batch.to_pylist()
    # For damaged files the library raises various errors, such as invalid dates or names.
    except (
        *(pyarrow.ArrowException, OSError, MemoryError),
        *(ArithmeticError, LookupError, TypeError, ValueError),
    ) as error:
        raise FileError(f"{file.name}: not a Parquet file: {str(error)[:300]}") from error
    return rows


def class_names(file: SourceFile) -> dict[str, list[str]]:
    """Return the names of the classes that Hugging Face's datasets stores as numbers, by column."""
    import pyarrow.parquet

    try:
        metadata = pyarrow.parquet.read_schema(BytesIO(file.data)).metadata or {}
        features = json.loads(metadata.get(b"huggingface", b"{}"))["info"]["features"]
        return {
            column: [str(name) for name in feature["names"]]
            for column, feature in features.items()
            if feature.get("_type") == "ClassLabel"
        }
    except (pyarrow.ArrowException, OSError, LookupError, TypeError, ValueError, AttributeError):
        return {}


def needs_pyarrow(name: str) -> FileError:
    """Return the error for a computer without the library."""
    return FileError(
        f"{name}: reading Parquet files needs pyarrow: pip install 'horsesense[parquet]'"
    )


def _too_large(file: SourceFile) -> FileError:
    return FileError(
        f"{file.name}: the file holds more than {MOST_ROWS:,} rows or {MOST_BYTES // 2**20} MiB; "
        "split it into several files"
    )
