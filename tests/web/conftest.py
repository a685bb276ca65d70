from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest

from horsesense.models import load_model
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.web import serving
from tests.models.tiny import save_tiny
from tests.web.served import Client, Reference

Folders: TypeAlias = Callable[[str], Path]
Models: TypeAlias = Callable[[str], HuggingFaceModel]
Clients: TypeAlias = Callable[[str], Client]


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    """Torch with one thread: networks as small as the tests' are slower with more."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The folders of small models by their names."""
    return cache(lambda name: save_tiny(name, tmp_path_factory.mktemp("models") / name))


@pytest.fixture(scope="session")
def models(folders: Folders, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """The small models by their names."""

    @cache
    def load(name: str) -> HuggingFaceModel:
        model = load_model(str(folders(name)), cache=tmp_path_factory.mktemp("cache"))
        assert isinstance(model, HuggingFaceModel)
        return model

    return load


@pytest.fixture(scope="session")
def clients(models: Models) -> Iterator[Clients]:
    """A client of a server for each of the small models."""
    with ExitStack() as stack:

        @cache
        def client(name: str) -> Client:
            url = stack.enter_context(serving(models(name)))
            made = Client(url, models(name).info.name)
            stack.enter_context(made.http)
            return made

        yield client


@pytest.fixture(scope="session")
def references(folders: Folders) -> Callable[[str], Reference]:
    """A slow reference for each of the small models."""
    return cache(lambda name: Reference(folders(name)))
