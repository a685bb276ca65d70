"""Tables: rows under named, documented columns, and their export to pandas, CSV, JSON and Parquet.

A table holds plain row objects and reads a column from them on demand. Columns of numpy or Polars
would not make the code shorter: metrics count on columns of their own
(`horsesense.metrics.Sample`), most values are texts and lists of texts, and most code reads a few
rows by attribute. Users get pandas.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from functools import lru_cache
from io import BytesIO, StringIO
from itertools import compress
from math import inf
from operator import attrgetter
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_args, get_origin, overload

from horsesense.errors import FileError, HorsesenseError, UnknownNameError

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

R = TypeVar("R")

# A number that is valid JSON and too large, for infinity, which is not.
_INFINITE = "1e999"
_SHOWN = 5
_encode = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, the type of its values, and their meaning.

    `read` takes the value from a row; by default it is the row's attribute of that name.
    """

    name: str
    type: Any
    meaning: str
    read: Callable[[Any], Any] | None = None


class Table(Sequence[R], Generic[R]):
    """A sequence of rows under named columns.

    `columns` describes each column. A table equals another sequence of the same rows.
    """

    def __init__(self, name: str, columns: Sequence[Column], rows: Sequence[R]) -> None:
        self.name = name
        self.columns: Mapping[str, Column] = {column.name: column for column in columns}
        self._rows: tuple[R, ...] = tuple(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows)

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> Table[R]: ...
    def __getitem__(self, index: int | slice) -> R | Table[R]:
        return self._with(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __eq__(self, other: object) -> bool:
        rows = other._rows if isinstance(other, Table) else other
        return bool(self._rows == rows)

    def __hash__(self) -> int:
        return hash(self._rows)

    def __repr__(self) -> str:
        rows = "row" if len(self) == 1 else "rows"
        return f"<Table {self.name}: {len(self)} {rows} of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """Show the first rows in notebooks."""
        return str(self[:_SHOWN].to_pandas().to_html())

    def column(self, name: str) -> tuple[Any, ...]:
        """Return the values of a column, row by row."""
        if name not in self.columns:
            raise UnknownNameError(f"column of {self.name}", name, self.columns)
        column = self.columns[name]
        return tuple(map(column.read or attrgetter(name), self._rows))

    def where(self, **equals: Any) -> Table[R]:
        """Keep the rows whose columns have these values.

        >>> from horsesense.results import Skipped
        >>> table = Table("skipped", [Column("where", str, "")], [Skipped("ant", "too slow")])
        >>> len(table.where(where="ant")), len(table.where(where="bee"))
        (1, 0)
        """
        rows: Table[R] = self
        for name, value in equals.items():
            rows = self._with(compress(rows, (cell == value for cell in rows.column(name))))
        return rows

    def filter(self, keep: Callable[[R], object]) -> Table[R]:
        """Keep the rows for which a function returns true."""
        return self._with(filter(keep, self._rows))

    def records(self) -> Iterator[dict[str, Any]]:
        """Iterate over the rows as dictionaries, by column name."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.values())

    def values(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over the rows as tuples, in the order of the columns."""
        return zip(*map(self.column, self.columns), strict=True)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a data frame, with unknown values as missing."""
        try:
            import pandas
        except ImportError as error:
            remedy = "pip install 'horsesense[frames]'"
            raise HorsesenseError(f"a data frame needs pandas: {remedy}") from error
        kinds = {int | None: "Int64", float | None: "float64", float: "float64"}
        kinds[bool | None] = "boolean"
        return pandas.DataFrame(
            {
                name: pandas.Series(self.column(name), dtype=kinds.get(column.type))
                for name, column in self.columns.items()
            }
        )

    @overload
    def to_csv(self, path: None = None) -> str: ...
    @overload
    def to_csv(self, path: str | PathLike[str]) -> None: ...
    def to_csv(self, path: str | PathLike[str] | None = None) -> str | None:
        """Write the table as CSV (RFC 4180) with a header to `path`, or return it without one.

        Unknown values are empty cells, and lists are JSON.
        """
        stream = StringIO()
        writer = csv.writer(stream)
        writer.writerow(self.columns)
        writer.writerows([_cell(value) for value in row] for row in self.values())
        return _written(stream.getvalue(), path)

    @overload
    def to_json(self, path: None = None) -> str: ...
    @overload
    def to_json(self, path: str | PathLike[str]) -> None: ...
    def to_json(self, path: str | PathLike[str] | None = None) -> str | None:
        """Write the table as a JSON list of objects to `path`, or return it without one."""
        rows = ",\n".join(
            f"{{{', '.join(f'{_encode(name)}: {_json(row[name])}' for name in row)}}}"
            for row in self.records()
        )
        return _written(f"[{rows}]\n", path)

    @overload
    def to_parquet(self, path: None = None) -> bytes: ...
    @overload
    def to_parquet(self, path: str | PathLike[str]) -> None: ...
    def to_parquet(self, path: str | PathLike[str] | None = None) -> bytes | None:
        """Write the table as Parquet, with lists as lists, to `path`, or return it without one."""
        arrow, writer = _pyarrow()
        kinds = {name: _arrow_type(arrow, column.type) for name, column in self.columns.items()}
        arrays = [
            arrow.array(map(_json, self.column(name)), arrow.string())
            if kind is None
            else arrow.array(self.column(name), kind)
            for name, kind in kinds.items()
        ]
        stream = BytesIO()
        writer.write_table(arrow.table(arrays, names=list(kinds)), stream)
        if path is None:
            return stream.getvalue()
        Path(path).write_bytes(stream.getvalue())
        return None

    def _with(self, rows: Any) -> Table[R]:
        return Table(self.name, tuple(self.columns.values()), tuple(rows))


def _written(text: str, path: str | PathLike[str] | None) -> str | None:
    if path is None:
        return text
    Path(path).write_bytes(text.encode())
    return None  # a notebook would show the whole text


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return float.__repr__(value)  # numpy's own repr includes the type
    return value if isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    if isinstance(value, tuple):
        is_texts = all(isinstance(item, str) for item in value)
        return _json_of_texts(value) if is_texts else _json_of_numbers(value)
    if isinstance(value, float):
        return _json_of_numbers(float(value))
    is_record = is_dataclass(value) and not isinstance(value, type)
    return _encode(asdict(value) if is_record else value)


@lru_cache(maxsize=10_000)
def _json_of_texts(value: tuple[str, ...]) -> str:
    """Encode options and tags, which recur; numbers do not, and a cache would mix 1 and 1.0."""
    return _encode(value)


def _json_of_numbers(value: Any) -> str:
    is_infinite = any(
        item in (inf, -inf) for item in (value if isinstance(value, tuple) else [value])
    )
    return _encode(value).replace("Infinity", _INFINITE) if is_infinite else _encode(value)


def _pyarrow() -> tuple[Any, Any]:
    """Import `pyarrow` and `pyarrow.parquet`, which are an extra."""
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        remedy = "pip install 'horsesense[parquet]'"
        raise FileError(f"a Parquet file cannot be written without pyarrow: {remedy}") from error
    return pyarrow, pyarrow.parquet


def _arrow_type(arrow: Any, hint: Any) -> Any:
    """Return the Arrow type of a column, or None if its values are written as JSON."""
    plain = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}
    arguments = get_args(hint)
    if get_origin(hint) is tuple:
        inner = _arrow_type(arrow, arguments[0]) if arguments[-1] is Ellipsis else None
        return None if inner is None else arrow.list_(inner)
    return plain.get(arguments[0] if arguments else hint)
