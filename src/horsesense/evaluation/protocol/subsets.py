"""Subsets that a plan names, before anybody is asked: whether their marks are known at all."""

from __future__ import annotations

from collections.abc import Sequence

from horsesense.errors import UnknownNameError
from horsesense.results import DatasetSubject
from horsesense.scoring.outcome import EQUAL_LENGTH, SECOND_LAST


def check_subsets(expressions: Sequence[str], datasets: Sequence[DatasetSubject]) -> None:
    """Refuse a subset that is of no dataset; of which it is not, is told when all is measured."""
    for expression in expressions:
        errors = [_unknown(expression, one) for one in datasets]
        if all(errors):
            marks = {mark for one in datasets for mark in _marks(one)}
            raise UnknownNameError("mark of a problem", errors[0], marks)


def _unknown(expression: str, dataset: DatasetSubject) -> str:
    """The first mark in an expression that no problem of the dataset can have; empty for none."""
    # Here, as it takes numpy, which takes a while to be imported.
    from horsesense.metrics import condition
    from horsesense.metrics.sample import sample

    marked = sample([[True, True]], marks={mark: [[True, True]] for mark in _marks(dataset)})
    try:
        condition(expression)(marked)
    except UnknownNameError as error:
        return error.name
    return ""


def _marks(dataset: DatasetSubject) -> set[str]:
    """The marks of its problems, and those that answers bring with them."""
    return {*dataset.tags, SECOND_LAST, EQUAL_LENGTH}
