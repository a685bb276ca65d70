"""Figures of changes: controls, scoring methods compared, and consistency on perturbations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import ceil

from horsesense.reports.conclusion import expected
from horsesense.reports.figures.accuracy import (
    ACCURACIES,
    ACCURACY_PANELS,
    INTERVALS,
    STANDARD_SETUP,
    SYMBOLS,
    cell,
    consistency_tests,
    controls,
    is_empty,
    model_label,
    shown_models,
    spoken,
    too_few,
)
from horsesense.reports.figures.drawing import ChartValue, DrawnFigure, slug
from horsesense.reports.figures.rows import Chart, ChartRow, ChartValues, Panel, draw_rows
from horsesense.reports.wording import ASSOCIATIVE, NOT_ASSOCIATIVE, listed, signed, standard
from horsesense.results import ALL, ModelSubject, Results, Variant

_SUBSETS = (ALL, ASSOCIATIVE, NOT_ASSOCIATIVE)
_TITLES = ("Problem accuracy a", "Schema accuracy A")
_SCALE = 0.1


def control_figures(results: Results) -> Iterator[DrawnFigure]:
    """Accuracy on the controls, and how much of it is lost there.

    Controls whose problems have no right answer any more are left out: nothing is left to be right.
    """
    for dataset in results.datasets:
        variants = controls(results, dataset.name)
        rows = _control_rows(results, variants, is_loss=False)
        if is_empty(rows):
            continue
        few = too_few(results, variants)
        models = tuple(model_label(model) for model in shown_models(results))
        chart = Chart(
            panels=ACCURACY_PANELS,
            series=models,
            rows=tuple(rows),
            before="the same problems in the original",
        )
        yield DrawnFigure(
            name=slug("controls", dataset.name),
            family="Accuracy on controls",
            facet=dataset.name,
            symbols=("a", "A"),
            title=f"Accuracy on controls of {dataset.name}",
            caption="Controls lack the words that make a problem solvable, so accuracy above "
            f"chance has another source. {_unlabelled(rows, variants)}{few}{STANDARD_SETUP} "
            f"{INTERVALS}",
            alt="Dots: " + spoken(rows, SYMBOLS),
            draw=partial(draw_rows, chart),
        )
        losses = _control_rows(results, variants, is_loss=True)
        if not is_empty(losses):
            yield DrawnFigure(
                name=slug("control-loss", dataset.name),
                family="Change in accuracy on controls",
                facet=dataset.name,
                symbols=("a", "A"),
                title=f"Change in accuracy on controls of {dataset.name}",
                caption="Control minus original, on the same problems: the smaller the loss, the "
                f"more of the accuracy has another source. {few}{STANDARD_SETUP} {INTERVALS}",
                alt="Dots: " + spoken(losses, SYMBOLS, signed),
                draw=partial(draw_rows, _differences(models, losses)),
            )


def method_difference_figures(results: Results) -> Iterator[DrawnFigure]:
    """The standard method against each other one."""
    for dataset in results.datasets:
        rows = [
            row
            for model in shown_models(results)
            for row in _method_rows(results, model, dataset.name)
        ]
        if is_empty(rows):
            continue
        yield DrawnFigure(
            name=slug("method-differences", dataset.name),
            family="The standard scoring method compared with others",
            facet=dataset.name,
            symbols=("a", "A"),
            title=f"The standard scoring method compared with others on {dataset.name}",
            caption="Standard minus other, on the same problems: right of the line the standard "
            f"method is more accurate. {INTERVALS}",
            alt="Dots: " + spoken(rows, SYMBOLS, signed),
            draw=partial(draw_rows, _differences(("difference",), rows)),
        )


def _control_rows(
    results: Results, variants: Sequence[Variant], *, is_loss: bool
) -> list[ChartRow]:
    """A row for each control, or for each subset of it where associative problems are marked."""
    shown = {
        variant.name: [
            (subset, cells)
            for subset in _SUBSETS
            if not is_empty(
                [ChartRow("", cells := _control_cells(results, variant, subset, is_loss))]
            )
        ]
        for variant in variants
    }
    if all(len(subsets) <= 1 for subsets in shown.values()):
        return [ChartRow(name, cells) for name, subsets in shown.items() for _, cells in subsets]
    return [
        ChartRow(subset, cells, heading=name if number == 0 else "")
        for name, subsets in shown.items()
        for number, (subset, cells) in enumerate(subsets)
    ]


def _unlabelled(rows: Sequence[ChartRow], variants: Sequence[Variant]) -> str:
    """A sentence that lists the controls that are not shown, if any."""
    shown = {name for row in rows for name in (row.label, row.heading)}
    missing = [variant.name for variant in variants if variant.name not in shown]
    return f"Not shown, because accuracy is undefined: {listed(missing)}. " if missing else ""


def _control_cells(results: Results, variant: Variant, subset: str, is_loss: bool) -> ChartValues:
    panels = []
    for metric in ACCURACIES:
        panel = []
        for model in shown_models(results):
            original = standard(model, variant.dataset).replace(subset=subset)
            of = original.replace(variant=variant.name)
            difference = results.difference(of, original.replace(variant=variant.compared), metric)
            before = difference.before if difference else None
            value = cell(results.value(of, metric), before=before)
            panel.append(cell(difference) if is_loss else value)
        panels.append(tuple(panel))
    return tuple(panels)


def _method_rows(results: Results, model: ModelSubject, dataset: str) -> Iterator[ChartRow]:
    chosen = standard(model, dataset)
    others = [method for method in model.methods if method != chosen.method]
    for number, method in enumerate(others):
        other = chosen.replace(method=method)
        yield ChartRow(
            f"− {method}",
            tuple((cell(results.difference(chosen, other, metric)),) for metric in ACCURACIES),
            heading=f"{model_label(model)}: {chosen.method}" if number == 0 else "",
        )


def _differences(series: tuple[str, ...], rows: Sequence[ChartRow]) -> Chart:
    """A chart around nothing, as wide as the intervals make it."""
    ends = [
        abs(end)
        for row in rows
        for panel in row.cells
        for shown in panel
        if shown is not None
        for end in (shown.value, shown.low, shown.high)
        if end is not None
    ]
    reach = max(ceil(max(ends) / _SCALE - 1e-9), 1) * _SCALE
    ticks = (-reach, -reach / 2, 0.0, reach / 2, reach)
    panels = tuple(Panel(title, 0.0, "no difference", -reach, reach, ticks) for title in _TITLES)
    return Chart(panels=panels, series=series, rows=tuple(rows), text=signed)


_CONSISTENCY_PANELS = {
    "consistency": Panel("Consistency c"),
    "schema-consistency": Panel("Schema consistency C"),
    "consistent-schema-accuracy": Panel("Consistent schema accuracy Cₐ"),
}


def consistency_figures(results: Results) -> Iterator[DrawnFigure]:
    """Consistency of the answers before and after each perturbation."""
    models = shown_models(results)
    for dataset in results.datasets:
        rows = [
            ChartRow(
                variant.name,
                tuple(
                    tuple(_consistency_cell(results, model, variant, metric) for model in models)
                    for metric in _CONSISTENCY_PANELS
                ),
            )
            for variant in consistency_tests(results, dataset.name)
        ]
        if is_empty(rows):
            continue
        chart = Chart(
            panels=tuple(_CONSISTENCY_PANELS.values()),
            series=tuple(model_label(model) for model in models),
            rows=tuple(rows),
            expected="expected of independent answers",
        )
        yield DrawnFigure(
            name=slug("consistency", dataset.name),
            family="Consistency on perturbations",
            facet=dataset.name,
            symbols=("c", "C", "C_a"),
            title=f"Consistency on perturbations of {dataset.name}",
            caption="Vertical ticks: the consistency expected of independent answers with the same "
            "accuracies before and after. Where problems do not correspond one to one, c does not "
            "apply. "
            f"{STANDARD_SETUP} Lines are 95 % intervals.",
            alt="Dots: " + spoken(rows, {1: "C", 2: "C_a"}),
            draw=partial(draw_rows, chart),
        )


def _consistency_cell(
    results: Results, model: ModelSubject, variant: Variant, metric: str
) -> ChartValue | None:
    original = standard(model, variant.dataset)
    of, against = original.replace(variant=variant.name), original.replace(variant=variant.compared)
    by_chance = expected(results, of, against, metric)
    measured = cell(results.change(of, against, metric), expected=by_chance)
    if measured is None and metric == "consistency":
        return ChartValue(None)
    return measured
