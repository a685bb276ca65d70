"""A profile in plain words: the verdicts with their evidence, and everything at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from horsesense.errors import MetricError
from horsesense.metrics import METRICS, Ties, sample_of
from horsesense.metrics.robustness import share_problems
from horsesense.reports import cells
from horsesense.reports.conclusion import Conclusion
from horsesense.reports.overview import overview
from horsesense.reports.table import ReportTable
from horsesense.reports.tables.naming import SCHEMA_ACCURACY, standard
from horsesense.reports.verdict import ModelVerdict, verdict
from horsesense.results import (
    ALL,
    BY_ANSWER,
    ORIGINAL,
    DatasetSubject,
    ModelSubject,
    ResultKey,
    Results,
)
from horsesense.results.measuring import BEST

_TOO_FEW = (Conclusion.TOO_FEW, Conclusion.FEW_CLUSTERS)


@dataclass(frozen=True, slots=True)
class Summary:
    """A headline, a verdict on each model and dataset, all at a glance, and caveats."""

    headline: str
    verdicts: tuple[ModelVerdict, ...]
    glance: ReportTable | None
    caveats: tuple[str, ...]


def summary(profile: Results) -> Summary:
    """The profile in plain words; the rule of its verdicts is that of `concluded`."""
    verdicts = tuple(
        verdict(profile, model, dataset)
        for model in profile.evaluated
        for dataset in profile.datasets
    )
    return Summary(
        _headline(verdicts), verdicts, overview(profile), tuple(_caveats(profile, verdicts))
    )


def _headline(verdicts: Sequence[ModelVerdict]) -> str:
    """What is concluded about each model, datasets of the same conclusion together."""
    found: dict[tuple[str, Conclusion], list[str]] = {}
    for one in verdicts:
        found.setdefault((one.model, one.conclusion), []).append(one.dataset)
    told = [f"{model} on {cells.listed(on)}: {what}." for (model, what), on in found.items()]
    return " ".join(told) or "Nothing was evaluated."


def _caveats(profile: Results, verdicts: Sequence[ModelVerdict]) -> Iterator[str]:
    """What is to be borne in mind before any of it is quoted."""
    yield from _other_modes(profile)
    few = [one for one in verdicts if one.conclusion in _TOO_FEW]
    if few:
        names = cells.listed(dict.fromkeys(one.dataset for one in few))
        yield f"{names}: too few schemas for a verdict; the numbers are shown all the same."
    yield from _flattered(profile)
    if limit := profile.record.plan.limit:
        yield _limited(limit, profile)
    if named := sum(1 for one in profile.skipped if one.is_named):
        yield f"{cells.counted(named, 'thing')} asked for could not be done: see the gaps."
    if others := len(profile.skipped) - named:
        yield f"{cells.counted(others, 'thing')} of all that may apply did not: see the gaps."
    if verdicts:
        yield (
            "The verdicts follow a fixed rule by accuracies, their 95 % intervals, a control and"
            " the perturbations. They hold for these schemas, in this wording, by this method."
        )


def _other_modes(profile: Results) -> Iterator[str]:
    """Which datasets are posed in another mode than by answer."""
    for form in profile.variants:
        if form.name == ORIGINAL and form.mode != BY_ANSWER:
            yield f"{form.dataset} is posed {form.mode}, as it declares."


def _limited(limit: int, profile: Results) -> str:
    """How much was asked; a problem without a twin is no schema, though a limit counts it too."""
    datasets = profile.datasets
    singles = {one.name: _in_no_schema(profile, one) for one in datasets}
    if not any(singles.values()):
        return f"At most the first {cells.counted(limit, 'schema')} of each dataset were asked."
    asked = (
        f"{cells.counted(one.schemas, 'schema')} and"
        f" {cells.counted(singles[one.name], 'single problem')} of {one.name}"
        for one in datasets
    )
    return (
        f"At most the first {limit:,} schemas and single problems of each dataset were asked:"
        f" {'; '.join(asked)}."
    )


def _in_no_schema(profile: Results, dataset: DatasetSubject) -> int:
    """How many problems are in no schema; one that is in two, as in a triple, is one problem.

    Which are in two is told by the answer sheets, of which some may lack problems.
    """
    in_two = [
        2 * len(sheet.schemas) - len({at for pair in sheet.schemas for at in pair})
        for address, sheet in profile.sheets.items()
        if (address.dataset, address.variant) == (dataset.name, ORIGINAL)
    ]
    return max(0, dataset.problems - 2 * dataset.schemas + max(in_two, default=0))


def _flattered(profile: Results) -> Iterator[str]:
    """By how much a choice of the method by its accuracy would have flattered."""
    for model in profile.evaluated:
        for dataset in profile.datasets:
            at = standard(model, dataset.name)
            own = _on_shared(profile, model, at)
            best = profile.value(at.replace(method=BEST), SCHEMA_ACCURACY)
            if own is not None and best and (best.value or 0.0) > own:
                yield (
                    f"On {dataset.name} the best of {len(model.methods)} methods of {model.name}"
                    f" solves {cells.percent_interval(best)} of"
                    f" {cells.counted_all(best.n_schemas, 'schema')} that all of them answer, and"
                    f" {at.method} {cells.percent(own)} of the same: a method chosen by its"
                    " accuracy flatters. The interval repeats the choice in each resample."
                )


def _on_shared(profile: Results, model: ModelSubject, at: ResultKey) -> float | None:
    """Schema accuracy by the standard method on the problems that all methods answer."""
    methods = [one for one in model.methods if at.replace(method=one) in profile.sheets]
    if at.method not in methods:
        return None
    sheets = [profile.sheets[at.replace(method=one)] for one in methods]
    try:
        shared = share_problems(sheets, ALL, frozenset()).sheets[methods.index(at.method)]
    except MetricError:
        # Their schemas differ, so that there is no best method either.
        return None
    sample = sample_of(shared, ties=Ties(profile.record.plan.ties))
    return METRICS[SCHEMA_ACCURACY](sample).value
