"""How long and how hard sentences are, by the formulas of Flesch and Kincaid.

The formulas count words and syllables and know nothing of meaning. Of a single sentence they say
little more than that it is long, or has long words; that is why they are only something to look at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import mean

from horsesense.audit.checked import Case, Checked, Figure, Weight, one_of_each_kind
from horsesense.audit.subject import NOT_ENGLISH, Filled, Subject
from horsesense.audit.words import words
from horsesense.schema import ends_sentence

# What is asked for is common sense and not skill in reading. Grade 9, the age of fourteen, is where
# «plain English» ends for Flesch; whoever judges or answers the sentences reads that at once.
MOST_GRADE = 9.0
_VOWELS = re.compile(r"[aeiouyäöüéèêëáàâíîïóôúûæø]+")
# Endings that are written with a vowel and spoken without.
_SILENT = re.compile(
    r"(?<![aeiouyl])e$|(?<=[aeiouy]l)e$|(?<=[^aeioutdy])ed$|(?<=[^aeiouscxzgy])es$"
)
_INNER_END = re.compile(r"[.?!…][\"'”’)]*\s+")


@dataclass(frozen=True, slots=True)
class Readability:
    """What a text is made of."""

    words: int
    sentences: int
    syllables: int

    @property
    def reading_ease(self) -> float:
        """Flesch's reading ease (1948): 100 is very easy, 0 very hard."""
        return 206.835 - 1.015 * self._length - 84.6 * self._weight

    @property
    def grade(self) -> float:
        """Flesch and Kincaid's grade (1975): the years of school that it takes.

        >>> round(Readability(words=10, sentences=1, syllables=15).grade, 2)
        6.01
        """
        return 0.39 * self._length + 11.8 * self._weight - 15.59

    @property
    def _length(self) -> float:
        return self.words / self.sentences

    @property
    def _weight(self) -> float:
        return self.syllables / self.words


def check_readability(subject: Subject) -> Checked:
    """The length of the sentences, and those that are hard to read."""
    name, title = "readability", "Length and readability"
    hardest = [(id_, _hardest(filled)) for id_, filled in subject.filled.items()]
    read = [(id_, found) for id_, found in hardest if found is not None]
    if not read:
        return Checked(name, title, skipped="there are no words to count")
    if not subject.is_english:
        return Checked(name, title, skipped=NOT_ENGLISH)
    cases = (
        Case(
            Weight.LOOK,
            "hard",
            f"it takes grade {found.grade:.1f} to read it, above {MOST_GRADE:g}; use shorter "
            "words or sentences",
            id_,
            found.grade,
        )
        for id_, found in read
        if found.grade > MOST_GRADE
    )
    all_read = [found for _, found in read]
    figures = (
        Figure("words, on average", mean(one.words for one in all_read)),
        Figure("words, at most", max(one.words for one in all_read)),
        Figure("Flesch reading ease, on average", mean(one.reading_ease for one in all_read)),
        Figure("Flesch–Kincaid grade, on average", mean(one.grade for one in all_read)),
        Figure("Flesch–Kincaid grade, at most", max(one.grade for one in all_read)),
    )
    return Checked(name, title, figures, one_of_each_kind(cases))


def readability(text: str) -> Readability | None:
    """What a text is made of; None if it has no words.

    >>> readability("The jug fell. Nobody was surprised.")
    Readability(words=6, sentences=2, syllables=9)
    """
    spoken = words(text)
    if not spoken:
        return None
    inner = sum(ends_sentence(text[: end.end()]) for end in _INNER_END.finditer(text.strip()))
    return Readability(len(spoken), inner + 1, sum(map(syllables, spoken)))


def syllables(word: str) -> int:
    """How many syllables a word has, by its groups of vowels; a rule of thumb.

    >>> [syllables(word) for word in ("owl", "table", "made", "jumped", "waited", "surprise")]
    [1, 2, 1, 1, 2, 2]
    """
    bare = word.lower().partition("'")[0]
    return max(1, len(_VOWELS.findall(_SILENT.sub("", bare))))


def _hardest(filled: Filled) -> Readability | None:
    """The sentence of the highest grade among those that make sense, or among all."""
    read = map(readability, filled.sensible or filled.texts)
    told = [one for one in read if one is not None]
    return max(told, key=lambda one: one.grade, default=None)
