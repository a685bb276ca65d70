"""The key for a server: read from the environment, sent to the server, and shown nowhere.

A key of `HORSESENSE_API_KEY_HOST` goes to that host only. The key of `HORSESENSE_API_KEY` goes to
the first host that is used in a process, and to no other.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

import httpx

from horsesense.errors import ServerError
from horsesense.models.server.addresses import is_loopback

KEY_VARIABLE = "HORSESENSE_API_KEY"
KEY_FILE_VARIABLE = "HORSESENSE_API_KEY_FILE"
HIDDEN = "[key]"
_NOT_IN_NAMES = re.compile("[^0-9A-Za-z]")
# Shorter keys are placeholders such as `none`, which texts may contain by chance.
_LEAST_SECRET = 8
_BASE64 = (b64encode, urlsafe_b64encode)


class Key:
    """A key, or none if it is empty."""

    def __init__(self, value: str) -> None:
        self._value = value
        spelled = "".join(map(_spellings, value))
        encoded = map(re.escape, _encodings(value))
        self._pattern = re.compile("|".join((spelled, *encoded)), re.IGNORECASE)
        # What a text with the key has in it, in small letters.
        self._signs = (value.lower(), "\\", "%", "&#", *map(str.lower, _encodings(value)))

    def __repr__(self) -> str:
        return "<key>" if self._value else "<no key>"

    def __bool__(self) -> bool:
        return bool(self._value)

    @property
    def headers(self) -> dict[str, str]:
        """The header that sends it."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def hide(self, text: str) -> str:
        """Replace the key in a text, also where it is escaped, or in Base64.

        >>> Key("s/1").hide("wrong key: s%2F1"), Key("").hide("no key")
        ('wrong key: [key]', 'no key')
        """
        return self._pattern.sub(HIDDEN, text) if self._value else text

    def hide_in_answer(self, body: bytes) -> bytes:
        """Replace the key in the answer of a server, unless it is too short to be a secret."""
        if len(self._value) < _LEAST_SECRET:
            return body
        lower = body.lower()
        if not any(sign.encode() in lower for sign in self._signs):
            return body
        return self.hide(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


class _Owner:
    """The host that the key without a host in its variable goes to."""

    def __init__(self) -> None:
        self.host: str | None = None
        self._lock = Lock()

    def is_owner(self, host: str) -> bool:
        """Return whether the key goes to a host; the first one that is asked about becomes it."""
        with self._lock:
            self.host = self.host or host
            return self.host == host


_OWNER = _Owner()
_THIS_MACHINE = "this machine"


def load_key(url: str, environment: Mapping[str, str] = os.environ) -> Key:
    """Return the key for a server, from the environment or a file that the environment names."""
    own = key_variables(url)
    for variable in own:
        if variable in environment and not environment[variable].strip():
            return Key("")  # it wants none
        if key := _read(variable, environment):
            return key
    key = _read(KEY_VARIABLE, environment)
    host = _THIS_MACHINE if is_loopback(url) else httpx.URL(url).host
    if not key or _OWNER.is_owner(host):
        return key
    if host == _THIS_MACHINE:
        return Key("")
    raise ServerError(
        f"the key in {KEY_VARIABLE} is for {_OWNER.host}, and not sent to {host} as well; put the"
        f" key for {host} into {own[-1]}, or make that empty if it needs none"
    )


def key_variables(url: str) -> tuple[str, ...]:
    """Return the variables for the key of a server, the one with its port first if there is one.

    >>> key_variables("https://api.acme-2.example:8000/v1")
    ('HORSESENSE_API_KEY_API_ACME_2_EXAMPLE_8000', 'HORSESENSE_API_KEY_API_ACME_2_EXAMPLE')
    """
    parsed = httpx.URL(url)
    name = f"{KEY_VARIABLE}_{_NOT_IN_NAMES.sub('_', parsed.host).strip('_').upper()}"
    names = (name,) if parsed.port is None else (f"{name}_{parsed.port}", name)
    # A host called `file` cannot have a variable of its own.
    return tuple(each for each in names if each != KEY_FILE_VARIABLE) or (f"{name}_",)


def _read(variable: str, environment: Mapping[str, str]) -> Key:
    """Return the key in a variable, or in the file that its twin names."""
    if variable in environment:
        return _checked(environment[variable], variable)
    path = environment.get(f"{variable}_FILE")
    if not path:
        return Key("")
    source = f"the file {path} of {variable}_FILE"
    try:
        content = Path(path).expanduser().read_bytes()
    except OSError as error:
        raise ServerError(
            f"{source} cannot be read: {error.strerror}; correct the path, or unset the variable"
        ) from error
    return _checked(content.decode("utf-8", "replace"), source)


def _checked(content: str, source: str) -> Key:
    """Return the key without the spaces around it, or raise an error that does not show it."""
    value = content.strip()
    if not value:
        raise ServerError(f"{source} is empty; put the key of the server there, or unset it")
    if not (value.isascii() and value.isprintable() and " " not in value):
        raise ServerError(
            f"{source} is not a key: it has spaces, line breaks or characters that are not ASCII;"
            " put only the key of the server there"
        )
    return Key(value)


def _encodings(value: str) -> tuple[str, ...]:
    """Return how Base64 spells a key within a longer text, as far as that depends on the key alone.

    >>> _encodings("sk-hush-hush")[0]
    'c2staHVzaC1odXNo'
    """
    if len(value) < _LEAST_SECRET:
        return ()
    encodings = []
    for offset in range(3):
        data = bytes(offset) + value.encode()
        # The first and the last characters also depend on what is around the key.
        first, last = -(-8 * offset // 6), len(data) * 8 // 6
        encodings += [encode(data).decode()[first:last] for encode in _BASE64]
    return tuple(dict.fromkeys(encodings))


def _spellings(char: str) -> str:
    """Return a pattern for a character as it is, or escaped for JSON, an address or HTML.

    >>> bool(re.fullmatch(_spellings("/"), "%2f")), bool(re.fullmatch(_spellings("a"), "b"))
    (True, False)
    """
    code = ord(char)
    digits = f"{code:02x}"
    number = "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits)
    spellings = (
        rf"\\+u00{number}",
        rf"\\+x{number}",
        f"%{number}",
        f"&#0*{code};",
        f"&#x{number};",
        rf"\\*{re.escape(char)}",
    )
    return f"(?:{'|'.join(spellings)})"
