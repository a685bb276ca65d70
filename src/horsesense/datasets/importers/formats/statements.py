"""True and false statements, most of them in pairs: Com2Sense and the contrast set of CREAK.

A pair of one true and one false statement is a minimal pair: which of the two makes sense? Its
sentences are ordered by their checksums. Any other statement is judged by itself:

    STATEMENT This statement is ___.

Com2Sense names the other statement of each pair in a second file. Without it, every
statement is judged by itself. Pairs of CREAK have a `pair_id`; statements of one `pair_id` that are
not one true and one false are one cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import Companions, Format, fit_id, fit_tag
from horsesense.datasets.importers.formats.glue import TRUE_OR_FALSE, read_labelled
from horsesense.datasets.importers.formats.minimal_pairs import ISSUES, in_order, report_order
from horsesense.datasets.importers.source import (
    BAD_ROW,
    BadLabelError,
    BadRow,
    SourceFile,
    texts_of,
)
from horsesense.datasets.recovery import NO_TWINS, Journal, RawEntry, RawProblem, Twins, trimmed
from horsesense.schema import CLUSTER, with_full_stop

_SAME, _ALONE, _NOT_ONE_TRUE = "same-sentences", "no-complement", "not-one-true"
_UNKNOWN = "unknown-id"
_STATEMENT_ISSUES = {
    **ISSUES,
    _SAME: "the two statements of a pair are the same",
    _ALONE: "no other statement belongs to it; read as a true-or-false problem",
    _NOT_ONE_TRUE: "statements that belong together are not one true and one false;"
    " problems of true or false",
}
_COMPARED = Twins(NO_TWINS, "the two statements of a pair make one minimal pair")
_JUDGED = Twins(NO_TWINS, "no file of pairs is given (--with), so each statement is judged alone")
_LABELS: Mapping[object, bool | None] = {None: None, "": None, "true": True, "false": False}


class _Statement(NamedTuple):
    """A row: a statement that is true, false, or not labelled."""

    name: str
    line: int
    text: str
    is_right: bool | None
    pair: str = ""
    tags: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()


def boolean_label(label: object) -> bool | None:
    """Return whether a label says true; None if there is none.

    >>> boolean_label("True"), boolean_label(False), boolean_label(None)
    (True, False, None)
    """
    known = str(label).strip().lower() if isinstance(label, bool | str) else label
    if isinstance(known, list | dict) or known not in _LABELS:
        raise BadLabelError(f"the label {label!r} is neither true nor false")
    return _LABELS[known]


def _entries(statements: Iterable[_Statement], journal: Journal) -> Iterator[RawEntry]:
    """The entries of statements, those of one pair together."""
    groups: dict[str, list[_Statement]] = {}
    for statement in statements:
        groups.setdefault(statement.pair, []).append(statement)
    for pair, members in groups.items():
        texts = {" ".join(member.text.split()) for member in members}
        if len(members) == 2 and len(texts) == 1:
            yield from _same(pair, members, journal)
        elif len(members) == 2 and {member.is_right for member in members} in _COMPLEMENTS:
            yield _minimal_pair(pair, members)
        else:
            yield from _judged(pair, members, journal)


_COMPLEMENTS: Sequence[set[bool | None]] = ({True, False}, {None})


def _minimal_pair(pair: str, members: Sequence[_Statement]) -> RawEntry:
    first, second = sorted(members, key=lambda member: not member.is_right)
    options, right = in_order(first.text, second.text)
    label = None if first.is_right is None else right
    name = "+".join(member.name for member in members)
    problem = RawProblem(name, members[0].line, ("", ""), options, label)
    return RawEntry(
        pair, [problem], tags=_shared_tags(members), extras=_fields(members), twins=_COMPARED
    )


def _same(pair: str, members: Sequence[_Statement], journal: Journal) -> Iterator[RawEntry]:
    """The statement that a pair has twice, unless it is true in one row and false in the other."""
    first, second = members
    odd = f"{second.name} is the same statement"
    if first.is_right is second.is_right:
        journal.oddity(_SAME, first.line, first.name, odd, "the second left out", left_out=1)
        yield from _judged(pair, [first], journal)
    else:
        odd = f"{odd}, and one is true and one is false"
        journal.oddity(_SAME, first.line, first.name, odd, "both left out", left_out=2)


def _judged(pair: str, members: Sequence[_Statement], journal: Journal) -> Iterator[RawEntry]:
    """Each statement by itself; several are one cluster."""
    cluster = (f"{CLUSTER}{pair}",) if len(members) > 1 else ()
    true = sum(member.is_right is True for member in members)
    issue = _NOT_ONE_TRUE if len(members) > 1 else _ALONE
    odd = f"{true} of {len(members)} statements are true" if len(members) > 1 else ""
    for member in members:
        journal.oddity(issue, member.line, member.name, odd, "judged by itself")
        yield _alone(member, (TRUE_OR_FALSE, *cluster), _COMPARED)


def _alone(statement: _Statement, tags: tuple[str, ...], twins: Twins) -> RawEntry:
    """A statement as a problem of true or false."""
    name, line = fit_id(statement.name), statement.line
    texts = (f"{with_full_stop(statement.text.strip())} This statement is ", ".")
    right = None if statement.is_right is None else int(not statement.is_right)
    problem = RawProblem(name, line, texts, (("true",), ("false",)), right)
    return RawEntry(
        name,
        [problem],
        tags=(*_shared_tags([statement]), *tags),
        extras=_fields([statement]),
        twins=twins,
    )


def _shared_tags(members: Sequence[_Statement]) -> tuple[str, ...]:
    first, *others = members
    return tuple(tag for tag in first.tags if all(tag in other.tags for other in others))


def _fields(members: Iterable[_Statement]) -> dict[str, str]:
    """The fields of statements; where they differ, one after the other."""
    values: dict[str, dict[str, None]] = {}
    for member in members:
        for name, value in member.fields:
            if cleaned := trimmed(value, lambda step: None):
                values.setdefault(name, {})[cleaned] = None
    return {name: " / ".join(known) for name, known in values.items()}


_FIELDS = ("id", "sent", "domain", "scenario")
_KNOWN = ("label", "numeracy")


def _looks_like(file: SourceFile) -> bool:
    return are_columns_of(file.first_object, _FIELDS, _KNOWN)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    rows = file.json_objects(journal) if file.is_json_list else file.json_lines(journal)
    statements = read_labelled(rows, journal, _com2sense)
    if not companions:
        return [_alone(statement, (TRUE_OR_FALSE,), _JUDGED) for statement in statements]
    report_order(journal, "one sentence of each pair makes sense")
    partners: dict[str, str] = {}
    for companion in companions:
        partners |= _partners(companion, statements, journal)
    return list(_entries(_paired(statements, partners), journal))


def _com2sense(line: int, row: dict[str, Any]) -> _Statement:
    name, text, domain, scenario = texts_of(row, *_FIELDS)
    numeracy = "numeracy" if boolean_label(row.get("numeracy")) else ""
    tags = tuple(filter(None, (fit_tag(domain), fit_tag(scenario), numeracy)))
    return _Statement(_id(name), line, text, boolean_label(row.get("label")), tags=tags)


def _id(name: str) -> str:
    if not (fit := fit_id(name)):
        raise BadRow(f"{name!r} cannot be an id")
    return fit


def _partners(
    companion: SourceFile, statements: Iterable[_Statement], journal: Journal
) -> dict[str, str]:
    """The other statement of each pair, by the id of the first; ids of other files are reported."""
    listed = companion.json()
    if not isinstance(listed, dict) or not all(isinstance(one, str) for one in listed.values()):
        odd = f"{companion.name} is not a JSON object that maps each id to the id of its complement"
        journal.fault(BAD_ROW, 0, "", odd)
        return {}
    names = {statement.name for statement in statements}
    partners = {fit_id(name): fit_id(other) for name, other in listed.items()}
    if unknown := (partners.keys() | set(partners.values())) - names:
        odd = f"{len(unknown)} of its ids are not those of usable statements: {min(unknown)}, …"
        journal.oddity(_UNKNOWN, 0, "", f"{companion.name}: {odd}", "ignored")
    return partners


def _paired(statements: Sequence[_Statement], partners: Mapping[str, str]) -> Iterator[_Statement]:
    """The statements with their pairs, called by the statement that comes first."""
    places = {statement.name: place for place, statement in enumerate(statements)}
    for statement in statements:
        other = partners.get(statement.name, "")
        is_mutual = other in places and partners.get(other, statement.name) == statement.name
        names = (statement.name, other) if is_mutual else (statement.name,)
        yield statement._replace(pair=min(names, key=places.__getitem__))


FORMAT_COM2SENSE = Format(
    name="com2sense",
    title="Com2Sense, JSON",
    looks_like=_looks_like,
    read=_read,
    twins=_JUDGED,
    issues={
        **_STATEMENT_ISSUES,
        _UNKNOWN: "the file of pairs names statements that are not in the file",
    },
    companions="the file of pairs, which maps each id to that of its complement",
)


_FIELDS_CREAK = ("ex_id", "sentence", "entity")
_KNOWN_CREAK = ("label", "pair_id", "explanation", "en_wiki_pageid", "entity_mention_loc")
_EMPTY = "n/a"


def _looks_like_creak(file: SourceFile) -> bool:
    return not file.is_json_list and are_columns_of(file.first_object, _FIELDS_CREAK, _KNOWN_CREAK)


def _read_creak(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    statements = read_labelled(file.json_lines(journal), journal, _creak)
    paired = [statement for statement in statements if statement.pair]
    alone = [statement for statement in statements if not statement.pair]
    if paired:
        report_order(journal, "one sentence of each pair is true")
    return [
        *_entries(paired, journal),
        *(_alone(statement, (TRUE_OR_FALSE,), _NO_PAIRS) for statement in alone),
    ]


_NO_PAIRS = Twins(NO_TWINS, "statements without a pair_id are judged alone")


def _creak(line: int, row: dict[str, Any]) -> _Statement:
    name, text, entity = texts_of(row, *_FIELDS_CREAK)
    pair = row.get("pair_id")
    if pair is not None and not isinstance(pair, str):
        raise BadRow("'pair_id' is not a string")
    explanation = row.get("explanation")
    fields = (
        ("x-entity", entity),
        ("x-explanation", explanation if isinstance(explanation, str) else ""),
    )
    known = tuple((field, value) for field, value in fields if value.strip() != _EMPTY)
    is_true = boolean_label(row.get("label"))
    return _Statement(_id(name), line, text, is_true, fit_id(pair or ""), fields=known)


FORMAT_CREAK = Format(
    name="creak",
    title="CREAK and its contrast set, JSON lines",
    looks_like=_looks_like_creak,
    read=_read_creak,
    twins=_COMPARED,
    issues=_STATEMENT_ISSUES,
)
