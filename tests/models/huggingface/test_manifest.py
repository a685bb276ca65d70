"""What is kept of a model folder, and when it is no longer believed."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from horsesense.errors import ModelError
from horsesense.models import load_model
from horsesense.models.huggingface.manifest import manifest_path, tokenizer_path
from horsesense.models.huggingface.model import HuggingFaceModel
from tests.models.conftest import Folders

LONG_AGO = 1_600_000_000


@pytest.fixture
def folder(own_folder: Folders) -> Path:
    """A folder whose files are old enough to be believed."""
    made = own_folder("bert")
    for path in made.iterdir():
        os.utime(path, (LONG_AGO, LONG_AGO))
    return made


@pytest.fixture
def inspections(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were looked into with all libraries."""
    from horsesense.models.huggingface import inspection

    seen: list[Path] = []
    whole = inspection.inspect_folder

    def counting(folder: Path, *rest: object) -> object:
        seen.append(folder)
        return whole(folder, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(inspection, "inspect_folder", counting)
    return seen


def load(folder: Path, cache: Path) -> HuggingFaceModel:
    model = load_model(str(folder), cache=cache)
    assert isinstance(model, HuggingFaceModel)
    return model


def test_a_folder_is_looked_into_once(
    folder: Path, model_cache: Path, inspections: list[Path]
) -> None:
    first, second = load(folder, model_cache), load(folder, model_cache)
    assert first.info == second.info
    assert first.tokenize("Goats.") == second.tokenize("Goats.")
    assert inspections == [folder]


def test_nothing_is_hashed_if_nothing_has_changed(
    folder: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = load(folder, model_cache).info
    monkeypatch.delattr("horsesense.models.huggingface.manifest.hash_files")
    assert load(folder, model_cache).info == before


def test_a_file_that_was_just_written_is_hashed_again_but_not_inspected(
    own_folder: Folders, model_cache: Path, inspections: list[Path]
) -> None:
    fresh = own_folder("bert")
    os.utime(fresh / "config.json")
    load(fresh, model_cache)
    told: list[str] = []
    load_model(str(fresh), cache=model_cache, progress=told.append)
    assert told == ["inspecting bert"] and inspections == [fresh]


def test_a_file_with_another_time_and_the_same_content_is_the_same(
    folder: Path, model_cache: Path, inspections: list[Path]
) -> None:
    load(folder, model_cache)
    os.utime(folder / "model.safetensors", (LONG_AGO + 5, LONG_AGO + 5))
    load(folder, model_cache)
    assert inspections == [folder]


def test_altered_weights_have_another_fingerprint(folder: Path, model_cache: Path) -> None:
    before = load(folder, model_cache).info
    weights = folder / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    after = load(folder, model_cache).info
    assert after.weights != before.weights and after.fingerprint != before.fingerprint


def test_a_file_put_in_the_place_of_another_is_noticed_whatever_its_time(
    folder: Path, model_cache: Path, tmp_path: Path
) -> None:
    before = load(folder, model_cache).info.weights
    weights, other = folder / "model.safetensors", tmp_path / "other"
    other.write_bytes(weights.read_bytes()[:-1] + b"\7")
    os.utime(other, (LONG_AGO, LONG_AGO))
    other.replace(weights)
    assert load(folder, model_cache).info.weights != before


def test_a_new_file_is_noticed(folder: Path, model_cache: Path, inspections: list[Path]) -> None:
    load(folder, model_cache)
    (folder / "added_tokens.json").write_text("{}")
    load(folder, model_cache)
    assert len(inspections) == 2


def test_a_folder_elsewhere_is_another(
    folder: Path, model_cache: Path, tmp_path: Path, inspections: list[Path]
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    first, second = load(folder, model_cache), load(copy, model_cache)
    assert first.info.fingerprint == second.info.fingerprint
    assert inspections == [folder, copy]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"form": 1}', '{"form": 99}', "\0"])
def test_a_damaged_manifest_is_made_anew(folder: Path, model_cache: Path, content: str) -> None:
    before = load(folder, model_cache).info
    path = manifest_path(model_cache, folder)
    path.write_text(content)
    assert load(folder, model_cache).info == before
    assert json.loads(path.read_text())["declaration"]["family"] == "masked"


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_text("{}")])
def test_a_damaged_tokenizer_in_the_cache_is_made_anew(
    folder: Path, model_cache: Path, spoil: object
) -> None:
    assert callable(spoil)
    before = load(folder, model_cache)
    spoil(tokenizer_path(model_cache, before.info.tokenizer))
    assert load(folder, model_cache).tokenize("Goats.") == before.tokenize("Goats.")


def test_another_version_of_the_library_looks_again(
    folder: Path, model_cache: Path, inspections: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    load(folder, model_cache)
    monkeypatch.setattr("horsesense.models.huggingface.manifest.version", lambda _name: "99.0")
    load(folder, model_cache)
    assert len(inspections) == 2


def test_a_cache_that_cannot_be_written_is_no_error(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert load(folder, tmp_path / "file" / "cache").info.vocabulary == 30_522


def test_a_model_that_was_changed_since_is_not_asked(folder: Path, model_cache: Path) -> None:
    model = load(folder, model_cache)
    os.utime(folder / "model.safetensors", (LONG_AGO + 5, LONG_AGO + 5))
    with pytest.raises(ModelError, match="was changed while it was in use; start again"):
        model.load_network()


def _load_in_process(folder: str, cache: str) -> str:
    return load_model(folder, cache=Path(cache)).info.fingerprint


def test_two_processes_may_look_at_once(folder: Path, model_cache: Path) -> None:
    jobs = [(str(folder), str(model_cache))] * 2
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        first, second = pool.starmap(_load_in_process, jobs)
    assert first == second == load(folder, model_cache).info.fingerprint
    left = [path.name for path in model_cache.rglob("*") if path.name.startswith(".")]
    assert left == []


def test_a_model_that_is_known_needs_no_torch(folder: Path, model_cache: Path) -> None:
    load(folder, model_cache)
    code = (
        "import sys; from pathlib import Path\n"
        "from horsesense.models import load_model\n"
        "model = load_model(sys.argv[1], cache=Path(sys.argv[2]))\n"
        "assert model.tokenize('The goat ate.').ids and model.info.fingerprint\n"
        "loaded = {'torch', 'transformers', 'numpy'} & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", code, str(folder), str(model_cache)], check=True)


@pytest.mark.parametrize("module", ["horsesense.models", "horsesense.cli.main"])
def test_importing_loads_neither_torch_nor_transformers(module: str) -> None:
    code = f"import sys, {module}; sys.exit(bool({{'torch', 'transformers'}} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)
