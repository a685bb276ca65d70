"""The plain table of problems: the columns that CSV, JSON lines and Parquet have in common.

| Column | Value |
|---|---|
| id | what the problem is called |
| schema | the id of its entry |
| mode | by answer, by key or by boolean |
| text | the statement with `___` for each blank; none for a minimal pair |
| option1 … | what may fill the blank; phrases for two blanks have ` ¶ ` between them |
| answer | the number of the right option, from 1; none where it is not known |
| pronoun | the target in whose place the blank is, as it is written in the notation |
| verbatim | yes, where the sentences are to be read as they stand |
| tags | those of the problem, with `, ` between them: the entry's and its own |
| note | that of the entry |
| switchable, … | yes or no, for each flag |
| x-… | the author's own fields |

An answer is never empty, and a problem by key has two options: so an empty option is none by
answer, and an empty phrase by key.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from typing import TypeAlias

from horsesense.datasets.exporters.exported import (
    NAMES,
    Exported,
    NamedProblem,
    count_header,
    fills_by_hand,
    fixed_texts,
    lines_of,
    named_problems,
)
from horsesense.schema import (
    BLANK,
    FLAGS,
    OWN,
    Dataset,
    Entry,
    Mode,
    Problem,
    fields_of_tags,
    own_tags,
)

BETWEEN_PHRASES = " ¶ "
ANSWER = "answer"

Value: TypeAlias = str | int

_HELD = ("tags", "notes", "flags", "fields of the author's own")


@dataclass(frozen=True, slots=True)
class ExportTable:
    """The rows of problems under the columns that the dataset needs.

    A row has no value for a column that is empty for its problem. `entries` and `problems` are
    those that the rows were made of, one for each row.
    """

    columns: tuple[str, ...]
    rows: tuple[dict[str, Value], ...]
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]


def table_of(dataset: Dataset, report: Exported) -> ExportTable:
    """All problems of the dataset. Which columns there are depends on the last of them too."""
    fit = named_problems(dataset, report, misfit=misfit, held=held_in(dataset.mode))
    listed = [(entry, named) for entry, kept in fit for named in kept]
    rows = tuple(dict(values_of(entry, named)) for entry, named in listed)
    extras = {name for row in rows for name in row if name.startswith(OWN)}
    # Two, so that an empty dataset has the columns that any other has.
    width = max((len(named.problem.options) for _, named in listed), default=2)
    options = [f"option{number + 1}" for number in range(width)]
    before = ("id", "schema", "mode", "text", *options, ANSWER, "pronoun", "verbatim")
    return ExportTable(
        (*before, "tags", "note", *FLAGS, *sorted(extras)),
        rows,
        tuple(entry for entry, _ in listed),
        tuple(named.problem for _, named in listed),
    )


def held_in(mode: Mode) -> tuple[str, ...]:
    """Return the material of an entry that a row can hold."""
    # By key the pronoun does not stand where the blank is.
    return (*_HELD, "pronouns") if mode is Mode.BY_ANSWER else _HELD


def count_by_hand(table: ExportTable, report: Exported) -> None:
    """Count the sentences that the table does not spell out and its blanks do not give."""
    unheld = sum(not fills_by_hand(problem) for problem in table.problems)
    report.leave_out("sentences that are not simply the text with the blank filled in", unheld)


def joined_options(problem: Problem) -> list[str]:
    """Each option as one text."""
    return [BETWEEN_PHRASES.join(option) for option in problem.options]


def values_of(entry: Entry, named_problem: NamedProblem) -> Iterator[tuple[str, Value]]:
    """Yield the columns and values of a problem."""
    problem = named_problem.problem
    yield from (("id", named_problem.name), ("schema", entry.id), ("mode", str(named_problem.mode)))
    if problem.blanks:
        yield "text", problem.statement.text
    for number, option in enumerate(joined_options(problem), 1):
        yield f"option{number}", option
    if problem.right is not None:
        yield ANSWER, problem.right + 1
    lines = lines_of(entry.grid)
    line = lines[problem.cells[0].key] if len(lines) > 1 else lines[0]
    if line.target is not None and named_problem.mode is Mode.BY_ANSWER:
        yield "pronoun", line.target.written
    if line.verbatim:
        yield "verbatim", "yes"
    fields = fields_of_tags(entry)
    own = own_tags(entry, entry.grid, problem.mode)[named_problem.number - 1] if fields else ()
    if tags := tuple(dict.fromkeys((*entry.tags, *own))):
        yield "tags", ", ".join(tags)
    if entry.note:
        yield "note", entry.note
    yield from ((name, "yes" if flag else "no") for name, flag in entry.flags)
    yield from ((name, value) for name, value in entry.extras if name not in {NAMES, *fields})


def misfit(problem: Problem) -> str:
    """Return a plural noun for a problem that a row cannot hold, else an empty text."""
    if tuple(problem.statement.text.split(BLANK)) != fixed_texts(problem):
        return f"problems with what looks like {BLANK} in their text"
    phrases = [phrase for option in problem.options for phrase in option]
    if problem.blanks > 1 and any(BETWEEN_PHRASES.strip() in phrase for phrase in phrases):
        return f"problems with two blanks and {BETWEEN_PHRASES.strip()} in a phrase"
    return ""


def csv_table(dataset: Dataset, report: Exported) -> Iterator[str]:
    """Comma-separated values under a line of column names, quoted where they need it."""
    table = _counted_table(dataset, report)
    empty = {
        (row["schema"], name)
        for row in table.rows
        for name, value in row.items()
        if name.startswith(OWN) and not value
    }
    report.leave_out("empty fields of the author's own", len(empty))
    yield _csv_line(table.columns)
    for row in table.rows:
        yield _csv_line(row.get(column, "") for column in table.columns)


def json_lines(dataset: Dataset, report: Exported) -> Iterator[str]:
    """An object for each problem, with those of the columns that have a value."""
    table = _counted_table(dataset, report)
    for row in table.rows:
        line = {column: row[column] for column in table.columns if column in row}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _counted_table(dataset: Dataset, report: Exported) -> ExportTable:
    table = table_of(dataset, report)
    count_header(dataset.header, report)
    count_by_hand(table, report)
    return table


def _csv_line(values: Iterable[object]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()
