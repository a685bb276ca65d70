"""A sentence as a model reads it: its tokens, and what part of the sentence each belongs to.

The sentence is tokenized once and whole, and the parts are found by where the tokens stand.
Pieces that are tokenized apart and glued together are not what the model would read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias, cast

from horsesense.schema import Span

Columns: TypeAlias = tuple[
    tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int | None, ...]
]
_COLUMNS = ("ids", "starts", "ends", "words")


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
class Reading:
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
        for name, value in zip(_COLUMNS, columns, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "text", text)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens, one by one."""
        return tuple(map(Token, self.ids, self.starts, self.ends, self.words))

    @cached_property
    def real(self) -> tuple[int, ...]:
        """The positions of the tokens that stand in the text."""
        return tuple([at for at, word in enumerate(self.words) if word is not None])


@dataclass(frozen=True, slots=True)
class Placed:
    """A reading with the part of each token, and the tokens across the edge of a blank.

    `blanks` are where the phrases stand that fill the blanks: none in a minimal pair, and an
    empty stretch where a phrase is empty. What most scoring methods ask for is looked up once:
    the positions of all `real` tokens, of those `in_blanks`, and of those `after_blanks`, which
    follow the last one.
    """

    reading: Reading
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


def place(
    reading: Reading, blanks: Sequence[Span], straddling: Straddling = Straddling.SUFFIX
) -> Placed:
    """Tell which part of the sentence each token belongs to.

    A token belongs to a blank if one of its characters stands in it. One that begins before
    the blank belongs to it too, as it shows how the phrase begins; one that ends after it counts
    as `straddling` says. A token of white space alone goes with the token after it, which is
    what it leads to.
    """
    if not blanks:
        alike = [Part.SPECIAL if word is None else Part.PREFIX for word in reading.words]
        return Placed(reading, tuple(alike), (), ())
    parts: list[Part] = []
    across: list[int] = []
    bare: list[int] = []  # of white space alone
    edges = [edge for span in blanks if span.start < span.end for edge in (span.start, span.end)]
    first, last = blanks[0].start, blanks[-1].end
    special, prefix, suffix = Part.SPECIAL, Part.PREFIX, Part.SUFFIX
    columns = zip(reading.starts, reading.ends, reading.words, strict=True)
    for at, (start, end, word) in enumerate(columns):
        if word is None:
            parts.append(special)
            continue
        if start == end:
            bare.append(at)
        if end <= first:
            parts.append(prefix)
        elif start >= last:
            parts.append(suffix)
        else:
            parts.append(_part(start, end, blanks, straddling))
            if any(start < edge < end for edge in edges):
                across.append(at)
    for at in reversed(bare):
        if at + 1 < len(parts) and parts[at + 1] is not special:
            parts[at] = parts[at + 1]
    return Placed(reading, tuple(parts), tuple(across), tuple(blanks))


def _part(start: int, end: int, blanks: Sequence[Span], straddling: Straddling) -> Part:
    """The part of a token that is neither before all blanks nor after them."""
    for span in blanks:
        if start < span.end and end > span.start:
            if end > span.end and straddling is Straddling.SUFFIX:
                return Part.SUFFIX if span is blanks[-1] else Part.BETWEEN
            return Part.BLANK
    return Part.BETWEEN
