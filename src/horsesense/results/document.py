"""Results as a JSON document, and back, exactly, with an error for anything missing or misplaced.

The document has the tables of `horsesense.results.kept`, each with its column names and rows. JSON
has no infinity, so `"inf"` stands for it in columns of numbers. Documents of the first version use
other names for tables and columns, and are still read.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, fields
from datetime import datetime
from difflib import get_close_matches
from itertools import accumulate, chain
from math import inf, isnan
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from horsesense.errors import FileError
from horsesense.results.kept import (
    FORMER_COLUMNS,
    FORMER_TABLES,
    LATER_COLUMNS,
    LATER_TABLES,
    TABLES,
    Rows,
    columns_of,
    from_tables,
    to_tables,
)
from horsesense.results.record import FORMER_FIELDS, LIMITS, TIES, Plan
from horsesense.results.results import Results
from horsesense.results.rows import EstimateKind, TokenCosts

Column: TypeAlias = Sequence[Any]
Path: TypeAlias = tuple[int | str, ...]

# JSON has no infinity.
INFINITE = {"inf": inf, "-inf": -inf}
# The range of whole numbers in databases and other programs: 64 bits.
_LEAST, _MOST = -(2**63), 2**63 - 1
_SHOWN = 40
_NAMES = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    EstimateKind: f"one of {', '.join(EstimateKind)}",
}


class Misfit(Exception):
    """A value that does not fit: its path, what was expected, and what was found."""

    def __init__(self, path: Path, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.path, self.expected, self.found = path, expected, found

    def error(self, *path: int | str) -> FileError:
        """Return the error for users, with the full path."""
        return FileError(f"{shown_path((*path, *self.path))}: {self}")


def shown_path(path: Iterable[int | str]) -> str:
    """Format a path.

    >>> shown_path(("tables", "answers", "rows", 3, "costs"))
    'tables.answers.rows[3].costs'
    """
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


def nearest(name: object, known: Iterable[str]) -> str:
    """Quote an unknown name, and suggest the nearest known ones.

    >>> nearest("reasons", ["where", "reason"])
    "'reasons'; did you mean reason?"
    """
    shown = str(name)[:_SHOWN]
    near = get_close_matches(shown, list(known), n=3)
    return f"{shown!r}; did you mean {' or '.join(near)}?" if near else repr(shown)


def kind_of(value: object) -> str:
    """Describe a value in words, with the beginning of a number or text.

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
            return f"the string {ascii(shown) if _is_broken(shown) else repr(shown)}"
        case Mapping():
            return "an object"
    return (
        "a list" if isinstance(value, list | tuple) else f"a value of type {type(value).__name__}"
    )


def read_column(hint: Any, column: Column) -> Column:
    """Convert the values of a column from JSON; raise a `Misfit` for the first wrong one."""
    if type(None) in get_args(hint):
        return _read_optional(get_args(hint)[0], column)
    if get_origin(hint) is tuple:
        return _read_tuples(get_args(hint), column)
    if hint is Plan:
        return [_read_plan(position, value) for position, value in enumerate(column)]
    if hint is EstimateKind:
        known = {str(kind) for kind in EstimateKind}
        _check(hint, column, (isinstance(value, str) and value in known for value in column))
        return [EstimateKind(value) for value in column]
    if hint is float:
        column = [INFINITE.get(value, value) if type(value) is str else value for value in column]
    _check_plain(hint, column)
    return column


def _check_plain(hint: Any, column: Column) -> None:
    fitting = {hint, int} if hint is float else {hint}
    if not set(map(type, column)) <= fitting:
        _check(hint, column, (type(value) in fitting for value in column))
    if hint is str:
        # Lone surrogates cannot be encoded. They are rare, so check all texts at once first.
        if _is_broken("".join(column)):
            _check(
                hint, column, (not _is_broken(value) for value in column), "without half characters"
            )
    elif hint is not bool and column:
        if hint is float and any(map(isnan, _floats(column))):
            _check(hint, column, (value == value for value in column))
        whole = [value for value in column if type(value) is int]
        if whole and not (min(whole) >= _LEAST and max(whole) <= _MOST):
            fits = (type(value) is not int or _LEAST <= value <= _MOST for value in column)
            _check(hint, column, fits, "of at most 64 bits")


def _floats(column: Column) -> Iterable[float]:
    return (value for value in column if type(value) is float)


def _is_broken(text: str) -> bool:
    """Whether a text has a lone surrogate, which is not a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _check(hint: Any, column: Column, fits: Iterable[bool], more: str = "") -> None:
    for position, is_fit in enumerate(fits):
        if not is_fit:
            expected = f"{_NAMES[hint]} {more}".strip()
            raise Misfit((position,), expected, kind_of(column[position]))


def _read_optional(hint: Any, column: Column) -> Column:
    places = [position for position, value in enumerate(column) if value is not None]
    try:
        present = iter(read_column(hint, [column[position] for position in places]))
    except Misfit as error:
        first, *rest = error.path
        raise Misfit(
            (places[int(first)], *rest), f"{error.expected}, or null", error.found
        ) from None
    return [None if value is None else next(present) for value in column]


def _read_tuples(inner: tuple[Any, ...], column: Column) -> Column:
    for position, value in enumerate(column):
        if not isinstance(value, list | tuple):
            raise Misfit((position,), "a list", kind_of(value))
    if inner[-1] is Ellipsis:
        return _read_lists(inner[0], column)
    for position, value in enumerate(column):
        if len(value) != len(inner):
            raise Misfit((position,), f"a list of {len(inner)}", f"one of {len(value)}")
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
        # Find the list that the value is in, by where each list ends in the concatenation.
        ends = list(accumulate(map(len, column)))
        first, *rest = error.path
        position = bisect_right(ends, int(first))
        place = int(first) - (ends[position - 1] if position else 0)
        raise Misfit((position, place, *rest), error.expected, error.found) from None
    return [tuple(next(values) for _ in value) for value in column]


def _read_plan(position: int, value: Any) -> Plan:
    """Read a plan of this version or an earlier one; settings that it lacks get their defaults."""
    hints = get_type_hints(Plan)
    if not isinstance(value, Mapping):
        raise Misfit((position,), "an object with the fields of a plan", kind_of(value))
    hints |= {former: hints[name] for former, name in FORMER_FIELDS.items() if name not in value}
    for field in fields(Plan):
        if field.name not in value and field.default is MISSING:
            raise Misfit((position, field.name), "this field of a plan", "nothing")
    for name in value:
        if name not in hints:
            raise Misfit((position,), "the fields of a plan", f"the field {nearest(name, hints)}")
    read = {}
    for name in value:
        try:
            read[name] = read_column(hints[name], [value[name]])[0]
        except Misfit as error:
            raise Misfit((position, name, *error.path[1:]), error.expected, error.found) from None
    return Plan(**{FORMER_FIELDS.get(name, name): field for name, field in read.items()})


_IN_VARIANTS = "a dataset and variant in the table variants"


def check_references(tables: Mapping[str, Rows]) -> None:
    """Check that the tables refer to each other correctly; raise a `Misfit` if not."""
    _check_run(tables["run"])
    _check_models(tables)
    _check_problems(tables)
    _check_answer_sets(tables)
    _check_answers(tables)
    _check_tokens(tables)


def _check_problems(tables: Mapping[str, Rows]) -> None:
    variants = _variants(tables)
    for position, row in enumerate(tables["problems"]):
        dataset, variant, *_, options, label, statement, _ = row
        if statement is None:  # only answers to it are known
            continue
        _check_option(("problems", "rows", position, "label"), label, len(options))
        if (dataset, variant) not in variants:
            raise Misfit(("problems", "rows", position, "variant"), _IN_VARIANTS, kind_of(variant))


def _variants(tables: Mapping[str, Rows]) -> set[tuple[Any, ...]]:
    """Return the dataset and the name of each variant."""
    columns = (_column(tables, "variants", name) for name in ("dataset", "name"))
    return set(zip(*columns, strict=True))


def _check_run(rows: Rows) -> None:
    if len(rows) != 1:
        raise Misfit(("run", "rows"), "one row", f"{len(rows)}")
    run = dict(zip(columns_of("run"), rows[0], strict=True))
    for name in ("started_at", "finished_at"):
        if run[name] and not _is_time(run[name]):
            raise Misfit(("run", "rows", 0, name), "a date and time, or ''", kind_of(run[name]))
    plan: Plan = run["plan"]
    for name, limits in LIMITS.items():
        value = getattr(plan, name)
        if value is not None and not limits.least <= value <= limits.most:
            expected = f"a number from {limits.least} to {limits.most}"
            raise Misfit(("run", "rows", 0, "plan", name), expected, kind_of(value))
    if plan.ties not in TIES:
        expected = f"one of {', '.join(TIES)}"
        raise Misfit(("run", "rows", 0, "plan", "ties"), expected, kind_of(plan.ties))


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _check_models(tables: Mapping[str, Rows]) -> None:
    """Check that each model has a method per dataset, and that other tables name known ones."""
    datasets = _column(tables, "datasets", "name")
    baselines = _column(tables, "models", "is_baseline")
    for position, standard in enumerate(_column(tables, "models", "standard")):
        for dataset in datasets:
            if dataset not in dict(standard) and not baselines[position]:
                expected = f"a method for the dataset {dataset}"
                raise Misfit(("models", "rows", position, "standard"), expected, "none")
    for position, methods in enumerate(_column(tables, "models", "methods")):
        if len(set(methods)) < len(methods):
            path = ("models", "rows", position, "methods")
            raise Misfit(path, "each method once", f"{len(methods) - len(set(methods))} repeated")
    for position, dataset in enumerate(_column(tables, "variants", "dataset")):
        if dataset not in datasets:
            path = ("variants", "rows", position, "dataset")
            raise Misfit(path, "a name in the table datasets", kind_of(dataset))
    models = _column(tables, "models", "name")
    for table in ("replies", "usage"):
        for position, model in enumerate(_column(tables, table, "model")):
            if model not in models:
                path = (table, "rows", position, "model")
                raise Misfit(path, "a name in the table models", kind_of(model))


def _check_answer_sets(tables: Mapping[str, Rows]) -> None:
    seen: dict[tuple[Any, ...], int] = {}
    total, available = 0, len(tables["answers"])
    for number, row in enumerate(tables["sheets"]):
        path, count, schemas = ("sheets", "rows", number), row[6], row[7]
        before = seen.setdefault(row[:5], number)
        if before != number:
            message = f"that of sheets.rows[{before}] again"
            raise Misfit(path, "a model, dataset, variant, subset and method of its own", message)
        if not 0 <= count <= available:
            expected = f"a number of answers, of which there are {available}"
            raise Misfit((*path, "answers"), expected, kind_of(count))
        for place, pair in enumerate(schemas):
            for side, position in enumerate(pair):
                if not 0 <= position < count:
                    expected = f"the position of one of its {count} answers"
                    whole = (*path, "schemas", place, side)
                    raise Misfit(whole, expected, kind_of(position))
        total += count
    if total != available:
        raise Misfit(("answers", "rows"), f"the {total} answers of the sheets", f"{available}")


def _check_answers(tables: Mapping[str, Rows]) -> None:
    problems, tag_sets = tables["problems"], len(tables["tag_sets"])
    answer_sets = (position for position, row in enumerate(tables["sheets"]) for _ in range(row[6]))
    rows = zip(tables["answers"], answer_sets, strict=True)
    for position, (
        (sheet, problem, tags, choice, label, _, has_choice, costs),
        answer_set,
    ) in enumerate(rows):
        path = ("answers", "rows", position)
        if sheet != answer_set:
            expected = f"{answer_set}, as the sheets count their answers"
            raise Misfit((*path, "sheet"), expected, kind_of(sheet))
        if not 0 <= problem < len(problems):
            expected = f"a row of the table problems, which has {len(problems)}"
            raise Misfit((*path, "problem"), expected, kind_of(problem))
        if not 0 <= tags < tag_sets:
            expected = f"a row of the table tag_sets, which has {tag_sets}"
            raise Misfit((*path, "tags"), expected, kind_of(tags))
        if has_choice:
            options = len(problems[problem][4])
            _check_option((*path, "choice"), choice, options)
            _check_option((*path, "label"), label, options)
            if costs and not 1 < len(costs) == options:
                expected = f"a cost for each of {options} options, two at least"
                raise Misfit((*path, "costs"), expected, f"{len(costs)}")


def _check_option(path: tuple[int | str, ...], position: int | None, options: int) -> None:
    if position is not None and not 0 <= position < options:
        expected = f"the position of one of {options} options, from 0, or null"
        raise Misfit(path, expected, kind_of(position))


def _check_tokens(tables: Mapping[str, Rows]) -> None:
    options = {
        tuple(place): len(texts)
        for *place, texts, _, statement, _ in tables["problems"]
        if statement is not None
    }
    models = _column(tables, "models", "name")
    variants = _variants(tables)
    for position, row in enumerate(tables["tokens"]):
        path, tokens = ("tokens", "rows", position), TokenCosts(*row)
        if tokens.model not in models:
            raise Misfit((*path, "model"), "a name in the table models", kind_of(tokens.model))
        if (tokens.dataset, tokens.variant) not in variants:
            raise Misfit((*path, "variant"), _IN_VARIANTS, kind_of(tokens.variant))
        if tokens.place not in options:
            expected = "an entry and number in the table problems"
            raise Misfit((*path, "entry"), expected, kind_of(tokens.entry))
        if not 0 <= tokens.option < options[tokens.place]:
            expected = f"the position of one of {options[tokens.place]} options, from 0"
            raise Misfit((*path, "option"), expected, kind_of(tokens.option))
        for name in ("parts", "costs"):
            if len(getattr(tokens, name)) != len(tokens.texts):
                expected = f"one for each of {len(tokens.texts)} texts"
                raise Misfit((*path, name), expected, f"{len(getattr(tokens, name))}")


def _column(tables: Mapping[str, Rows], table: str, column: str) -> list[Any]:
    place = list(columns_of(table)).index(column)
    return [row[place] for row in tables[table]]


FORMAT, VERSION = "horsesense-results", 3
# The second version lacks what was added for servers and chat models; the first has other names.
_SECOND_VERSION = 2
_FORMER_FORMAT, _FORMER_VERSION = "horsesense-profile", 1

_NAMES_DOCUMENT = {inf: "inf", -inf: "-inf"}
# Results hold no longer whole numbers, and Python is slow to parse them.
_MOST_DIGITS = 100


def to_document(results: Results) -> dict[str, Any]:
    """Convert results to a document that `json.dumps` can write."""
    tables = {
        name: {"columns": list(columns_of(name)), "rows": _plain_rows(name, rows)}
        for name, rows in to_tables(results).items()
    }
    return {"format": FORMAT, "version": VERSION, "tables": tables}


def read_document(data: bytes) -> Results:
    """Read results from the bytes of a file, as `json.dumps(to_document(results))` writes it."""
    try:
        document = _from_json(data)
    except RecursionError as error:
        raise FileError("not a results file: the file is nested too deeply") from error
    except ValueError as error:
        raise FileError(f"this is not JSON: {error}") from error
    return from_document(document)


def from_document(document: Mapping[str, Any]) -> Results:
    """Convert a document to results, equal to those that it was made from.

    Errors name the path, such as `tables.answers.rows[3].costs`.
    """
    version = _version(document)
    is_former = version == _FORMER_VERSION
    tables = document.get("tables")
    if not isinstance(tables, Mapping):
        raise Misfit(("tables",), "an object with the tables", kind_of(tables)).error()
    rows: dict[str, Rows] = {}
    for name in TABLES:
        if version != VERSION and name in LATER_TABLES:
            rows[name] = []
            continue
        written = FORMER_TABLES[name] if is_former else name
        try:
            rows[name] = _read_table(name, tables.get(written), version)
        except Misfit as error:
            raise error.error("tables", written) from error
    try:
        check_references(rows)
    except Misfit as error:
        raise error.error("tables") from error
    return from_tables(rows)


def _version(document: Mapping[str, Any]) -> int:
    """Return the version of a document; raise an error for unknown formats and versions."""
    format_ = document.get("format") if isinstance(document, Mapping) else None
    if format_ not in (FORMAT, _FORMER_FORMAT):
        raise FileError(f"not a results file: its format is not {FORMAT}")
    expected = VERSION if format_ == FORMAT else _FORMER_VERSION
    version = document.get("version")
    if version not in (expected, _SECOND_VERSION if format_ == FORMAT else expected):
        raise FileError(
            f"version: expected {expected}, which this program reads, found {kind_of(version)}; "
            "write it again with the horsesense that reads it"
        )
    return int(version)


def _from_json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except RecursionError:
        raise
    except ValueError:
        # Retry with long numbers cut, so that the error can name their path.
        return json.loads(data, parse_int=_whole)


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= _MOST_DIGITS else int(digits[:_MOST_DIGITS])


def _plain_rows(table: str, rows: Rows) -> list[list[Any]]:
    hints = columns_of(table).values()
    columns = (
        _plain_column(hint, column)
        for hint, column in zip(hints, zip(*rows, strict=True), strict=False)
    )
    return [list(row) for row in zip(*columns, strict=True)]


def _plain_column(hint: Any, column: Column) -> Column:
    if type(None) in get_args(hint):
        hint = get_args(hint)[0]
    if hint is float:
        return [_NAMES_DOCUMENT.get(value, value) for value in column]
    if get_origin(hint) is tuple:
        return [_plain_tuple(value) for value in column]
    if hint is Plan:
        return [asdict(value) for value in column]
    return [str(value) for value in column] if hint is EstimateKind else column


def _plain_tuple(value: tuple[Any, ...]) -> list[Any]:
    return [
        list(value) if isinstance(value, tuple) else _NAMES_DOCUMENT.get(value, value)
        for value in value
    ]


def _read_table(name: str, table: Any, version: int) -> Rows:
    """Read and check the rows of a table as a version of documents has it."""
    if not isinstance(table, Mapping):
        raise Misfit((), "a table", "nothing" if table is None else kind_of(table))
    for part in ("columns", "rows"):
        if not isinstance(table.get(part), list | tuple):
            raise Misfit((part,), "a list", kind_of(table[part]) if part in table else "nothing")
    names, rows = table["columns"], table["rows"]
    for position, column in enumerate(names):
        if not isinstance(column, str):
            raise Misfit(("columns", position), "a string", kind_of(column))
    former = FORMER_COLUMNS if version == _FORMER_VERSION else {}
    added = {} if version == VERSION else LATER_COLUMNS.get(name, {})
    written = {
        former.get(column, column): hint
        for column, hint in columns_of(name).items()
        if column not in added
    }
    for column in names:
        if column not in written:
            raise Misfit(("columns",), "columns that are known", nearest(column, written))
    for column in written:
        if names.count(column) != 1:
            raise Misfit(("columns",), f"{column} once", f"it {names.count(column)} times")
    for position, row in enumerate(rows):
        if not isinstance(row, list | tuple):
            raise Misfit(("rows", position), "a list", kind_of(row))
        if len(row) != len(names):
            raise Misfit(
                ("rows", position), f"{len(names)} values, one for each column", f"{len(row)}"
            )
    columns = dict(zip(names, zip(*rows, strict=True), strict=False))
    read = {column: [value] * len(rows) for column, value in added.items()}
    for column, hint in written.items():
        try:
            read[column] = [*read_column(hint, columns.get(column, ()))]
        except Misfit as error:
            row_at, *rest = error.path
            raise Misfit(("rows", row_at, column, *rest), error.expected, error.found) from error
    ordered = (read[former.get(column, column)] for column in columns_of(name))
    return list(zip(*ordered, strict=True))
