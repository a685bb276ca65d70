"""The flat rows of a profile as data frames of pandas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from horsesense.errors import HorsesenseError
from horsesense.results.profile import Profile
from horsesense.results.rows import (
    FlatTable,
    answer_table,
    measurement_table,
    problem_table,
    token_table,
)

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]


def measurements_frame(
    profile: Profile, symbols: Mapping[str, str] | None = None
) -> pandas.DataFrame:
    """A row for each measurement; `symbols` are those of metrics, by their names."""
    return _frame(measurement_table(profile, symbols))


def answers_frame(profile: Profile) -> pandas.DataFrame:
    """A row for each model, dataset, form, method and problem."""
    return _frame(answer_table(profile))


def problems_frame(profile: Profile) -> pandas.DataFrame:
    """A row for each problem as it was posed."""
    return _frame(problem_table(profile))


def tokens_frame(profile: Profile, dataset: str, entry: str, number: int) -> pandas.DataFrame:
    """A row for each token of a problem of the original, for each model and option."""
    return _frame(token_table(profile, dataset, entry, number))


def _frame(table: FlatTable) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        remedy = "pip install 'horsesense[frames]'"
        raise HorsesenseError(f"a data frame cannot be made without pandas: {remedy}") from error
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    kinds = {int | None: "Int64", float | None: "float64", float: "float64"}
    return pandas.DataFrame(
        {
            name: pandas.Series(column, dtype=kinds.get(hint))
            for (name, hint), column in zip(table.columns.items(), columns, strict=True)
        }
    )
