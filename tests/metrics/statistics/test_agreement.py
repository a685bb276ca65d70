from collections.abc import Callable, Hashable
from itertools import permutations
from math import nan
from typing import Any, TypeAlias

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as their_kappa

from horsesense.errors import MetricError
from horsesense.metrics import Value
from horsesense.metrics.statistics import (
    fleiss_kappa,
    full_agreement,
    krippendorff_alpha,
    majority_vote,
)
from horsesense.scoring import Share
from tests.strategies import brisk

Table: TypeAlias = list[list[Hashable | None]]
ONE_LABEL = Value(None, "all ratings are the same, so agreement by chance would be perfect, too")
NEVER_TWICE = Value(None, "no item was rated twice")


def tables(labels: st.SearchStrategy[Hashable | None]) -> st.SearchStrategy[Table]:
    """Items with equally many columns."""
    return st.integers(1, 5).flatmap(
        lambda width: st.lists(st.lists(labels, min_size=width, max_size=width), max_size=9)
    )


full_tables = tables(st.sampled_from(["yes", "no", "unclear"]))
gappy_tables = tables(st.sampled_from(["yes", "no", "unclear", None]))


@pytest.mark.parametrize("seed", range(20))
def test_kappa_is_that_of_statsmodels(seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(0, 2 + seed % 4, (3 + seed, 2 + seed % 5))
    counts, _ = aggregate_raters(drawn)
    assert fleiss_kappa(drawn.tolist()).value == pytest.approx(their_kappa(counts), abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_alpha_is_that_of_krippendorff(seed: int, missing: float) -> None:
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, 2 + seed % 4, (10 + seed, 2 + seed % 5)).astype(float)
    drawn[rng.random(drawn.shape) < missing] = nan
    theirs = krippendorff.alpha(reliability_data=drawn.T, level_of_measurement="nominal")
    ours = krippendorff_alpha([[None if x != x else x for x in row] for row in drawn.tolist()])
    assert ours.value == pytest.approx(theirs, abs=1e-12)


def slow_kappa(table: Table) -> float | None:
    """Pairs of ratings one by one, and labels drawn from all ratings."""
    agreeing = [[one == other for one, other in permutations(row, 2)] for row in table]
    ratings = [label for row in table for label in row]
    expected = sum(one == other for one in ratings for other in ratings) / len(ratings) ** 2
    observed = sum(sum(pairs) / len(pairs) for pairs in agreeing) / len(table)
    return None if len(set(ratings)) == 1 else (observed - expected) / (1 - expected)


def slow_alpha(table: Table) -> float | None:
    """Pairs of ratings within items, against pairs of any two ratings."""
    items = [[label for label in row if label is not None] for row in table]
    items = [item for item in items if len(item) > 1]
    ratings = [label for item in items for label in item]
    if len(set(ratings)) < 2:
        return None
    observed = sum(
        sum(one != other for one, other in permutations(item, 2)) / (len(item) - 1)
        for item in items
    ) / len(ratings)
    differing = [one != other for one, other in permutations(ratings, 2)]
    return 1 - observed / (sum(differing) / len(differing))


@brisk
@given(full_tables.filter(lambda table: bool(table) and len(table[0]) > 1))
def test_kappa_is_that_of_pairs_one_by_one(table: Table) -> None:
    assert fleiss_kappa(table).value == pytest.approx(slow_kappa(table), abs=1e-12)


@brisk
@given(gappy_tables)
def test_alpha_is_that_of_pairs_one_by_one(table: Table) -> None:
    assert krippendorff_alpha(table).value == pytest.approx(slow_alpha(table), abs=1e-12)


@brisk
@given(gappy_tables)
def test_neither_order_nor_the_names_of_labels_matter(table: Table) -> None:
    names = {"yes": 3, "no": "maybe", "unclear": (1, 2), None: None}
    other = [[names[label] for label in row[::-1]] for row in table[::-1]]  # type: ignore[index]
    for measure in (fleiss_kappa, krippendorff_alpha):
        assert measure(other).value == pytest.approx(measure(table).value, abs=1e-12)
        assert measure(other).reason == measure(table).reason
    assert full_agreement(other) == full_agreement(table)


def test_perfect_agreement_is_1() -> None:
    table = [["yes", "yes"], ["no", "no"]]
    assert fleiss_kappa(table) == krippendorff_alpha(table) == Value(1.0)


def test_one_label_leaves_nothing_to_correct_for() -> None:
    assert fleiss_kappa([["yes", "yes"]] * 3) == ONE_LABEL
    assert krippendorff_alpha([["yes", "yes"], ["yes", "yes"], ["no", None]]) == ONE_LABEL
    assert full_agreement([["yes", "yes"]] * 3) == Share(3, 3)


@pytest.mark.parametrize("table", [[], [[]], [["yes"], ["no"]], [[None, None]]])
def test_agreement_takes_two(table: Table) -> None:
    assert fleiss_kappa(table) == krippendorff_alpha(table) == NEVER_TWICE
    assert full_agreement(table) == Share(0, 0)


def test_kappa_does_not_take_unequal_numbers_of_ratings() -> None:
    table: Table = [["yes", "no", "yes"], ["no", "no", None]]
    assert fleiss_kappa(table) == Value(
        None, "items have unequal numbers of ratings; use Krippendorff's α"
    )
    assert krippendorff_alpha(table).value is not None


def test_kappa_takes_other_annotators_for_every_item() -> None:
    gappy: Table = [["yes", "no", None], [None, "no", "no"], ["yes", None, "yes"]]
    assert fleiss_kappa(gappy) == fleiss_kappa([["yes", "no"], ["no", "no"], ["yes", "yes"]])


@brisk
@given(gappy_tables)
def test_full_agreement_counts_items_with_one_label(table: Table) -> None:
    said = [[label for label in row if label is not None] for row in table]
    assert full_agreement(table) == Share.of(len(set(row)) == 1 for row in said if len(row) > 1)


@brisk
@given(gappy_tables)
def test_the_majority_has_more_votes_than_any_other_label(table: Table) -> None:
    vote = majority_vote(table)
    for at, (row, label) in enumerate(zip(table, vote.labels, strict=True)):
        votes = sorted(row.count(name) for name in ("yes", "no", "unclear"))
        assert (label is None) == (votes[-1] == votes[-2]) == (at in vote.undecided)
        assert label is None or row.count(label) == votes[-1]


def test_the_most_votes_need_not_be_half_of_them() -> None:
    assert majority_vote([["a", "a", "b", "c", "d"]]).labels == ("a",)


def test_ties_and_silence_are_undecided() -> None:
    vote = majority_vote([["a", "b"], ["a", "a"], [None, None]])
    assert (vote.labels, vote.undecided) == ((None, "a", None), (0, 2))


@pytest.mark.parametrize(
    "measure", [majority_vote, full_agreement, fleiss_kappa, krippendorff_alpha]
)
def test_every_item_has_a_column_for_each_annotator(measure: Callable[..., object]) -> None:
    with pytest.raises(MetricError, match="^item 2 has 1 columns, and the first 2; give one for"):
        measure([["a", "b"], ["a"]])


def test_nan_is_no_label() -> None:
    with pytest.raises(MetricError, match="^item 1 has NaN for a label; give None"):
        full_agreement([["a", nan]])


@pytest.mark.parametrize("rows", [["ab", "aa"], "ab", [["a", "b"], "ab"], [b"ab"]])
def test_a_text_is_no_row_of_labels(rows: Any) -> None:
    for measure in (fleiss_kappa, full_agreement, krippendorff_alpha, majority_vote):
        with pytest.raises(MetricError, match=r"item \d is the text .*; give a list of labels"):
            measure(rows)
