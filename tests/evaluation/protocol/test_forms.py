"""From a dataset to its forms."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.evaluation.protocol.plans import check_perturbations
from horsesense.evaluation.protocol.sources import PROPOSAL, DatasetRef, reference
from horsesense.evaluation.protocol.variants import (
    PosedDataset,
    pose_dataset,
)
from horsesense.perturbations import SkippedEntry, Transformation
from horsesense.perturbations.registry import TRANSFORMATIONS
from horsesense.results import Skipped
from horsesense.schema import Entry, Mode, Posed
from tests.evaluation.protocol.pantry import PANTRY, SHELF, plan, source

DYADS = "It is |true, false| that {owls, voles} <do, do not> eat {voles, owls}.\n    id: owls\n"


def posed(text: str, *names: str, **chosen: object) -> PosedDataset:
    return pose_dataset(reference(source(text)), plan(perturbations=names or ("all",), **chosen))


def posed_by_name(ref: DatasetRef, names: tuple[str, ...]) -> dict[str, Posed]:
    dataset = pose_dataset(ref, plan(perturbations=names))
    return {variant.name: posed for variant, posed in dataset.variants.items()}


def names(dataset: PosedDataset) -> list[str]:
    return [variant.name for variant in dataset.variants]


def test_all_that_applies_is_posed_in_the_order_of_the_catalogue_controls_last() -> None:
    dataset = posed(PANTRY)
    assert names(dataset) == [
        "original", "by-key", "tense", "zero-shot", "no-candidate", "part-sent", "local-context",
        "key-masked",
    ]  # fmt: skip
    assert dataset.subject.is_winograd
    assert (dataset.subject.entries, dataset.subject.problems, dataset.subject.schemas) == (4, 8, 4)
    assert {"kitchen", "people", "associative", "substitution-schema"} <= set(dataset.subject.tags)


def test_data_without_candidates_are_put_into_wrappers_as_well() -> None:
    dataset = posed(SHELF)
    assert names(dataset)[:5] == [
        "original", "by-key", "dyadic", "dyadic.by-key", "dyadic.by-boolean",
    ]  # fmt: skip
    assert not dataset.subject.is_winograd


def test_winograd_schemas_are_put_into_wrappers_only_if_that_is_asked_for() -> None:
    dataset = posed(PANTRY, "dyadic")
    assert names(dataset) == ["original", "dyadic", "dyadic.by-key", "dyadic.by-boolean"]


def test_what_is_left_out_of_a_form_is_counted_by_its_reason() -> None:
    [tense] = [variant for variant in posed(PANTRY).variants if variant.name == "tense"]
    assert (tense.entries, tense.problems) == (2, 4)
    assert tense.left_out == (("no version by its author, and no accepted proposal", 2),)
    assert (tense.compared, tense.purpose) == ("original", "consistency test")


def test_what_nobody_vouches_for_is_not_posed_and_said_to_be_missing() -> None:
    unflagged = PANTRY.replace("    switchable: yes\n", "")
    dataset = posed(unflagged)
    assert "switched" not in names(dataset)
    told = f"not evaluated: {PROPOSAL} (3 of 4 entries)"
    assert Skipped("pantry, switched", told) in dataset.skipped


def test_a_form_of_one_entry_among_many_is_posed_only_if_it_was_named() -> None:
    told = "not evaluated: it applies to 1 of 4 entries only"
    assert Skipped("pantry, adjectival", told) in posed(PANTRY).skipped
    named = posed(PANTRY, "adjectival")
    assert names(named) == ["original", "adjectival"] and not named.skipped


def test_a_perturbation_that_was_named_and_does_not_apply_is_a_gap() -> None:
    dataset = posed(SHELF, "switched", "by-boolean")
    assert names(dataset) == ["original"]
    assert [gap.where for gap in dataset.skipped] == ["shelf, switched", "shelf, by-boolean"]
    assert "has no truth pair (1 of 2 entries)" in dataset.skipped[1].reason


def test_nothing_but_the_original_is_posed_if_nothing_else_is_wanted() -> None:
    assert names(posed(PANTRY, "none")) == ["original"]


def test_names_that_no_transformation_has_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean switched"):
        check_perturbations(("all", "swiched"))
    with pytest.raises(HorsesenseError, match="'none' cannot be combined with"):
        check_perturbations(("none", "switched"))


def entries_of(dataset: PosedDataset, name: str) -> list[str]:
    (found,) = (each for variant, each in dataset.variants.items() if variant.name == name)
    return [entry.entry.id for entry in found.entries]


def test_a_plan_uses_the_first_schemas_or_a_sample_of_them() -> None:
    assert entries_of(posed(PANTRY, first=1), "original") == ["jam"]
    drawn = {tuple(entries_of(posed(PANTRY, sample=1, seed=seed), "original")) for seed in range(9)}
    assert {("jam",), ("cook",)} <= drawn


@pytest.mark.parametrize("seed", range(3))
def test_every_variant_has_the_same_sample(seed: int) -> None:
    dataset = posed(PANTRY, sample=1, seed=seed)
    assert entries_of(dataset, "by-key") == entries_of(dataset, "original")


def test_schemas_by_answer_are_regrouped_at_a_fixed_key_beside_those_by_boolean() -> None:
    dataset = posed(SHELF)
    [by_answer] = [each for variant, each in dataset.variants.items() if variant.name == "dyadic"]
    grouped = dataset.regrouped["dyadic.by-boolean"]
    assert [entry for (entry, _), _ in grouped] == ["honey", "honey", "mice", "mice"]
    [honey, _] = by_answer.entries
    for (_, one), (_, other) in grouped[:2]:
        keys = {honey.problems[number - 1].cells[0].key for number in (one, other)}
        assert len(keys) == 1
    assert {number for _, (_, number) in grouped} | {n for (_, n), _ in grouped} == {1, 2, 3, 4}
    # Standing alone they are grouped at a fixed truth value.
    alone = {(a + 1, b + 1) for a, b in honey.pairs}
    assert alone.isdisjoint((one, other) for (_, one), (_, other) in grouped[:2])


def test_dyads_that_their_author_calls_uninvertible_are_left_out_by_key() -> None:
    text = SHELF.replace("    id: mice\n", "    id: mice\n    invertible: no\n")
    forms = {variant.name: variant for variant in posed(text, "dyadic").variants}
    assert [forms[name].entries for name in ("dyadic", "dyadic.by-key")] == [2, 1]
    assert forms["dyadic.by-key"].left_out == (("not invertible", 1),)
    assert forms["dyadic.by-boolean"].compared == "dyadic" and not forms["dyadic"].compared


def test_dyads_of_the_author_are_solved_by_boolean_beside_the_original() -> None:
    dataset = posed(DYADS, "by-boolean")
    assert names(dataset) == ["original", "by-boolean"]
    _, by_boolean = dataset.variants
    assert by_boolean.mode == Mode.BY_BOOLEAN
    assert len(dataset.regrouped["by-boolean"]) == 2


def test_what_is_frozen_is_posed_in_the_place_of_what_a_rule_would_make() -> None:
    own = source()
    frozen: dict[str, Entry | str] = {"tray": own.entries[2], "jam": "not in theirs"}
    held = DatasetRef(
        own.name,
        own.version,
        lambda: own,
        remarks=("mind the gap",),
        read_perturbations=lambda: {"no-candidate": frozen},
    )
    dataset = pose_dataset(held, plan(perturbations=("no-candidate",)))
    _, (variant, made) = dataset.variants.items()
    assert [entry.id for entry in made.entries] == ["tray"]
    assert made.entries[0].problems[0].statement.text.startswith("The tray slid off")
    assert dict(variant.left_out) == {"not in theirs": 1, "not in the perturbation": 2}
    assert dataset.skipped == (Skipped("pantry", "mind the gap"),)


def test_a_tag_of_one_problem_goes_with_the_problems_that_correspond_to_it() -> None:
    own = reference(source(SHELF.replace("id: honey", "id: honey\n    x-tags.2: big")))
    wanted = ("by-key", "dyadic", "key-masked")
    made = posed_by_name(own, wanted)
    assert {
        name: [at for at, tags in enumerate(form.entries[0].tags, 1) if "big" in tags]
        for name, form in made.items()
    } == {
        "original": [2],
        "by-key": [2],
        "dyadic": [3, 4],
        # The same sentences are right as by answer.
        "dyadic.by-key": [2, 3],
        "dyadic.by-boolean": [3, 4],
        # There the two problems are one.
        "key-masked": [],
    }
    frozen = {each.id: each.entry for each in made["dyadic"].entries}
    held = replace(own, read_perturbations=lambda: {"dyadic": frozen})
    again = posed_by_name(held, wanted)
    assert again["dyadic"] == made["dyadic"]


def test_no_form_loses_a_tag_of_its_entry() -> None:
    own = source(PANTRY.replace("id: tray", "id: tray\n    x-kitchen.2: 0"))
    bare = {
        entry.id: replace(entry, tags=("theirs",), flags=(("invertible", False),), extras=())
        for entry in own.entries
    }
    held = replace(reference(own), read_perturbations=lambda: {"no-candidate": bare})
    dataset = pose_dataset(held, plan(perturbations=("no-candidate", "by-key")))
    original, frozen = (
        {entry.id: entry.tags for entry in form.entries}
        for variant, form in dataset.variants.items()
        if variant.name in ("original", "no-candidate")
    )
    for id, tags in original.items():
        assert frozen[id] == tuple(one | {"theirs"} for one in tags)
    assert "kitchen" in frozen["tray"][0] and "kitchen" not in frozen["tray"][1]
    [made] = [form for variant, form in dataset.variants.items() if variant.name == "no-candidate"]
    entry = made.entries[0].entry
    assert entry.flag("switchable") is True and entry.flag("invertible") is False


def test_each_transformation_that_all_does_not_pose_is_told_with_its_reason() -> None:
    dataset = posed(PANTRY)
    told = {gap.where: gap for gap in dataset.skipped}
    missing = {name for name in TRANSFORMATIONS if name not in names(dataset)}
    assert set(told) == {f"pantry, {name}" for name in missing}
    assert all(gap.reason.startswith("not evaluated: ") for gap in told.values())
    assert not any(gap.is_named for gap in told.values())
    assert (
        told["pantry, dyadic"].reason == "not evaluated: for Winograd data, request dyadic by name"
    )
    named = posed(PANTRY, "all", "dyadic")
    assert "dyadic" in names(named) and "pantry, dyadic" not in {gap.where for gap in named.skipped}


def test_no_english_is_parsed_for_what_would_not_be_posed() -> None:
    # In a process of its own, as other tests may have imported the parser.
    lines = [
        "import sys",
        "from tests.evaluation.protocol.test_forms import posed, PANTRY, SHELF",
        "posed(PANTRY); posed(SHELF)",
        "assert not {'spacy', 'torch', 'numpy', 'scipy'} & set(sys.modules)",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_package_that_needs_english_which_is_missing_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from horsesense.perturbations import MissingEnglish

    def rewrite(entry: object, settings: object) -> SkippedEntry:
        raise MissingEnglish("proposals need an English parser")

    brought: Transformation = replace(
        TRANSFORMATIONS["part-sent"], name="brought", rewrite=rewrite,  # type: ignore[arg-type]
    )  # fmt: skip
    monkeypatch.setattr(TRANSFORMATIONS, "_plugins", {"brought": brought})
    [gap] = posed(PANTRY, "brought").skipped
    assert "proposals need an English parser (4 of 4 entries)" in gap.reason
