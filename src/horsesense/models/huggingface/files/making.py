"""Folders of the cache that are made once: there whole or not at all, by one process at a time."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from horsesense.errors import ModelError

try:
    import fcntl
except ImportError:  # elsewhere two processes do the work twice, and one of them takes the place
    fcntl = None  # type: ignore[assignment]

_GIGABYTE = 1e9


def made_once(
    target: Path, make: Callable[[Path], None], *, needs_bytes: int, progress: Callable[[str], None]
) -> Path:
    """The folder `target`; where it is not there yet, `make` is given an empty one to fill.

    What an interrupted run has left behind goes when the next one begins.
    """
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _locked(target, progress):
            if not target.is_dir():
                _check_space(target.parent, needs_bytes)
                _make(target, make)
    except OSError as error:
        raise cannot_write(target, error) from error
    return target


def _make(target: Path, make: Callable[[Path], None]) -> None:
    prefix = f".{target.name}."
    if fcntl is not None:  # ours is the only one at work
        for left_over in target.parent.glob(f"{prefix}*"):
            shutil.rmtree(left_over, ignore_errors=True)
    with tempfile.TemporaryDirectory(
        dir=target.parent, prefix=prefix, ignore_cleanup_errors=True
    ) as temporary:
        made = Path(temporary) / target.name
        made.mkdir()
        make(made)
        _share(made)
        try:
            made.rename(target)
        except OSError:
            if not target.is_dir():  # another process was quicker, and made the same
                raise


def _share(folder: Path) -> None:
    """Give the files the rights that others of this user have; some libraries write 0600."""
    mask = os.umask(0)
    os.umask(mask)
    for path in folder.iterdir():
        path.chmod(0o666 & ~mask)


@contextmanager
def _locked(target: Path, progress: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock beside the folder, which goes with the process that holds it."""
    if fcntl is None:
        yield
        return
    with (target.parent / f"{target.name}.lock").open("w") as stream:
        _lock(stream, target, progress)
        yield


def _lock(stream: IO[str], target: Path, progress: Callable[[str], None]) -> None:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            return  # a file system without locks
        progress(f"waiting for another process that makes {target.name}")
        fcntl.flock(stream, fcntl.LOCK_EX)


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise ModelError(
            f"{folder} has {free / _GIGABYTE:.1f} GB left, and {needed / _GIGABYTE:.1f} GB are "
            "needed; make room, or set HORSESENSE_CACHE to a folder elsewhere"
        )


def cannot_write(target: Path, error: Exception) -> ModelError:
    """What to say where the disk is full, or not ours to write on."""
    reason = getattr(error, "strerror", None) or str(error)
    return ModelError(
        f"{target} cannot be written: {reason}; "
        "make room there, or set HORSESENSE_CACHE to a folder elsewhere"
    )
