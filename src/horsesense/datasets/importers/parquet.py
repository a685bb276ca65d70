"""The rows of a Parquet file, as many as there is room for.

Parquet packs well: a few kilobytes may hold a thousand million rows that are all alike. So rows
are counted before they are made, and bytes while they are.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from horsesense.datasets.importers.source import SourceFile
from horsesense.errors import FileError

MOST_ROWS = 2_000_000
MOST_BYTES = 256 * 2**20
_BATCH_ROWS = 1_000


def parquet_rows(file: SourceFile) -> list[dict[str, Any]]:
    """All rows, by the names of the columns."""
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        raise FileError(
            f"{file.name}: a Parquet file cannot be read without pyarrow; it needs an extra: "
            "pip install 'horsesense[parquet]'"
        ) from error
    rows: list[dict[str, Any]] = []
    size = 0
    try:
        opened = pyarrow.parquet.ParquetFile(BytesIO(file.data))
        told = opened.metadata
        size_told = sum(told.row_group(at).total_byte_size for at in range(told.num_row_groups))
        if told.num_rows > MOST_ROWS or size_told > MOST_BYTES:
            raise _too_large(file)
        for batch in opened.iter_batches(batch_size=_BATCH_ROWS):
            size += batch.nbytes
            if size > MOST_BYTES or len(rows) > MOST_ROWS:
                raise _too_large(file)
            rows += batch.to_pylist()
    # Of a damaged file the library raises what it happens to meet: a date that there is not, a name
    # that is no text.
    except (
        *(pyarrow.ArrowException, OSError, MemoryError),
        *(ArithmeticError, LookupError, TypeError, ValueError),
    ) as error:
        raise FileError(f"{file.name}: not a Parquet file: {str(error)[:300]}") from error
    return rows


def _too_large(file: SourceFile) -> FileError:
    return FileError(
        f"{file.name}: it holds more than {MOST_ROWS:,} rows or {MOST_BYTES // 2**20} MiB, and no "
        "more is read; write it in parts"
    )
