"""Tokenized sentences: their tokens, and the part of the sentence each token belongs to.

A sentence is tokenized as a whole, and the parts are found from the character offsets of the
tokens. Tokenizing the parts separately would give other tokens than the model sees.
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
    """The part of a sentence that a token belongs to, relative to the blanks."""

    SPECIAL = "special"
    PREFIX = "prefix"
    BLANK = "blank"
    BETWEEN = "between"
    SUFFIX = "suffix"


class Straddling(StrEnum):
    """The part that a token belongs to if it starts in a blank and ends after it."""

    SUFFIX = "suffix"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its character offsets, without leading spaces.

    `word` is the number of its word as the tokenizer counts them, None for special tokens, which
    have no characters.
    """

    id: int
    start: int
    end: int
    word: int | None

    @property
    def is_special(self) -> bool:
        """Return whether the tokenizer added it around the text, such as `<s>`."""
        return self.word is None


@dataclass(frozen=True, init=False)  # without slots, for the cached properties
class Tokenization:
    """A text and its tokens, special ones included.

    The tokens are stored as columns, one item per token: ids, starts, ends and words. They can
    be given as `columns` as well.
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
        """The tokens as objects."""
        return tuple(map(Token, self.ids, self.starts, self.ends, self.words))

    @cached_property
    def real(self) -> tuple[int, ...]:
        """The positions of the tokens that are not special."""
        if None not in self.words:
            return tuple(range(len(self.words)))
        return tuple([at for at, word in enumerate(self.words) if word is not None])

    @cached_property
    def bare(self) -> tuple[int, ...]:
        """The positions of the tokens that consist of white space only."""
        if not any(map(eq, self.starts, self.ends)):
            return ()
        return tuple([at for at in self.real if self.starts[at] == self.ends[at]])

    @cached_property
    def in_order(self) -> tuple[int, int]:
        """The range of the real tokens if they are contiguous and in text order, else (0, 0)."""
        if not self.real:
            return 0, 0
        begin, end = self.real[0], self.real[-1] + 1
        starts, ends = self.starts[begin:end], self.ends[begin:end]
        is_sorted = sorted(starts) == [*starts] and sorted(ends) == [*ends]
        return (begin, end) if is_sorted and len(self.real) == end - begin else (0, 0)


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """A tokenization with the part of each token.

    `blanks` are the character spans of the phrases that fill the blanks: none in a minimal pair,
    and an empty span for an empty phrase. `straddling` are the positions of tokens across the edge
    of a blank. `real`, `in_blanks` and `after_blanks` are the positions that scoring methods need:
    those of all real tokens, of tokens in blanks, and of tokens after the last blank.
    """

    tokenization: Tokenization
    parts: tuple[Part, ...]
    straddling: tuple[int, ...]
    blanks: tuple[Span, ...]
    real: tuple[int, ...] = field(init=False, repr=False, compare=False)
    in_blanks: tuple[int, ...] = field(init=False, repr=False, compare=False)
    after_blanks: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Look up the positions."""
        object.__setattr__(self, "real", self.tokenization.real)
        object.__setattr__(self, "in_blanks", self.positions(Part.BLANK))
        object.__setattr__(self, "after_blanks", self.positions(Part.SUFFIX))

    def positions(self, part: Part) -> tuple[int, ...]:
        """Return the positions of the tokens of that part."""
        return tuple([at for at, own_part in enumerate(self.parts) if own_part is part])

    @property
    def by_blank(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the tokens in each blank."""
        if len(self.blanks) == 1:
            return (self.in_blanks,)
        positions: list[list[int]] = [[] for _ in self.blanks]
        for at in self.in_blanks:
            start = self.tokenization.starts[at]
            positions[next(n for n, span in enumerate(self.blanks) if start < span.end)].append(at)
        return tuple(map(tuple, positions))


def align(
    tokenization: Tokenization, blanks: Sequence[Span], straddling: Straddling = Straddling.SUFFIX
) -> TokenSpans:
    """Assign each token to a part of the sentence.

    A token belongs to a blank if one of its characters is in it, even if it starts before the
    blank, as it reveals how the phrase starts. `straddling` decides about tokens that end after
    the blank. A token of white space only belongs to the part of the next token.
    """
    if not blanks:
        no_blank = [Part.SPECIAL if word is None else Part.PREFIX for word in tokenization.words]
        return TokenSpans(tokenization, tuple(no_blank), (), ())
    # Only tokens between the start of the first and the end of the last blank are checked singly.
    begin, end = tokenization.in_order
    low = bisect_right(tokenization.ends, blanks[0].start, begin, end)
    high = bisect_left(tokenization.starts, blanks[-1].end, low, end)
    size = len(tokenization.ids)
    if begin == end:
        low, high, end = 0, size, size
    middle, across = _middle_parts(tokenization, range(low, high), blanks, straddling)
    parts = [Part.SPECIAL] * begin + [Part.PREFIX] * (low - begin) + middle
    parts += [Part.SUFFIX] * (end - high) + [Part.SPECIAL] * (size - end)
    for at in reversed(tokenization.bare):
        if at + 1 < size and parts[at + 1] is not Part.SPECIAL:
            parts[at] = parts[at + 1]
    return TokenSpans(tokenization, tuple(parts), tuple(across), tuple(blanks))


def _middle_parts(
    tokenization: Tokenization, among: range, blanks: Sequence[Span], straddling: Straddling
) -> tuple[list[Part], list[int]]:
    """Return the parts of the tokens that may be in a blank, and those across an edge."""
    if len(blanks) == 1 and tokenization.in_order != (0, 0):
        # Tokens in text order are all in the blank if the first and the last are.
        (blank,), starts, ends = blanks, tokenization.starts, tokenization.ends
        if not among or (blank.start <= starts[among[0]] and ends[among[-1]] <= blank.end):
            return [Part.BLANK] * len(among), []
    parts = [_part(tokenization, at, blanks, straddling) for at in among]
    return parts, [at for at in among if _is_across(tokenization, at, blanks)]


def _part(
    tokenization: Tokenization, at: int, blanks: Sequence[Span], straddling: Straddling
) -> Part:
    """Return the part of a token at any position."""
    start, end = tokenization.starts[at], tokenization.ends[at]
    if tokenization.words[at] is None:
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


def _is_across(tokenization: Tokenization, at: int, blanks: Sequence[Span]) -> bool:
    """Return whether a token crosses the edge of a blank that is not empty."""
    if tokenization.words[at] is None:
        return False
    start, end = tokenization.starts[at], tokenization.ends[at]
    edges = [edge for span in blanks if span.start < span.end for edge in (span.start, span.end)]
    return any(start < edge < end for edge in edges)
