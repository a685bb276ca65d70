import pytest

from horsesense.errors import StoreError
from horsesense.store import Store, list_datasets, load_entries, remove_datasets
from tests.store.builders import (
    FERRY,
    LADDER,
    content_counts,
    entry,
    findings,
    full_entry,
    query,
    row_counts,
    save,
)


def test_removing_all_leaves_no_orphans(fresh_store: Store) -> None:
    before = row_counts(fresh_store.path)
    save(fresh_store, "field", full_entry(), entry("ladder", LADDER))
    save(fresh_store, "field", full_entry())
    remove_datasets(fresh_store, list_datasets(fresh_store, all_versions=True))
    assert content_counts(row_counts(fresh_store.path)) == content_counts(before)
    assert findings(fresh_store) == []


def test_removing_keeps_what_others_use(fresh_store: Store) -> None:
    removed = save(fresh_store, "one", entry("kite"), entry("ladder", LADDER)).dataset
    kept = save(fresh_store, "two", entry("kite"), full_entry()).dataset
    remove_datasets(fresh_store, [removed])
    assert list(load_entries(fresh_store, kept)) == [entry("kite"), full_entry()]
    assert query(fresh_store.path, "SELECT name FROM entry ORDER BY name") == [("full",), ("kite",)]
    assert findings(fresh_store) == []


def test_removing_a_version_keeps_the_others(fresh_store: Store) -> None:
    first = save(fresh_store, "field", entry("kite")).dataset
    second = save(fresh_store, "field", entry("kite", LADDER)).dataset
    remove_datasets(fresh_store, [first])
    assert list_datasets(fresh_store, all_versions=True) == [second]


def test_what_was_removed_can_be_saved_anew(fresh_store: Store) -> None:
    dataset = save(fresh_store, "field", full_entry()).dataset
    remove_datasets(fresh_store, [dataset])
    saved = save(fresh_store, "field", full_entry())
    assert (saved.is_new, saved.dataset.id) == (True, dataset.id)
    assert findings(fresh_store) == []


def test_removing_what_is_gone_spares_its_successor(fresh_store: Store) -> None:
    gone = save(fresh_store, "gone", entry("kite")).dataset
    remove_datasets(fresh_store, [gone])
    save(fresh_store, "successor", entry("ladder", LADDER))
    remove_datasets(fresh_store, [gone])
    assert [one.name for one in list_datasets(fresh_store)] == ["successor"]


def test_a_removed_dataset_has_no_entries_of_its_successor(fresh_store: Store) -> None:
    gone = save(fresh_store, "gone", entry("kite")).dataset
    remove_datasets(fresh_store, [gone])
    save(fresh_store, "successor", entry("ladder", LADDER))
    with pytest.raises(StoreError, match="gone@1 is no longer in"):
        list(load_entries(fresh_store, gone))


def test_the_number_of_a_removed_version_is_not_given_again(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("kite"))
    second = save(fresh_store, "field", entry("ladder", LADDER)).dataset
    remove_datasets(fresh_store, [second])
    assert save(fresh_store, "field", entry("ferry", FERRY)).dataset.version == 3
    remove_datasets(fresh_store, list_datasets(fresh_store, all_versions=True))
    assert save(fresh_store, "field", entry("kite")).dataset.version == 4
