"""Keep what a server echoes for each text, so that an interrupted run does not ask again.

A server that is given text returns its tokens and their log-probabilities at once. They are needed
before the first query is planned, and hence before there is anything for the store. Tokens are kept
for good. Log-probabilities are kept only until they are in the store, and for a day at most, so
that numbers that a server does not return any more are never shown for those of today.
"""

from __future__ import annotations

import json
import sqlite3
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import Any

FILE = "echoes.db"
# How long log-probabilities are kept, in seconds.
LONGEST = 24 * 60 * 60
_BUSY_SECONDS = 60.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS echoes (
    fingerprint TEXT NOT NULL,
    text TEXT NOT NULL,
    pieces TEXT NOT NULL,
    log_probs TEXT,
    made INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER)),
    PRIMARY KEY (fingerprint, text)
) WITHOUT ROWID
"""
_EXPIRE = """
UPDATE echoes SET log_probs = NULL
WHERE log_probs IS NOT NULL AND made <= CAST(strftime('%s', 'now') AS INTEGER) - ?
"""


class Echoes:
    """What one model has echoed, in a file that several processes can share.

    If the file cannot be used, that is reported, and nothing is kept.
    """

    def __init__(self, folder: Path, fingerprint: str, report: Callable[[str], None]) -> None:
        self._path, self._fingerprint, self._report = folder / FILE, fingerprint, report
        self._lock = Lock()
        self._is_usable = True
        self._connection: sqlite3.Connection | None = None

    def get(self, text: str) -> tuple[list[str], list[Any] | None] | None:
        """Return the pieces of a text and their log-probabilities, as far as they are kept."""
        rows = self._run(
            "SELECT pieces, log_probs FROM echoes WHERE fingerprint = ? AND text = ?", _key(text)
        )
        for pieces, log_probs in rows:
            return json.loads(pieces), None if log_probs is None else json.loads(log_probs)
        return None

    def put(self, text: str, pieces: list[str], log_probs: list[Any]) -> None:
        """Keep the pieces of a text and their log-probabilities."""
        self._run(
            "INSERT OR REPLACE INTO echoes (fingerprint, text, pieces, log_probs)"
            " VALUES (?, ?, ?, ?)",
            _key(text),
            json.dumps(pieces),
            json.dumps(log_probs),
        )

    def pieces(self) -> Iterator[tuple[str, list[str]]]:
        """Yield all texts with their pieces."""
        rows = self._run("SELECT text, pieces FROM echoes WHERE fingerprint = ?")
        for text, pieces in rows:
            yield json.loads(text), json.loads(pieces)

    def forget(self, texts: Iterable[str]) -> None:
        """Forget the log-probabilities of some texts, but not their pieces."""
        statement = "UPDATE echoes SET log_probs = NULL WHERE fingerprint = ? AND text = ?"
        self._run_each(statement, [(_key(text),) for text in texts])

    def forget_all(self) -> None:
        """Forget all log-probabilities, but not the pieces."""
        self._run("UPDATE echoes SET log_probs = NULL WHERE fingerprint = ?")

    def clear(self) -> None:
        """Forget everything of this model."""
        self._run("DELETE FROM echoes WHERE fingerprint = ?")

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _run(self, statement: str, *values: str) -> list[tuple[Any, ...]]:
        return self._run_each(statement, [values])

    def _run_each(self, statement: str, rows: list[tuple[str, ...]]) -> list[tuple[Any, ...]]:
        """Run a statement for each row of values, and return what it selects."""
        with self._lock:
            if not self._is_usable:
                return []
            selected: list[tuple[Any, ...]] = []
            try:
                connection = self._opened()
                with connection:
                    for values in rows:
                        row = (self._fingerprint, *values)
                        selected += connection.execute(statement, row).fetchall()
            except (sqlite3.Error, OSError) as error:
                self._is_usable = False
                self._report(
                    f"warning: {self._path} cannot be used ({error}), so texts are sent to the"
                    " server again in the next run; delete the file, or check its folder"
                )
                return []
            return selected

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = connection = sqlite3.connect(
                self._path, _BUSY_SECONDS, check_same_thread=False
            )
            weakref.finalize(self, connection.close)
            # The last answers may get lost if the machine fails, but not if this program does.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_SCHEMA)
            with connection:
                connection.execute(_EXPIRE, (LONGEST,))
        return self._connection


def _key(text: str) -> str:
    """Return a text as it is written in the file; some have characters that SQLite cannot write."""
    return json.dumps(text)
