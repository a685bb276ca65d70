"""BLiMP: minimal pairs of an acceptable sentence and one that is not, as JSON lines.

The label is in the names of the fields, so the two sentences are put into the order of their
checksums, which say nothing about it. How a pair is to be scored, and the words in which it
differs, are not kept: the sentences show them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.fitting import fit_id, fit_tag
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.minimal_pairs import ISSUES, in_order, tell_order
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import SINGLES, Group, Journal, RawProblem

_FIELDS = ("sentence_good", "sentence_bad", "UID", "pairID")
_TAGS = ("field", "linguistics_term", "UID")


def _looks_like(file: SourceFile) -> bool:
    return not file.is_json_list and are_columns_of(file.first_object, _FIELDS)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    tell_order(journal, "`sentence_good` comes before `sentence_bad`")
    for line, row in file.json_lines(journal):
        try:
            yield _group(line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))


def _group(line: int, row: dict[str, Any]) -> Group:
    good, bad, uid, pair = texts_of(row, *_FIELDS)
    options, right = in_order(good, bad)
    name = fit_id(f"{uid}-{pair}")
    tags = (fit_tag(row[tag]) for tag in _TAGS if isinstance(row.get(tag), str))
    return Group(
        id=name,
        found=[RawProblem(name, line, ("", ""), options, right)],
        tags=tuple(dict.fromkeys(filter(None, tags))),
    )


FORMAT = Format(
    name="blimp",
    title="BLiMP, JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=SINGLES,
    issues=ISSUES,
)
