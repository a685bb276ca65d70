"""Drawing until it fits: some draws are thrown away, but not without end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from horsesense.errors import GenerationError

T = TypeVar("T")

# So many draws in a row that do not fit: nothing will.
TRIES = 1000


def first_made(make: Callable[[], T | None]) -> T:
    """The first result; draws again where what was drawn does not fit.

    >>> from itertools import count
    >>> numbers = count(5)
    >>> first_made(lambda: number if (number := next(numbers)) % 4 == 0 else None)
    8
    """
    for _ in range(TRIES):
        if (made := make()) is not None:
            return made
    raise GenerationError("nothing that fits was drawn")
