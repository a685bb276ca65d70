"""Reports: pure functions that show a profile, in words, tables, figures, files and a page."""

from horsesense.reports.conclusion import Conclusion
from horsesense.reports.evidence import Evidence
from horsesense.reports.glance import glance_html
from horsesense.reports.latex import latex, latex_table
from horsesense.reports.markdown import markdown, markdown_table
from horsesense.reports.saving import write_report
from horsesense.reports.summary import Summary, summary
from horsesense.reports.table import Align, Column, Group, ReportTable
from horsesense.reports.tables import tables
from horsesense.reports.text import text, text_summary, text_table
from horsesense.reports.verdict import ModelVerdict, verdict

__all__ = [
    "Align",
    "Column",
    "Conclusion",
    "Evidence",
    "Group",
    "ModelVerdict",
    "ReportTable",
    "Summary",
    "glance_html",
    "latex",
    "latex_table",
    "markdown",
    "markdown_table",
    "summary",
    "tables",
    "text",
    "text_summary",
    "text_table",
    "verdict",
    "write_report",
]
