"""Figures of a report, as SVG and PNG; matplotlib is imported when one is drawn."""

from __future__ import annotations

from dataclasses import replace

from horsesense.reports.figures.accuracy import dataset_figures, method_figures
from horsesense.reports.figures.changes import control_figures, method_difference_figures
from horsesense.reports.figures.consistency import consistency_figures
from horsesense.reports.figures.drawing import why_none
from horsesense.reports.figures.figure import DrawnFigure
from horsesense.reports.figures.perturbed import dyad_figures, perturbation_figures
from horsesense.reports.figures.plane import plane_figures
from horsesense.reports.figures.specification import specification_figures
from horsesense.results import Results

__all__ = ["DrawnFigure", "figures", "why_none"]

_FAMILIES = (
    dataset_figures,
    method_figures,
    method_difference_figures,
    specification_figures,
    plane_figures,
    perturbation_figures,
    consistency_figures,
    control_figures,
    dyad_figures,
)


def figures(profile: Results) -> tuple[DrawnFigure, ...]:
    """Every figure that there is data for, in the order of the protocol, each by another name."""
    named: dict[str, DrawnFigure] = {}
    for figure in (figure for family in _FAMILIES for figure in family(profile)):
        name, number = figure.name, 1
        while name in named:
            number += 1
            name = f"{figure.name}-{number}"
        named[name] = replace(figure, name=name)
    return tuple(named.values())
