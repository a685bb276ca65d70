"""Options that several commands share: the model, the mode, statistics, names of the harness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import click

from horsesense.cli.output import note
from horsesense.models import DTYPES, EMBEDDED, Model, load_model
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
    help="Load weights as this type.",
)
device_option = click.option(
    "--device", default="cpu", show_default=True, help="Run on cpu, cuda, cuda:1 or mps."
)
memory_option = click.option(
    "--memory",
    type=click.FloatRange(min=0.01, max=10_000),
    default=1.0,
    show_default=True,
    metavar="GIB",
    help="Let batches take N GiB of memory, besides the weights.",
)
allow_pickle_option = click.option(
    "--allow-pickle",
    is_flag=True,
    help="Load weights that are not safetensors; such files can run any code.",
)
_OPTIONS = (dtype_option, device_option, memory_option, allow_pickle_option)


def model_options(command: Command) -> Command:
    """Add the options that `chosen_model` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen_model(name: str, *, dtype: str, device: str, memory: float, allow_pickle: bool) -> Model:
    """The model that was asked for; what takes long is told on stderr."""
    return load_model(
        name,
        dtype=dtype,
        device=device,
        allow_pickle=allow_pickle,
        budget_bytes=int(memory * GIB),
        progress=note,
    )


DEFAULT_MODEL = EMBEDDED


OWN_MODE = "the dataset's own"
_SHOWN_IDS = 5

mode_option = click.option(
    "--mode",
    "mode_name",
    type=click.Choice(list(MODES)),
    help=f"Pose problems in this mode. [{OWN_MODE}]",
)
wrapper_option = click.option(
    "--wrapper",
    help=f"Wrap every schema first: 'It is |true, false| that …', or {', '.join(WRAPPERS)}.",
)


def told_as_they_stand(ids: Sequence[str], mode: Mode) -> list[str]:
    """Say which entries are posed as they stand in the file, as they have no schema in the mode."""
    if not ids:
        return []
    more = ", …" if len(ids) > _SHOWN_IDS else ""
    entries = "1 entry is" if len(ids) == 1 else f"{len(ids)} entries are"
    shown = ", ".join(ids[:_SHOWN_IDS]) + more
    return [f"{entries} posed as in the file ({shown}): no schema {mode}"]


# As in horsesense.metrics.Ties, which takes a moment to be imported.
TIES = ("failed", "half")
# All problems, as a subset: as in horsesense.metrics.robustness.
ALL = "all"


@dataclass(frozen=True, slots=True)
class Choices:
    """How outcomes are counted, and intervals computed."""

    subset: str | None
    ties: str
    level: float
    resamples: int
    seed: int

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Choices:
        """Take these out of a command's options; the subset «all» is none."""
        found = cls(**{field.name: options.pop(field.name) for field in fields(cls)})
        if found.subset is not None and not found.subset.strip():
            raise click.UsageError("--subset takes an expression, such as 'not equal-length'")
        return replace(found, subset=None) if found.subset == ALL else found

    @property
    def interval(self) -> str:
        """What an interval is called in a heading."""
        return f"{100 * self.level:.10g}% interval"

    @property
    def resampling(self) -> dict[str, Any]:
        """How intervals are computed, for the functions that do it."""
        return {"resamples": self.resamples, "seed": self.seed, "level": self.level}


def statistics_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of `Choices`, but for subset and tie rule."""
    for option in (
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            help="Seed all random draws; the same seed gives the same digits.",
        ),
        click.option(
            "--resamples",
            type=click.IntRange(min=1, max=10_000_000),
            default=10_000,
            show_default=True,
            help="Use N bootstrap resamples for an interval.",
        ),
        click.option(
            "--level",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=0.95,
            show_default=True,
            help="Compute intervals at this confidence level.",
        ),
    ):
        command = option(command)
    return command


def ties_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """What an undecided problem counts for."""
    return click.option(
        "--ties",
        type=click.Choice(TIES),
        default=TIES[0],
        show_default=True,
        help="Count an undecided problem as this.",
    )(command)


def subset_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Which problems are counted."""
    return click.option(
        "--subset",
        metavar="EXPRESSION",
        help="Use only these problems, such as 'associative and not equal-length'.",
    )(command)


MODEL_ARGUMENTS = "--model_args"
# Its words for a model of transformers; which family it is, we read from the model's config.
_HARNESS_MODELS = ("hf", "huggingface", "hf-auto", "hf-mlm", "hf-seq2seq")
_NAME, _DTYPE, _DEVICE = "pretrained", "dtype", "device"
_USAGE = f"{MODEL_ARGUMENTS} is for --model hf, as in --model hf {MODEL_ARGUMENTS} {_NAME}=NAME"
_AUTO = "auto"


def translated(given: dict[str, Any], arguments: str | None) -> dict[str, Any]:
    """The fields of a plan, in which `hf` and its arguments are the model that they mean.

    >>> translated({"models": ("hf", "longer")}, "pretrained=ant,dtype=float16")
    {'models': ('ant', 'longer'), 'dtype': 'float16'}
    """
    models = given.get("models", ())
    is_meant = any(name in _HARNESS_MODELS for name in models)
    if arguments is None and not is_meant:
        return given
    if arguments is None:
        named = next(name for name in models if name in _HARNESS_MODELS)
        raise click.UsageError(f"--model {named} wants {MODEL_ARGUMENTS} {_NAME}=NAME")
    if not is_meant:
        raise click.UsageError(_USAGE)
    values = _read(arguments)
    if _NAME not in values:
        raise click.UsageError(f"{MODEL_ARGUMENTS} names no model: {_NAME}=NAME is missing")
    name = values.pop(_NAME)
    named = (name if model in _HARNESS_MODELS else model for model in models)
    chosen = {**given, "models": tuple(dict.fromkeys(named))}
    for key, value in values.items():
        if key in given and given[key] != value:
            raise click.UsageError(f"--{key} {given[key]} and {MODEL_ARGUMENTS} {key}={value}?")
        chosen[key] = value
    return chosen


def _read(arguments: str) -> dict[str, str]:
    """What is said of the model; what we have nothing for is refused, not left out."""
    values: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in arguments.split(","))):
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise click.UsageError(f"{MODEL_ARGUMENTS}: {part!r} is not of the form NAME=VALUE")
        if key not in (_NAME, _DTYPE, _DEVICE):
            raise click.UsageError(
                f"{MODEL_ARGUMENTS}: there is nothing here for {key!r}; {_NAME}, {_DTYPE} and"
                f" {_DEVICE} are known"
            )
        values[key] = value
    if values.get(_DTYPE, DTYPES[0]) not in DTYPES:
        known = ", ".join(DTYPES)
        auto = ", and is float32 if you say nothing" if values[_DTYPE] == _AUTO else ""
        raise click.UsageError(f"{MODEL_ARGUMENTS}: {_DTYPE} is one of {known}{auto}")
    return values
