"""Problems as published files give them, before anything is known about schemas."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from horsesense.schema import Mode, Named, Phrases

# Stand for the blanks where a statement is one string.
BLANK_CHARACTERS = "\x00\x01"
BLANKS = frozenset(BLANK_CHARACTERS)
UNKNOWN_PRONOUN = "_"


class Mark(NamedTuple):
    """A candidate that the file itself locates: characters of the statement, blanks counted as one.

    `number` counts the options from 1.
    """

    number: int
    start: int
    end: int


class Found(NamedTuple):
    """One problem: the text around its blanks, what may fill them, and which option is right.

    There is one text more than there are blanks. Options are spelt as they stand in the blank.
    `pronoun` is what the blank replaces in a Winograd problem: `_` if the file does not tell,
    nothing if it is no Winograd problem. In a minimal pair both texts are empty. `extras` are
    what the file says about this problem and not its twin, under names that begin with `x-`;
    `tags` are all the tags that it gives the problem, whether the twin has them or not.
    """

    name: str
    line: int
    texts: tuple[str, ...]
    options: tuple[Phrases, ...]
    right: int | None
    pronoun: str = ""
    marks: tuple[Mark, ...] = ()
    extras: Named[str] = ()
    tags: tuple[str, ...] = ()

    @property
    def statement(self) -> str:
        """The text with a control character for each blank."""
        if len(self.texts) == 2:
            return "\x00".join(self.texts)
        first, *others = self.texts
        return first + "".join(
            blank + text for blank, text in zip(BLANK_CHARACTERS, others, strict=False)
        )

    def sentence(self, option: int) -> str:
        """The complete sentence as the file has it."""
        first, *others = self.texts
        phrases = self.options[option]
        return first + "".join(phrase + text for phrase, text in zip(phrases, others, strict=True))

    def exchanged(self) -> Found:
        """The same problem with its two options in the other order."""
        right = None if self.right is None else 1 - self.right
        marks = tuple(mark._replace(number=3 - mark.number) for mark in self.marks)
        return self._replace(options=self.options[::-1], right=right, marks=marks)


class Twins(NamedTuple):
    """A way to find twins: the issue that reports it, and what it goes by, in words."""

    issue: str
    how: str


@dataclass(slots=True)
class Group:
    """Problems that make one entry, and what else the file says about it.

    Problems by answer make a square if they are two. In the other modes, and for a dyad, they
    must be as many as `problems` gives, and a dyad's in the order of their axes. `key_places` is
    how many key placeholders the file says there are, 0 if it does not; `widening` how many words
    to the left and the right belong to the key phrase beyond what differs. `versions` are other
    wordings of the problems, under the same names; what is not known as a version is kept too.
    `twins` is how it was found that they belong together, where that is not as in the rest of
    the file.
    """

    id: str
    found: list[Found]
    mode: Mode = Mode.BY_ANSWER
    is_dyad: bool = False
    key_places: int = 0
    widening: tuple[int, int] = (0, 0)
    tags: tuple[str, ...] = ()
    note: str = ""
    flags: dict[str, bool] = field(default_factory=dict)
    phrases: Named[Phrases] = ()
    extras: dict[str, str] = field(default_factory=dict)
    versions: dict[str, list[Found]] = field(default_factory=dict)
    twins: Twins | None = None
