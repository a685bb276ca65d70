"""Token frequencies in a text corpus: the probability of a token at the start of a text.

A causal model without BOS gives no probability to the first token of a sentence. The thesis uses
the token's frequency in the training data of the model, or in similar data (3.1.1).
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import TextIO
from uuid import uuid4

from horsesense.errors import FileError
from horsesense.models import FirstToken

# A token that never occurs counts as half an occurrence.
FLOOR = 0.5
# Longer than any total, and short enough to reject a file of another kind quickly.
_LONGEST_TOTAL = 40
_ITEM = re.compile(r"\s*([0-9]{1,18})\s*:\s*([0-9]{1,18})\s*")


@dataclass(frozen=True, slots=True)
class FrequencyTable:
    """The number of occurrences of each token; tokens that never occur may be missing."""

    total: int
    counts: Mapping[int, int]

    def __post_init__(self) -> None:
        if any(number < 0 for item in self.counts.items() for number in item):
            raise ValueError("ids and counts cannot be negative")
        if self.total != (summed := sum(self.counts.values())):
            raise ValueError(f"the counts add up to {summed}, but the total is {self.total}")
        if not self.total:
            raise ValueError("no token is counted")

    def log_prob(self, token: int) -> tuple[float, FirstToken]:
        """Return the logarithm of the token's frequency, or of the floor if it never occurs.

        >>> FrequencyTable(4, {7: 3, 8: 1}).log_prob(7)
        (-0.2876820724517809, <FirstToken.TABLE: 'table'>)
        """
        count = self.counts.get(token, 0)
        source = FirstToken.TABLE if count else FirstToken.FLOOR
        return log((count or FLOOR) / self.total), source

    def fits(self, vocabulary: int) -> bool:
        """Return False if it has tokens that are not in a vocabulary of that size.

        >>> FrequencyTable(4, {7: 3, 8: 1}).fits(8)
        False
        """
        return max(self.counts) < vocabulary


def count_frequencies(documents: Iterable[Iterable[int]], eos: int | None) -> FrequencyTable:
    """Count the tokens of documents, with EOS after each document as in training.

    The documents are read one by one and not kept in memory.

    >>> count_frequencies([(5, 6), (6,)], eos=0).counts == {5: 1, 6: 2, 0: 2}
    True
    """
    counts: Counter[int] = Counter()
    for document in documents:
        counts.update(document)
        if eos is not None:
            counts[eos] += 1
    return FrequencyTable(counts.total(), dict(counts))


def read_frequencies(path: Path) -> FrequencyTable:
    """Read a table in the thesis' format: the total in line 1, `{id: count, …}` in line 2."""
    try:
        with path.open(encoding="utf-8") as stream:
            return _parse(stream)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not a table of token frequencies: it is not text") from error
    except ValueError as error:
        raise FileError(f"{path} is not a table of token frequencies: {error}") from error


def write_frequencies(table: FrequencyTable, path: Path) -> None:
    """Write a table in the thesis' format; a failed write leaves the old file as it was."""
    items = ", ".join(f"{token}: {count}" for token, count in sorted(table.counts.items()))
    try:
        _replace(path.resolve(), f"{table.total}\n{{{items}}}")
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from error


def _parse(stream: TextIO) -> FrequencyTable:
    total = stream.readline(_LONGEST_TOTAL).strip()
    if not re.fullmatch("[0-9]+", total):
        raise ValueError(f"line 1: the total is not a whole number: {total!r}")
    line, rest = stream.readline().strip(), stream.read().strip()
    if rest:
        raise ValueError(f"line 3: nothing should follow the counts: {_shortened(rest)!r}")
    if not (line.startswith("{") and line.endswith("}")):
        raise ValueError(f"line 2: the counts are not in braces: {_shortened(line)!r}")
    counts: dict[int, int] = {}
    for token, count in _items(line[1:-1]):
        if token in counts:
            raise ValueError(f"line 2: token {token} is counted twice")
        counts[token] = count
    return FrequencyTable(int(total), counts)


def _items(body: str) -> Iterator[tuple[int, int]]:
    """Yield the pairs in the braces. They look like Python, but nothing is evaluated."""
    for number, item in enumerate(body.split(",") if body.strip() else (), 1):
        match = _ITEM.fullmatch(item)
        if not match:
            raise ValueError(f"line 2: item {number} is not 'id: count': {_shortened(item)!r}")
        yield int(match[1]), int(match[2])


def _shortened(text: str, length: int = 40) -> str:
    return text if len(text) <= length else f"{text[:length]}…"


def _replace(path: Path, text: str) -> None:
    """Write a temporary file next to it, then rename that."""
    temporary = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
