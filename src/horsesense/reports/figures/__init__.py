"""Figures of a report, as SVG and PNG; matplotlib is imported when one is drawn."""

from horsesense.reports.figures.drawing import why_none
from horsesense.reports.figures.figure import DrawnFigure

__all__ = ["DrawnFigure", "why_none"]
