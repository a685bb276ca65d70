"""Figures of a report, as SVG and PNG; matplotlib is imported when one is drawn."""

from horsesense.reports.figures.drawing import DrawnFigure, why_none

__all__ = ["DrawnFigure", "why_none"]
