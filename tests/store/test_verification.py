import random
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from horsesense.errors import HorsesenseError, StoreError
from horsesense.store import (
    Store,
    list_datasets,
    load_entries,
    remove_datasets,
    search,
    sources_of,
    verify_dataset,
    verify_file,
)
from tests.store.builders import FERRY, change, entry, findings, lanterns, make, save


@pytest.fixture
def sound_path(store_path: Path) -> Path:
    """A closed store with a dataset of three entries, one of them with tags and fields."""
    kite = entry("kite", tags=("windy",), note="seen", extras=(("x-by", "me"),))
    make(store_path, "field", kite, entry("ferry", FERRY), entry("kite-2"))
    return store_path


def verified(path: Path) -> list[str]:
    with Store.open_damaged(path) as store:
        return findings(store)


def use_everything(path: Path) -> None:
    """Everything that a reader can do with a store."""
    with Store.open(path) as store:
        search(store, "lantern")
        search(store, "kite")
        list(verify_file(store))
        for dataset in list_datasets(store, all_versions=True):
            sources_of(store, dataset)
            list(verify_dataset(store, dataset))
            list(load_entries(store, dataset))


def test_there_is_nothing_to_say_of_a_sound_store(sound_path: Path) -> None:
    assert verified(sound_path) == []


def test_verifying_changes_nothing(sound_path: Path) -> None:
    before = sound_path.read_bytes()
    verified(sound_path)
    assert sound_path.read_bytes() == before


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE grid SET notation = replace(notation, 'kite', 'kits')",
        "UPDATE grid SET notation = 'the kite <climbed'",
        "UPDATE grid SET id = '00' WHERE pk = 1",
        "UPDATE grid SET kind = 'minimal pair' WHERE pk = 1",
        "UPDATE entry SET id = '00' WHERE pk = 1",
        "UPDATE entry SET name = 'kitten' WHERE pk = 1",
        "UPDATE entry SET name = 'no name' WHERE pk = 1",
        "UPDATE entry SET note = '' WHERE pk = 1",
        "UPDATE entry SET grid = 2 WHERE pk = 1",
        "UPDATE tag SET tag = 'calm'",
        "UPDATE tag SET tag = 'two words'",
        "DELETE FROM tag",
        "UPDATE field SET value = 'you'",
        "UPDATE field SET name = 'unheard-of'",
        "DELETE FROM field",
        "INSERT INTO field VALUES (2, 'switchable', 'yes')",
        "UPDATE membership SET entry = 3 WHERE position = 2",
        "DELETE FROM membership WHERE position = 2",
        "DELETE FROM membership",
        "UPDATE dataset SET entries = 4",
        "UPDATE dataset SET title = 'Meadow'",
        "UPDATE dataset SET name = 'meadow'",
    ],
)
def test_a_dataset_that_was_tampered_with_is_found(sound_path: Path, tampering: str) -> None:
    change(sound_path, tampering)
    with Store.open(sound_path) as store:
        (dataset,) = list_datasets(store, is_checked=False)
        assert list(verify_dataset(store, dataset)) != []


def test_a_finding_names_the_entry(sound_path: Path) -> None:
    change(sound_path, "UPDATE entry SET note = 'unseen' WHERE name = 'kite'")
    with Store.open(sound_path) as store:
        (dataset,) = list_datasets(store)
        assert next(verify_dataset(store, dataset)).startswith("kite ")


def test_an_entry_that_cannot_be_read_is_numbered(sound_path: Path) -> None:
    change(sound_path, "UPDATE grid SET notation = 'the kite <climbed' WHERE pk = 2")
    with Store.open(sound_path) as store:
        (dataset,) = list_datasets(store)
        (finding,) = verify_dataset(store, dataset)
    assert finding.startswith("entry 2 cannot be read: ")


def test_datasets_beside_one_that_was_tampered_with_are_sound(sound_path: Path) -> None:
    make(sound_path, "lanterns", *lanterns(2))
    change(sound_path, "UPDATE entry SET note = 'unseen' WHERE name = 'kite'")
    with Store.open(sound_path) as store:
        sound = {one.name: not list(verify_dataset(store, one)) for one in list_datasets(store)}
    assert sound == {"field": False, "lanterns": True}


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE entry SET sentences = 'Nothing.' WHERE pk = 1",
        "INSERT INTO entry_search (entry_search) VALUES ('delete-all')",
        "INSERT INTO entry_search (rowid, name, sentences, note) VALUES (9, 'a', 'b', 'c')",
        "DELETE FROM entry_search_data",
    ],
)
def test_a_search_index_that_was_tampered_with_is_found(sound_path: Path, tampering: str) -> None:
    change(sound_path, tampering)
    with Store.open(sound_path) as store:
        assert list(verify_file(store)) == ["the search index does not agree with the entries"]


def test_a_reference_to_nothing_is_found(sound_path: Path) -> None:
    change(sound_path, "INSERT INTO tag VALUES (77, 'lost', 0)")
    with Store.open(sound_path) as store:
        assert list(verify_file(store)) == ["a row of tag refers to nothing"]


def test_pages_that_belong_to_nothing_are_found(sound_path: Path) -> None:
    with closing(sqlite3.connect(sound_path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_master WHERE name = 'entry_grid'")
    assert any("the file is damaged: " in finding for finding in verified(sound_path))


def test_a_dataset_removed_meanwhile_is_a_finding(fresh_store: Store) -> None:
    dataset = save(fresh_store, "field", entry("kite")).dataset
    remove_datasets(fresh_store, [dataset])
    assert list(verify_dataset(fresh_store, dataset)) != []


def test_a_dataset_removed_during_verification_breaks_nothing(fresh_store: Store) -> None:
    """The other process is made to come when verification asks for the entries' content."""
    dataset = save(fresh_store, "field", entry("kite"), entry("ferry", FERRY)).dataset

    def remove(statement: str) -> None:
        if "grid.notation" in statement:
            with Store.open(fresh_store.path) as other:
                remove_datasets(other, [dataset])

    with fresh_store.reading() as connection:
        connection.set_trace_callback(remove)
    list(verify_dataset(fresh_store, dataset))
    assert list_datasets(fresh_store) == []


@pytest.fixture(scope="module")
def sound_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store with a few hundred entries."""
    path = tmp_path_factory.mktemp("sound") / "store.db"
    make(path, "lanterns", *lanterns(300))
    return path.read_bytes()


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_refused_or_found_out(
    store_path: Path, sound_bytes: bytes, seed: int
) -> None:
    rng = random.Random(seed)
    damaged = bytearray(sound_bytes)
    start, length = rng.randrange(100, len(damaged)), rng.choice([1, 2, 30, 500, 5000, 50_000])
    damaged[start : start + length] = rng.randbytes(len(damaged[start : start + length]))
    store_path.write_bytes(damaged)
    try:
        use_everything(store_path)
    except HorsesenseError as error:
        assert str(error)


@pytest.mark.parametrize("name", [b"dataset", b"entry_grid", b"grid"])
def test_a_damaged_name_of_a_table_is_refused(
    store_path: Path, sound_bytes: bytes, name: bytes
) -> None:
    store_path.write_bytes(sound_bytes.replace(b" " + name + b" ", b"\xff" * (len(name) + 2)))
    with pytest.raises(StoreError, match="damaged"):
        use_everything(store_path)


@pytest.mark.parametrize("column", ["grid.notation", "entry.sentences", "entry.note", "tag.tag"])
@pytest.mark.parametrize("value", ["x'00ff'", "CAST({} AS BLOB)"], ids=["bytes", "text as bytes"])
def test_bytes_in_place_of_text_break_nothing(sound_path: Path, column: str, value: str) -> None:
    table, name = column.split(".")
    change(sound_path, f"UPDATE {table} SET {name} = {value.format(name)}")
    with suppress(HorsesenseError):
        use_everything(sound_path)


@pytest.mark.parametrize("part", [1 / 3, 2 / 3])
def test_a_file_with_a_hole_is_damaged(store_path: Path, sound_bytes: bytes, part: float) -> None:
    middle = int(len(sound_bytes) * part) // 4096 * 4096
    hole = b"\xff" * 40_960
    store_path.write_bytes(sound_bytes[:middle] + hole + sound_bytes[middle + len(hole) :])
    try:
        assert verified(store_path) != []
    except StoreError as error:
        assert "damaged" in str(error)


@pytest.mark.parametrize("size", [50, 4096, 50_000])
def test_a_file_that_was_cut_off_is_damaged(
    store_path: Path, sound_bytes: bytes, size: int
) -> None:
    store_path.write_bytes(sound_bytes[:size])
    with pytest.raises(StoreError, match="damaged|not an SQLite file"):
        use_everything(store_path)


def test_a_copy_of_the_file_is_the_same_store(sound_path: Path, tmp_path: Path) -> None:
    shutil.copy(sound_path, tmp_path / "copy.db")
    assert verified(tmp_path / "copy.db") == []
