"""WinoGrande: JSON lines, twins by the stem of `qID`.

The digit that ends `qID` equals the answer wherever there is one, so that the id gives it away.
It is used for nothing but telling twins apart. Test files have no labels; a list of labels may be
given as a companion, and must not contradict the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from horsesense.importers.format import Companions, Format, numbered_label, read_rows, twins_by_key
from horsesense.importers.source import BAD_LABEL, BadRow, SourceFile, texts_of
from horsesense.recovery import UNKNOWN_PRONOUN, Found, Group, Journal

_FIELDS = ('"qID"', '"sentence"', '"option1"', '"option2"')


def _looks_like(file: SourceFile) -> bool:
    first = file.head.lstrip().partition("\n")[0]
    return first.startswith("{") and all(field in first for field in _FIELDS)


def read_option_row(line: int, row: dict[str, Any]) -> Found:
    """A problem with its blank written `_` and two options."""
    name, sentence, first, second = texts_of(row, "qID", "sentence", "option1", "option2")
    texts = tuple(sentence.split("_"))
    if len(texts) != 2:
        raise BadRow(f"{len(texts) - 1} blanks where one is expected")
    right = numbered_label(row.get("answer"), 2, first=1)
    return Found(name, line, texts, ((first,), (second,)), right, UNKNOWN_PRONOUN)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    found = read_rows(file.json_lines(journal), journal, read_option_row)
    for labels in companions:
        found = _with_labels(found, labels, journal)
    return twins_by_key((_stem(one.name), one) for one in found)


def _stem(name: str) -> str:
    stem, hyphen, digit = name.rpartition("-")
    return stem if hyphen and digit in ("1", "2") else name


def _with_labels(found: Iterable[Found], labels: SourceFile, journal: Journal) -> Iterator[Found]:
    """The problems with the labels of a list, one on each line."""
    problems, lines = list(found), labels.text.split()
    if len(lines) != len(problems):
        journal.fault(
            BAD_LABEL, 0, "", f"{labels.name} has {len(lines)} labels for {len(problems)} problems"
        )
        return
    for one, label in zip(problems, lines, strict=True):
        try:
            right = numbered_label(label, 2, first=1)
        except BadRow as error:
            journal.fault(BAD_LABEL, one.line, one.name, f"{labels.name}: {error}")
            continue
        if one.right is not None and one.right != right:
            odd = f"the file says {one.right + 1}, {labels.name} says {label}"
            journal.fault(BAD_LABEL, one.line, one.name, odd)
            continue
        yield one._replace(right=right)


FORMAT = Format(
    name="winogrande",
    title="WinoGrande, JSON lines",
    looks_like=_looks_like,
    read=_read,
    companions="a list of labels, one on each line",
)
