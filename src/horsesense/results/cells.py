"""The values in the tables of a document, each looked at; a misfit is told with its place.

Columns are read as a whole, which is several times as quick as value by value. What is wrong is
told with its path, such as `tables.answers.rows[3].costs[0]`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from difflib import get_close_matches
from itertools import accumulate, chain
from math import inf, isnan
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from horsesense.errors import FileError
from horsesense.results.plan import Plan
from horsesense.results.rows import Kind

Column: TypeAlias = Sequence[Any]
Path: TypeAlias = tuple[int | str, ...]

# JSON has no infinity.
INFINITE = {"inf": inf, "-inf": -inf}
# What databases and other programs take for a whole number.
_LEAST, _MOST = -(2**63), 2**63 - 1
_SHOWN = 40
_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    Kind: f"one of {', '.join(Kind)}",
}


class Misfit(Exception):
    """A value that is not what belongs there: its path, what was expected, and what was found."""

    def __init__(self, path: Path, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.path, self.expected, self.found = path, expected, found

    def error(self, *path: int | str) -> FileError:
        """What users are told."""
        return FileError(f"{shown_path((*path, *self.path))}: {self}")


def shown_path(path: Iterable[int | str]) -> str:
    """A path as programmers write it.

    >>> shown_path(("tables", "answers", "rows", 3, "costs"))
    'tables.answers.rows[3].costs'
    """
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


def nearest(name: object, known: Iterable[str]) -> str:
    """A name that is not known, with the ones that come nearest to it.

    >>> nearest("reasons", ["where", "reason"])
    "'reasons'; did you mean reason?"
    """
    shown = str(name)[:_SHOWN]
    near = get_close_matches(shown, list(known), n=3)
    return f"{shown!r}; did you mean {' or '.join(near)}?" if near else repr(shown)


def kind_of(value: object) -> str:
    """What a value is, in words; of a number or text the beginning is shown.

    >>> kind_of(1.5), kind_of([1.5]), kind_of(None)
    ('the number 1.5', 'a list', 'null')
    """
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int() if not _LEAST <= value <= _MOST:
            return "a number of more than 64 bits"
        case int() | float():
            return f"the number {value}"
        case str():
            shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
            return f"the text {ascii(shown) if _is_broken(shown) else repr(shown)}"
        case Mapping():
            return "an object"
    return (
        "a list" if isinstance(value, list | tuple) else f"a value of type {type(value).__name__}"
    )


def read_column(hint: Any, column: Column) -> Column:
    """The values as they were before they were written; raises a `Misfit` for the first misfit."""
    if type(None) in get_args(hint):
        return _read_optional(get_args(hint)[0], column)
    if get_origin(hint) is tuple:
        return _read_tuples(get_args(hint), column)
    if hint is Plan:
        return [_read_plan(at, value) for at, value in enumerate(column)]
    if hint is Kind:
        known = {str(kind) for kind in Kind}
        _check(hint, column, (isinstance(value, str) and value in known for value in column))
        return [Kind(value) for value in column]
    if hint is float:
        column = [INFINITE.get(one, one) if type(one) is str else one for one in column]
    _check_plain(hint, column)
    return column


def _check_plain(hint: Any, column: Column) -> None:
    fitting = {hint, int} if hint is float else {hint}
    if not set(map(type, column)) <= fitting:
        _check(hint, column, (type(one) in fitting for one in column))
    if hint is str:
        # Characters that no file can hold; all at once, for it is seldom that there are any.
        if _is_broken("".join(column)):
            _check(hint, column, (not _is_broken(one) for one in column), "without half characters")
    elif hint is not bool and column:
        if hint is float and any(map(isnan, _floats(column))):
            _check(hint, column, (one == one for one in column))
        whole = [one for one in column if type(one) is int]
        if whole and not (min(whole) >= _LEAST and max(whole) <= _MOST):
            fits = (type(one) is not int or _LEAST <= one <= _MOST for one in column)
            _check(hint, column, fits, "of at most 64 bits")


def _floats(column: Column) -> Iterable[float]:
    return (one for one in column if type(one) is float)


def _is_broken(text: str) -> bool:
    """True where a text has half of a pair of surrogates, which is no character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _check(hint: Any, column: Column, fits: Iterable[bool], more: str = "") -> None:
    for at, is_fit in enumerate(fits):
        if not is_fit:
            expected = f"{_NAMES[hint]} {more}".strip()
            raise Misfit((at,), expected, kind_of(column[at]))


def _read_optional(hint: Any, column: Column) -> Column:
    places = [at for at, one in enumerate(column) if one is not None]
    try:
        present = iter(read_column(hint, [column[at] for at in places]))
    except Misfit as error:
        first, *rest = error.path
        raise Misfit(
            (places[int(first)], *rest), f"{error.expected}, or null", error.found
        ) from None
    return [None if one is None else next(present) for one in column]


def _read_tuples(inner: tuple[Any, ...], column: Column) -> Column:
    for at, one in enumerate(column):
        if not isinstance(one, list | tuple):
            raise Misfit((at,), "a list", kind_of(one))
    if inner[-1] is Ellipsis:
        return _read_lists(inner[0], column)
    for at, one in enumerate(column):
        if len(one) != len(inner):
            raise Misfit((at,), f"a list of {len(inner)}", f"one of {len(one)}")
    read = []
    for place, (hint, values) in enumerate(zip(inner, zip(*column, strict=True), strict=False)):
        try:
            read.append(read_column(hint, values))
        except Misfit as error:
            first, *rest = error.path
            raise Misfit((first, place, *rest), error.expected, error.found) from None
    return list(zip(*read, strict=True))


def _read_lists(hint: Any, column: Column) -> Column:
    try:
        values = iter(read_column(hint, list(chain.from_iterable(column))))
    except Misfit as error:
        # Which list it is in, by where each of them ends when they are set end to end.
        ends = list(accumulate(map(len, column)))
        first, *rest = error.path
        at = bisect_right(ends, int(first))
        place = int(first) - (ends[at - 1] if at else 0)
        raise Misfit((at, place, *rest), error.expected, error.found) from None
    return [tuple(next(values) for _ in one) for one in column]


def _read_plan(at: int, value: Any) -> Plan:
    """A plan; what it says nothing of, as one of an earlier version, is as it is by default."""
    hints = get_type_hints(Plan)
    if not isinstance(value, Mapping):
        raise Misfit((at,), "an object with the fields of a plan", kind_of(value))
    for field in fields(Plan):
        if field.name not in value and field.default is MISSING:
            raise Misfit((at, field.name), "this field of a plan", "nothing")
    for name in value:
        if name not in hints:
            raise Misfit((at,), "the fields of a plan", f"the field {nearest(name, hints)}")
    read = {}
    for name in value:
        try:
            read[name] = read_column(hints[name], [value[name]])[0]
        except Misfit as error:
            raise Misfit((at, name, *error.path[1:]), error.expected, error.found) from None
    return Plan(**read)
