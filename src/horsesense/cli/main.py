"""The command `horsesense`, and the one place where errors are shown."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from horsesense.cli.groups import INTERRUPTED, NOT_READ, LazyGroup
from horsesense.errors import FileError, HorsesenseError, LibraryError

DEFAULT_STORE = "horsesense.db"
STORE_VARIABLE = "HORSESENSE_STORE"
# Where an error comes from is shown if this is set: for those who look into libraries.
DEBUG_VARIABLE = "HORSESENSE_DEBUG"
# Each command with its place and its short help, so that `--help` imports none of them.
_COMMANDS = {
    "run": (
        "horsesense.cli.run:run_command",
        "Evaluate models by the whole protocol, and write the report as one page.",
    ),
    "report": (
        "horsesense.cli.report:report_command",
        "Write the report of a kept run: RUN is its id, by default the latest.",
    ),
    "profile": (
        "horsesense.cli.report:profile_command",
        "Show the performance profile of a model, in words and in tables.",
    ),
    "compare": (
        "horsesense.cli.compare:compare_command",
        "Compare models with the first of them, on all problems that both answered.",
    ),
    "why": (
        "horsesense.cli.why:why_command",
        "Show why a model solved or failed a problem, or list the problems worth a look.",
    ),
    "runs": (
        "horsesense.cli.runs:runs_group",
        "Manage the runs in the store.",
    ),
    "schema": (
        "horsesense.cli.schema:schema_group",
        "Show schemas, and check schema files.",
    ),
    "dataset": (
        "horsesense.cli.dataset:dataset_group",
        "Manage the datasets in the store.",
    ),
    "generate": (
        "horsesense.cli.schema:generate_command",
        "Generate new adversarial schemas that no model has read, as a dataset.",
    ),
    "perturb": (
        "horsesense.cli.perturb:perturb_group",
        "Transform datasets, and review the results.",
    ),
    "model": (
        "horsesense.cli.model:model_group",
        "Fetch and show language models.",
    ),
    "score": (
        "horsesense.cli.score:score_command",
        "Score the options of each problem with a model, by every scoring method.",
    ),
    "metric": (
        "horsesense.cli.metric:metric_group",
        "Measure accuracy and consistency, with intervals and tests that respect schemas.",
    ),
    "doctor": (
        "horsesense.cli.model:doctor_command",
        "Examine MODEL before a run, and report problems in plain words.",
    ),
    "cache": (
        "horsesense.cli.store:cache_group",
        "Manage the answers of models in the store.",
    ),
    "store": (
        "horsesense.cli.store:store_group",
        "Check and repair the store.",
    ),
}


class HorsesenseGroup(LazyGroup):
    """Show our own errors in the user's words; let bugs keep their traceback."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the command line, and show the help if that is asked for."""
        with _quiet_end():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; on an error of ours, say it and exit with its code."""
        with _quiet_end():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HorsesenseError as error:
            is_debugged = bool(os.environ.get(DEBUG_VARIABLE))
            if is_debugged:
                click.echo(traceback.format_exc(), err=True, nl=False)
            _say(str(error))
            if isinstance(error, LibraryError) and not is_debugged:
                click.echo(f"  {DEBUG_VARIABLE}=1 shows where it failed", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            _say("interrupted; what was not finished was not stored")
            ctx.exit(INTERRUPTED)
        except click.NoSuchOption as error:
            if error.option_name == "--store":
                usage = "--store goes before the command: horsesense --store PATH dataset list"
                raise click.UsageError(usage, error.ctx) from error
            raise


@contextmanager
def _quiet_end() -> Iterator[None]:
    """A reader that has seen enough (`| head`) is no error, which click would take it for."""
    try:
        yield
    except BrokenPipeError:
        sys.exit(NOT_READ)


def _say(message: str) -> None:
    click.echo(f"Error: {message}", err=True)


@click.group(
    cls=HorsesenseGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    envvar=STORE_VARIABLE,
    default=DEFAULT_STORE,
    show_default=True,
    show_envvar=True,
    help="Use this SQLite file as the store.",
)
@click.version_option(package_name="horsesense")
@click.pass_context
def cli(ctx: click.Context, store: Path) -> None:
    """Tell common sense from its imitation in language models.

    A schema is a line of text with its answers in angle brackets and its key phrases in
    curly ones.

    Exit codes: 0 success; 1 the data have errors, or nothing was found; 2 wrong usage;
    3 unknown name; 4 the store cannot be used; 5 a file cannot be read or written;
    6 a model cannot be used; 7 the report lacks something that you asked for; 130 interrupted;
    141 the output was not read to its end. HORSESENSE_DEBUG=1 shows errors with a traceback.

    Example:

    \b
        horsesense schema show 'a lorry <can, cannot> pass under a {high, low} bridge'
    """
    ctx.obj = store


def main() -> None:
    """Run the command line; output that cannot be written is one error, not two."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # whoever has closed it wants nothing of it
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        stream = getattr(sys, name)
        # A terminal that lacks a character shows its code, and does not stop the program.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            cli()
        finally:
            sys.stdout.flush()
    except OSError as error:
        # What is left in the buffer cannot be written either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):
            sys.exit(NOT_READ)
        _say(f"the output cannot be written: {error.strerror}")
        sys.exit(FileError.exit_code)
