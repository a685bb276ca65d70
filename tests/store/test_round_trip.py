from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horsesense.schema import Entry, Header
from horsesense.store import (
    Store,
    load_entries,
    remove_datasets,
    save_entries,
    search,
    verify_dataset,
    verify_file,
)
from tests.store.builders import content_counts, entry, row_counts, save, source
from tests.strategies import entries, headers

datasets = st.lists(entries(), max_size=3, unique_by=lambda entry: entry.id)


@pytest.fixture(scope="module")
def growing_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store that keeps whatever the tests of this file save, so that much is shared."""
    with Store.create_or_open(tmp_path_factory.mktemp("growing") / "store.db") as store:
        save(store, "kites", entry("kite"))
        yield store


@given(header=headers(), given_entries=datasets)
@settings(deadline=None, max_examples=60)
def test_whatever_goes_in_comes_out(
    growing_store: Store, header: Header, given_entries: list[Entry]
) -> None:
    dataset = save_entries(growing_store, header, given_entries, source).dataset
    assert dataset.header == header
    assert list(load_entries(growing_store, dataset)) == given_entries
    assert list(verify_dataset(growing_store, dataset)) == []


@given(header=headers(), given_entries=datasets)
@settings(deadline=None, max_examples=20)
def test_removing_undoes_saving(
    growing_store: Store, header: Header, given_entries: list[Entry]
) -> None:
    before = row_counts(growing_store.path)
    saved = save_entries(growing_store, header, given_entries, source)
    if saved.is_new:
        remove_datasets(growing_store, [saved.dataset])
    assert content_counts(row_counts(growing_store.path)) == content_counts(before)
    assert list(verify_file(growing_store)) == []


@given(text=st.text() | st.text(st.sampled_from('kite "*^(){}:+-\\0\\udcff')))
@settings(deadline=None)
def test_any_text_can_be_searched_for(growing_store: Store, text: str) -> None:
    search(growing_store, text)
