"""Outcomes that have the thesis' counts give every figure that it prints of them.

Its shares have three decimals. With so few schemas these determine the counts behind them: how
many schemas went from which outcome to which. Each row of Tables 4.6, 4.10 and 4.14 was searched
for such counts, and had exactly one solution.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from horsesense.metrics import (
    Booleans,
    Metric,
    Sample,
    answered,
    anti_solved_share,
    feasible_consistency,
    find_metric,
    first_given_failed,
    first_given_solved,
    first_problem_accuracy,
    half_solved_share,
    paired,
    problem_accuracy,
    schema_accuracy,
    second_given_failed,
    second_given_solved,
    second_problem_accuracy,
    transitions,
)
from horsesense.metrics.statistics import conditional_null

BOTH, FIRST, SECOND, NONE = (True, True), (True, False), (False, True), (False, False)

# Table 3.9: how many schemas have both problems solved, the first, the second, none; and what is
# printed of a, a₂, u, v, a₁, u′, v′.
STANDARD = {
    "GPT-2": ((66, 26, 40, 1), ".744 .797 .717 .976 .692 .623 .963"),
    "RoBERTa": ((76, 18, 39, 0), ".786 .865 .809 1.000 .707 .661 1.000"),
    "T5": ((98, 8, 27, 0), ".868 .940 .925 1.000 .797 .784 1.000"),
}
OF_PAIRS = (
    problem_accuracy,
    second_problem_accuracy,
    second_given_solved,
    second_given_failed,
    first_problem_accuracy,
    first_given_solved,
    first_given_failed,
)

# Tables 4.6, 4.10 and 4.14, WSC266. Counts: both to both, half, none; half to both, the same
# half, the other half, none; none to both, half, none. Printed: c, c_a, c_p, C, C*, C_a, C_p.
CHANGES = """
GPT-2 full, partial        | 27 13 1 | 36 38 16 1 | 0 0 1 | .684 .530 .815 .617 .496 .203 .659
GPT-2 full, partial, equal | 13 10 1 | 25 27 14 1 | 0 0 0 | .637 .484 .765 .593 .440 .143 .542
GPT-2 partial, smart       | 63 0 0  | 2 64 1 0   | 1 1 1 | .974 .722 .995 .970 .962 .474 1.000
GPT-2 partial, smart equal | 38 0 0  | 1 49 1 0   | 1 1 0 | .967 .692 .992 .967 .956 .418 1.000
RoBERTa mask, statement    | 53 16 0 | 23 34 7 0  | 0 0 0 | .801 .673 .886 .707 .654 .398 .768
RoBERTa mask, st., equal   | 40 10 0 | 13 27 1 0  | 0 0 0 | .863 .714 .922 .747 .736 .440 .800
T5 prefix loss, mean pr.   | 79 2 0  | 19 32 1 0  | 0 0 0 | .914 .793 .986 .842 .835 .594 .975
T5 loss, mean pr., equal   | 59 0 0  | 1 21 0 0   | 0 0 0 | .994 .864 1.000 .988 .988 .728 1.000
""".strip().splitlines()
# The same rows' a and A before and after, from Tables 4.3, 4.7 and 4.11.
ACCURACIES = """
.650 .308 .726 .474
.632 .264 .698 .418
.726 .474 .744 .496
.698 .418 .720 .440
.759 .519 .786 .571
.775 .549 .791 .582
.805 .609 .868 .737
.864 .728 .870 .741
""".strip().splitlines()
CONSISTENCIES = [find_metric(symbol) for symbol in ("c", "c_a", "c_p", "C", "C*", "C_a", "C_p")]

# Sections 4.2.1 to 4.2.3: the shares of schemas that gained, lost, kept with other answers.
SHIFTS = {0: ".271 .113 .120", 4: ".173 .120 .053", 6: ".143 .015 .008"}

# Table 4.15: problems and schemas solved, and of how many, and the printed differences of the
# second from the first, the third from the second, and the third from the first.
BEST = {
    "any": (
        ((198, 66, 133), (209, 76, 133), (231, 98, 133)),
        "+.041 +.083 +.124 +.075 +.165 +.241",
    ),
    "equal": (((131, 40, 91), (144, 53, 91), (141, 60, 81)), "+.071 +.079 +.151 +.143 +.158 +.301"),
}

# Table 4.5: problems and schemas solved on WSC266 and on WSC273, and the printed differences.
# Its equal-length rows are left out: one of them is the difference of two rounded shares.
DATASETS = {
    "smart": ((198, 66), (201, 66), ".736 .482 +.008 +.014"),
    "partial": ((193, 63), (198, 65), ".725 .474 +.000 -.001"),
    "full": ((173, 41), (177, 42), ".648 .307 +.002 +.002"),
}


@pytest.mark.parametrize("model", STANDARD)
def test_the_pair_counts_behind_table_3_9_give_its_figures(model: str) -> None:
    counts, printed = STANDARD[model]
    schemas = _patterns(dict(zip((BOTH, FIRST, SECOND, NONE), counts, strict=True)))
    assert [_shown(metric, schemas) for metric in OF_PAIRS] == _figures(printed)


@pytest.mark.parametrize("model", STANDARD)
def test_accuracy_follows_from_the_first_problem_and_the_two_conditions(model: str) -> None:
    counts, _ = STANDARD[model]
    schemas = _patterns(dict(zip((BOTH, FIRST, SECOND, NONE), counts, strict=True)))
    given = [first_problem_accuracy, second_given_solved, second_given_failed]
    a_1, u, v = (_value(metric, schemas) for metric in given)
    accuracy = float(conditional_null(a_1, u, v).accuracy)
    assert accuracy == pytest.approx(_value(problem_accuracy, schemas))


@pytest.mark.parametrize("row", CHANGES)
def test_the_counts_behind_a_change_of_method_give_its_consistencies(row: str) -> None:
    before, after = _change(row)
    printed = _figures(row.split("|")[4])
    assert [_shown(metric, before, after) for metric in CONSISTENCIES] == printed


@pytest.mark.parametrize(("row", "printed"), list(zip(CHANGES, ACCURACIES, strict=True)))
def test_the_same_counts_give_the_accuracies_before_and_after(row: str, printed: str) -> None:
    shown = [
        _shown(metric, schemas)
        for schemas in _change(row)
        for metric in (problem_accuracy, schema_accuracy)
    ]
    assert shown == _figures(printed)


@pytest.mark.parametrize("row", SHIFTS)
def test_the_same_counts_give_what_was_gained_lost_and_changed(row: int) -> None:
    found = transitions(paired(*_change(CHANGES[row])))
    assert found.kept_with_other_answers is not None
    shares = found.gained, found.lost, found.kept_with_other_answers
    assert [f"{one.value:.3f}" for one in shares] == _figures(SHIFTS[row])
    assert found.unsettled.count == 0


@pytest.mark.parametrize("row", CHANGES)
def test_every_printed_consistency_is_feasible(row: str) -> None:
    before, after = _change(row)
    feasible = feasible_consistency(*(_value(problem_accuracy, one) for one in (before, after)))
    assert feasible.low <= _value(find_metric("c"), before, after) <= feasible.high


def test_anti_solved_schemas_are_as_rare_as_the_thesis_says() -> None:
    partial = _change(CHANGES[0])[1]
    assert _shown(anti_solved_share, partial) == "0.023"  # the highest of GPT-2's, section 4.2.1
    assert all(_value(anti_solved_share, one) == 0 for one in _change(CHANGES[6]))  # 4.2.3


@pytest.mark.parametrize("length", BEST)
def test_the_differences_of_models_are_those_of_table_4_15(length: str) -> None:
    models, printed = BEST[length]
    found = [_solved(*counts) for counts in models]
    shown = [
        f"{_value(metric, found[one]) - _value(metric, found[other]):+.3f}"
        for metric in (problem_accuracy, schema_accuracy)
        for one, other in ((1, 0), (2, 1), (2, 0))
    ]
    assert shown == _figures(printed)


@pytest.mark.parametrize("method", DATASETS)
def test_the_triple_of_wsc273_makes_the_schemas_of_table_4_5(method: str) -> None:
    small, large, printed = DATASETS[method]
    wsc266, wsc273 = _solved(*small, 133), _with_triple(*large)
    metrics = problem_accuracy, schema_accuracy
    differences = [_value(one, wsc266) - _value(one, wsc273) for one in metrics]
    shown = [_shown(one, wsc273) for one in metrics] + [f"{one:+.3f}" for one in differences]
    assert shown == _figures(printed)
    assert (len(wsc273.problems), len(wsc273.schemas), wsc273.cluster_count) == (273, 137, 136)


@pytest.mark.parametrize("model", STANDARD)
def test_accuracy_is_schema_accuracy_and_half_of_the_half_solved(model: str) -> None:
    counts, _ = STANDARD[model]
    schemas = _patterns(dict(zip((BOTH, FIRST, SECOND, NONE), counts, strict=True)))
    half = _value(half_solved_share, schemas) / 2
    assert _value(problem_accuracy, schemas) == pytest.approx(
        _value(schema_accuracy, schemas) + half
    )


def _patterns(counts: dict[tuple[bool, bool], int]) -> Booleans:
    return np.array([pattern for pattern, count in counts.items() for _ in range(count)])


def _solved(problems: int, schemas: int, total: int) -> Booleans:
    """So many problems and schemas solved of so many schemas."""
    half = problems - 2 * schemas
    return _patterns({BOTH: schemas, FIRST: half, NONE: total - schemas - half})


def _with_triple(problems: int, schemas: int) -> Sample:
    """WSC273: 135 pairs, and three problems that make two schemas, here all solved."""
    pairs = _solved(problems - 3, schemas - 2, 135)
    solved = np.concatenate([pairs.ravel(), [True] * 3])
    at = np.concatenate([np.arange(270).reshape(135, 2), [[270, 271], [271, 272]]])
    clusters = np.concatenate([np.repeat(np.arange(135), 2), [135] * 3])
    return Sample(answered(solved), at, clusters, 136)


def _change(row: str) -> tuple[Booleans, Booleans]:
    """The schemas of a row before and after."""
    numbers = [int(word) for part in row.split("|")[1:4] for word in part.split()]
    steps = [
        *((BOTH, pattern) for pattern in (BOTH, FIRST, NONE)),
        *((FIRST, pattern) for pattern in (BOTH, FIRST, SECOND, NONE)),
        *((NONE, pattern) for pattern in (BOTH, FIRST, NONE)),
    ]
    made = [step for step, count in zip(steps, numbers, strict=True) for _ in range(count)]
    before, after = zip(*made, strict=True)
    return np.array(before), np.array(after)


def _value(metric: Metric, *schemas: Booleans | Sample) -> float:
    value = metric(*schemas).value
    assert value is not None
    return value


def _shown(metric: Metric, *schemas: Booleans | Sample) -> str:
    return f"{_value(metric, *schemas):.3f}"


def _figures(printed: str) -> list[str]:
    """As Python prints them, with the zero that is left out here."""
    return [re.sub(r"(?<!\d)\.", "0.", word) for word in printed.split()]
