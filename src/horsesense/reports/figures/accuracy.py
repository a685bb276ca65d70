"""Accuracy by scoring method (thesis Figures 4.1-4.3), and of the standard methods (4.4, 4.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from horsesense.reports.cells import listed
from horsesense.reports.figures.drawing import slug
from horsesense.reports.figures.figure import DrawnFigure
from horsesense.reports.figures.reading import (
    ACCURACIES,
    ACCURACY_PANELS,
    EQUAL_LENGTH,
    INTERVALS,
    STANDARD_SETUP,
    SYMBOLS,
    cell,
    is_empty,
    model_label,
    shown_models,
    spoken,
)
from horsesense.reports.figures.rows import Cells, Chart, Row, draw_rows
from horsesense.reports.tables.naming import standard
from horsesense.results import ALL, DatasetSubject, ModelSubject, ResultKey, Results

_LENGTHS = {ALL: "answers of any length", EQUAL_LENGTH: "answers of equal length"}


def dataset_figures(profile: Results) -> Iterator[DrawnFigure]:
    """All models and baselines on all datasets, by their standard methods."""
    rows = [
        row
        for dataset in profile.datasets
        for row in _standard_rows(profile, dataset, profile.models)
    ]
    if is_empty(rows):
        return
    names = listed([dataset.name for dataset in profile.datasets])
    chart = _chart(rows)
    yield DrawnFigure(
        name="datasets",
        title=f"Accuracy on {names}",
        caption=f"Accuracy of models and baselines. {STANDARD_SETUP} {INTERVALS}",
        alt="Bars: " + spoken(rows, SYMBOLS),
        draw=partial(draw_rows, chart),
    )


def method_figures(profile: Results) -> Iterator[DrawnFigure]:
    """All scoring methods of the models, for each dataset."""
    for dataset in profile.datasets:
        rows = [
            row for model in shown_models(profile) for row in _rows(profile, model, dataset.name)
        ]
        if is_empty(rows):
            continue
        chart = _chart(rows)
        by_standard = _standard_rows(profile, dataset, shown_models(profile))
        yield DrawnFigure(
            name=slug("methods", dataset.name),
            title=f"Accuracy by scoring method on {dataset.name}",
            caption="The standard method, chosen beforehand, is in bold: whoever picks the best "
            f"one afterwards reports luck as well. {INTERVALS}",
            alt="Bars; the standard method: " + spoken(by_standard, SYMBOLS),
            draw=partial(draw_rows, chart),
        )


def _standard_rows(
    profile: Results, dataset: DatasetSubject, models: Sequence[ModelSubject]
) -> Iterator[Row]:
    for number, model in enumerate(models):
        yield Row(
            model_label(model),
            _cells(profile, standard(model, dataset.name)),
            heading=dataset.name if number == 0 else "",
        )


def _rows(profile: Results, model: ModelSubject, dataset: str) -> Iterator[Row]:
    chosen = standard(model, dataset)
    for number, method in enumerate(model.methods):
        yield Row(
            method,
            _cells(profile, chosen.replace(method=method)),
            heading=model_label(model) if number == 0 else "",
            is_bold=method == chosen.method,
        )


def _cells(profile: Results, of: ResultKey) -> Cells:
    return tuple(
        tuple(cell(profile.value(of.replace(subset=subset), metric)) for subset in _LENGTHS)
        for metric in ACCURACIES
    )


def _chart(rows: list[Row]) -> Chart:
    """Without the second series where no answers are known to be of equal length."""
    has_equal = any(panel[1] is not None for row in rows for panel in row.cells)
    if not has_equal:
        rows = [
            Row(row.label, tuple(panel[:1] for panel in row.cells), row.heading, row.is_bold)
            for row in rows
        ]
    series = tuple(_LENGTHS.values())[: 1 + has_equal]
    return Chart(panels=ACCURACY_PANELS, series=series, rows=tuple(rows), is_bars=True)
