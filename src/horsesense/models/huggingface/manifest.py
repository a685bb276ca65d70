"""What is known of a model folder, kept so that it need not be found out again.

To hash weights and to try out a tokenizer takes seconds, and needs libraries that take seconds
to import. A manifest keeps what came out, with the state of every file that it came from. As
in the index of git, a file whose size and time are the same is the same, unless it was
changed so shortly before it was looked at that a later change could have left the same time.
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

# To be raised when other things are found out about a folder, or found out otherwise: a manifest
# of another form is not believed.
_FORM = 1
# The coarsest clock of a file system in use.
_RACY_NANOSECONDS = 2_000_000_000
# Whatever a tokenizer or a config may be read from.
_SMALL_FILES = ("*.json", "*.txt", "*.model", "*.tiktoken")


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was when it was looked at."""

    name: str
    size: int
    modified: int
    inode: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that was found out about a folder, and what it was found out from.

    `looked` is when the files were looked at, in nanoseconds; `made_with` the version of the
    library that read them. The declaration lacks a name, a dtype and a device.
    """

    files: tuple[FileState, ...]
    hashes: tuple[str, ...]
    looked: int
    made_with: str
    declaration: ModelInfo

    def holds(self, files: Sequence[FileState]) -> bool:
        """True if the files are surely those that it was made from."""
        latest = self.looked - _RACY_NANOSECONDS
        return tuple(files) == self.files and all(file.modified < latest for file in files)

    @property
    def content(self) -> dict[str, str]:
        """The hash of each file by its name."""
        return contents(self.files, self.hashes)


def file_states(folder: Path, weights: Sequence[Path]) -> tuple[FileState, ...]:
    """The state of all files that a model is read from, ordered by name."""
    small = {path for pattern in _SMALL_FILES for path in folder.glob(pattern) if path.is_file()}
    states = []
    for path in sorted({*small, *weights}):
        found = path.stat()
        states.append(FileState(path.name, found.st_size, found.st_mtime_ns, found.st_ino))
    return tuple(states)


def contents(files: Sequence[FileState], hashes: Sequence[str]) -> dict[str, str]:
    """The hashes of files by their names."""
    return {file.name: sha256 for file, sha256 in zip(files, hashes, strict=True)}


def hash_files(folder: Path, files: Sequence[FileState]) -> tuple[str, ...]:
    """The SHA-256 of each file."""
    return tuple(hash_file(folder / file.name) for file in files)


def hash_file(path: Path) -> str:
    """The SHA-256 of a file."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}; look at the file") from error


def manifest_path(cache: Path, folder: Path) -> Path:
    """Where the manifest of a folder is kept."""
    key = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:32]
    return cache / "manifests" / f"{key}.json"


def tokenizer_path(cache: Path, sha256: str) -> Path:
    """Where a tokenizer is kept: under its own hash, so that writers cannot disagree."""
    return cache / "tokenizers" / f"{sha256}.json"


def load_manifest(path: Path) -> Manifest | None:
    """The manifest, or None where there is none that can be read."""
    try:
        return _from_json(json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def load_tokenizer_json(cache: Path, sha256: str) -> str | None:
    """A kept tokenizer, or None where it is not there whole."""
    try:
        content = tokenizer_path(cache, sha256).read_bytes()
    except OSError:
        return None
    return content.decode() if hashlib.sha256(content).hexdigest() == sha256 else None


def save_manifest(path: Path, manifest: Manifest) -> None:
    """Keep a manifest. Where nothing can be kept, it is found out anew every time."""
    _write(path, json.dumps({"form": _FORM, **asdict(manifest)}, indent=1).encode())


def save_tokenizer_json(cache: Path, content: str) -> None:
    """Keep a tokenizer beside the manifests."""
    path = tokenizer_path(cache, hashlib.sha256(content.encode()).hexdigest())
    _write(path, content.encode())


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; a cache that cannot be written is no error."""
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
    declared = content["declaration"]
    lists = {key: tuple(declared[key]) for key in ("before", "after", "sentinels")}
    family = Family(declared["family"])
    return Manifest(
        files=tuple(FileState(**file) for file in content["files"]),
        hashes=tuple(content["hashes"]),
        looked=int(content["looked"]),
        made_with=content["made_with"],
        declaration=ModelInfo(**{**declared, **lists, "family": family}),
    )


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
class KnownFolder:
    """What a model declares, but for its name and how it is used; and its tokenizer as JSON."""

    declaration: ModelInfo
    tokenizer: str
    files: ModelFiles


def known_folder(
    folder: Path, weights: tuple[Path, ...], cache: Path, progress: Callable[[str], None]
) -> KnownFolder:
    """What is known of a folder. It takes seconds the first time, and none later."""
    read_config(folder)  # first: without one it is no model folder, whatever else is in it
    looked = time.time_ns()
    files = ModelFiles(folder, weights, file_states(folder, weights))
    kept = _kept(cache, folder)
    if kept is not None and kept[0].holds(files.states):
        return KnownFolder(kept[0].declaration, kept[1], files)
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
    return KnownFolder(manifest.declaration, tokenizer, files)


def _kept(cache: Path, folder: Path) -> tuple[Manifest, str] | None:
    manifest = load_manifest(manifest_path(cache, folder))
    if manifest is None or manifest.made_with != _reader():
        return None
    tokenizer = load_tokenizer_json(cache, manifest.declaration.tokenizer)
    return None if tokenizer is None else (manifest, tokenizer)


def _inspect(files: ModelFiles, hashes: tuple[str, ...]) -> tuple[ModelInfo, str]:
    # Here, as what it does needs libraries that are otherwise not imported.
    from horsesense.models.huggingface.inspection import inspect_folder

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
