"""Datasets that declare another mode than by answer, in all their forms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from horsesense.evaluation.protocol import reference, run_protocol
from horsesense.evaluation.protocol.variants import PosedDataset, pose_dataset
from horsesense.results import Results
from horsesense.schema import Dataset, Mode
from tests.evaluation.protocol.pantry import PANTRY, SHELF, plan, source

OWLS = "It is |true, false| that {owls, voles} <do, do not> eat {voles, owls}.\n    id: owls\n"


def declared(text: str, mode: Mode) -> Dataset:
    dataset = source(text)
    return dataset.replace(header=replace(dataset.header, mode=mode), mode=mode)


def posed(text: str, mode: Mode, *names: str) -> PosedDataset:
    return pose_dataset(reference(declared(text, mode)), plan(perturbations=names or ("all",)))


def modes(dataset: PosedDataset) -> dict[str, str]:
    return {variant.name: variant.mode for variant in dataset.variants}


def told(dataset: PosedDataset) -> list[str]:
    return [f"{gap.where}: {gap.reason}" for gap in dataset.skipped]


def test_the_original_and_its_rewritings_are_posed_in_the_declared_mode() -> None:
    dataset = posed(PANTRY, Mode.BY_KEY, "tense", "by-key", "no-candidate")
    assert modes(dataset) == {
        "original": "by key",
        "by-answer": "by answer",
        "tense": "by key",
        "no-candidate": "by key",
    }
    assert "pantry: the original is posed by key, as it declares" in told(dataset)


def test_the_other_mode_is_compared_with_the_original_schema_by_schema() -> None:
    dataset = posed(PANTRY, Mode.BY_KEY, "by-key")
    _, form = dataset.variants
    assert (form.compared, form.level, form.transformation) == ("original", "schema", "by-key")
    assert (form.entries, form.problems) == (4, 8)


def test_what_asks_for_answers_is_not_posed_beside_problems_by_key() -> None:
    dataset = posed(PANTRY, Mode.BY_KEY, "key-masked")
    assert list(modes(dataset)) == ["original"]
    reason = (
        "not evaluated: it needs problems by answer, but the dataset is by key (4 of 4 entries)"
    )
    assert f"pantry, key-masked: {reason}" in told(dataset)


def test_dyads_are_made_in_all_three_modes_whatever_the_dataset_declares() -> None:
    assert modes(posed(SHELF, Mode.BY_KEY, "dyadic")) == {
        "original": "by key",
        "dyadic": "by answer",
        "dyadic.by-key": "by key",
        "dyadic.by-boolean": "by boolean",
    }


@pytest.mark.parametrize(
    ("mode", "names", "beside"),
    [
        (Mode.BY_ANSWER, ["by-key", "by-boolean"], {"by-boolean"}),
        (Mode.BY_KEY, ["by-answer", "by-boolean"], {"by-boolean"}),
        (Mode.BY_BOOLEAN, ["by-key", "by-answer"], {"by-key"}),
    ],
)
def test_schemas_of_dyads_are_the_same_faces_in_both_modes(
    mode: Mode, names: list[str], beside: set[str]
) -> None:
    dataset = posed(OWLS, mode, "by-key", "by-boolean")
    (_, original), *others = dataset.variants.items()
    assert [variant.name for variant, _ in others] == names
    assert set(dataset.regrouped) == beside
    for variant, form in others:
        [before], [after] = original.entries, form.entries
        pairs: list[tuple[int, ...]] = [*before.pairs]
        if regrouped := dataset.regrouped.get(variant.name):
            pairs = [tuple(number - 1 for _, number in pair) for pair in regrouped]
        faces = [
            [{cell for at in pair for cell in entry.problems[at].cells} for pair in made]
            for entry, made in ((before, pairs), (after, after.pairs))
        ]
        assert faces[0] == faces[1]


def test_a_dataset_that_cannot_be_posed_in_its_mode_says_in_which() -> None:
    with pytest.raises(Exception, match="there are no problems by boolean"):
        posed(SHELF, Mode.BY_BOOLEAN, "none")


def evaluated(mode: Mode, *names: str) -> Results:
    given = [declared(SHELF, mode)]
    return run_protocol(plan(models=("first",), perturbations=names), None, data=given)


def test_a_run_measures_a_dataset_in_the_mode_that_it_declares() -> None:
    declared, other = evaluated(Mode.BY_KEY, "by-key"), evaluated(Mode.BY_ANSWER, "by-key")
    originals = [
        [one.statement for one in profile.problems if one.variant == form]
        for profile, form in ((declared, "original"), (other, "by-key"))
    ]
    assert originals[0] == originals[1] != []
    assert [form.name for form in declared.variants] == ["original", "by-answer"]


LOOSE = """
the fog was <thick*, thin>
    id: fog
the mole dug <deep*, high>
& the lark flew <deep, high*>
    id: lark
"""


def test_what_is_loose_is_posed_as_it_stands_and_in_no_other_mode() -> None:
    dataset = posed(SHELF + LOOSE, Mode.BY_KEY, "by-key")
    (variant, original), (other, by_answer) = dataset.variants.items()
    assert original.as_they_stand == ("fog", "lark")
    assert variant.left_out == ()
    assert {"fog", "lark"}.isdisjoint(entry.id for entry in by_answer.entries)
    assert dict(other.left_out) == {
        "it is not a schema, so it is posed only as it is in the file": 2
    }
    count = len(original.entries)
    reason = f"2 of {count} entries are posed as in the file: no schemas by key"
    assert reason in [gap.reason for gap in dataset.skipped]
