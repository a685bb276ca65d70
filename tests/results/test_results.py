from dataclasses import replace

import pytest

from horsesense.perturbations import Purpose
from horsesense.results import CONSISTENCY_TEST, CONTROL, EstimateKind, ResultKey, Variant
from horsesense.results.document import from_document, to_document
from horsesense.results.kept import from_tables, to_tables
from tests.results.awkward import ANT, BEE, awkward_profile


def test_measurements_are_found_by_what_they_are_of() -> None:
    profile = awkward_profile()
    value, change, difference = profile.estimates
    assert profile.value(ANT.replace(subset="not (a)"), "problem-accuracy") is value
    assert profile.change(BEE, ANT, "consistency") is change
    assert profile.difference(BEE, ANT.replace(method=""), "problem-accuracy") is difference
    assert [one.kind for one in (value, change, difference)] == list(EstimateKind)


def test_what_was_not_measured_is_not_found() -> None:
    profile = awkward_profile()
    assert profile.value(ANT, "problem-accuracy") is None
    assert profile.change(ANT, BEE, "consistency") is None
    assert profile.difference(BEE, ANT, "consistency") is None


def test_a_profile_is_about_its_models_or_the_baselines_that_were_asked_for() -> None:
    profile = awkward_profile()
    model = replace(profile.models[0], name="ant", is_baseline=False)
    first, longer = (replace(model, name=one, is_baseline=True) for one in ("first", "longer"))
    plan = replace(profile.record.plan, models=("longer",))
    record = replace(profile.record, plan=plan)
    for models, expected in (
        ((model, first, longer), (model,)),
        ((first, longer), (longer,)),
        ((first,), (first,)),
    ):
        assert replace(profile, models=models, record=record).evaluated == expected


def test_forms_are_those_of_a_dataset() -> None:
    profile = awkward_profile()
    assert [form.name for form in profile.variants_of("quay")] == ["original", "switched"]
    assert profile.variants_of("pier") == ()


def test_forms_are_for_what_perturbations_are_for() -> None:
    assert [CONSISTENCY_TEST, CONTROL] == [Purpose.CONSISTENCY, Purpose.CONTROL]
    told = [
        (form.is_consistency_test, form.is_control)
        for form in (Variant(dataset="quay", name="a", purpose=one) for one in ("", *Purpose))
    ]
    assert told == [(False, False), (True, False), (False, True)]


def test_the_standard_address_is_that_of_the_method_chosen_beforehand() -> None:
    profile = awkward_profile()
    ant, _ = profile.models
    assert profile.standard(ant, "quay") == ANT == ANT.replace(subset="sea").whole


def test_answer_sets_that_were_read_are_a_mapping_like_any_other() -> None:
    answer_sets = awkward_profile().answer_sets
    read = from_document(to_document(awkward_profile())).answer_sets
    assert len(read) == len(answer_sets) == 3 and list(read) == list(answer_sets)
    assert read == answer_sets and answer_sets == read
    assert read.get(ResultKey("nobody", "quay")) is None
    assert ANT in read and ResultKey("nobody", "quay") not in read
    assert read[ANT] is read[ANT]


def test_a_run_of_what_was_in_memory_cannot_be_repeated() -> None:
    record = awkward_profile().record
    assert record.is_repeatable
    assert not replace(record, in_memory=("model ant",)).is_repeatable


def test_answers_that_are_on_no_answer_set_are_refused() -> None:
    tables = to_tables(awkward_profile())
    lost = {**tables, "answers": tables["answers"][1:]}
    number = len(tables["answers"])
    with pytest.raises(
        ValueError, match=f"are {number - 1} answers, but the sheets count {number}"
    ):
        from_tables(lost)
