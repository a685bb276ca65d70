"""COPA as SuperGLUE has it: JSON lines with `premise`, `choice1`, `choice2`, `question`, `label`.

How they become a sentence is told in `copa`. `idx` counts from 0 in each of the files; the test
file has no labels, and begins with item 501 of the corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.copa import (
    COMPANIONS,
    ISSUES,
    REPAIRS,
    Item,
    found_of,
    make_item,
    subset_tags,
)
from horsesense.datasets.importers.format import Companions, Format, numbered_label
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import SINGLES, Group, Journal

_FIELDS = ("premise", "choice1", "choice2", "question")
# Subsets are those of the test file, and their ids are those of the corpus.
_FIRST_TEST_ID = 501


def _looks_like(file: SourceFile) -> bool:
    needed = (*_FIELDS, "idx")
    return not file.is_json_list and are_columns_of(file.first_object, needed, ["label"])


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    found = found_of(_items(file, journal), journal)
    ids = [_corpus_id(item) for item, _ in found]
    subsets = subset_tags(companions, ids, journal)
    for (item, one), corpus_id in zip(found, ids, strict=True):
        yield Group(one.name, [one], tags=(item.question, *subsets.get(corpus_id, ())))


def _items(file: SourceFile, journal: Journal) -> Iterator[Item]:
    for line, row in file.json_lines(journal):
        try:
            yield _item(line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))


def _item(line: int, row: dict[str, Any]) -> Item:
    *texts, question = texts_of(row, *_FIELDS)
    index = row.get("idx")
    if not isinstance(index, int) or index < 0:
        raise BadRow(f"the idx {index!r} is no number from 0")
    right = numbered_label(row.get("label"), 2, first=0)
    return make_item(str(index), line, texts, question, right)


def _corpus_id(item: Item) -> str:
    is_number = item.name.isdecimal() and len(item.name) < 10
    return str(int(item.name) + _FIRST_TEST_ID) if is_number and item.right is None else ""


FORMAT = Format(
    name="superglue-copa",
    title="COPA as SuperGLUE has it, JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=SINGLES,
    repairs=REPAIRS,
    issues=ISSUES,
    companions=COMPANIONS,
)
