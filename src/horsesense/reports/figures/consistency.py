"""Consistency on perturbations, beside what chance would give (thesis Figures 4.6, 4.11)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from horsesense.reports.expected import expected
from horsesense.reports.figures.drawing import slug
from horsesense.reports.figures.figure import DrawnFigure
from horsesense.reports.figures.marks import Cell
from horsesense.reports.figures.reading import (
    STANDARD_SETUP,
    cell,
    consistency_tests,
    is_empty,
    model_label,
    shown_models,
    spoken,
)
from horsesense.reports.figures.rows import Chart, Panel, Row, draw_rows
from horsesense.reports.tables.naming import standard
from horsesense.results import ModelSubject, Results, Variant

_PANELS = {
    "consistency": Panel("Consistency c"),
    "schema-consistency": Panel("Schema consistency C"),
    "consistent-schema-accuracy": Panel("Consistent schema accuracy Cₐ"),
}


def consistency_figures(profile: Results) -> Iterator[DrawnFigure]:
    """How far a model answers alike before and after each perturbation."""
    models = shown_models(profile)
    for dataset in profile.datasets:
        rows = [
            Row(
                form.name,
                tuple(
                    tuple(_cell(profile, model, form, metric) for model in models)
                    for metric in _PANELS
                ),
            )
            for form in consistency_tests(profile, dataset.name)
        ]
        if is_empty(rows):
            continue
        chart = Chart(
            panels=tuple(_PANELS.values()),
            series=tuple(model_label(model) for model in models),
            rows=tuple(rows),
            expected="expected by chance",
        )
        yield DrawnFigure(
            name=slug("consistency", dataset.name),
            title=f"Consistency on perturbations of {dataset.name}",
            caption="Upright ticks: what would be expected if the answers before and after, with "
            "the accuracies that they have, had nothing to do with each other. Where problems do "
            "not correspond one to one, c does not apply. "
            f"{STANDARD_SETUP} Lines are 95 % intervals.",
            alt="Dots: " + spoken(rows, {1: "C", 2: "C_a"}),
            draw=partial(draw_rows, chart),
        )


def _cell(profile: Results, model: ModelSubject, form: Variant, metric: str) -> Cell | None:
    original = standard(model, form.dataset)
    of, against = original.replace(variant=form.name), original.replace(variant=form.compared)
    by_chance = expected(profile, of, against, metric)
    measured = cell(profile.change(of, against, metric), expected=by_chance)
    if measured is None and metric == "consistency":
        return Cell(None)
    return measured
