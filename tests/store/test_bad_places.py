import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from horsesense.errors import StoreError
from horsesense.schema import Header
from horsesense.store import (
    Source,
    Store,
    find_dataset,
    list_datasets,
    load_entries,
    remove_datasets,
    save_entries,
    search,
)
from tests.store import processes
from tests.store.builders import entry, findings, lanterns, make, names, save, source, tables

NOBODY = 65534


@contextmanager
def ordinary_user() -> Iterator[None]:
    """A user whom permissions bind; root becomes nobody for as long as it lasts."""
    if os.getuid() != 0:
        yield
        return
    os.setresgid(NOBODY, NOBODY, 0)
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everyone can reach; pytest's own are for their owner alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        with ordinary_user():
            is_reachable = os.access(folder, os.R_OK | os.X_OK)
        if not is_reachable:
            pytest.skip("an ordinary user cannot reach the folder for temporary files")
        yield folder
        folder.chmod(0o755)


@pytest.fixture
def read_only_folder(open_folder: Path) -> Path:
    """A folder that cannot be written to, with a closed store in it."""
    make(open_folder / "store.db")
    open_folder.chmod(0o555)
    return open_folder


def listed(path: Path) -> list[str]:
    with ordinary_user(), Store.open(path) as store:
        return [one.name for one in list_datasets(store)]


def save_kite(store: Store) -> None:
    with store:
        save(store, "field", entry("kite"))


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    for opened in (Store.open, Store.create_or_open):
        with pytest.raises(StoreError, match="is a folder"):
            opened(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_store_is_not_made_where_there_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="check that its folder exists"):
        Store.create_or_open(tmp_path / "missing" / "store.db")
    with pytest.raises(StoreError, match="there is no store"):
        Store.open(tmp_path / "missing" / "store.db")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_folder_for_a_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for opened in (Store.open, Store.create_or_open):
        with pytest.raises(StoreError):
            opened(tmp_path / "file" / "store.db")


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    for opened in (Store.open, Store.create_or_open):
        with pytest.raises(StoreError):
            opened(tmp_path / ("long" * 100))


def test_a_link_to_nothing_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "nothing.db")
    with pytest.raises(StoreError, match="there is no store"):
        Store.open(tmp_path / "link.db")


def test_a_link_to_a_store_is_that_store(tmp_path: Path) -> None:
    make(tmp_path / "store.db")
    (tmp_path / "link.db").symlink_to(tmp_path / "store.db")
    make(tmp_path / "link.db", "through-link")
    with Store.open(tmp_path / "store.db") as store:
        assert [one.name for one in list_datasets(store)] == ["before", "through-link"]


def test_a_device_is_no_store() -> None:
    for opened in (Store.open, Store.create_or_open):
        with pytest.raises(StoreError), ordinary_user():
            opened(Path("/dev/null"))


@pytest.mark.parametrize("path", ["/", ".", ".."])
def test_the_names_of_folders_are_no_stores(path: str) -> None:
    for opened in (Store.open, Store.create_or_open):
        with pytest.raises(StoreError), ordinary_user():
            opened(Path(path))


def test_a_store_is_not_made_in_a_read_only_folder(read_only_folder: Path) -> None:
    with pytest.raises(StoreError, match="is writable"), ordinary_user():
        Store.create_or_open(read_only_folder / "new.db")


def test_a_store_in_a_read_only_folder_can_be_read(read_only_folder: Path) -> None:
    with ordinary_user(), Store.open(read_only_folder / "store.db") as store:
        assert store.is_read_only
        assert names(load_entries(store, find_dataset(store, "before"))) == ["kite", "ladder"]
        assert len(search(store, "kite")) == 1
        assert findings(store) == []
    assert [path.name for path in read_only_folder.iterdir()] == ["store.db"]


@pytest.mark.parametrize("mode", [0o644, 0o666])
def test_a_store_in_a_read_only_folder_is_not_written_to(read_only_folder: Path, mode: int) -> None:
    path = read_only_folder / "store.db"
    path.chmod(mode)
    before = path.read_bytes()
    for opened in (Store.open, Store.create_or_open):
        with pytest.raises(StoreError, match="written to"), ordinary_user():
            save_kite(opened(path))
    assert path.read_bytes() == before


def test_a_read_only_file_can_be_read_and_not_written_to(open_folder: Path) -> None:
    path = open_folder / "store.db"
    make(path)
    path.chmod(0o444)
    open_folder.chmod(0o777)
    assert listed(path) == ["before"]
    for opened in (Store.open, Store.create_or_open):
        with pytest.raises(StoreError, match="cannot be written to"), ordinary_user():
            save_kite(opened(path))


def test_a_file_that_cannot_be_read_is_refused(open_folder: Path) -> None:
    path = open_folder / "store.db"
    make(path)
    path.chmod(0)
    with pytest.raises(StoreError, match="cannot be opened"), ordinary_user():
        Store.open(path)


def test_a_folder_that_cannot_be_entered_is_refused(open_folder: Path) -> None:
    make(open_folder / "store.db")
    open_folder.chmod(0)
    for opened in (Store.open, Store.create_or_open):
        with pytest.raises(StoreError), ordinary_user():
            opened(open_folder / "store.db")


def test_a_read_only_folder_shows_what_its_owner_writes_just_now(open_folder: Path) -> None:
    path = open_folder / "store.db"
    make(path)
    if os.getuid() != 0:
        pytest.skip("takes two users, and only root can be both")
    with Store.open(path) as owner:
        save(owner, "just-now", entry("kite"))
        assert listed(path) == ["before", "just-now"]


def test_a_link_in_a_read_only_folder_shows_what_is_written_just_now(open_folder: Path) -> None:
    (open_folder / "real").mkdir()
    (open_folder / "real").chmod(0o777)
    (open_folder / "link.db").symlink_to(open_folder / "real" / "store.db")
    open_folder.chmod(0o555)
    with ordinary_user(), Store.create_or_open(open_folder / "real" / "store.db") as writer:
        save(writer, "just-now", entry("kite"))
        with Store.open(open_folder / "link.db") as store:
            assert [one.name for one in list_datasets(store)] == ["just-now"]


def test_a_read_only_folder_with_what_a_killed_process_left_can_be_read(
    open_folder: Path,
) -> None:
    path = open_folder / "store.db"
    with Store.create_or_open(path) as store:
        save(store, "left-in-log", entry("kite"))
        for file in open_folder.iterdir():
            shutil.copy(file, open_folder / file.name.replace("store", "copy"))
    open_folder.chmod(0o555)
    assert listed(open_folder / "copy.db") == ["left-in-log"]


def test_a_reader_in_a_read_only_folder_notices_a_writer(open_folder: Path) -> None:
    """Who may not write opens the file; then its owner writes, closes, and the reader reads on."""
    path = open_folder / "store.db"
    make(path, "before", *lanterns(1200))
    if os.getuid() != 0:
        pytest.skip("takes two users, and only root can be both")
    with ordinary_user():
        reader = Store.open(path)
    with reader:
        entries = load_entries(reader, list_datasets(reader)[0])
        next(entries)
        with Store.open(path) as owner:
            remove_datasets(owner, list_datasets(owner))
            save_entries(owner, Header("after"), lanterns(600, "new "), source)
        with pytest.raises(StoreError, match="was changed while it was read"):
            list(entries)
    assert listed(path) == ["after"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with room for a megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "horsesense-test", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if done.returncode:
        pytest.skip(f"no disk can be mounted: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def give_room(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)


def fill(disk: Path, room: int = 0) -> None:
    """Write until nothing more fits, or as much as there is room for."""
    with (disk / "ballast").open("wb", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue
        file.truncate(file.tell() - room)


def test_a_full_disk_loses_nothing_and_works_again_with_room(small_disk: Path) -> None:
    path = small_disk / "store.db"
    make(path)
    before = tables(path)
    with Store.open(path) as store:
        with pytest.raises(StoreError, match="full"):
            save_entries(store, Header("large"), lanterns(2000), source)
        assert tables(path) == before
        assert findings(store) == []
        give_room(small_disk)
        save_entries(store, Header("large"), lanterns(2000), source)
        assert [one.entries for one in list_datasets(store)] == [2, 2000]
        assert findings(store) == []


def test_a_disk_that_fills_up_at_the_very_end_loses_nothing(small_disk: Path) -> None:
    path = small_disk / "store.db"
    make(path)

    def filling() -> Source:
        fill(small_disk)
        return source()

    with Store.open(path) as store:
        with pytest.raises(StoreError, match="full"):
            save_entries(store, Header("small"), lanterns(200), filling)
        (small_disk / "ballast").unlink()
        assert [one.name for one in list_datasets(store)] == ["before"]
        assert findings(store) == []


@pytest.mark.parametrize("room", [0, 4096, 16_384, 49_152, 98_304])
def test_a_store_is_not_made_on_a_full_disk(small_disk: Path, room: int) -> None:
    fill(small_disk, room)
    with pytest.raises(StoreError, match="full"):
        Store.create_or_open(small_disk / "store.db")
    (small_disk / "ballast").unlink()
    make(small_disk / "store.db")
    with Store.open(small_disk / "store.db") as store:
        assert findings(store) == []


def test_opening_a_store_on_a_full_disk_works_or_says_why(small_disk: Path) -> None:
    make(small_disk / "store.db")
    fill(small_disk)
    try:
        with Store.open(small_disk / "store.db") as store:
            assert [one.name for one in list_datasets(store)] == ["before"]
    except StoreError as error:
        assert "full" in str(error)


@pytest.mark.parametrize("limit", [0, 40_000, 200_000, 800_000])
def test_a_file_that_may_not_grow_loses_nothing(store_path: Path, limit: int) -> None:
    make(store_path)
    refused, before, after = processes.finish(processes.start("hit-limit", store_path, limit))
    assert refused.startswith("refused: ") and "the disk may be full" in refused
    assert before == "findings [], datasets ['before']"
    assert after == "findings [], datasets ['before', 'large']"


@pytest.mark.parametrize("limit", [0, 1000, 40_000])
def test_a_new_store_that_may_not_grow_is_no_hindrance_later(store_path: Path, limit: int) -> None:
    refused, _, after = processes.finish(processes.start("hit-limit", store_path, limit))
    assert refused.startswith("refused: ") and "the disk may be full" in refused
    assert after == "findings [], datasets ['large']"
