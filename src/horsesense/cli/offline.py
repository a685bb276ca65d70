"""The option `--offline` of commands that load data, which may be fetched by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from horsesense.datasets.fetch_settings import fetching

Command = TypeVar("Command", bound=Callable[..., Any])


def offline_option(command: Command) -> Command:
    """Add `--offline`, and report on stderr what the command fetches."""
    return click.option(
        "--offline",
        is_flag=True,
        expose_value=False,
        callback=_apply,
        help="Do not download data; use only local files.",
    )(command)


def _apply(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    # Loaded only here, so that --help is fast.
    from horsesense.cli.output import counting, note

    ctx.with_resource(fetching(offline=value or None, note=note, watch=counting))
