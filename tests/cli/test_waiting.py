"""What a terminal shows while a command works, and that nothing of it gets into results."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import in_terminal, without_colours

# The while after which something is shown is made short, so that the tests need not be long.
IMPATIENT = "from horsesense.cli import main, output; output.QUIET_SECONDS = 0; main.main()"
COMMAND = [sys.executable, "-c", IMPATIENT]
ENTRY = "owl {} <can, cannot> eat a {{vole, house}}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a store that holds a dataset."""
    (tmp_path / "owls.schemas").write_text("".join(ENTRY.format(n) for n in range(40)))
    subprocess.run([*COMMAND, "dataset", "import", "owls.schemas"], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "label"),
    [
        ("dataset measure owls", "measuring owls …"),
        ("dataset audit owls --no-model --check duplicates", "reading owls"),
        ("perturb apply by-key owls", "reading owls"),
        ("perturb apply by-key owls", "applying by-key"),
        ("generate --count 5", "generating"),
        ("doctor first", "examining first …"),
        ("model show first", "preparing first …"),
        ("score owls --dataset --model first", "querying first"),
        ("cache stats", "counting answers …"),
        ("cache prune --all", "looking for answers …"),
        ("run --model first --data owls --resamples 20 --perturb none", "preparing"),
    ],
)
def test_a_command_that_takes_a_while_says_what_it_does(
    command: str, label: str, folder: Path
) -> None:
    assert label in without_colours(in_terminal([*COMMAND, *command.split()], folder))


def test_results_go_to_stdout_while_something_is_shown(folder: Path) -> None:
    code = (
        "import click; from horsesense.cli import output; output.QUIET_SECONDS = 0\n"
        "with output.working('waiting'): click.echo('a result')\n"
        "with output.counting('counting'): click.echo('another')\n"
    )
    command = ["sh", "-c", f'{sys.executable} -c "$0" > results', code]
    shown = without_colours(in_terminal(command, folder))
    assert "waiting …" in shown and "counting" in shown
    assert (folder / "results").read_text() == "a result\nanother\n"


def test_nothing_is_drawn_without_a_terminal(folder: Path) -> None:
    command = [*COMMAND, "dataset", "measure", "owls"]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert found.stderr == ""
