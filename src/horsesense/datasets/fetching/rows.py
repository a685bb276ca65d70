"""Turn rows of Parquet files into text that one of our formats reads, by their columns."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from horsesense.datasets.importers import SourceFile, guess_format, is_published
from horsesense.datasets.importers.parquet import class_names, parquet_rows
from horsesense.errors import FileError

_TABLES = "table-"
# Labels stay numbers, which is how our formats know them.
_ANSWERS = ("label", "labels", "answer", "gold")
_HIDDEN = -1


def readable_rows(files: Sequence[SourceFile]) -> bytes:
    """Return the rows as JSON lines, TSV or CSV, as the first format wants them that fits.

    Formats of published datasets come before tables of one's own. It is an error if none fits.
    """
    rows = [row for file in files for row in _rows(file)]
    name = files[0].name.rpartition("/")[0] if files else "the dataset"
    if not rows:
        raise FileError(f"{name} has no rows")
    _drop_hidden(rows)
    texts = [text.encode(errors="surrogatepass") for text in _texts(rows)]
    claimed = [
        (guess_format(file).name.startswith(_TABLES), text)
        for text in texts
        if is_published(file := SourceFile(name, text))
    ]
    if not claimed:
        raise FileError(
            f"{name} has the columns {', '.join(rows[0])}, and no format has these; "
            "`horsesense dataset formats` lists those that are read. Rename the columns in a table"
            " of your own: text with ___ for the blank, option1, option2, and answer"
        )
    return min(claimed, key=lambda pair: pair[0])[1]


def _rows(file: SourceFile) -> Iterator[dict[str, Any]]:
    """The rows of a file, with the names of classes in place of their numbers."""
    names = {
        column: classes
        for column, classes in class_names(file).items()
        if column.lower() not in _ANSWERS
    }
    for row in parquet_rows(file):
        for column, classes in names.items():
            value = row.get(column)
            if isinstance(value, int) and 0 <= value < len(classes):
                row[column] = classes[value]
        yield row


def _drop_hidden(rows: Sequence[dict[str, Any]]) -> None:
    """Remove labels that are -1 throughout, which means that they are not published."""
    for column in _ANSWERS:
        if all(row.get(column) == _HIDDEN for row in rows):
            for row in rows:
                del row[column]


def _texts(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
    yield _table(rows, "\t", csv.QUOTE_NONE)
    yield _table(rows, ",", csv.QUOTE_MINIMAL)


def _table(rows: Sequence[Mapping[str, Any]], delimiter: str, quoting: Any) -> str:
    """The rows as a table; empty if a value cannot be written without quotation marks."""
    stream = StringIO()
    writer = csv.writer(
        stream, delimiter=delimiter, quoting=quoting, quotechar='"', lineterminator="\n"
    )
    columns = list(rows[0])
    try:
        writer.writerow(columns)
        for row in rows:
            writer.writerow([_cell(row.get(column)) for column in columns])
    except csv.Error:
        return ""
    return stream.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return "" if value is None else str(value)
