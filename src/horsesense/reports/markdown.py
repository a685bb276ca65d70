"""Markdown as GitHub shows it: the summary, and the sections with all tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from horsesense.reports.report import Report
from horsesense.reports.summary import Summary
from horsesense.reports.table import Align, ReportTable

# Each of them may begin or end something, somewhere in a line.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$])")


def markdown(report: Report) -> str:
    """The summary and the sections, with all tables under headings of their own."""
    parts = ["# Evaluation report", escaped(report.opening), *_summary(report.summary)]
    for section in report.sections:
        if section.paragraphs or section.tables:
            parts.append(f"## {escaped(section.title)}")
            parts += map(escaped, section.paragraphs)
            parts += map(markdown_table, section.tables)
    return "\n\n".join(parts) + "\n"


def markdown_table(table: ReportTable) -> str:
    """One table: its title, itself, and the notes as a list."""
    columns = table.columns
    lines = [
        f"### {escaped(table.title)}",
        "",
        _row([escaped(column.heading) for column in columns]),
        _row(["---" if column.align is Align.LEFT else "---:" for column in columns]),
    ]
    for group in table.groups:
        if group.heading:
            lines.append(_row([f"*{escaped(group.heading)}*", *[""] * (len(columns) - 1)]))
        lines += [_row([escaped(cell) for cell in row]) for row in group.rows]
    if table.notes:
        lines += ["", *(f"- {escaped(note)}" for note in table.notes)]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """A text that is shown as it is, in one line.

    >>> escaped("bee|2 & <b>, C*")
    'bee\\\\|2 \\\\& \\\\<b\\\\>, C\\\\*'
    """
    in_line = " ".join(text.split())
    # A number with a point, or a sign, at the beginning would begin a list.
    begun = re.sub(r"^([0-9]+)([.)])(?= )", r"\1\\\2", _SPECIAL.sub(r"\\\1", in_line))
    return re.sub(r"^([-+])(?= )", r"\\\1", begun)


def _summary(message: Summary) -> Iterator[str]:
    yield "## Summary"
    for warning in message.warnings:
        yield f"> **Warning:** {escaped(warning)}"
    yield f"**{escaped(message.headline)}**"
    for table in filter(None, (message.shares, message.questions)):
        yield markdown_table(table)
    for finding in message.findings:
        if finding.questions:
            items = (
                f"- {each.mark} {each.name}: {escaped(each.numbers)}" for each in finding.questions
            )
            yield f"{escaped(f'{finding.model} on {finding.dataset}')}, both twins right:"
            yield "\n".join(items)
    for verdict in message.verdicts:
        yield escaped(verdict.sentence)
        items = (
            f"- *{escaped(each.question)}* {escaped(each.sentence)}" for each in verdict.evidence
        )
        yield "\n".join(items)
    if message.glance:
        yield markdown_table(message.glance)
    if message.caveats:
        yield "Caveats:"
        yield "\n".join(f"- {escaped(caveat)}" for caveat in message.caveats)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
