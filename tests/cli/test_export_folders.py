from __future__ import annotations

import re
from pathlib import Path

import pytest

from horsesense.datasets.exporters import EXPORTS, FolderExport
from tests.cli.conftest import Run, write

FOLDERS = [name for name, export in EXPORTS.items() if isinstance(export, FolderExport)]


def files_in(folder: str) -> list[str]:
    paths = Path(folder).rglob("*")
    return sorted(str(path.relative_to(folder)) for path in paths if path.is_file())


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_needs_a_name(moored: Run, name: str) -> None:
    for output in ([], ["--output", "-"]):
        result = moored("dataset", "export", "harbour", "--format", name, *output)
        assert (result.exit_code, result.stdout) == (5, "")
        assert result.stderr == f"Error: {name} writes a folder; name one with --output\n"


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("hf", ["README.md", "data/test.parquet"]),
        (
            "lm-eval",
            [
                "README.md",
                "harbour.jsonl",
                "harbour_full.yaml",
                "harbour_partial.yaml",
                "load_harbour.py",
            ],
        ),
    ],
)
def test_a_folder_holds_all_its_files(moored: Run, name: str, files: list[str]) -> None:
    result = moored("dataset", "export", "harbour", "--format", name, "--output", "out")
    assert result.exit_code == 0
    assert result.stderr.startswith("out: 3 entries, 5 problems of harbour@1\n")
    assert files_in("out") == files


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_that_holds_something_is_replaced_only_by_force(moored: Run, name: str) -> None:
    arguments = ["dataset", "export", "harbour", "--format", name, "--output", "out"]
    Path("out").mkdir()
    assert moored(*arguments).exit_code == 0  # an empty one is free
    before = files_in("out")
    result = moored(*arguments)
    assert result.exit_code == 5
    assert "out already exists; --force (overwrite=True) overwrites its files" in result.stderr
    assert moored(*arguments, "--force").exit_code == 0
    assert files_in("out") == before


@pytest.mark.parametrize("name", FOLDERS)
def test_force_does_not_throw_away_what_no_export_has_made(moored: Run, name: str) -> None:
    store = Path("horsesense.db").read_bytes()
    write("draft.txt", "years of work")
    moored("dataset", "export", "harbour", "--format", name, "--output", ".", "--force")
    assert Path("draft.txt").read_text() == "years of work"
    assert Path("horsesense.db").read_bytes() == store


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_that_cannot_be_written_is_an_error_and_leaves_nothing(
    moored: Run, name: str
) -> None:
    write("file", "a file")
    before = sorted(Path().iterdir())
    for output, why in (
        ("file", "is not a folder"),
        ("file/out", "cannot be written: Not a directory"),
        ("nowhere/out", "cannot be written: No such file or directory"),
        ("/proc/out", "cannot be written"),
    ):
        arguments = ["--format", name, "--output", output, "--force"]
        result = moored("dataset", "export", "harbour", *arguments)
        assert result.exit_code == 5
        assert why in result.stderr
    assert sorted(Path().iterdir()) == before
    assert Path("file").read_text() == "a file"


def test_a_folder_is_written_through_a_link(moored: Run) -> None:
    Path("real").mkdir()
    Path("link").symlink_to("real")
    arguments = ["dataset", "export", "harbour", "--format", "lm-eval", "--output", "link"]
    assert moored(*arguments).exit_code == 0
    assert Path("link").is_symlink() and "load_harbour.py" in files_in("real")


def test_tasks_of_two_datasets_in_one_folder_read_each_its_own_problems(
    moored: Run, garden: Path
) -> None:
    moored("dataset", "import", garden.name)
    for name in ("harbour", "garden"):
        arguments = ["--format", "lm-eval", "--output", "tasks", "--force"]
        assert moored("dataset", "export", name, *arguments).exit_code == 0
    for name in ("harbour", "garden"):
        task = Path("tasks", f"{name}_full.yaml").read_text()
        loader = re.search(r"!function (\w+)\.", task)
        assert loader is not None
        assert f'"{name}.jsonl"' in Path("tasks", f"{loader[1]}.py").read_text()
