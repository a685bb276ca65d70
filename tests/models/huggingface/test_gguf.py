from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from horsesense.errors import ModelError
from horsesense.models import Family, load_model
from horsesense.models.huggingface import manifest
from horsesense.models.huggingface.manifest import remembered_hash
from horsesense.models.huggingface.model import HuggingFaceModel
from tests.models.huggingface.gguf_file import write_gguf

pytestmark = pytest.mark.usefixtures("no_network")


def load(path: Path, told: list[str] | None = None) -> HuggingFaceModel:
    progress = (told if told is not None else []).append
    model = load_model(str(path), progress=progress)
    assert isinstance(model, HuggingFaceModel)
    return model


def test_a_gguf_file_is_converted_once(tmp_path: Path, model_cache: Path) -> None:
    told: list[str] = []
    path = write_gguf(tmp_path / "owl.gguf")
    first, second = load(path, told), load(path, told)
    assert [line.split()[0] for line in told] == ["converting", "inspecting", "inspecting"]
    assert first.folder == second.folder and first.folder.parent == model_cache / "models"
    assert first.info.family is Family.CAUSAL and first.info.context == 64


def test_a_gguf_file_is_hashed_again_only_if_it_may_have_changed(
    tmp_path: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[Path] = []
    hash_file = manifest.hash_file

    def counting(path: Path) -> str:
        hashed.append(path)
        return hash_file(path)

    monkeypatch.setattr(manifest, "hash_file", counting)
    path = write_gguf(tmp_path / "owl.gguf")
    old = 1_600_000_000
    os.utime(path, (old, old))
    first = remembered_hash(path, model_cache)
    assert remembered_hash(path, model_cache) == first and hashed == [path]
    [record] = (model_cache / "hashes").iterdir()
    whole = record.read_bytes()
    for damaged in (b"", b"[]", whole[:-20], whole.replace(first.encode(), b"0")):
        record.write_bytes(damaged)
        assert remembered_hash(path, model_cache) == first
        assert record.read_bytes() != damaged
    hashed.clear()
    other = tmp_path / "other"
    other.write_bytes(path.read_bytes()[:-1] + b"\7")
    os.utime(other, (old, old))
    other.replace(path)
    assert remembered_hash(path, model_cache) != first and hashed == [path]
    os.utime(path)  # so recently that a later change could have left the same time
    remembered_hash(path, model_cache)
    remembered_hash(path, model_cache)
    assert len(hashed) == 3


def test_the_numbers_are_those_of_the_file(tmp_path: Path, model_cache: Path) -> None:
    from gguf import GGUFReader

    path = write_gguf(tmp_path / "owl.gguf")
    tensors = {tensor.name: tensor.data for tensor in GGUFReader(path).tensors}
    network = load(path).load_network()
    head = network.lm_head.weight.detach().numpy()
    np.testing.assert_array_equal(head, tensors["output.weight"])


def test_the_same_content_elsewhere_is_not_converted_again(
    tmp_path: Path, model_cache: Path
) -> None:
    first = load(write_gguf(tmp_path / "owl.gguf"))
    told: list[str] = []
    second = load(write_gguf(tmp_path / "other.gguf"), told)
    assert second.folder == first.folder and not any("converting" in line for line in told)


@pytest.mark.parametrize(("bos", "before"), [(None, ()), (False, ()), (True, (0,))])
def test_bos_is_put_first_if_the_file_says_so(
    bos: bool | None, before: tuple[int, ...], tmp_path: Path, model_cache: Path
) -> None:
    model = load(write_gguf(tmp_path / "owl.gguf", bos=bos))
    assert model.info.before == before
    spelt = [model.token_text(id) for id in model.tokenize("a goat").ids]
    assert spelt == ["<begin>"] * len(before) + ["a", "Ġgoat"]


def test_a_file_that_is_cut_off_is_no_model(tmp_path: Path, model_cache: Path) -> None:
    path = write_gguf(tmp_path / "owl.gguf")
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(ModelError, match=r"owl\.gguf cannot be read as a model"):
        load(path)
    assert [p.suffix for p in (model_cache / "models").iterdir()] == [".lock"]


def test_an_architecture_that_is_not_known_is_told(tmp_path: Path, model_cache: Path) -> None:
    path = write_gguf(tmp_path / "owl.gguf", architecture="goatnet")
    with pytest.raises(ModelError, match=r"cannot be read as a model: .*goatnet"):
        load(path)


def test_a_disk_that_fills_up_leaves_nothing_half_done(tmp_path: Path, model_cache: Path) -> None:
    path = write_gguf(tmp_path / "owl.gguf")
    code = "import sys; from horsesense.models import load_model; load_model(sys.argv[1])"

    def small_files_only() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    command = [sys.executable, "-B", "-c", code, str(path)]
    result = subprocess.run(command, preexec_fn=small_files_only, capture_output=True, text=True)
    assert "ModelError" in result.stderr and "free some space" in result.stderr
    assert [p.suffix for p in (model_cache / "models").iterdir()] == [".lock"]
