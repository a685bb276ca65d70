"""Make the tables of docs/data.md: the content of our datasets, their readings, and scores."""

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
    """Load the entries of a built-in dataset."""
    with open_built_in(name) as stream:
        return list(SchemaFile(stream, name, name))


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Format a table in Markdown."""
    titles = list(columns)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def composition(*names: str) -> str:
    """Count the schemas of each kind."""
    rows = []
    for name in names:
        entries = entries_of(name)
        kinds = Counter(entry.grid.kind.value for entry in entries)
        counts = ", ".join(f"{count} {kind}s" for kind, count in kinds.items())
        count = sum(len(problems(entry.grid)) for entry in entries)
        rows.append((f"`{name}`", counts, len(entries), count))
    return table(("Dataset", "Kinds", "Schemas", "Problems"), rows)


def tags(name: str) -> str:
    """Count the schemas with each tag, the most common first."""
    counted = Counter(tag for entry in entries_of(name) for tag in entry.tags)
    return ", ".join(f"{tag} {count}" for tag, count in counted.most_common())


def material(name: str) -> str:
    """Count the schemas with each piece of hand-written material."""
    entries = entries_of(name)
    rows = []
    for field in (*FLAGS, *PHRASES, *VERSIONS):
        values = [
            dict((*entry.flags, *entry.phrases, *entry.versions)).get(field) for entry in entries
        ]
        if field in FLAGS and any(value is not None for value in values):
            yes, no = values.count(True), values.count(False)
            rows.append((f"`{field}`", f"{yes} yes, {no} no"))
        elif count := sum(value is not None for value in values):
            rows.append((f"`{field}`", str(count)))
    return table(("Field", "Schemas"), rows)


def readings(*names: str) -> str:
    """Count the answers of second readers, round by round."""
    columns = ("Read", "Round", "Problems", "Right and sure", "Right, hesitant", "Wrong")
    return table(columns, (row for name in names for row in _rounds(name)))


def _rounds(name: str) -> Iterator[tuple[object, ...]]:
    rows = _tsv(READINGS / f"{name}.tsv")
    for number in sorted({row["round"] for row in rows}, key=int):
        counts = Counter(
            (row["answer"], row["certainty"]) for row in rows if row["round"] == number
        )
        wrong = sum(count for (answer, _), count in counts.items() if answer == "wrong")
        right = counts["right", "sure"], counts["right", "hesitant"]
        yield f"`{name}`", number, sum(counts.values()), *right, wrong


def changes() -> str:
    """Count the schemas that were dropped or revised after the readings and the audit."""
    rows = _tsv(READINGS / "changes.tsv")
    counted = Counter((row["dataset"], row["done"]) for row in rows)
    done = ("rejected", "mended", "wording dropped", "wording mended")
    columns = ("Dataset", "Submitted", "Dropped", "Revised", "Wordings dropped", "… revised")
    return table(
        (*columns, "Kept"),
        (
            (
                f"`{name}`",
                len(entries_of(name)) + counted[name, "rejected"],
                *(counted[name, outcome] for outcome in done),
                len(entries_of(name)),
            )
            for name in dict.fromkeys(row["dataset"] for row in rows)
        ),
    )


def audits(*names: str) -> str:
    """List the checks of the audit with their figures and concerns."""
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
            if row["name"] != "kinds-and-tags"  # shown in the tables above
        ),
    )


def _figures(figures: dict[str, list[float | None]]) -> str:
    return "; ".join(f"{name} {_figure(value)}" for name, value in figures.items())


def _figure(value: list[float | None]) -> str:
    first, *ends = (UNDEFINED if number is None else f"{number:g}" for number in value)
    return f"{first} ({'–'.join(ends)})" if ends else first


def accuracies(name: str, symbol: str) -> str:
    """List one accuracy of a dataset and its perturbations, by every scoring method."""
    rows = [row for row in _rows_of("own_data.json") if _is_of(row, name)]
    methods = list(dict.fromkeys(row["method"] for row in rows))
    lines: dict[tuple[str, str], dict[str, str]] = {}
    sizes: dict[tuple[str, str], int] = {}
    for row in rows:
        key = row["dataset"].removeprefix(name).removeprefix(".") or "–", row["mode"]
        lines.setdefault(key, {})[row["method"]] = _cell(row[symbol])
        sizes[key] = row["problems" if symbol == "a" else "schemas"]
    counted = "Problems" if symbol == "a" else "Schemas"
    return table(
        ("Perturbation", "Mode", counted, *methods),
        (
            (*key, sizes[key], *(cells.get(method, UNDEFINED) for method in methods))
            for key, cells in lines.items()
        ),
    )


def _is_of(row: dict[str, Any], name: str) -> bool:
    dataset: str = row["dataset"]
    return dataset == name or dataset.startswith(f"{name}.")


def _rows_of(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((DOCS / name).read_text(encoding="utf-8"))
    return rows


def _cell(value: list[float | None]) -> str:
    estimate, *ends = (UNDEFINED if number is None else f"{number:.3f}" for number in value)
    return f"{estimate} ({'–'.join(ends)})" if ends else estimate


def _tsv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, dialect="excel-tab"))
