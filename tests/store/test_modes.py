"""The mode that a dataset in the store declares."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from horsesense.schema import Header, Mode
from horsesense.store import Source, Store, find_dataset, own_mode, save_entries
from horsesense.store.migrations import STEPS, migrate
from tests.store.builders import entry

SOURCE = Source("field.txt", "5e" * 32, 123, "notation", "1")
BEFORE_MODES = STEPS[:5]


def test_a_mode_comes_back_and_makes_another_dataset(fresh_store: Store) -> None:
    saved = [
        save_entries(fresh_store, Header("field", mode=mode), [entry("kite")], lambda: SOURCE)
        for mode in (Mode.BY_ANSWER, Mode.BY_KEY)
    ]
    assert [one.dataset.version for one in saved] == [1, 2]
    assert find_dataset(fresh_store, "field").header.mode is Mode.BY_KEY
    assert own_mode(fresh_store, find_dataset(fresh_store, "field@1")) is Mode.BY_ANSWER


def test_what_was_stored_before_there_were_modes_is_by_answer(store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as connection:
        migrate(connection, BEFORE_MODES)
        connection.execute(
            "INSERT INTO dataset (id, version, entries, stored_at, name, title, author, licence,"
            " note) VALUES ('5e', 1, 0, '', 'field', '', '', '', '')"
        )
    with Store.open(store_path) as store:
        assert find_dataset(store, "field").header == Header("field")
