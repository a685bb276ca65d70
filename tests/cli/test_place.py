"""Where the store is if nobody says so."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from horsesense.cli.place import default_store, user_store
from tests.cli.conftest import GARDEN
from tests.cli.terminal import HORSESENSE

Start = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder."""
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def start(home: Path, tmp_path: Path) -> Start:
    """The command line in a folder with a schema file, with nothing said about the store."""

    def started(
        *arguments: str, folder: str = "work", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        (place / "garden.schemas").write_text(GARDEN)
        hidden = ("HORSESENSE_STORE", "XDG_DATA_HOME")
        rest = {name: value for name, value in os.environ.items() if name not in hidden}
        environment = {**rest, "HOME": str(home), **variables}
        return subprocess.run(
            [*HORSESENSE, *arguments], cwd=place, env=environment, capture_output=True, text=True
        )

    return started


def test_a_new_store_is_made_in_the_home_folder_and_reported_once(start: Start, home: Path) -> None:
    store = home / ".local" / "share" / "horsesense" / "horsesense.db"
    first = start("dataset", "import", "garden.schemas")
    assert first.returncode == 0
    assert (
        first.stderr
        == f"created the store {store} (for one in this folder: --store horsesense.db)\n"
    )
    again = start("dataset", "import", "garden.schemas")
    assert (again.stdout, again.stderr) == ("garden: already stored as version 1\n", "")


def test_another_folder_has_the_same_store(start: Start) -> None:
    start("dataset", "import", "garden.schemas")
    assert "roses" in start("dataset", "show", "garden", folder="elsewhere").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "--count", "3"),
        ("run", "--model", "longer", "--data", "garden.schemas", "--perturb", "none"),
    ],
)
def test_every_command_that_makes_a_store_reports_it(
    start: Start, home: Path, arguments: tuple[str, ...]
) -> None:
    done = start(*arguments, XDG_DATA_HOME=str(home / "data"))
    assert done.returncode == 0
    store = home / "data" / "horsesense" / "horsesense.db"
    assert store.exists()
    assert done.stderr.count(f"created the store {store}") == 1


def test_a_store_in_the_working_folder_comes_first(
    start: Start, home: Path, tmp_path: Path
) -> None:
    start("--store", "horsesense.db", "dataset", "import", "garden.schemas")
    assert "garden" in start("dataset", "list").stdout
    assert "garden" not in start("dataset", "list", folder="elsewhere").stdout
    assert not list(home.iterdir())
    assert (tmp_path / "work" / "horsesense.db").exists()


def test_the_option_comes_before_the_variable_and_both_before_the_folder(start: Start) -> None:
    for name in ("horsesense.db", "one.db", "two.db"):
        start("--store", name, "generate", "--count", "2", "--name", name[:3])
    assert start("dataset", "list", HORSESENSE_STORE="one.db").stdout.count("one  ") == 1
    shown = start("--store", "two.db", "dataset", "list", HORSESENSE_STORE="one.db").stdout
    assert "two  " in shown and "one  " not in shown


def test_what_stores_nothing_makes_no_folder(start: Start, home: Path) -> None:
    for arguments in (
        ("dataset", "list"),
        ("schema", "show", "garden.schemas"),
        ("score", "--model", "longer", "garden.schemas"),
        ("run", "--model", "longer", "--data", "garden.schemas", "--dry-run"),
        ("runs", "list"),
    ):
        start(*arguments)
    assert not list(home.iterdir())


def test_an_import_that_fails_reports_no_store(start: Start) -> None:
    failed = start("dataset", "import", "nowhere.schemas")
    assert failed.returncode == 5
    assert "created" not in failed.stderr


def test_a_home_folder_that_cannot_be_written_to_is_an_error_with_a_remedy(
    start: Start, home: Path
) -> None:
    (home / ".local").write_text("a file")
    failed = start("dataset", "import", "garden.schemas")
    assert failed.returncode == 4
    assert "choose another store with --store or HORSESENSE_STORE" in failed.stderr
    assert start("dataset", "import", "garden.schemas", HORSESENSE_STORE="x.db").returncode == 0


def test_the_data_folder_of_the_environment_must_be_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/nora")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    usual = Path("/home/nora/.local/share/horsesense/horsesense.db")
    assert user_store() == default_store() == usual
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    assert user_store() == usual
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert user_store() == Path("/data/horsesense/horsesense.db")
    Path("horsesense.db").touch()
    assert default_store() == Path("horsesense.db")
