"""What the tables hold of a perturbation, and the id that follows from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from horsesense.errors import SchemaError
from horsesense.perturbations.checks import LeftOut, Perturbed
from horsesense.perturbations.transformation import Settings, Touch, Transformation
from horsesense.schema.notation import content_id, print_entry, print_grid, written_fields

# All that the id of a perturbation follows from, besides its original's id and its entries.
DECLARED = (
    "name, transformation, transformation_version, title, parameters, seed, mode, level, purpose,"
    ' touches, "right"'
)
TOUCHES_JOINED_BY = ", "


class PerturbedRow(NamedTuple):
    """A perturbed entry as the tables have it, but for its original."""

    position: int
    entry: str
    notation: str
    fields: str
    how: str
    voucher: str


class LeftOutRow(NamedTuple):
    """An entry that was left out, as the tables have it."""

    position: int
    entry: str
    reason: str


class PairRow(NamedTuple):
    """A pair of problems as the tables have it."""

    entry: str
    before: int
    after: int
    options: str


Row: TypeAlias = PerturbedRow | LeftOutRow


@dataclass(frozen=True, slots=True)
class Rows:
    """All that the tables have of the entries of a perturbation."""

    entries: Sequence[Row]
    pairs: Sequence[PairRow]


def perturbation_id(original: str, declared: Sequence[object], rows: Rows) -> str:
    """The id of a perturbation: it follows from how it was made and from what came of it."""
    entries = sorted(rows.entries, key=lambda row: row.position)
    told = (original, declared, *entries, *sorted(rows.pairs))
    return content_id("perturbation", "\n".join(map(json.dumps, told)))


def declared_values(name: str, transformation: Transformation, settings: Settings) -> list[Any]:
    """The values of the columns in `DECLARED`."""
    return [
        name,
        transformation.name,
        transformation.version,
        transformation.title,
        json.dumps(dict(settings.values), sort_keys=True),
        settings.seed,
        transformation.mode.value,
        transformation.level.value,
        transformation.purpose.value,
        TOUCHES_JOINED_BY.join(one for one in Touch if one in transformation.touches),
        transformation.right.value,
    ]


def rows_of(places: Mapping[str, int], results: Iterable[Perturbed | LeftOut]) -> Rows:
    """What is to be kept of the results, given the positions of the originals by their ids."""
    rows: dict[str, Row] = {}
    paired: list[PairRow] = []
    for result in results:
        entry = result.id if isinstance(result, LeftOut) else result.entry.id
        if entry not in places:
            raise SchemaError(f"no entry of the original has the id {entry!r}")
        if entry in rows:
            raise SchemaError(f"two entries have the id {entry!r}")
        rows[entry] = _row(places[entry], result)
        if isinstance(result, Perturbed):
            paired += [
                PairRow(entry, before, after, " ".join(map(str, options)))
                for before, after, options in result.pairs
            ]
    return Rows(list(rows.values()), paired)


def _row(position: int, result: Perturbed | LeftOut) -> Row:
    if isinstance(result, LeftOut):
        return LeftOutRow(position, result.id, _storable(result.reason))
    entry = result.entry
    print_entry(entry)  # which refuses what could not be read again
    fields = [f"{name}: {value}" for name, value in written_fields(entry) if name != "id"]
    return PerturbedRow(
        position,
        entry.id,
        print_grid(entry.grid),
        "\n".join(fields),
        _storable(result.how),
        result.voucher.value,
    )


def _storable(text: str) -> str:
    """A text may quote bytes that are no text; a database cannot hold them."""
    return text.encode(errors="backslashreplace").decode()
