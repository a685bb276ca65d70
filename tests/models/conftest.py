from __future__ import annotations

import shutil
import socket
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import pytest

from tests.models.tiny import save_tiny

if TYPE_CHECKING:
    from horsesense.models.huggingface.model import HuggingFaceModel

Folders: TypeAlias = Callable[[str], Path]
Models: TypeAlias = "Callable[[str], HuggingFaceModel]"


@pytest.fixture(scope="session")
def kept_folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The folders of small models by their names, each made once; not to be changed."""
    return cache(lambda name: save_tiny(name, tmp_path_factory.mktemp(name)))


@pytest.fixture(scope="session")
def kept_models(kept_folders: Folders, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """The small models by their names, each loaded once; not to be changed."""
    from horsesense.models import load_model
    from horsesense.models.huggingface.model import HuggingFaceModel

    @cache
    def load(name: str) -> HuggingFaceModel:
        model = load_model(str(kept_folders(name)), cache=tmp_path_factory.mktemp("cache"))
        assert isinstance(model, HuggingFaceModel)
        return model

    return load


@pytest.fixture
def own_folder(kept_folders: Folders, tmp_path: Path) -> Folders:
    """Copies of these folders, which a test may spoil."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(kept_folders(name), tmp_path / name))

    return copy


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """Torch with one thread: networks as small as the tests' are slower with more."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def model_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for models, and an empty one of the hub."""
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "cache"


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reaches for the network fails."""

    def connect(*_arguments: object) -> NoReturn:
        raise AssertionError("something reached for the network")

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", connect)
