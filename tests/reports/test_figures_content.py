from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from horsesense.reports import DrawnFigure
from horsesense.reports.conclusion import expected_if_independent
from horsesense.reports.figures import plane as plane_module
from horsesense.reports.figures.plane import cloud
from horsesense.reports.figures.specification import excludes, sorted_estimates
from horsesense.reports.wording import share, standard
from horsesense.results import Estimate, EstimateKind, ResultKey, Results
from tests.reports.built import figures
from tests.reports.small_profile import ANT, BEE, small_profile


def figure(name: str, profile: Results | None = None) -> DrawnFigure:
    return {one.name: one for one in figures(profile or small_profile())}[name]


def changed(profile: Results, change: Callable[[Estimate], Estimate | None]) -> Results:
    rows = [change(one) for one in profile.estimates]
    return replace(profile, estimates=tuple(one for one in rows if one is not None))


def test_bars_show_what_was_measured() -> None:
    profile = small_profile()
    of = ResultKey(BEE, "kitchen", method="mean-statement")
    for metric in ("problem-accuracy", "schema-accuracy"):
        measured = profile.value(of, metric)
        assert measured is not None and measured.value is not None
        assert f">{share(measured.value)}</text>" in figure("methods-kitchen").svg()
        assert share(measured.value) in figure("methods-kitchen").alt


def test_without_answers_of_equal_length_there_is_one_series() -> None:
    profile = changed(small_profile(), lambda one: None if "equal" in one.key.subset else one)
    assert "answers of equal length" in figure("datasets").svg()
    assert "answers of equal length" not in figure("datasets", profile).svg()


def test_baselines_alone_are_shown_as_such() -> None:
    profile = small_profile()
    alone = replace(profile, models=tuple(one for one in profile.models if one.is_baseline))
    assert "first (baseline)" in figure("methods-kitchen", alone).svg()
    assert "baseline" not in figure("methods-kitchen").svg()


def test_an_undefined_number_is_told_as_such() -> None:
    def undefined(one: Estimate) -> Estimate:
        if (
            one.kind is EstimateKind.VALUE
            and one.key.variant == "switched"
            and one.key.model == ANT
        ):
            return replace(one, value=None, low=None, high=None)
        return one

    broken = figure("perturbations-kitchen", changed(small_profile(), undefined))
    assert "switched: a undefined, A undefined" in broken.alt
    assert ">–</text>" in broken.svg()


def test_a_number_without_an_interval_is_told_without() -> None:
    profile = changed(small_profile(), lambda one: replace(one, low=None))
    assert " to " not in figure("datasets", profile).alt
    assert " to " in figure("datasets").alt


def test_consistency_of_schemas_only_has_no_c() -> None:
    assert figure("consistency-yard").svg().count(">–</text>") == 2
    assert "C_a" in figure("consistency-yard").alt


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("consistent-schema-accuracy", 0.5 * 0.2),
        ("schema-consistency", 0.5 * 0.2 + 0.3 * 0.6 + 0.2 * 0.2),
        ("consistency", 0.65 * 0.5 + 0.35 * 0.5),
    ],
)
def test_chance_is_what_independent_answers_would_give(metric: str, expected: float) -> None:
    shares = (0.5, 0.3, 0.2), (0.2, 0.6, 0.2)
    assert expected_if_independent(metric, *shares) == pytest.approx(expected)


@pytest.mark.parametrize(
    "change",
    [
        {"before": None},
        {"before": 1.5},  # as where problems are in two schemas
    ],
)
def test_chance_is_not_drawn_where_it_is_not_known(change: dict[str, float | None]) -> None:
    def broken(one: Estimate) -> Estimate:
        is_a = one.kind is EstimateKind.DIFFERENCE and one.metric == "problem-accuracy"
        return replace(one, **change) if is_a else one  # type: ignore[arg-type]

    def gone(one: Estimate) -> Estimate | None:
        return None if one.kind is EstimateKind.DIFFERENCE else one

    unknown = figure("consistency-kitchen", changed(small_profile(), broken)).svg()
    missing = figure("consistency-kitchen", changed(small_profile(), gone)).svg()
    assert unknown == missing != figure("consistency-kitchen").svg()


def test_controls_are_shown_by_subset_where_problems_are_associative() -> None:
    code = figure("controls-kitchen").svg()
    assert ">associative</text>" in code and ">not associative</text>" in code
    plain = changed(small_profile(), lambda one: None if "assoc" in one.key.subset else one)
    assert ">associative</text>" not in figure("controls-kitchen", plain).svg()
    assert figure("controls-kitchen", plain).alt.startswith("Dots: no-candidate: a")


def test_a_control_without_right_answers_is_named() -> None:
    profile = small_profile()
    control = next(form for form in profile.variants if form.purpose == "control")
    more = replace(profile, variants=(*profile.variants, replace(control, name="key-masked")))
    assert "accuracy is undefined: key-masked." in figure("controls-kitchen", more).caption
    assert "Not shown" not in figure("controls-kitchen").caption


def test_a_difference_has_its_sign_and_a_scale_that_holds_it() -> None:
    profile = changed(
        small_profile(),
        lambda one: (
            replace(one, value=0.0, low=0.0, high=0.0)
            if one.kind is EstimateKind.DIFFERENCE
            else one
        ),
    )
    assert ">.1</text>" in figure("control-loss-kitchen", profile).svg()
    assert "−." in figure("control-loss-kitchen").alt


def test_a_specification_curve_has_every_way_sorted_but_not_the_one_picked_afterwards() -> None:
    profile = small_profile()
    model, dataset = profile.models[0], profile.datasets[0]
    assert profile.value(ResultKey(ANT, "kitchen", method="best"), "schema-accuracy") is not None
    curve = sorted_estimates(profile, model, dataset, "schema-accuracy")
    values = [one.value or 0.0 for one in curve]
    assert values == sorted(values)
    assert {one.key.method for one in curve} == set(model.methods)
    assert len({one.key.subset for one in curve}) == 5
    assert [one.key for one in curve].count(standard(model, dataset.name)) == 1


def test_an_interval_leaves_out_chance_or_holds_it() -> None:
    estimate = Estimate(
        kind=EstimateKind.VALUE,
        key=ResultKey(ANT, "kitchen"),
        metric="a",
        value=0.6,
        low=0.55,
        high=0.7,
    )
    assert excludes(estimate, 0.5) and not excludes(estimate, 0.6)
    assert not excludes(replace(estimate, low=None, high=None), 0.5)


def test_a_specification_curve_says_what_is_undefined() -> None:
    def undefined(one: Estimate) -> Estimate:
        return replace(one, value=None) if one.key.subset == "associative" else one

    profile = changed(small_profile(), undefined)
    assert (
        "Not shown: 8 undefined values." in figure("specification-ant-1-kitchen", profile).caption
    )
    assert "Not shown" not in figure("specification-ant-1-kitchen").caption


def test_a_specification_curve_above_chance_says_chance_below_the_line() -> None:
    raised = changed(small_profile(), lambda one: replace(one, value=0.9))
    assert figure("specification-ant-1-yard", raised).svg().count(">chance</text>") == 2


def test_points_lie_where_problem_and_schema_accuracy_can() -> None:
    profile = small_profile()
    for model in profile.models:
        points = cloud(profile, model, "kitchen").points
        assert len(points) == 4 * len(model.methods)
        assert all(2 * a - 1 - 1e-9 <= schemas <= a + 1e-9 for a, schemas in points)


def test_undefined_points_are_no_points() -> None:
    profile = changed(
        small_profile(),
        lambda one: replace(one, value=None) if one.key.variant == "original" else one,
    )
    shown = cloud(profile, profile.models[0], "kitchen")
    assert len(shown.points) == 3 * 4 and shown.standard is None
    assert "a ." not in figure("plane-kitchen", profile).alt
    assert "plane-kitchen" in figure("plane-kitchen", profile).svg()


def test_a_single_model_needs_no_legend() -> None:
    profile = replace(small_profile(), models=small_profile().models[:1])
    assert ANT not in figure("plane-kitchen", profile).svg().split("</desc>")[1]


def test_too_many_points_are_those_of_the_standard_method(monkeypatch: pytest.MonkeyPatch) -> None:
    profile = small_profile()
    assert "with every scoring method" in figure("plane-kitchen").caption
    monkeypatch.setattr(plane_module, "_MOST", 20)
    assert "dataset with the standard method" in figure("plane-kitchen").caption
    few = cloud(profile, profile.models[0], "kitchen", is_standard=True)
    assert len(few.points) == 4


def test_a_model_without_a_standard_method_on_a_dataset_is_no_obstacle() -> None:
    profile = small_profile()
    ant = replace(profile.models[0], standard=(("kitchen", "smart@1"),))
    bare = replace(profile, models=(ant, *profile.models[1:]))
    assert f"{ANT}: a undefined" in figure("datasets", bare).alt
    assert {one.name for one in figures(bare)} == {one.name for one in figures(profile)}


def test_forms_with_few_schemas_are_not_to_be_trusted_and_said_so() -> None:
    profile = small_profile()
    told = "Unreliable, with fewer than 30 schemas: "
    assert f"{told}switched (5) and by-key (8). " in figure("perturbations-kitchen").caption
    for name in ("controls-kitchen", "control-loss-kitchen"):
        assert f"{told}no-candidate (" in figure(name).caption
    many = tuple(replace(one, n_schemas=30, n_clusters=30) for one in profile.estimates)
    enough = replace(profile, estimates=many)
    assert told not in figure("perturbations-kitchen", enough).caption


def test_what_a_perturbation_is_compared_with_are_schemas() -> None:
    assert "the same schemas in the original" in figure("perturbations-kitchen").svg()


def test_a_change_on_controls_is_not_called_a_loss() -> None:
    assert figure("control-loss-kitchen").title == "Change in accuracy on controls of kitchen"
