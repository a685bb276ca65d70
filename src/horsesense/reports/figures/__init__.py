"""Figures of a report, as SVG and PNG; matplotlib is imported when one is drawn."""

from horsesense.reports.figures.drawing import DrawnFigure, missing_figures_reason

__all__ = ["DrawnFigure", "missing_figures_reason"]
