"""Open a store: connect to the file, check and upgrade it, and run transactions on it."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple
from urllib.parse import quote

from horsesense.errors import StoreError
from horsesense.store.checksums import REMEDY, damage
from horsesense.store.migrations import APPLICATION_ID, STEPS, migrate, stand_in, version_of

BUSY_SECONDS = 60.0
# Checking a file of this size takes an eighth of a second. Of larger files only small tables are
# checked.
CHECKED_BYTES = 50_000_000
_CATALOGUE = (
    *("dataset", "numbering", "source", "perturbation", "frozen", "judgement"),
    *("model", "asking", "run", "seal"),
)
_READ_ONLY = "cannot be written to; choose another with --store"
_EXPLANATIONS = {
    "SQLITE_BUSY": f"is busy: another process has been writing to it for {BUSY_SECONDS:.0f} s",
    "SQLITE_FULL": "could not be written: the disk is full; nothing was stored",
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_PERM": _READ_ONLY,
    "SQLITE_CANTOPEN": "cannot be opened; check that its folder exists and is writable",
    "SQLITE_NOTADB": "is not a horsesense store: it is not an SQLite file",
    "SQLITE_CORRUPT": f"is damaged ({{error}}); {REMEDY}",
    "SQLITE_IOERR": "could not be read or written ({error}); the disk may be full or disconnected",
}


class FileState(NamedTuple):
    """The properties of a file that change when somebody writes to it."""

    modified: int
    size: int
    has_log: bool


class Opened(NamedTuple):
    """A connection, and whether it is read-only.

    `frozen_at` is the state of a file that must not change while it is read.
    """

    connection: sqlite3.Connection
    is_read_only: bool = False
    frozen_at: FileState | None = None


def file_state(path: Path) -> FileState:
    """Return the current state of a file."""
    status = path.stat()
    return FileState(status.st_mtime_ns, status.st_size, _log_of(path).exists())


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into messages for users."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path} {_explanation(error)}") from error


@contextmanager
def opening(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the operating system into messages for users."""
    try:
        with translated(path):
            yield
    except OSError as error:
        raise StoreError(f"{path} cannot be used: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise damage(str(path), "its tables have names that are not text") from error


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Connect to a file, with explicit transactions."""
    try:
        connection = sqlite3.connect(
            f"file://{quote(os.fsencode(path.absolute()))}?{mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
        )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA cell_size_check = ON")
    except sqlite3.DatabaseError as error:
        if path.is_dir():
            raise StoreError(f"{path} is a folder, and a store is a file") from error
        raise
    return connection


def connect_existing(path: Path) -> Opened:
    """Connect for writing if possible, otherwise for reading."""
    path = path.resolve()
    if path.is_dir() or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return Opened(connect(path, "mode=rw"))
    state = file_state(path)
    if state.has_log:
        return Opened(connect(path, "mode=ro"), is_read_only=True)
    # Readers of a write-ahead log write files next to it. Without a log, SQLite can read the file
    # as immutable as long as nobody changes it.
    return Opened(connect(path, "mode=ro&immutable=1"), is_read_only=True, frozen_at=state)


def check_identity(path: Path, connection: sqlite3.Connection) -> None:
    """Raise an error if a file is not a store, or was written by a later version."""
    # One transaction, as another process could create the store between two queries.
    connection.execute("BEGIN")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    version = version_of(connection)
    connection.execute("COMMIT")
    is_blank = (application, tables, version) == (0, 0, 0)
    if application != APPLICATION_ID and not is_blank:
        raise StoreError(f"{path} is an SQLite file, but not a horsesense store")
    if version > len(STEPS):
        raise StoreError(
            f"{path} has version {version}, but this program supports only {len(STEPS)}; "
            "update horsesense, or choose another store with --store"
        )


def check_structure(path: Path, connection: sqlite3.Connection) -> None:
    """Raise an error if pages of the file are damaged, as rows may be missing or duplicated."""
    ((size,),) = connection.execute(
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    )
    checked = ("",) if size <= CHECKED_BYTES else _CATALOGUE
    for table in checked:
        for finding in structural_faults(connection, table):
            raise StoreError(f"{path} is damaged ({finding}); {REMEDY}")


def structural_faults(connection: sqlite3.Connection, table: str = "") -> Iterator[str]:
    """Yield the faults that SQLite finds in the pages of the file, or of one table."""
    try:
        argument = f"({table})" if table else ""
        for (finding,) in connection.execute(f"PRAGMA integrity_check{argument}"):
            # Later versions of SQLite check the search index too, which can be rebuilt.
            if finding != "ok" and "FTS5" not in str(finding):
                yield str(finding).replace("\n", " ")
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            yield str(error)
        else:
            raise


def use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch the file to write-ahead logging, which is permanent.

    SQLite ignores the timeout here, so two processes that create the same store need to retry.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _log_of(path: Path) -> Path:
    return Path(f"{path.resolve()}-wal")


def _explanation(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    for start, explanation in _EXPLANATIONS.items():
        if name.startswith(start):
            return explanation.format(error=error)
    if is_damage(error):
        return _EXPLANATIONS["SQLITE_CORRUPT"].format(error=error)
    return f"cannot be used: {error}"


def is_damage(error: BaseException | None) -> bool:
    """Return whether an error of SQLite means that the file is damaged, not just busy or full."""
    if not isinstance(error, sqlite3.Error):
        return False
    name = getattr(error, "sqlite_errorname", "")
    message = str(error)
    return name.startswith("SQLITE_CORRUPT") or "UTF-8" in message or "malformed" in message


class Store:
    """An open store; use it as a context manager.

    `reading` and `writing` are transactions: the first sees a consistent state of the file, the
    second is atomic.
    """

    def __init__(self, path: Path, opened: Opened) -> None:
        self.path = path
        self._connection, self.is_read_only, self._frozen_at = opened
        self._is_open = True
        # Kinds and primary keys of records that were verified since the store was opened.
        self.verified: set[tuple[str, int]] = set()

    @classmethod
    def create_or_open(cls, path: Path) -> Store:
        """Open the store for writing, and create it if it does not exist."""
        with opening(path):
            opened = Opened(connect(path, "mode=rwc"))
            _prepare(path, opened)
        return cls(path, opened)

    @classmethod
    def open_damaged(cls, path: Path) -> Store:
        """Open an existing store, even if its file is damaged, to check or repair it."""
        return cls._open(path, is_checked=False)

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open an existing store; if it is not writable, open it for reading."""
        return cls._open(path)

    @classmethod
    def _open(cls, path: Path, *, is_checked: bool = True) -> Store:
        with opening(path):
            if not path.exists():
                raise StoreError(
                    f"there is no store at {path}; 'horsesense dataset import FILE' creates one"
                )
            opened = connect_existing(path)
            _prepare(path, opened, is_checked=is_checked)
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
        """Run a read transaction, or join the current transaction."""
        with translated(self.path):
            if self._connection.in_transaction:
                yield self._connection
                return
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run a write transaction, which is rolled back on any error."""
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
                # After a full disk SQLite may have rolled back already.
                if self._is_open and self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    self._check_unchanged()
                raise

    def _check_unchanged(self) -> None:
        """Raise an error if a file that was opened as immutable has changed."""
        if self._frozen_at is None:
            return
        with opening(self.path):
            if file_state(self.path) != self._frozen_at:
                raise StoreError(f"{self.path} was changed while it was read; try again")


def _prepare(path: Path, opened: Opened, *, is_checked: bool = True) -> None:
    """Check the identity and structure of a store, and upgrade an older one."""
    connection = opened.connection
    try:
        check_identity(path, connection)
        if is_checked:
            check_structure(path, connection)
        if version_of(connection) == len(STEPS):
            return
        if not (opened.is_read_only and stand_in(connection)):
            use_write_ahead_log(connection)
            migrate(connection)
    except BaseException:
        connection.close()
        raise
