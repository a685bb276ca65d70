import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from horsesense.errors import StoreError
from horsesense.schema import Entry, Header
from horsesense.store import (
    Store,
    list_datasets,
    load_entries,
    remove_datasets,
    save_entries,
    search,
    verify_file,
)
from tests.store import processes
from tests.store.builders import (
    FERRY,
    LADDER,
    entry,
    findings,
    lanterns,
    make,
    query,
    save,
    source,
    tables,
)

LARGE = 20_000
# After how many entries the process is killed.
ENTRIES = [0, 50, 750, 1900, 4250, 8600, 16_350]
# How many milliseconds after the last entry: about when the data reach the file.
MILLISECONDS = [0, 3, 10, 25, 60, 150]


def go(*waiting: subprocess.Popen[str]) -> None:
    """Let processes that wait for a line begin."""
    for process in waiting:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()


def kill_after(process: subprocess.Popen[str], line: str, seconds: float = 0) -> list[str]:
    """Kill a process some time after it wrote that line; what it wrote until then."""
    go(process)
    assert process.stdout
    written = []
    for one in process.stdout:
        written.append(one.strip())
        if written[-1] == line:
            break
    time.sleep(seconds)
    process.kill()
    rest, _ = process.communicate()
    return [*written, *rest.splitlines()]


def assert_sound_and_of_use(path: Path) -> None:
    assert query(path, "PRAGMA integrity_check") == [("ok",)]
    assert query(path, "PRAGMA foreign_key_check") == []
    with Store.open(path) as store:
        save(store, "afterwards", entry("kite"), entry("lantern-1"))
        assert search(store, "kite")
        assert findings(store) == []


@pytest.mark.parametrize("number", ENTRIES)
def test_a_save_that_is_killed_leaves_everything_as_it_was(store_path: Path, number: int) -> None:
    make(store_path)
    before = tables(store_path)
    written = kill_after(processes.start("save", store_path, "killed", LARGE), f"entry {number}")
    assert "read" not in written
    assert tables(store_path) == before
    assert_sound_and_of_use(store_path)


@pytest.mark.parametrize("delay", MILLISECONDS)
def test_a_save_that_is_killed_at_its_end_is_whole_or_not_there(
    store_path: Path, delay: int
) -> None:
    make(store_path)
    before = tables(store_path)
    process = processes.start("save", store_path, "killed", 4000)
    written = kill_after(process, "read", delay / 1000)
    whole = query(store_path, "SELECT entries FROM dataset WHERE name = 'killed'") == [(4000,)]
    assert whole or tables(store_path) == before
    assert whole or not written[-1].startswith("saved")
    assert_sound_and_of_use(store_path)


def test_a_save_that_is_killed_again_and_again_succeeds_in_the_end(store_path: Path) -> None:
    make(store_path)
    for number in (50, 300, 700):
        kill_after(processes.start("save", store_path, "field", 1000), f"entry {number}")
    processes.finish(processes.start("save", store_path, "field", 1000), "go\n")
    assert_sound_and_of_use(store_path)


def test_processes_write_at_once_while_another_reads(store_path: Path) -> None:
    make(store_path)
    reader = processes.start("read", store_path)
    writers = [
        processes.start("save", store_path, f"by-{name}-{number}", 700 + number, name)
        for number in range(3)
        for name in ("ada", "bo")
    ]
    go(*writers)
    for writer in writers:
        assert processes.finish(writer)[-1].startswith("saved")
    rounds = processes.finish(reader)[-1].split()
    assert int(rounds[1]) > 0
    with Store.open(store_path) as store:
        assert sorted(one.entries for one in list_datasets(store)) == [
            2,
            700,
            700,
            701,
            701,
            702,
            702,
        ]
        assert findings(store) == []


def test_two_processes_save_the_same_dataset_at_once(store_path: Path) -> None:
    make(store_path)
    writers = [processes.start("save", store_path, "same", 2000) for _ in range(2)]
    go(*writers)
    ids = {processes.finish(writer)[-1] for writer in writers}
    with Store.open(store_path) as store:
        (same,) = [one for one in list_datasets(store, all_versions=True) if one.name == "same"]
        assert ids == {f"saved {same.id}"}
        assert list(load_entries(store, same)) == list(lanterns(2000))
        assert findings(store) == []


def test_two_processes_make_versions_of_one_name_at_once(store_path: Path) -> None:
    make(store_path)
    writers = [processes.start("save", store_path, "same", 500, name) for name in ("a ", "b ")]
    go(*writers)
    for writer in writers:
        processes.finish(writer)
    with Store.open(store_path) as store:
        versions = [one for one in list_datasets(store, all_versions=True) if one.name == "same"]
        assert [one.version for one in versions] == [1, 2]
        assert findings(store) == []


def test_two_processes_make_the_same_stores_at_once(tmp_path: Path) -> None:
    makers = [processes.start("create", *(tmp_path / f"{n}.db" for n in range(50))) for _ in "ab"]
    for maker in makers:
        assert maker.stdout and maker.stdout.readline() == "ready\n"
    go(*makers)
    assert [processes.finish(maker) for maker in makers] == [["made 50"], ["made 50"]]
    for path in sorted(tmp_path.glob("*.db")):
        assert_sound_and_of_use(path)


def test_a_dataset_removed_while_it_is_read_is_noticed(fresh_store: Store) -> None:
    dataset = save(fresh_store, "field", *lanterns(1200)).dataset
    entries = load_entries(fresh_store, dataset)
    next(entries)
    with Store.open(fresh_store.path) as other:
        remove_datasets(other, [dataset])
        save(other, "field", *lanterns(1200, "new "))
    with pytest.raises(StoreError, match="no longer"):
        list(entries)


def test_a_slow_reader_keeps_nobody_from_writing(fresh_store: Store) -> None:
    dataset = save(fresh_store, "field", *lanterns(1200)).dataset
    entries = load_entries(fresh_store, dataset)
    first = next(entries)
    with Store.open(fresh_store.path) as other:
        save(other, "field", *lanterns(3, "new "))
    assert [first, *entries] == list(lanterns(1200))


@pytest.mark.usefixtures("impatient")
def test_who_has_waited_long_enough_is_told_that_another_writes(store_path: Path) -> None:
    make(store_path)
    with Store.open(store_path) as store, Store.open(store_path) as other, other.writing():
        with pytest.raises(StoreError, match="busy"):
            save(store, "field", entry("kite"))
        with pytest.raises(StoreError, match="busy"):
            list(verify_file(store))
        assert len(list_datasets(store)) == 1


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("begin", ["BEGIN", "BEGIN IMMEDIATE"])
def test_a_file_that_others_hold_cannot_be_made_a_store(store_path: Path, begin: str) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as other:
        other.execute(begin)
        other.execute("SELECT count(*) FROM sqlite_master").fetchone()
        with pytest.raises(StoreError, match="busy"):
            Store.create_or_open(store_path)
    make(store_path)


def test_others_can_write_while_entries_are_still_being_read(fresh_store: Store) -> None:
    def slow() -> Iterator[Entry]:
        yield entry("kite")
        with Store.open(fresh_store.path) as other:
            save(other, "meanwhile", entry("ladder", LADDER))
        yield entry("ferry", FERRY)

    save_entries(fresh_store, Header("slow"), slow(), source)
    assert [one.name for one in list_datasets(fresh_store)] == ["meanwhile", "slow"]
    assert findings(fresh_store) == []
