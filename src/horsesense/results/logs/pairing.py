"""Which documents of a log make a schema.

In this order: what the caller says (a field with equal values, or their order); the importers,
which know the rows of published files and of our own exports; a field `schema`; likeness, where
rows of a known kind lack their ids. Otherwise every document is a problem without a schema.
Neighbours are never paired silently.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from os.path import commonprefix
from typing import Any

from horsesense.datasets.importers import Format, SourceFile, guess_format, open_import
from horsesense.datasets.importers.neighbours import alike_pairs, twins_of_neighbours
from horsesense.datasets.recovery import ASSUMED, Group, Journal, RawProblem
from horsesense.errors import FileError, MetricError
from horsesense.results.logs.document import Arrangement, Document, LoggedProblem, counted, some
from horsesense.schema import BLANK, Grid, Header, Mode, modes, problem_tags, schemas
from horsesense.schema import problems as problems_of
from horsesense.schema.material import PROBLEMS

_SCHEMA = "schema"
_WINOGRAD = ("text", "pronoun", "pronoun_loc", "options")
# Rows of these are claims about one option each, and so no problems.
_CLAIMS = frozenset({"superglue-wsc", "wnli"})
_TABLE = "table-jsonl"
# What stands between the names of an entry's problems.
_BETWEEN = ", "
_NO_SCHEMAS = (
    "nothing says which documents make a schema; --group-by names a field that two have in "
    "common, and --consecutive takes them two by two"
)


def arranged(
    documents: Sequence[Document], *, group_by: str = "", consecutive: bool = False
) -> Arrangement:
    """The problems that the documents are, and the schemas that they make."""
    if group_by and consecutive:
        raise MetricError("documents are paired by a field or by their order, not by both")
    if group_by:
        return by_field(documents, group_by)
    if consecutive:
        return by_order(documents)
    has_schemas = all(document.fields.get(_SCHEMA) for document in documents)
    found = _by_importer(documents, has_schemas)
    if found is None:
        found = by_field(documents, _SCHEMA) if has_schemas else _by_likeness(documents)
    return found


def _file(rows: Iterable[Mapping[str, Any]]) -> SourceFile:
    """The rows as a file, a row on each line."""
    try:
        lines = [json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows]
    except RecursionError as error:
        raise FileError("a document of the log is nested too deeply") from error
    return SourceFile("documents", "".join(lines).encode("utf-8", "replace"))


def _by_importer(documents: Sequence[Document], has_schemas: bool) -> Arrangement | None:
    """The entries that an importer makes of the rows; None where none knows which belong together.

    Problems are joined with documents by the line they stand on.
    """
    file = _file(document.fields for document in documents)
    read = _groups(file)
    if read is None:
        return None
    format_, groups = read
    if format_.name == _TABLE and not has_schemas:
        return None
    places = {problem.name: problem.line - 1 for group in groups for problem in group.problems}
    modes_of = {group.id: group.mode for group in groups}
    reading = open_import(file, Header("log"), format_name=format_.name, keep_going=True)
    problems: dict[int, LoggedProblem] = {}
    pairs: list[tuple[int, int]] = []
    try:
        for entry in reading:
            at = [places[name] for name in dict(entry.extras)[PROBLEMS].split(_BETWEEN)]
            numbers = own_numbers([documents[place] for place in at], entry.id)
            mode = modes_of[entry.id] if modes_of[entry.id] in modes(entry.grid) else Mode.BY_ANSWER
            tags = problem_tags(entry, entry.grid, mode, len(at))
            for place, number, own in zip(at, numbers, tags, strict=True):
                problems[place] = LoggedProblem(entry.id, number, own)
            pairs += [(at[a], at[b]) for a, b in _pairs(entry.grid, mode)]
    except FileError:
        return None
    found = _complete(documents, problems, pairs, [issue.odd for issue in reading.journal.faults])
    assumed = [
        f"nothing marks twins: {one.told}"
        for one in reading.paired
        if one.twins.issue in ASSUMED and one.alone < one.sizes.total()
    ]
    return Arrangement(found.problems, found.schemas, (*assumed, *found.remarks))


def _groups(file: SourceFile) -> tuple[Format, list[Group]] | None:
    """The problems that belong together, if each comes from a row of its own."""
    try:
        format_ = guess_format(file)
        groups = list(format_.read(file, Journal(), ()))
    except FileError:
        return None
    found = [problem for group in groups for problem in group.problems]
    is_one_each = len({one.line for one in found}) == len(found) > 0
    is_fit = format_.name not in _CLAIMS and not any(_BETWEEN in one.name for one in found)
    return (format_, groups) if is_fit and is_one_each else None


def _pairs(grid: Grid, mode: Mode) -> list[tuple[int, int]]:
    """The pairs of problems that make the schemas of a grid."""
    found = problems_of(grid, mode)
    return [(found.index(first), found.index(second)) for first, second in schemas(grid, mode)]


def _complete(
    documents: Sequence[Document],
    problems: Mapping[int, LoggedProblem],
    pairs: Sequence[tuple[int, int]],
    faults: Sequence[str],
) -> Arrangement:
    """The arrangement, with the documents of which nothing was made as problems for themselves."""
    lost = [at for at in range(len(documents)) if at not in problems]
    alone = len(problems.keys() - {at for pair in pairs for at in pair})
    remarks = []
    if lost:
        numbers = some(documents[at].number for at in lost)
        why = f" ({faults[0]})" if faults else ""
        remarks.append(f"{counted(len(lost), 'document')} not recognised{why}: {numbers}")
    if alone + len(lost):
        remarks.append(f"{counted(alone + len(lost), 'problem')} without a schema")
    by_itself = {at: LoggedProblem(f"document-{documents[at].number}", 1) for at in lost}
    everything = {**problems, **by_itself}
    ordered = tuple(everything[at] for at in range(len(documents)))
    return Arrangement(ordered, tuple(pairs), tuple(remarks))


def _by_likeness(documents: Sequence[Document]) -> Arrangement:
    """Twins that have the same options and are much alike; the WSC's are neighbours besides."""
    if all(_is_winograd(document.fields) for document in documents):
        groups = _found(documents, _winograd_row, twins_of_neighbours)
    else:
        groups = _found(documents, lambda one: one.fields, _alike)
        groups = groups or _found(documents, _sentences_row, _alike)
    problems: dict[int, LoggedProblem] = {}
    pairs: list[tuple[int, int]] = []
    for group in groups:
        at = sorted(problem.line - 1 for problem in group.problems)
        entry = f"document-{documents[at[0]].number}"
        problems |= {place: LoggedProblem(entry, number) for number, place in enumerate(at, 1)}
        pairs += pairwise(at)
    found = _complete(documents, problems if pairs else {}, pairs, ())
    if not pairs:
        alone = f"{counted(len(documents), 'problem')} without a schema"
        return Arrangement(found.problems, (), (_NO_SCHEMAS, alone))
    remark = (
        f"nothing marks twins; {counted(len(pairs), 'pair')} of documents that are much alike, "
        "with the same options, were taken for schemas"
    )
    return Arrangement(found.problems, found.schemas, (remark, *found.remarks))


def _found(
    documents: Sequence[Document],
    row: Callable[[Document], Mapping[str, Any]],
    twins: Callable[[Sequence[RawProblem]], Iterable[Group]],
) -> list[Group]:
    """The problems that a table of these rows holds, and which of them are twins."""
    read = _groups(_file(map(row, documents)))
    if read is None:
        return []
    found = sorted(
        (problem for group in read[1] for problem in group.problems), key=lambda one: one.line
    )
    # Where all have the same options, as yes and no, these say nothing.
    if len({one.options for one in found}) == 1 or any(len(one.texts) != 2 for one in found):
        return []
    return list(twins(found))


def _alike(found: Sequence[RawProblem]) -> list[Group]:
    return [Group(twins[0].name, twins) for twins in alike_pairs(found)]


def _is_winograd(fields: Mapping[str, Any]) -> bool:
    text, pronoun, start, options = map(fields.get, _WINOGRAD)
    is_text = isinstance(text, str) and isinstance(pronoun, str)
    return is_text and type(start) is int and isinstance(options, list)


def _winograd_row(document: Document) -> Mapping[str, Any]:
    """A row of the WSC as the hub has it, with the blank in the pronoun's place."""
    text, pronoun, start, options = (document.fields[field] for field in _WINOGRAD)
    end = start + len(pronoun)
    return {"text": text[:start] + BLANK + text[end:], "options": options, "label": document.right}


def _sentences_row(document: Document) -> Mapping[str, Any]:
    return {"sentences": list(document.sentences), "label": document.right}


def by_field(documents: Sequence[Document], field: str) -> Arrangement:
    """Documents with the same value of a field make a schema; `a.b` is the field b of a field a."""
    values = [_value(document.fields, field) for document in documents]
    lacking = [
        document.number for document, value in zip(documents, values, strict=True) if value is None
    ]
    if len(lacking) == len(documents):
        known = some(documents[0].fields, 24) if documents else ""
        raise MetricError(f"no document has a field {field!r}; there are: {known}")
    remark = f"{counted(len(lacking), 'document')} without {field}: {some(lacking)}"
    found = by_key(documents, values, f"the same {field}")
    return _remarked(found, [remark] if lacking else [])


def by_order(documents: Sequence[Document]) -> Arrangement:
    """The documents 0 and 1, 2 and 3, and so on, make a schema each, by their numbers."""
    keys = [str(document.number // 2) for document in documents]
    found = by_key(documents, keys, "neighbouring numbers")
    return _remarked(found, ["documents were paired by their order, as was asked for"])


def by_key(documents: Sequence[Document], keys: Sequence[str | None], why: str) -> Arrangement:
    """Two documents with the same key make a schema; one is a problem without a schema."""
    members: dict[Hashable, list[int]] = {}
    for at, key in enumerate(keys):
        members.setdefault(("alone", at) if key is None else key, []).append(at)
    problems: dict[int, LoggedProblem] = {}
    schemas: list[tuple[int, int]] = []
    for name, group in members.items():
        if len(group) > 2:
            which = _places([documents[at].place for at in group])
            raise MetricError(
                f"{which}: {len(group)} documents have {why}, {some([name])}; a schema has two"
            )
        if len(group) == 2:
            schemas.append((group[0], group[1]))
        entry = name if isinstance(name, str) else f"document-{documents[group[0]].number}"
        numbers = own_numbers([documents[at] for at in group], entry)
        problems |= {at: LoggedProblem(entry, n) for at, n in zip(group, numbers, strict=True)}
    alone = sum(len(group) == 1 for group in members.values())
    remark = f"{counted(alone, 'problem')} without a schema"
    ordered = tuple(problems[at] for at in range(len(documents)))
    return Arrangement(ordered, tuple(schemas), (remark,) if alone else ())


def check_distinct(found: Iterable[tuple[Document, LoggedProblem]]) -> None:
    """Refuse two answers to one problem: nobody could tell which of them counts."""
    seen: dict[tuple[str, int], str] = {}
    for document, one in found:
        before = seen.setdefault((one.entry, one.number), document.place)
        if before != document.place:
            name = f"problem {one.number} of {some([one.entry])}"
            raise MetricError(f"{document.place}: {name} stands in {before} too")


def own_numbers(documents: Sequence[Document], entry: str) -> list[int]:
    """The numbers of the problems of an entry: those in our exporters' ids, or their order.

    Such an id is `ENTRY-NUMBER`, so that a problem keeps its number where its twin is missing.
    """
    found: list[int] = []
    for document in documents:
        name, _, number = str(document.fields.get("id", "")).rpartition("-")
        if name == entry and number.isdecimal() and len(number) < 4:
            found.append(int(number))
    is_whole = len(set(found)) == len(documents)
    return found if is_whole else list(range(1, len(documents) + 1))


def _places(places: Sequence[str]) -> str:
    """Several places, what they have in common once.

    >>> _places(["owls.csv:12", "owls.csv:13"]), _places(["a, row 1", "a, row 2"])
    ('owls.csv:12, 13', 'a, row 1, 2')
    """
    shared = commonprefix(places)
    length = max(shared.rfind(":"), shared.rfind(" ")) + 1
    return shared[:length] + some(place[length:] for place in places)


def _value(fields: Mapping[str, Any], field: str) -> str | None:
    """The value of a field as a text; None where there is none."""
    value: Any = fields
    for part in [field] if field in fields else field.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return None if value is None or value == "" else str(value)


def _remarked(arrangement: Arrangement, remarks: Sequence[str]) -> Arrangement:
    return Arrangement(arrangement.problems, arrangement.schemas, (*remarks, *arrangement.remarks))
