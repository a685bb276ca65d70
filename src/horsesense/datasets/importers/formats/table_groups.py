"""The rows of a plain table put together into schemas, with what they say about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from horsesense.datasets.importers.columns import UNUSED, UNUSED_ISSUE
from horsesense.datasets.importers.fitting import fit_id
from horsesense.datasets.importers.formats.table_columns import (
    TABLE_OF_YOUR_OWN,
    Columns,
    columns_of,
)
from horsesense.datasets.importers.formats.table_rows import (
    AMBIGUOUS,
    DOUBLE_STOP,
    RowReader,
    Values,
    first_number,
    flag_in,
    mode_of,
    one_line,
    text_in,
    text_of,
)
from horsesense.datasets.importers.source import BAD_ROW, BadRow
from horsesense.datasets.recovery import BY_MARK, NO_TWINS, Group, Journal, RawProblem, Twins
from horsesense.errors import FileError
from horsesense.schema import FLAGS, Mode

NumberedRow: TypeAlias = tuple[int, Mapping[str, Any]]

_FROM_ZERO, _WHOLE = "labels-from-0", "whole-sentences"
_ID_CHANGED, _DISAGREE = "id-changed", "rows-disagree"
_TAGS_DIFFER = "tags-of-problems"
TWINS = Twins(BY_MARK, "the column that names their schema")
_NO_TWINS = Twins(NO_TWINS, "no column says which rows belong together")
REPAIRS = {DOUBLE_STOP: "the full stop behind a blank goes where options end in their own"}
ISSUES = {
    **UNUSED_ISSUE,
    _FROM_ZERO: "the answers count the options from 0",
    _WHOLE: "there are whole sentences only; the blank is where they differ",
    _ID_CHANGED: "an id had characters in it that ids cannot have",
    _DISAGREE: "rows of the same schema say different things about it; the first is believed",
    _TAGS_DIFFER: "rows of the same schema have different tags; each tag stays with its problem",
    AMBIGUOUS: "an answer is the number of one option and the text of another",
}
_MATERIAL = frozenset({"note", *FLAGS})
# Which answers are right in the four problems of a dyad.
_DYAD = (0, 1, 1, 0)


def groups_of(rows: Sequence[NumberedRow], journal: Journal, file: str) -> Iterable[Group]:
    """Rows with the same schema id together, in the order in which the ids first occur."""
    headings = dict.fromkeys(heading for _, row in rows for heading in row)
    columns = columns_of(headings)
    if rows and not columns.has_problems:
        raise FileError(f"{file}: {_missing(columns)}. {TABLE_OF_YOUR_OWN}")
    reader = RowReader(columns, journal, first_number(columns, [row for _, row in rows]))
    _tell(reader)
    named = columns.roles.get("schema")
    twins = Twins(BY_MARK, f"the column {named!r}") if named else _NO_TWINS
    groups: dict[tuple[str, str], Group] = {}
    for number, (line, row) in enumerate(rows, start=1):
        try:
            _add(reader, groups, number, line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
    for group in groups.values():
        group.is_dyad = _looks_like_dyad(group)
        group.twins = twins
        _settle(group)
    _tell_of_tags(groups.values(), journal)
    return groups.values()


def _missing(columns: Columns) -> str:
    """What keeps a table from being read."""
    if len(columns.options) < 2 and "options" not in columns.roles:
        return "no columns for the options"
    unused = ", ".join(map(repr, columns.unused))
    return f"no column for the text, and nothing is known of {unused}"


def _tell(reader: RowReader) -> None:
    """Say what holds for the whole file."""
    columns, journal = reader.columns, reader.journal
    for heading in columns.unused:
        journal.oddity(UNUSED, 0, "", f"the column {heading!r}", "left out")
    if reader.first == 0:
        journal.step(_FROM_ZERO, 0, "", "the first option is 0", "read so")
    if reader.has_whole_sentences:
        journal.step(_WHOLE, 0, "", "no text with a blank", "the blank is where they differ")


def _add(
    reader: RowReader,
    groups: dict[tuple[str, str], Group],
    number: int,
    line: int,
    row: Mapping[str, Any],
) -> None:
    """Add the problem of a row to its group."""
    values = reader.columns.values(row)
    schema, name = text_in(values, "schema").strip(), text_in(values, "id").strip()
    if "," in name:
        raise BadRow(f"the id {name!r} has a comma in it")
    # A row for itself is no part of the schema that has its name by chance.
    key = (schema, "" if schema else name or str(number))
    group = groups.get(key) or _new_group(schema or key[1], line, reader)
    if not name:
        name = f"{group.id}-{len(group.found) + 1}" if schema else str(number)
    found, mode = reader.found(name, line, row, values), mode_of(values)
    if group.found and mode is not group.mode:
        raise BadRow(f"{mode} in a schema that is solved {group.mode}")
    if "tags" in values:
        found = found._replace(tags=tuple(dict.fromkeys(_tags(values["tags"]))))
    if not _MATERIAL.isdisjoint(values):
        _describe(reader.journal, group, found, values)
    group.mode = mode
    group.found.append(found)
    groups[key] = group


def _new_group(name: str, line: int, reader: RowReader) -> Group:
    fit = fit_id(name)
    if not fit:
        raise BadRow(f"{name!r} cannot be an id")
    if fit != name:
        reader.journal.step(_ID_CHANGED, line, "", repr(name), f"changed into {fit!r}")
    return Group(fit, [])


def _describe(journal: Journal, group: Group, found: RawProblem, values: Values) -> None:
    """Add to a group what a row says about it."""
    note = one_line(text_in(values, "note"), found, journal)
    flags = {flag: told for flag in FLAGS if (told := flag_in(values, flag)) is not None}
    old: dict[str, Any] = {"note": group.note or note, **group.flags}
    new: dict[str, Any] = {"note": note or group.note, **flags}
    for what, value in new.items():
        if old.get(what, value) != value:
            odd = f"{what} is {value!r}, and was {old[what]!r} before"
            journal.oddity(_DISAGREE, found.line, found.name, odd, "the first is believed")
    group.note = group.note or note
    group.flags = flags | group.flags


def _settle(group: Group) -> None:
    """Let the group have the fields that its problems agree in."""
    told: dict[str, set[str]] = {}
    for found in group.found:
        for name, value in found.extras:
            told.setdefault(name, set()).add(value)
    if told:
        group.extras = {name: min(values) for name, values in told.items() if len(values) == 1}
        group.found = [
            one._replace(extras=tuple(pair for pair in one.extras if pair[0] not in group.extras))
            for one in group.found
        ]


def _tell_of_tags(groups: Iterable[Group], journal: Journal) -> None:
    """Say once for the file that tags hold for single problems, if some do."""
    count = sum(len({frozenset(one.tags) for one in group.found}) > 1 for group in groups)
    if count:
        odd = f"not all rows of {count} schema{'' if count == 1 else 's'} have the same tags"
        journal.step(_TAGS_DIFFER, 0, "", odd, "each tag stays with its problem")


def _tags(value: Any) -> list[str]:
    listed = value if isinstance(value, list) else text_of(value, "tags").split(",")
    return [tag for one in listed if (tag := text_of(one, "tags").strip())]


def _looks_like_dyad(group: Group) -> bool:
    """True for four problems by answer with the same options, right as they are in a dyad."""
    return (
        group.mode is Mode.BY_ANSWER
        and tuple(one.right for one in group.found) == _DYAD
        and len({one.options for one in group.found}) == 1
        and len(group.found[0].options) == 2
    )
