"""Texts that were compared, and in what they differ."""

from __future__ import annotations

from collections.abc import Sequence

from horsesense.datasets.recovery import shared_end, shared_start


def differing(texts: Sequence[str]) -> tuple[str, ...]:
    """What each text has in place of what the others have: whole words, nothing around them.

    >>> differing(["A rope can hold a boat.", "A rope cannot hold a boat."])
    ('can', 'cannot')
    """
    if len(set(texts)) < 2:
        return tuple(texts)
    start = min(shared_start(texts[0], other) for other in texts[1:])
    start = texts[0].rfind(" ", 0, start) + 1
    rest = [text[start:] for text in texts]
    most = min(map(len, rest))
    end = min(shared_end(rest[0], other, most) for other in rest[1:])
    tail = rest[0][len(rest[0]) - end :]
    # Not within a word: «can» and «cannot» have no end in common.
    end = len(tail) - tail.find(" ") if " " in tail else 0
    return tuple(text[: len(text) - end].strip() for text in rest)
