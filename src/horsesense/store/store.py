"""The store: one SQLite file that keeps datasets between the steps of the program.

Write-ahead logging lets processes read while one writes; a second writer waits its turn.
Whatever is written is written in one transaction, so that a crash, a kill or a full disk
leaves the file as it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from horsesense.errors import StoreError
from horsesense.store.connection import (
    Opened,
    check_identity,
    check_structure,
    connect,
    connect_existing,
    file_state,
    opening,
    translated,
    use_write_ahead_log,
)
from horsesense.store.migrations import STEPS, migrate, version_of


class Store:
    """An open store; use it as a context manager.

    `reading` and `writing` are transactions: the first sees one state of the file, the
    second is kept whole or not at all.
    """

    def __init__(self, path: Path, opened: Opened) -> None:
        self.path = path
        self._connection, self.is_read_only, self._frozen_at = opened
        self._is_open = True
        # What has been verified already since the store was opened.
        self.verified: set[tuple[str, int]] = set()

    @classmethod
    def create_or_open(cls, path: Path) -> Store:
        """Open the store for writing, and make it where there is none."""
        with opening(path):
            opened = Opened(connect(path, "mode=rwc"))
            _prepare(path, opened.connection)
        return cls(path, opened)

    @classmethod
    def open_damaged(cls, path: Path) -> Store:
        """Open a store that exists, even if its file is damaged, to check or to repair it."""
        return cls._open(path, is_checked=False)

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open a store that exists; one that cannot be written to is opened for reading."""
        return cls._open(path)

    @classmethod
    def _open(cls, path: Path, *, is_checked: bool = True) -> Store:
        with opening(path):
            if not path.exists():
                raise StoreError(
                    f"there is no store at {path}; 'horsesense dataset import FILE' makes one"
                )
            opened = connect_existing(path)
            _prepare(path, opened.connection, is_checked=is_checked)
        return cls(path, opened)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_open = False
        self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction that sees one state of the store; inside another one, a part of that."""
        with translated(self.path):
            if self._connection.in_transaction:
                yield self._connection
                return
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is kept whole, or on any error not at all."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with translated(self.path):
            self._connection.execute(begin)
            try:
                yield self._connection
                self._check_unchanged()
                self._connection.execute("COMMIT")
            except BaseException as error:
                # After a full disk SQLite may have rolled back by itself.
                if self._is_open and self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    self._check_unchanged()
                raise

    def _check_unchanged(self) -> None:
        """A file that was opened as frozen must not have been changed by somebody else."""
        if self._frozen_at is None:
            return
        with opening(self.path):
            if file_state(self.path) != self._frozen_at:
                raise StoreError(f"{self.path} was changed while it was read; try again")


def _prepare(path: Path, connection: sqlite3.Connection, *, is_checked: bool = True) -> None:
    """Refuse what is no store of ours or damaged, and bring an older one up to date."""
    try:
        check_identity(path, connection)
        if is_checked:
            check_structure(path, connection)
        if version_of(connection) < len(STEPS):
            use_write_ahead_log(connection)
            migrate(connection)
    except BaseException:
        connection.close()
        raise
