"""Default choices for a specification curve: all methods, and both tie rules where it matters."""

from __future__ import annotations

from collections.abc import Sequence

from horsesense.metrics import Metric, Ties, problem_accuracy, schema_accuracy
from horsesense.metrics.robustness.specification import (
    BEST,
    Choices,
    Setup,
    Sheets,
    all_methods,
    best_methods,
    same_method,
)
from horsesense.metrics.sheets import ALL
from horsesense.scoring.outcome import Verdict


def default_choices(
    sheets: Sheets,
    *,
    methods: Sequence[str] = (),
    subsets: Sequence[str] = (),
    ties: Sequence[Ties] = (),
    metrics: Sequence[Metric] = (),
) -> Choices:
    """Fill in what is not chosen, by what the models have answered.

    `sheets` has the answers of each model by method. Methods default to all that the models have in
    common and the best of each model; tie rules to both if a problem is undecided, as otherwise
    they come to the same.
    """
    return Choices(
        setups=_setups(sheets, methods),
        subsets=subsets or (ALL,),
        ties=ties or _ties(sheets),
        metrics=metrics or (problem_accuracy, schema_accuracy),
    )


def _setups(sheets: Sheets, names: Sequence[str]) -> list[Setup]:
    if not names:
        common = [one for one in all_methods(sheets) if all(one in by for by in sheets.values())]
        is_choice = not common or any(len(by) > 1 for by in sheets.values())
        names = [*common, *([BEST] if is_choice else [])]
    return [best_methods(sheets) if name == BEST else same_method(sheets, name) for name in names]


def _ties(sheets: Sheets) -> tuple[Ties, ...]:
    verdicts = (
        answer.outcome.verdict
        for by_method in sheets.values()
        for sheet in by_method.values()
        for answer in sheet.answers
    )
    return (Ties.FAILED, Ties.HALF) if Verdict.UNDECIDED in verdicts else (Ties.FAILED,)
