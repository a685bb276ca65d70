"""A sentence as a model reads it: its tokens, and what part of the sentence each belongs to.

The sentence is tokenized once and whole, and the parts are found by where the tokens stand.
Pieces that are tokenized apart and glued together are not what the model would read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from horsesense.schema import Span


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


@dataclass(frozen=True)  # without slots: what follows from the tokens is kept once it is known
class Reading:
    """A text and its tokens, special ones included."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The tokens as the model reads them."""
        return tuple(token.id for token in self.tokens)

    @cached_property
    def words(self) -> tuple[int | None, ...]:
        """The word of each token."""
        return tuple(token.word for token in self.tokens)

    @cached_property
    def real(self) -> tuple[int, ...]:
        """The positions of the tokens that stand in the text."""
        return tuple(at for at, token in enumerate(self.tokens) if token.word is not None)


@dataclass(frozen=True, slots=True)
class Placed:
    """A reading with the part of each token, and the tokens across the edge of a blank.

    `blanks` are where the phrases stand that fill the blanks: none in a minimal pair, and an
    empty stretch where a phrase is empty.
    """

    reading: Reading
    parts: tuple[Part, ...]
    straddling: tuple[int, ...]
    blanks: tuple[Span, ...]

    def positions(self, *parts: Part) -> tuple[int, ...]:
        """The positions of the tokens of those parts."""
        return tuple(at for at, part in enumerate(self.parts) if part in parts)

    @property
    def real(self) -> tuple[int, ...]:
        """The positions of all tokens but special ones."""
        return self.reading.real

    @property
    def by_blank(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the tokens in each of the blanks."""
        found: list[list[int]] = [[] for _ in self.blanks]
        for at in self.positions(Part.BLANK):
            start = self.reading.tokens[at].start
            found[next(n for n, span in enumerate(self.blanks) if start < span.end)].append(at)
        return tuple(map(tuple, found))


def place(
    reading: Reading, blanks: Sequence[Span], straddling: Straddling = Straddling.SUFFIX
) -> Placed:
    """Tell which part of the sentence each token belongs to.

    A token belongs to a blank if one of its characters stands in it. One that begins before
    the blank belongs to it too, as it shows how the phrase begins; one that ends after it counts
    as `straddling` says. A token of white space alone goes with the token after it, which is
    what it leads to.
    """
    parts: list[Part] = []
    across: list[int] = []
    edges = [edge for span in blanks if span.start < span.end for edge in (span.start, span.end)]
    for at, token in enumerate(reading.tokens):
        parts.append(_part(token, blanks, straddling))
        for edge in edges:
            if token.start < edge < token.end and at not in across:
                across.append(at)
    for at in reversed(range(len(parts) - 1)):
        token = reading.tokens[at]
        if token.start == token.end and not token.is_special and parts[at + 1] != Part.SPECIAL:
            parts[at] = parts[at + 1]
    return Placed(reading, tuple(parts), tuple(across), tuple(blanks))


def _part(token: Token, blanks: Sequence[Span], straddling: Straddling) -> Part:
    if token.is_special:
        return Part.SPECIAL
    for span in blanks:
        if token.start < span.end and token.end > span.start:
            if token.end > span.end and straddling is Straddling.SUFFIX:
                return Part.SUFFIX if span is blanks[-1] else Part.BETWEEN
            return Part.BLANK
    if not blanks or token.end <= blanks[0].start:
        return Part.PREFIX
    return Part.SUFFIX if token.start >= blanks[-1].end else Part.BETWEEN
