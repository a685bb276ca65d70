"""The command `horsesense`, and the one place where errors are shown."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from horsesense.cli.dataset import dataset_group
from horsesense.cli.groups import NamingGroup
from horsesense.cli.schema import schema_group
from horsesense.errors import FileError, HorsesenseError

DEFAULT_STORE = "horsesense.db"
STORE_VARIABLE = "HORSESENSE_STORE"
INTERRUPTED = 130


class HorsesenseGroup(NamingGroup):
    """Show our own errors in the user's words; let bugs keep their traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; on an error of ours, say it and exit with its code."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except HorsesenseError as error:
            _fail(ctx, str(error), error.exit_code)
        except KeyboardInterrupt:
            _fail(ctx, "interrupted; what was not finished was not stored", INTERRUPTED)
        except OSError as error:
            # A reader that has seen enough (`| head`) is click's business, and no error.
            if error.errno == errno.EPIPE:
                raise
            # What is left in the buffer cannot be written either; say so once, not twice.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            _fail(ctx, f"the output cannot be written: {error.strerror}", FileError.exit_code)


def _fail(ctx: click.Context, message: str, code: int) -> NoReturn:
    click.echo(f"Error: {message}", err=True)
    ctx.exit(code)


@click.group(cls=HorsesenseGroup, context_settings={"help_option_names": ["-h", "--help"]})
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
    130 interrupted.

    Example:

    \b
        horsesense schema show 'a lorry <can, cannot> pass under a {high, low} bridge'
    """
    ctx.obj = store


cli.add_command(schema_group)
cli.add_command(dataset_group)


def main() -> None:
    """Run the command line."""
    cli()
