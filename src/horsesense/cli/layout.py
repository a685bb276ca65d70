"""Fit tables and paragraphs into the width of a terminal, without breaking words if possible."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, chop_cells

# The space between two columns.
GAP = 2
# Where a long word may be broken: hs-winograd.switched, hs-winograd/a-fish.1, a folder.
_BREAK = re.compile(r"(?<=[-/.@_])(?=[^\W\d_])")
_WORD = re.compile(r" *[^ ]+| +$")
# A column that is wider than this has text, which may be wrapped before anything else.
_TEXT = 20
# The least width of a column whose words are broken anywhere.
_NARROWEST = 4


@dataclass(frozen=True, slots=True)
class TextTable:
    """Column headings and rows of text; the first columns, the `keys`, identify a row."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    keys: int = 1


def bare_number(written: str) -> str:
    """Return a share or a difference as tables show it: no zero before the point, a real minus.

    >>> bare_number("0.119"), bare_number("-0.117"), bare_number("+0.5"), bare_number("1.000")
    ('.119', '−.117', '+.5', '1.000')
    """
    sign, digits = (written[0], written[1:]) if written[0] in "+-" else ("", written)
    short = digits.removeprefix("0") if digits.startswith("0.") else digits
    return sign.replace("-", "−") + short


def fit_table(table: TextTable, width: int) -> Iterator[TextTable]:
    """Yield the table with its cells wrapped, or several tables with some of the columns each.

    Long text is wrapped first, then short text, then long words are broken at punctuation. If that
    is not enough, the columns are distributed over several tables that all have the keys.
    """
    for block in _blocks(table, width):
        widths = _widths(block, width)
        rows = [_wrapped_row(row, widths) for row in block.rows]
        yield TextTable(_wrapped_row(block.columns, widths), rows, block.keys)


def wrap_text(text: str, width: int) -> str:
    """Break lines at spaces, then after punctuation in long words, then anywhere.

    >>> wrap_text("of hs-winograd.switched", 12)
    'of\\nhs-winograd.\\nswitched'
    """
    return "\n".join(wrapped for line in text.split("\n") for wrapped in _wrapped_line(line, width))


def _wrapped_line(line: str, width: int) -> Iterator[str]:
    current = ""
    for word in _WORD.findall(line):
        if cell_len(current + word) <= width:
            current += word
            continue
        if current.strip():
            yield current
            word = word.lstrip(" ")
        current = ""
        for piece in _pieces(word, width):
            if current and cell_len(current + piece) > width:
                yield current
                current = ""
            current += piece
    yield current


def _pieces(word: str, width: int) -> Iterator[str]:
    """Yield the parts of a word that may stand on lines of their own."""
    for piece in _BREAK.split(word):
        yield from chop_cells(piece, width)


def _blocks(table: TextTable, width: int) -> Iterator[TextTable]:
    """Distribute the columns over several tables if even broken words don't fit into one."""
    if _total(_of_columns(table, _longest_piece)) <= width:
        yield table
        return
    least = [min(column, _TEXT) for column in _of_columns(table, cell_len)]
    keys = list(range(table.keys))
    chosen: list[int] = []
    for column in range(table.keys, len(table.columns)):
        if chosen and _total([least[at] for at in (*keys, *chosen, column)]) > width:
            yield _only(table, [*keys, *chosen])
            chosen = []
        chosen.append(column)
    yield _only(table, [*keys, *chosen])


def _only(table: TextTable, positions: Sequence[int]) -> TextTable:
    columns, *rows = [tuple(row[at] for at in positions) for row in (table.columns, *table.rows)]
    return TextTable(columns, rows, table.keys)


def _widths(table: TextTable, width: int) -> list[int]:
    """Narrow the columns until they fit, or as far as possible."""
    natural, words = _of_columns(table, cell_len), _of_columns(table, _longest_word)
    pieces, least = _of_columns(table, _longest_piece), _of_columns(table, _at_least)
    texts = [max(word, min(column, _TEXT)) for word, column in zip(words, natural, strict=True)]
    is_text = [column > _TEXT for column in natural]
    widths = list(natural)
    for limits in (
        texts,
        _mixed(is_text, texts, words),
        _mixed(is_text, texts, pieces),
        pieces,
        least,
    ):
        _narrow(widths, limits, width)
    return widths


def _mixed(is_text: Sequence[bool], texts: Sequence[int], others: Sequence[int]) -> list[int]:
    """Choose a limit for each column: one for columns of text, another for others."""
    columns = zip(is_text, texts, others, strict=True)
    return [text if is_long else other for is_long, text, other in columns]


def _narrow(widths: list[int], limits: Sequence[int], width: int) -> None:
    """Narrow the widest column again and again, none below its limit, until they fit."""
    while _total(widths) > width:
        wider = [at for at, column in enumerate(widths) if column > limits[at]]
        if not wider:
            break
        widths[max(wider, key=widths.__getitem__)] -= 1


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _of_columns(table: TextTable, measure: Callable[[str], int]) -> list[int]:
    """Measure the cells of each column, and return the greatest measure of each."""
    cells = zip(table.columns, *table.rows, strict=True)
    return [max(map(measure, column)) for column in cells]


def _longest_word(cell: str) -> int:
    return max(map(cell_len, cell.split()), default=0)


def _longest_piece(cell: str) -> int:
    pieces = (piece for word in cell.split() for piece in _BREAK.split(word))
    return max(map(cell_len, pieces), default=0)


def _at_least(cell: str) -> int:
    return min(cell_len(cell), _NARROWEST)


def _wrapped_row(row: Sequence[str], widths: Sequence[int]) -> tuple[str, ...]:
    return tuple(wrap_text(cell, width) for cell, width in zip(row, widths, strict=True))
