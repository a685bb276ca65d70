"""From a name in a plan to a dataset."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from horsesense.errors import FileError, NotationErrors, UnknownNameError
from horsesense.evaluation.protocol.sources import (
    PROPOSAL,
    REJECTED,
    UNSTORED,
    DatasetRef,
    PerturbedEntries,
    find_source,
)
from horsesense.evaluation.protocol.variants import pose_dataset
from horsesense.perturbations import TRANSFORMATIONS, Perturbed, Validity, Voucher, perturb
from horsesense.results import Variant
from horsesense.schema import Entry, Header, Mode
from horsesense.schema.notation import parse_grid
from horsesense.store import Source as Imported
from horsesense.store import (
    Store,
    StoredDataset,
    adopt,
    find_perturbation,
    freeze,
    judge,
    load_entries,
    save_entries,
    save_perturbation,
)
from tests.datasets.importers.samples import thesis, thesis_row
from tests.evaluation.protocol.pantry import PANTRY, SHELF, plan, source, stored, write
from tests.store.perturbing import LENGTHENED

SWITCHED = TRANSFORMATIONS["switched"]
PART_SENT = TRANSFORMATIONS["part-sent"]


def keep(store: Store, name: str, *entries: Entry) -> StoredDataset:
    made = Imported("made.schemas", "5e" * 32, 123, "notation", "0.1.0")
    return save_entries(store, Header(name), entries, lambda: made).dataset


def test_a_dataset_in_the_store_comes_before_one_in_the_box(fresh_store: Store) -> None:
    stored(fresh_store, PANTRY.replace("name: pantry", "name: hs-winograd"))
    assert len(find_source("hs-winograd", fresh_store, "true").read().entries) == 4
    assert len(find_source("hs-winograd", None, "true").read().entries) > 100


def test_a_version_of_a_dataset_keeps_its_number_in_its_name(fresh_store: Store) -> None:
    stored(fresh_store)
    stored(fresh_store, PANTRY.replace("cross", "angry"))
    latest, first = (find_source(name, fresh_store, "true") for name in ("pantry", "pantry@1"))
    assert (latest.name, latest.number) == ("pantry", 2)
    assert (first.name, first.number) == ("pantry@1", 1)
    assert first.id != latest.id


def test_a_file_has_the_id_that_the_store_would_give_it(fresh_store: Store, tmp_path: Path) -> None:
    found = find_source(write(tmp_path), fresh_store, "true")
    assert found.dataset.version == stored(fresh_store).id
    assert (found.name, found.dataset.header.licence) == ("pantry", "CC0")
    assert found.number == UNSTORED and not found.perturbations


def test_a_published_file_is_read_with_what_cannot_be_used_left_out(tmp_path: Path) -> None:
    path = tmp_path / "mini.jsonl"
    lines = [
        '{"qID": "1-1", "sentence": "The mug broke the plate since _ was heavy.",'
        ' "option1": "the mug", "option2": "the plate", "answer": "1"}',
        '{"qID": "1-2", "sentence": "The mug broke the plate since _ was brittle.",'
        ' "option1": "the mug", "option2": "the plate", "answer": "2"}',
        '{"qID": "2-1", "sentence": "No gap here.", "option1": "a", "option2": "b", "answer": "1"}',
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = find_source(str(path), None, "true").read()
    assert (found.name, len(found.entries)) == ("mini", 1)
    assert found.remarks == (
        "mini.jsonl: twins by the stem of their qID: 1 pair",
        "mini.jsonl: 1 problem left out; run 'horsesense dataset import' for details",
    )


def test_a_name_that_nothing_has_is_refused_with_what_comes_near(fresh_store: Store) -> None:
    stored(fresh_store)
    with pytest.raises(UnknownNameError, match="did you mean pantry"):
        find_source("pantri", fresh_store, "true")
    with pytest.raises(UnknownNameError, match="did you mean hs-winograd"):
        find_source("hs-winogrd", None, "true")
    with pytest.raises(FileError, match="there is no file nowhere/pantry.schemas"):
        find_source("nowhere/pantry.schemas", fresh_store, "true")


def test_a_file_with_mistakes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotationErrors):
        find_source(write(tmp_path, PANTRY + "\na jar <is open\n"), None, "true").read()


def test_a_published_perturbation_is_posed_as_it_was_published(fresh_store: Store) -> None:
    original = stored(fresh_store)
    grid = parse_grid(
        "[The jar] would not go into [the jam] because <it = the jar, the jam> was too"
        " {small, thick}."
    )
    theirs = keep(fresh_store, "theirs", Entry("jam", grid))
    adopt(fresh_store, "pantry.theirs", original, SWITCHED, SWITCHED.settings(), theirs)
    switched = find_source("pantry", fresh_store, "true").perturbations["switched"]
    assert accepted(switched) == [Entry("jam", grid)]
    assert switched["cook"] == "not in theirs"


def proposed(store: Store) -> StoredDataset:
    """The pantry, switched as the program proposes it."""
    original = stored(store)
    results = perturb(load_entries(store, original), SWITCHED, SWITCHED.settings())
    save_perturbation(
        store, "pantry.switched", original, SWITCHED, SWITCHED.settings(), list(results)
    )
    return original


def say(store: Store, entry: str, validity: Validity) -> None:
    perturbation = find_perturbation(store, "pantry.switched")
    judge(store, perturbation, entry, validity, "Ann")


def test_of_what_is_frozen_only_what_somebody_vouches_for_is_posed(fresh_store: Store) -> None:
    proposed(fresh_store)
    freeze(fresh_store, find_perturbation(fresh_store, "pantry.switched"), unreviewed=True)
    before = find_source("pantry", fresh_store, "true")
    say(fresh_store, "tray", Validity.ACCEPTED)
    say(fresh_store, "pan", Validity.REJECTED)
    after = find_source("pantry", fresh_store, "true")
    forms = [one.perturbations["switched"] for one in (before, after)]
    assert [[entry.id for entry in accepted(form)] for form in forms] == [["jam"], ["jam", "tray"]]
    assert forms[0]["tray"] == PROPOSAL
    assert forms[1]["pan"] == REJECTED
    # What is posed has changed, though what is frozen has not.
    assert before.ids != after.ids and before.id == after.id


def test_what_is_not_frozen_is_not_posed(fresh_store: Store) -> None:
    proposed(fresh_store)
    assert find_source("pantry", fresh_store, "true").ids == ()


@pytest.mark.parametrize("wrapper", ["true", "It is |true, false| that …"])
def test_dyads_in_the_store_are_those_of_the_wrapper(fresh_store: Store, wrapper: str) -> None:
    dyadic = TRANSFORMATIONS["dyadic"]
    original = stored(fresh_store, SHELF)
    settings = dyadic.settings({"wrapper": "It is |right, wrong| that …"})
    results = list(perturb(load_entries(fresh_store, original), dyadic, settings))
    save_perturbation(fresh_store, "shelf.right", original, dyadic, settings, results)
    freeze(fresh_store, find_perturbation(fresh_store, "shelf.right"))
    other = find_source("shelf", fresh_store, wrapper)
    assert not other.perturbations
    [remark] = other.remarks
    assert "shelf.right is not used as dyadic: it was made with other settings" in remark
    own = find_source("shelf", fresh_store, "It is |right, wrong| that …")
    assert own.perturbations.keys() == {"dyadic"} and not own.remarks


def test_a_form_means_what_the_transformation_does_by_itself(fresh_store: Store) -> None:
    original = stored(fresh_store)
    for name, settings in (
        ("pantry.dropped", PART_SENT.settings({"marker": "dropped"})),
        ("pantry.kept", PART_SENT.settings()),
        ("pantry.again", PART_SENT.settings(seed=7)),
    ):
        results = list(perturb(load_entries(fresh_store, original), PART_SENT, settings))
        save_perturbation(fresh_store, name, original, PART_SENT, settings, results)
        freeze(fresh_store, find_perturbation(fresh_store, name))
    found = find_source("pantry", fresh_store, "true")
    assert len(accepted(found.perturbations["part-sent"])) == 4
    assert found.remarks[0].startswith("pantry.dropped is not used as part-sent")
    assert found.remarks[1] == "pantry.kept is not used: pantry.again is newer"


def test_a_dataset_that_was_made_for_another_mode_is_posed_in_it(fresh_store: Store) -> None:
    by_key = TRANSFORMATIONS["by-key"]
    original = stored(fresh_store, SHELF)
    results = list(perturb(load_entries(fresh_store, original), by_key, by_key.settings()))
    save_perturbation(fresh_store, "shelf.by-key", original, by_key, by_key.settings(), results)
    freeze(fresh_store, find_perturbation(fresh_store, "shelf.by-key"))
    found = find_source("shelf.by-key", fresh_store, "true")
    assert (found.dataset.mode, found.remarks) == (Mode.BY_KEY, ())
    variant = posed_original(found)
    assert (variant.mode, variant.problems) == ("by key", 4)


def test_a_file_is_posed_in_the_mode_that_it_declares(tmp_path: Path) -> None:
    declared = SHELF.replace("---\na jar", "mode: by key\n---\na jar")
    schemas = find_source(write(tmp_path, declared, "shelf.schemas"), None, "true").read()
    lines = thesis(
        thesis_row(1, "A lorry can pass under a *target* bridge.", "high&low", 0),
        thesis_row(2, "A lorry cannot pass under a *target* bridge.", "high&low", 1),
        mode="by key",
    )
    published = find_source(write(tmp_path, lines, "lorry.txt"), None, "true").read()
    assert [schemas.mode, published.mode] == [Mode.BY_KEY] * 2
    by_answer = find_source(write(tmp_path, SHELF, "shelf.schemas"), None, "true").read()
    assert by_answer.mode is Mode.BY_ANSWER and by_answer.version != schemas.version


def accepted(perturbed: PerturbedEntries) -> list[Entry]:
    return [entry for entry in perturbed.values() if isinstance(entry, Entry)]


def posed_original(found: DatasetRef) -> Variant:
    [original] = pose_dataset(found, plan(perturbations=("none",))).variants
    return original


def test_what_a_package_has_made_that_is_gone_is_not_posed(fresh_store: Store) -> None:
    original = stored(fresh_store, SHELF)
    results = list(perturb(load_entries(fresh_store, original), LENGTHENED, LENGTHENED.settings()))
    vouched = [
        replace(one, voucher=Voucher.AUTHOR) for one in results if isinstance(one, Perturbed)
    ]
    save_perturbation(
        fresh_store, "shelf.long", original, LENGTHENED, LENGTHENED.settings(), vouched
    )
    freeze(fresh_store, find_perturbation(fresh_store, "shelf.long"))
    found = find_source("shelf", fresh_store, "true")
    assert not found.perturbations
    assert found.remarks == ("shelf.long is not used: there is no transformation lengthened here",)


def test_entries_of_ones_own_make_a_dataset() -> None:
    assert source().version == source().version != source(SHELF).version


def test_a_form_is_another_where_an_entry_is_left_out_for_another_reason(
    fresh_store: Store,
) -> None:
    proposed(fresh_store)
    freeze(fresh_store, find_perturbation(fresh_store, "pantry.switched"), unreviewed=True)
    ids = [dict(find_source("pantry", fresh_store, "true").ids)]
    say(fresh_store, "pan", Validity.REJECTED)
    ids.append(dict(find_source("pantry", fresh_store, "true").ids))
    assert ids[0].keys() == ids[1].keys() and ids[0] != ids[1]
