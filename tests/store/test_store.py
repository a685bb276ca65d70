import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from horsesense.errors import StoreError
from horsesense.store import Store, find_dataset, list_datasets
from horsesense.store.connection import check_identity, connect
from horsesense.store.migrations import APPLICATION_ID, STEPS, migrate, version_of
from tests.store.builders import change, entry, make, query, save, tables

Opening = Callable[[Path], Store]

STEP_1 = """
CREATE TABLE pond (name TEXT);         -- a comment; with a semicolon
CREATE TRIGGER pond_is_noted AFTER INSERT ON pond BEGIN
    UPDATE pond SET name = name || ';';
END;
"""
STEP_2 = (
    "ALTER TABLE pond ADD COLUMN depth INTEGER DEFAULT 3;\nINSERT INTO pond (name) VALUES ('mill');"
)


@pytest.fixture
def connection(store_path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file without tables."""
    connection = sqlite3.connect(store_path, isolation_level=None)
    yield connection
    connection.close()


def test_a_new_store_is_marked_and_empty(fresh_store: Store) -> None:
    assert query(fresh_store.path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert query(fresh_store.path, "PRAGMA user_version") == [(len(STEPS),)]
    assert list_datasets(fresh_store) == []


def test_a_store_keeps_foreign_keys_and_a_write_ahead_log(fresh_store: Store) -> None:
    with fresh_store.reading() as connection:
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_what_was_stored_is_there_when_opened_again(store_path: Path) -> None:
    make(store_path, "field")
    for again in (Store.open, Store.create_or_open):
        with again(store_path) as store:
            assert not store.is_read_only
            assert find_dataset(store, "field").entries == 2


def test_a_closed_store_is_one_file(store_path: Path) -> None:
    make(store_path)
    assert list(store_path.parent.iterdir()) == [store_path]


def test_opening_changes_nothing(store_path: Path) -> None:
    make(store_path)
    before = store_path.read_bytes()
    for again in (Store.open, Store.create_or_open):
        with again(store_path):
            pass
    assert store_path.read_bytes() == before


def test_a_store_that_is_not_there_is_not_made_by_opening(store_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no store at .*store\.db.*import"):
        Store.open(store_path)
    assert not store_path.exists()


@pytest.mark.parametrize("opened", [Store.open, Store.create_or_open])
def test_an_empty_file_becomes_a_store(store_path: Path, opened: Opening) -> None:
    store_path.touch()
    with opened(store_path) as store:
        assert save(store, "field", entry("kite")).is_new
    assert query(store_path, "PRAGMA journal_mode") == [("wal",)]


@pytest.mark.parametrize("opened", [Store.open, Store.create_or_open])
@pytest.mark.parametrize("size", [3, 100, 5000])
def test_a_file_of_another_kind_is_refused_and_untouched(
    store_path: Path, opened: Opening, size: int
) -> None:
    store_path.write_bytes(b"x" * size)
    with pytest.raises(StoreError, match="not an SQLite file"):
        opened(store_path)
    assert store_path.read_bytes() == b"x" * size


@pytest.mark.parametrize("opened", [Store.open, Store.create_or_open])
def test_a_database_of_another_program_is_refused_and_untouched(
    store_path: Path, opened: Opening
) -> None:
    change(store_path, "CREATE TABLE dataset (name TEXT)")
    before = store_path.read_bytes()
    with pytest.raises(StoreError, match="not a horsesense store"):
        opened(store_path)
    assert store_path.read_bytes() == before
    assert list(store_path.parent.iterdir()) == [store_path]


@pytest.mark.parametrize("setting", ["application_id = 77", "user_version = 1"])
def test_a_database_without_tables_is_made_a_store_or_refused(
    store_path: Path, setting: str
) -> None:
    change(store_path, f"PRAGMA {setting}")
    try:
        with Store.create_or_open(store_path) as store:
            assert list_datasets(store) == []
    except StoreError as error:
        assert "not a horsesense store" in str(error)


@pytest.mark.parametrize("opened", [Store.open, Store.create_or_open])
def test_a_newer_store_is_refused_politely_and_untouched(store_path: Path, opened: Opening) -> None:
    make(store_path)
    change(store_path, f"PRAGMA user_version = {len(STEPS) + 4}")
    before = store_path.read_bytes()
    with pytest.raises(
        StoreError, match=f"has version {len(STEPS) + 4}.* supports only {len(STEPS)}"
    ):
        opened(store_path)
    assert store_path.read_bytes() == before
    assert list(store_path.parent.iterdir()) == [store_path]


@pytest.mark.usefixtures("impatient")
def test_a_file_that_another_makes_a_store_meanwhile_is_taken_for_one(store_path: Path) -> None:
    """Another comes, or has to wait, between the questions by which a store is known."""
    connection = connect(store_path, "mode=rwc")

    def make_store(statement: str) -> None:
        if "sqlite_master" in statement:
            with suppress(StoreError):
                make(store_path)

    connection.set_trace_callback(make_store)
    check_identity(store_path, connection)
    connection.close()


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "%41.db", "what?mode=ro", "a#b", "ö’🪁.db"])
def test_a_store_may_have_an_odd_name(tmp_path: Path, name: str) -> None:
    make(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with Store.open(tmp_path / name) as store:
        assert len(list_datasets(store)) == 1


def test_a_store_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff.db")
    make(tmp_path / name)
    assert os.listdir(tmp_path) == [name]  # noqa: PTH208


def test_a_path_may_begin_with_two_slashes(store_path: Path) -> None:
    make(Path(f"/{store_path}"))
    assert store_path.exists()


def test_a_path_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make(Path(":memory:"))
    assert [path.name for path in tmp_path.iterdir()] == [":memory:"]


def test_a_step_is_applied_once_with_its_number(connection: sqlite3.Connection) -> None:
    migrate(connection, (STEP_1, STEP_2))
    migrate(connection, (STEP_1, STEP_2))
    assert version_of(connection) == 2
    assert connection.execute("SELECT * FROM pond").fetchall() == [("mill;", 3)]


def test_an_older_file_gets_the_steps_it_lacks(connection: sqlite3.Connection) -> None:
    migrate(connection, (STEP_1,))
    connection.execute("INSERT INTO pond VALUES ('duck')")
    migrate(connection, (STEP_1, STEP_2))
    names = connection.execute("SELECT name, depth FROM pond ORDER BY name").fetchall()
    assert (version_of(connection), [depth for _, depth in names]) == (2, [3, 3])


def test_a_failing_step_is_undone_and_the_ones_before_are_kept(
    connection: sqlite3.Connection, store_path: Path
) -> None:
    migrate(connection, (STEP_1,))
    before = tables(store_path)
    failing = "CREATE TABLE lake (name TEXT);\nDROP TABLE pond;\nINSERT INTO sea VALUES (1);"
    with pytest.raises(sqlite3.OperationalError, match="no such table: sea"):
        migrate(connection, (STEP_1, failing, STEP_2))
    assert (version_of(connection), tables(store_path)) == (1, before)
    assert not connection.in_transaction


def test_a_mended_step_can_be_applied_after_its_failure(connection: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, (STEP_1, "INSERT INTO sea VALUES (1);"))
    migrate(connection, (STEP_1, STEP_2))
    assert version_of(connection) == 2


def test_a_step_without_its_last_semicolon_is_not_lost(connection: sqlite3.Connection) -> None:
    migrate(connection, ("CREATE TABLE pond (name TEXT)",))
    assert connection.execute("SELECT count(*) FROM pond").fetchone() == (0,)


def test_a_newer_file_is_not_touched_by_older_steps(connection: sqlite3.Connection) -> None:
    migrate(connection, (STEP_1, STEP_2))
    migrate(connection, (STEP_1,))
    assert version_of(connection) == 2


def test_reading_inside_writing_sees_what_was_written(fresh_store: Store) -> None:
    with fresh_store.writing() as connection:
        connection.execute("INSERT INTO grid (id, kind, notation) VALUES ('i', 'k', 'n')")
        with fresh_store.reading() as inner:
            assert inner.execute("SELECT count(*) FROM grid").fetchone() == (1,)
        assert connection.in_transaction


def test_reading_sees_one_state_while_another_writes(fresh_store: Store) -> None:
    with fresh_store.reading() as connection:
        assert connection.execute("SELECT count(*) FROM dataset").fetchone() == (0,)
        with Store.open(fresh_store.path) as other:
            save(other, "field", entry("kite"))
        assert connection.execute("SELECT count(*) FROM dataset").fetchone() == (0,)
    assert len(list_datasets(fresh_store)) == 1


def test_an_error_inside_a_transaction_undoes_it(fresh_store: Store) -> None:
    with pytest.raises(StoreError, match="no such table"), fresh_store.writing() as connection:
        connection.execute("INSERT INTO grid (id, kind, notation) VALUES ('i', 'k', 'n')")
        connection.execute("INSERT INTO sea VALUES (1)")
    assert query(fresh_store.path, "SELECT count(*) FROM grid") == [(0,)]
