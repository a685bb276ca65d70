"""A dataset that was fetched: its file, with what is needed to import it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from hashlib import sha256

from horsesense.datasets.importers import Companions, FileImport, SourceFile, open_import
from horsesense.schema import Header


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file with its companions, the recipe and the header for its dataset.

    `report` tells the user what it is.
    """

    header: Header
    file: SourceFile
    companions: tuple[SourceFile, ...] = ()
    recipe: str = ""
    report: str = ""

    @property
    def id(self) -> str:
        """A hash of everything that the dataset is made of."""
        if not (self.companions or self.recipe):
            return self.file.digest
        parts = (self.file.digest, *(each.digest for each in self.companions), self.recipe)
        return sha256("\n".join(parts).encode()).hexdigest()

    def open(
        self,
        *,
        name: str | None = None,
        format_name: str | None = None,
        companions: Companions = (),
        recipe: str = "",
        switched_off: Collection[str] = (),
        keep_going: bool = True,
    ) -> FileImport:
        """Return the import of the file; what is given replaces or adds to what is usual."""
        return open_import(
            self.file,
            self.header if name is None else replace(self.header, name=name),
            format_name=format_name,
            companions=(*self.companions, *companions),
            switched_off=switched_off,
            keep_going=keep_going,
            recipe=recipe or self.recipe,
        )
