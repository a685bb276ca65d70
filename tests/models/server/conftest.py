from collections.abc import Iterator
from pathlib import Path

import pytest

from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.web import serving
from tests.models.conftest import Models
from tests.servers.llama_cpp import llama_cpp_server


@pytest.fixture(scope="session")
def llama_cpp_url() -> Iterator[str]:
    """The address of llama.cpp's own server with the embedded default and four slots."""
    with llama_cpp_server() as url:
        yield url


@pytest.fixture(scope="session")
def small_model(kept_models: Models) -> HuggingFaceModel:
    """A small causal model on this machine, whose tokenizer adds nothing to a text."""
    return kept_models("gpt2")


@pytest.fixture(scope="session")
def small_url(small_model: HuggingFaceModel) -> Iterator[str]:
    """The address of a real server with the small model."""
    with serving(small_model) as url:
        yield url


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries follow each other at once."""
    monkeypatch.setattr("horsesense.models.server.client.FIRST_WAIT", 0.001)


@pytest.fixture(autouse=True)
def own_answering_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names under which servers answer are kept for one test only."""
    monkeypatch.setattr(
        "horsesense.models.server.answering_name.FOLDER", str(tmp_path / "answering")
    )


@pytest.fixture(autouse=True)
def unclaimed_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """No host has the key yet."""
    monkeypatch.setattr("horsesense.models.server.keys._OWNER.host", None)
