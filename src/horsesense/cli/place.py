"""Find the store if the user doesn't name one: in the working folder, or with the user's data."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from horsesense.errors import StoreError

STORE_NAME = "horsesense.db"
STORE_VARIABLE = "HORSESENSE_STORE"


def default_store() -> Path:
    """Return the store in the working folder if there is one, otherwise the user's store."""
    local = Path(STORE_NAME)
    return local if local.exists() else user_store()


def user_store() -> Path:
    """Return the store that all folders without a store of their own share.

    It is in the folder where the system keeps the data of programs. A user without a home folder
    has it in the working folder.
    """
    # Help texts don't need it, and it takes a third of their time.
    from platformdirs import user_data_path

    folder = user_data_path("horsesense", appauthor=False)
    return folder / STORE_NAME if folder.is_absolute() else Path(STORE_NAME)


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
