"""Write files and folders completely or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from horsesense.errors import FileError


def write_folder(path: Path, files: Iterable[tuple[str, bytes]], *, overwrite: bool) -> None:
    """Write files, by their names, to a folder; if one cannot be made, none is written.

    Files of the same names are replaced if `overwrite` is set; other files in the folder stay.
    Raises `FileError`.
    """
    path = path.resolve()
    if path.exists() and not path.is_dir():
        raise FileError(f"{path} is not a folder")
    if path.exists() and any(path.iterdir()) and not overwrite:
        raise FileError(f"{path} already exists; --force (overwrite=True) overwrites its files")
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


def write_file(path: Path, pieces: Iterable[str], *, overwrite: bool) -> None:
    """Write pieces of text to a file; if one cannot be made, nothing is written.

    An existing file is replaced if `overwrite` is set. Raises `FileError`.
    """
    path = path.resolve()  # a link stays a link, and what it points to is written
    if path.is_dir():
        raise FileError(f"{path} is a folder")
    if path.exists() and not overwrite:
        raise FileError(f"{path} already exists; --force (overwrite=True) overwrites it")
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
