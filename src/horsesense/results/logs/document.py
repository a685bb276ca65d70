"""What every log comes down to, whoever wrote it: documents, and what methods made of them.

A **document** is what a program asked about, one for each problem. A **task** is all documents of
one name in a log, with the outcomes under every metric that the program computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from horsesense.errors import MetricError
from horsesense.scoring import Outcome, Sheet

# How much of a value is shown in a message.
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Document:
    """What was asked: its number in its dataset, its fields, and what there was to choose from.

    `place` is where the log tells of it. `sentences` are the texts that were compared, empty
    where the program compared none.
    """

    number: int
    place: str
    fields: Mapping[str, Any]
    options: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    right: int | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """The outcomes of a task under one metric, by the position of the document.

    Positions without an outcome were not asked, or gave none; of so many as are `explained`
    the `remarks` tell why.
    """

    name: str
    outcomes: Mapping[int, Outcome]
    remarks: tuple[str, ...] = ()
    explained: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """Which problem of which entry a document is, and what is said of it."""

    entry: str
    number: int
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A problem for each document, and the pairs of their positions that make schemas.

    `marks` are tags that were looked for, whether they hold of a problem or not.
    """

    problems: tuple[Problem, ...]
    schemas: tuple[tuple[int, int], ...]
    remarks: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Task:
    """Documents of one name in a log, in their order, and what methods made of them.

    `arrangement` is which of them make schemas, and `mode` what was guessed, where the log itself
    tells.
    """

    name: str
    model: str
    documents: tuple[Document, ...]
    methods: tuple[Method, ...]
    remarks: tuple[str, ...] = ()
    arrangement: Arrangement | None = None
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Logged:
    """A task in a log under one metric of the program that wrote it: the answer sheet.

    `model` is what the log calls the model, and `mode` what was guessed, empty where it does not
    tell.
    """

    task: str
    method: str
    model: str
    sheet: Sheet
    mode: str = ""


def counted(number: int, noun: str) -> str:
    """A number of things, in words that fit it.

    >>> counted(1, "document"), counted(2, "document")
    ('1 document', '2 documents')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def some(names: Iterable[object], most: int = 5) -> str:
    """The first few names, and an ellipsis for the others.

    >>> some("abcdefg", 3), some("ab")
    ('a, b, c, …', 'a, b')
    """
    listed = [text if len(text := str(name)) <= _SHOWN else f"{text[:_SHOWN]}…" for name in names]
    return ", ".join([*listed[:most], *(["…"] if len(listed) > most else [])])


def short(value: object) -> str:
    """A value as it is written, or the beginning of that.

    >>> short("owls"), len(short("owls" * 1000))
    ("'owls'", 81)
    """
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def distinct(documents: Iterable[Document]) -> tuple[dict[int, Document], list[Document]]:
    """The documents by number, and those that stand there again.

    Programs that run on several machines may log a document twice. Two documents under one
    number are an error: then there are two runs in the file.
    """
    found: dict[int, Document] = {}
    again: list[Document] = []
    for one in documents:
        before = found.setdefault(one.number, one)
        if before is one:
            continue
        if before.fields != one.fields:
            raise MetricError(
                f"{one.place}: document {one.number} is another than in {before.place}; "
                "give the log of one run at a time"
            )
        again.append(one)
    return found, again
