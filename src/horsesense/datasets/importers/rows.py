"""Turn rows of Parquet files into text that one of our formats reads, by their columns."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any
from xml.sax.saxutils import escape

from horsesense.datasets.importers.parquet import class_names, parquet_rows
from horsesense.datasets.importers.reading import guess_format, is_published
from horsesense.datasets.importers.source import SourceFile
from horsesense.errors import FileError, HorsesenseError

_TABLES = "table-"
# Labels stay numbers, which is how our formats know them.
_ANSWERS = ("label", "labels", "answer", "gold")
_HIDDEN = -1
# So many rows show which format reads a file.
_PROBED = 20


def readable_rows(files: Sequence[SourceFile]) -> bytes:
    """Return the rows as JSON lines, TSV or CSV, as the first format wants them that fits.

    Formats of published datasets come before tables of one's own. It is an error if none fits.
    """
    rows = [row for file in files for row in _rows(file)]
    name = files[0].name.rpartition("/")[0] if files else "the dataset"
    if not rows:
        raise FileError(f"{name} has no rows")
    return _readable(rows, name)[1]


def published_rows(file: SourceFile) -> SourceFile | None:
    """Return the rows of a Parquet file as the format of a published dataset reads them, or None.

    A table of one's own, and a file that cannot be read, have none.
    """
    try:
        rows = list(_rows(file))
        is_table, _ = _readable(rows[:_PROBED], file.name)
        text = b"" if is_table else _readable(rows, file.name)[1]
    except (HorsesenseError, LookupError):
        return None  # the format of tables reports what is wrong
    if is_table:
        return None
    found = SourceFile(file.name, text)
    found.digest = file.digest
    return found


def _readable(rows: list[dict[str, Any]], name: str) -> tuple[bool, bytes]:
    """The rows as text that a format reads, and whether that is a format of tables."""
    rows = [dict(row) for row in rows]
    _drop_hidden(rows)
    rows = _as_published(rows)
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
    return min(claimed, key=lambda pair: pair[0])


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


def _as_published(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with the columns of the published files, where the hub has renamed them."""
    for columns, convert in _RENAMED:
        if columns <= rows[0].keys():
            return [convert(row) for row in rows]
    return rows


def _superglue_wsc(row: dict[str, Any]) -> dict[str, Any]:
    target = {column: row[column] for column in _SPANS}
    kept = {column: value for column, value in row.items() if column not in _SPANS}
    label = {"label": bool(row["label"])} if row.get("label") is not None else {}
    return {**kept, "target": target, **label}


def _wnli(row: dict[str, Any]) -> dict[str, Any]:
    columns = {"index": "idx", "sentence1": "sentence1", "sentence2": "sentence2", "label": "label"}
    return {name: row[column] for name, column in columns.items() if column in row}


def _crows_pairs(row: dict[str, Any]) -> dict[str, Any]:
    return {"": row["id"], **{column: value for column, value in row.items() if column != "id"}}


def _blimp(row: dict[str, Any]) -> dict[str, Any]:
    kept = {column: value for column, value in row.items() if column != "pair_id"}
    return {**kept, "pairID": str(row["pair_id"])}


_SPANS = ("span1_index", "span1_text", "span2_index", "span2_text")
# Columns that the hub has for datasets of which we read the published files.
_RENAMED: tuple[tuple[frozenset[str], Callable[[dict[str, Any]], dict[str, Any]]], ...] = (
    (frozenset({"text", *_SPANS}), _superglue_wsc),
    (frozenset({"idx", "sentence1", "sentence2"}), _wnli),
    (frozenset({"id", "sent_more", "sent_less"}), _crows_pairs),
    (frozenset({"sentence_good", "sentence_bad", "pair_id"}), _blimp),
)


def _texts(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if rows[0].keys() >= _WSC:
        yield _wsc_xml(rows)
    yield "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
    yield _table(rows, "\t", csv.QUOTE_NONE)
    yield _table(rows, ",", csv.QUOTE_MINIMAL)


# The columns of winograd_wsc, which holds the XML of the Winograd Schema Challenge.
_WSC = frozenset({"text", "pronoun", "pronoun_loc", "quote", "quote_loc", "options"})
_SCHEMA = (
    "<schema><text><txt1>{0}</txt1><pron>{1}</pron><txt2>{2}</txt2></text>"
    "<quote><quote1>{3}</quote1><pron>{1}</pron><quote2>{4}</quote2></quote>"
    "<answers><answer>{5}</answer><answer>{6}</answer></answers>"
    "<correctAnswer>{7}</correctAnswer></schema>\n"
)


def _wsc_xml(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as the XML of the Winograd Schema Challenge; empty if they do not fit into it."""
    try:
        schemas = [_SCHEMA.format(*map(escape, _wsc_texts(row))) for row in rows]
    except (LookupError, TypeError, ValueError):
        return ""
    return f"<collection>\n{''.join(schemas)}</collection>\n"


def _wsc_texts(row: Mapping[str, Any]) -> list[str]:
    text, pronoun, quote, start = row["text"], row["pronoun"], row["quote"], row["pronoun_loc"]
    first, second = row["options"]
    at = start - row["quote_loc"]
    end = start + len(pronoun)
    if text[start:end] != pronoun or not 0 <= at <= len(quote):
        raise ValueError("the pronoun is elsewhere")
    quotes = quote[:at], quote[at + len(pronoun) :]
    right = {0: "A", 1: "B"}[row["label"]]
    return [text[:start], pronoun, text[end:], *quotes, first, second, right]


def _table(rows: Sequence[Mapping[str, Any]], delimiter: str, quoting: Any) -> str:
    """The rows as a table; empty if a value cannot be written, such as one with a tab."""
    stream = StringIO()
    # Without quoting a quotation mark is a character like others.
    mark = None if quoting == csv.QUOTE_NONE else '"'
    writer = csv.writer(
        stream, delimiter=delimiter, quoting=quoting, quotechar=mark, lineterminator="\n"
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
