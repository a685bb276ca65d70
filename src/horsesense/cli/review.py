"""`horsesense perturb review`: people judge what transformations propose, one key an entry."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

import click

from horsesense.cli.reviewing import Reviewing, ReviewInterrupted
from horsesense.store import Store, find_perturbation


def _user() -> str:
    """What the environment calls whoever is there."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError) as error:
        raise click.UsageError("nobody knows your name; say who judges with --by") from error


@click.command("review")
@click.argument("name", metavar="PERTURBATION")
@click.option(
    "--by", default=_user, show_default="your user name", metavar="NAME", help="Who judges."
)
@click.option("--all", "every", is_flag=True, help="What has been judged already too.")
@click.option("--accept", "accepted", multiple=True, metavar="ID", help="Accept, without asking.")
@click.option("--reject", "rejected", multiple=True, metavar="ID", help="Reject, without asking.")
@click.option(
    "--edit",
    "edited",
    type=(str, str),
    multiple=True,
    metavar="ID NOTATION",
    help="Accept with other words, without asking.",
)
@click.option("--accept-all", is_flag=True, help="Accept all other proposals, without asking.")
@click.pass_obj
def review_command(
    path: Path,
    /,
    name: str,
    by: str,
    every: bool,
    accepted: tuple[str, ...],
    rejected: tuple[str, ...],
    edited: tuple[tuple[str, str], ...],
    accept_all: bool,
) -> None:
    """Walk through the proposals of a perturbation, and judge each with one key.

    Every judgement is stored at once. At the end all that is valid is frozen anew. Scripts say
    what they judge with --accept, --reject, --edit and --accept-all, and are not asked; if
    anything of it cannot be stored, nothing is.

    Example:

    \b
        horsesense perturb review kitchen.switched
        horsesense perturb review kitchen.tense --by nora --accept ladle --reject pot
    """
    if not by.strip():
        raise click.UsageError("--by is empty; judgements bear a name")
    is_script = bool(accepted or rejected or edited or accept_all)
    if not is_script and not _in_terminal():
        raise click.UsageError(
            "there is no terminal to ask in; judge with --accept, --reject, --edit or --accept-all"
        )
    with Store.open(path) as store:
        reviewing = Reviewing(store, find_perturbation(store, name), by.strip())
        try:
            if is_script:
                reviewing.judge_named(accepted, rejected, edited, accept_all=accept_all)
            else:
                reviewing.walk(every=every)
            reviewing.finish()
        except KeyboardInterrupt as error:
            raise ReviewInterrupted(reviewing.judged, name) from error


def _in_terminal() -> bool:
    """Whether somebody can be asked, and sees the question."""
    return sys.stdin.isatty() and sys.stdout.isatty()
