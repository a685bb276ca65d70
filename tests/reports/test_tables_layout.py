"""Headings and rows stand as in the thesis' tables, by their numbers."""

from __future__ import annotations

from functools import cache

import pytest

from horsesense.reports import ReportTable
from tests.reports.built import tables
from tests.reports.hand_made import thesis_profile

CAUSAL = ("smart scoring at limit 1", "partial scoring", "all-but-first scoring", "full scoring",
          "normalized full scoring")  # fmt: skip
MODELS = ("GPT-2", "RoBERTa", "T5")
SIX_FORMS = ("original", "switched", "adjectival", "unbalanced", "inverted (by-key)", "tense")
BOTH = ("a", "A")
METHOD_HEADINGS = ("Scoring Method", "Take Mean?", "a, Any Length", "a, Equal Length",
                   "A, Any Length", "A, Equal Length")  # fmt: skip

HEADINGS = {
    "4.3": METHOD_HEADINGS,
    "4.7": METHOD_HEADINGS,
    "4.11": METHOD_HEADINGS[:1] + METHOD_HEADINGS[2:],
    "4.16": ("Model", "Perturbation", "Metric", "Value", "Perturbation – Original Subset", "p"),
    "4.17": ("Model", "Metric", "Unbalanced – Original", "Inverted (by-key) – Original"),
    "4.20": ("Model", "Perturbation", "c", "c_a", "c_p", "C", "C*", "C_a", "C_p"),
    "4.24": ("Model", "Scoring Method", "C", "C_a", "C_p"),
    "4.25": ("Model", "Metric", "Non-Assoc.", "p", "Assoc.", "p", "Assoc. – Non-Assoc.", "p"),
    "4.26": ("Model", "Metric", "Subset", "Original", "No Cand.", "No Cand. – Original", "p"),
    "4.27": ("Model", "Metric", "Subset", "r − r_B", "(r − r_B)/r", "(r − r_B)/(1 − r_B)"),
    "4.28": ("Model", "Metric", "r", "r − r_B", "(r − r_B)/(1 − r_B)"),
    "4.29": METHOD_HEADINGS,
    "4.33": ("Model", "Metric", "Answer Length", "Reid250", "Reid250 – WSC266", "p"),
    "4.34": ("Scoring Method", "Take Mean?", "a", "Inverted – Original", "p", "A",
             "Inverted – Original", "p"),
    "4.36": ("Scoring Method", "a", "Inverted – Original", "p", "A", "Inverted – Original", "p"),
    "4.37": ("Model", "C", "C_a", "C_p"),
    "4.38": ("Model", "Perturbation", "Metric", "Value", "p", "Perturbation – Original", "p"),
}  # fmt: skip


@cache
def all_tables() -> tuple[ReportTable, ...]:
    """The tables of a profile shaped as the thesis'."""
    return tables(thesis_profile())


def as_in(number: str) -> ReportTable:
    """The first table that is laid out as that one."""
    return next(one for one in all_tables() if one.thesis == number)


def left_cells(table: ReportTable, count: int) -> list[tuple[str, ...]]:
    """The first cells of all rows but those of baselines, empty ones filled from above."""
    found: list[tuple[str, ...]] = []
    for group in table.groups:
        for row in group.rows:
            if group.heading == "Baselines" or row[0] in ("chance", "first"):
                break
            cells = list(row[:count])
            for at in range(count):
                if cells[at]:
                    break
                cells[at] = found[-1][at]
            found.append(tuple(cells))
    return found


@pytest.mark.parametrize("number", HEADINGS)
def test_a_table_has_the_headings_of_the_thesis_in_their_order(number: str) -> None:
    left = iter(one.heading for one in as_in(number).columns)
    assert [one for one in HEADINGS[number] if one in left] == list(HEADINGS[number])


@pytest.mark.parametrize("number", ["4.3", "4.29"])
def test_causal_methods_stand_as_in_the_thesis_each_without_and_with_the_mean(number: str) -> None:
    rows = [(name, mean.rstrip("*†‡")) for name, mean in left_cells(as_in(number), 2)]
    assert rows == [(name, mean) for name in CAUSAL for mean in ("no", "yes")]


def test_the_loss_and_the_standard_method_are_marked() -> None:
    rows = dict.fromkeys(mean for name, mean in left_cells(as_in("4.3"), 2))
    # All methods are equally good in the made-up profile, so that each is the best.
    assert list(rows) == ["no†‡", "yes‡", "no‡", "yes*‡"]


def test_masked_methods_stand_as_in_the_thesis_and_others_below() -> None:
    rows = [name for name, _ in left_cells(as_in("4.7"), 2)]
    assert list(dict.fromkeys(rows)) == [
        "statement scoring",
        "multi-mask scoring",
        "answer scoring",
        "abdou",
    ]


def test_sequence_to_sequence_methods_stand_as_in_the_thesis() -> None:
    rows = [name.rstrip("†‡") for (name,) in left_cells(as_in("4.11"), 1)]
    assert rows == ["mean prefix", "prefix", "mean", "basic", "prefix loss*", "loss*"]


def test_forms_stand_below_their_models_with_both_accuracies() -> None:
    expected = [(one, form, metric) for one in MODELS for form in SIX_FORMS for metric in BOTH]
    assert left_cells(as_in("4.16"), 3) == expected


def test_consistency_has_a_row_for_each_model_and_perturbation() -> None:
    assert left_cells(as_in("4.20"), 2) == [(one, form) for one in MODELS for form in SIX_FORMS[1:]]


def test_what_does_not_apply_to_inversion_is_a_dash() -> None:
    rows = [row for group in as_in("4.20").groups for row in group.rows]
    inverted = next(row for row in rows if row[1] == "inverted (by-key)")
    assert inverted[2:] == ("–", "–", "–", ".700", "–", ".700", ".700", "–")


def test_associative_and_other_problems_stand_in_two_blocks() -> None:
    table = as_in("4.25")
    assert [one.heading for one in table.groups] == [
        "Original Problems",
        "No-Candidate Perturbation",
    ]
    assert left_cells(table, 2) == [(one, metric) for one in MODELS for metric in BOTH] * 2


@pytest.mark.parametrize("number", ["4.26", "4.27"])
def test_the_effect_of_a_control_stands_by_model_metric_and_subset(number: str) -> None:
    subsets = ("non-assoc.", "assoc.")
    expected = [(one, metric, subset) for one in MODELS for metric in BOTH for subset in subsets]
    assert left_cells(as_in(number), 3) == expected


def test_adjusted_accuracies_stand_by_model_and_metric_and_end_with_the_lower_bound() -> None:
    table = as_in("4.28")
    assert left_cells(table, 2) == [(one, metric) for one in MODELS for metric in BOTH]
    assert table.columns[-2].heading == "A − C_a"
    assert [row[-2] for row in table.groups[0].rows[:2]] == ["–", ".700"]


def test_datasets_are_compared_by_model_metric_and_length() -> None:
    expected = [
        (one, metric, length) for one in MODELS for metric in BOTH for length in ("any", "equal")
    ]
    assert left_cells(as_in("4.33"), 3) == expected


def test_the_consistency_of_the_inverted_perturbation_has_a_row_for_each_model() -> None:
    assert left_cells(as_in("4.37"), 1) == [(one,) for one in MODELS]


def test_dyads_stand_by_answer_by_key_and_by_boolean() -> None:
    modes = ("by answer", "by key", "by boolean")
    expected = [(one, mode, metric) for one in MODELS for mode in modes for metric in BOTH]
    assert left_cells(as_in("4.38"), 3) == expected


def test_pairs_of_perturbations_are_the_thesis_own_where_no_other_differs() -> None:
    table = as_in("4.19")
    pairs = list(dict.fromkeys(pair for _, pair in left_cells(table, 2)))
    assert pairs == [
        "switched – adjectival",
        "unbalanced – adjectival",
        "inverted (by-key) – adjectival",
    ]
    assert table.notes[0] == (
        "only the pairs of Maler (2023) and those with an adjusted p below .05 are shown; 42 of 60"
        " differences are left out"
    )


def test_every_row_has_a_cell_for_every_column() -> None:
    for table in all_tables():
        for group in table.groups:
            assert {len(row) for row in group.rows} == {len(table.columns)}, table.name


def test_names_of_tables_are_their_own() -> None:
    names = [one.name for one in all_tables()]
    assert len(names) == len(set(names))
