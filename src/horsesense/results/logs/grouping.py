"""Schemas by what somebody says of the documents: a field with equal values, or their order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from os.path import commonprefix
from typing import Any

from horsesense.errors import MetricError
from horsesense.results.logs.document import Arrangement, Document, Problem, counted, some


def by_field(documents: Sequence[Document], field: str) -> Arrangement:
    """Documents with the same value of a field make a schema; `a.b` is the field b of a field a."""
    values = [_value(one.fields, field) for one in documents]
    lacking = [one.number for one, value in zip(documents, values, strict=True) if value is None]
    if len(lacking) == len(documents):
        known = some(documents[0].fields, 24) if documents else ""
        raise MetricError(f"no document has a field {field!r}; there are: {known}")
    remark = f"{counted(len(lacking), 'document')} without {field}: {some(lacking)}"
    found = by_key(documents, values, f"the same {field}")
    return _remarked(found, [remark] if lacking else [])


def by_order(documents: Sequence[Document]) -> Arrangement:
    """The documents 0 and 1, 2 and 3, and so on, make a schema each, by their numbers."""
    keys = [str(one.number // 2) for one in documents]
    found = by_key(documents, keys, "neighbouring numbers")
    return _remarked(found, ["documents were paired by their order, as was asked for"])


def by_key(documents: Sequence[Document], keys: Sequence[str | None], why: str) -> Arrangement:
    """Two documents with the same key make a schema; one is a problem without a schema."""
    members: dict[Hashable, list[int]] = {}
    for at, key in enumerate(keys):
        members.setdefault(("alone", at) if key is None else key, []).append(at)
    problems: dict[int, Problem] = {}
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
        problems |= {at: Problem(entry, n) for at, n in zip(group, numbers, strict=True)}
    alone = sum(len(group) == 1 for group in members.values())
    remark = f"{counted(alone, 'problem')} without a schema"
    ordered = tuple(problems[at] for at in range(len(documents)))
    return Arrangement(ordered, tuple(schemas), (remark,) if alone else ())


def check_distinct(found: Iterable[tuple[Document, Problem]]) -> None:
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
    for one in documents:
        name, _, number = str(one.fields.get("id", "")).rpartition("-")
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


def _remarked(found: Arrangement, remarks: Sequence[str]) -> Arrangement:
    return Arrangement(found.problems, found.schemas, (*remarks, *found.remarks))
