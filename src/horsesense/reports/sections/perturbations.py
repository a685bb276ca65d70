"""Accuracy and consistency on perturbations, and perturbations compared (Tables 4.16 to 4.20)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from horsesense.metrics import METRICS
from horsesense.reports import wording
from horsesense.reports.figures.accuracy import perturbation_figures
from horsesense.reports.figures.changes import consistency_figures
from horsesense.reports.lookup import CHANCE_ROW, Lookup, Row, by_models, finished, tested
from horsesense.reports.sections import Part, section
from horsesense.reports.sections.methods import CONSISTENCIES
from horsesense.reports.table import (
    INTERVAL,
    METRIC,
    MODEL,
    PERTURBATION,
    TESTED,
    Column,
    Group,
    ReportTable,
    left,
    symbol,
)
from horsesense.reports.wording import (
    INVERTED,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    SYMBOLS,
    consistency_forms,
    form_name,
    standard,
    table_name,
)
from horsesense.results import DatasetSubject, Estimate, ModelSubject, Results

_KAPPA = "chance-corrected-consistency"
# Metrics whose intervals are shown: of the others there is no room.
_WITH_INTERVAL = {
    "consistency": "c",
    "schema-consistency": "C",
    "consistent-schema-accuracy": "C_a",
    "preserved-schema-accuracy": "C_p",
    _KAPPA: "κ",
}


@section("perturbations", title="Perturbations", position=40)
def perturbation_section(results: Results) -> Iterator[Part]:
    """Accuracy and consistency on the perturbations, and perturbations compared."""
    for dataset in results.datasets:
        yield _accuracy(results, dataset)
        yield _consistency(results, dataset)
        yield _intervals(results, dataset)
        yield _models_ranked(results, dataset)
        yield _forms_ranked(results, dataset)
        yield _form_against_form(results, dataset)
    yield from perturbation_figures(results)
    yield from consistency_figures(results)


def _accuracy(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    return finished(
        lookup,
        (MODEL, PERTURBATION, METRIC, Column("Value"), INTERVAL,
         Column("Perturbation – Original Subset"), *TESTED),
        by_models(results, lambda model: _accuracy_rows(lookup, dataset.name, model)),
        name=table_name("perturbations", dataset.name),
        title=f"Accuracy on perturbations of {dataset.name}",
        thesis="4.16",
        is_main=True,
        notes=("differences are from the same schemas of the original",),
    )  # fmt: skip


def _accuracy_rows(lookup: Lookup, dataset: str, model: ModelSubject) -> Iterator[Row]:
    original = standard(model, dataset)
    variants = consistency_forms(lookup.profile, dataset)
    if not variants:
        return
    for metric, symbol_ in SYMBOLS.items():
        one = lookup.value(original, metric)
        none = (wording.UNDEFINED,) * (1 + len(TESTED))
        yield (
            model.name,
            original.variant,
            symbol_,
            wording.value(one),
            wording.interval(one),
            *none,
        )
    for variant in variants:
        of = original.replace(variant=variant.name)
        for metric, symbol_ in SYMBOLS.items():
            one, difference = lookup.value(of, metric), lookup.difference(of, original, metric)
            if one or difference:
                shown = wording.value(one), wording.interval(one)
                yield model.name, form_name(variant.name), symbol_, *shown, *tested(difference)


def _consistency(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    metrics = (*CONSISTENCIES, _KAPPA)
    chance = Group(
        (
            (
                CHANCE_ROW,
                wording.UNDEFINED,
                *(wording.share(METRICS[metric].declared.chance) for metric in metrics),
            ),
        )
    )
    rows = by_models(results, lambda model: _changes(lookup, dataset.name, model, metrics))
    return finished(
        lookup,
        (MODEL, PERTURBATION, *map(symbol, (*CONSISTENCIES.values(), "κ"))),
        (*rows, chance),
        name=table_name("consistency", dataset.name),
        title=f"Consistency on perturbations of {dataset.name}",
        thesis="4.20",
        is_main=True,
        notes=(
            "where only whole schemas have a counterpart, metrics per problem do not apply",
            "κ: agreement beyond what the shares of schema patterns alone would give; always"
            " choosing the first option makes c = 1",
        ),
    )


def _intervals(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)

    def rows(model: ModelSubject) -> Iterator[Row]:
        return _changes(lookup, dataset.name, model, tuple(_WITH_INTERVAL), is_interval=True)

    columns = (symbol(f"{one}, {INTERVAL.heading}") for one in _WITH_INTERVAL.values())
    return finished(
        lookup,
        (MODEL, PERTURBATION, *columns),
        by_models(results, rows),
        name=table_name("consistency-intervals", dataset.name),
        title=f"Confidence intervals of the consistency on perturbations of {dataset.name}",
    )


def _changes(
    lookup: Lookup,
    dataset: str,
    model: ModelSubject,
    metrics: tuple[str, ...],
    *,
    is_interval: bool = False,
) -> Iterator[Row]:
    against = standard(model, dataset)
    write = wording.interval if is_interval else wording.value
    for variant in consistency_forms(lookup.profile, dataset):
        found = [
            lookup.change(against.replace(variant=variant.name), against, metric)
            for metric in metrics
        ]
        if any(found):
            yield model.name, form_name(variant.name), *map(write, found)


_UNBALANCED, _ADJECTIVAL = "unbalanced", "adjectival"
# As the thesis compares them, the first minus the second.
_PAIRS = (("switched", _ADJECTIVAL), (_UNBALANCED, _ADJECTIVAL), (INVERTED, _ADJECTIVAL))
# So many forms can all be compared with each other; of more, only what differs is shown.
_FEW_FORMS = 4
_SIGNIFICANT = 0.05
_LOSSES = {PROBLEM_ACCURACY: "relative-loss", SCHEMA_ACCURACY: "relative-schema-loss"}


@dataclass(frozen=True, slots=True)
class _Share:
    """A relative change in accuracy from the original to a variant; all may be None."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def written(self) -> tuple[str, str]:
        """The share, and its interval."""
        if self.low is None or self.high is None:
            return wording.signed_percent(self.value), wording.UNDEFINED
        ends = f"{wording.signed_percent(self.low)} to {wording.signed_percent(self.high)}"
        return wording.signed_percent(
            self.value
        ), wording.NO_WIDTH if self.low == self.high else ends


@dataclass(frozen=True, slots=True)
class _Change:
    """The relative changes of a model on a variant, for problems and for schemas."""

    model: str
    form: str
    problem: _Share
    schema: _Share


def _models_ranked(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    """The models by their change on the unbalanced perturbation, as in Table 4.17."""
    lookup = Lookup(results)
    known = [variant.name for variant in consistency_forms(results, dataset.name)]
    variants = [one for one in (_UNBALANCED, INVERTED) if one in known]
    ranked = sorted(
        (
            [_change(lookup, dataset.name, model, variant) for variant in variants]
            for model in results.evaluated
        ),
        key=lambda found: [-(one.schema.value or 0.0) for one in found],
    )
    rows = [
        (found[0].model, symbol_, *(cell for one in found for cell in getattr(one, level).written))
        for found in ranked
        if found
        for symbol_, level in (("a", "problem"), ("A", "schema"))
    ]
    headings = (f"{form_name(variant).capitalize()} – Original" for variant in variants)
    columns = (column for heading in headings for column in (Column(heading), INTERVAL))
    return finished(
        lookup,
        (MODEL, METRIC, *columns),
        (Group(tuple(rows)),),
        name=table_name("ranking-models", dataset.name),
        title=f"Models ranked by their change on perturbations of {dataset.name}",
        thesis="4.17",
        notes=_RELATIVE,
    )


def _forms_ranked(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    rows = []
    for model in results.evaluated:
        found = [
            _change(lookup, dataset.name, model, variant.name)
            for variant in consistency_forms(results, dataset.name)
        ]
        # Where nothing was solved before, there is no relative change: these come last.
        ranked = sorted(found, key=lambda one: (one.schema.value is None, one.schema.value or 0.0))
        for rank, one in enumerate(ranked, 1):
            shares = *one.problem.written, *one.schema.written
            rows.append((model.name, f"{rank}. {form_name(one.form)}", *shares))
    columns = (
        column
        for one in SYMBOLS.values()
        for column in (Column(f"Δ{one}, Relative", is_symbol=True), INTERVAL)
    )
    return finished(
        lookup,
        (MODEL, left("Perturbation"), *columns),
        (Group(tuple(rows)),),
        name=table_name("ranking", dataset.name),
        title=f"Perturbations of {dataset.name} by relative change in schema accuracy",
        notes=_RELATIVE,
    )


_RELATIVE = ("changes are relative to the accuracy on the same schemas of the original",)


def _change(lookup: Lookup, dataset: str, model: ModelSubject, variant: str) -> _Change:
    original = standard(model, dataset)
    of = original.replace(variant=variant)
    problem, schema = (
        _relative(lookup.difference(of, original, metric), lookup.change(of, original, loss))
        for metric, loss in _LOSSES.items()
    )
    return _Change(model.name, variant, problem, schema)


def _relative(difference: Estimate | None, loss: Estimate | None) -> _Share:
    """The relative change of an accuracy, with the reversed interval of the relative loss."""
    if difference is None or difference.value is None or not difference.before:
        return _Share(None, None, None)
    low, high = (loss.low, loss.high) if loss else (None, None)
    ends = (None, None) if low is None or high is None else (0.0 - high, 0.0 - low)
    return _Share(difference.value / difference.before, *ends)


def _form_against_form(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup, shown = Lookup(results), Lookup(results)
    names = [variant.name for variant in consistency_forms(results, dataset.name)]
    pairs = [(two, one) for one, two in combinations(names, 2) if (one, two) not in _PAIRS]
    pairs = [
        *(pair for pair in _PAIRS if set(pair) <= set(names)),
        *(pair for pair in pairs if pair not in _PAIRS),
    ]
    rows = []
    for model in results.evaluated:
        for pair in pairs:
            of, against = (standard(model, dataset.name).replace(variant=one) for one in pair)
            for metric, symbol_ in SYMBOLS.items():
                one = lookup.difference(of, against, metric)
                if one and (len(names) <= _FEW_FORMS or pair in _PAIRS or _differs(one)):
                    shown.found.append(one)
                    label = f"{form_name(pair[0])} – {form_name(pair[1])}"
                    rows.append((model.name, label, symbol_, *tested(one)))
    left_out = len(lookup.found) - len(rows)
    note = (
        "only the thesis’ pairs and those with an adjusted p below .05 are shown;"
        f" {left_out} of {len(lookup.found)} differences are left out"
    )
    return finished(
        shown,
        (MODEL, left("Perturbations"), METRIC, Column("Difference"), *TESTED),
        (Group(tuple(rows)),),
        name=table_name("forms", dataset.name),
        title=f"Comparing perturbations of {dataset.name} on common schemas",
        thesis="4.19",
        notes=(note,) if left_out else (),
    )


def _differs(estimate: Estimate) -> bool:
    return estimate.p_adjusted is not None and estimate.p_adjusted < _SIGNIFICANT
