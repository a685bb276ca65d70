"""Everything at a glance."""

from __future__ import annotations

from horsesense.reports.summary import overview
from horsesense.results import Estimate, EstimateKind, ResultKey, Results
from tests.reports import hand_made
from tests.reports.hand_made import accuracy, measurement
from tests.reports.judging import (
    AT,
    BEYOND,
    BY_KEY,
    CONTROL,
    PART,
    SWITCHED,
    TENSE,
    compared,
    profile_of,
)
from tests.reports.small_profile import BEE, small_profile

NO_CELLS = ("–",) * 5
TOLD = ("Worst Perturbation", "ΔA", "C", "C, Expected", "A, Control")


def rows(profile: Results) -> list[tuple[str, ...]]:
    table = overview(profile)
    assert table is not None
    return [row for group in table.groups for row in group.rows]


def first_row(*found: Estimate) -> tuple[str, ...]:
    """What is told of the perturbation and the control."""
    table = overview(profile_of(BEYOND, *found))
    assert table is not None
    shown = dict(zip([one.heading for one in table.columns], table.groups[0].rows[0], strict=True))
    return tuple(shown.get(heading, "–") for heading in TOLD)


def notes(*found: Estimate) -> str:
    table = overview(profile_of(BEYOND, *found))
    assert table is not None
    return " / ".join(table.notes)


def test_each_model_and_dataset_has_its_worst_perturbation_and_its_control() -> None:
    found = rows(small_profile())
    assert found[2][:6] == (BEE, "kitchen", ".625", ".375", ".125 to .750", "switched")
    assert found[2][-1] == ".500 (n = 8)"
    assert found[1][5:7] == ("by-key", "−.250") and found[1][-1] == "–"
    assert found[-1][:4] == ("chance", "–", ".500", ".250")


def test_columns_in_which_nothing_stands_are_left_out_with_their_notes() -> None:
    models = tuple(hand_made.model(one, "causal", "kitchen") for one in ("ant", "mute"))
    data, forms = (hand_made.dataset("kitchen"),), (hand_made.form("kitchen"),)
    profile = hand_made.profile(models, data, forms, (BEYOND,))
    assert rows(profile)[0] == ("ant", "kitchen", ".600", ".500 to .700")
    assert rows(profile)[-1] == ("chance", "–", ".250", "–")
    assert "worst" not in notes()
    assert [row[0] for row in rows(profile)] == ["ant", "chance"]
    assert "control" not in notes()


def test_a_profile_of_nothing_has_no_table() -> None:
    assert overview(hand_made.profile((), (), (), ())) is None


def test_a_worst_perturbation_that_is_undefined_is_none() -> None:
    undefined = measurement(EstimateKind.DIFFERENCE, SWITCHED, "schema-accuracy", None, against=AT)
    assert first_row(undefined) == NO_CELLS


def perturbed(of: ResultKey, low: float, high: float, **more: object) -> tuple[Estimate, ...]:
    return compared(of, accuracy(of, 0.5, 0.4, 0.6, **more), low, high, **more)


def test_the_worst_perturbation_is_one_of_enough_clusters_if_there_is_any() -> None:
    few = perturbed(SWITCHED, -0.5, -0.3, n_clusters=29)
    assert first_row(*few)[:2] == ("switched", "−.400")
    assert first_row(*few, *perturbed(TENSE, 0.02, 0.06))[:2] == ("tense", "+.040")
    assert "largest drop, or smallest rise" in notes(*few)


def test_what_asks_the_other_way_round_is_shown_only_where_there_is_nothing_else() -> None:
    by_key = perturbed(BY_KEY, -0.5, -0.3)
    assert first_row(*by_key)[0] == "by-key"
    assert first_row(*by_key, *perturbed(TENSE, -0.1, 0.0))[0] == "tense"


def test_consistency_stands_beside_what_the_accuracies_alone_give() -> None:
    told = {"against": AT, "low": 0.0, "high": 0.08}
    found = (
        measurement(EstimateKind.CHANGE, BY_KEY, "schema-consistency", 0.76, against=AT),
        measurement(
            EstimateKind.DIFFERENCE,
            BY_KEY,
            "schema-accuracy",
            0.04,
            before=0.08,
            after=0.12,
            **told,
        ),
        measurement(
            EstimateKind.DIFFERENCE,
            BY_KEY,
            "problem-accuracy",
            0.028,
            before=0.512,
            after=0.54,
            **told,
        ),
    )
    assert first_row(*found)[1:4] == ("+.040", ".760", ".738")


def test_a_control_of_few_schemas_is_shown_with_their_number_where_there_is_no_other() -> None:
    few = accuracy(CONTROL, 0.0, 0.0, 0.6, n_clusters=4, n_schemas=4)
    assert first_row(few)[-1] == ".000 (n = 4)"
    assert "(no-candidate of kitchen); n: number of schemas, shown where it is too small" in notes(
        few
    )
    enough = accuracy(PART, 0.2, 0.1, 0.3)
    assert first_row(few, enough)[-1] == ".200"
    assert "part-sent of kitchen" in notes(few, enough) and "too small" not in notes(few, enough)
