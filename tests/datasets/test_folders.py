"""Folders as data: what is in them is imported, and what nothing reads is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from horsesense import evaluate, load_dataset
from horsesense.cli.main import cli
from horsesense.datasets import folders
from horsesense.datasets.folders import datasets_in, is_folder, unread_message
from horsesense.errors import FileError
from horsesense.store import import_dataset

LORRY = "a lorry <can, cannot> pass under a {high, low} bridge\n"
BARGE = "a barge <can, cannot> pass under a {high, low} bridge\n"
ROWS = (
    '{"qID": "W1-1", "sentence": "The oar hit the buoy, for the _ was long.",'
    ' "option1": "oar", "option2": "buoy", "answer": "1"}\n'
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "port/a/river.schemas": LORRY,
        "port/b/river.schemas": BARGE,
        "port/b/boats.jsonl": ROWS,
        "port/b/wrong.schemas": "a lorry <can",
        "port/named.schemas": f"---\nname: quay\n---\n{LORRY}",
        "port/notes.md": "Not a dataset.",
        "port/labels.lst": "1\n2\n",
        "port/.hidden/river.schemas": LORRY,
        "empty/notes.md": "Not a dataset.",
        "single/river.schemas": LORRY,
        "single/notes.md": "Not a dataset.",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "port"


def run(store: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--store", str(store), *arguments])


def test_every_file_of_a_format_is_a_dataset(folder: Path) -> None:
    names, unread = datasets_in("port")
    assert {str(Path(path).as_posix()): name for path, name in names.items()} == {
        "port/a/river.schemas": "a-river",
        "port/b/boats.jsonl": "boats",
        "port/b/river.schemas": "b-river",
        "port/b/wrong.schemas": "wrong",
        "port/named.schemas": "quay",
    }
    assert unread_message("port", unread) == "port: no format reads labels.lst, notes.md"


def test_many_files_that_nothing_reads_are_counted() -> None:
    unread = [f"port/{letter}" for letter in "abcdefg"]
    assert unread_message("port", unread) == "port: no format reads a, b, c, d, e and 2 more"


def test_a_huge_file_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_MOST_BYTES", 10)
    with pytest.raises(FileError, match="port has no file in a known format"):
        datasets_in("port")


def test_a_file_that_cannot_be_read_is_none_of_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(path: str) -> None:
        raise FileError(f"{path} cannot be read")

    monkeypatch.setattr(folders, "source_file", unreadable)
    with pytest.raises(FileError, match="has no file in a known format"):
        datasets_in("port")


def test_the_name_of_a_dataset_is_not_that_of_a_folder(folder: Path) -> None:
    for name in ("winogrande", "hs-winograd", "quarry"):
        Path(name).mkdir()
    assert [is_folder(name) for name in ("winogrande", "hs-winograd", "quarry", "no-such")] == [
        False,
        False,
        True,
        False,
    ]
    assert is_folder("./winogrande")


def test_a_folder_is_imported_with_the_rest_reported(folder: Path, store_path: Path) -> None:
    result = run(store_path, "dataset", "import", "port")
    assert [line.partition(":")[0] for line in result.stdout.splitlines()] == [
        "a-river",
        "boats",
        "b-river",
        "quay",
    ]
    assert "port: no format reads labels.lst, notes.md" in result.stderr
    assert "wrong.schemas:1:" in result.stderr and result.exit_code == 1


def test_an_empty_folder_does_not_keep_others_from_being_imported(
    folder: Path, store_path: Path
) -> None:
    result = run(store_path, "dataset", "import", "empty", "single")
    assert result.stdout.startswith("river: stored version 1") and result.exit_code == 5
    assert "Error: empty has no file in a known format; see `horsesense dataset" in result.stderr


def test_a_folder_of_one_dataset_can_be_named_and_loaded(folder: Path, store_path: Path) -> None:
    result = run(store_path, "dataset", "import", "single", "--name", "own")
    assert result.stdout == "own: stored version 1, 1 entry\n"
    assert run(store_path, "dataset", "import", "port", "--name", "own").exit_code == 2
    assert import_dataset(store_path, "single").saved.dataset.name == "river"
    assert load_dataset("single").name == "river"
    with pytest.raises(FileError, match="port has 5 datasets; name one: .*river.schemas"):
        load_dataset("port")


def test_a_folder_is_evaluated_dataset_by_dataset(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "b" / "wrong.schemas").unlink()
    results = evaluate("longer", ["port", "single", "empty"], perturbations="none")
    assert [dataset.name for dataset in results.datasets] == [
        *("a-river", "boats", "b-river", "quay", "river")
    ]
    (missing,) = (skipped for skipped in results.skipped if skipped.is_named)
    assert "empty has no file in a known format" in missing.reason


def test_the_only_dataset_of_a_folder_is_scored(folder: Path, store_path: Path) -> None:
    result = run(store_path, "score", "--data", "single", "--model", "longer")
    assert result.exit_code == 0 and result.stdout.startswith("method  problems")
    result = run(store_path, "score", "port", "--model", "longer")
    assert "port has 5 datasets; name one:" in result.stderr and result.exit_code == 5
