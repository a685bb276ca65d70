"""Estimates read back from flat rows, as another program might do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from horsesense.results import Estimate, EstimateKind, ResultKey

_PLACE = [one.name for one in fields(ResultKey)]
_HINTS = get_type_hints(Estimate)


def estimates_from_rows(rows: Iterable[Mapping[str, Any]]) -> tuple[Estimate, ...]:
    """The estimates of rows, also of rows that a CSV file had, where all are texts."""
    return tuple(_estimate(row) for row in rows)


def _estimate(row: Mapping[str, Any]) -> Estimate:
    against = [row[f"against_{name}"] or "" for name in _PLACE]
    named = {
        name: _value(hint, row[name])
        for name, hint in _HINTS.items()
        if name not in ("kind", "key", "against")
    }
    return Estimate(
        kind=EstimateKind(row["kind"]),
        key=ResultKey(*(row[name] for name in _PLACE)),
        against=ResultKey(*against) if any(against) else None,
        **named,
    )


def _value(hint: Any, value: Any) -> Any:
    """A value as it was, where a CSV file has a text; a whole number is one without a point."""
    if not isinstance(value, str) or hint is str:
        return value
    if not value:
        return None
    return int(value) if value.lstrip("-").isdecimal() else float(value)
