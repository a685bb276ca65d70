"""The command `horsesense`, which also prints all errors."""

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
from horsesense.cli.place import STORE_VARIABLE, default_store
from horsesense.errors import FileError, HorsesenseError, LibraryError

# If set, errors are shown with a traceback.
DEBUG_VARIABLE = "HORSESENSE_DEBUG"
# The target and the short help of each command by section, so that `--help` imports none of them.
_SECTIONS = {
    "Start here": {
        "run": (
            "horsesense.cli.run:run_command",
            "Evaluate models, and write a report.",
        ),
        "check": (
            "horsesense.cli.check:check_command",
            "Check a run of another program, and give a verdict.",
        ),
        "report": (
            "horsesense.cli.report:report_command",
            "Write the report of a stored run, by default the latest.",
        ),
        "schema": (
            "horsesense.cli.schema:schema_group",
            "Show schemas and check schema files.",
        ),
        "score": (
            "horsesense.cli.score:score_command",
            "Score the options of each problem with a model.",
        ),
        "doctor": (
            "horsesense.cli.model:doctor_command",
            "Check MODEL for problems before a run.",
        ),
    },
    "Understand results": {
        "profile": (
            "horsesense.cli.report:profile_command",
            "Summarize a model's results; --all shows everything.",
        ),
        "compare": (
            "horsesense.cli.compare:compare_command",
            "Compare models on the problems that both answered.",
        ),
        "why": (
            "horsesense.cli.why:why_command",
            "Show why a model solved or failed a problem.",
        ),
        "metric": (
            "horsesense.cli.metric:metric_group",
            "Compute metrics with confidence intervals and tests.",
        ),
        "runs": (
            "horsesense.cli.runs:runs_group",
            "Manage the runs in the store.",
        ),
    },
    "Prepare data": {
        "dataset": (
            "horsesense.cli.dataset:dataset_group",
            "Manage the datasets in the store.",
        ),
        "generate": (
            "horsesense.cli.schema:generate_command",
            "Generate a dataset of schemas that no model has seen.",
        ),
        "perturb": (
            "horsesense.cli.perturb:perturb_group",
            "Perturb datasets and review the results.",
        ),
    },
    "Manage models, storage and the shell": {
        "model": (
            "horsesense.cli.model:model_group",
            "Download and inspect language models.",
        ),
        "serve": (
            "horsesense.cli.serve:serve_command",
            "Serve MODEL to other programs over HTTP.",
        ),
        "cache": (
            "horsesense.cli.store:cache_group",
            "Manage the cached model answers in the store.",
        ),
        "store": (
            "horsesense.cli.store:store_group",
            "Check and repair the store.",
        ),
        "completion": (
            "horsesense.cli.completion:completion_group",
            "Set up tab completion for your shell.",
        ),
    },
}


class HorsesenseGroup(LazyGroup):
    """Print our own errors as messages; let bugs show a traceback."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the command line, and print the help if requested."""
        with _quiet_end():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; print an error of ours and exit with its code."""
        with _quiet_end():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HorsesenseError as error:
            is_debugged = bool(os.environ.get(DEBUG_VARIABLE))
            if is_debugged:
                click.echo(traceback.format_exc(), err=True, nl=False)
            _print_error(str(error))
            if isinstance(error, LibraryError) and not is_debugged:
                click.echo(f"  set {DEBUG_VARIABLE}=1 for the traceback", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            _print_error("interrupted; unfinished work was not stored")
            ctx.exit(INTERRUPTED)
        except click.NoSuchOption as error:
            if error.option_name == "--store":
                usage = "--store goes before the command: horsesense --store PATH dataset list"
                raise click.UsageError(usage, error.ctx) from error
            if _is_format(error.option_name, error.ctx):
                usage = f"there is no {error.option_name}: write --format {error.option_name[2:]}"
                raise click.UsageError(usage, error.ctx) from error
            raise


def _is_format(option: str, ctx: click.Context | None) -> bool:
    """Return whether an unknown option, such as `--latex`, is a format that the command writes."""
    return any(
        "--format" in param.opts
        and isinstance(param.type, click.Choice)
        and option.removeprefix("--") in param.type.choices
        for param in (ctx.command.params if ctx else ())
    )


@contextmanager
def _quiet_end() -> Iterator[None]:
    """Exit quietly when the output is closed early (`| head`); click would report an error."""
    try:
        yield
    except BrokenPipeError:
        sys.exit(NOT_READ)


def _print_error(message: str) -> None:
    click.echo(f"Error: {message}", err=True)


@click.group(
    cls=HorsesenseGroup,
    sections=_SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    envvar=STORE_VARIABLE,
    show_default="horsesense.db in this folder, else in your user data folder",
    show_envvar=True,
    help="SQLite file to use as the store.",
)
@click.version_option(None, "-V", "--version", package_name="horsesense")
@click.pass_context
def cli(ctx: click.Context, store: Path | None) -> None:
    """Evaluate the common-sense reasoning of language models.

    A schema is a line of text with the answers in angle brackets and the key phrases in curly
    brackets.

    Exit codes: 0 success; 1 the data have errors, or nothing was found; 2 wrong usage;
    3 unknown name; 4 the store cannot be used; 5 a file cannot be read or written;
    6 a model cannot be used; 7 the report is missing something that you requested;
    130 interrupted; 141 the output was closed early. Set HORSESENSE_DEBUG=1 to see tracebacks.

    Example:

    \b
        horsesense schema show \\
            'a lorry <can, cannot> pass under a {high, low} bridge'
    """
    ctx.obj = default_store() if store is None else store


def main() -> None:
    """Run the command line; if the output cannot be written, report that once."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller: discard what we write
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        stream = getattr(sys, name)
        # Print the code of a character that the terminal cannot show, instead of failing.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # Threads of OpenMP, which torch uses, wait for each other in a busy loop by default. If other
    # programs run as well, that takes several times the processor time of the computation.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        try:
            cli()
        finally:
            sys.stdout.flush()
    except OSError as error:
        # The rest of the buffer cannot be written either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):
            sys.exit(NOT_READ)
        _print_error(f"cannot write the output: {error.strerror}")
        sys.exit(FileError.exit_code)
