from __future__ import annotations

import pytest

from horsesense.errors import UnknownNameError
from horsesense.results import ORIGINAL, ResultKey
from horsesense.results.measuring.noteworthy import (
    ProblemFilter,
    ProblemView,
    SortOrder,
    filter_and_sort,
    has_flipped,
    outcomes_by_variant,
    problem_views,
    twins_at,
)
from horsesense.scoring.outcome import Share, Verdict, decide
from tests.results.hand_made import Margins, profile

ORIGINALS: Margins = {
    "rope": [2.0, 1.0],
    "boat": [-3.0, 0.5],
    "raft": [0.0, None],
    "tide": ["no", None],
}
RUN = profile(
    {
        (ORIGINAL, "partial"): ORIGINALS,
        (ORIGINAL, "full"): {"rope": [1.0, -1.0], "boat": [-1.0, 1.0]},
        ("switched", "partial"): {"rope": [-1.0, 1.0], "boat": [-1.0, 0.0], "raft": [1.0, 1.0]},
        ("no-candidate", "partial"): {"rope": [-1.0, -1.0]},
        ("by-key", "partial"): {"rope": [-1.0, -1.0]},
    },
    tags={"rope": {"material"}, "boat": {"material", "space"}},
)


def ids(views: tuple[ProblemView, ...]) -> list[str]:
    return [f"{one.problem.entry}.{one.problem.number}" for one in views]


def found(problem: str, method: str | None = None) -> ProblemView:
    views = problem_views(RUN, "ant", "quay", method)
    return next(one for one, name in zip(views, ids(views), strict=True) if name == problem)


def test_every_problem_of_the_original_is_seen_in_its_order() -> None:
    expected = ["rope.1", "rope.2", "boat.1", "boat.2", "raft.1", "raft.2", "tide.1", "tide.2"]
    assert ids(problem_views(RUN, "ant", "quay")) == expected


def test_the_margin_says_how_much_the_right_option_is_preferred() -> None:
    assert (found("rope.1").margin, found("boat.1").margin) == (2.0, -3.0)
    assert found("raft.1").margin == 0.0
    assert (found("raft.2").margin, found("raft.2").verdict) == (None, None)
    assert (found("tide.1").margin, found("tide.1").verdict) == (1.0, Verdict.UNLABELLED)


def test_of_three_options_the_cheapest_wrong_one_counts() -> None:
    assert decide((5.0, 2.0, 3.0), right=2).signed_margin == -1.0
    assert decide((5.0, 4.0, 3.0), right=2).signed_margin == 1.0
    assert decide((float("inf"), float("inf")), right=0).signed_margin == 0.0


def test_agreement_counts_the_methods_that_solve_a_problem() -> None:
    assert found("rope.1").agreement == Share(2, 2)
    assert found("rope.2").agreement == Share(1, 2)
    assert found("raft.1").agreement == Share(0, 1)
    assert found("raft.2").agreement == Share(0, 0)


def test_a_problem_flips_in_consistency_tests_where_problems_correspond() -> None:
    rope = found("rope.1")
    assert (rope.flips, rope.tests) == (("switched",), ("switched",))
    assert (found("rope.2").flips, found("rope.2").tests) == ((), ("switched",))


def test_what_is_undecided_neither_flips_nor_stays() -> None:
    assert found("boat.2").tests == found("raft.1").tests == found("raft.2").tests == ()
    assert has_flipped(None, decide((1.0, 2.0), right=0)) is None


def test_the_twin_and_how_much_of_the_schema_is_solved() -> None:
    assert (found("rope.1").twin, found("rope.1").schema_solved) == (2, 2)
    assert (found("boat.2").twin, found("boat.2").schema_solved) == (1, 1)
    assert (found("raft.1").twin, found("raft.1").schema_solved) == (None, None)
    assert found("boat.1").is_half_solved and not found("rope.1").is_half_solved


def test_another_method_sees_other_margins() -> None:
    assert found("rope.2", "full").margin == -1.0
    assert found("rope.2", "full").schema_solved == 1
    assert found("rope.2", "full").tests == ()


@pytest.mark.parametrize(
    ("sort", "first", "last"),
    [
        (SortOrder.MARGIN, ["boat.1", "raft.1", "boat.2"], "tide.2"),
        (SortOrder.AGREEMENT, ["boat.1", "raft.1", "tide.1"], "tide.2"),
        (SortOrder.FLIPS, ["rope.1", "boat.1", "rope.2"], "tide.2"),
        (SortOrder.ID, ["boat.1", "boat.2", "raft.1"], "tide.2"),
    ],
)
def test_the_most_noteworthy_come_first_and_what_has_no_place_last(
    sort: SortOrder, first: list[str], last: str
) -> None:
    sorted_ = ids(filter_and_sort(problem_views(RUN, "ant", "quay"), ProblemFilter(), sort))
    assert (sorted_[:3], sorted_[-1]) == (first, last)


def test_reversed_the_best_come_first_and_what_has_no_margin_is_still_last() -> None:
    views = ids(
        filter_and_sort(problem_views(RUN, "ant", "quay"), ProblemFilter(), is_reversed=True)
    )
    assert views[:3] == ["rope.1", "rope.2", "boat.2"]
    assert set(views[-3:]) == {"raft.2", "tide.1", "tide.2"}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (ProblemFilter(verdicts=frozenset({Verdict.FAILED})), ["boat.1"]),
        (
            ProblemFilter(verdicts=frozenset({Verdict.FAILED, Verdict.UNDECIDED})),
            ["boat.1", "raft.1"],
        ),
        (ProblemFilter(is_flipped=True), ["rope.1"]),
        (ProblemFilter(is_half_solved=True), ["boat.1", "boat.2"]),
        (ProblemFilter(tags=frozenset({"material", "space"})), ["boat.1", "boat.2"]),
        (ProblemFilter(is_half_solved=True, is_flipped=True), []),
    ],
)
def test_filters_keep_what_is_wanted(wanted: ProblemFilter, expected: list[str]) -> None:
    assert ids(filter_and_sort(problem_views(RUN, "ant", "quay"), wanted, SortOrder.ID)) == expected


def test_a_problem_is_seen_in_every_form_and_where_schemas_correspond_with_its_twin() -> None:
    problem = found("rope.1").problem
    rows = outcomes_by_variant(RUN, ResultKey("ant", "quay", method="partial"), problem)
    seen = [(row.variant, row.number, is_flipped) for row, _, is_flipped in rows]
    assert seen == [
        (ORIGINAL, 1, None),
        ("switched", 1, True),
        ("by-key", 1, None),
        ("by-key", 2, None),
        ("no-candidate", 1, None),
    ]
    assert [outcome.verdict for _, outcome, _ in rows if outcome][:2] == ["solved", "failed"]


def test_of_a_problem_by_key_every_form_is_seen_whole() -> None:
    problem = next(one for one in RUN.problems if one.variant == "by-key")
    rows = outcomes_by_variant(RUN, ResultKey("ant", "quay", "by-key", method="partial"), problem)
    seen = [(row.number, is_flipped) for row, _, is_flipped in rows if row.variant == "switched"]
    assert seen == [(1, True), (2, False)]


def test_a_form_without_answers_by_a_method_has_no_outcomes() -> None:
    at = ResultKey("ant", "quay", method="full")
    rows = outcomes_by_variant(RUN, at, found("rope.1").problem)
    assert [outcome is None for _, outcome, _ in rows] == [False, True, True, True, True]
    assert twins_at(RUN, at.replace(variant="switched")) == {}


def test_unknown_names_are_said() -> None:
    for model, dataset, method in (
        ("bee", "quay", None),
        ("ant", "pier", None),
        ("ant", "quay", "ful"),
    ):
        with pytest.raises(UnknownNameError):
            problem_views(RUN, model, dataset, method)
