from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from horsesense.cli.groups import LazyGroup
from horsesense.cli.main import cli
from horsesense.metrics import METRICS
from horsesense.perturbations.registry import TRANSFORMATIONS
from tests.cli.conftest import Run
from tests.cli.terminal import HORSESENSE, in_terminal


def commands(
    group: click.Group, path: tuple[str, ...] = ()
) -> dict[tuple[str, ...], click.Command]:
    """Every command and group below a group, by its path."""
    context = click.Context(group)
    listed: dict[tuple[str, ...], click.Command] = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        listed[(*path, name)] = command
        if isinstance(command, click.Group):
            listed |= commands(command, (*path, name))
    return listed


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a command loads in a process of its own."""
    script = (
        "import sys; from click.testing import CliRunner; from horsesense.cli.main import cli;"
        "assert CliRunner().invoke(cli, sys.argv[1:]).exit_code == 0; print(*sys.modules)"
    )
    command = [sys.executable, "-c", script, *arguments]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_help_imports_no_command_and_nothing_heavy() -> None:
    loaded = loaded_by("--help")
    heavy = {"jinja2", "numpy", "rich", "scipy", "sqlite_utils", "torch", "transformers", "yaml"}
    assert not heavy & loaded
    ours = {name for name in loaded if name.startswith("horsesense.")}
    assert ours == {
        "horsesense.cli",
        "horsesense.cli.groups",
        "horsesense.cli.main",
        "horsesense.cli.place",
        "horsesense.errors",
    }


@pytest.mark.parametrize("command", ["run", "why", "metric compute", "dataset audit"])
def test_the_help_of_a_command_imports_no_heavy_library(command: str) -> None:
    loaded = loaded_by(*command.split(), "--help")
    assert not {"matplotlib", "pandas", "scipy", "torch", "transformers"} & loaded


def test_the_help_of_a_command_imports_no_other_command() -> None:
    loaded = loaded_by("schema", "--help")
    assert not {f"horsesense.cli.{name}" for name in ("dataset", "run", "score")} & loaded


@pytest.mark.parametrize(
    "group", [cli, *(one for one in commands(cli).values() if isinstance(one, LazyGroup))]
)
def test_the_short_help_of_a_command_is_that_of_its_docstring(group: LazyGroup) -> None:
    for name, (_, short_help) in group.lazy.items():
        command = group.get_command(click.Context(group), name)
        assert command is not None
        assert (command.name, command.get_short_help_str(1000)) == (name, short_help)


@pytest.mark.parametrize("path", commands(cli), ids=" ".join)
def test_every_command_has_help_with_an_example(run: Run, path: tuple[str, ...]) -> None:
    _, found, example = run(*path, "--help").stdout.partition("Example:")
    is_group = len(path) == 1
    assert is_group or (found and f"  horsesense {' '.join(path)}" in example)


@pytest.mark.parametrize("path", [(), *commands(cli)], ids=" ".join)
def test_help_fits_80_columns_and_cuts_no_line(run: Run, path: tuple[str, ...]) -> None:
    lines = run(*path, "--help").stdout.splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines if line.endswith("...") and "Usage" not in line] == []


@pytest.mark.parametrize(
    "path", [(), *(path for path, c in commands(cli).items() if isinstance(c, LazyGroup))]
)
def test_every_command_of_a_group_has_one_line_in_its_help(run: Run, path: tuple[str, ...]) -> None:
    group = commands(cli)[path] if path else cli
    assert isinstance(group, LazyGroup)
    help_lines = run(*path, "--help").stdout.splitlines()
    for name in group.list_commands(click.Context(group)):
        (line,) = (line for line in help_lines if line.startswith(f"  {name} "))
        assert line.endswith(".")


def test_every_command_is_in_exactly_one_section_and_newcomers_start_with_the_first() -> None:
    assert isinstance(cli, LazyGroup)
    listed = [name for section in cli.sections.values() for name in section]
    assert sorted(listed) == cli.list_commands(click.Context(cli))
    assert len(listed) == len(set(listed))
    assert next(iter(cli.sections)) == "Start here"


def test_no_help_and_no_source_of_a_definition_speaks_of_the_thesis() -> None:
    helps = [
        re.sub(
            r"--thesis\b|thesis-text|-thesis\b",
            "",
            command.get_help(click.Context(command, **cli.context_settings)),
        )
        for command in commands(cli).values()
    ]
    definitions = [metric.declared.source for metric in METRICS.values()]
    definitions += [transformation.source for transformation in TRANSFORMATIONS.values()]
    assert [text for text in (*helps, *definitions) if re.search(r"\bthesis", text)] == []


def test_help_and_version_have_short_names(run: Run) -> None:
    assert run("-V").stdout == run("--version").stdout != ""
    for path in ((), *commands(cli)):
        assert run(*path, "-h").stdout == run(*path, "--help").stdout


@pytest.mark.parametrize(
    ("long", "other"), [("--output", "-o"), ("--dataset", "--data"), ("--tasks", "--data")]
)
def test_an_option_has_the_same_names_in_every_command(long: str, other: str) -> None:
    with_it = [
        option.opts
        for command in commands(cli).values()
        for option in command.params
        if long in option.opts and not getattr(option, "is_flag", False)
    ]
    assert with_it
    assert all(other in names for names in with_it)


def test_a_misspelt_command_gets_the_nearest_one(run: Run) -> None:
    for arguments in (("dateset",), ("dataset", "imports")):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "did you mean" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("evaluate",), "run"),
        (("audit",), "dataset audit"),
        (("explain",), "metric explain or perturb explain"),
        (("cache", "clear"), "prune"),
        (("store", "repair"), "check --repair"),
        (("runs", "delete"), "remove"),
    ],
)
def test_a_command_by_another_name_leads_to_ours(
    run: Run, arguments: tuple[str, ...], meant: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert f"no command named {arguments[-1]!r}; did you mean {meant}?" in result.stderr


def test_the_store_is_chosen_by_option_or_variable(
    run: Run, garden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("--store", "one.db", "dataset", "import", garden.name)
    monkeypatch.setenv("HORSESENSE_STORE", "two.db")
    run("dataset", "import", garden.name)
    run("--store", "three.db", "dataset", "import", garden.name)
    assert sorted(path.name for path in garden.parent.glob("*.db")) == [
        "one.db",
        "three.db",
        "two.db",
    ]


def test_reading_does_not_make_a_store(run: Run, tmp_path: Path) -> None:
    result = run("--store", "typo.db", "dataset", "search", "owl")
    assert result.exit_code == 4
    assert "there is no store at typo.db; 'horsesense dataset import FILE' creates one" in (
        result.stderr
    )
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_store_is_refused_and_left_alone(run: Run, garden: Path) -> None:
    before = garden.read_bytes()
    result = run("--store", garden.name, "dataset", "import", garden.name)
    assert result.exit_code == 4
    assert "is not a horsesense store" in result.stderr
    assert garden.read_bytes() == before


def test_output_that_cannot_be_written_is_one_error(stored: Run) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*HORSESENSE, "dataset", "export", "garden"],
            stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert result.returncode == 5
    assert result.stderr == "Error: cannot write the output: No space left on device\n"


def test_help_that_cannot_be_written_is_one_error() -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*HORSESENSE, "--help"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert result.returncode == 5
    assert result.stderr == "Error: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("arguments", ["- <&-", "missing >&-", "missing 2>&-"])
def test_closed_streams_are_no_reason_for_a_traceback(arguments: str, tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m horsesense schema check {arguments}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=tmp_path)
    # What cannot be read exits with 5; a traceback would with 1.
    assert (result.returncode, "Traceback" in result.stderr) == (5, False)


def test_a_terminal_that_lacks_a_character_shows_its_code() -> None:
    result = subprocess.run(
        [*HORSESENSE, "schema", "show", "an owl <can, cannot> {fly, read}"],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )  # fmt: skip
    assert result.returncode == 0
    assert rb"\u2713  An owl can fly." in result.stdout


def test_store_after_the_command_says_where_it_goes(run: Run) -> None:
    result = run("dataset", "list", "--store", "x.db")
    assert result.exit_code == 2
    assert "--store goes before the command" in result.stderr


@pytest.mark.parametrize("command", ["report", "compare"])
def test_a_format_in_place_of_an_option_is_told_how_to_write_it(run: Run, command: str) -> None:
    result = run(command, "--latex")
    assert result.exit_code == 2
    assert "write --format latex" in result.stderr


def test_a_reader_that_stops_early_is_no_error(run: Run, tmp_path: Path) -> None:
    with (tmp_path / "many").open("w") as stream:
        stream.writelines(f"owl {n} <can, cannot> eat a {{vole, house}}\n" for n in range(3000))
    assert run("dataset", "import", "many").exit_code == 0
    command = f"'{sys.executable}' -m horsesense dataset export many | head -n 1"
    command += "; echo ${PIPESTATUS[0]}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("---\n141\n", "")


@pytest.mark.parametrize("command", ["--help", "dataset list", "dataset show garden"])
def test_a_reader_that_is_gone_ends_the_program_quietly(stored: Run, command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*HORSESENSE, *command.split()], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_an_error_that_nobody_reads_ends_the_program_quietly(run: Run) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*HORSESENSE, "dataset", "show", "moor"], stdout=writer, stderr=writer)
    os.close(writer)
    assert done.returncode == 141


def test_interrupting_an_import_stores_nothing_and_exits_with_130(tmp_path: Path) -> None:
    lines = (f"owl {n} <can, cannot> eat a {{vole, house}}\n" for n in range(30_000))
    (tmp_path / "many").write_text("".join(lines))
    process = subprocess.Popen(
        [*HORSESENSE, "dataset", "import", "many"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / "horsesense.db-wal").exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "Error: interrupted; unfinished work was not stored\n"
    listed = subprocess.run(
        [*HORSESENSE, "dataset", "list", "--json"], cwd=tmp_path, capture_output=True, text=True
    )
    assert all(dataset["is_built_in"] for dataset in json.loads(listed.stdout))


def test_a_terminal_gets_tables_of_its_width_and_a_pipe_whole_lines(tmp_path: Path) -> None:
    owls = ", ".join(f"owl {number}" for number in range(1, 30))
    command = [*HORSESENSE, "schema", "show", f"{owls} <do, do not> eat {{a vole, a house}}"]
    piped = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stdout
    assert f"O{owls[1:]} do eat a vole." in piped
    shown = in_terminal(command, tmp_path)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(map(len, plain.splitlines())) <= 80


def test_what_takes_a_while_shows_progress_on_a_terminal(tmp_path: Path) -> None:
    lines = (f"owl {n} <can, cannot> eat a {{vole, house}}\n" for n in range(1_000))
    (tmp_path / "many").write_text("".join(lines))
    # The while is made short, so that the test need not be long.
    impatient = "from horsesense.cli import main, output; output.QUIET_SECONDS = 0; main.main()"
    command = [sys.executable, "-c", impatient, "dataset"]
    shown = in_terminal([*command, "import", "many"], tmp_path)
    assert "importing many" in shown
    assert "many: stored version 1, 1000 entries" in shown
    assert "checking many@1" in in_terminal([*command, "check"], tmp_path)
    assert "exporting many" in in_terminal([*command, "export", "many", "--output", "x"], tmp_path)


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_is_no_error(tmp_path: Path, closed: str) -> None:
    command = f"{sys.executable} -m horsesense metric list {closed}"
    result = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def test_what_cannot_be_counted_shows_that_it_goes_on(tmp_path: Path) -> None:
    rows = [f"s{n},{n % 2},{n % 3 % 2}" for n in range(4_000)]
    (tmp_path / "many.csv").write_text("\n".join(["schema,tags,solved", *rows]) + "\n")
    impatient = "from horsesense.cli import main, output; output.QUIET_SECONDS = 0; main.main()"
    command = [sys.executable, "-c", impatient, "metric", "compute", "many.csv", "--metric", "a"]
    shown = in_terminal(command, tmp_path)
    assert "drawing resamples" in shown
    assert "problem-accuracy" in shown
