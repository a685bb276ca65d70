"""What figures take from a profile: the models they show, and measurements as cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from horsesense.metrics.statistics import FEW_SCHEMAS
from horsesense.reports.cells import listed, share
from horsesense.reports.figures.marks import Cell
from horsesense.reports.figures.rows import Panel, Row
from horsesense.reports.tables.naming import standard
from horsesense.results import Estimate, ModelSubject, Results, Variant

Text: TypeAlias = Callable[[float | None], str]

PROBLEM_ACCURACY, SCHEMA_ACCURACY = "problem-accuracy", "schema-accuracy"
ACCURACIES = (PROBLEM_ACCURACY, SCHEMA_ACCURACY)
CHANCE = {PROBLEM_ACCURACY: 0.5, SCHEMA_ACCURACY: 0.25}
ACCURACY_PANELS = (
    Panel("Problem accuracy a", CHANCE[PROBLEM_ACCURACY], "chance"),
    Panel("Schema accuracy A", CHANCE[SCHEMA_ACCURACY], "chance"),
)
SYMBOLS = {0: "a", 1: "A"}
EQUAL_LENGTH = "equal-length"
ASSOCIATIVE, NOT_ASSOCIATIVE = "associative", "not associative"
INTERVALS = "Lines are 95 % intervals, found by drawing whole schemas."
STANDARD_SETUP = "Each model by its standard method."
_DYADIC = "dyadic"


def shown_models(profile: Results) -> tuple[ModelSubject, ...]:
    """The models, or the baselines where there is nothing else."""
    models = tuple(one for one in profile.models if not one.is_baseline)
    return models or profile.models


def model_label(model: ModelSubject) -> str:
    """A model's name, and what it is if it is none."""
    return f"{model.name} (baseline)" if model.is_baseline else model.name


def consistency_tests(profile: Results, dataset: str) -> tuple[Variant, ...]:
    """The forms that ought to be no harder than the original; dyads are another matter."""
    return tuple(
        form
        for form in profile.variants_of(dataset)
        if form.compared and not form.is_control and form.transformation != _DYADIC
    )


def controls(profile: Results, dataset: str) -> tuple[Variant, ...]:
    """The forms that lack what it takes to solve them."""
    return tuple(form for form in profile.variants_of(dataset) if form.is_control)


def dyads(profile: Results, dataset: str) -> tuple[Variant, ...]:
    """The forms that are dyads, by answer, by key and by boolean."""
    return tuple(form for form in profile.variants_of(dataset) if form.transformation == _DYADIC)


def too_few(profile: Results, forms: Iterable[Variant]) -> str:
    """Which of these forms have so few schemas that their numbers are not to be trusted."""
    told = []
    for form in forms:
        places = (
            standard(one, form.dataset).replace(variant=form.name) for one in shown_models(profile)
        )
        found = filter(None, (profile.value(at, SCHEMA_ACCURACY) for at in places))
        schemas = min((one.independent_schemas for one in found), default=FEW_SCHEMAS)
        if schemas < FEW_SCHEMAS:
            told.append(f"{form.name} ({schemas})")
    if not told:
        return ""
    return f"Not to be trusted, with fewer than {FEW_SCHEMAS} schemas: {listed(told)}. "


def cell(
    measured: Estimate | None, *, before: float | None = None, expected: float | None = None
) -> Cell | None:
    """A measurement as a cell, None where there is none."""
    if measured is None:
        return None
    return Cell(measured.value, measured.low, measured.high, before, expected)


def is_empty(rows: Iterable[Row]) -> bool:
    """True where no row has a number."""
    return not any(
        one is not None and one.value is not None
        for row in rows
        for panel in row.cells
        for one in panel
    )


def spoken(rows: Iterable[Row], panels: Mapping[int, str], text: Text = share) -> str:
    """The first series in words: of each row the panels that are given, by their symbols."""
    return "; ".join(
        (f"{row.heading}, " if row.heading else "")
        + f"{row.label}: "
        + ", ".join(f"{symbol} {_said(row.cells[at][0], text)}" for at, symbol in panels.items())
        for row in rows
    )


def _said(one: Cell | None, text: Text) -> str:
    if one is None or one.value is None:
        return "undefined"
    if one.low is None or one.high is None:
        return text(one.value)
    return f"{text(one.value)} ({text(one.low)} to {text(one.high)})"
