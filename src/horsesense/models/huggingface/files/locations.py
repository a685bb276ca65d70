"""What a model may be called, and where models are kept on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from horsesense.errors import ModelError, UnknownNameError

EMBEDDED = "smollm2-135m"
BASELINES = ("uniform", "first", "longer", "random")
KNOWN_NAMES = (EMBEDDED, *BASELINES)
CACHE_VARIABLE = "HORSESENSE_CACHE"
_HUB_NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class BaselineName:
    """A baseline, and the seed of the one that draws."""

    name: str
    seed: int = 0


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


Location: TypeAlias = BaselineName | EmbeddedName | ModelFolder | GgufFile | HubName


def locate(name: str) -> Location:
    """Where the model of that name is to be found; asks the disk, never the network.

    >>> locate("random@7"), locate("smollm2-135m"), locate("someone/some-model")
    (BaselineName(name='random', seed=7), EmbeddedName(), HubName(repository='someone/some-model'))
    """
    word, at, seed = name.partition("@")
    if word in BASELINES:
        return _baseline(word, seed if at else None)
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


def _baseline(word: str, seed: str | None) -> BaselineName:
    if seed is None:
        return BaselineName(word)
    if word != "random":
        raise ModelError(f"{word} takes no seed; only random does, as in random@7")
    if not (seed.isascii() and seed.isdigit()):
        raise ModelError(f"{seed!r} is no seed for random; give a whole number, as in random@7")
    return BaselineName(word, int(seed))


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


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where this program keeps models and what it knows of them.

    >>> cache_folder({"XDG_CACHE_HOME": "/caches"}).as_posix()
    '/caches/horsesense'
    """
    if chosen := environment.get(CACHE_VARIABLE):
        return Path(chosen).expanduser()
    if caches := environment.get("XDG_CACHE_HOME"):
        return Path(caches) / "horsesense"
    return Path.home() / ".cache" / "horsesense"
