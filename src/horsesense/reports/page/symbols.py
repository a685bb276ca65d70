"""The symbols of a table or figure, to be explained right below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from horsesense.metrics import METRICS
from horsesense.reports.table import ReportTable

# Symbols that are no metric's.
_OTHERS = {
    "p": "the probability of a result at least as far from chance, or from no difference, by luck",
    "r": "the accuracy named in the row, in the original",
    "r_B": "the same accuracy in the control",
    "r − r_B": "how much of the accuracy r is lost in the control, where it is r_B",
    "(r − r_B)/r": "the share of the accuracy r that is lost in the control",
    "(r − r_B)/(1 − r_B)": "the share of what the control leaves unsolved that the original solves",
}


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol and what it means."""

    symbol: str
    meaning: str


def explained(symbols: Iterable[str]) -> tuple[Symbol, ...]:
    """Explain each symbol once, in the given order; what is no known symbol is left out."""
    known = _meanings()
    return tuple(Symbol(name, known[name]) for name in dict.fromkeys(symbols) if name in known)


def symbols_of(table: ReportTable) -> tuple[Symbol, ...]:
    """Explain the symbols in the headings and cells of a table."""
    return explained(_used(table))


def _used(table: ReportTable) -> Iterator[str]:
    for at, column in enumerate(table.columns):
        if column.is_symbol:
            yield column.heading.partition(", ")[0]
        if column.holds_symbols:
            yield from (row[at] for group in table.groups for row in group.rows)


def _meanings() -> dict[str, str]:
    meanings = dict(_OTHERS)
    for metric in METRICS.values():
        title = metric.declared.title
        meanings.setdefault(metric.declared.symbol, title[:1].lower() + title[1:])
    return {symbol: meaning for symbol, meaning in meanings.items() if symbol != "–"}
