from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.datasets.fetching.servers import Server, serving


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no other settings than those of the test."""
    for name in ("HORSESENSE_OFFLINE", "HF_HUB_OFFLINE", "HF_ENDPOINT", "HORSESENSE_DATA_MIRROR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def server(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server in place of GitHub and of the hub, without any files."""
    with serving() as server:
        monkeypatch.setenv("HORSESENSE_DATA_MIRROR", server.address)
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        yield server
