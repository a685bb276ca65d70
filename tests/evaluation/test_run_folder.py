from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from horsesense.errors import FileError
from horsesense.evaluation.run_folder import (
    MANIFEST,
    Files,
    RunFiles,
    folders_of,
    is_whole,
    refuse_foreign,
    write_run,
)
from horsesense.results import Plan, Record

RECORD = Record(
    id="ab12",
    key="ab12cd34",
    plan=Plan(models=("longer",), data=("garden",)),
    horsesense="0",
    program="0",
    versions=(),
    machine=(),
    started_at="",
    finished_at="",
    seconds=0.0,
    queries=0,
    asked=0,
)
NEWER = replace(RECORD, id="ef56", key="ef56")
OTHER = replace(NEWER, plan=replace(RECORD.plan, seed=1))
FILES = [("report.md", b"# Owls\n"), ("csv/values.csv", b"a,b\n")]


def files() -> Iterator[tuple[str, bytes]]:
    return iter(FILES)


def never() -> Iterator[tuple[str, bytes]]:
    raise AssertionError("nothing is to be made again")


def write(folder: Path, record: Record, make: Callable[[], Files], *, overwrite: bool) -> bool:
    return write_run(folder, RunFiles(record, (), make), overwrite=overwrite)


def test_a_folder_is_written_once_and_then_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "ab12"
    assert write(folder, RECORD, files, overwrite=False)
    assert (folder / "csv" / "values.csv").read_bytes() == b"a,b\n"
    assert json.loads((folder / MANIFEST).read_text())["id"] == "ab12"
    assert not write(folder, RECORD, never, overwrite=False)


def test_what_is_missing_is_written_again(tmp_path: Path) -> None:
    write(tmp_path / "run", RECORD, files, overwrite=False)
    (tmp_path / "run" / "report.md").unlink()
    assert not is_whole(tmp_path / "run", RECORD)
    assert write(tmp_path / "run", RECORD, files, overwrite=False)
    assert is_whole(tmp_path / "run", RECORD)


def test_what_somebody_has_edited_is_overwritten_on_request_only(tmp_path: Path) -> None:
    write(tmp_path / "run", RECORD, files, overwrite=False)
    edited = tmp_path / "run" / "report.md"
    edited.write_text("mine")
    with pytest.raises(FileError, match="report.md was changed since it was written"):
        write(tmp_path / "run", RECORD, files, overwrite=False)
    assert edited.read_text() == "mine"
    assert write(tmp_path / "run", RECORD, files, overwrite=True)
    assert edited.read_bytes() == b"# Owls\n"


def test_another_run_is_overwritten_on_request_only_and_whole(tmp_path: Path) -> None:
    write(tmp_path / "run", RECORD, files, overwrite=False)
    with pytest.raises(FileError, match="is the folder of run ab12, which has another plan"):
        write(tmp_path / "run", OTHER, files, overwrite=False)
    assert write(tmp_path / "run", OTHER, lambda: [("report.md", b"other")], overwrite=True)
    left = {path.name for path in (tmp_path / "run").rglob("*") if path.is_file()}
    assert left == {"report.md", MANIFEST}


def test_the_same_plan_under_a_newer_program_takes_the_place_of_its_own_run(
    tmp_path: Path,
) -> None:
    write(tmp_path / "run", RECORD, files, overwrite=False)
    assert write(tmp_path / "run", NEWER, lambda: [("report.md", b"newer")], overwrite=False)
    assert is_whole(tmp_path / "run", NEWER)
    (tmp_path / "run" / "report.md").write_text("mine")
    with pytest.raises(FileError, match="report.md was changed since it was written"):
        write(tmp_path / "run", RECORD, files, overwrite=False)


def test_a_run_that_was_made_anew_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "run", RECORD, files, overwrite=False)
    fresh = replace(RECORD, finished_at="later")
    assert not is_whole(tmp_path / "run", fresh)
    assert write(tmp_path / "run", fresh, lambda: [("report.md", b"fresh")], overwrite=False)
    assert (tmp_path / "run" / "report.md").read_bytes() == b"fresh"
    assert is_whole(tmp_path / "run", fresh)
    monkeypatch.setattr("horsesense.evaluation.run_folder.page_hash", lambda: "another template")
    assert not is_whole(tmp_path / "run", fresh)


def test_foreign_files_are_refused_and_stay(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FileError, match="has files that are not from a run"):
        refuse_foreign(tmp_path, overwrite=False)
    assert write(tmp_path, RECORD, files, overwrite=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    with pytest.raises(FileError, match="is not a folder"):
        refuse_foreign(tmp_path / "notes.txt", overwrite=True)


@pytest.mark.parametrize("damaged", ["", "[]", '{"id": "ab12"}', '{"id": 1, "key": 2, "files": 3}'])
def test_a_damaged_note_is_none(tmp_path: Path, damaged: str) -> None:
    (tmp_path / MANIFEST).write_text(damaged)
    assert not is_whole(tmp_path, RECORD)
    with pytest.raises(FileError, match="has files that are not from a run"):
        refuse_foreign(tmp_path, overwrite=False)


def test_a_note_does_not_reach_out_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    write(folder, RECORD, files, overwrite=False)
    (tmp_path / "precious").write_text("mine")
    told = json.loads((folder / MANIFEST).read_text())
    told["files"]["../precious"] = "0"
    (folder / MANIFEST).write_text(json.dumps(told))
    write(folder, OTHER, files, overwrite=True)
    assert (tmp_path / "precious").exists()


def test_two_may_write_the_same_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def while_another_writes() -> Iterator[tuple[str, bytes]]:
        write(folder, RECORD, files, overwrite=False)
        return files()

    write(folder, RECORD, while_another_writes, overwrite=False)
    assert is_whole(folder, RECORD)


def test_whoever_fails_takes_what_another_has_written(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def while_another_writes() -> Iterator[tuple[str, bytes]]:
        write(folder, RECORD, files, overwrite=False)
        raise FileError("the disk is full")

    assert not write(folder, RECORD, while_another_writes, overwrite=False)
    assert is_whole(folder, RECORD)


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be created"):
        write(tmp_path / "file" / "runs" / "ab12", RECORD, files, overwrite=False)


def test_a_folder_is_found_by_the_plan_of_its_run(tmp_path: Path) -> None:
    folder, other = tmp_path / "run", replace(RECORD.plan, seed=1)
    write(folder, RECORD, files, overwrite=False)
    assert folders_of(RECORD.plan, folder) == [folder]
    assert folders_of(other, folder) == []
    assert folders_of(RECORD.plan, tmp_path / "none") == []


def test_a_page_without_figures_is_written_again_once_they_can_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = RunFiles(RECORD, (), files, no_figures="figures need matplotlib")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "matplotlib", None)
        write_run(tmp_path / "run", run, overwrite=False)
        assert is_whole(tmp_path / "run", RECORD)
    assert not is_whole(tmp_path / "run", RECORD)
    assert write(tmp_path / "run", RECORD, files, overwrite=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert is_whole(tmp_path / "run", RECORD)


def test_the_manifest_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    write(tmp_path, RECORD, files, overwrite=False)
    told = json.loads((tmp_path / MANIFEST).read_text())
    del told["no_figures"], told["plan"]["keep_going"]
    (tmp_path / MANIFEST).write_text(json.dumps(told))
    assert is_whole(tmp_path, RECORD)
    assert folders_of(RECORD.plan, tmp_path) == [tmp_path]
