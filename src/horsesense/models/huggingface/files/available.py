"""The models that are at hand: our own, and those in the cache of the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from horsesense.models.huggingface.files.embedded import embedded_path
from horsesense.models.huggingface.files.locations import BASELINES, EMBEDDED, cache_folder


@dataclass(frozen=True, slots=True)
class Available:
    """A model that can be named, where its files are, and how many bytes they take.

    `folder` is None for what needs no files, and for what has not been fetched yet.
    """

    name: str
    kind: str
    folder: Path | None = None
    bytes: int = 0


def available_models(cache: Path | None = None) -> tuple[Available, ...]:
    """Everything that can be used without the network, and the embedded default in any case."""
    cache = cache or cache_folder()
    embedded = embedded_path(cache)
    is_here = embedded.is_dir()
    return (
        Available(
            EMBEDDED, "embedded", embedded if is_here else None, _size(embedded) if is_here else 0
        ),
        *(Available(name, "baseline") for name in BASELINES),
        *_converted(cache),
        *_from_hub(),
    )


def size_on_disk(paths: Iterable[Path]) -> int:
    """How many bytes some files take."""
    return sum(path.stat().st_size for path in paths)


def _size(folder: Path) -> int:
    return size_on_disk(path for path in folder.iterdir() if path.is_file())


def _converted(cache: Path) -> Iterator[Available]:
    for folder in sorted((cache / "models").glob("gguf-*")):
        if folder.is_dir():
            yield Available(str(folder), "from GGUF", folder, _size(folder))


def _from_hub() -> Iterator[Available]:
    for repository in _hub_cache():
        for revision in repository.revisions:
            names = {file.file_name for file in revision.files}
            if "config.json" in names and "main" in revision.refs:
                path = Path(revision.snapshot_path)
                yield Available(repository.repo_id, "hub", path, int(revision.size_on_disk))


def _hub_cache() -> list[Any]:
    try:
        from huggingface_hub import constants, scan_cache_dir
        from huggingface_hub.errors import CacheNotFound
    except ImportError:
        return []
    try:
        found = scan_cache_dir(constants.HF_HUB_CACHE)
    except CacheNotFound:
        return []
    models = (repository for repository in found.repos if repository.repo_type == "model")
    return sorted(models, key=lambda repository: str(repository.repo_id))
