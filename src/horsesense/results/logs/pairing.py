"""Find out which documents of a log make a schema.

These are tried in order: what the caller says (a field with equal values, or the order of the
documents); the importers, which know the rows of published files and of our own exports; a field
`schema`; and similarity, for rows of a known kind without ids. If all fail, every document is a
problem without a schema. Neighbours are never paired silently.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from os.path import commonprefix
from typing import Any

from horsesense.datasets.importers import Format, SourceFile, guess_format, open_import
from horsesense.datasets.importers.neighbours import alike_pairs, twins_of_neighbours
from horsesense.datasets.recovery import ASSUMED, Journal, RawEntry, RawProblem
from horsesense.errors import FileError, MetricError
from horsesense.results.logs.document import Arrangement, Document, counted, some
from horsesense.schema import BLANK, Grid, Header, Mode, modes, problem_tags, schemas
from horsesense.schema import problems as problems_of
from horsesense.schema.material import PROBLEMS

_SCHEMA = "schema"
_WINOGRAD = ("text", "pronoun", "pronoun_loc", "options")
# Rows of these formats are claims about one option each, and so not problems.
_CLAIMS = frozenset({"superglue-wsc", "wnli"})
_TABLE = "table-jsonl"
# The separator between the names of an entry's problems.
_BETWEEN = ", "
_NO_SCHEMAS = (
    "cannot tell which documents make a schema; use --group-by with a field that both have in "
    "common, or --consecutive to pair neighbours"
)


def arranged(
    documents: Sequence[Document], *, group_by: str = "", consecutive: bool = False
) -> Arrangement:
    """Identify the problem of each document, and pair the problems to schemas."""
    if group_by and consecutive:
        raise MetricError("documents can be paired by a field or by their order, but not by both")
    if group_by:
        return by_field(documents, group_by)
    if consecutive:
        return by_order(documents)
    has_schemas = all(document.fields.get(_SCHEMA) for document in documents)
    arrangement = _by_importer(documents, has_schemas)
    if arrangement is None:
        arrangement = by_field(documents, _SCHEMA) if has_schemas else _by_likeness(documents)
    return arrangement


def _file(rows: Iterable[Mapping[str, Any]]) -> SourceFile:
    """Write the rows to a file in memory, one per line."""
    try:
        lines = [json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows]
    except RecursionError as error:
        raise FileError("a document of the log is nested too deeply") from error
    return SourceFile("documents", "".join(lines).encode("utf-8", "replace"))


def _by_importer(documents: Sequence[Document], has_schemas: bool) -> Arrangement | None:
    """Let an importer make entries of the rows; None if no importer knows which belong together.

    Problems are matched with documents by their line.
    """
    file = _file(document.fields for document in documents)
    read = _groups(file)
    if read is None:
        return None
    format_, groups = read
    if format_.name == _TABLE and not has_schemas:
        return None
    positions = {problem.name: problem.line - 1 for group in groups for problem in group.problems}
    modes_of = {group.id: group.mode for group in groups}
    reading = open_import(file, Header("log"), format_name=format_.name, keep_going=True)
    problems: dict[int, tuple[str, int]] = {}
    tags: dict[int, frozenset[str]] = {}
    pairs: list[tuple[int, int]] = []
    try:
        for entry in reading:
            names = dict(entry.extras)[PROBLEMS].split(_BETWEEN)
            members = [positions[name] for name in names]
            numbers = own_numbers([documents[position] for position in members], entry.id)
            mode = modes_of[entry.id] if modes_of[entry.id] in modes(entry.grid) else Mode.BY_ANSWER
            problems |= zip(members, ((entry.id, number) for number in numbers), strict=True)
            tags |= zip(members, problem_tags(entry, entry.grid, mode, len(members)), strict=True)
            pairs += [(members[a], members[b]) for a, b in _pairs(entry.grid, mode)]
    except FileError:
        return None
    faults = [issue.odd for issue in reading.journal.faults]
    assumed = [
        f"twins are not marked: {paired.message}"
        for paired in reading.paired
        if paired.twins.issue in ASSUMED and paired.alone < paired.sizes.total()
    ]
    return _remarked(replace(_complete(documents, problems, pairs, faults), tags=tags), assumed)


def _groups(file: SourceFile) -> tuple[Format, list[RawEntry]] | None:
    """Read groups of problems that belong together, if each has a row of its own."""
    try:
        format_ = guess_format(file)
        groups = list(format_.read(file, Journal(), ()))
    except FileError:
        return None
    problems = [problem for group in groups for problem in group.problems]
    is_one_each = len({problem.line for problem in problems}) == len(problems) > 0
    has_plain_names = not any(_BETWEEN in problem.name for problem in problems)
    is_fit = format_.name not in _CLAIMS and has_plain_names
    return (format_, groups) if is_fit and is_one_each else None


def _pairs(grid: Grid, mode: Mode) -> list[tuple[int, int]]:
    """Return the pairs of problems that make the schemas of a grid."""
    problems = problems_of(grid, mode)
    return [
        (problems.index(first), problems.index(second)) for first, second in schemas(grid, mode)
    ]


def _complete(
    documents: Sequence[Document],
    problems: Mapping[int, tuple[str, int]],
    pairs: Sequence[tuple[int, int]],
    faults: Sequence[str],
) -> Arrangement:
    """Complete the arrangement: unknown documents become single problems."""
    unknown = [position for position in range(len(documents)) if position not in problems]
    alone = len(problems.keys() - {position for pair in pairs for position in pair})
    remarks = []
    if unknown:
        numbers = some(documents[position].number for position in unknown)
        reason = f" ({faults[0]})" if faults else ""
        remarks.append(f"{counted(len(unknown), 'document')} not recognized{reason}: {numbers}")
    if alone + len(unknown):
        remarks.append(f"{counted(alone + len(unknown), 'problem')} without a schema")
    by_itself = {position: (f"document-{documents[position].number}", 1) for position in unknown}
    complete = {**problems, **by_itself}
    ordered = tuple(complete[position] for position in range(len(documents)))
    return Arrangement(ordered, tuple(pairs), tuple(remarks))


def _by_likeness(documents: Sequence[Document]) -> Arrangement:
    """Pair similar documents with the same options; in the WSC, only neighbours."""
    if all(_is_winograd(document.fields) for document in documents):
        groups = _twins(documents, _winograd_row, twins_of_neighbours)
    else:
        groups = _twins(documents, lambda document: document.fields, _alike)
        groups = groups or _twins(documents, _sentences_row, _alike)
    problems: dict[int, tuple[str, int]] = {}
    pairs: list[tuple[int, int]] = []
    for group in groups:
        members = sorted(problem.line - 1 for problem in group.problems)
        entry = f"document-{documents[members[0]].number}"
        for number, position in enumerate(members, 1):
            problems[position] = entry, number
        pairs += pairwise(members)
    arrangement = _complete(documents, problems if pairs else {}, pairs, ())
    if not pairs:
        alone = f"{counted(len(documents), 'problem')} without a schema"
        return Arrangement(arrangement.problems, (), (_NO_SCHEMAS, alone))
    remark = (
        f"twins are not marked; {counted(len(pairs), 'pair')} of similar documents "
        "with the same options were taken for schemas"
    )
    return _remarked(arrangement, [remark])


def _twins(
    documents: Sequence[Document],
    row: Callable[[Document], Mapping[str, Any]],
    twins: Callable[[Sequence[RawProblem]], Iterable[RawEntry]],
) -> list[RawEntry]:
    """Read the rows as a table of problems, and group twins."""
    read = _groups(_file(map(row, documents)))
    if read is None:
        return []
    problems = sorted(
        (problem for group in read[1] for problem in group.problems),
        key=lambda problem: problem.line,
    )
    # If all have the same options, such as yes and no, they do not identify twins.
    are_alike = len({problem.options for problem in problems}) == 1
    has_odd_blanks = any(len(problem.texts) != 2 for problem in problems)
    return [] if are_alike or has_odd_blanks else list(twins(problems))


def _alike(problems: Sequence[RawProblem]) -> list[RawEntry]:
    return [RawEntry(twins[0].name, twins) for twins in alike_pairs(problems)]


def _is_winograd(fields: Mapping[str, Any]) -> bool:
    text, pronoun, start, options = map(fields.get, _WINOGRAD)
    is_text = isinstance(text, str) and isinstance(pronoun, str)
    return is_text and type(start) is int and isinstance(options, list)


def _winograd_row(document: Document) -> Mapping[str, Any]:
    """Make a row of the WSC as on the Hugging Face hub, with a blank for the pronoun."""
    text, pronoun, start, options = (document.fields[field] for field in _WINOGRAD)
    end = start + len(pronoun)
    return {"text": text[:start] + BLANK + text[end:], "options": options, "label": document.right}


def _sentences_row(document: Document) -> Mapping[str, Any]:
    return {"sentences": list(document.sentences), "label": document.right}


def by_field(documents: Sequence[Document], field: str) -> Arrangement:
    """Pair documents with the same value of a field; `a.b` is the field b of a field a."""
    values = [_value(document.fields, field) for document in documents]
    missing = [
        document.number for document, value in zip(documents, values, strict=True) if value is None
    ]
    if len(missing) == len(documents):
        known = some(documents[0].fields, 24) if documents else ""
        raise MetricError(f"no document has a field {field!r}; there are: {known}")
    remark = f"{counted(len(missing), 'document')} without {field}: {some(missing)}"
    arrangement = by_key(documents, values, f"the same {field}")
    return _remarked(arrangement, [remark] if missing else [])


def by_order(documents: Sequence[Document]) -> Arrangement:
    """Pair the documents 0 and 1, 2 and 3, and so on, by their numbers."""
    keys = [str(document.number // 2) for document in documents]
    arrangement = by_key(documents, keys, "neighbouring numbers")
    return _remarked(arrangement, ["documents were paired by their order, as requested"])


def by_key(documents: Sequence[Document], keys: Sequence[str | None], shared: str) -> Arrangement:
    """Pair documents with the same key; single ones are problems without a schema.

    `shared` says in errors what documents with the same key have in common.
    """
    members: dict[Hashable, list[int]] = {}
    for position, key in enumerate(keys):
        members.setdefault(("alone", position) if key is None else key, []).append(position)
    problems: dict[int, tuple[str, int]] = {}
    schemas: list[tuple[int, int]] = []
    for name, group in members.items():
        if len(group) > 2:
            which = _join_locations([documents[position].location for position in group])
            raise MetricError(
                f"{which}: {len(group)} documents have {shared}, {some([name])}; a schema has two"
            )
        if len(group) == 2:
            schemas.append((group[0], group[1]))
        entry = name if isinstance(name, str) else f"document-{documents[group[0]].number}"
        numbers = own_numbers([documents[position] for position in group], entry)
        problems |= zip(group, ((entry, number) for number in numbers), strict=True)
    alone = sum(len(group) == 1 for group in members.values())
    remark = f"{counted(alone, 'problem')} without a schema"
    ordered = tuple(problems[position] for position in range(len(documents)))
    return Arrangement(ordered, tuple(schemas), (remark,) if alone else ())


def check_distinct(problems: Iterable[tuple[Document, tuple[str, int]]]) -> None:
    """Raise an error for two answers to one problem, as it is unclear which one counts."""
    locations: dict[tuple[str, int], str] = {}
    for document, (entry, number) in problems:
        before = locations.setdefault((entry, number), document.location)
        if before != document.location:
            name = f"problem {number} of {some([entry])}"
            raise MetricError(f"{document.location}: {name} is in {before} too")


def own_numbers(documents: Sequence[Document], entry: str) -> list[int]:
    """Number the problems of an entry: by the ids of our exporters, or by their order.

    Such an id is `ENTRY-NUMBER`, so a problem keeps its number if its twin is missing.
    """
    numbers: list[int] = []
    for document in documents:
        name, _, number = str(document.fields.get("id", "")).rpartition("-")
        if name == entry and number.isdecimal() and len(number) < 4:
            numbers.append(int(number))
    is_whole = len(set(numbers)) == len(documents)
    return numbers if is_whole else list(range(1, len(documents) + 1))


def _join_locations(locations: Sequence[str]) -> str:
    """Join several locations, with their common start once.

    >>> _join_locations(["owls.csv:12", "owls.csv:13"]), _join_locations(["a, row 1", "a, row 2"])
    ('owls.csv:12, 13', 'a, row 1, 2')
    """
    shared = commonprefix(locations)
    length = max(shared.rfind(":"), shared.rfind(" ")) + 1
    return shared[:length] + some(location[length:] for location in locations)


def _value(fields: Mapping[str, Any], field: str) -> str | None:
    """Return the value of a field as a text, or None."""
    value: Any = fields
    for part in [field] if field in fields else field.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return None if value is None or value == "" else str(value)


def _remarked(arrangement: Arrangement, remarks: Sequence[str]) -> Arrangement:
    """Put more remarks before those of the arrangement."""
    return replace(arrangement, remarks=(*remarks, *arrangement.remarks))
