"""Download a file: complete and as expected, or not at all.

Nothing of a download is seen under its name before its size and its hash have been checked. Two
processes that download the same file do not disturb each other: each writes a file of its own, and
the last to finish replaces the other's with the same bytes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from http.client import HTTPException, HTTPMessage
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from horsesense.datasets.fetch_settings import current_settings, offline_reason
from horsesense.errors import FileError
from horsesense.models import cache_folder

# Seconds without a single byte after which we give up.
TIMEOUT = 30.0
# The bytes of the list of a repository's files, or of another answer that is not a dataset.
MOST_ANSWERED = 64 * 2**20
_CHUNK = 1 << 16
_SHOWN_DIGITS = 12
_NO_ACCESS, _NOT_THERE, _TOO_MANY = (401, 403), (404, 410), 429


class FetchError(FileError):
    """A file cannot be fetched; `status` is what the server answered, or 0."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status

    @property
    def is_missing(self) -> bool:
        """Return whether the server has no such file."""
        return self.status in _NOT_THERE

    @property
    def is_refused(self) -> bool:
        """Return whether the server gives the file only to some."""
        return self.status in _NO_ACCESS


class ChangedError(FetchError):
    """The file that came is not the one that was published."""


def data_folder() -> Path:
    """Return the folder in which fetched data are kept, whether it exists or not."""
    return cache_folder() / "data"


def get(address: str) -> bytes:
    """Return a short answer of a server, such as a list of files."""
    pieces: list[bytes] = []
    _receive(address, pieces.append, 0, MOST_ANSWERED)
    return b"".join(pieces)


def download(
    address: str, target: Path, *, size: int, most: int, check: Callable[[str], None]
) -> None:
    """Download a file to a path, whose folder is made; replace what is there.

    `size` is the number of bytes if it is known, else 0; more than `most` are not accepted.
    `check` gets the SHA-256 and raises an error if it is another than expected.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.")
    except OSError as error:
        raise cannot_write(target, error) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            digest = sha256()

            def write(piece: bytes) -> None:
                digest.update(piece)
                try:
                    stream.write(piece)
                except OSError as error:
                    raise cannot_write(target, error) from error

            _receive(address, write, size, most)
            try:
                stream.flush()
                os.fsync(stream.fileno())
            except OSError as error:
                raise cannot_write(target, error) from error
        check(digest.hexdigest())
        try:
            temporary.replace(target)
        except OSError as error:
            raise cannot_write(target, error) from error
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def changed(what: str, expected: str, sha256: str) -> ChangedError:
    """Return the error for a file with another hash; `expected` may be the start of one."""
    if len(expected) == len(sha256):
        expected, sha256 = expected[:_SHOWN_DIGITS], sha256[:_SHOWN_DIGITS]
    return ChangedError(
        f"{what} is not the published file: its SHA-256 should begin with"
        f" {expected[:_SHOWN_DIGITS]}, but begins with {sha256[:_SHOWN_DIGITS]}; it was not kept"
    )


def _receive(address: str, take: Callable[[bytes], Any], size: int, most: int) -> None:
    """Pass on what the server sends, piece by piece; check how much it is."""
    if reason := offline_reason():
        raise FetchError(f"{reason}, so {_host(address)} was not contacted")
    request = Request(address, headers={"User-Agent": _agent(), "Accept-Encoding": "identity"})
    try:
        with _opener().open(request, timeout=TIMEOUT) as response:
            announced = _announced(response.headers)
            if announced is not None and (announced > most or (size and announced != size)):
                raise _wrong_size(address, announced, size, most)
            done = _read(response, take, announced or size, most, _name(address))
            if announced is not None and done < announced:
                raise FetchError(
                    f"the connection to {_host(address)} ended after {done:,} of {announced:,}"
                    " bytes; try again"
                )
            if done > most or (size and done != size):
                raise _wrong_size(address, done, size, most)
    except HTTPError as error:
        with error:
            raise _answered(address, error) from error
    except URLError as error:
        raise _unreachable(address, error.reason) from error
    except (OSError, HTTPException) as error:
        raise _unreachable(address, error) from error


def _read(
    response: IO[bytes], take: Callable[[bytes], Any], total: int, most: int, label: str
) -> int:
    """Pass on the pieces of an answer, up to the first one too many; return the bytes."""
    done = 0
    with current_settings().watch(f"fetching {label}") as advance:
        while done <= most and (piece := response.read(_CHUNK)):
            done += len(piece)
            take(piece)
            advance(done, total)
    return done


class _Redirects(HTTPRedirectHandler):
    """Follow a few redirects, and none from https to http."""

    max_redirections = 5

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if urlsplit(req.full_url).scheme == "https" and urlsplit(newurl).scheme != "https":
            raise URLError(f"it redirects to {newurl}, which is not encrypted")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> OpenerDirector:
    return build_opener(_Redirects)


def _agent() -> str:
    return f"horsesense/{version('horsesense')}"


def _announced(headers: HTTPMessage) -> int | None:
    length = headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else None


def _answered(address: str, error: HTTPError) -> FetchError:
    """Return the error for an answer of the server that is not the file."""
    host, status = _host(address), error.code
    if status in _NO_ACCESS:
        text = f"{host} gives {_name(address)} only to those who were granted access"
    elif status in _NOT_THERE:
        text = f"{host} does not have {address} (any more)"
    elif status == _TOO_MANY:
        text = f"{host} accepts no more requests from you for now; try again in an hour"
    elif 300 <= status < 400:
        text = f"{host} redirects {address} in a loop"
    elif status >= 500:
        text = f"{host} has a server error ({status} {error.reason}); try again later"
    else:
        text = f"{host} refuses {address} ({status} {error.reason})"
    return FetchError(text, status)


def _unreachable(address: str, reason: object) -> FetchError:
    if isinstance(reason, TimeoutError):
        return FetchError(f"{_host(address)} did not respond for {TIMEOUT:.0f} seconds; try again")
    text = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return FetchError(f"{_host(address)} cannot be reached: {text}; check your network connection")


def _wrong_size(address: str, actual: int, size: int, most: int) -> ChangedError:
    expected = f"{size:,} bytes were published" if size else f"{most:,} bytes are allowed at most"
    return ChangedError(
        f"{_name(address)} from {_host(address)} has the wrong size: {expected}, but it has"
        f" {'at least ' if actual > most else ''}{actual:,}; it was not kept"
    )


def cannot_write(target: Path, error: OSError) -> FileError:
    """Return the error for a disk that is full or not writable."""
    return FileError(
        f"{target} cannot be written: {error.strerror}; "
        "free some space, or set HORSESENSE_CACHE to a folder elsewhere"
    )


def _host(address: str) -> str:
    return urlsplit(address).netloc


def _name(address: str) -> str:
    return urlsplit(address).path.rpartition("/")[2]
