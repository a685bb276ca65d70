"""The form that every log is read into: documents, and the outcomes of methods.

A **document** is what a program asked about, one for each problem. A **task** is all documents of
one name in a log, with the outcomes under every metric that the program computed.

Costs are used only where they reproduce, for every problem, whether the program itself counted it
as solved. Where a log says no more than that, there are no costs, and nothing was chosen by
position.
"""

from __future__ import annotations

import csv
import gzip
import math
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, TypeVar

from horsesense.datasets.importers import SourceFile
from horsesense.datasets.recovery import Journal, shared_end, shared_start
from horsesense.errors import FileError, MetricError
from horsesense.scoring import AnswerSet, Outcome, decide

Row = TypeVar("Row")

_GZIP = b"\x1f\x8b"
_SEPARATORS = ",;\t"
# How much a packed log may hold. What Python makes of it takes several times as much memory.
MOST_UNPACKED = 256 * 2**20
# In JSON: a backslash that stands for itself, a pair of surrogates, or half a pair.
_SURROGATES = re.compile(
    rb"(?P<sound>\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_REPLACEMENT = rb"\ufffd"


def unpacked(file: SourceFile) -> SourceFile:
    """The file itself, or what is packed in it by gzip."""
    if not file.data.startswith(_GZIP):
        return file
    try:
        with gzip.GzipFile(fileobj=BytesIO(file.data)) as packed:
            data = packed.read(MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"{file.name}: cannot be unpacked: {error}") from error
    if len(data) > MOST_UNPACKED:
        raise too_large(file)
    return SourceFile(file.name, data)


def too_large(file: SourceFile) -> FileError:
    """The error for a file that holds more than is read."""
    return FileError(
        f"{file.name}: unpacked, it holds more than {MOST_UNPACKED // 2**20} MiB, and no more is "
        "read; unpack it yourself, or log fewer samples at a time"
    )


def mended(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """JSON with no halves of surrogate pairs, which no file can hold as text, and a remark if any.

    >>> mended(b'"a \\\\ud83d"')
    (b'"a \\\\ufffd"', ('1 half of a character, as \\\\ud800 is one, was read as \\\\ufffd',))
    """
    if b"\\ud" not in data and b"\\uD" not in data:
        return data, ()
    halves = 0

    def whole(found: re.Match[bytes]) -> bytes:
        nonlocal halves
        if found["sound"]:
            return found[0]
        halves += 1
        return _REPLACEMENT

    data = _SURROGATES.sub(whole, data)
    noun = "half of a character" if halves == 1 else "halves of characters"
    verb = "was" if halves == 1 else "were"
    remark = rf"{halves} {noun}, as \ud800 is one, {verb} read as \ufffd"
    return data, (remark,) if halves else ()


def json_rows(file: SourceFile) -> list[tuple[int, dict[str, Any]]]:
    """The objects of JSON lines, or of a JSON list, with their lines; there must be one."""
    journal = Journal()
    rows = list(file.json_objects(journal))
    for fault in journal.faults:
        raise FileError(f"{file.name}:{fault.line}: {fault.odd}")
    return _some_of(file, rows)


def csv_rows(file: SourceFile) -> list[tuple[int, dict[str, str]]]:
    """The rows of a table with headings, with their lines; there must be one.

    Fields are quoted as spreadsheets do it, with commas, semicolons or tabs between them.
    """
    names, separator = heading(file), _separator(_first_line(file))
    journal = Journal()
    lines = [(line, fields) for line, fields in file.csv_fields(journal, separator) if fields]
    for fault in journal.faults:
        raise FileError(f"{file.name}:{fault.line}: {fault.odd}")
    rows: list[tuple[int, dict[str, str]]] = []
    for line, fields in lines[1:]:
        if len(fields) != len(names):
            odd = f"{len(fields)} fields where {len(names)} are expected"
            raise FileError(f"{file.name}:{line}: {odd}")
        rows.append((line, dict(zip(names, fields, strict=True))))
    return _some_of(file, rows)


def heading(file: SourceFile) -> list[str]:
    """The names of the columns, by the first line; none where it cannot be one of a table.

    >>> heading(SourceFile("owls.csv", b"schema; solved"))
    ['schema', 'solved']
    """
    first = _first_line(file)
    return [name.strip() for name in _fields(first, _separator(first))]


def is_table(file: SourceFile) -> bool:
    """True where the second line has as many fields as the first."""
    first, _, rest = file.head.lstrip("\r\n").partition("\n")
    second = rest.partition("\n")[0]
    return len(_fields(second, _separator(first))) == len(_fields(first, _separator(first)))


def _first_line(file: SourceFile) -> str:
    return file.head.lstrip("\r\n").partition("\n")[0]


def _fields(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line.rstrip("\r")], delimiter=separator), [])
    except csv.Error:
        return []


def _separator(first: str) -> str:
    """The separator that is most frequent in the first line."""
    return max(_SEPARATORS, key=first.count)


def _some_of(file: SourceFile, rows: list[Row]) -> list[Row]:
    if not rows:
        raise FileError(f"{file.name}: there are no samples in it")
    return rows


# How much of a value is shown in a message.
_SHOWN = 80
_VERDICTS: dict[Any, bool | None] = {
    True: True,
    False: False,
    "c": True,
    "i": False,
    "n": None,
    "true": True,
    "false": False,
    "1": True,
    "0": False,
    "": None,
}


@dataclass(frozen=True, slots=True)
class Document:
    """A question: its number in its dataset, its fields, and the options.

    `place` is where it stands in the log. `sentences` are the texts that were compared, empty
    where the program compared none.
    """

    number: int
    place: str
    fields: Mapping[str, Any]
    options: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    right: int | None = None


@dataclass(frozen=True, slots=True)
class LoggedMethod:
    """The outcomes of a task under one metric, by the position of the document.

    Positions without an outcome were not asked, or gave none; of so many as are `explained`
    the `remarks` say why.
    """

    name: str
    outcomes: Mapping[int, Outcome]
    remarks: tuple[str, ...] = ()
    explained: int = 0


@dataclass(frozen=True, slots=True)
class LoggedProblem:
    """Which problem of which entry a document is, and what is said of it."""

    entry: str
    number: int
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A problem for each document, and the pairs of their positions that make schemas.

    `marks` are tags that were looked for, whether they hold of a problem or not.
    """

    problems: tuple[LoggedProblem, ...]
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
    methods: tuple[LoggedMethod, ...]
    remarks: tuple[str, ...] = ()
    arrangement: Arrangement | None = None
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Logged:
    """A task in a log under one metric of the program that wrote it: the answer set.

    `model` is what the log calls the model, and `mode` what was guessed, empty where it does not
    tell.
    """

    task: str
    method: str
    model: str
    answer_set: AnswerSet
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
    for document in documents:
        before = found.setdefault(document.number, document)
        if before is document:
            continue
        if before.fields != document.fields:
            raise MetricError(
                f"{document.place}: document {document.number} is another than in {before.place}; "
                "give the log of one run at a time"
            )
        again.append(document)
    return found, again


def verdict_of(value: object) -> bool | None:
    """Whether a value of a metric says solved or failed; None for an abstention.

    >>> verdict_of(1.0), verdict_of("I"), verdict_of("")
    (True, False, None)
    """
    key = value.strip().lower() if isinstance(value, str) else value
    if not isinstance(key, str | int | float) or key not in _VERDICTS:
        raise ValueError(f"{short(value)} is neither solved nor failed")
    return _VERDICTS[key]


def only_solved(solved: bool | None) -> Outcome:
    """The outcome of a problem of which nothing is known but whether it was solved.

    >>> only_solved(False).verdict.value, only_solved(False).has_choice
    ('failed', False)
    """
    return Outcome((), None if solved is None else int(not solved), 0, 0.0, has_choice=False)


def compared(costs: Sequence[float], right: int | None) -> Outcome:
    """The outcome of these costs; all infinite ones are equal.

    >>> compared((math.inf, 2.5), right=1).margin, compared((math.inf, math.inf), right=1).margin
    (inf, 0.0)
    """
    if math.isinf(min(costs)):
        return Outcome(tuple(costs), None, right, 0.0)
    return decide(costs, right)


def cost_of(log_likelihood: object, place: str) -> float:
    """A log-likelihood, as a number or a text, as a cost; −∞ is one, and NaN is none.

    >>> cost_of("-2.5", "log.jsonl:1")
    2.5
    """
    try:
        cost = -float(log_likelihood)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):
        raise MetricError(f"{place}: {short(log_likelihood)} is not a log-likelihood") from None
    if math.isnan(cost) or cost == -math.inf:
        raise MetricError(f"{place}: a log-likelihood of {log_likelihood} says nothing")
    return cost


def by_costs(
    name: str,
    documents: Mapping[int, Document],
    costs: Mapping[int, Sequence[float]],
    solved: Mapping[int, bool | None],
) -> LoggedMethod | None:
    """The method with these costs, None where they do not give back what was solved.

    Programs take the first of equal options. Here they are undecided, which is remarked upon.
    """
    outcomes: dict[int, Outcome] = {}
    ties = lucky = 0
    for at, verdict in solved.items():
        right = documents[at].right
        if right is not None and (_first_lowest(costs[at]) == right) is not verdict:
            return None
        outcomes[at] = compared(costs[at], right)
        if right is not None and outcomes[at].chosen is None:
            ties += 1
            lucky += verdict is True
    remark = f"{counted(ties, 'tie')}, of which the log counts {lucky} as solved"
    return LoggedMethod(name, outcomes, remarks=(remark,) if ties else ())


def by_verdicts(name: str, solved: Mapping[int, bool | None]) -> LoggedMethod:
    """The method of which nothing is known but what was solved."""
    outcomes = {at: only_solved(verdict) for at, verdict in solved.items()}
    remark = "the log tells what was solved, and not what was chosen: positions mean nothing"
    return LoggedMethod(name, outcomes, (remark,))


def labels_of(
    documents: Mapping[int, Document],
    costs: Mapping[int, Sequence[float]],
    solved: Mapping[int, bool | None],
    rules: Sequence[Callable[[Document], int | None]],
) -> dict[int, int] | None:
    """The right options, by the first rule that contradicts nothing in the log; None without one.

    The first rule is sure: where it knows all labels and contradicts the log, the costs are wrong.
    Where none applies, it follows from what was preferred and whether that was right, if there
    are two options.
    """
    for rule in rules:
        labels = {at: label for at in solved if (label := rule(documents[at])) is not None}
        is_known = len(labels) == len(solved)
        if is_known and all(_agrees(labels[at], costs[at], solved[at]) for at in solved):
            return labels
        if is_known and rule is rules[0]:
            return None
    if any(len(costs[at]) != 2 and not solved[at] for at in solved):
        return None
    return {
        at: preferred if verdict else 1 - preferred
        for at, verdict in solved.items()
        for preferred in [_first_lowest(costs[at])]
    }


def _agrees(label: int, costs: Sequence[float], solved: bool | None) -> bool:
    return 0 <= label < len(costs) and (_first_lowest(costs) == label) is solved


def _first_lowest(costs: Sequence[float]) -> int:
    return list(costs).index(min(costs))


def differing(texts: Sequence[str]) -> tuple[str, ...]:
    """The part of each text in which it differs from the others: whole words only.

    >>> differing(["A rope can hold a boat.", "A rope cannot hold a boat."])
    ('can', 'cannot')
    """
    if len(set(texts)) < 2:
        return tuple(texts)
    start = min(shared_start(texts[0], other) for other in texts[1:])
    start = texts[0].rfind(" ", 0, start) + 1
    rest = [text[start:] for text in texts]
    most = min(map(len, rest))
    end = min(shared_end(rest[0], other, most) for other in rest[1:])
    tail = rest[0][len(rest[0]) - end :]
    # Not within a word: «can» and «cannot» have no end in common.
    end = len(tail) - tail.find(" ") if " " in tail else 0
    return tuple(text[: len(text) - end].strip() for text in rest)
