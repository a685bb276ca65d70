"""What is known of a model folder: from its manifest if that still holds, else found out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from horsesense.errors import ModelError
from horsesense.models.huggingface.files.architecture import read_config
from horsesense.models.huggingface.files.libraries import missing_extra
from horsesense.models.huggingface.files.manifest import (
    FileState,
    Manifest,
    contents,
    file_states,
    hash_files,
    load_manifest,
    load_tokenizer_json,
    manifest_path,
    save_manifest,
    save_tokenizer_json,
)
from horsesense.models.info import ModelInfo


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of a model, in the state in which they were looked at."""

    folder: Path
    weights: tuple[Path, ...]
    states: tuple[FileState, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        """All files that the model is read from."""
        return tuple(self.folder / state.name for state in self.states)

    @property
    def is_pickle(self) -> bool:
        """True if the weights are no safetensors."""
        return self.weights[0].suffix != ".safetensors"

    def check(self) -> None:
        """Fail if a file has changed: what was said of it would be kept as another's."""
        if file_states(self.folder, self.weights) != self.states:
            raise ModelError(f"{self.folder} was changed while it was in use; start again")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a model declares, but for its name and how it is used; and its tokenizer as JSON."""

    declaration: ModelInfo
    tokenizer: str
    files: ModelFiles


def know_folder(
    folder: Path, weights: tuple[Path, ...], cache: Path, progress: Callable[[str], None]
) -> Knowledge:
    """What is known of a folder. It takes seconds the first time, and none later."""
    read_config(folder)  # first: without one it is no model folder, whatever else is in it
    looked = time.time_ns()
    files = ModelFiles(folder, weights, file_states(folder, weights))
    kept = _kept(cache, folder)
    if kept is not None and kept[0].holds(files.states):
        return Knowledge(kept[0].declaration, kept[1], files)
    progress(f"looking into {folder.name}")
    hashes = hash_files(folder, files.states)
    if kept is not None and kept[0].content == contents(files.states, hashes):
        manifest, tokenizer = replace(kept[0], files=files.states, looked=looked), kept[1]
    else:
        declaration, tokenizer = _inspect(files, hashes)
        manifest = Manifest(files.states, hashes, looked, _reader(), declaration)
    files.check()
    save_tokenizer_json(cache, tokenizer)
    save_manifest(manifest_path(cache, folder), manifest)
    return Knowledge(manifest.declaration, tokenizer, files)


def _kept(cache: Path, folder: Path) -> tuple[Manifest, str] | None:
    manifest = load_manifest(manifest_path(cache, folder))
    if manifest is None or manifest.made_with != _reader():
        return None
    tokenizer = load_tokenizer_json(cache, manifest.declaration.tokenizer)
    return None if tokenizer is None else (manifest, tokenizer)


def _inspect(files: ModelFiles, hashes: tuple[str, ...]) -> tuple[ModelInfo, str]:
    # Here, as what it does needs libraries that are otherwise not imported.
    from horsesense.models.huggingface.files.inspection import inspect_folder

    by_name = contents(files.states, hashes)
    return inspect_folder(
        files.folder, files.weights, [by_name[weight.name] for weight in files.weights]
    )


def _reader() -> str:
    """The library that reads tokenizers and configs; another version may read them otherwise."""
    try:
        return f"transformers {version('transformers')}"
    except PackageNotFoundError as error:
        raise missing_extra() from error
