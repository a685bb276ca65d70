"""From the name of a model to the model; its weights are not loaded before it is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from horsesense.errors import ModelError, UnknownNameError
from horsesense.models.baselines import make_baseline
from horsesense.models.huggingface.engines.budget import DEFAULT_BYTES
from horsesense.models.huggingface.files.embedded import embedded_folder
from horsesense.models.huggingface.files.gguf import converted_folder
from horsesense.models.huggingface.files.hub import model_folder
from horsesense.models.huggingface.files.knowledge import Knowledge, know_folder
from horsesense.models.huggingface.files.libraries import check_libraries, naming_model
from horsesense.models.huggingface.files.locations import (
    BaselineName,
    EmbeddedName,
    GgufFile,
    HubName,
    ModelFolder,
    cache_folder,
    locate,
)
from horsesense.models.huggingface.files.weight_files import find_weights
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.model import Model

DTYPES = ("float32", "float64", "bfloat16", "float16")
_DEVICE = re.compile(r"cpu|mps|cuda(:[0-9]{1,3})?")

Progress = Callable[[str], None]

_REMEDY = "fetch it again, or try a newer transformers"


def load_model(
    name: str,
    *,
    dtype: str = "float32",
    device: str = "cpu",
    allow_pickle: bool = False,
    cache: Path | None = None,
    revision: str | None = None,
    budget_bytes: int = DEFAULT_BYTES,
    batch: int | None = None,
    refresh: bool = False,
    progress: Progress = lambda message: None,
) -> Model:
    """The model of that name: a baseline, the embedded default, a folder, a GGUF file, or a hub's.

    The embedded default and a model of the hub are fetched if they are not there yet, which
    `progress` tells; with `refresh` the hub is asked for a newer one. What is needed in memory
    besides the weights stays within `budget_bytes`. A batch has at most so many tokens as `batch`
    says, where it says anything; a longer sentence is one by itself.
    """
    _check_options(dtype, device, batch)
    location = locate(name)
    if revision is not None and not isinstance(location, HubName):
        raise ModelError(f"{name} has no revisions; only models of the hub do, leave it out")
    if isinstance(location, BaselineName):
        return make_baseline(location)
    check_libraries()
    cache = cache or cache_folder()
    with naming_model(name, "loaded", _REMEDY):
        known, commit = _known(location, cache, revision, allow_pickle, refresh, progress)
    declaration = replace(known.declaration, name=name, revision=commit, dtype=dtype, device=device)
    return HuggingFaceModel(
        declaration,
        known.tokenizer,
        known.files,
        budget_bytes=budget_bytes,
        batch=batch,
        progress=progress,
    )


def _known(
    location: HubName | EmbeddedName | ModelFolder | GgufFile,
    cache: Path,
    revision: str | None,
    allow_pickle: bool,
    refresh: bool,
    progress: Progress,
) -> tuple[Knowledge, str]:
    """What is known of a model that was fetched if need be, and the commit of one of the hub."""
    if isinstance(location, HubName):
        folder = model_folder(
            location.repository,
            revision,
            allow_pickle=allow_pickle,
            refresh=refresh,
            progress=progress,
        )
    else:
        folder = _local_folder(location, cache, progress)
    commit = folder.name if isinstance(location, HubName) else ""
    weights = find_weights(folder, allow_pickle=allow_pickle)
    return know_folder(folder, weights, cache, progress), commit


def check_device(name: str) -> None:
    """Refuse what no device is called."""
    if not _DEVICE.fullmatch(name):
        raise ModelError(f"{name!r} is no device; give cpu, cuda, cuda:1 or mps")


def _local_folder(
    location: EmbeddedName | ModelFolder | GgufFile, cache: Path, progress: Progress
) -> Path:
    match location:
        case EmbeddedName():
            return embedded_folder(cache, progress)
        case ModelFolder(path):
            return path
        case GgufFile(path):
            return converted_folder(path, cache, progress)


def _check_options(dtype: str, device: str, batch: int | None) -> None:
    if dtype not in DTYPES:
        raise UnknownNameError("dtype", dtype, DTYPES)
    check_device(device)
    if batch is not None and batch < 1:
        raise ModelError(f"a batch of {batch} tokens has none; give 1 or more, or leave it out")
