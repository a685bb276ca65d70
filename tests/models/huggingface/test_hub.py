"""Models by the names of the hub: from its cache, and from a hub that runs here for the test."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from horsesense.errors import ModelError
from horsesense.models import EMBEDDED, available_models, load_model
from horsesense.models.huggingface import provider
from horsesense.models.huggingface.model import HuggingFaceModel
from tests.models.conftest import Folders

NAME, COMMIT = "barn/owl", "0123456789abcdef0123456789abcdef01234567"
pytestmark = pytest.mark.usefixtures("model_cache")


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine is set to, the tests say themselves what they want."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)


@pytest.fixture
def cached(own_folder: Folders, model_cache: Path, tmp_path: Path) -> Path:
    """A model in the cache of the hub, as its own library leaves it there."""
    repository = tmp_path / "hub" / "models--barn--owl"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    (repository / "snapshots").mkdir()
    return own_folder("bert").rename(repository / "snapshots" / COMMIT)


def offline(monkeypatch: pytest.MonkeyPatch, switch: str) -> None:
    monkeypatch.setenv(switch, "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


def test_a_model_in_the_cache_is_used_without_asking(cached: Path, no_network: None) -> None:
    model = load_model(NAME)
    assert isinstance(model, HuggingFaceModel) and model.folder == cached
    assert (model.info.name, model.info.revision) == (NAME, COMMIT)


def test_a_model_in_the_cache_is_listed(cached: Path) -> None:
    found = available_models()[-1]
    assert (found.name, found.kind, found.folder) == (NAME, "hub", cached)
    assert found.bytes > 4_000_000


def test_a_commit_can_be_asked_for(cached: Path, no_network: None) -> None:
    assert load_model(NAME, revision=COMMIT).info.revision == COMMIT


def test_revisions_belong_to_the_hub(kept_folders: Folders) -> None:
    for name in (str(kept_folders("bert")), "uniform", EMBEDDED):
        with pytest.raises(ModelError, match="has no revisions; only models on the hub do"):
            load_model(name, revision="main")


@pytest.mark.parametrize("switch", ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"])
def test_the_switches_for_working_offline_are_respected(
    switch: str, monkeypatch: pytest.MonkeyPatch, no_network: None
) -> None:
    offline(monkeypatch, switch)
    with pytest.raises(ModelError, match=f"{switch} keeps it from being fetched; unset it"):
        load_model(NAME)


def test_a_broken_download_is_not_taken_for_a_model(
    cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cached / "model.safetensors").unlink()
    offline(monkeypatch, "HF_HUB_OFFLINE")
    with pytest.raises(ModelError, match="is not in the Hugging Face cache"):
        load_model(NAME)


def test_a_hub_out_of_reach_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_arguments: object, **_options: object) -> None:
        raise OSError("out of reach")

    monkeypatch.setattr(socket, "getaddrinfo", unreachable)
    monkeypatch.setattr(socket.socket, "connect", unreachable)
    with pytest.raises(ModelError, match="the hub cannot be reached; connect to it, give a local"):
        load_model(NAME)


class Hub(ThreadingHTTPServer):
    """A hub with one model, whose files are those of a folder."""

    folder: Path
    asked: list[str]

    def file(self, name: str) -> tuple[bytes, str]:
        content = (self.folder / name).read_bytes()
        return content, sha1(content).hexdigest()

    def tree(self) -> list[dict[str, Any]]:
        names = sorted(path.name for path in self.folder.iterdir())
        files = [(name, *self.file(name)) for name in names]
        return [
            {"type": "file", "path": name, "size": len(content), "oid": hash_}
            for name, content, hash_ in files
        ]


class Answering(BaseHTTPRequestHandler):
    """What the hub's library asks for when it takes a snapshot."""

    server: Hub

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        path = self.path.partition("?")[0]
        if not path.startswith((f"/api/models/{NAME}", f"/{NAME}/resolve/")):
            self._send(404, b"", {"X-Error-Code": "RepoNotFound"})
        elif path.startswith(f"/api/models/{NAME}/tree/"):
            self._send(200, json.dumps(self.server.tree()).encode())
        elif path.startswith("/api/models/"):
            self._send(200, json.dumps({"id": NAME, "sha": COMMIT, "siblings": []}).encode())
        else:
            content, hash_ = self.server.file(path.rpartition("/")[2])
            self._send(200, content, {"ETag": f'"{hash_}"', "X-Repo-Commit": COMMIT})

    def _send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub(own_folder: Folders, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with Hub(("localhost", 0), Answering) as server:
        server.folder, server.asked = own_folder("bert"), []
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://localhost:{server.server_port}"
        template = address + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
        monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr("huggingface_hub.hf_api.api.endpoint", address)
        yield server
        server.shutdown()


def test_a_model_is_fetched_once_with_what_it_needs_and_no_more(
    hub: Hub, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("pytorch_model.bin", "README.md", "model.onnx", "training.py"):
        (hub.folder / name).write_text("not wanted")
    told: list[str] = []
    first = load_model(NAME, progress=told.append)
    assert isinstance(first, HuggingFaceModel) and first.info.revision == COMMIT
    assert {path.name for path in first.folder.iterdir()} == {
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    }
    hub.asked.clear()
    load_model(NAME)
    assert hub.asked == [] and told[0] == f"fetching {NAME} from the hub"
    assert capfd.readouterr() == ("", "")


def test_a_model_is_brought_up_to_date_if_that_is_wanted(hub: Hub) -> None:
    load_model(NAME)
    hub.asked.clear()
    load_model(NAME, refresh=True)
    assert any(NAME in path for path in hub.asked)


def test_a_model_that_the_hub_has_only_as_pickle_says_so(hub: Hub) -> None:
    (hub.folder / "model.safetensors").rename(hub.folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="no weights as safetensors; .* use --allow-pickle"):
        load_model(NAME)


def test_a_name_that_the_hub_does_not_know_is_told(hub: Hub) -> None:
    with pytest.raises(ModelError, match="the hub has no such model, or keeps it private"):
        load_model("barn/mouse")


def test_a_model_that_was_fetched_without_its_chat_template_gets_it(
    hub: Hub, own_folder: Folders
) -> None:
    hub.folder = own_folder("llama")
    (hub.folder / "chat_template.jinja").write_text("{{ messages[0].content }}")
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(provider, "_FILES", ["config.json", "tokenizer*", "model*.safetensors"])
        language_model = load_model(NAME)
    assert not any("chat_template" in path for path in hub.asked)
    hub.asked.clear()
    chat_model = load_model(f"chat:{NAME}")
    assert chat_model.info.name == f"chat:{NAME}"
    assert chat_model.info.weights == language_model.info.weights
    assert not any("model.safetensors" in path for path in hub.asked)
    hub.asked.clear()
    assert load_model(f"chat:{NAME}").info == chat_model.info and hub.asked == []


def test_a_model_without_a_chat_template_on_the_hub_says_so(
    hub: Hub, own_folder: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.folder = own_folder("llama")
    for _ in range(2):
        with pytest.raises(ModelError, match="chat:barn/owl has no chat template"):
            load_model(f"chat:{NAME}")
        offline(monkeypatch, "HF_HUB_OFFLINE")
