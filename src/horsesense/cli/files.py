"""Reading and writing the user's files, with errors in the user's words."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from horsesense.data import BUILT_IN, open_built_in
from horsesense.errors import FileError
from horsesense.notation import SchemaFile

STDIN = "-"


@contextmanager
def opened_schema_file(path: str, data: bytes | None = None) -> Iterator[SchemaFile]:
    """A schema file ready to be read, or its bytes if they have been; `-` is the standard input."""
    with _open(path) if data is None else BytesIO(data) as stream:
        source = "<stdin>" if path == STDIN else path
        yield SchemaFile(stream, source, default_name(path))


def is_built_in(path: str) -> bool:
    """Whether a dataset in the box is meant; a file of that name comes first."""
    return path in BUILT_IN and (not Path(path).exists() or Path(path).is_dir())


def read_bytes(path: str) -> bytes:
    """The whole of a file; `-` is the standard input."""
    try:
        with _open(path) as stream:
            return stream.read()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error


def write_folder(path: Path, files: Iterable[tuple[str, bytes]], *, overwrite: bool) -> None:
    """Write a folder so that it is there whole or not at all.

    In a folder that is there already, files are replaced once all have been made; others stay.
    """
    path = path.resolve()
    if path.exists() and not path.is_dir():
        raise FileError(f"{path} is no folder")
    if path.exists() and any(path.iterdir()) and not overwrite:
        raise FileError(f"{path} is there already; --force overwrites its files")
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as temporary:
            made = Path(temporary) / path.name
            names = _make_files(made, files)
            if not path.exists():
                made.rename(path)
                return
            for name in names:
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                (made / name).replace(path / name)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from error


def _make_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> list[str]:
    names = []
    for name, data in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        names.append(name)
    return names


def default_name(path: str) -> str:
    """A name for the dataset in a file that does not give one: that of the file, made fit.

    >>> default_name("data/My schemas (2).txt"), default_name("-")
    ('My-schemas-2', 'unnamed')
    """
    file = Path(path)
    # Some suffixes name a part of the data: type1.txt.dev, type1.txt.test.
    is_part = file.suffix in (".dev", ".test", ".train")
    stem = f"{Path(file.stem).stem}-{file.suffix[1:]}" if is_part else file.stem
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._")[:100] or "unnamed"


def write_whole(path: Path, pieces: Iterable[str], *, overwrite: bool) -> None:
    """Write a file so that it is there whole or not at all."""
    path = path.resolve()  # a link stays a link, and what it points to is written
    if path.is_dir():
        raise FileError(f"{path} is a folder")
    if path.exists() and not overwrite:
        raise FileError(f"{path} is there already; --force overwrites it")
    try:
        if path.exists() and not path.is_file():
            # A pipe or a device is written to as it is; it cannot be replaced.
            with path.open("w", encoding="utf-8") as stream:
                stream.writelines(pieces)
        else:
            _replace(path, pieces)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from error


def _replace(path: Path, pieces: Iterable[str]) -> None:
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


def _open(path: str) -> BinaryIO:
    """The file, or the standard input."""
    if path == STDIN:
        if sys.stdin is None:
            raise FileError("the standard input is closed")
        return sys.stdin.buffer
    try:
        return open_built_in(path) if is_built_in(path) else Path(path).open("rb")
    except OSError as error:
        near = get_close_matches(path.lower(), BUILT_IN, n=1)
        meant = f"; did you mean {near[0]}, which is in the box?" if near else ""
        raise FileError(f"{path} cannot be read: {error.strerror}{meant}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
