"""Selecting one model, and one dataset, of the results of a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

import horsesense
from horsesense import Results
from horsesense.errors import UnknownNameError
from horsesense.results import select_model
from tests.reports.chat_profile import CHAT_ANT, SHED, chat_profile, dataset


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


def test_replies_and_usage_are_those_of_the_model_that_is_kept() -> None:
    kept = select_model(chat_profile(), CHAT_ANT, SHED)
    assert {count.model for count in kept.replies} == {CHAT_ANT}
    assert [count.dataset for count in kept.replies] == [SHED, SHED, SHED, ""]
    assert [usage.model for usage in kept.usage] == [CHAT_ANT]
    assert kept.replies.where(method="letter").column("written_differs") == (9,)
    both = replace(chat_profile(), datasets=(dataset(), replace(dataset(), name="attic")))
    assert [count.dataset for count in select_model(both, CHAT_ANT, "attic").replies] == [""]
