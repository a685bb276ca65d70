"""A profile in flat rows, for data frames and for tables that other programs read.

Positions of options count from 0, as on answer sheets. What is not known is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, get_type_hints

from horsesense.results.address import ORIGINAL, Address
from horsesense.results.measurement import Measurement
from horsesense.results.posed import PosedProblem, TokenCosts
from horsesense.results.profile import Profile
from horsesense.results.record import Record
from horsesense.results.subjects import DatasetSubject, FormSubject, Gap, ModelSubject
from horsesense.scoring.outcome import Outcome, Sheet

# Of every interval; as in horsesense.metrics.statistics, which knows of no profiles.
LEVEL = 0.95

_TEXTS, _NUMBERS = tuple[str, ...], tuple[float | None, ...]
_ADDRESS = get_type_hints(Address)
_AGAINST = {f"against_{name}": str | None for name in _ADDRESS}
_HINTS = get_type_hints(Measurement)
# The fields of a measurement that are columns of the same name.
_FIRST = ("value", "low", "high")
_COUNTS = ("count", "total", "problems", "schemas", "clusters", "undecided")
_LAST = ("before", "after", "p", "test", "thesis_p", "adjusted_p", "family", "reason")

_MEASUREMENT: dict[str, Any] = {
    **_ADDRESS,
    **{"metric": str, "symbol": str, "kind": str},
    **{name: _HINTS[name] for name in _FIRST},
    "level": float | None,
    **{name: _HINTS[name] for name in _COUNTS},
    **_AGAINST,
    **{name: _HINTS[name] for name in _LAST},
}
_ANSWER: dict[str, Any] = {
    **{name: hint for name, hint in _ADDRESS.items() if name != "subset"},
    **{"entry": str, "number": int, "statement": str | None, "options": _TEXTS},
    **{"right": int | None, "right_option": str | None},
    **{"chosen": int | None, "chosen_option": str | None, "verdict": str},
    **{"margin": float, "costs": _NUMBERS, "twins": tuple[int, ...], "tags": _TEXTS},
}
_OPTION = {**_ADDRESS, "option": str, "chosen": int, "offered": int, "share": float | None}
_PROBLEM = get_type_hints(PosedProblem) | {"right_option": str | None}
_TOKEN = {"model": str, "option": str, "token": str, "part": str, "cost": float | None}


@dataclass(frozen=True, slots=True)
class FlatTable:
    """Rows under the names of their columns, and what their values are."""

    name: str
    columns: Mapping[str, Any]
    rows: Sequence[tuple[Any, ...]]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, each by the names of the columns."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)


def flat_tables(profile: Profile, symbols: Mapping[str, str] | None = None) -> Iterator[FlatTable]:
    """All that a profile holds; `symbols` are those of metrics, by their names."""
    yield measurement_table(profile, symbols)
    yield answer_table(profile)
    yield _option_table(profile)
    yield problem_table(profile)
    yield _table_of("models", ModelSubject, profile.models)
    yield _table_of("datasets", DatasetSubject, profile.datasets)
    yield _table_of("forms", FormSubject, profile.forms)
    yield _table_of("tokens", TokenCosts, profile.tokens)
    yield _table_of("gaps", Gap, profile.gaps)
    yield _table_of("run", Record, (profile.record,))


def measurement_table(profile: Profile, symbols: Mapping[str, str] | None = None) -> FlatTable:
    """A row for each measurement; `symbols` are those of metrics, by their names."""
    known = symbols or {}
    rows = [_measurement_row(one, known.get(one.metric, "")) for one in profile.measurements]
    return FlatTable("measurements", _MEASUREMENT, rows)


def answer_table(profile: Profile) -> FlatTable:
    """A row for each model, dataset, form, method and problem.

    `twins` are the numbers of the problems of its entry with which it makes a schema.
    """
    posed = {_place(one): one for one in profile.problems}
    rows = [
        row
        for address, sheet in profile.sheets.items()
        for row in _answer_rows(address, sheet, posed)
    ]
    return FlatTable("answers", _ANSWER, rows)


def problem_table(profile: Profile) -> FlatTable:
    """A row for each problem as it was posed."""
    names = [one.name for one in fields(PosedProblem)]
    rows = [
        (*(getattr(one, name) for name in names), _option(one.options, one.right))
        for one in profile.problems
    ]
    return FlatTable("problems", _PROBLEM, rows)


def token_table(profile: Profile, dataset: str, entry: str, number: int) -> FlatTable:
    """A row for each token of a problem of the original, for each model and option."""
    place = (dataset, ORIGINAL, entry, number)
    posed = {_place(one): one.options for one in profile.problems}
    rows = [
        (one.model, posed[place][one.option], text, part, cost)
        for one in profile.tokens
        if _place(one) == place
        for text, part, cost in zip(one.texts, one.parts, one.costs, strict=True)
    ]
    return FlatTable("tokens", _TOKEN, rows)


def _place(one: PosedProblem | TokenCosts) -> tuple[str, str, str, int]:
    return one.dataset, one.form, one.entry, one.number


def _option_table(profile: Profile) -> FlatTable:
    rows = [
        (
            *(_columns(one.of)),
            *(one.option, one.chosen, one.offered),
            one.chosen / one.offered if one.offered else None,
        )
        for one in profile.options
    ]
    return FlatTable("options", _OPTION, rows)


def _table_of(name: str, kind: type, instances: Sequence[Any]) -> FlatTable:
    hints = get_type_hints(kind)
    return FlatTable(name, hints, [tuple(getattr(one, of) for of in hints) for one in instances])


def _columns(address: Address | None) -> tuple[Any, ...]:
    return tuple(None if address is None else getattr(address, name) for name in _ADDRESS)


def _measurement_row(one: Measurement, symbol: str) -> tuple[Any, ...]:
    return (
        *_columns(one.of),
        *(one.metric, symbol, str(one.kind)),
        *(getattr(one, name) for name in _FIRST),
        None if one.low is None else LEVEL,
        *(getattr(one, name) for name in _COUNTS),
        *_columns(one.against),
        *(getattr(one, name) for name in _LAST),
    )


def _answer_rows(
    address: Address, sheet: Sheet, posed: Mapping[tuple[Any, ...], PosedProblem]
) -> Iterator[tuple[Any, ...]]:
    twins: dict[int, list[int]] = {}
    for first, second in sheet.schemas:
        twins.setdefault(first, []).append(sheet.answers[second].number)
        twins.setdefault(second, []).append(sheet.answers[first].number)
    for at, one in enumerate(sheet.answers):
        problem = posed.get((address.dataset, address.form, *one.problem))
        yield (
            *(address.model, address.dataset, address.form, address.method, *one.problem),
            *(problem and problem.statement, one.options),
            *_chosen(one.outcome, one.options),
            *(one.outcome.margin, one.outcome.costs, tuple(twins.get(at, ())), _sorted(one.tags)),
        )


def _chosen(one: Outcome, options: Sequence[str]) -> tuple[Any, ...]:
    """What was right and what was chosen; without a choice it is only known whether they agree."""
    right, chosen = (one.right, one.chosen) if one.has_choice else (None, None)
    return (right, _option(options, right), chosen, _option(options, chosen), str(one.verdict))


def _option(options: Sequence[str], at: int | None) -> str | None:
    return options[at] if at is not None and at < len(options) else None


def _sorted(tags: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(tags))
