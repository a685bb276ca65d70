"""The common form of all logs: tasks with their documents, and outcomes by method.

A **document** is one problem as the other program has it. A **task** holds all documents of one
name in a log, with the outcomes under every metric that the program computed.

Costs are used only if they reproduce, for every problem, whether the program counted it as solved.
Otherwise, only that verdict is used, without costs and without a chosen option.
"""

from __future__ import annotations

import csv
import gzip
import math
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, TypeVar

from horsesense.datasets.importers import SourceFile
from horsesense.datasets.recovery import Journal, shared_end, shared_start
from horsesense.errors import FileError, MetricError
from horsesense.schema.filling import BLANK
from horsesense.scoring import AnswerSet, Outcome, decide

Row = TypeVar("Row")

_GZIP = b"\x1f\x8b"
_SEPARATORS = ",;\t"
# The largest unpacked log. As Python objects it takes several times as much memory.
MOST_UNPACKED = 256 * 2**20
# In JSON: an escaped backslash, a pair of surrogates, or a lone surrogate.
_SURROGATES = re.compile(
    rb"(?P<sound>\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_REPLACEMENT = rb"\ufffd"


def unpacked(file: SourceFile) -> SourceFile:
    """Unpack a file that is packed by gzip; return others unchanged."""
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
    """Return the error for a file that is too large."""
    return FileError(
        f"{file.name}: unpacked, it holds more than {MOST_UNPACKED // 2**20} MiB, which is "
        "the limit; unpack it yourself, or log fewer samples at a time"
    )


def mended(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Replace lone surrogates in JSON, which cannot be encoded; return a remark if there are any.

    >>> mended(b'"a \\\\ud83d"')
    (b'"a \\\\ufffd"', ('1 half of a character, as \\\\ud800 is one, was read as \\\\ufffd',))
    """
    if b"\\ud" not in data and b"\\uD" not in data:
        return data, ()
    halves = 0

    def replace(match: re.Match[bytes]) -> bytes:
        nonlocal halves
        if match["sound"]:
            return match[0]
        halves += 1
        return _REPLACEMENT

    data = _SURROGATES.sub(replace, data)
    noun = "half of a character" if halves == 1 else "halves of characters"
    verb = "was" if halves == 1 else "were"
    remark = rf"{halves} {noun}, as \ud800 is one, {verb} read as \ufffd"
    return data, (remark,) if halves else ()


def json_rows(file: SourceFile) -> list[tuple[int, dict[str, Any]]]:
    """Read the objects of JSON lines or of a JSON list, with their lines; at least one."""
    journal = Journal()
    rows = list(file.json_objects(journal))
    for fault in journal.faults:
        raise FileError(f"{file.name}:{fault.line}: {fault.odd}")
    return _not_empty(file, rows)


def csv_rows(file: SourceFile) -> list[tuple[int, dict[str, str]]]:
    """Read the rows of a CSV table with a header, with their lines; at least one.

    Fields are quoted as in spreadsheets and separated by commas, semicolons or tabs.
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
    return _not_empty(file, rows)


def heading(file: SourceFile) -> list[str]:
    """Read the column names from the first line; none if it is not one of a table.

    >>> heading(SourceFile("owls.csv", b"schema; solved"))
    ['schema', 'solved']
    """
    first = _first_line(file)
    return [name.strip() for name in _fields(first, _separator(first))]


def is_table(file: SourceFile) -> bool:
    """Whether the second line has as many fields as the first."""
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
    """Return the most frequent separator in the first line."""
    return max(_SEPARATORS, key=first.count)


def _not_empty(file: SourceFile, rows: list[Row]) -> list[Row]:
    if not rows:
        raise FileError(f"{file.name}: there are no samples in it")
    return rows


# Values in messages are cut at this length.
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
    """A problem in a log: its number in the dataset, its fields, and the options.

    `location` is its file and line. `sentences` are the texts that the program compared, if any.
    """

    number: int
    location: str
    fields: Mapping[str, Any]
    options: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    right: int | None = None


@dataclass(frozen=True, slots=True)
class LoggedMethod:
    """The outcomes of a task under one metric, by the position of the document.

    Some documents may have no outcome; for `explained` of them the `remarks` give the reason.
    """

    name: str
    outcomes: Mapping[int, Outcome]
    remarks: tuple[str, ...] = ()
    explained: int = 0


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The entry and number of each document's problem, and the pairs of positions of schemas.

    `tags` holds the tags of the problems that have any, by position. `marks` are all tags that were
    checked, even if no problem has them.
    """

    problems: tuple[tuple[str, int], ...]
    schemas: tuple[tuple[int, int], ...]
    remarks: tuple[str, ...] = ()
    tags: Mapping[int, frozenset[str]] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Task:
    """The documents of one name in a log, in order, and their outcomes by method.

    `arrangement` says which of them make schemas and `mode` what was guessed, if the log knows.
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
    """The answer set of a task in a log under one metric of the program that wrote it.

    `model` is the name in the log, and `mode` what was guessed; both are empty if unknown.
    `documents` are the problems of the answers, in their order.
    """

    task: str
    method: str
    model: str
    answer_set: AnswerSet
    mode: str = ""
    documents: tuple[Document, ...] = field(default=(), compare=False)


def counted(number: int, noun: str) -> str:
    """Format a count with its noun in singular or plural.

    >>> counted(1, "document"), counted(2, "document")
    ('1 document', '2 documents')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def some(names: Iterable[object], most: int = 5) -> str:
    """List the first few names, and an ellipsis for the others.

    >>> some("abcdefg", 3), some("ab")
    ('a, b, c, …', 'a, b')
    """
    listed = [text if len(text := str(name)) <= _SHOWN else f"{text[:_SHOWN]}…" for name in names]
    return ", ".join([*listed[:most], *(["…"] if len(listed) > most else [])])


def short(value: object) -> str:
    """Return the repr of a value, cut if it is long.

    >>> short("owls"), len(short("owls" * 1000))
    ("'owls'", 81)
    """
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def distinct(documents: Iterable[Document]) -> tuple[dict[int, Document], list[Document]]:
    """Return the documents by number, and the repeated ones.

    Programs that run on several machines may log a document twice. Different documents with the
    same number are an error: then the file holds two runs.
    """
    by_number: dict[int, Document] = {}
    again: list[Document] = []
    for document in documents:
        before = by_number.setdefault(document.number, document)
        if before is document:
            continue
        if before.fields != document.fields:
            raise MetricError(
                f"{document.location}: document {document.number} differs from that in "
                f"{before.location}; give the log of one run at a time"
            )
        again.append(document)
    return by_number, again


def verdict_of(value: object) -> bool | None:
    """Read a value of a metric as solved or failed; None for an abstention.

    >>> verdict_of(1.0), verdict_of("I"), verdict_of("")
    (True, False, None)
    """
    key = value.strip().lower() if isinstance(value, str) else value
    if not isinstance(key, str | int | float) or key not in _VERDICTS:
        raise ValueError(f"{short(value)} is neither solved nor failed")
    return _VERDICTS[key]


def only_solved(solved: bool | None) -> Outcome:
    """Make an outcome for a problem if only its verdict is known.

    >>> only_solved(False).verdict.value, only_solved(False).has_choice
    ('failed', False)
    """
    return Outcome((), None if solved is None else int(not solved), 0, 0.0, has_choice=False)


def compared(costs: Sequence[float], right: int | None) -> Outcome:
    """Decide by costs; if all are infinite, the problem is undecided.

    >>> compared((math.inf, 2.5), right=1).margin, compared((math.inf, math.inf), right=1).margin
    (inf, 0.0)
    """
    if math.isinf(min(costs)):
        return Outcome(tuple(costs), None, right, 0.0)
    return decide(costs, right)


def cost_of(log_likelihood: object, location: str) -> float:
    """Convert a log-likelihood, a number or text, to a cost; −∞ is allowed, NaN is not.

    >>> cost_of("-2.5", "log.jsonl:1")
    2.5
    """
    try:
        cost = -float(log_likelihood)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):
        raise MetricError(f"{location}: {short(log_likelihood)} is not a log-likelihood") from None
    if math.isnan(cost) or cost == -math.inf:
        raise MetricError(f"{location}: a log-likelihood of {log_likelihood} is not valid")
    return cost


def by_costs(
    name: str,
    documents: Mapping[int, Document],
    costs: Mapping[int, Sequence[float]],
    solved: Mapping[int, bool | None],
) -> LoggedMethod | None:
    """Make a method with these costs, or None if they contradict what was solved.

    Other programs choose the first of equal options. Here they are undecided, with a remark.
    """
    outcomes: dict[int, Outcome] = {}
    ties = lucky = 0
    for position, verdict in solved.items():
        right = documents[position].right
        if right is not None and (_first_lowest(costs[position]) == right) is not verdict:
            return None
        outcomes[position] = compared(costs[position], right)
        if right is not None and outcomes[position].chosen is None:
            ties += 1
            lucky += verdict is True
    remark = f"{counted(ties, 'tie')}, of which the log counts {lucky} as solved"
    return LoggedMethod(name, outcomes, remarks=(remark,) if ties else ())


def by_verdicts(name: str, solved: Mapping[int, bool | None]) -> LoggedMethod:
    """Make a method if only the verdicts are known."""
    outcomes = {position: only_solved(verdict) for position, verdict in solved.items()}
    remark = "the log says what was solved but not which option was chosen"
    return LoggedMethod(name, outcomes, (remark,))


def labels_of(
    documents: Mapping[int, Document],
    costs: Mapping[int, Sequence[float]],
    solved: Mapping[int, bool | None],
    rules: Sequence[Callable[[Document], int | None]],
) -> dict[int, int] | None:
    """Return the right options, by the first rule that agrees with the log, or None.

    The first rule is reliable: if it knows all labels and contradicts the log, the costs are wrong.
    If no rule applies and there are two options, the label follows from the preferred option and
    whether it was right.
    """
    for rule in rules:
        labels = {
            position: label
            for position in solved
            if (label := rule(documents[position])) is not None
        }
        is_known = len(labels) == len(solved)
        if is_known and all(
            _agrees(labels[position], costs[position], solved[position]) for position in solved
        ):
            return labels
        if is_known and rule is rules[0]:
            return None
    if any(len(costs[position]) != 2 and not solved[position] for position in solved):
        return None
    return {
        position: preferred if verdict else 1 - preferred
        for position, verdict in solved.items()
        for preferred in [_first_lowest(costs[position])]
    }


def _agrees(label: int, costs: Sequence[float], solved: bool | None) -> bool:
    return 0 <= label < len(costs) and (_first_lowest(costs) == label) is solved


def _first_lowest(costs: Sequence[float]) -> int:
    return list(costs).index(min(costs))


def statement_of(document: Document) -> str:
    """Return the text of a problem with a blank for its options, or empty if the log has none.

    >>> fields = {"sentence": "The _ had room."}
    >>> statement_of(Document(0, "line 1", fields, ("box", "bag")))
    'The ___ had room.'
    >>> sentences = "The box had room.", "The bag had room."
    >>> statement_of(Document(0, "line 1", {}, ("box", "bag"), sentences))
    'The ___ had room.'
    """
    text = document.fields.get("sentence")
    if isinstance(text, str) and text.count("_") == 1:
        return text.replace("_", BLANK)
    texts = document.sentences
    if len(set(texts)) < 2:
        return ""
    start = min(shared_start(texts[0], other) for other in texts[1:])
    start = texts[0].rfind(" ", 0, start) + 1
    part = differing(texts)[0]
    return f"{texts[0][:start]}{BLANK}{texts[0][start + len(part) :]}"


def differing(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the part of each text that differs from the others, in whole words.

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
    # Do not split words: «can» and «cannot» have no common end.
    end = len(tail) - tail.find(" ") if " " in tail else 0
    return tuple(text[: len(text) - end].strip() for text in rest)
