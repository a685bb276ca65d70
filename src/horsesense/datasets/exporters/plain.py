"""The plain table of problems as CSV and as JSON lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from io import StringIO

from horsesense.datasets.exporters.outgoing import Exported, Outgoing, count_header
from horsesense.datasets.exporters.table import Table, count_by_hand, table_of
from horsesense.schema import OWN


def csv_table(outgoing: Outgoing, report: Exported) -> Iterator[str]:
    """Comma-separated values under a line of column names, quoted where they need it."""
    table = _counted_table(outgoing, report)
    empty = {
        (row.entry.id, name)
        for row in table.rows
        for name, value in row.values.items()
        if name.startswith(OWN) and not value
    }
    report.leave_out("empty fields of the author's own", len(empty))
    yield _csv_line(table.columns)
    for row in table.rows:
        yield _csv_line(row.values.get(column, "") for column in table.columns)


def json_lines(outgoing: Outgoing, report: Exported) -> Iterator[str]:
    """An object for each problem, with those of the columns that have a value."""
    table = _counted_table(outgoing, report)
    for row in table.rows:
        line = {column: row.values[column] for column in table.columns if column in row.values}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _counted_table(outgoing: Outgoing, report: Exported) -> Table:
    table = table_of(outgoing, report)
    count_header(outgoing.header, report)
    count_by_hand(table, report)
    return table


def _csv_line(values: Iterable[object]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()
