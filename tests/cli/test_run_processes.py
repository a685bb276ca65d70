"""What a run is to the system: signals, other processes, terminals, full disks, locked stores."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from horsesense.cli.main import cli
from horsesense.store import Store
from horsesense.store.runs import list_runs
from tests.cli.conftest import GARDEN
from tests.cli.terminal import HORSESENSE, in_terminal
from tests.store.test_bad_places import open_folder, ordinary_user

__all__ = ["open_folder"]  # a fixture

STYLE = re.compile(r"\x1b\[[0-9;]*m")
LONGER = ["run", "--model", "longer", "--data", "garden.schemas", "--resamples", "20"]
QUIET = [*LONGER, "--perturb", "none"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a few schemas."""
    (tmp_path / "garden.schemas").write_text(GARDEN)
    return tmp_path


def done(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run([*HORSESENSE, *arguments], cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(
    "interrupt", ["raise KeyboardInterrupt", "exec('raise KeyboardInterrupt')"]
)
@pytest.mark.parametrize("module", ["horsesense.cli.main", "horsesense.cli.run"])
def test_a_command_interrupted_while_it_is_imported_says_so(
    module: str, interrupt: str, tmp_path: Path
) -> None:
    # Python imports sitecustomize before it starts the command.
    lines = [
        "import sys",
        "class Interrupting:",
        "    def find_spec(self, name, *others):",
        f"        if name == {module!r}: {interrupt}",
        "sys.meta_path.insert(0, Interrupting())",
    ]
    (tmp_path / "sitecustomize.py").write_text("\n".join(lines))
    ran = subprocess.run(
        [*HORSESENSE, "run", "--help"], env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (130, "")
    assert ran.stderr == "Error: interrupted; nothing was done\n"


def test_an_interrupted_run_says_how_it_goes_on(folder: Path) -> None:
    # So many draws take until somebody loses patience.
    process = subprocess.Popen(
        [*HORSESENSE, *LONGER, "--resamples", "3000000"], cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not (folder / "horsesense.db").exists():
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate()
    assert (process.returncode, printed) == (130, "")
    assert errors == (
        "interrupted; all answers so far are stored; run the same command again to continue\n"
    )
    assert not (folder / "horsesense-runs").exists()
    with Store.open(folder / "horsesense.db") as store:
        assert not list_runs(store)


def test_two_runs_at_once_make_one(folder: Path) -> None:
    processes = [
        subprocess.Popen(
            [*HORSESENSE, *LONGER], cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    printed = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0, 0], printed
    assert printed[0] == printed[1]
    with Store.open(folder / "horsesense.db") as store:
        (kept,) = list_runs(store)
    (written,) = (folder / "horsesense-runs").iterdir()
    assert written.name == kept.record.id
    # Whoever was faster, the file tells of the run that is kept.
    again = done(folder, *LONGER, "--json")
    table = json.loads(again.stdout)["tables"]["run"]
    at = table["columns"].index("started_at")
    assert table["rows"][0][at] == kept.record.started_at


def test_a_second_run_loads_neither_numbers_nor_figures(folder: Path) -> None:
    first = done(folder, *QUIET)
    assert first.returncode == 0, first.stderr
    script = (
        "import sys; from click.testing import CliRunner; from horsesense.cli.main import cli;"
        f"result = CliRunner().invoke(cli, {QUIET!r}); assert result.exit_code == 0;"
        "heavy = [one for one in ('numpy', 'matplotlib', 'torch', 'yaml') if one in sys.modules];"
        "print(result.stdout, end=''); print(heavy, file=sys.stderr)"
    )
    second = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True
    )
    assert (second.stdout, second.stderr) == (first.stdout, "[]\n")


def test_a_terminal_gets_progress_and_lines_that_fit(folder: Path) -> None:
    impatient = "from horsesense.cli import main, output; output.QUIET_SECONDS = 0; main.main()"
    shown = in_terminal([sys.executable, "-c", impatient, *LONGER], folder)
    assert "measuring" in shown
    printed = shown[shown.index("longer was tested on") :]
    assert max(map(len, STYLE.sub("", printed).splitlines())) <= 80
    assert "page: horsesense-runs/" in printed


def test_output_that_cannot_be_written_is_one_error(folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*HORSESENSE, *QUIET], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert result.returncode == 5
    assert result.stderr == "Error: cannot write the output: No space left on device\n"


def test_a_store_on_a_full_disk_is_an_error(folder: Path) -> None:
    result = done(folder, "--store", "/dev/full", *QUIET)
    assert (result.returncode, result.stdout) == (4, "")
    assert "/dev/full could not be written: the disk is full" in result.stderr


def test_a_store_that_cannot_be_written_to_gives_what_it_keeps_and_no_more(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(open_folder)
    Path("garden.schemas").write_text(GARDEN)
    for name in ("locked", "open"):
        Path(name).mkdir()
    Path("open").chmod(0o777)
    arguments = ["--store", "locked/store.db", *QUIET]
    first = CliRunner().invoke(cli, [*arguments, "-o", "first"])
    assert first.exit_code == 0
    Path("locked").chmod(0o555)
    with ordinary_user():
        kept = CliRunner().invoke(cli, [*arguments, "-o", "open/kept"])
        other = CliRunner().invoke(cli, [*arguments, "--seed", "1", "-o", "open/other"])
    assert (kept.exit_code, kept.stderr) == (0, "")
    assert kept.stdout.replace("open/kept", "first") == first.stdout
    assert (other.exit_code, other.stdout) == (4, "")
    assert "locked/store.db cannot be written to" in other.stderr
