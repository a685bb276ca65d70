"""What every model comes to under every specification, in the data and resampled.

All models of a specification share their problems and their resamples, so that the difference of
two of them is resampled too: one matrix product serves all metrics, tie rules and models.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from horsesense.metrics import Direction, Floats, Metric
from horsesense.metrics.robustness.shared_problems import Shared, all_tags, share_problems
from horsesense.metrics.robustness.specification import (
    Choices,
    Setup,
    Sheets,
    Specification,
    sheets_of,
)
from horsesense.metrics.statistics import counted_clusters, resample
from horsesense.scoring.outcome import Sheet


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """The values of all models under one specification, NaN where they are undefined.

    `observed` has one of each model; `drawn` the same in every resample, (resamples, models), of
    which there are none with fewer than two clusters. `reasons` say why a model's is undefined.
    `counted` is in how many clusters each model has something to count. `dropped` problems are
    those that only some models answered, or that are in the subset for some models only.
    """

    specification: Specification
    metric: Metric
    models: tuple[str, ...]
    observed: Floats
    drawn: Floats
    reasons: tuple[str, ...]
    counted: tuple[int, ...]
    problems: int
    schemas: int
    clusters: int
    dropped: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the sums of one sheet stand under one specification, and whose they are."""

    specification: int
    model: int
    metric: Metric
    columns: slice


def resampled(
    sheets: Sheets, choices: Choices, *, resamples: int, seed: int
) -> Iterator[Resampled]:
    """Compute every specification, in their order, with the same resamples for all its models.

    >>> from horsesense.metrics.robustness.specification import same_method
    >>> sheets = {"ant": {"full": Sheet("run 1", (), ())}}
    >>> choices = Choices(setups=[same_method(sheets, "full")])
    >>> [one.specification.metric for one in resampled(sheets, choices, resamples=9, seed=0)]
    ['problem-accuracy', 'schema-accuracy']
    """
    specifications = iter(choices.specifications())
    tags = all_tags(sheet for by in sheets.values() for sheet in by.values())
    for setup, subset in product(choices.setups, choices.subsets):
        taken = sheets_of(setup, sheets)
        shared = share_problems(list(taken.values()), subset, tags)
        owners = [list(sheets).index(model) for model, _ in taken]
        places, counts = _counted(shared, owners, choices)
        shape = len(choices.ties) * len(choices.metrics), len(sheets)
        observed = _values(counts.sum(axis=0), places, shape)
        drawn = _values(resample(counts, resamples, seed), places, shape)
        for at, (_, metric) in enumerate(product(choices.ties, choices.metrics)):
            yield Resampled(
                next(specifications),
                metric,
                tuple(sheets),
                observed[at],
                drawn[:, at],
                _reasons(setup, shared, metric, sheets),
                tuple(
                    counted_clusters(metric, *_columns_of(places, at, model, counts))
                    for model in range(len(sheets))
                ),
                *_sizes(shared),
                shared.dropped,
            )


def _counted(
    shared: Shared, owners: Sequence[int], choices: Choices
) -> tuple[list[_Place], Floats]:
    """What is counted in every cluster, side by side, and where each count stands."""
    places: list[_Place] = []
    columns: list[Floats] = [np.empty((shared.clusters, 0))]
    width = 0
    by_rule = {ties: shared.samples(ties) for ties in choices.ties}
    for at, (ties, metric) in enumerate(product(choices.ties, choices.metrics)):
        for owner, sample in zip(owners, by_rule[ties], strict=True):
            here = metric.columns(sample)
            own = slice(width, width + here.shape[1])
            places.append(_Place(at, owner, metric, own))
            columns.append(here)
            width = own.stop
    return places, np.hstack(columns)


def _values(sums: Floats, places: Sequence[_Place], shape: tuple[int, int]) -> Floats:
    """The value of each model under each specification; of several methods the best one's."""
    values = np.full((*sums.shape[:-1], *shape), np.nan)
    for place in places:
        is_lower_better = place.metric.declared.direction is Direction.LOWER
        better = np.fmin if is_lower_better else np.fmax  # either ignores NaN
        so_far = values[..., place.specification, place.model]
        value = place.metric.combine(sums[..., place.columns])
        values[..., place.specification, place.model] = better(so_far, value)
    return values


def _columns_of(
    places: Sequence[_Place], specification: int, model: int, counts: Floats
) -> list[Floats]:
    """What is counted of a model under a specification, for each of its methods."""
    wanted = specification, model
    return [counts[:, one.columns] for one in places if (one.specification, one.model) == wanted]


def _reasons(setup: Setup, shared: Shared, metric: Metric, sheets: Sheets) -> tuple[str, ...]:
    """Why the value of each model is undefined, if it is."""
    empty = "" if shared.numbers else "no problem of the subset is answered by all of the models"
    return tuple(
        (empty or metric.declared.undefined)
        if setup.methods.get(model)
        else f"there are no answers of {model} in setup {setup.name!r}"
        for model in sheets
    )


def _sizes(shared: Shared) -> tuple[int, int, int]:
    """The numbers of problems, schemas and clusters."""
    sheet = shared.sheets[0] if shared.sheets else Sheet("", (), ())
    return len(sheet.answers), len(sheet.schemas), shared.clusters
