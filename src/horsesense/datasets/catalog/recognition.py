"""Whether a file is one of the published ones, or once was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from horsesense.datasets.catalog.catalogue import KnownDataset, KnownFile, known_datasets

# Names come from any system, and also from inside archives.
_SEPARATOR = re.compile(r"[/\\]")


@dataclass(frozen=True, slots=True)
class Recognition:
    """The published file that a file of `size` bytes is, or is an altered copy of."""

    dataset: KnownDataset
    file: KnownFile
    is_as_published: bool
    size: int

    @property
    def told(self) -> str:
        """One line for whoever gave us the file."""
        if self.is_as_published:
            return f"known: {self.dataset.title}, {self.file.path}, as published"
        whose = f"an altered copy of {_possessive(self.dataset.title)} {self.file.path}"
        if self.size == self.file.bytes:
            return f"{whose}: {self.size:,} bytes as published, but another hash"
        return f"{whose}: {self.size:,} bytes where {self.file.bytes:,} were published"


def recognise(
    file_name: str, sha256: str, size: int, format_name: str | None = None
) -> Recognition | None:
    """Tell which published file this is; None for one that we do not know.

    The hash decides, whatever the name. A file with the name of a published one, nearly its
    size and another hash is taken for an altered copy. Many datasets have a `dev.jsonl`: with
    the name of a format only its files count, and among several the nearest in size.
    """
    for dataset, file in _files():
        if file.is_same(sha256.lower(), size):
            return Recognition(dataset, file, True, size)
    name = _SEPARATOR.split(file_name)[-1].casefold()
    namesakes = [
        (dataset, file)
        for dataset, file in _files()
        if file.name.casefold() == name
        and format_name in (None, file.format)
        and 0.75 * file.bytes <= size <= 1.25 * file.bytes
    ]
    if not namesakes:
        return None
    dataset, file = min(namesakes, key=lambda pair: abs(pair[1].bytes - size))
    return Recognition(dataset, file, False, size)


def _files() -> Iterator[tuple[KnownDataset, KnownFile]]:
    for dataset in known_datasets():
        for file in dataset.files:
            yield dataset, file


def _possessive(title: str) -> str:
    return f"{title}'" if title.endswith("s") else f"{title}'s"
