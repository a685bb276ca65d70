"""SWAG: a sentence, how the next one begins, and four endings to choose from.

Official files are CSV; test files have no labels. There are also samples as concatenated JSON
objects without ids; these are numbered. The statement is both sentences up to the blank,
and an option is an ending with its full stop. No problem has a twin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import Companions, Format, fit_id, fit_tag, numbered_label
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import SINGLES, Journal, RawEntry, RawProblem

_ENDINGS = ("ending0", "ending1", "ending2", "ending3")
_FIELDS = ("sent1", "sent2", *_ENDINGS)
_START_DIFFERS = "start-differs"
_ISSUES = {_START_DIFFERS: "`startphrase` is not `sent1` followed by `sent2`; the latter are used"}


def _looks_like(file: SourceFile) -> bool:
    return are_columns_of(file.headings(","), _FIELDS, ["label"])


def _looks_like_json(file: SourceFile) -> bool:
    return are_columns_of(file.first_object, _FIELDS, ["label"])


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    return _groups(file.csv_rows(journal), journal)


def _read_json(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    return _groups(file.json_objects(journal), journal)


def _groups(rows: Iterable[tuple[int, dict[str, Any]]], journal: Journal) -> Iterator[RawEntry]:
    for number, (line, row) in enumerate(rows, start=1):
        try:
            raw_problem = _raw_problem(line, row, _name(row) or str(number))
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
            continue
        if row.get("startphrase", raw_problem.texts[0].rstrip(" ")) != raw_problem.texts[0].rstrip(
            " "
        ):
            journal.oddity(_START_DIFFERS, line, raw_problem.name, repr(row["startphrase"]))
        source = fit_tag(str(row.get("gold-source", "")))
        yield RawEntry(raw_problem.name, [raw_problem], tags=(source,) if source else ())


def _name(row: dict[str, Any]) -> str:
    """The video and the number in its fold; the same video may have several questions."""
    parts = (str(row[name]) for name in ("video-id", "fold-ind") if row.get(name))
    return fit_id("-".join(parts))


def _raw_problem(line: int, row: dict[str, Any], name: str) -> RawProblem:
    first, second, *endings = texts_of(row, *_FIELDS)
    start = f"{first} {second} " if second else f"{first} "
    right = numbered_label(row.get("label"), len(_ENDINGS), first=0)
    return RawProblem(name, line, (start, ""), tuple((ending,) for ending in endings), right)


FORMAT = Format(
    name="swag",
    title="SWAG, CSV",
    looks_like=_looks_like,
    read=_read,
    twins=SINGLES,
    issues=_ISSUES,
)
FORMAT_JSON = Format(
    name="swag-json",
    title="SWAG, JSON objects one after another",
    looks_like=_looks_like_json,
    read=_read_json,
    twins=SINGLES,
    issues=_ISSUES,
)
