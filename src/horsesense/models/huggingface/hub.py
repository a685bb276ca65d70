"""Models of the Hugging Face hub: from its cache where they are there, else fetched into it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from horsesense.errors import ModelError
from horsesense.models.huggingface.inspection import has_tokenizer
from horsesense.models.huggingface.libraries import missing_extra, reason
from horsesense.models.huggingface.weights import find_weights
from horsesense.models.loading import EMBEDDED

_FILES = [
    "config.json",
    "tokenizer*",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab*",
    "merges.txt",
    "*.model",
    "*.tiktoken",
    "model*.safetensors",
    "model.safetensors.index.json",
]
_PICKLE_FILES = ["pytorch_model*.bin", "pytorch_model.bin.index.json"]
# Folders hold the same weights again in forms for other programs.
_NOT_WANTED = ["*/*"]


def model_folder(
    repository: str,
    revision: str | None,
    *,
    allow_pickle: bool,
    refresh: bool,
    progress: Callable[[str], None],
) -> Path:
    """The folder of a model in the hub's cache, which is named after its commit.

    A model that is there whole is used as it is, and nobody is asked.
    """
    cached = None if refresh else cached_folder(repository, revision)
    if cached is not None and _is_whole(cached):
        return cached
    folder = _fetch(repository, revision, allow_pickle=allow_pickle, progress=progress)
    if not _has_weights(folder):
        raise ModelError(
            f"{repository} has no weights as safetensors; another revision may, or use "
            "--allow-pickle if you trust where it is from"
        )
    return folder


def cached_folder(repository: str, revision: str | None) -> Path | None:
    """The folder of a model in the hub's cache, whole or not; asks nobody."""
    found = _library().try_to_load_from_cache(repository, "config.json", revision=revision)
    return Path(found).parent if isinstance(found, str) else None


def _is_whole(folder: Path) -> bool:
    """False where a download was broken off."""
    return has_tokenizer(folder) and _has_weights(folder)


def _has_weights(folder: Path) -> bool:
    try:
        return bool(find_weights(folder, allow_pickle=True))
    except ModelError:
        return False


def _fetch(
    repository: str, revision: str | None, *, allow_pickle: bool, progress: Callable[[str], None]
) -> Path:
    hub = _library()
    if hub.constants.is_offline_mode():
        switch = "HF_HUB_OFFLINE" if os.environ.get("HF_HUB_OFFLINE") else "TRANSFORMERS_OFFLINE"
        raise ModelError(
            f"{repository} is not in the Hugging Face cache, and {switch} keeps it from being "
            f"fetched; unset it, give a local folder, or use {EMBEDDED}"
        )
    progress(f"fetching {repository} from the hub")
    try:
        folder = hub.snapshot_download(
            repository,
            revision=revision,
            allow_patterns=[*_FILES, *(_PICKLE_FILES if allow_pickle else [])],
            ignore_patterns=_NOT_WANTED,
            tqdm_class=_no_bar(hub.utils.tqdm),
        )
    except Exception as error:  # from wrong names to full disks; the library has many classes
        raise _cannot_fetch(repository, revision, error, hub.errors) from error
    return Path(folder)


def _cannot_fetch(
    repository: str, revision: str | None, error: Exception, errors: Any
) -> ModelError:
    local = f"give a local folder, or use {EMBEDDED}"
    if isinstance(error, errors.GatedRepoError):
        return ModelError(f"{repository} is open only to those who were granted access; {local}")
    if isinstance(error, errors.RevisionNotFoundError):
        return ModelError(f"{repository} has no revision {revision!r} on the hub; leave it out")
    if isinstance(error, errors.RepositoryNotFoundError):
        return ModelError(
            f"there is no folder {repository!r} here, and the hub has no such model, or keeps it "
            f"private; look at the spelling, {local}"
        )
    if isinstance(error, errors.LocalEntryNotFoundError):
        return ModelError(
            f"{repository} is not in the Hugging Face cache, and the hub cannot be reached; "
            f"connect to it, {local}"
        )
    return ModelError(f"{repository} cannot be fetched: {reason(error)}\n  try again, {local}")


def _no_bar(bar: Any) -> Any:
    """A class of progress bars that are never drawn."""

    def begin(self: Any, *arguments: Any, **options: Any) -> None:
        bar.__init__(self, *arguments, **{**options, "disable": True})

    return type("NoBar", (bar,), {"__init__": begin})


def _library() -> Any:
    try:
        import huggingface_hub
        import huggingface_hub.constants
        import huggingface_hub.errors
        import huggingface_hub.utils
    except ImportError as error:
        raise missing_extra() from error
    return huggingface_hub
