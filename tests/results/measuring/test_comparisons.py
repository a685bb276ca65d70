"""Methods, models, forms, subsets and datasets against each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import comb

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


def test_the_standard_method_is_compared_with_every_other() -> None:
    full, partial = random_verdicts(40, seed=1), random_verdicts(40, seed=2)
    is_equal = {f"e{number}": {"equal-length"} for number in range(0, 40, 2)}
    answer_sets = {
        at(): answer_set(full, tags=is_equal),
        at(method="partial"): answer_set(partial, tags=is_equal),
        at("switched"): answer_set(full, tags=is_equal),
        at("switched", method="partial"): answer_set(partial, tags=is_equal),
    }
    models = [model("ant", "full", "partial", "loss")]
    rows = found(answer_sets, models=models, forms=[original(), perturbation("switched")])
    for subset, kept in (("all", lambda entry: True), ("equal-length", is_equal.__contains__)):
        of, against = at(subset=subset), at(method="partial", subset=subset)
        old, new = sets_of(partial, kept), sets_of(full, kept)
        for metric in ACCURACIES:
            one = rows.difference(of, against, metric)
            assert one.before == pytest.approx(of_one(metric, old))
            assert one.after == pytest.approx(of_one(metric, new))
            assert one.family == "methods on ponds, ant by full against others"
            assert one.thesis_p is not None
        assert rows.metrics(EstimateKind.CHANGE, of, against) == {one.name for one in CONSISTENCIES}
        for name in (one.name for one in CONSISTENCIES):
            assert rows.change(of, against, name).value == pytest.approx(of_two(name, old, new))
    assert not rows.metrics(
        EstimateKind.DIFFERENCE, at("switched"), at("switched", method="partial")
    )


def test_models_are_compared_on_every_form_the_later_with_the_earlier() -> None:
    names = ("ant", "bee", "first")
    verdicts = {name: random_verdicts(30, seed=seed) for seed, name in enumerate(names)}
    answer_sets = {
        at(form, model=name): answer_set(
            verdicts[name], marks=["equal-length"] if name == "ant" else []
        )
        for form in ("original", "switched")
        for name in names
    }
    forms = [original(), perturbation("switched")]
    rows = found(answer_sets, models=[model(name) for name in names], forms=forms)
    for form in ("original", "switched"):
        for later, earlier in (("bee", "ant"), ("first", "ant"), ("first", "bee")):
            of, against = at(form, model=later), at(form, model=earlier)
            old, new = sets_of(verdicts[earlier]), sets_of(verdicts[later])
            for metric in ACCURACIES:
                one = rows.difference(of, against, metric)
                assert one.before == pytest.approx(of_one(metric, old))
                assert one.after == pytest.approx(of_one(metric, new))
                assert one.test == "sign flip"
            expected = {"consistency", "schema-consistency"} if form == "original" else set()
            assert rows.metrics(EstimateKind.CHANGE, of, against) == expected
            # Which answers have equal length the ant alone tells, and of none of its own.
            places = [one.replace(subset="equal-length") for one in (of, against)]
            has_mark = earlier == "ant"
            assert bool(rows.metrics(EstimateKind.DIFFERENCE, *places)) == has_mark
    families = {one.family for one in rows.measured.estimates if one.family.startswith("models")}
    assert families == {
        "models against each other on ponds",
        "models against each other on forms of ponds",
    }


def test_consistency_tests_are_compared_on_common_schemas_but_no_dyads_or_controls() -> None:
    starts = {"switched": 0, "tense": 3, "by-key": 5}
    verdicts = {
        name: random_verdicts(30, seed=start, start=start) for name, start in starts.items()
    }
    forms = [
        original(),
        *(perturbation(name, level="schema" if name == "by-key" else "problem") for name in starts),
        control("blind"),
        perturbation("dyadic", compared=""),
        perturbation("dyadic.by-key", compared="dyadic", level="schema"),
    ]
    answer_sets = {
        at(form.name): answer_set(verdicts.get(form.name, verdicts["tense"])) for form in forms
    }
    rows = found(answer_sets, forms=forms)
    pairs = {
        (one.key.variant, one.against.variant)
        for one in rows.measured.estimates
        if one.against and one.family.startswith("perturbations of ponds against each other")
    }
    assert pairs == {("tense", "switched"), ("by-key", "switched"), ("by-key", "tense")}
    for later, earlier in pairs:
        common = (verdicts[later].keys() & verdicts[earlier].keys()).__contains__
        for metric in ACCURACIES:
            one = rows.difference(at(later), at(earlier), metric)
            assert one.before == pytest.approx(of_one(metric, sets_of(verdicts[earlier], common)))
            assert one.after == pytest.approx(of_one(metric, sets_of(verdicts[later], common)))
            assert one.thesis_p is None or 0 < one.thesis_p <= 1
        assert not rows.metrics(EstimateKind.CHANGE, at(later), at(earlier))


def test_a_form_is_not_compared_with_one_that_has_no_answers() -> None:
    forms = [original(), perturbation("switched"), perturbation("tense")]
    whole = answer_set({"e0": "SS"})
    rows = found({at(): whole, at("tense"): whole}, forms=forms)
    assert {one.against.variant for one in rows.measured.estimates if one.against} == {"original"}
    assert not rows.measured.skipped  # why there are none is told by whoever has asked


def test_a_subset_is_compared_with_its_complement_by_permuting_labels() -> None:
    verdicts = {"e0": "SS", "e1": "SS", "e2": "FF", "e3": "FF"}
    tags = {"e0": {"associative"}, "e1": {"associative"}}
    forms = [original(), control("blind"), perturbation("switched")]
    rows = found({at(form.name): answer_set(verdicts, tags=tags) for form in forms}, forms=forms)
    for form, family in (
        ("original", "subsets of ponds against their complements, ant by full"),
        ("blind", "subsets of controls of ponds against their complements, ant by full"),
    ):
        places = at(form, subset="associative"), at(form, subset="not associative")
        for metric in ACCURACIES:
            one = rows.difference(*places, metric)
            assert (one.before, one.after, one.value) == (0.0, 1.0, 1.0)
            assert one.p == pytest.approx(2 / comb(4, 2))
            assert (one.test, one.thesis_p) == ("permutation of labels", None)
            assert (one.n_problems, one.n_schemas, one.n_clusters) == (8, 4, 4)
            assert one.family == family
    places = at("switched", subset="associative"), at("switched", subset="not associative")
    assert not rows.metrics(EstimateKind.DIFFERENCE, *places)


def test_an_empty_subset_is_no_error_but_says_why_there_is_no_difference() -> None:
    rows = found({at(): answer_set({"e0": "SU", "e1": "SF"}, marks=["equal-length"])})
    one = rows.difference(at(subset="equal-length"), at(subset="not equal-length"), ACCURACIES[0])
    assert (one.value, one.before, one.after, one.p) == (None, 0.5, None, None)
    assert (one.n_problems, one.n_undecided) == (4, 1)
    assert "there are no problems before, or none after" in one.reason


def test_a_model_is_compared_on_datasets_the_later_with_the_earlier() -> None:
    is_equal = {f"e{number}": {"equal-length"} for number in range(0, 60, 2)}
    ponds, rivers = random_verdicts(30, seed=1), random_verdicts(40, seed=2, letters="SF")
    answer_sets = {
        at(): answer_set(ponds, tags=is_equal),
        at(dataset="rivers", method="full"): answer_set(rivers, tags=is_equal),
    }
    datasets = [dataset("ponds"), dataset("lakes"), dataset("rivers")]
    rows = found(answer_sets, datasets=datasets, forms=[original("rivers"), original("ponds")])
    for subset, kept in (("all", lambda entry: True), ("equal-length", is_equal.__contains__)):
        of, against = at(dataset="rivers", subset=subset), at(subset=subset)
        old, new = sets_of(ponds, kept), sets_of(rivers, kept)
        for metric in ACCURACIES:
            one = rows.difference(of, against, metric)
            assert one.before == pytest.approx(of_one(metric, old))
            assert one.after == pytest.approx(of_one(metric, new))
            assert one.n_schemas == one.n_clusters == len(old.schemas) + len(new.schemas)
            assert one.test == "permutation of labels"
            assert one.thesis_p is not None
            assert one.family == "datasets against each other, ant"
            assert one.low is not None and one.value is not None and one.high is not None
            assert one.low < one.value < one.high


def test_two_models_are_compared_on_what_is_of_equal_length_for_both() -> None:
    tags = {"ant": ["e0", "e1"], "bee": ["e1", "e2"]}
    answer_sets = {
        at(model=name): answer_set(
            {"e0": "SS", "e1": "SF", "e2": "FF"}, tags={one: ["equal-length"] for one in listed}
        )
        for name, listed in tags.items()
    }
    rows = found(answer_sets, models=[model("ant"), model("bee")])
    places = at(model="bee", subset="equal-length"), at(subset="equal-length")
    one = rows.difference(*places, "problem-accuracy")
    assert (one.before, one.after, one.n_problems) == (0.5, 0.5, 2)


def test_what_is_left_out_of_a_test_is_said() -> None:
    whole = answer_set({"e0": "SS", "e1": "SS", "e2": "FF", "e3": "FF", "e4": "SF", "e5": "SF"})
    marked = {("e0", 1), ("e0", 2), ("e1", 1), ("e1", 2), ("e4", 1), ("e5", 2)}
    answers = (
        replace(one, tags=frozenset({"associative"} if one.problem in marked else ()))
        for one in whole.answers
    )
    rows = found({at(): replace(whole, answers=tuple(answers))})
    one = rows.difference(
        at(subset="associative"), at(subset="not associative"), "problem-accuracy"
    )
    assert one.p == pytest.approx(2 / comb(4, 2))
    assert "p is of the clusters that are wholly in or out: 2 left out" in one.reason


def test_the_thesis_has_no_test_of_baselines() -> None:
    models = [model("ant", "full", "partial"), model("bee"), model("first", family="baseline")]
    models[2] = replace(models[2], methods=("full", "partial"))
    answer_sets = {
        at(model=name, dataset=place, method=method): answer_set(random_verdicts(20, seed=seed))
        for seed, (name, place, method) in enumerate(
            product(("ant", "bee", "first"), ("ponds", "rivers"), ("full", "partial"))
        )
    }
    rows = found(
        answer_sets,
        models=models,
        datasets=[dataset("ponds"), dataset("rivers")],
        forms=[original("ponds"), original("rivers")],
    )
    compared = [one for one in rows.measured.estimates if one.against and one.value]
    tested = [one for one in compared if one.thesis_p is not None]
    sides = {(one.key.model, one.against.model) for one in tested if one.against}
    assert sides == {("ant", "ant"), ("bee", "ant"), ("bee", "bee")}
    assert {one.key.model for one in compared if one.p is not None} == {"ant", "bee", "first"}


def test_datasets_whose_answers_know_no_lengths_are_compared_as_a_whole() -> None:
    ponds, rivers = (answer_set(random_verdicts(9, seed=seed)) for seed in (1, 2))
    rows = found(
        {at(): ponds, at(dataset="rivers"): rivers},
        datasets=[dataset("ponds"), dataset("rivers")],
        forms=[original("ponds"), original("rivers")],
    )
    subsets = {one.key.subset for one in rows.measured.estimates if one.against is not None}
    assert subsets == {"all"}


def test_the_example_of_the_thesis() -> None:
    # a₁ = .692, u = .717, v = .976 of 133 schemas; 131 of 182 problems: .4 (thesis 3.8.3).
    whole = ["SS"] * 66 + ["SF"] * 26 + ["FS"] * 40 + ["FF"]
    part = ["SS"] * 45 + ["SF"] * 41 + ["FF"] * 5
    answer_sets = {
        at(): answer_set({f"w{number}": one for number, one in enumerate(whole)}),
        at(dataset="rivers"): answer_set({f"p{number}": one for number, one in enumerate(part)}),
    }
    rows = found(
        answer_sets,
        datasets=[dataset("ponds"), dataset("rivers")],
        forms=[original("ponds"), original("rivers")],
    )
    one = rows.difference(at(dataset="rivers"), at(), "problem-accuracy")
    assert one.value == pytest.approx(131 / 182 - 198 / 266)
    assert one.thesis_p == pytest.approx(0.415, abs=0.015)
