"""A profile at a glance, in HTML that stands in whatever page there is, such as a notebook."""

from __future__ import annotations

from html import escape

from horsesense.reports.summary import summary
from horsesense.reports.table import ReportTable
from horsesense.results import Results


def glance_html(profile: Results) -> str:
    """The headline, and the table of all at a glance if there is one."""
    told = summary(profile)
    return f"<p>{escape(told.headline)}</p>" + (_table(told.glance) if told.glance else "")


def _table(table: ReportTable) -> str:
    sides = [f"text-align: {column.align}" for column in table.columns]
    headings = (
        f'<th style="{side}">{escape(column.heading)}</th>'
        for side, column in zip(sides, table.columns, strict=True)
    )
    rows = (
        "".join(
            f'<td style="{side}">{escape(text)}</td>' for side, text in zip(sides, row, strict=True)
        )
        for group in table.groups
        for row in group.rows
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(headings)}</tr></thead><tbody>{body}</tbody></table>"
