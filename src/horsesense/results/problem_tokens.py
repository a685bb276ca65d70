"""The tokens of one problem with their costs, as a data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horsesense.errors import HorsesenseError, UnknownNameError

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

    from horsesense.results.results import Results


def problem_tokens(
    results: Results, entry: str, number: int = 1, dataset: str | None = None
) -> pandas.DataFrame:
    """List each token of an unperturbed problem with its cost, for each model and option.

    `number` counts the problems of the entry from 1. Name the dataset if several have an entry of
    that id; without it, such an entry is an error.
    """
    kept = [token for token in results.tokens if dataset in (None, token.dataset)]
    numbers = {str(token.number) for token in kept if token.entry == entry}
    if not numbers:
        where = "" if dataset is None else f" of {dataset}"
        known = {token.entry for token in kept}
        raise UnknownNameError(f"entry{where} whose tokens were kept", entry, known)
    datasets = {token.dataset for token in kept if (token.entry, token.number) == (entry, number)}
    if not datasets:
        raise UnknownNameError(f"problem of the entry {entry}", str(number), numbers)
    if len(datasets) > 1:
        listed = " and ".join(sorted(datasets))
        raise HorsesenseError(f"{entry} is an entry of {listed}; say which: dataset=…")
    return results.token_table(datasets.pop(), entry, number).to_pandas()
