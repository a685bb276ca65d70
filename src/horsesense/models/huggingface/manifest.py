"""Manifests: the cached results of inspecting a model folder.

Hashing weights and checking a tokenizer takes seconds, and so does importing the libraries. A
manifest keeps the results with the state of every file. As in git's index, a file of the same size
and modification time counts as unchanged, unless it was modified so shortly before the inspection
that a later change could have left the same time.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from horsesense.errors import ModelError
from horsesense.models.huggingface.inspection import read_config
from horsesense.models.huggingface.libraries import missing_extra
from horsesense.models.protocol import Family, ModelInfo

# Increase this when the inspection changes; manifests of another form are ignored.
_FORM = 1
# The coarsest clock of a common file system.
_RACY_NANOSECONDS = 2_000_000_000
_HASH_LENGTH = 64
# The files that tokenizers and configs are read from.
_SMALL_FILES = ("*.json", "*.txt", "*.model", "*.tiktoken")


@dataclass(frozen=True, slots=True)
class InspectedFile:
    """The state of a file when it was inspected."""

    name: str
    size: int
    modified: int
    inode: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The result of inspecting a folder, with the files it was read from.

    `looked` is the time of the inspection in nanoseconds, `made_with` the version of the library
    that read the files. `declaration` is the model info without a name, a dtype and a device.
    """

    files: tuple[InspectedFile, ...]
    hashes: tuple[str, ...]
    looked: int
    made_with: str
    declaration: ModelInfo

    def holds(self, files: Sequence[InspectedFile]) -> bool:
        """Return whether the files are certainly unchanged."""
        latest = self.looked - _RACY_NANOSECONDS
        return tuple(files) == self.files and all(file.modified < latest for file in files)

    @property
    def content(self) -> dict[str, str]:
        """The hash of each file by its name."""
        return contents(self.files, self.hashes)


def file_states(folder: Path, weights: Sequence[Path]) -> tuple[InspectedFile, ...]:
    """Return the state of all files of a model, sorted by name."""
    small = {path for pattern in _SMALL_FILES for path in folder.glob(pattern) if path.is_file()}
    states = []
    for path in sorted({*small, *weights}):
        status = path.stat()
        states.append(InspectedFile(path.name, status.st_size, status.st_mtime_ns, status.st_ino))
    return tuple(states)


def contents(files: Sequence[InspectedFile], hashes: Sequence[str]) -> dict[str, str]:
    """Return the hashes of files by name."""
    return {file.name: sha256 for file, sha256 in zip(files, hashes, strict=True)}


def hash_files(folder: Path, files: Sequence[InspectedFile]) -> tuple[str, ...]:
    """Return the SHA-256 of each file."""
    return tuple(hash_file(folder / file.name) for file in files)


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}; check the file") from error


def remembered_hash(path: Path, cache: Path) -> str:
    """Return the SHA-256 of a file; it is read again only if it may have changed."""
    looked = time.time_ns()
    status = path.stat()
    state = {
        "path": str(path.resolve()),
        "size": status.st_size,
        "modified": status.st_mtime_ns,
        "inode": status.st_ino,
    }
    target = cache / "hashes" / f"{_path_key(path)}.json"
    with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        record = json.loads(target.read_bytes())
        is_old = status.st_mtime_ns < int(record["looked"]) - _RACY_NANOSECONDS
        if is_old and record["state"] == state and len(record["sha256"]) == _HASH_LENGTH:
            return str(record["sha256"])
    sha256 = hash_file(path)
    record = {"state": state, "looked": looked, "sha256": sha256}
    write_atomically(target, json.dumps(record, indent=1).encode())
    return sha256


def _path_key(path: Path) -> str:
    return hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:32]


def manifest_path(cache: Path, folder: Path) -> Path:
    """Return the path of the manifest of a folder."""
    return cache / "manifests" / f"{_path_key(folder)}.json"


def tokenizer_path(cache: Path, sha256: str) -> Path:
    """Return the path of a cached tokenizer, named by its hash, so that writers cannot conflict."""
    return cache / "tokenizers" / f"{sha256}.json"


def load_manifest(path: Path) -> Manifest | None:
    """Load a manifest; return None if it is missing or unreadable."""
    try:
        return _from_json(json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def load_tokenizer_json(cache: Path, sha256: str) -> str | None:
    """Load a cached tokenizer; return None if it is missing or damaged."""
    try:
        content = tokenizer_path(cache, sha256).read_bytes()
    except OSError:
        return None
    return content.decode() if hashlib.sha256(content).hexdigest() == sha256 else None


def save_manifest(path: Path, manifest: Manifest) -> None:
    """Save a manifest; if the cache is not writable, the folder is inspected every time."""
    write_atomically(path, json.dumps({"form": _FORM, **asdict(manifest)}, indent=1).encode())


def save_tokenizer_json(cache: Path, content: str) -> None:
    """Save a tokenizer in the cache."""
    path = tokenizer_path(cache, hashlib.sha256(content.encode()).hexdigest())
    write_atomically(path, content.encode())


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file atomically; ignore a cache that is not writable."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def _from_json(content: dict[str, Any]) -> Manifest:
    if content.pop("form") != _FORM:
        raise ValueError("another form")
    info = content["declaration"]
    lists = {key: tuple(info[key]) for key in ("before", "after", "sentinels")}
    family = Family(info["family"])
    return Manifest(
        files=tuple(InspectedFile(**file) for file in content["files"]),
        hashes=tuple(content["hashes"]),
        looked=int(content["looked"]),
        made_with=content["made_with"],
        declaration=ModelInfo(**{**info, **lists, "family": family}),
    )


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of a model, with their state when they were inspected."""

    folder: Path
    weights: tuple[Path, ...]
    states: tuple[InspectedFile, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        """All files of the model."""
        return tuple(self.folder / state.name for state in self.states)

    @property
    def is_pickle(self) -> bool:
        """Whether the weights are not safetensors."""
        return self.weights[0].suffix != ".safetensors"

    def check(self) -> None:
        """Raise an error if a file has changed, as answers would be stored for another model."""
        if file_states(self.folder, self.weights) != self.states:
            raise ModelError(f"{self.folder} was changed while it was in use; start again")


@dataclass(frozen=True, slots=True)
class InspectedFolder:
    """The info of a model without its name and use, its tokenizer as JSON, and its files."""

    info: ModelInfo
    tokenizer: str
    files: ModelFiles


def inspected_folder(
    folder: Path, weights: tuple[Path, ...], cache: Path, progress: Callable[[str], None]
) -> InspectedFolder:
    """Inspect a folder, or use its manifest if it has not changed."""
    read_config(folder)  # first: without a config it is not a model folder
    looked = time.time_ns()
    files = ModelFiles(folder, weights, file_states(folder, weights))
    cached = _load_cached(cache, folder)
    if cached is not None and cached[0].holds(files.states):
        return InspectedFolder(cached[0].declaration, cached[1], files)
    progress(f"inspecting {folder.name}")
    hashes = hash_files(folder, files.states)
    if cached is not None and cached[0].content == contents(files.states, hashes):
        manifest, tokenizer = replace(cached[0], files=files.states, looked=looked), cached[1]
    else:
        info, tokenizer = _inspect(files, hashes)
        manifest = Manifest(files.states, hashes, looked, _library_version(), info)
    files.check()
    save_tokenizer_json(cache, tokenizer)
    save_manifest(manifest_path(cache, folder), manifest)
    return InspectedFolder(manifest.declaration, tokenizer, files)


def _load_cached(cache: Path, folder: Path) -> tuple[Manifest, str] | None:
    manifest = load_manifest(manifest_path(cache, folder))
    if manifest is None or manifest.made_with != _library_version():
        return None
    tokenizer = load_tokenizer_json(cache, manifest.declaration.tokenizer)
    return None if tokenizer is None else (manifest, tokenizer)


def _inspect(files: ModelFiles, hashes: tuple[str, ...]) -> tuple[ModelInfo, str]:
    # Imported here, as it needs libraries that are otherwise not imported.
    from horsesense.models.huggingface.inspection import inspect_folder

    by_name = contents(files.states, hashes)
    return inspect_folder(
        files.folder, files.weights, [by_name[weight.name] for weight in files.weights]
    )


def _library_version() -> str:
    """Return the version of transformers; another one may read tokenizers differently."""
    try:
        return f"transformers {version('transformers')}"
    except PackageNotFoundError as error:
        raise missing_extra() from error
