from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from horsesense.cli.completion import SHELLS, script_path
from horsesense.cli.main import cli
from tests.cli.conftest import Run
from tests.cli.test_main import commands

# Arguments and options whose value is free text, or a name that is not in the store.
FREE = {
    ("dataset formats", "name"),
    ("dataset known", "name"),
    ("dataset search", "text"),
    ("dataset show", "entry_id"),
    ("perturb diff", "entry_id"),
    ("perturb show", "entry_id"),
    ("why", "problem"),
}


def completed(*words: str, start: str = "") -> list[str]:
    """What is offered after these words, with the marker of files."""
    items = ShellComplete(cli, {}, "horsesense", "_HORSESENSE_COMPLETE").get_completions(
        list(words), start
    )
    return ["FILES" if item.type == "file" else str(item.value) for item in items]


def test_commands_are_completed_without_being_imported() -> None:
    assert completed(start="da") == ["dataset"]
    assert "import" in completed("dataset")
    script = (
        "import sys; from click.shell_completion import ShellComplete;"
        "from horsesense.cli.main import cli;"
        "ShellComplete(cli, {}, 'horsesense', 'X').get_completions([], ''); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not {"numpy", "rich", "horsesense.cli.run"} & set(done.stdout.split())


def test_options_and_their_choices_are_completed() -> None:
    assert completed("run", start="--keep") == ["--keep-going"]
    assert completed("run", "--ties") == ["failed", "half"]


def test_after_an_unknown_command_nothing_fails() -> None:
    assert "run" in completed("foo")


@pytest.mark.parametrize(
    ("words", "start", "offered"),
    [
        (("dataset", "show"), "", ["garden", "hs-adversarial", "hs-winograd"]),
        (("dataset", "export"), "ga", ["garden"]),
        (("dataset", "search", "--data"), "ga", ["garden"]),
        (("run", "--data"), "hs-w", ["FILES", "hs-winograd"]),
        (("score", "--data"), "ga", ["FILES", "garden"]),
        (("run", "--model"), "lo", ["FILES", "longer"]),
        (("doctor",), "u", ["FILES", "uniform"]),
        (("metric", "explain"), "schema-acc", ["schema-accuracy", "schema-accuracy-difference"]),
        (("metric", "compute", "x.csv", "--metric"), "first-p", ["first-problem-accuracy"]),
        (("perturb", "apply"), "switch", ["switched"]),
        (("perturb", "show"), "", ["garden.by-key"]),
        (("schema", "check"), "ga", ["FILES"]),
        (("runs", "show"), "l", ["latest"]),
    ],
)
def test_names_of_the_store_and_of_the_program_are_completed(
    stored: Run, words: tuple[str, ...], start: str, offered: list[str]
) -> None:
    assert stored("perturb", "apply", "by-key", "garden").exit_code == 0
    names = [name for name in completed(*words, start=start) if name != "garden.by-key"]
    assert (names or ["garden.by-key"]) == offered


def test_the_ids_of_runs_are_completed_the_latest_first(stored: Run) -> None:
    for seed in ("0", "1"):
        plan = ("--model", "longer", "--data", "garden", "--perturb", "none", "--seed", seed)
        assert stored("run", *plan, "--resamples", "20").exit_code == 0
    latest, later, earlier = completed("runs", "show")
    assert latest == "latest"
    assert later in stored("runs", "list").stdout.splitlines()[2]
    assert earlier in stored("runs", "list").stdout.splitlines()[1]


def test_the_store_of_the_option_is_the_one_whose_names_are_completed(stored: Run) -> None:
    assert "garden" not in completed("--store", "other.db", "dataset", "show")
    stored("--store", "other.db", "generate", "--count", "2", "--name", "orchard")
    assert "orchard" in completed("--store", "other.db", "dataset", "show")


def test_a_store_that_cannot_be_read_completes_what_is_built_in(run: Run) -> None:
    Path("horsesense.db").write_text("no store")
    assert completed("dataset", "show") == ["hs-adversarial", "hs-winograd"]


@pytest.mark.parametrize("path", commands(cli), ids=" ".join)
def test_every_argument_has_a_completion_or_is_free_text(path: tuple[str, ...]) -> None:
    command = commands(cli)[path]
    without = {
        (" ".join(path), argument.name)
        for argument in command.params
        if isinstance(argument, click.Argument)
        and isinstance(argument.type, click.types.StringParamType)
        and argument._custom_shell_complete is None
    }
    assert without <= FREE


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder, in which scripts are installed."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "BASH_COMPLETION_USER_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_installed_where_its_shell_looks_for_it(
    run: Run, home: Path, shell: str
) -> None:
    result = run("completion", "install", shell)
    path = script_path(shell)
    assert result.exit_code == 0
    assert result.stdout == f"wrote {path}; to undo this, delete the file\n"
    assert path.is_relative_to(home)
    assert path.read_text() == run("completion", "show", shell).stdout.removesuffix("\n")
    assert run("completion", "install", shell).exit_code == 0


def test_the_login_shell_is_the_default(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert "fish/completions/horsesense.fish" in run("completion", "install").stdout
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    result = run("completion", "install")
    assert result.exit_code == 2
    assert "your login shell is tcsh; specify one of: bash, zsh, fish" in result.stderr
    monkeypatch.delenv("SHELL")
    assert "your login shell is unknown" in run("completion", "show").stderr


def test_zsh_needs_a_line_in_its_settings_unless_it_is_there(run: Run, home: Path) -> None:
    assert "fpath+=(~/.zfunc)" in run("completion", "install", "zsh").stderr
    (home / ".zshrc").write_text("fpath+=(~/.zfunc)\n")
    assert "fpath" not in run("completion", "install", "zsh").stderr


def test_another_file_is_not_overwritten(run: Run, home: Path) -> None:
    path = script_path("bash")
    path.parent.mkdir(parents=True)
    path.write_text("complete -W 'hay oats' horsesense\n")
    result = run("completion", "install", "bash")
    assert result.exit_code == 5
    assert "move it elsewhere first" in result.stderr
    assert "oats" in path.read_text()


def test_a_folder_that_cannot_be_made_is_an_error(run: Run, home: Path) -> None:
    home.write_text("a file")
    result = run("completion", "install", "bash")
    assert result.exit_code == 5
    assert "cannot be created" in result.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_with_the_installed_script(stored: Run, home: Path, tmp_path: Path) -> None:
    stored("completion", "install", "bash")
    program = tmp_path / "bin" / "horsesense"
    program.parent.mkdir()
    start = "import sys; from horsesense.__main__ import main; sys.argv[0] = 'horsesense'; main()"
    program.write_text(f'#!/bin/sh\nexec \'{sys.executable}\' -c "{start}" "$@"\n')
    program.chmod(0o755)
    script = (
        f"source '{script_path('bash')}'; COMP_WORDS=(horsesense dataset show ga); COMP_CWORD=3;"
        " _horsesense_completion horsesense; echo ${COMPREPLY[@]}; complete -p horsesense"
    )
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert done.stderr == ""
    offered, registered = done.stdout.splitlines()
    assert offered == "garden"
    assert "_horsesense_completion" in registered
