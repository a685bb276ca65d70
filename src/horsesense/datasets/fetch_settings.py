"""Whether files may be fetched, from where, and who hears of it.

The command line sets this for everything that a command loads; a caller of `load_dataset` for that
call alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TypeAlias
from urllib.parse import urlsplit

from horsesense.errors import ArgumentError

OFFLINE_VARIABLES = ("HORSESENSE_OFFLINE", "HF_HUB_OFFLINE")
MIRROR_VARIABLE = "HORSESENSE_DATA_MIRROR"
HUB_VARIABLE = "HF_ENDPOINT"
_HUB = "https://huggingface.co"
_FILES, _LISTS = "https://raw.githubusercontent.com", "https://api.github.com"
_OFF = ("", "0", "false", "no", "off")

# Told the bytes so far and the bytes in all, which are 0 if they are unknown.
Advance: TypeAlias = Callable[[int, int], None]


def _unwatched(label: str) -> AbstractContextManager[Advance]:
    """Show no progress."""
    return nullcontext(lambda done, total: None)


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """Whether to stay offline, and what to call with messages and for a bar of progress."""

    is_offline: bool = False
    note: Callable[[str], None] = lambda message: None
    watch: Callable[[str], AbstractContextManager[Advance]] = _unwatched


_current: ContextVar[FetchSettings] = ContextVar("fetching", default=FetchSettings())  # noqa: B039


def current_settings() -> FetchSettings:
    """Return the settings that apply here."""
    return _current.get()


@contextmanager
def fetching(
    *,
    offline: bool | None = None,
    note: Callable[[str], None] | None = None,
    watch: Callable[[str], AbstractContextManager[Advance]] | None = None,
) -> Iterator[None]:
    """Change the settings inside the `with` block; what is not given stays as it is."""
    given = {"is_offline": offline, "note": note, "watch": watch}
    changed = {key: value for key, value in given.items() if value is not None}
    token = _current.set(replace(_current.get(), **changed))  # type: ignore[arg-type]
    try:
        yield
    finally:
        _current.reset(token)


def offline_reason(environment: Mapping[str, str] = os.environ) -> str:
    """Say what keeps us offline; empty if nothing does.

    >>> offline_reason({"HF_HUB_OFFLINE": "1"}), offline_reason({"HF_HUB_OFFLINE": "0"})
    ('HF_HUB_OFFLINE is set', '')
    """
    if current_settings().is_offline:
        return "you chose to work offline"
    for name in OFFLINE_VARIABLES:
        if environment.get(name, "").strip().lower() not in _OFF:
            return f"{name} is set"
    return ""


def files_address(environment: Mapping[str, str] = os.environ) -> str:
    """Return the address below which the files of repositories are, as OWNER/NAME/COMMIT/PATH."""
    return _address(environment, MIRROR_VARIABLE) or _FILES


def lists_address(environment: Mapping[str, str] = os.environ) -> str:
    """Return the address below which GitHub, or a mirror that can, lists the files."""
    return _address(environment, MIRROR_VARIABLE) or _LISTS


def mirrored(environment: Mapping[str, str] = os.environ) -> str:
    """Name the mirror, if there is one, for the end of a message.

    >>> mirrored({"HORSESENSE_DATA_MIRROR": "http://localhost:8080"}), mirrored({})
    (' via http://localhost:8080', '')
    """
    address = _address(environment, MIRROR_VARIABLE)
    return f" via {address}" if address else ""


def hub_address(environment: Mapping[str, str] = os.environ) -> str:
    """Return the address of the Hugging Face hub, or of its mirror.

    >>> hub_address({"HF_ENDPOINT": "http://localhost:8080/"})
    'http://localhost:8080'
    """
    return _address(environment, HUB_VARIABLE) or _HUB


def _address(environment: Mapping[str, str], variable: str) -> str:
    address = environment.get(variable, "").strip().rstrip("/")
    if address and (
        urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).netloc
    ):
        raise ArgumentError(
            f"{variable} is {address!r}, which is not a URL; start it with https:// or http://"
        )
    return address
