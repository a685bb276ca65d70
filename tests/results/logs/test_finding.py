"""The logs of a folder."""

from pathlib import Path
from shutil import copy, copytree

import pytest

from horsesense.errors import FileError, MetricError
from horsesense.results.logs import read_log
from tests.results.logs.logs import INSPECT, LIGHTEVAL, SCORED, lines, rows_of, samples


def test_our_own_file_is_found_by_its_lines(tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_bytes(lines([{"owl": 1}]))
    (tmp_path / "folder.jsonl").mkdir()
    copy(SCORED, tmp_path / "run.jsonl")
    assert read_log(tmp_path) == read_log(SCORED)


def test_our_own_files_of_two_models_are_to_be_given_one_at_a_time(tmp_path: Path) -> None:
    rows = rows_of(SCORED)
    for model in ("hoot", "toot"):
        named = [{**row, "model": model} for row in rows]
        (tmp_path / f"{model}.jsonl").write_bytes(lines(named))
    with pytest.raises(MetricError, match="logs of 2 models, hoot, toot; give one at a time"):
        read_log(tmp_path)


def test_one_model_on_two_datasets_is_two_tasks(tmp_path: Path) -> None:
    for name in ("owls", "voles"):
        named = [{**row, "dataset": name} for row in rows_of(SCORED)]
        (tmp_path / f"{name}.jsonl").write_bytes(lines(named))
    assert [one.task for one in read_log(tmp_path)] == ["owls", "owls", "voles", "voles"]


@pytest.mark.parametrize("below", ["", "one"])
def test_folders_are_searched_so_deep(tmp_path: Path, below: str) -> None:
    target = tmp_path / below
    target.mkdir(exist_ok=True)
    copy(samples("wino"), target)
    assert [one.task for one in read_log(tmp_path)] == ["wino"]


@pytest.mark.parametrize("path", [samples("wino"), SCORED, INSPECT / "mock" / "shore.eval"])
def test_and_no_deeper(tmp_path: Path, path: Path) -> None:
    (tmp_path / "one" / "two").mkdir(parents=True)
    copy(path, tmp_path / "one" / "two")
    with pytest.raises(FileError) as raised:
        read_log(tmp_path)
    assert str(raised.value).startswith(f"{tmp_path}: no log in this folder: none of samples_")
    assert "no *.jsonl of `horsesense score --output`" in str(raised.value)


def test_lighteval_has_folders_for_organization_model_and_date(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    copytree(LIGHTEVAL / "details", tmp_path / "details" / "owls")
    assert {one.model for one in read_log(tmp_path)} == {"smollm2-135m"}
    copytree(tmp_path / "details", tmp_path / "deeper" / "details")
    (tmp_path / "details").rename(tmp_path / "deeper" / "more")
    with pytest.raises(FileError, match="no log in this folder"):
        read_log(tmp_path)


@pytest.mark.parametrize(
    "path, task",
    [(samples("wino"), "wino"), (INSPECT / "mock" / "shore-two-epochs.json.gz", "shore")],
)
def test_tasks_have_names_without_a_path(path: Path, task: str) -> None:
    assert {one.task for one in read_log(path)} == {task}


def test_files_that_are_named_otherwise_name_their_tasks(tmp_path: Path) -> None:
    copy(samples("wino"), tmp_path / "owls.jsonl")
    assert [one.task for one in read_log(tmp_path / "owls.jsonl")] == ["owls.jsonl"]


@pytest.mark.parametrize("source", [samples("wino"), SCORED])
def test_a_damaged_line_is_named_with_its_whole_path(tmp_path: Path, source: Path) -> None:
    path = tmp_path / source.name
    path.write_bytes(source.read_bytes() + b"{\n")
    with pytest.raises(FileError) as raised:
        read_log(path)
    assert str(raised.value).startswith(f"{path}:{len(rows_of(source)) + 1}: not JSON")


@pytest.mark.parametrize("name", ["details_owls.parquet", "owls.eval"])
def test_a_damaged_file_is_named_with_its_whole_path(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / name
    path.write_bytes(b"PAR1 and no more" if "details" in name else b"PK\x03\x04 and no more")
    with pytest.raises(FileError) as raised:
        read_log(path)
    assert str(raised.value).startswith(f"{path}: ")
