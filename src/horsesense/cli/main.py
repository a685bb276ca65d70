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
        "Write the report of a run that is kept: RUN is its id, or without one the latest.",
    ),
    "profile": (
        "horsesense.cli.report:profile_command",
        "Show the performance profile of a model: in words, and then in tables.",
    ),
    "compare": (
        "horsesense.cli.compare:compare_command",
        "Compare models with the first of them, on all that both were asked.",
    ),
    "why": (
        "horsesense.cli.why:why_command",
        "Show why a model solved or failed a problem, or list the problems worth a look.",
    ),
    "runs": (
        "horsesense.cli.runs:runs_group",
        "Look after the runs that the store keeps.",
    ),
    "schema": (
        "horsesense.cli.schema:schema_group",
        "Look at schemas, and check files of them.",
    ),
    "dataset": (
        "horsesense.cli.dataset:dataset_group",
        "Keep datasets of schemas in the store, and get them out again.",
    ),
    "generate": (
        "horsesense.cli.schema:generate_command",
        "Make new adversarial schemas that no model has read, and keep them as a dataset.",
    ),
    "perturb": (
        "horsesense.cli.perturb:perturb_group",
        "Transform datasets, and judge what becomes of them.",
    ),
    "model": (
        "horsesense.cli.model:model_group",
        "Get language models, and see what they are.",
    ),
    "score": (
        "horsesense.cli.score:score_command",
        "Ask a model which option of each problem it prefers, by every scoring method.",
    ),
    "metric": (
        "horsesense.cli.metric:metric_group",
        "Measure accuracy and consistency, with intervals and tests that respect schemas.",
    ),
    "doctor": (
        "horsesense.cli.model:doctor_command",
        "Examine MODEL before a run, and say in plain words what was found.",
    ),
    "cache": (
        "horsesense.cli.store:cache_group",
        "Look after what models have answered.",
    ),
    "store": (
        "horsesense.cli.store:store_group",
        "Look after the file in which everything is kept.",
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
    help="The SQLite file in which everything is kept.",
)
@click.version_option(package_name="horsesense")
@click.pass_context
def cli(ctx: click.Context, store: Path) -> None:
    """Tell common sense from its imitation in language models.

    A schema is a line of text with its answers in angle brackets and its key phrases in
    curly ones.

    Exit codes: 0 all is well; 1 the data have errors, or nothing was found; 2 wrong usage;
    3 no such name; 4 the store cannot be used; 5 a file cannot be read or written;
    6 a model cannot be used; 7 a report was made, but something that was asked for is missing;
    130 interrupted; 141 the output was not read to its end. With HORSESENSE_DEBUG=1 an error is
    shown with its traceback.

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
