"""Measurements read back from flat rows, as another program might do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from horsesense.results import Address, Kind, Measurement

_PLACE = [one.name for one in fields(Address)]
_HINTS = get_type_hints(Measurement)


def measurements_from_rows(rows: Iterable[Mapping[str, Any]]) -> tuple[Measurement, ...]:
    """The measurements of rows, also of rows that a CSV file had, where all are texts."""
    return tuple(_measurement(row) for row in rows)


def _measurement(row: Mapping[str, Any]) -> Measurement:
    against = [row[f"against_{name}"] or "" for name in _PLACE]
    named = {
        name: _value(hint, row[name])
        for name, hint in _HINTS.items()
        if name not in ("kind", "of", "against")
    }
    return Measurement(
        kind=Kind(row["kind"]),
        of=Address(*(row[name] for name in _PLACE)),
        against=Address(*against) if any(against) else None,
        **named,
    )


def _value(hint: Any, value: Any) -> Any:
    """A value as it was, where a CSV file has a text; a whole number is one without a point."""
    if not isinstance(value, str) or hint is str:
        return value
    if not value:
        return None
    return int(value) if value.lstrip("-").isdecimal() else float(value)
