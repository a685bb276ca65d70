"""Plain text for terminals: findings, verdicts, and the sections with tables that fit the width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap

from horsesense.reports.finding import MARKS, ModelFinding
from horsesense.reports.report import Report
from horsesense.reports.sections import Section
from horsesense.reports.summary import Summary
from horsesense.reports.table import Align, ReportTable, TableColumn

WIDTH = 100
# The findings are short; longer lines are harder to read.
_EASY_WIDTH = 80
# For so many models and datasets, the numbers of the questions are shown next to their marks.
_FEW = 2
_GAP = "  "
# Where a table is too wide, longer texts than these are folded, as many as it takes.
_FOLDED = (24, 20, 16, 12, 8)
# Headings of groups are not folded to less than this, however narrow the table is.
_NARROWEST = 40


def text(report: Report, *, width: int = WIDTH, all_tables: bool = False) -> str:
    """The summary and the sections, with all tables or the main ones, in lines of that width."""
    parts = [text_summary(report, width=width), "\n".join(_folded(report.opening, width))]
    parts += _verdicts(report.summary, width)
    for section in report.sections:
        parts += _section(section, width, all_tables=all_tables)
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def text_summary(report: Report, *, width: int = WIDTH) -> str:
    """The findings: a headline, a small table, and the answers to four questions."""
    return "\n\n".join(_findings(report.summary, min(width, _EASY_WIDTH))) + "\n"


def text_table(table: ReportTable, *, width: int = WIDTH) -> str:
    """One table. If it is too wide, long texts are folded, and then columns go below the others.

    >>> from horsesense.reports import RowGroup
    >>> columns = TableColumn("Model", Align.LEFT), TableColumn("a")
    >>> group = RowGroup((("ant", ".5"), ("bee", ".7")))
    >>> table = ReportTable(name="some", title="Some", columns=columns, groups=(group,))
    >>> print(text_table(table).replace("\\n\\n", "\\n"))
    Some
    Model   a
    ---------
    ant    .5
    bee    .7
    """
    lines = [*_folded(table.title, width)]
    for part in _parts(table, width):
        lines += ["", *_drawn(table, part)]
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


def _findings(summary: Summary, width: int) -> Iterator[str]:
    for warning in summary.warnings:
        yield "\n".join(_folded(f"WARNING: {warning}", width))
    yield "\n".join(_folded(summary.headline, width))
    if summary.shares:
        shares = summary.shares
        if len(summary.findings) == 1:
            shares = _shortened(shares, with_counts=summary.findings[0].has_singles)
        yield _without_title(shares, width)
    if len(summary.findings) > _FEW and summary.questions:
        yield _without_title(summary.questions, width)
    else:
        yield from _questions(summary.findings, width)


def _shortened(shares: ReportTable, *, with_counts: bool) -> ReportTable:
    """The shares of one model and dataset, without the dataset, which the headline names.

    The headline also has the number of schemas; the counts add something if there are other
    problems.
    """
    groups = [
        replace(group, rows=tuple((row[0], *row[2:]) for row in group.rows))
        for group in shares.groups
    ]
    columns = (shares.columns[0], *shares.columns[2:])
    notes = shares.notes if with_counts else shares.notes[:-1]
    return replace(shares, columns=columns, groups=tuple(groups), notes=notes)


def _without_title(table: ReportTable, width: int) -> str:
    in_one_line = [
        max(len(column.heading), cells)
        for column, cells in zip(table.columns, _widths(table), strict=True)
    ]
    fits = _total(in_one_line) <= width
    parts = [dict(enumerate(in_one_line))] if fits else _parts(table, width)
    drawn = ["\n".join(_drawn(table, part)) for part in parts]
    notes = [line for note in table.notes for line in _item(note, width)]
    return "\n".join(["\n\n".join(drawn), *notes])


def _questions(findings: Sequence[ModelFinding], width: int) -> Iterator[str]:
    """The answers to the four questions, with the meaning of the marks."""
    lines: list[str] = []
    for finding in findings:
        if finding.questions:
            about = f"{finding.model} on {finding.dataset} by {finding.method}, both twins right:"
            if len(findings) == 1:
                about = f"Both twins right, scored by {finding.method} ({MARKS}):"
            lines += _folded(about, width)
        for each in finding.questions:
            lines += _item(f"{each.name}: {each.numbers}", width, str(each.mark))
    if lines:
        yield "\n".join(lines if len(findings) == 1 else [*lines, *_folded(MARKS, width)])


def _verdicts(message: Summary, width: int) -> Iterator[str]:
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


def _item(message: str, width: int, mark: str = "-") -> list[str]:
    """An item of a list."""
    first, *others = _folded(message, width - 2)
    return [f"{mark} {first}", *(f"  {other}" for other in others)]


def _folded(message: str, width: int) -> list[str]:
    """Lines of at most that width; names are not broken at hyphens, nor numbers before their %."""
    kept = message.replace(" %", "\u00a0%")
    lines = wrap(kept, max(width, 1), break_on_hyphens=False) or [""]
    return [line.replace("\u00a0", " ") for line in lines]


def _parts(table: ReportTable, width: int) -> Iterator[dict[int, int]]:
    """Yield parts of the table that fit, as columns with their widths; each has the left ones."""
    kept = _leading(table.columns)
    widths = _folded_widths(table, kept, width)
    left = dict(enumerate(widths[:kept]))
    part = dict(left)
    for at in range(kept, len(widths)):
        if len(part) > kept and _total([*part.values(), widths[at]]) > width:
            yield part
            part = dict(left)
        part[at] = widths[at]
    yield part


def _folded_widths(table: ReportTable, kept: int, width: int) -> list[int]:
    """Return the widths of the columns; if the table is too wide, texts are folded step by step."""
    full = _widths(table)
    if _total(full) <= width:
        return full
    for limit in _FOLDED:
        widths = [
            min(needed, max(limit, _longest_word(column.heading)))
            if column.align is Align.LEFT
            else needed
            for needed, column in zip(full, table.columns, strict=True)
        ]
        # There must be room for any other column next to those on the left.
        if _total([*widths[:kept], max(widths[kept:], default=0)]) <= width:
            break
    return _widened(widths, full, width - _total(widths))


def _widened(widths: Sequence[int], full: Sequence[int], room: int) -> list[int]:
    """Share the room that is left evenly among the columns that were folded."""
    wide = list(widths)
    folded = sorted(
        (at for at in range(len(full)) if wide[at] < full[at]), key=lambda at: full[at] - wide[at]
    )
    for done, at in enumerate(folded):
        more = min(full[at] - wide[at], max(room, 0) // (len(folded) - done))
        wide[at] += more
        room -= more
    return wide


def _leading(columns: Sequence[TableColumn]) -> int:
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


def _drawn(table: ReportTable, part: Mapping[int, int]) -> Iterator[str]:
    """Draw these columns of a table, with their widths."""
    yield from _row(table, part, [column.heading for column in table.columns], is_heading=True)
    total = _total([*part.values()])
    has_heading = True
    for group in table.groups:
        if group.heading or has_heading:
            yield "-" * total
        has_heading = bool(group.heading)
        if group.heading:
            yield from _folded(group.heading, max(total, _NARROWEST))
        for row in group.rows:
            yield from _row(table, part, row)


def _row(
    table: ReportTable, part: Mapping[int, int], row: Sequence[str], *, is_heading: bool = False
) -> Iterator[str]:
    """Draw a row in as many lines as its longest cell needs; headings are aligned at the bottom."""
    cells = {at: _folded(row[at], width) for at, width in part.items()}
    height = max(map(len, cells.values()))
    for number in range(height):
        line = []
        for at, width in part.items():
            missing = height - len(cells[at]) if is_heading else 0
            shown = cells[at][number - missing] if 0 <= number - missing < len(cells[at]) else ""
            is_left = table.columns[at].align is Align.LEFT
            line.append(shown.ljust(width) if is_left else shown.rjust(width))
        yield _GAP.join(line).rstrip()
