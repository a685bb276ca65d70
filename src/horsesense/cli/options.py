"""Options shared by commands: model, mode, statistics, and those of lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import click

from horsesense.cli.output import note, working
from horsesense.cli.run import MODEL_ARGUMENTS, SERVER_FIELDS, TIES, server_options
from horsesense.models import DTYPES, EMBEDDED, Model, load_model, server_settings, shown_name
from horsesense.schema import Mode
from horsesense.schema.notation import WRAPPERS
from horsesense.store import MODES

GIB = 2**30
Command = TypeVar("Command", bound=Callable[..., Any])

dtype_option = click.option(
    "--dtype",
    type=click.Choice(DTYPES),
    default="float32",
    show_default=True,
    help="Data type of the weights.",
)
device_option = click.option(
    "--device", default="cpu", show_default=True, help="Device: cpu, cuda, cuda:1 or mps."
)
memory_option = click.option(
    "--memory",
    type=click.FloatRange(min=0.01, max=10_000),
    default=1.0,
    show_default=True,
    metavar="GIB",
    help="Memory for batches in GiB, not counting the weights.",
)
allow_pickle_option = click.option(
    "--allow-pickle",
    is_flag=True,
    help="Allow weights that are not safetensors; such files can run any code.",
)
_OPTIONS = (dtype_option, device_option, memory_option, allow_pickle_option)
# The names of the options that `chosen_model` takes.
MODEL_FIELDS = ("dtype", "device", "memory", "allow_pickle", *SERVER_FIELDS)


def model_options(command: Command) -> Command:
    """Add the options that `chosen_model` takes."""
    command = server_options(command)
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen_model(
    name: str,
    *,
    dtype: str,
    device: str,
    memory: float,
    allow_pickle: bool,
    retest: bool = False,
    **server: Any,
) -> Model:
    """Load the model that the options name; report slow steps on stderr."""
    with working(f"preparing {shown_name(name)}"):
        return load_model(
            name,
            dtype=dtype,
            device=device,
            allow_pickle=allow_pickle,
            budget_bytes=int(memory * GIB),
            retest=retest,
            progress=note,
            server=server_settings(**server),
        )


DEFAULT_MODEL = EMBEDDED


OWN_MODE = "the dataset's own"
_SHOWN_IDS = 5

mode_option = click.option(
    "--mode",
    "mode_name",
    type=click.Choice(list(MODES)),
    help=f"Mode of the problems. [{OWN_MODE}]",
)
wrapper_option = click.option(
    "--wrapper",
    help=f"Wrap every schema: 'It is |true, false| that …', or {', '.join(WRAPPERS)}.",
)


def as_in_file_messages(ids: Sequence[str], mode: Mode) -> list[str]:
    """Name the entries that are used as in the file, because they have no schema in the mode."""
    if not ids:
        return []
    more = ", …" if len(ids) > _SHOWN_IDS else ""
    entries = "1 entry is" if len(ids) == 1 else f"{len(ids)} entries are"
    listed = ", ".join(ids[:_SHOWN_IDS]) + more
    return [f"{entries} used as in the file ({listed}): no schema {mode}"]


# The subset of all problems: the same as in horsesense.metrics.robustness.
ALL = "all"


@dataclass(frozen=True, slots=True)
class StatisticsOptions:
    """The subset and tie rule of a metric, and the settings of its interval."""

    subset: str | None
    ties: str
    level: float
    resamples: int
    seed: int

    @classmethod
    def pop_from(cls, options: dict[str, Any]) -> StatisticsOptions:
        """Remove these from a command's options and return them; the subset `all` becomes None."""
        popped = cls(**{field.name: options.pop(field.name) for field in fields(cls)})
        if popped.subset is not None and not popped.subset.strip():
            raise click.UsageError("--subset needs an expression, such as 'not equal-length'")
        return replace(popped, subset=None) if popped.subset == ALL else popped

    @property
    def interval(self) -> str:
        """The column heading of an interval."""
        return f"{100 * self.level:.10g} % interval"

    @property
    def resampling(self) -> dict[str, Any]:
        """Keyword arguments for the functions that compute intervals."""
        return {"resamples": self.resamples, "seed": self.seed, "level": self.level}


def statistics_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `StatisticsOptions`, except for the subset and the tie rule."""
    for option in (
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            help="Random seed; the same seed gives the same digits.",
        ),
        click.option(
            "--resamples",
            type=click.IntRange(min=1, max=10_000_000),
            default=10_000,
            show_default=True,
            help="Number of bootstrap resamples.",
        ),
        click.option(
            "--level",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=0.95,
            show_default=True,
            help="Confidence level of the intervals.",
        ),
    ):
        command = option(command)
    return command


def ties_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for how to count undecided problems."""
    return click.option(
        "--ties",
        type=click.Choice(TIES),
        default=TIES[0],
        show_default=True,
        help="How to count an undecided problem.",
    )(command)


def subset_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for a subset of the problems."""
    return click.option(
        "--subset",
        metavar="EXPRESSION",
        help="Use only these problems, such as 'associative and not equal-length'.",
    )(command)


# What lm-evaluation-harness calls a transformers model; the family comes from the model's config.
_HARNESS_MODELS = ("hf", "huggingface", "hf-auto", "hf-mlm", "hf-seq2seq")
# What it calls models behind a server, and the kind of server here.
_HARNESS_SERVERS = {
    "local-completions": "openai",
    "openai-completions": "openai",
    "local-chat-completions": "chat",
    "openai-chat-completions": "chat",
}
_NAME, _DTYPE, _DEVICE = "pretrained", "dtype", "device"
_URL, _SERVED_NAME = "base_url", "model"
# Arguments of served models, and the fields of a plan that they are here.
_SERVED = {
    "tokenizer": "tokenizer",
    "num_concurrent": "concurrency",
    "max_retries": "retries",
    "timeout": "timeout",
}
# Arguments that name what happens here anyway.
_IMPLIED = {"tokenized_requests": "true", "tokenizer_backend": "huggingface"}
_USAGE = f"{MODEL_ARGUMENTS} needs --model hf, as in --model hf {MODEL_ARGUMENTS} {_NAME}=NAME"
_AUTO = "auto"


def resolve_harness_model(fields: dict[str, Any], arguments: str | None) -> dict[str, Any]:
    """Replace a model of lm-evaluation-harness in a plan by the one that its arguments name.

    >>> resolve_harness_model({"models": ("hf", "longer")}, "pretrained=ant,dtype=float16")
    {'models': ('ant', 'longer'), 'dtype': 'float16'}
    >>> values = "base_url=http://127.0.0.1:8000/v1/completions,model=ant,num_concurrent=4"
    >>> resolve_harness_model({"models": ("local-completions",)}, values)
    {'models': ('openai:ant@http://127.0.0.1:8000/v1/completions',), 'concurrency': 4}
    """
    models = fields.get("models", ())
    aliases = [name for name in models if name in _HARNESS_MODELS or name in _HARNESS_SERVERS]
    if arguments is None and not aliases:
        return fields
    if not aliases:
        raise click.UsageError(_USAGE)
    kind = _HARNESS_SERVERS.get(aliases[0])
    needed = f"{_NAME}=NAME" if kind is None else f"{_URL}=URL,{_SERVED_NAME}=NAME"
    if arguments is None:
        raise click.UsageError(f"--model {aliases[0]} needs {MODEL_ARGUMENTS} {needed}")
    if len(aliases) > 1:
        raise click.UsageError(
            f"{MODEL_ARGUMENTS} is for one model, not for {' and '.join(aliases)}"
        )
    values = _parse_arguments(arguments, is_served=kind is not None)
    required = (_NAME,) if kind is None else (_URL, _SERVED_NAME)
    for key in required:
        if key not in values:
            what = "model" if kind is None else key
            raise click.UsageError(f"{MODEL_ARGUMENTS} has no {what}: add {needed}")
    if kind is None:
        name = values.pop(_NAME)
    else:
        name = f"{kind}:{values.pop(_SERVED_NAME)}@{values.pop(_URL)}"
    names = (name if model in aliases else model for model in models)
    resolved = {**fields, "models": tuple(dict.fromkeys(names))}
    for key, value in values.items():
        if key in fields and fields[key] != value:
            raise click.UsageError(
                f"--{key} {fields[key]} contradicts {MODEL_ARGUMENTS} {key}={value}"
            )
        resolved[key] = value
    return resolved


def _parse_arguments(arguments: str, *, is_served: bool) -> dict[str, Any]:
    """Parse `NAME=VALUE,…` into fields of a plan; reject arguments that we do not support."""
    known = (_URL, _SERVED_NAME, *_SERVED) if is_served else (_NAME, _DTYPE, _DEVICE)
    values: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in arguments.split(","))):
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise click.UsageError(f"{MODEL_ARGUMENTS}: write {part!r} as NAME=VALUE")
        if is_served and _IMPLIED.get(key) == value.lower():
            continue
        if key not in known:
            listed = f"{', '.join(known[:-1])} and {known[-1]}"
            raise click.UsageError(f"{MODEL_ARGUMENTS}: {key!r} is not supported; use {listed}")
        values[_SERVED.get(key, key)] = _number(key, value) if key in _NUMBERS else value
    if values.get(_DTYPE, DTYPES[0]) not in DTYPES:
        names = ", ".join(DTYPES)
        auto = "; leave it out for float32" if values[_DTYPE] == _AUTO else ""
        raise click.UsageError(f"{MODEL_ARGUMENTS}: {_DTYPE} must be one of {names}{auto}")
    return values


_NUMBERS: Mapping[str, Callable[[str], float]] = {
    "num_concurrent": int,
    "max_retries": int,
    "timeout": float,
}


def _number(key: str, value: str) -> float:
    try:
        return _NUMBERS[key](value)
    except ValueError:
        raise click.UsageError(f"{MODEL_ARGUMENTS}: {key} is {value!r}, not a number") from None
