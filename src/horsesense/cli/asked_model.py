"""The options that choose a model and how it is run, the same for every command that asks one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from horsesense.cli.output import note
from horsesense.models import DTYPES, EMBEDDED, Model, load_model

GIB = 2**30
Command = TypeVar("Command", bound=Callable[..., Any])

dtype_option = click.option(
    "--dtype",
    type=click.Choice(DTYPES),
    default="float32",
    show_default=True,
    help="The type of the weights.",
)
device_option = click.option(
    "--device", default="cpu", show_default=True, help="cpu, cuda, cuda:1 or mps."
)
memory_option = click.option(
    "--memory",
    type=click.FloatRange(min=0.01, max=10_000),
    default=1.0,
    show_default=True,
    metavar="GIB",
    help="What batches may take in memory, besides the weights.",
)
allow_pickle_option = click.option(
    "--allow-pickle",
    is_flag=True,
    help="Load weights that are no safetensors; such a file can run any program.",
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
