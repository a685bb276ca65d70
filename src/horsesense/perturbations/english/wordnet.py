"""Nouns and their synonyms, read from the dictionary files of WordNet.

The files are looked for in the folder that HORSESENSE_WORDNET names, or where packages put them;
`index.noun` lists the senses of a noun, the most frequent first, `data.noun` the words of a sense,
`noun.exc` irregular plurals.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

FOLDER_VARIABLE = "HORSESENSE_WORDNET"
_USUAL = ("/usr/share/wordnet", "/usr/share/wordnet/dict", "/usr/local/WordNet-3.0/dict")
_FILES = ("index.noun", "data.noun", "noun.exc")
_ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("ves", "f"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)


class Noun(NamedTuple):
    """Where the senses of a noun stand, the most frequent first, and whether it is in use.

    A noun is in use if it was found in the texts whose words were tagged with their senses.
    """

    senses: tuple[int, ...]
    was_found: bool


@dataclass(frozen=True, slots=True)
class WordNet:
    """The nouns of a dictionary, and the file in which their senses are to be looked up."""

    data: Path
    nouns: dict[str, Noun] = field(repr=False)
    exceptions: dict[str, str] = field(repr=False)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The dictionary in a folder."""
        index, data, irregular = (folder / name for name in _FILES)
        nouns = {}
        for line in index.read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):
                continue  # the licence
            fields = line.split()
            *_, tagged = fields[: -int(fields[2])]
            offsets = tuple(int(offset) for offset in fields[-int(fields[2]) :])
            nouns[fields[0]] = Noun(offsets, int(tagged) > 0)
        exceptions = {}
        for line in irregular.read_text(encoding="utf-8").splitlines():
            plural, singular = line.split()[:2]
            exceptions[plural] = singular
        return cls(data, nouns, exceptions)

    def singular(self, word: str) -> str | None:
        """The word as the dictionary has it: itself, or the noun whose plural it is."""
        key = _key(word)
        if key in self.exceptions:
            return self.exceptions[key].replace("_", " ")
        if key in self.nouns:
            return key.replace("_", " ")
        for ending, singular in _ENDINGS:
            stem = key.removesuffix(ending) + singular
            if key.endswith(ending) and stem in self.nouns:
                return stem.replace("_", " ")
        return None

    def senses(self, noun: str) -> tuple[int, ...]:
        """Where the senses of a noun stand, the most frequent first."""
        known = self.nouns.get(_key(noun))
        return known.senses if known else ()

    def words_of(self, sense: int) -> tuple[str, ...]:
        """The words of a sense, in the order of the dictionary."""
        with self.data.open("rb") as file:
            file.seek(sense)
            fields = file.readline().decode("utf-8").split()
        count = int(fields[3], 16)
        return tuple(word.replace("_", " ") for word in fields[4 : 4 + 2 * count : 2])

    def synonyms(self, noun: str) -> tuple[str, ...]:
        """The other words for the first sense of a noun.

        Only words in use, and only such as have the sense for their own first: others would be
        taken to mean something else.
        """
        sense = self.senses(noun)[:1]
        return tuple(
            word
            for one in sense
            for word in self.words_of(one)
            if _key(word) != _key(noun)
            and self.senses(word)[:1] == sense
            and self.nouns[_key(word)].was_found
        )


def _key(word: str) -> str:
    return word.lower().replace(" ", "_")


def find_wordnet() -> WordNet | None:
    """The dictionary of this computer, if it has one."""
    named = os.environ.get(FOLDER_VARIABLE)
    folders = (named,) if named else _USUAL
    found = (Path(one) for one in folders if all((Path(one) / name).exists() for name in _FILES))
    folder = next(found, None)
    return None if folder is None else _read(folder)


@cache
def _read(folder: Path) -> WordNet:
    """The dictionary, read once; that takes half a second."""
    return WordNet.read(folder)
