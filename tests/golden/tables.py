"""Golden tables: rows of text cells under keys, kept as TSV and compared number by number.

Numbers are kept with 12 significant digits and must agree in 10. Costs of a model are sums of
float32 numbers, which another processor rounds differently: the same commit gave costs up to
1.3e-4 apart on two AMD processors. So costs must agree to
5e-4. A name that ends in `.gz` is packed.
"""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

KEPT = Path(__file__).with_name("kept")
COST_TOLERANCE = 5e-4
# Sums of floats that should be zero may be off by this much.
ZERO = 1e-13
SHOWN_DIFFERENCES = 12

Row = dict[str, str]


@dataclass(frozen=True)
class Table:
    """Rows under the values of their key columns; both in order."""

    keys: tuple[str, ...]
    columns: tuple[str, ...]
    rows: dict[tuple[str, ...], Row] = field(default_factory=dict)

    def add(self, key: Iterable[object], row: Mapping[str, object]) -> None:
        """Add a row; a key that is there already is an error."""
        name = tuple(cell(value) for value in key)
        assert name not in self.rows, f"two rows for {name}"
        assert row.keys() <= set(self.columns), row.keys() - set(self.columns)
        self.rows[name] = {column: cell(row.get(column)) for column in self.columns}


def cell(value: object) -> str:
    """A value as a cell: numbers with 12 digits, nothing as an empty cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return format(value, ".12g") if isinstance(value, float) else str(value)
    if isinstance(value, list | tuple):
        return " ".join(cell(part) for part in value)
    return str(value).replace("\t", " ").replace("\n", " ")


def write_table(name: str, table: Table, folder: Path = KEPT) -> None:
    """Keep a table."""
    lines = ["\t".join((*table.keys, "|", *table.columns))]
    for key, row in table.rows.items():
        lines.append("\t".join((*key, "|", *(row[column] for column in table.columns))))
    content = ("\n".join(lines) + "\n").encode()
    if name.endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    (folder / name).write_bytes(content)


def read_table(name: str, folder: Path = KEPT) -> Table:
    """Read a table that is kept."""
    content = (folder / name).read_bytes()
    if name.endswith(".gz"):
        content = gzip.decompress(content)
    heading, *lines = content.decode().rstrip("\n").split("\n")
    names = heading.split("\t")
    end = names.index("|")
    table = Table(tuple(names[:end]), tuple(names[end + 1 :]))
    for line in lines:
        cells = line.split("\t")
        table.rows[tuple(cells[:end])] = dict(zip(table.columns, cells[end + 1 :], strict=True))
    return table


def assert_kept(name: str, computed: Table, folder: Path = KEPT) -> None:
    """Compare a table with the one that is kept, and show the first differences."""
    kept = read_table(name, folder)
    assert (kept.keys, kept.columns) == (computed.keys, computed.columns)
    differences = list(_differences(kept, computed))
    shown = "\n".join(differences[:SHOWN_DIFFERENCES])
    assert not differences, f"{name}: {len(differences)} differences from what is kept\n{shown}"


def _differences(kept: Table, computed: Table) -> Iterable[str]:
    for key in kept.rows.keys() - computed.rows.keys():
        yield f"{' '.join(key)}: missing"
    for key in computed.rows.keys() - kept.rows.keys():
        yield f"{' '.join(key)}: not kept"
    for key, row in kept.rows.items():
        now = computed.rows.get(key, row)
        for column in kept.columns:
            if not _agree(row[column], now[column], column):
                yield f"{' '.join(key)}, {column}: kept {row[column]!r}, now {now[column]!r}"


def _agree(kept: str, now: str, column: str) -> bool:
    if kept == now:
        return True
    numbers = kept.split(" "), now.split(" ")
    return len(numbers[0]) == len(numbers[1]) and all(
        _close(one, other, column) for one, other in zip(*numbers, strict=True)
    )


def _close(kept: str, now: str, column: str) -> bool:
    try:
        before, after = float(kept), float(now)
    except ValueError:
        return kept == now
    if column == "costs":
        return math.isclose(before, after, rel_tol=0, abs_tol=COST_TOLERANCE)
    # Of a p-value every digit counts, however small it is.
    return math.isclose(before, after, rel_tol=1e-10, abs_tol=0 if "p" in column else ZERO)
