"""Loading datasets by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from horsesense import Dataset, load_dataset
from horsesense.errors import FileError, UnknownNameError
from horsesense.perturbations import TRANSFORMATIONS, perturb
from horsesense.schema import Header, Mode, Step
from horsesense.store import (
    Store,
    find_perturbation,
    freeze,
    remove_perturbation,
    save_dataset,
    save_perturbation,
    sources_of,
)
from tests.store.builders import KITE, entry, save

ROW = '{"qID": "1-1", "sentence": "The mug hit the jug as _ fell.", "option1": "the mug",'
ROWS = f'{ROW} "option2": "the jug", "answer": "1"}}\n'


def test_a_dataset_in_the_store_comes_before_a_file_and_one_in_the_box(
    fresh_store: Store, store_path: Path
) -> None:
    saved = save(fresh_store, "hs-winograd", entry("kite"))
    own = load_dataset("hs-winograd", store=fresh_store)
    assert (len(own), own.version) == (1, saved.dataset.id)
    assert [source.file for source in own.sources] == ["field.schemas"]
    assert load_dataset("hs-winograd", store=store_path) == own
    assert len(load_dataset("hs-winograd")) > 100


def test_a_file_is_read_in_the_format_that_it_looks_like_or_in_the_named_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "mugs.jsonl").write_text(ROWS)
    (tmp_path / "kites.txt").write_text(f"{KITE}\n    id: kite\n")
    mugs = load_dataset(tmp_path / "mugs.jsonl")
    assert (mugs.name, len(mugs), mugs.sources[0].importer) == ("mugs", 1, "winogrande")
    assert [issue.name for issue in mugs.issues] and mugs.remarks
    assert load_dataset(str(tmp_path / "mugs.jsonl"), format="winogrande") == mugs
    kites = load_dataset(tmp_path / "kites.txt", format="notation", name="mine")
    assert (kites.name, list(kites)) == ("mine", [entry("kite")])


def test_the_mode_can_be_chosen_and_changes_no_version() -> None:
    by_answer, by_key = load_dataset("hs-winograd"), load_dataset("hs-winograd", mode="by-key")
    assert (by_answer.mode, by_key.mode) == (Mode.BY_ANSWER, Mode.BY_KEY)
    assert by_answer.version == by_key.version
    with pytest.raises(UnknownNameError, match="did you mean by key"):
        load_dataset("hs-winograd", mode="by-kex")


def test_a_name_that_nothing_has_is_refused_with_the_nearest(fresh_store: Store) -> None:
    save(fresh_store, "kitchen", entry("kite"))
    with pytest.raises(UnknownNameError, match="did you mean kitchen"):
        load_dataset("kitchin", store=fresh_store)
    with pytest.raises(UnknownNameError, match="did you mean hs-winograd"):
        load_dataset("hs-winogrd")
    with pytest.raises(FileError, match="there is no file nowhere/kites.schemas"):
        load_dataset("nowhere/kites.schemas")


def test_what_is_saved_is_what_is_loaded(fresh_store: Store) -> None:
    made = Dataset(Header("own", title="My own"), [entry("kite")])
    saved = save_dataset(fresh_store, made).dataset
    assert (saved.id, load_dataset("own", store=fresh_store)) == (made.version, made)
    assert [source.importer for source in sources_of(fresh_store, saved)] == ["python"]


def test_a_perturbation_tells_its_original_and_its_steps_even_if_its_ledger_is_gone(
    fresh_store: Store,
) -> None:
    masked = TRANSFORMATIONS["key-masked"]
    original = save(fresh_store, "kites", entry("kite")).dataset
    results = list(perturb([entry("kite")], masked, masked.settings()))
    save_perturbation(fresh_store, "kites.masked", original, masked, masked.settings(), results)
    freeze(fresh_store, find_perturbation(fresh_store, "kites.masked"))
    loaded = load_dataset("kites.masked", store=fresh_store)
    assert (loaded.original, [step.transformation for step in loaded.steps]) == (
        Header("kites"),
        ["key-masked"],
    )
    remove_perturbation(fresh_store, find_perturbation(fresh_store, "kites.masked"))
    again = load_dataset("kites.masked", store=fresh_store)
    assert (again.original, again.steps) == (Header("kites"), (Step("key-masked", {}),))
