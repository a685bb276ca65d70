"""What a model may be called, and where it is then."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from horsesense.errors import ModelError, UnknownNameError
from horsesense.models.baselines import BASELINES
from horsesense.models.loading import EMBEDDED

KNOWN_NAMES = (EMBEDDED, *BASELINES)
_HUB_NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class EmbeddedName:
    """The model that the package index carries."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder with a config, a tokenizer and weights."""

    path: Path


@dataclass(frozen=True, slots=True)
class GgufFile:
    """A file that holds a whole model, quantized."""

    path: Path


@dataclass(frozen=True, slots=True)
class HubName:
    """A model on the Hugging Face hub."""

    repository: str


Location: TypeAlias = EmbeddedName | ModelFolder | GgufFile | HubName


def locate(name: str) -> Location:
    """Where the model of that name is to be found; asks the disk, never the network.

    >>> locate("smollm2-135m"), locate("someone/some-model")
    (EmbeddedName(), HubName(repository='someone/some-model'))
    """
    if name == EMBEDDED:
        return EmbeddedName()
    path = _expanded(name)
    if path is not None and path.is_dir():
        return ModelFolder(path)
    if path is not None and path.is_file():
        return _file(path)
    if _HUB_NAME.fullmatch(name) is None or name.startswith(".") or name.endswith(".gguf"):
        raise ModelError(f"there is no folder and no GGUF file at {name!r}; look at the spelling")
    if "/" not in name and get_close_matches(name.lower(), KNOWN_NAMES):
        raise UnknownNameError("model", name, KNOWN_NAMES)
    return HubName(name)


def _expanded(name: str) -> Path | None:
    """The path, if there is something."""
    try:
        path = Path(name).expanduser()
        return path.resolve() if name and path.exists() else None
    except (OSError, RuntimeError):  # too long for a path, or no such user
        return None


def _file(path: Path) -> GgufFile:
    with path.open("rb") as stream:
        is_gguf = stream.read(4) == b"GGUF"
    if is_gguf:
        return GgufFile(path)
    what = "is named so, but is no GGUF file" if path.suffix == ".gguf" else "is a single file"
    raise ModelError(f"{path} {what}; give the folder of a model, or a whole GGUF file")
