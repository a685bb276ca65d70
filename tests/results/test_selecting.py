"""Selecting one model, and one dataset, of the results of a run."""

from __future__ import annotations

import pytest

import horsesense
from horsesense import Results
from horsesense.errors import UnknownNameError
from horsesense.results import select_model


@pytest.fixture(scope="module")
def results() -> Results:
    return horsesense.evaluate(
        "first", "hs-adversarial", first=3, resamples=50, store=None, progress=False
    )


def test_the_selected_model_comes_first_and_is_no_baseline(results: Results) -> None:
    selected = select_model(results, "longer", "hs-adversarial")
    assert [(model.name, model.is_baseline) for model in selected.models] == [
        ("longer", False),
        ("first", True),
    ]
    assert selected.estimates
    assert selected.datasets == results.datasets


def test_a_model_that_is_not_in_the_run_is_named_with_the_nearest(results: Results) -> None:
    with pytest.raises(UnknownNameError, match="longr.*longer"):
        select_model(results, "longr")


def test_so_is_a_dataset(results: Results) -> None:
    with pytest.raises(UnknownNameError, match="hs-adversary.*hs-adversarial"):
        select_model(results, "first", "hs-adversary")
