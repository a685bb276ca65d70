"""Plain text for terminals: the summary, and the sections with tables that fit the width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from horsesense.reports.report import Report
from horsesense.reports.sections import Section
from horsesense.reports.summary import Summary
from horsesense.reports.table import Align, Column, Group, ReportTable

WIDTH = 100
_GAP = "  "
# Where a table is too wide, longer texts than these are folded, as many as it takes.
_FOLDED = (24, 20, 16, 12, 8)
# Headings of groups are not folded to less than this, however narrow the table is.
_NARROWEST = 40


def text(report: Report, *, width: int = WIDTH, all_tables: bool = False) -> str:
    """The summary and the sections, with all tables or the main ones, in lines of that width."""
    parts = [text_summary(report, width=width)]
    for section in report.sections:
        parts += _section(section, width, all_tables=all_tables)
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def text_summary(report: Report, *, width: int = WIDTH) -> str:
    """The opening and the summary, in words."""
    parts = "\n".join(_folded(report.opening, width)), *_summary(report.summary, width)
    return "\n\n".join(parts) + "\n"


def text_table(table: ReportTable, *, width: int = WIDTH) -> str:
    """One table. If it is too wide, long texts are folded, and then columns go below the others.

    >>> columns, rows = (Column("Model", Align.LEFT), Column("a")), (("ant", ".5"), ("bee", ".7"))
    >>> one = ReportTable(name="some", title="Some", columns=columns, groups=(Group(rows),))
    >>> print(text_table(one).replace("\\n\\n", "\\n"))
    Some
    Model   a
    ---------
    ant    .5
    bee    .7
    """
    lines = [*_folded(table.heading, width)]
    for part in _parts(table, width):
        lines += ["", *_drawn(part)]
    for note in table.notes:
        lines += _item(note, width)
    return "\n".join(lines)


def _section(section: Section, width: int, *, all_tables: bool) -> list[str]:
    """A section under its title; nothing if none of its tables is to be shown."""
    parts = ["\n".join(_folded(paragraph, width)) for paragraph in section.paragraphs]
    tables = [table for table in section.tables if table.is_main or all_tables]
    parts += [text_table(table, width=width) for table in tables]
    title = _folded(section.title, width)
    line = "=" * max(map(len, title))
    return ["\n".join([*title, line]), *parts] if parts else []


def _summary(message: Summary, width: int) -> Iterator[str]:
    yield "\n".join(_folded(message.headline, width))
    for verdict in message.verdicts:
        lines = _folded(verdict.sentence, width)
        for each in verdict.evidence:
            lines += _item(f"{each.question} {each.sentence}", width)
        yield "\n".join(lines)
    if message.glance:
        yield text_table(message.glance, width=width)
    if message.caveats:
        lines = ["Caveats"]
        for caveat in message.caveats:
            lines += _item(caveat, width)
        yield "\n".join(lines)


def _item(message: str, width: int) -> list[str]:
    """An item of a list."""
    first, *others = _folded(message, width - 2)
    return [f"- {first}", *(f"  {other}" for other in others)]


def _folded(message: str, width: int) -> list[str]:
    """Lines of at most that width; names are not broken at hyphens, nor numbers before their %."""
    kept = message.replace(" %", "\u00a0%")
    lines = wrap(kept, max(width, 1), break_on_hyphens=False) or [""]
    return [line.replace("\u00a0", " ") for line in lines]


@dataclass(frozen=True, slots=True)
class _Part:
    """Some columns of a table, and how wide each is."""

    columns: tuple[Column, ...]
    widths: tuple[int, ...]
    groups: tuple[Group, ...]


def _parts(table: ReportTable, width: int) -> Iterator[_Part]:
    """The table in parts that fit; the columns on the left stand in each of them."""
    kept = _leading(table.columns)
    widths = _folded_widths(table, kept, width)
    start = list(range(kept))
    part = list(start)
    for at in range(kept, len(widths)):
        if len(part) > kept and _total([widths[one] for one in (*part, at)]) > width:
            yield _part(table, part, widths)
            part = list(start)
        part.append(at)
    yield _part(table, part, widths)


def _folded_widths(table: ReportTable, kept: int, width: int) -> list[int]:
    """The widths of the columns; if they are too much, texts are folded more and more."""
    full = _widths(table)
    if _total(full) <= width:
        return full
    for limit in _FOLDED:
        widths = [
            min(one, max(limit, _longest_word(column.heading)))
            if column.align is Align.LEFT
            else one
            for one, column in zip(full, table.columns, strict=True)
        ]
        # Beside those on the left there must be room for any other column.
        if _total([*widths[:kept], max(widths[kept:], default=0)]) <= width:
            break
    return _widened(widths, full, width - _total(widths))


def _widened(widths: Sequence[int], full: Sequence[int], room: int) -> list[int]:
    """Widths of columns, with the room that is left given to what was folded, evenly."""
    wide = list(widths)
    folded = sorted(
        (at for at in range(len(full)) if wide[at] < full[at]), key=lambda at: full[at] - wide[at]
    )
    for done, at in enumerate(folded):
        more = min(full[at] - wide[at], max(room, 0) // (len(folded) - done))
        wide[at] += more
        room -= more
    return wide


def _leading(columns: Sequence[Column]) -> int:
    """The number of columns on the left that identify a row."""
    for at, column in enumerate(columns):
        if column.align is not Align.LEFT:
            return at
    return len(columns)


def _widths(table: ReportTable) -> list[int]:
    rows = [row for group in table.groups for row in group.rows]
    return [
        max((_longest_word(column.heading), *(len(row[at]) for row in rows)))
        for at, column in enumerate(table.columns)
    ]


def _longest_word(heading: str) -> int:
    return max(map(len, heading.split()))


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _part(table: ReportTable, places: Sequence[int], widths: Sequence[int]) -> _Part:
    groups = (
        Group(tuple(tuple(row[at] for at in places) for row in group.rows), group.heading)
        for group in table.groups
    )
    return _Part(
        tuple(table.columns[at] for at in places),
        tuple(widths[at] for at in places),
        tuple(groups),
    )


def _drawn(part: _Part) -> Iterator[str]:
    yield from _row(part, [column.heading for column in part.columns], is_heading=True)
    line = "-" * _total(part.widths)
    for at, group in enumerate(part.groups):
        if at == 0 or group.heading or part.groups[at - 1].heading:
            yield line
        if group.heading:
            yield from _folded(group.heading, max(_total(part.widths), _NARROWEST))
        for row in group.rows:
            yield from _row(part, row)


def _row(part: _Part, row: Iterable[str], *, is_heading: bool = False) -> Iterator[str]:
    """A row in as many lines as its longest cell needs; headings stand on the line below."""
    cells = [_folded(cell, width) for cell, width in zip(row, part.widths, strict=True)]
    height = max(map(len, cells))
    for at in range(height):
        line = []
        for column, width, cell in zip(part.columns, part.widths, cells, strict=True):
            missing = height - len(cell) if is_heading else 0
            shown = cell[at - missing] if 0 <= at - missing < len(cell) else ""
            line.append(shown.ljust(width) if column.align is Align.LEFT else shown.rjust(width))
        yield _GAP.join(line).rstrip()
