"""A sentence as a model reads it: its tokens, and what part of the sentence each belongs to.

The sentence is tokenized once and whole, and the parts are found by where the tokens stand.
Pieces that are tokenized apart and glued together are not what the model would read.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from operator import eq
from typing import TypeAlias, cast

from horsesense.schema import Span

Columns: TypeAlias = tuple[
    tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int | None, ...]
]


class Part(StrEnum):
    """What a token belongs to, seen from the blank of a problem."""

    SPECIAL = "special"
    PREFIX = "prefix"
    BLANK = "blank"
    BETWEEN = "between"
    SUFFIX = "suffix"


class Straddling(StrEnum):
    """What a token counts as that begins in a blank and ends after it."""

    SUFFIX = "suffix"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Token:
    """A token and where its characters stand, the space before them left out.

    `word` numbers the words of the sentence as the tokenizer sees them; it is None for special
    tokens, which stand nowhere.
    """

    id: int
    start: int
    end: int
    word: int | None

    @property
    def is_special(self) -> bool:
        """True for what the tokenizer puts around a text, such as `<s>`."""
        return self.word is None


@dataclass(frozen=True, init=False)  # without slots: what follows is kept once it is known
class Tokenization:
    """A text and its tokens, special ones included.

    What the tokens have is kept by itself, one item for each token; few look at a whole one. It
    can be given so as well, as `columns`: ids, starts, ends and words.
    """

    text: str
    ids: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    words: tuple[int | None, ...]

    def __init__(
        self, text: str, tokens: Iterable[Token] = (), *, columns: Columns | None = None
    ) -> None:
        if columns is None:
            rows = [(token.id, token.start, token.end, token.word) for token in tokens]
            columns = cast(Columns, tuple(zip(*rows, strict=True)) if rows else ((), (), (), ()))
        ids, starts, ends, words = columns
        self.__dict__.update(text=text, ids=ids, starts=starts, ends=ends, words=words)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens, one by one."""
        return tuple(map(Token, self.ids, self.starts, self.ends, self.words))

    @cached_property
    def real(self) -> tuple[int, ...]:
        """The positions of the tokens that stand in the text."""
        if None not in self.words:
            return tuple(range(len(self.words)))
        return tuple([at for at, word in enumerate(self.words) if word is not None])

    @cached_property
    def bare(self) -> tuple[int, ...]:
        """The positions of the tokens of white space alone."""
        if not any(map(eq, self.starts, self.ends)):
            return ()
        return tuple([at for at in self.real if self.starts[at] == self.ends[at]])

    @cached_property
    def in_order(self) -> tuple[int, int]:
        """From where to where the tokens stand in the text one after the other.

        That is all real tokens; none, where special ones are among them or some go back.
        """
        if not self.real:
            return 0, 0
        begin, end = self.real[0], self.real[-1] + 1
        starts, ends = self.starts[begin:end], self.ends[begin:end]
        is_orderly = sorted(starts) == [*starts] and sorted(ends) == [*ends]
        return (begin, end) if is_orderly and len(self.real) == end - begin else (0, 0)


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """A reading with the part of each token, and the tokens across the edge of a blank.

    `blanks` are where the phrases stand that fill the blanks: none in a minimal pair, and an
    empty stretch where a phrase is empty. What most scoring methods ask for is looked up once:
    the positions of all `real` tokens, of those `in_blanks`, and of those `after_blanks`, which
    follow the last one.
    """

    reading: Tokenization
    parts: tuple[Part, ...]
    straddling: tuple[int, ...]
    blanks: tuple[Span, ...]
    real: tuple[int, ...] = field(init=False, repr=False, compare=False)
    in_blanks: tuple[int, ...] = field(init=False, repr=False, compare=False)
    after_blanks: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Look up the positions."""
        object.__setattr__(self, "real", self.reading.real)
        object.__setattr__(self, "in_blanks", self.positions(Part.BLANK))
        object.__setattr__(self, "after_blanks", self.positions(Part.SUFFIX))

    def positions(self, part: Part) -> tuple[int, ...]:
        """The positions of the tokens of that part."""
        return tuple([at for at, one in enumerate(self.parts) if one is part])

    @property
    def by_blank(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the tokens in each of the blanks."""
        if len(self.blanks) == 1:
            return (self.in_blanks,)
        found: list[list[int]] = [[] for _ in self.blanks]
        for at in self.in_blanks:
            start = self.reading.starts[at]
            found[next(n for n, span in enumerate(self.blanks) if start < span.end)].append(at)
        return tuple(map(tuple, found))


def align(
    reading: Tokenization, blanks: Sequence[Span], straddling: Straddling = Straddling.SUFFIX
) -> TokenSpans:
    """Tell which part of the sentence each token belongs to.

    A token belongs to a blank if one of its characters stands in it. One that begins before
    the blank belongs to it too, as it shows how the phrase begins; one that ends after it counts
    as `straddling` says. A token of white space alone goes with the token after it, which is
    what it leads to.
    """
    if not blanks:
        alike = [Part.SPECIAL if word is None else Part.PREFIX for word in reading.words]
        return TokenSpans(reading, tuple(alike), (), ())
    # Only what stands neither before all blanks nor after them is looked at token by token.
    begin, end = reading.in_order
    low = bisect_right(reading.ends, blanks[0].start, begin, end)
    high = bisect_left(reading.starts, blanks[-1].end, low, end)
    size = len(reading.ids)
    if begin == end:
        low, high, end = 0, size, size
    looked_at, across = _look_at(reading, range(low, high), blanks, straddling)
    parts = [Part.SPECIAL] * begin + [Part.PREFIX] * (low - begin) + looked_at
    parts += [Part.SUFFIX] * (end - high) + [Part.SPECIAL] * (size - end)
    for at in reversed(reading.bare):
        if at + 1 < size and parts[at + 1] is not Part.SPECIAL:
            parts[at] = parts[at + 1]
    return TokenSpans(reading, tuple(parts), tuple(across), tuple(blanks))


def _look_at(
    reading: Tokenization, among: range, blanks: Sequence[Span], straddling: Straddling
) -> tuple[list[Part], list[int]]:
    """The parts of the tokens that may stand in a blank, and those across the edge of one."""
    if len(blanks) == 1 and reading.in_order != (0, 0):
        # In their order, all of them stand in the blank if the first and the last do.
        (blank,), starts, ends = blanks, reading.starts, reading.ends
        if not among or (blank.start <= starts[among[0]] and ends[among[-1]] <= blank.end):
            return [Part.BLANK] * len(among), []
    parts = [_part(reading, at, blanks, straddling) for at in among]
    return parts, [at for at in among if _is_across(reading, at, blanks)]


def _part(reading: Tokenization, at: int, blanks: Sequence[Span], straddling: Straddling) -> Part:
    """The part of a token, wherever it stands."""
    start, end = reading.starts[at], reading.ends[at]
    if reading.words[at] is None:
        return Part.SPECIAL
    if end <= blanks[0].start:
        return Part.PREFIX
    if start >= blanks[-1].end:
        return Part.SUFFIX
    for span in blanks:
        if start < span.end and end > span.start:
            if end > span.end and straddling is Straddling.SUFFIX:
                return Part.SUFFIX if span is blanks[-1] else Part.BETWEEN
            return Part.BLANK
    return Part.BETWEEN


def _is_across(reading: Tokenization, at: int, blanks: Sequence[Span]) -> bool:
    """True for a token across the edge of a blank that is not empty."""
    if reading.words[at] is None:
        return False
    start, end = reading.starts[at], reading.ends[at]
    edges = [edge for span in blanks if span.start < span.end for edge in (span.start, span.end)]
    return any(start < edge < end for edge in edges)
