"""Keep what a server echoes for each text, so that an interrupted run does not ask again.

A server that is given text returns its tokens and their log-probabilities at once. They are needed
before the first query is planned, and hence before there is anything for the store.
"""

from __future__ import annotations

import json
import sqlite3
import weakref
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

FILE = "echoes.db"
_BUSY_SECONDS = 60.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS echo (
    fingerprint TEXT NOT NULL,
    text TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (fingerprint, text)
) WITHOUT ROWID
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

    def get(self, text: str) -> Any:
        """Return what was kept for a text, or None."""
        rows = self._run("SELECT content FROM echo WHERE fingerprint = ? AND text = ?", text)
        try:
            return json.loads(rows[0][0]) if rows else None
        except ValueError:
            return None

    def put(self, text: str, content: Any) -> None:
        """Keep something for a text."""
        self._run("INSERT OR REPLACE INTO echo VALUES (?, ?, ?)", text, json.dumps(content))

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _run(self, statement: str, text: str, *values: str) -> list[tuple[str]]:
        # Some texts have characters that SQLite cannot write.
        key = json.dumps(text)
        with self._lock:
            if not self._is_usable:
                return []
            try:
                connection = self._opened()
                with connection:
                    row = (self._fingerprint, key, *values)
                    return connection.execute(statement, row).fetchall()
            except (sqlite3.Error, OSError) as error:
                self._is_usable = False
                self._report(
                    f"warning: {self._path} cannot be used ({error}), so texts are sent to the"
                    " server again in the next run; delete the file, or check its folder"
                )
                return []

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
        return self._connection
