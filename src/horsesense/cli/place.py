"""Where the store is, if the user doesn't say so: in the working folder, or in the home folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import click

from horsesense.errors import StoreError

STORE_NAME = "horsesense.db"
STORE_VARIABLE = "HORSESENSE_STORE"


def default_store(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the store in the working folder if there is one, otherwise the user's store."""
    local = Path(STORE_NAME)
    return local if local.exists() else user_store(environment)


def user_store(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the store that all folders without a store of their own share.

    >>> user_store({"XDG_DATA_HOME": "/data"}).as_posix()
    '/data/horsesense/horsesense.db'
    """
    data = Path(environment.get("XDG_DATA_HOME", ""))
    if not data.is_absolute():  # the XDG specification says to ignore it
        try:
            data = Path.home() / ".local" / "share"
        except RuntimeError:  # a user without a home folder
            return Path(STORE_NAME)
    return data / "horsesense" / STORE_NAME


def prepare_store(path: Path) -> None:
    """Prepare for a command that may create the user's store.

    Its folder is created now. When the command ends, the user is told if there is a new store: the
    place of one that nobody named is a surprise.
    """
    if path.exists() or path != user_store() or not path.is_absolute():
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be created: {error.strerror}; choose another store with --store or"
            f" {STORE_VARIABLE}"
        ) from error
    click.get_current_context().find_root().call_on_close(partial(_report_new, path))


def _report_new(path: Path) -> None:
    if path.exists():
        click.echo(
            f"created the store {path} (for one in this folder: --store {STORE_NAME})",
            err=True,
        )
