"""Forms against what they are compared with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from horsesense.results import EstimateKind
from horsesense.results.measuring.comparisons import CONSISTENCIES
from tests.results.measuring.made_up import (
    answer_set,
    at,
    control,
    dataset,
    found,
    model,
    original,
    perturbation,
    random_verdicts,
)
from tests.results.measuring.slowly import of_one, of_two, sets_of

ACCURACIES = ("problem-accuracy", "schema-accuracy")
CHANGES = {one.name for one in CONSISTENCIES} | {
    "relative-loss",
    "relative-gain",
    "relative-schema-loss",
    "relative-schema-gain",
}
OF_CONTROLS = {"adjusted-accuracy", "adjusted-schema-accuracy", "adjusted-schema-lower-bound"}
OF_PROBLEMS = {
    "consistency",
    "consistent-accuracy",
    "preserved-accuracy",
    "inversely-preserved-accuracy",
    "strict-schema-consistency",
    "chance-corrected-consistency",
    "kept-with-other-answers",
}
# The control lacks two of the original's entries, and has one that the original lacks.
BEFORE = random_verdicts(40, seed=1)
AFTER = random_verdicts(39, seed=2, start=2)
TAGS = {f"e{number}": {"associative"} for number in range(0, 41, 3)}
FORMS = [original(), control("blind")]
ANSWER_SETS = {at(): answer_set(BEFORE, tags=TAGS), at("blind"): answer_set(AFTER, tags=TAGS)}


def in_both(entry: str) -> bool:
    return entry in BEFORE and entry in AFTER


@pytest.mark.parametrize("subset", ["all", "associative", "not associative"])
def test_every_change_is_what_counting_slowly_gives(subset: str) -> None:
    rows = found(ANSWER_SETS, forms=FORMS)

    def kept(entry: str) -> bool:
        return in_both(entry) and (subset == "all" or (entry in TAGS) == (subset == "associative"))

    old, new = sets_of(BEFORE, kept), sets_of(AFTER, kept)
    of, against = at("blind", subset=subset), at(subset=subset)
    assert rows.metrics(EstimateKind.CHANGE, of, against) == CHANGES | OF_CONTROLS
    for metric in CHANGES | OF_CONTROLS:
        one = rows.change(of, against, metric)
        assert one.value == pytest.approx(of_two(metric, old, new)), metric
        assert (one.n_schemas, one.n_clusters, one.p) == (len(old.schemas), len(old.schemas), None)
    for metric in ACCURACIES:
        one = rows.difference(of, against, metric)
        assert one.before == pytest.approx(of_one(metric, old))
        assert one.after == pytest.approx(of_one(metric, new))
        assert one.value == pytest.approx((one.after or 0) - (one.before or 0))
        assert one.test == "sign flip"
        assert one.p is not None and 0 < one.p <= 1
        assert one.n_problems == len(old.problems)


def test_shares_tell_what_they_were_counted_of() -> None:
    rows = found(ANSWER_SETS, forms=FORMS)
    share = rows.change(at("blind"), at(), "consistency")
    assert share.count is not None and share.total == share.n_problems == 76
    assert share.value == share.count / share.total
    assert rows.change(at("blind"), at(), "relative-loss").count is None


def test_a_consistency_test_has_changes_of_the_whole_and_differences_of_every_subset() -> None:
    rows = found(ANSWER_SETS, forms=[original(), perturbation("blind")], subsets=["associative"])
    assert rows.metrics(EstimateKind.CHANGE, at("blind"), at()) == CHANGES
    part = at("blind", subset="associative"), at(subset="associative")
    assert rows.metrics(EstimateKind.CHANGE, *part) == set()
    assert rows.metrics(EstimateKind.DIFFERENCE, *part) == set(ACCURACIES)


def test_under_inversion_only_schemas_are_compared() -> None:
    form = perturbation("blind", level="schema", mode="by key")
    rows = found(ANSWER_SETS, forms=[original(), form])
    assert rows.metrics(EstimateKind.CHANGE, at("blind"), at()) == CHANGES - OF_PROBLEMS
    old, new = sets_of(BEFORE, in_both), sets_of(AFTER, in_both)
    for metric in CHANGES - OF_PROBLEMS:
        value = rows.change(at("blind"), at(), metric).value
        assert value == pytest.approx(of_two(metric, old, new)), metric


EQUAL = "equal-length"
MARKED = {"e0": "SS", "e1": "SF", "e2": "FF"}, {"e0": "FF", "e1": "SS", "e2": "FF"}


@pytest.mark.parametrize("level", ["problem", "schema"])
@pytest.mark.parametrize("marked", [["e0", "e2"], ["e0", "e1", "e2"], None])
def test_the_compared_form_says_which_problems_are_in_a_subset(
    level: str, marked: list[str] | None
) -> None:
    old = answer_set(MARKED[0], tags={"e0": [EQUAL], "e1": [EQUAL]})
    new = answer_set(MARKED[1], tags=None if marked is None else {one: [EQUAL] for one in marked})
    forms = [original(), perturbation("switched", level=level)]
    rows = found({at(): old, at("switched"): new}, forms=forms)
    for subset, expected in ((EQUAL, (0.75, 0.5, 4)), (f"not {EQUAL}", (0.0, 0.0, 2))):
        places = at("switched", subset=subset), at(subset=subset)
        one = rows.difference(*places, "problem-accuracy")
        assert (one.before, one.after, one.n_problems) == expected


def test_of_a_subset_without_problems_there_is_no_difference() -> None:
    old, new = (answer_set(one, tags=dict.fromkeys(one, [EQUAL])) for one in MARKED)
    rows = found({at(): old, at("switched"): new}, forms=[original(), perturbation("switched")])
    none = at("switched", subset=f"not {EQUAL}"), at(subset=f"not {EQUAL}")
    empty = rows.difference(*none, "problem-accuracy")
    assert (empty.value, empty.p, empty.family) == (None, None, "")
    assert empty.reason == "there are no problems before, or none after"


def test_an_exact_difference_of_zero_has_a_p_of_one_in_its_family_and_no_thesis_p() -> None:
    before, after = {"e0": "SS", "e1": "FF"}, {"e0": "FF", "e1": "SS"}
    answer_sets = {at(): answer_set(before), at("switched"): answer_set(after)}
    one = found(answer_sets, forms=[original(), perturbation("switched")]).difference(
        at("switched"), at(), "problem-accuracy"
    )
    assert (one.value, one.p, one.thesis_p, one.p_adjusted) == (0.0, 1.0, None, 1.0)
    assert one.family == "perturbations of ponds, ant by full"


def test_the_thesis_p_is_told_of_standard_methods_of_models_only() -> None:
    models = [model("ant", "full", "partial"), model("first", "choice", family="baseline")]
    places = [at(), at(method="partial"), at(model="first", method="choice")]
    answer_sets = {
        one.replace(variant=form): ANSWER_SETS[at(form)]
        for one in places
        for form in ("original", "blind")
    }
    rows = found(answer_sets, models=models, forms=FORMS)
    told = [
        rows.difference(one.replace(variant="blind"), one, "schema-accuracy").thesis_p is not None
        for one in places
    ]
    assert told == [True, False, False]


def test_where_nothing_is_in_common_the_rows_say_so() -> None:
    answer_sets = {at(): answer_set({"e0": "SS"}), at("switched"): answer_set({"e9": "SS"})}
    rows = found(answer_sets, forms=[original(), perturbation("switched")])
    assert rows.metrics(EstimateKind.CHANGE, at("switched"), at()) == CHANGES
    for one in rows.measured.estimates:
        if one.against is not None:
            assert (one.value, one.p) == (None, None)
            assert one.reason == "made up and made up have nothing in common that could pair"


def test_where_signs_cannot_be_flipped_the_difference_stays_and_the_reason_is_told() -> None:
    # By key, an entry poses another number of problems; only its schema corresponds.
    odd = answer_set({"e0": "SSS", "e1": "SF"})
    odd = replace(odd, schemas=((0, 1), (3, 4)))
    form = perturbation("by-key", level="schema", mode="by key")
    rows = found(
        {at(): answer_set({"e0": "SF", "e1": "FF"}), at("by-key"): odd}, forms=[original(), form]
    )
    one = rows.difference(at("by-key"), at(), "problem-accuracy")
    assert one.value == pytest.approx(4 / 5 - 1 / 4)
    assert (one.p, one.thesis_p, one.family) == (None, None, "")
    assert "no test: problem-accuracy has different totals in the two samples" in one.reason
    assert rows.difference(at("by-key"), at(), "schema-accuracy").p is not None


@pytest.mark.parametrize(("level", "undecided"), [("problem", 3), ("schema", 4)])
def test_undecided_problems_are_those_of_either_side(level: str, undecided: int) -> None:
    # Where problems correspond, one that is undecided on both sides is one problem.
    answer_sets = {
        at(): answer_set({"e0": "UU", "e1": "SS"}),
        at("switched"): answer_set({"e0": "US", "e1": "FU"}),
    }
    rows = found(answer_sets, forms=[original(), perturbation("switched", level=level)])
    assert rows.change(at("switched"), at(), "schema-consistency").n_undecided == undecided


DYADS = [
    original(),
    perturbation("dyadic", compared=""),
    perturbation("dyadic.by-key", level="schema", mode="by key", compared="dyadic"),
    perturbation("dyadic.by-boolean", level="schema", mode="by boolean", compared="dyadic"),
]


def test_beside_by_boolean_the_schemas_by_answer_are_regrouped() -> None:
    # By answer, problems 1 and 2 are true, 3 and 4 false. Alone, a schema fixes the truth value;
    # beside by boolean it fixes the key, which problems 1 and 3 share. As in table 4.38, the
    # schema accuracy to compare with is another than the one that stands for itself.
    by_answer = {f"e{number}": "SSFF" for number in range(31)}
    by_boolean = {f"e{number}": "SSSF" for number in range(31)}
    keys = [((entry, one), (entry, one + 2)) for entry in by_answer for one in (1, 2)]
    answer_sets = {
        at(): answer_set(dict.fromkeys(by_answer, "SS")),
        at("dyadic"): answer_set(by_answer),
        at("dyadic.by-key"): answer_set(by_boolean),
        at("dyadic.by-boolean"): answer_set(by_boolean),
    }
    rows = found(answer_sets, forms=DYADS, regrouped={("ponds", "dyadic.by-boolean"): keys})
    assert rows.value(at("dyadic"), "schema-accuracy").value == 0.5
    by_key = rows.difference(at("dyadic.by-key"), at("dyadic"), "schema-accuracy")
    assert (by_key.before, by_key.after) == (0.5, 0.5)
    regrouped = rows.difference(at("dyadic.by-boolean"), at("dyadic"), "schema-accuracy")
    assert (regrouped.before, regrouped.after, regrouped.value) == (0.0, 0.5, 0.5)
    same = rows.difference(at("dyadic.by-boolean"), at("dyadic"), "problem-accuracy")
    assert (same.before, same.after) == (0.5, 0.75)
    assert rows.measured.skipped == ()
    assert by_key.family == regrouped.family == "modes of dyadic of ponds, ant by full"
    # Both schemas of each, one problem solved of each: as many, in each schema, as by boolean?
    change = rows.change(at("dyadic.by-boolean"), at("dyadic"), "schema-consistency")
    assert change.value == 0.5


def test_what_is_regrouped_needs_answers_to_both_problems() -> None:
    answer_sets = {
        at("dyadic"): answer_set({"e0": "SSFF", "e1": "SS"}),
        at("dyadic.by-boolean"): answer_set({"e0": "SSSS", "e1": "SS"}),
    }
    keys = [((entry, one), (entry, one + 2)) for entry in ("e0", "e1") for one in (1, 2)]
    rows = found(answer_sets, forms=DYADS, regrouped={("ponds", "dyadic.by-boolean"): keys})
    one = rows.difference(at("dyadic.by-boolean"), at("dyadic"), "schema-accuracy")
    assert (one.n_schemas, one.before, one.after) == (2, 0.0, 1.0)


def test_marks_of_one_side_are_those_of_the_pair() -> None:
    answer_sets = {at(): answer_set(BEFORE, tags=TAGS), at("blind"): answer_set(AFTER)}
    rows = found(answer_sets, forms=FORMS, datasets=[dataset()])
    one = rows.difference(
        at("blind", subset="associative"), at(subset="associative"), "problem-accuracy"
    )
    assert one.n_schemas == sum(in_both(entry) for entry in TAGS)
