"""The provider of Hugging Face models: the embedded default, folders, GGUF files and the hub."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

from horsesense.errors import ModelError, UnknownNameError
from horsesense.models.baselines import BASELINES, SOLVERS, parse_baseline
from horsesense.models.huggingface.chat import (
    CHAT,
    HuggingFaceChat,
    has_template,
    read_template,
)
from horsesense.models.huggingface.conversion import (
    CONVERSION_LIBRARIES,
    converted_folder,
    embedded_folder,
    embedded_path,
    remove_embedded,
)
from horsesense.models.huggingface.inspection import has_tokenizer
from horsesense.models.huggingface.libraries import (
    check_libraries,
    missing_extra,
    model_errors,
    reason,
)
from horsesense.models.huggingface.manifest import inspected_folder
from horsesense.models.huggingface.model import HuggingFaceModel, is_network, wrap_network
from horsesense.models.huggingface.weights import find_weights
from horsesense.models.loading import (
    BASELINE_PROVIDER,
    EMBEDDED,
    HUGGING_FACE,
    PROVIDERS,
    SERVER,
    Available,
    LoadOptions,
    ModelProvider,
    shown_name,
    size_on_disk,
)
from horsesense.models.protocol import Model

_FILES = [
    "config.json",
    "tokenizer*",
    "chat_template*",
    "generation_config.json",
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
# Subfolders hold the same weights in the formats of other programs.
_IGNORED_FILES = ["*/*"]


def model_folder(
    repository: str,
    revision: str | None,
    *,
    allow_pickle: bool,
    refresh: bool,
    progress: Callable[[str], None],
) -> Path:
    """Return the folder of a model in the hub's cache, which is named after its commit.

    A complete model in the cache is used without contacting the hub.
    """
    cached = None if refresh else cached_folder(repository, revision)
    if cached is not None and _is_whole(cached):
        return cached
    folder = _fetch(repository, revision, allow_pickle=allow_pickle, progress=progress)
    if not _has_weights(folder):
        raise ModelError(
            f"{repository} has no weights as safetensors; another revision may, or use "
            "--allow-pickle if you trust its source"
        )
    return folder


def cached_folder(repository: str, revision: str | None) -> Path | None:
    """Return the folder of a model in the hub's cache, complete or not, without the network."""
    config = _library().try_to_load_from_cache(repository, "config.json", revision=revision)
    return Path(config).parent if isinstance(config, str) else None


def _is_whole(folder: Path) -> bool:
    """Return False if a download was interrupted."""
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
    if _is_offline():
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
            ignore_patterns=_IGNORED_FILES,
            tqdm_class=_no_bar(hub.utils.tqdm),
        )
    except Exception as error:  # from wrong names to full disks; the library has many classes
        raise _cannot_fetch(repository, revision, error, hub.errors) from error
    return Path(folder)


def _is_offline() -> bool:
    return bool(_library().constants.is_offline_mode())


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
            f"private; check the spelling, {local}"
        )
    if isinstance(error, errors.LocalEntryNotFoundError):
        return ModelError(
            f"{repository} is not in the Hugging Face cache, and the hub cannot be reached; "
            f"connect to it, {local}"
        )
    return ModelError(f"{repository} cannot be fetched: {reason(error)}\n  try again, {local}")


def _no_bar(bar: Any) -> Any:
    """Return a class of progress bars that are never drawn."""

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


KNOWN_NAMES = (EMBEDDED, *BASELINES)
# Shorter beginnings of our names may be names of models on the hub.
_LEAST_BEGINNING = 4
_HUB_NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class EmbeddedName:
    """The default model from the package index."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder with a config, a tokenizer and weights."""

    path: Path


@dataclass(frozen=True, slots=True)
class GgufFile:
    """A file with a complete quantized model."""

    path: Path


@dataclass(frozen=True, slots=True)
class HubName:
    """A model on the Hugging Face hub."""

    repository: str


Location: TypeAlias = EmbeddedName | ModelFolder | GgufFile | HubName


def locate(name: str) -> Location:
    """Find the model of that name on the disk; other valid names are assumed to be on the hub.

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
        raise ModelError(f"there is no folder and no GGUF file at {name!r}; check the spelling")
    if "/" not in name and _is_nearly_known(name.lower()):
        raise UnknownNameError("model", name, KNOWN_NAMES)
    return HubName(name)


def _is_nearly_known(name: str) -> bool:
    """Return whether a name is a misspelling of one of ours, or the beginning of one."""
    is_beginning = len(name) >= _LEAST_BEGINNING and any(
        known.startswith(name) for known in KNOWN_NAMES
    )
    return is_beginning or bool(get_close_matches(name, KNOWN_NAMES))


def _expanded(name: str) -> Path | None:
    """Return the path if it exists."""
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
    what = "is not a valid GGUF file" if path.suffix == ".gguf" else "is a single file"
    raise ModelError(f"{path} {what}; give the folder of a model, or a complete GGUF file")


_REMEDY = "fetch it again, or try a newer transformers"


def _load(name: str, options: LoadOptions) -> Model:
    if name.startswith(CHAT):
        return _load_chat(name, options)
    return _load_model(name, options)


def _load_chat(name: str, options: LoadOptions) -> HuggingFaceChat:
    """Load a model with its chat template, which older downloads may lack."""
    bare = name.removeprefix(CHAT)
    for provider in PROVIDERS.plugins.values() if bare != EMBEDDED else ():
        if provider.load(bare, options) is not None:
            raise ModelError(
                f"{name} cannot reply: {bare} is a model of the plug-in {provider.name}, and"
                f" {CHAT} is for models in the formats of Hugging Face; leave it out"
            )
    location = _locate_chat(name)
    model = _load_model(bare, options)
    if isinstance(location, HubName) and not has_template(model.folder) and not _is_offline():
        _fetch(
            location.repository,
            model.info.revision,
            allow_pickle=options.allow_pickle,
            progress=options.progress,
        )
    return HuggingFaceChat(model, read_template(model.folder, name))


def _locate_chat(name: str) -> Location:
    """Find the files of a chat model; raise an error for a baseline, which cannot reply."""
    bare = name.removeprefix(CHAT)
    if parse_baseline(bare) is not None or bare in SOLVERS:
        raise ModelError(f"{name} cannot reply: {bare} is a baseline; leave out {CHAT}")
    try:
        return locate(bare)
    except UnknownNameError as error:
        raise UnknownNameError("model", name, [f"{CHAT}{EMBEDDED}"]) from error


def _load_model(name: str, options: LoadOptions) -> HuggingFaceModel:
    location = locate(name)
    if not isinstance(location, HubName):
        options.refuse_revision(name)
    check_libraries()
    if options.anew and isinstance(location, EmbeddedName):
        remove_embedded(options.cache)
    with model_errors(name, "loaded", _REMEDY):
        folder = _folder(location, options)
        weights = find_weights(folder, allow_pickle=options.allow_pickle)
        inspected = inspected_folder(folder, weights, options.cache, options.progress)
    commit = folder.name if isinstance(location, HubName) else ""
    return HuggingFaceModel(
        replace(
            inspected.info,
            name=name,
            revision=commit,
            dtype=options.dtype,
            device=options.device,
        ),
        inspected.tokenizer,
        inspected.files,
        budget_bytes=options.budget_bytes,
        batch=options.batch,
        cache=options.cache,
        retest=options.retest,
        progress=options.progress,
    )


def _folder(location: Location, options: LoadOptions) -> Path:
    """Return the folder of a model, which is fetched or converted if needed."""
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
    match _locate_chat(name) if name.startswith(CHAT) else locate(name):
        case HubName(repository):
            return cached_folder(repository, None) is not None
        case EmbeddedName():
            return embedded_path(cache).is_dir()
        case _:
            return True


def _check(name: str, cache: Path) -> None:
    """Check the libraries for models that are surely ours; others may belong to a plug-in."""
    if name.removeprefix(CHAT) == EMBEDDED:
        check_libraries()
        if not embedded_path(cache).is_dir():
            check_libraries(CONVERSION_LIBRARIES)
    elif shown_name(name) == name and _has_no_rival():
        check_libraries()


def _has_no_rival() -> bool:
    """Return whether all names that are neither baselines nor served models are ours."""
    ours = {BASELINE_PROVIDER, SERVER, HUGGING_FACE}
    return not PROVIDERS.plugins and set(PROVIDERS.own_names) == ours


def _wrap(model: object, tokenizer: object) -> Model | None:
    return wrap_network(model, tokenizer) if is_network(model) else None


def _available(cache: Path) -> Iterator[Available]:
    for model in _language_models(cache):
        yield model
        if model.folder is not None and _is_chat(model.folder):
            yield replace(model, name=f"{CHAT}{model.name}")


def _is_chat(folder: Path) -> bool:
    try:
        return has_template(folder)
    except ModelError:  # damaged, which is reported when it is loaded
        return False


def _language_models(cache: Path) -> Iterator[Available]:
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
        cache = scan_cache_dir(constants.HF_HUB_CACHE)
    except CacheNotFound:
        return []
    models = (repository for repository in cache.repos if repository.repo_type == "model")
    return sorted(models, key=lambda repository: str(repository.repo_id))


PROVIDER = ModelProvider(
    "huggingface",
    "models in the formats of Hugging Face",
    _load,
    _available,
    _is_local,
    _wrap,
    _check,
)
