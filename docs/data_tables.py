"""The tables of docs/data.md: what our datasets hold, who read them, what a model makes of them."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from horsesense.datasets.builtin import open_built_in
from horsesense.schema import FLAGS, PHRASES, VERSIONS, Entry, problems
from horsesense.schema.notation import SchemaFile

DOCS = Path(__file__).parent
READINGS = DOCS.parent / "readings"
UNDEFINED = "–"


def entries_of(name: str) -> list[Entry]:
    """The entries of a dataset in the box."""
    with open_built_in(name) as stream:
        return list(SchemaFile(stream, name, name))


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    titles = list(columns)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def composition(*names: str) -> str:
    """How much there is of each kind."""
    rows = []
    for name in names:
        entries = entries_of(name)
        kinds = Counter(entry.grid.kind.value for entry in entries)
        told = ", ".join(f"{count} {kind}s" for kind, count in kinds.items())
        count = sum(len(problems(entry.grid)) for entry in entries)
        rows.append((f"`{name}`", told, len(entries), count))
    return table(("Dataset", "Kinds", "Schemas", "Problems"), rows)


def tags(name: str) -> str:
    """How many schemas have each tag, the commonest first."""
    counted = Counter(tag for entry in entries_of(name) for tag in entry.tags)
    return ", ".join(f"{tag} {count}" for tag, count in counted.most_common())


def material(name: str) -> str:
    """How many schemas have each piece of hand-written material."""
    entries = entries_of(name)
    rows = []
    for field in (*FLAGS, *PHRASES, *VERSIONS):
        said = [dict((*one.flags, *one.phrases, *one.versions)).get(field) for one in entries]
        if field in FLAGS and any(value is not None for value in said):
            yes, no = said.count(True), said.count(False)
            rows.append((f"`{field}`", f"{yes} yes, {no} no"))
        elif count := sum(value is not None for value in said):
            rows.append((f"`{field}`", str(count)))
    return table(("Field", "Schemas"), rows)


def readings(*names: str) -> str:
    """What second readers made of the problems, round by round."""
    columns = ("Read", "Round", "Problems", "Right and sure", "Right, hesitant", "Wrong")
    return table(columns, (row for name in names for row in _rounds(name)))


def _rounds(name: str) -> Iterator[tuple[object, ...]]:
    rows = _tsv(READINGS / f"{name}.tsv")
    for number in sorted({row["round"] for row in rows}, key=int):
        found = Counter((row["answer"], row["certainty"]) for row in rows if row["round"] == number)
        wrong = sum(count for (answer, _), count in found.items() if answer == "wrong")
        right = found["right", "sure"], found["right", "hesitant"]
        yield f"`{name}`", number, sum(found.values()), *right, wrong


def changes() -> str:
    """What became of the schemas that readers, or the audit, found fault with."""
    rows = _tsv(READINGS / "changes.tsv")
    counted = Counter((row["dataset"], row["done"]) for row in rows)
    done = ("rejected", "mended", "wording dropped", "wording mended")
    columns = ("Dataset", "Handed in", "Thrown out", "Mended", "Wordings dropped", "… mended")
    return table(
        (*columns, "Kept"),
        (
            (
                f"`{name}`",
                len(entries_of(name)) + counted[name, "rejected"],
                *(counted[name, one] for one in done),
                len(entries_of(name)),
            )
            for name in dict.fromkeys(row["dataset"] for row in rows)
        ),
    )


def audits(*names: str) -> str:
    """What the checks of the audit found: their figures, and what is to be looked at."""
    rows = (row for row in _rows_of("own_audit.json") if row["dataset"] in names)
    columns = ("Dataset", "Check", "Figures", "Concerns")
    return table(
        columns,
        (
            (
                f"`{row['dataset']}`",
                row["title"],
                _figures(row["figures"]) or f"skipped: {row['skipped']}",
                len(row["concerns"]) or "none",
            )
            for row in rows
            if row["name"] != "kinds-and-tags"  # they stand above
        ),
    )


def _figures(figures: dict[str, list[float | None]]) -> str:
    return "; ".join(f"{name} {_figure(value)}" for name, value in figures.items())


def _figure(value: list[float | None]) -> str:
    first, *ends = (UNDEFINED if one is None else f"{one:g}" for one in value)
    return f"{first} ({'–'.join(ends)})" if ends else first


def accuracies(name: str, symbol: str) -> str:
    """One of the two accuracies on a dataset and its perturbations, by every scoring method."""
    rows = [row for row in _rows_of("own_data.json") if _is_of(row, name)]
    methods = list(dict.fromkeys(row["method"] for row in rows))
    lines: dict[tuple[str, str], dict[str, str]] = {}
    sizes: dict[tuple[str, str], int] = {}
    for row in rows:
        at = row["dataset"].removeprefix(name).removeprefix(".") or "–", row["mode"]
        lines.setdefault(at, {})[row["method"]] = _cell(row[symbol])
        sizes[at] = row["problems" if symbol == "a" else "schemas"]
    counted = "Problems" if symbol == "a" else "Schemas"
    return table(
        ("Perturbation", "Mode", counted, *methods),
        (
            (*at, sizes[at], *(cells.get(method, UNDEFINED) for method in methods))
            for at, cells in lines.items()
        ),
    )


def _is_of(row: dict[str, Any], name: str) -> bool:
    dataset: str = row["dataset"]
    return dataset == name or dataset.startswith(f"{name}.")


def _rows_of(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((DOCS / name).read_text(encoding="utf-8"))
    return rows


def _cell(value: list[float | None]) -> str:
    estimate, *ends = (UNDEFINED if one is None else f"{one:.3f}" for one in value)
    return f"{estimate} ({'–'.join(ends)})" if ends else estimate


def _tsv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, dialect="excel-tab"))
