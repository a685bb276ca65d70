"""All measurements together: options, gaps, families, and laws."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError, NotationError
from horsesense.metrics import METRICS
from horsesense.metrics.statistics import holm
from horsesense.results import EstimateKind, OptionCount, Skipped
from horsesense.results.measuring import Measurements, standard_method
from tests.results.measuring.made_up import (
    Verdicts,
    answer_set,
    at,
    control,
    found,
    model,
    original,
    perturbation,
    random_verdicts,
)
from tests.strategies import brisk

MODELS = [model("ant", "full", "partial"), model("first", "choice", family="baseline")]
FORMS = [
    original(),
    perturbation("switched"),
    perturbation("by-key", level="schema"),
    control("blind"),
]
TAGS = {f"e{number}": {"associative", "equal-length"} for number in range(0, 20, 3)}
ANSWER_SETS = {
    place.replace(variant=form.name): answer_set(
        random_verdicts(20 - 2 * at_form, seed=10 * at_form + at_place, letters="SSFU"), tags=TAGS
    )
    for at_form, form in enumerate(FORMS)
    for at_place, place in enumerate(
        (at(), at(method="partial"), at(model="first", method="choice"))
    )
}

verdicts = st.dictionaries(
    st.sampled_from([f"e{number}" for number in range(9)]),
    st.text("SFU", min_size=1, max_size=4),
    min_size=1,
)


@pytest.fixture(scope="module")
def everything() -> Measurements:
    return found(ANSWER_SETS, models=MODELS, forms=FORMS).measured


def test_options_are_told_by_position_and_by_text_where_these_are_few() -> None:
    few = answer_set({"e0": "SS", "e1": "FU"}, options=("true", "false"))
    rows = found({at(): few, at(method="partial"): few}, models=MODELS)
    assert rows.measured.options == (
        OptionCount(at(), "1", 1, 3),
        OptionCount(at(), "2", 2, 3),
        OptionCount(at(), "false", 2, 3),
        OptionCount(at(), "true", 1, 3),
    )


def test_many_texts_are_not_told() -> None:
    whole = answer_set({f"e{number}": "SS" for number in range(3)})
    own = tuple(
        replace(one, options=(f"the {one.entry}", f"no {one.entry}")) for one in whole.answers
    )
    rows = found({at(): replace(whole, answers=own)})
    assert [one.option for one in rows.measured.options] == ["1", "2"]


def test_answers_that_nobody_lists_are_a_gap() -> None:
    whole = answer_set({"e0": "SS"})
    rows = found({at(): whole, at("tense"): whole, at(method="loss"): whole}, datasets=[])
    assert rows.measured.skipped == (
        Skipped(
            "ant on ponds, original",
            "answers by loss belong to no model, variant or method of the run",
        ),
        Skipped(
            "ant on ponds, tense",
            "answers by full belong to no model, variant or method of the run",
        ),
    )
    assert {one.key for one in rows.measured.estimates} == {at()}


def test_a_subset_that_names_what_is_unknown_is_a_gap() -> None:
    rows = found(
        {at(): answer_set({"e0": "SS"}, tags={"e0": ["old"]})}, subsets=["old", "old and tall"]
    )
    (gap,) = rows.measured.skipped
    assert (gap.where, gap.is_named) == ("ponds", True)
    assert gap.reason.startswith(
        "no problem is in subset 'old and tall': no mark of a problem named"
    )
    subsets = {one.key.subset for one in rows.measured.estimates}
    assert subsets == {"all", "old", "not old"}


def test_a_subset_without_problems_is_a_gap_and_told_once() -> None:
    empty = answer_set({"e0": "SS"}, tags={"e0": ["old"]})
    rows = found({at(): empty}, subsets=["old", "not old", "all"])
    told = "no problem is in subset 'not old'"
    assert rows.measured.skipped == (Skipped("ponds", told, is_named=True),)


def test_a_subset_that_is_known_of_some_models_only_is_a_gap_that_nobody_named() -> None:
    known, unknown = answer_set({"e0": "SS"}, tags={"e0": ["old"]}), answer_set({"e0": "SS"})
    answer_sets = {at(): known, at(method="partial"): known}
    rows = found(
        {**answer_sets, at(model="first", method="choice"): unknown}, models=MODELS, subsets=["old"]
    )
    told = "there is no subset 'old' of the answers of first"
    assert [(gap.where, gap.is_named) for gap in rows.measured.skipped] == [("ponds", False)]
    assert rows.measured.skipped[0].reason.startswith(told)


def test_an_expression_of_several_words_is_put_in_brackets_for_its_complement() -> None:
    rows = found(
        {at(): answer_set({"e0": "SS", "e1": "SF"}, tags={"e0": ["old", "tall"]})},
        subsets=["old and tall"],
    )
    places = at(subset="old and tall"), at(subset="not (old and tall)")
    assert rows.difference(*places, "problem-accuracy").value == 0.5


def test_all_problems_are_no_subset_of_their_own() -> None:
    rows = found({at(): answer_set({"e0": "SS"})}, subsets=["all"])
    assert {one.key.subset for one in rows.measured.estimates} == {"all"}


def test_a_subset_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(NotationError, match="stands where a name is expected"):
        found({at(): answer_set({"e0": "SS"})}, subsets=["old and"])


def test_a_form_whose_compared_form_was_not_posed_is_a_gap() -> None:
    forms = [perturbation("switched")]
    rows = found({at("switched"): answer_set({"e0": "SS"})}, forms=forms)
    told = "it cannot be compared with original, which was not evaluated"
    assert rows.measured.skipped == (Skipped("ponds, switched", told),)
    assert all(one.kind is EstimateKind.VALUE for one in rows.measured.estimates)


def test_dyads_by_boolean_without_regrouped_schemas_are_a_gap() -> None:
    forms = [
        perturbation("dyadic", compared=""),
        perturbation("dyadic.by-boolean", compared="dyadic", level="schema", mode="by boolean"),
    ]
    whole = answer_set({"e0": "SSFF"})
    (gap,) = found({at(one.name): whole for one in forms}, forms=forms).measured.skipped
    assert gap.where == "ponds, dyadic.by-boolean"
    assert gap.reason.startswith("the schemas of dyadic are not regrouped beside it")


def test_forms_in_the_mode_of_the_original_need_no_other_schemas() -> None:
    forms = [
        perturbation("original", compared="", mode="by boolean"),
        perturbation("voice", mode="by boolean"),
    ]
    whole = answer_set({"e0": "SSFF"})
    assert found({at(one.name): whole for one in forms}, forms=forms).measured.skipped == ()


def test_every_p_is_adjusted_over_its_family_and_only_these(everything: Measurements) -> None:
    rows = everything.estimates
    families: dict[str, list[float]] = {}
    for one in rows:
        assert (one.p is None) == (one.p_adjusted is None) == (one.family == "") == (one.test == "")
        if one.p is not None:
            families.setdefault(one.family, []).append(one.p)
    for one in rows:
        if one.p is not None:
            listed = families[one.family]
            assert one.p_adjusted == holm(listed).ps[listed.index(one.p)]


def test_families_are_those_of_tables(everything: Measurements) -> None:
    rows = everything.estimates
    sizes: dict[str, int] = {}
    for one in rows:
        if (
            one.p is not None
            and one.key.model == "ant"
            and (one.against is None or one.against.model == "ant")
        ):
            sizes[one.family] = sizes.get(one.family, 0) + 1
    plain = {
        name: size
        for name, size in sizes.items()
        if not name.endswith((", associative", "not associative", "not equal-length"))
    }
    assert plain == {
        # problems and schemas, of any length and of equal length
        "ponds against chance, ant by full": 4,
        "ponds against chance, ant by other methods": 4,
        "forms of ponds against chance, ant by full": 3 * 4,
        "forms of ponds against chance, ant by partial": 3 * 4,
        "perturbations of ponds, ant by full": 2 * 4,
        "perturbations of ponds, ant by partial": 2 * 4,
        "controls of ponds, ant by full": 4,
        "controls of ponds, ant by partial": 4,
        "methods on ponds, ant by full against others": 4,
        "subsets of ponds against their complements, ant by full": 2 * 2,
        "subsets of controls of ponds against their complements, ant by full": 2 * 2,
        "perturbations of ponds against each other, ant by full": 2,
    }
    assert sizes["perturbations of ponds, ant by full, associative"] == 4


def test_the_order_of_the_answer_sets_makes_no_difference(everything: Measurements) -> None:
    shuffled = list(ANSWER_SETS.items())
    Random(1).shuffle(shuffled)
    assert found(dict(shuffled), models=MODELS, forms=FORMS).measured == everything


def test_the_seed_changes_intervals_and_no_value(everything: Measurements) -> None:
    other = found(ANSWER_SETS, models=MODELS, forms=FORMS, seed=1).measured.estimates
    assert [one.value for one in everything.estimates] == [one.value for one in other]
    assert [one.low for one in everything.estimates] != [one.low for one in other]


@brisk
@given(verdicts, verdicts)
def test_laws(before: Verdicts, after: Verdicts) -> None:
    answer_sets = {
        at(): answer_set(before, marks=["equal-length"]),
        at("switched"): answer_set(after),
    }
    forms = [original(), perturbation("switched")]
    for one in found(answer_sets, forms=forms).measured.estimates:
        assert (one.value is None) <= bool(one.reason)
        if one.value is None:
            assert (one.low, one.high, one.p) == (None, None, None)
            continue
        low, high = METRICS[one.metric].declared.bounds
        assert (low if one.kind is not EstimateKind.DIFFERENCE else -1) <= one.value <= high
        if one.kind is EstimateKind.DIFFERENCE:
            assert one.before is not None and one.after is not None
            assert one.value == pytest.approx(one.after - one.before)
        if one.low is not None and METRICS[one.metric].is_share:
            assert one.high is not None
            assert one.low - 1e-12 <= one.value <= one.high + 1e-12
        assert 0 <= one.n_undecided <= one.n_problems


@brisk
@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.text("SF", min_size=2, max_size=2), min_size=1)
)
def test_nothing_changes_between_identical_answer_sets(same: Verdicts) -> None:
    answer_sets = {at(): answer_set(same), at("switched"): answer_set(same)}
    rows = found(answer_sets, forms=[original(), perturbation("switched")])
    for metric in ("consistency", "schema-consistency", "strict-schema-consistency"):
        assert rows.change(at("switched"), at(), metric).value == 1.0
    for metric in ("problem-accuracy", "schema-accuracy"):
        one = rows.difference(at("switched"), at(), metric)
        assert (one.value, one.low, one.p, one.thesis_p) == (0.0, one.high, 1.0, None)


@pytest.mark.parametrize(
    ("family", "is_winograd", "available", "standard"),
    [
        ("causal", True, ["full", "smart@1"], "smart@1"),
        ("causal", False, ["full", "smart@1"], "smart@1"),
        ("causal", True, ["full", "partial"], "full"),
        ("masked", True, ["loss", "mean-statement"], "mean-statement"),
        ("seq2seq", True, ["basic", "mean", "mean-prefix"], "mean-prefix"),
        ("seq2seq", False, ["basic", "mean", "mean-prefix"], "mean"),
        ("baseline", False, ["choice"], "choice"),
    ],
)
def test_the_standard_method_is_that_of_the_family(
    family: str, is_winograd: bool, available: list[str], standard: str
) -> None:
    assert standard_method(family, is_winograd, available) == standard


def test_without_any_method_there_is_no_standard_one() -> None:
    with pytest.raises(MetricError, match="no method of a causal model has scores"):
        standard_method("causal", True, [])
