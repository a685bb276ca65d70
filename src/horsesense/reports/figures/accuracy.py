"""Figures of accuracy: by scoring method, dataset, perturbation and mode, as in the thesis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from horsesense.metrics.statistics import FEW_SCHEMAS
from horsesense.reports.figures.drawing import ChartValue, DrawnFigure, slug
from horsesense.reports.figures.rows import Chart, ChartRow, ChartValues, Panel, draw_rows
from horsesense.reports.wording import (
    CHANCE,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    is_bound_of_guessing,
    listed,
    share,
    standard,
)
from horsesense.results import (
    ALL,
    ORIGINAL,
    DatasetSubject,
    Estimate,
    ModelSubject,
    ResultKey,
    Results,
    Variant,
)

Text: TypeAlias = Callable[[float | None], str]

ACCURACIES = (PROBLEM_ACCURACY, SCHEMA_ACCURACY)
ACCURACY_PANELS = (
    Panel("Problem accuracy a", CHANCE[PROBLEM_ACCURACY], "chance"),
    Panel("Schema accuracy A", CHANCE[SCHEMA_ACCURACY], "chance"),
)
SYMBOLS = {0: "a", 1: "A"}
EQUAL_LENGTH = "equal-length"
INTERVALS = "Lines are 95 % intervals from resampling whole schemas."
STANDARD_SETUP = "Each model with its standard method."
_DYADIC = "dyadic"


def shown_models(results: Results) -> tuple[ModelSubject, ...]:
    """The models, or the baselines where there is nothing else."""
    models = tuple(model for model in results.models if not model.is_baseline)
    return models or results.models


def model_label(model: ModelSubject) -> str:
    """The name of a model; a baseline is marked as one."""
    return f"{model.name} (baseline)" if model.is_baseline else model.name


def consistency_tests(results: Results, dataset: str) -> tuple[Variant, ...]:
    """The variants that should be no harder than the original, without dyads."""
    return tuple(
        variant
        for variant in results.variants_of(dataset)
        if variant.compared and not variant.is_control and variant.transformation != _DYADIC
    )


def controls(results: Results, dataset: str) -> tuple[Variant, ...]:
    """The variants that lack the words needed to solve them."""
    return tuple(variant for variant in results.variants_of(dataset) if variant.is_control)


def dyads(results: Results, dataset: str) -> tuple[Variant, ...]:
    """The dyads, by answer, by key and by boolean."""
    return tuple(
        variant for variant in results.variants_of(dataset) if variant.transformation == _DYADIC
    )


def too_few(results: Results, variants: Iterable[Variant]) -> str:
    """A sentence that lists the variants with too few schemas to be reliable, if any."""
    message = []
    for variant in variants:
        schemas = FEW_SCHEMAS
        for model in shown_models(results):
            key = standard(model, variant.dataset).replace(variant=variant.name)
            if accuracy := results.value(key, SCHEMA_ACCURACY):
                schemas = min(schemas, accuracy.independent_schemas)
        if schemas < FEW_SCHEMAS:
            message.append(f"{variant.name} ({schemas})")
    if not message:
        return ""
    return f"Unreliable, with fewer than {FEW_SCHEMAS} schemas: {listed(message)}. "


def on_chance(results: Results) -> str:
    """A sentence for the captions of figures with chance, if guessing gives less to some models."""
    if not any(is_bound_of_guessing(results, estimate) for estimate in results.estimates):
        return ""
    return (
        " Chat models are asked in both orders, where chance is the most that guessing gives: it"
        " leaves problems undecided."
    )


def cell(
    measured: Estimate | None, *, before: float | None = None, expected: float | None = None
) -> ChartValue | None:
    """An estimate as a cell, None where there is none."""
    if measured is None:
        return None
    return ChartValue(measured.value, measured.low, measured.high, before, expected)


def is_empty(rows: Iterable[ChartRow]) -> bool:
    """True where no row has a number."""
    return not any(
        shown is not None and shown.value is not None
        for row in rows
        for panel in row.cells
        for shown in panel
    )


def spoken(rows: Iterable[ChartRow], panels: Mapping[int, str], text: Text = share) -> str:
    """Describe the first series, with a value of each row for each of these panels."""
    phrases = []
    for row in rows:
        values = [
            f"{symbol} {_spoken_value(row.cells[at][0], text)}" for at, symbol in panels.items()
        ]
        heading = f"{row.heading}, " if row.heading else ""
        phrases.append(f"{heading}{row.label}: {', '.join(values)}")
    return "; ".join(phrases)


def _spoken_value(shown: ChartValue | None, text: Text) -> str:
    if shown is None or shown.value is None:
        return "undefined"
    if shown.low is None or shown.high is None:
        return text(shown.value)
    return f"{text(shown.value)} ({text(shown.low)} to {text(shown.high)})"


_LENGTHS = {ALL: "answers of any length", EQUAL_LENGTH: "answers of equal length"}


def dataset_figures(results: Results) -> Iterator[DrawnFigure]:
    """All models and baselines on all datasets, by their standard methods."""
    rows = [
        row
        for dataset in results.datasets
        for row in _standard_rows(results, dataset, results.models)
    ]
    if is_empty(rows):
        return
    names = listed([dataset.name for dataset in results.datasets])
    chart = _chart(rows)
    yield DrawnFigure(
        name="datasets",
        symbols=("a", "A"),
        title=f"Accuracy on {names}",
        caption="Accuracy of models and baselines. "
        f"{STANDARD_SETUP} {INTERVALS}{on_chance(results)}",
        alt="Bars: " + spoken(rows, SYMBOLS),
        draw=partial(draw_rows, chart),
    )


def method_figures(results: Results) -> Iterator[DrawnFigure]:
    """All scoring methods of the models, for each dataset."""
    for dataset in results.datasets:
        rows = [
            row
            for model in shown_models(results)
            for row in _method_rows(results, model, dataset.name)
        ]
        if is_empty(rows):
            continue
        chart = _chart(rows)
        by_standard = _standard_rows(results, dataset, shown_models(results))
        yield DrawnFigure(
            name=slug("methods", dataset.name),
            family="Accuracy by scoring method",
            facet=dataset.name,
            symbols=("a", "A"),
            title=f"Accuracy by scoring method on {dataset.name}",
            caption="The standard method, chosen in advance, is in bold. Picking the best one "
            f"afterwards would partly report luck. {INTERVALS}{on_chance(results)}",
            alt="Bars; the standard method: " + spoken(by_standard, SYMBOLS),
            draw=partial(draw_rows, chart),
        )


def _standard_rows(
    results: Results, dataset: DatasetSubject, models: Sequence[ModelSubject]
) -> Iterator[ChartRow]:
    for number, model in enumerate(models):
        yield ChartRow(
            model_label(model),
            _cells(results, standard(model, dataset.name)),
            heading=dataset.name if number == 0 else "",
        )


def _method_rows(results: Results, model: ModelSubject, dataset: str) -> Iterator[ChartRow]:
    chosen = standard(model, dataset)
    for number, method in enumerate(model.methods):
        yield ChartRow(
            method,
            _cells(results, chosen.replace(method=method)),
            heading=model_label(model) if number == 0 else "",
            is_bold=method == chosen.method,
        )


def _cells(results: Results, of: ResultKey) -> ChartValues:
    return tuple(
        tuple(cell(results.value(of.replace(subset=subset), metric)) for subset in _LENGTHS)
        for metric in ACCURACIES
    )


def _chart(rows: list[ChartRow]) -> Chart:
    """Without the second series where no answers are known to be of equal length."""
    has_equal = any(panel[1] is not None for row in rows for panel in row.cells)
    if not has_equal:
        rows = [
            ChartRow(row.label, tuple(panel[:1] for panel in row.cells), row.heading, row.is_bold)
            for row in rows
        ]
    series = tuple(_LENGTHS.values())[: 1 + has_equal]
    return Chart(panels=ACCURACY_PANELS, series=series, rows=tuple(rows), is_bars=True)


def perturbation_figures(results: Results) -> Iterator[DrawnFigure]:
    """Each dataset as it is, and every variant that should be no harder."""
    models = shown_models(results)
    for dataset in results.datasets:
        tests = consistency_tests(results, dataset.name)
        rows = _variant_rows(results, models, tests)
        if is_empty(rows):
            continue
        originals = [
            variant for variant in results.variants_of(dataset.name) if variant.name == ORIGINAL
        ]
        rows = [*_variant_rows(results, models, originals, is_bold=True), *rows]
        chart = Chart(
            panels=ACCURACY_PANELS,
            series=tuple(model_label(model) for model in models),
            rows=tuple(rows),
            before="the same schemas in the original",
        )
        yield DrawnFigure(
            name=slug("perturbations", dataset.name),
            family="Accuracy on perturbations",
            facet=dataset.name,
            symbols=("a", "A"),
            title=f"Accuracy on perturbations of {dataset.name}",
            caption="A hollow mark is the accuracy on those schemas of the original that the "
            f"perturbation applies to. {too_few(results, tests)}{STANDARD_SETUP} {INTERVALS}"
            f"{on_chance(results)}",
            alt="Dots: " + spoken(rows, SYMBOLS),
            draw=partial(draw_rows, chart),
        )


def dyad_figures(results: Results) -> Iterator[DrawnFigure]:
    """Dyads by answer, by key and by boolean."""
    for dataset in results.datasets:
        variants = dyads(results, dataset.name)
        rows = [
            row
            for model in results.models
            for row in _variant_rows(results, [model], variants, heading=model_label(model))
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
            family="Accuracy on dyads, by mode of solution",
            facet=dataset.name,
            symbols=("a", "A"),
            title=f"Accuracy on the dyads of {dataset.name}, by mode of solution",
            caption="A hollow mark is the accuracy by answer, with problems grouped into schemas "
            f"as for that mode. {STANDARD_SETUP} {INTERVALS}{on_chance(results)}",
            alt="Bars: " + spoken(rows, SYMBOLS),
            draw=partial(draw_rows, chart),
        )


def _variant_rows(
    results: Results,
    models: Sequence[ModelSubject],
    variants: Sequence[Variant],
    *,
    heading: str = "",
    is_bold: bool = False,
) -> list[ChartRow]:
    return [
        ChartRow(
            variant.mode if variant.transformation == _DYADIC else variant.name,
            tuple(
                tuple(_variant_cell(results, model, variant, metric) for model in models)
                for metric in ACCURACIES
            ),
            heading if number == 0 else "",
            is_bold,
        )
        for number, variant in enumerate(variants)
    ]


def _variant_cell(
    results: Results, model: ModelSubject, variant: Variant, metric: str
) -> ChartValue | None:
    original = standard(model, variant.dataset)
    of = original.replace(variant=variant.name)
    compared = results.difference(of, original.replace(variant=variant.compared), metric)
    return cell(results.value(of, metric), before=compared.before if compared else None)
