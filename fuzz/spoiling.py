"""Corrupt good inputs, for all kinds: bytes, and JSON values."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from math import inf, nan
from typing import Any

# Placeholders for JSON that `json.dumps` cannot write; `as_json` replaces them.
_DEEP, _HUGE = "@deep@", "@huge@"
_WRITTEN = {
    f'"{_DEEP}"'.encode(): b"[" * 5_000 + b"]" * 5_000,
    f'"{_HUGE}"'.encode(): b"9" * 5_000,
}
_NUMBERS = [0, -1, 1, 2, 99, 2**31, 2**63, 10**30, 10**400, -(10**400)]
_FLOATS = [0.5, -0.0, 1e308, -1e308, 5e-324, inf, -inf, nan]
_TEXTS = [
    "",
    " ",
    "inf",
    "nan",
    "-inf",
    "A",
    "1",
    "x" * 3_000,
    "\x00\n\r\t\x1b",
    "\ud800",
    "é漢\u2028",
]
_CONTAINERS: list[Any] = [[], {}, [[]], [None], [1.5], ["a", "b"], {"a": 1}, [[0, 1]], [[[]]]]
VALUES: list[Any] = [
    *(None, True, False),
    *_NUMBERS,
    *_FLOATS,
    *_TEXTS,
    *_CONTAINERS,
    *(_DEEP, _HUGE),
]
# Bytes that have a meaning in some format, or are not valid text.
MARKS = [
    *(bytes([byte]) for byte in b"{}[]()<>,;:|\"'\\/#&*!%@`?=-+._ \t\n\r\x00\x1b\x7f"),
    *(b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", "\u2028".encode(), "é漢".encode()),
    *(b"\\ud800", b"\\u0000", b"null", b"true", b"NaN", b"-Infinity", b"1e999", b"9" * 5_000),
    *(b"[" * 2_000, b"(" * 2_000, b'{"a":' * 2_000, b"x" * 500, b"\r\n", b"\n\n", b"0", b"-1"),
]


def spoil_bytes(
    rng: random.Random, good: bytes, *, trouble: Sequence[bytes] = MARKS, most: int = 8
) -> bytes:
    """Make one to `most` changes to the bytes: replace, cut, double or insert some."""
    data = bytearray(good)
    for _ in range(rng.randint(1, most)):
        place = rng.randrange(len(data) + 1)
        end = min(len(data), place + rng.randint(1, 12))
        match rng.randrange(6):
            case 0 | 1:
                data[place:place] = rng.choice(trouble)
            case 2:
                del data[place:end]
            case 3:
                data[place:place] = data[place:end]
            case 4 if place < len(data):
                data[place] = rng.randrange(256)
            case _:
                start = rng.randrange(len(good) + 1)
                data[place:end] = good[start : start + rng.randint(1, 60)]
    return bytes(data)


def spoil_value(rng: random.Random, good: Any, *, most: int = 3) -> Any:
    """Make one to `most` changes to parts of a copy of the value."""
    for _ in range(rng.randint(1, most)):
        good = _changed(rng, good)
    return good


def spoil_near(rng: random.Random, good: Any) -> Any:
    """Change the value, or an element of a list or object, mostly to one of the same type."""
    if isinstance(good, dict | list) and good and rng.random() > 0.3:
        copy: Any = good.copy()
        key = rng.choice(list(good)) if isinstance(good, dict) else rng.randrange(len(good))
        copy[key] = spoil_near(rng, good[key])
        return copy
    match good:
        case int() if not isinstance(good, bool):
            return rng.choice([good + 1, good - 1, -good, 0, 10**6, 2**40, good + 10**18])
        case float():
            return rng.choice([-good, 0.0, good * 2, 1e308, -1e-308, "inf", 3])
        case str():
            return rng.choice(["", good + "x", good[:1], " ", "é漢\u2028", "\x1b[31m", "\ud800"])
    return _altered(rng, good)


def as_json(value: Any) -> bytes:
    """Write the value as JSON, including numbers and nesting that Python cannot write."""
    data = json.dumps(value).encode()
    for placeholder, written in _WRITTEN.items():
        data = data.replace(placeholder, written)
    return data


def _changed(rng: random.Random, value: Any) -> Any:
    """Replace one part of the value, at any depth."""
    if isinstance(value, dict | list) and value and rng.random() > 0.1:
        copy: Any = value.copy()
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        copy[key] = _changed(rng, value[key])
        return copy
    return rng.choice(_CHANGES)(rng, value)


def _replaced(rng: random.Random, value: Any) -> Any:
    return rng.choice(VALUES)


def _altered(rng: random.Random, value: Any) -> Any:
    """Return nearly the same value."""
    match value:
        case bool():
            return rng.choice([not value, int(value), str(value)])
        case int():
            return rng.choice(
                [value + 1, value - 1, -value, value % 2**60 + 0.5, str(value), value * 10**9]
            )
        case float():
            return rng.choice([-value, str(value), value * 1e300, nan])
        case str():
            place = rng.randrange(len(value) + 1)
            return value[:place] + rng.choice(_TEXTS) + value[place:]
        case list() | dict() if value:
            return _without_some(rng, value)
    return rng.choice(VALUES)


def _without_some(rng: random.Random, value: Any) -> Any:
    """Remove or add an element of a list or object, or change the order."""
    if isinstance(value, dict):
        key = rng.choice(list(value))
        rest = {name: element for name, element in value.items() if name != key}
        return rest if rng.random() < 0.5 else {**rest, f"{key}x": value[key]}
    place = rng.randrange(len(value))
    return rng.choice(
        [
            value[:place] + value[place + 1 :],
            value[: place + 1] + value[place:],
            [*value, rng.choice(VALUES)],
            value[::-1],
            value[:place],
        ]
    )


def _wrapped(rng: random.Random, value: Any) -> Any:
    return rng.choice([[value], {"a": value}, [value, value], str(value)[:200]])


_CHANGES: list[Callable[[random.Random, Any], Any]] = [_replaced, _replaced, _altered, _wrapped]
