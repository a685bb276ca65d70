"""Accuracy on perturbations (thesis Figures 4.5, 4.10), and on dyads by mode (4.12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from horsesense.reports.figures.drawing import slug
from horsesense.reports.figures.figure import DrawnFigure
from horsesense.reports.figures.marks import Cell
from horsesense.reports.figures.reading import (
    ACCURACIES,
    ACCURACY_PANELS,
    INTERVALS,
    STANDARD_SETUP,
    SYMBOLS,
    cell,
    consistency_tests,
    dyads,
    is_empty,
    model_label,
    shown_models,
    spoken,
    too_few,
)
from horsesense.reports.figures.rows import Chart, Row, draw_rows
from horsesense.reports.tables.naming import standard
from horsesense.results import ORIGINAL, ModelSubject, Results, Variant

_DYADIC = "dyadic"


def perturbation_figures(profile: Results) -> Iterator[DrawnFigure]:
    """Each dataset as it is, and in every form that ought to be no harder."""
    models = shown_models(profile)
    for dataset in profile.datasets:
        tests = consistency_tests(profile, dataset.name)
        rows = _rows(profile, models, tests)
        if is_empty(rows):
            continue
        originals = [form for form in profile.variants_of(dataset.name) if form.name == ORIGINAL]
        rows = [*_rows(profile, models, originals, is_bold=True), *rows]
        chart = Chart(
            panels=ACCURACY_PANELS,
            series=tuple(model_label(model) for model in models),
            rows=tuple(rows),
            before="the same schemas in the original",
        )
        yield DrawnFigure(
            name=slug("perturbations", dataset.name),
            title=f"Accuracy on perturbations of {dataset.name}",
            caption="A hollow mark is the accuracy on those schemas of the original that the "
            f"perturbation applies to. {too_few(profile, tests)}{STANDARD_SETUP} {INTERVALS}",
            alt="Dots: " + spoken(rows, SYMBOLS),
            draw=partial(draw_rows, chart),
        )


def dyad_figures(profile: Results) -> Iterator[DrawnFigure]:
    """Dyads by answer, by key and by boolean."""
    for dataset in profile.datasets:
        forms = dyads(profile, dataset.name)
        rows = [
            row
            for model in profile.models
            for row in _rows(profile, [model], forms, heading=model_label(model))
        ]
        if is_empty(rows):
            continue
        chart = Chart(
            panels=ACCURACY_PANELS,
            series=("accuracy",),
            rows=tuple(rows),
            is_bars=True,
            before="by answer, in the same schemas",
        )
        yield DrawnFigure(
            name=slug("dyads", dataset.name),
            title=f"Accuracy on the dyads of {dataset.name}, by mode of solution",
            caption="A hollow mark is the accuracy by answer, with problems put together into "
            f"schemas as for that mode. {STANDARD_SETUP} {INTERVALS}",
            alt="Bars: " + spoken(rows, SYMBOLS),
            draw=partial(draw_rows, chart),
        )


def _rows(
    profile: Results,
    models: Sequence[ModelSubject],
    forms: Sequence[Variant],
    *,
    heading: str = "",
    is_bold: bool = False,
) -> list[Row]:
    return [
        Row(
            form.mode if form.transformation == _DYADIC else form.name,
            tuple(
                tuple(_cell(profile, model, form, metric) for model in models)
                for metric in ACCURACIES
            ),
            heading if number == 0 else "",
            is_bold,
        )
        for number, form in enumerate(forms)
    ]


def _cell(profile: Results, model: ModelSubject, form: Variant, metric: str) -> Cell | None:
    original = standard(model, form.dataset)
    of = original.replace(variant=form.name)
    compared = profile.difference(of, original.replace(variant=form.compared), metric)
    return cell(profile.value(of, metric), before=compared.before if compared else None)
