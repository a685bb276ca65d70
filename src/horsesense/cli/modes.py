"""The options that say what is guessed, the same for every command that poses problems."""

from __future__ import annotations

import click

from horsesense.schema import Mode

MODES = {mode.value.replace(" ", "-"): mode for mode in Mode}

mode_option = click.option(
    "--mode",
    "mode_name",
    type=click.Choice(list(MODES)),
    default="by-answer",
    show_default=True,
    help="What is guessed.",
)
wrapper_option = click.option(
    "--wrapper", help="Wrap every schema first: 'It is |true, false| that …'."
)
