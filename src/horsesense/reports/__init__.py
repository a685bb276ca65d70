"""Reports: build one from the results of a run, and write it as text, tables, figures or a page."""

from horsesense.reports.conclusion import Conclusion
from horsesense.reports.figures.drawing import DrawnFigure
from horsesense.reports.latex import latex, latex_table
from horsesense.reports.markdown import markdown, markdown_table
from horsesense.reports.report import Fact, Report, build_report
from horsesense.reports.sections import Section, SectionMaker, section
from horsesense.reports.summary import Summary
from horsesense.reports.table import Align, ReportTable, RowGroup, TableColumn
from horsesense.reports.text import text, text_summary, text_table
from horsesense.reports.verdict import Evidence, ModelVerdict, verdict
from horsesense.reports.writing import write_report

__all__ = [
    "Align",
    "TableColumn",
    "Conclusion",
    "DrawnFigure",
    "Evidence",
    "Fact",
    "RowGroup",
    "ModelVerdict",
    "Report",
    "ReportTable",
    "Section",
    "SectionMaker",
    "Summary",
    "build_report",
    "latex",
    "latex_table",
    "markdown",
    "markdown_table",
    "section",
    "text",
    "text_summary",
    "text_table",
    "verdict",
    "write_report",
]
