"""Keep the name under which a server answers for a model, so that no other model answers later.

A server may answer for `ant` as `ant-2026-01-01`, and as `ant-2026-06-01` months later. Answers
of both would be stored under the same name, so the first one is kept in the cache folder.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock

FOLDER = "answering"


class AnsweringName:
    """The name under which a model answers, which is kept in a file for later processes.

    If the file cannot be used, that is reported, and the name is kept for this process only.
    """

    def __init__(self, folder: Path, fingerprint: str, report: Callable[[str], None]) -> None:
        self._path, self._report = folder / FOLDER / f"{fingerprint}.txt", report
        self._lock = Lock()
        self.name: str | None = None

    def first(self, name: str) -> str:
        """Return the first name under which the model ever answered, which may be this one."""
        with self._lock:
            if self.name is None:
                self.name = self._kept(name)
            return self.name

    def _kept(self, name: str) -> str:
        """Return the name in the file, or write this one if there is none."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with self._path.open("x", encoding="utf-8") as file:
                    file.write(name)
            except FileExistsError:
                return self._path.read_text(encoding="utf-8") or name
        except (OSError, UnicodeError) as error:
            self._report(
                f"warning: {self._path} cannot be used ({error}), so another model that answers"
                " later under the same name is not noticed; check the folder"
            )
        return name
