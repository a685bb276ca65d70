"""Accuracy and consistency on perturbations, and perturbations compared (Tables 4.16 to 4.20)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from horsesense.metrics import METRICS
from horsesense.reports import wording
from horsesense.reports.figures.accuracy import perturbation_figures
from horsesense.reports.figures.changes import consistency_figures
from horsesense.reports.lookup import (
    CHANCE_ROW,
    Lookup,
    Row,
    by_models,
    finished,
    tested,
    with_intervals,
)
from horsesense.reports.sections import Part, section
from horsesense.reports.sections.methods import CONSISTENCIES
from horsesense.reports.table import (
    INTERVAL,
    METRIC,
    MODEL,
    PERTURBATION,
    TESTED,
    ReportTable,
    RowGroup,
    TableColumn,
    beside_intervals,
    left,
    symbol,
)
from horsesense.reports.wording import (
    INVERTED,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    SYMBOLS,
    consistency_variants,
    standard,
    table_name,
    variant_label,
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
        yield _variants_ranked(results, dataset)
        yield _variant_against_variant(results, dataset)
    yield from perturbation_figures(results)
    yield from consistency_figures(results)


def _accuracy(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    return finished(
        lookup,
        (MODEL, PERTURBATION, METRIC, TableColumn("Value"), INTERVAL,
         TableColumn("Perturbation – Original Subset"), *TESTED),
        by_models(results, lambda model: _accuracy_rows(lookup, dataset.name, model)),
        name=table_name("perturbations", dataset.name),
        title=f"Accuracy on perturbations of {dataset.name}",
        thesis="4.16",
        is_main=True,
        notes=("differences: perturbation minus original, on the same schemas",),
    )  # fmt: skip


def _accuracy_rows(lookup: Lookup, dataset: str, model: ModelSubject) -> Iterator[Row]:
    original = standard(model, dataset)
    variants = consistency_variants(lookup.profile, dataset)
    if not variants:
        return
    for metric, symbol_ in SYMBOLS.items():
        value = with_intervals([lookup.value(original, metric)])
        none = (wording.UNDEFINED,) * (1 + len(TESTED))
        yield model.name, original.variant, symbol_, *value, *none
    for variant in variants:
        of = original.replace(variant=variant.name)
        for metric, symbol_ in SYMBOLS.items():
            estimate = lookup.value(of, metric)
            difference = lookup.difference(of, original, metric)
            if estimate or difference:
                value, label = with_intervals([estimate]), variant_label(variant.name)
                yield model.name, label, symbol_, *value, *tested(difference)


def _consistency(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    metrics = (*CONSISTENCIES, _KAPPA)
    chance = RowGroup(
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
            "metrics per problem do not apply where only whole schemas correspond to the original",
            "κ: agreement beyond what the frequencies of schema patterns alone would give; a model"
            " that always chooses the first option has c = 1",
        ),
    )


def _intervals(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)

    def rows(model: ModelSubject) -> Iterator[Row]:
        return _changes(lookup, dataset.name, model, tuple(_WITH_INTERVAL), is_interval=True)

    columns = [symbol(f"{metric}, {INTERVAL.heading}") for metric in _WITH_INTERVAL.values()]
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
    for variant in consistency_variants(lookup.profile, dataset):
        of = against.replace(variant=variant.name)
        estimates = [lookup.change(of, against, metric) for metric in metrics]
        if any(estimates):
            yield model.name, variant_label(variant.name), *map(write, estimates)


_UNBALANCED, _ADJECTIVAL = "unbalanced", "adjectival"
# As the thesis compares them, the first minus the second.
_PAIRS = (("switched", _ADJECTIVAL), (_UNBALANCED, _ADJECTIVAL), (INVERTED, _ADJECTIVAL))
# Up to this many variants, all pairs are shown; of more, only those that differ.
_FEW_VARIANTS = 4
_SIGNIFICANT = 0.05
_LOSSES = {PROBLEM_ACCURACY: "relative-loss", SCHEMA_ACCURACY: "relative-schema-loss"}


def _models_ranked(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    """The models by their change on the unbalanced perturbation, as in Table 4.17."""
    lookup = Lookup(results)
    known = [variant.name for variant in consistency_variants(results, dataset.name)]
    variants = [name for name in (_UNBALANCED, INVERTED) if name in known]
    changes = {
        model.name: [_relative_changes(lookup, dataset.name, model, name) for name in variants]
        for model in results.evaluated
    }
    ranked = sorted(changes, key=lambda model: [-_value(pair[-1]) for pair in changes[model]])
    rows = [
        (model, symbol_, *(cell for pair in changes[model] for cell in _percent_cells(pair[level])))
        for model in ranked
        if variants
        for level, symbol_ in enumerate(SYMBOLS.values())
    ]
    columns = [
        TableColumn(f"{variant_label(variant).capitalize()} – Original") for variant in variants
    ]
    return finished(
        lookup,
        (MODEL, METRIC, *beside_intervals(columns)),
        (RowGroup(tuple(rows)),),
        name=table_name("ranking-models", dataset.name),
        title=f"Models ranked by their change on perturbations of {dataset.name}",
        thesis="4.17",
        notes=_RELATIVE,
    )


def _variants_ranked(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    rows = []
    for model in results.evaluated:
        changes = {
            variant.name: _relative_changes(lookup, dataset.name, model, variant.name)
            for variant in consistency_variants(results, dataset.name)
        }
        # Without a solved schema before, there is no relative change: these variants come last.
        ranked = sorted(
            changes, key=lambda name: (changes[name][-1] is None, _value(changes[name][-1]))
        )
        for rank, name in enumerate(ranked, 1):
            cells = [cell for change in changes[name] for cell in _percent_cells(change)]
            rows.append((model.name, f"{rank}. {variant_label(name)}", *cells))
    columns = [symbol(f"Δ{metric}, Relative") for metric in SYMBOLS.values()]
    return finished(
        lookup,
        (MODEL, left("Perturbation"), *beside_intervals(columns)),
        (RowGroup(tuple(rows)),),
        name=table_name("ranking", dataset.name),
        title=f"Perturbations of {dataset.name} ranked by relative change in schema accuracy",
        notes=_RELATIVE,
    )


_RELATIVE = ("changes are relative to the accuracy on the same schemas of the original",)


def _relative_changes(
    lookup: Lookup, dataset: str, model: ModelSubject, variant: str
) -> list[Estimate | None]:
    """The relative changes of problem and schema accuracy from the original to a variant."""
    original = standard(model, dataset)
    of = original.replace(variant=variant)
    return [
        _relative(lookup.difference(of, original, metric), lookup.change(of, original, loss))
        for metric, loss in _LOSSES.items()
    ]


def _relative(difference: Estimate | None, loss: Estimate | None) -> Estimate | None:
    """A difference relative to the value before, with the reversed interval of the relative loss.

    None where it is undefined.
    """
    if difference is None or difference.value is None or not difference.before:
        return None
    low, high = (loss.low, loss.high) if loss else (None, None)
    return replace(
        difference,
        value=difference.value / difference.before,
        low=None if high is None else 0.0 - high,
        high=None if low is None else 0.0 - low,
    )


def _value(change: Estimate | None) -> float:
    return (change.value if change else None) or 0.0


def _percent_cells(change: Estimate | None) -> tuple[str, str]:
    """The cells of a relative change: its value and its interval, in percent."""
    if change is None:
        return wording.UNDEFINED, wording.UNDEFINED
    return wording.signed_percent(change.value), wording.interval(change, wording.signed_percent)


def _variant_against_variant(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup, shown = Lookup(results), Lookup(results)
    names = [variant.name for variant in consistency_variants(results, dataset.name)]
    pairs = [pair for pair in _PAIRS if set(pair) <= set(names)]
    for first, second in combinations(names, 2):
        if (first, second) not in _PAIRS and (second, first) not in _PAIRS:
            pairs.append((second, first))
    rows = []
    for model in results.evaluated:
        for pair in pairs:
            original = standard(model, dataset.name)
            of, against = original.replace(variant=pair[0]), original.replace(variant=pair[1])
            for metric, symbol_ in SYMBOLS.items():
                difference = lookup.difference(of, against, metric)
                if difference is None:
                    continue
                p = difference.p_adjusted
                is_significant = p is not None and p < _SIGNIFICANT
                if len(names) <= _FEW_VARIANTS or pair in _PAIRS or is_significant:
                    shown.found.append(difference)
                    label = f"{variant_label(pair[0])} – {variant_label(pair[1])}"
                    rows.append((model.name, label, symbol_, *tested(difference)))
    left_out = len(lookup.found) - len(rows)
    note = (
        "only the pairs of Maler (2023) and those with an adjusted p below .05 are shown;"
        f" {left_out} of {len(lookup.found)} differences are left out"
    )
    return finished(
        shown,
        (MODEL, left("Perturbations"), METRIC, TableColumn("Difference"), *TESTED),
        (RowGroup(tuple(rows)),),
        name=table_name("forms", dataset.name),
        title=f"Comparison of perturbations of {dataset.name} on common schemas",
        thesis="4.19",
        notes=(note,) if left_out else (),
    )
