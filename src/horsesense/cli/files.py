"""Reading and writing the user's files, with errors in the user's words."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from horsesense.errors import FileError
from horsesense.notation import SchemaFile

STDIN = "-"


@contextmanager
def opened_schema_file(path: str, *, name: str | None = None) -> Iterator[SchemaFile]:
    """A schema file ready to be read; `-` is the standard input."""
    with _opened(path) as stream:
        source = "<stdin>" if path == STDIN else path
        yield SchemaFile(stream, source, name or default_name(path))


def default_name(path: str) -> str:
    """A name for the dataset in a file that does not give one: that of the file, made fit.

    >>> default_name("data/My schemas (2).txt"), default_name("-")
    ('My-schemas-2', 'unnamed')
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", Path(path).stem).strip("-._")[:100] or "unnamed"


def write_whole(path: Path, pieces: Iterable[str], *, overwrite: bool) -> None:
    """Write a file so that it is there whole or not at all."""
    if path.exists() and not overwrite:
        raise FileError(f"{path} is there already; --force overwrites it")
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.writelines(pieces)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from error


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path == STDIN:
        yield sys.stdin.buffer
        return
    try:
        with Path(path).open("rb") as stream:
            yield stream
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
