"""Models in the formats of Hugging Face: the embedded default, folders, GGUF files, and the hub."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from horsesense.models.huggingface.files.embedded import (
    embedded_folder,
    embedded_path,
    remove_embedded,
)
from horsesense.models.huggingface.files.gguf import converted_folder
from horsesense.models.huggingface.files.hub import cached_folder, model_folder
from horsesense.models.huggingface.files.knowledge import know_folder
from horsesense.models.huggingface.files.libraries import check_libraries, naming_model
from horsesense.models.huggingface.files.locations import (
    EmbeddedName,
    GgufFile,
    HubName,
    Location,
    ModelFolder,
    locate,
)
from horsesense.models.huggingface.files.weight_files import find_weights
from horsesense.models.huggingface.loaded import is_network, wrap_network
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.loading import (
    EMBEDDED,
    Available,
    LoadOptions,
    ModelProvider,
    size_on_disk,
)
from horsesense.models.protocol import Model

_REMEDY = "fetch it again, or try a newer transformers"


def _load(name: str, options: LoadOptions) -> HuggingFaceModel:
    location = locate(name)
    if not isinstance(location, HubName):
        options.refuse_revision(name)
    check_libraries()
    if options.anew and isinstance(location, EmbeddedName):
        remove_embedded(options.cache)
    with naming_model(name, "loaded", _REMEDY):
        folder = _folder(location, options)
        weights = find_weights(folder, allow_pickle=options.allow_pickle)
        known = know_folder(folder, weights, options.cache, options.progress)
    commit = folder.name if isinstance(location, HubName) else ""
    return HuggingFaceModel(
        replace(
            known.declaration,
            name=name,
            revision=commit,
            dtype=options.dtype,
            device=options.device,
        ),
        known.tokenizer,
        known.files,
        budget_bytes=options.budget_bytes,
        batch=options.batch,
        progress=options.progress,
    )


def _folder(location: Location, options: LoadOptions) -> Path:
    """The folder of a model, which is fetched or converted if need be."""
    match location:
        case EmbeddedName():
            return embedded_folder(options.cache, options.progress)
        case ModelFolder(path):
            return path
        case GgufFile(path):
            return converted_folder(path, options.cache, options.progress)
        case HubName(repository):
            return model_folder(
                repository,
                options.revision,
                allow_pickle=options.allow_pickle,
                refresh=options.refresh,
                progress=options.progress,
            )


def _is_local(name: str, cache: Path) -> bool:
    match locate(name):
        case HubName(repository):
            return cached_folder(repository, None) is not None
        case EmbeddedName():
            return embedded_path(cache).is_dir()
        case _:
            return True


def _wrap(model: object, tokenizer: object) -> Model | None:
    return wrap_network(model, tokenizer) if is_network(model) else None


def _available(cache: Path) -> Iterator[Available]:
    embedded = embedded_path(cache)
    if embedded.is_dir():
        yield Available(EMBEDDED, "embedded", embedded, _size(embedded))
    else:
        yield Available(EMBEDDED, "embedded")
    for folder in sorted((cache / "models").glob("gguf-*")):
        if folder.is_dir():
            yield Available(str(folder), "from GGUF", folder, _size(folder))
    yield from _from_hub()


def _size(folder: Path) -> int:
    return size_on_disk(path for path in folder.iterdir() if path.is_file())


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


PROVIDER = ModelProvider(
    "huggingface", "models in the formats of Hugging Face", _load, _available, _is_local, _wrap
)
