"""Proposals in which the candidates go by another word or another name (Abdou et al.).

A name is replaced by another of the same gender, a common noun by a synonym that WordNet lists for
its most frequent sense. WordNet's files are looked for in the folder that HORSESENSE_WORDNET names,
or where packages put them: `index.noun` lists the senses of a noun, the most frequent first,
`data.noun` the words of a sense, `noun.exc` irregular plurals.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Self

from horsesense.perturbations.english.nouns import gender_of_pronoun
from horsesense.perturbations.english.people import Gender, genders_of_names, renamed
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.replacing import (
    candidate_tokens,
    head_of,
    in_number_of,
    owners,
    replaced,
    replacement,
    shown_changes,
    words_of,
)
from horsesense.perturbations.rewriting import Edit, Rendering, renderings
from horsesense.perturbations.transformation import NotApplicable, Rewriting, Settings
from horsesense.schema import Entry, Grid, LooseProblem, Schema

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


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


@dataclass(frozen=True, slots=True)
class WordNet:
    """The nouns of a dictionary, and the file in which their senses are looked up.

    `nouns` gives the places of the senses of each noun in the file, the most frequent first.
    `used` are the nouns that occur in the texts whose words were tagged with their senses.
    """

    data: Path
    nouns: dict[str, tuple[int, ...]] = field(repr=False)
    used: frozenset[str] = field(repr=False)
    exceptions: dict[str, str] = field(repr=False)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The dictionary in a folder."""
        index, data, irregular = (folder / name for name in _FILES)
        nouns: dict[str, tuple[int, ...]] = {}
        used: set[str] = set()
        for line in index.read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):
                continue  # the licence
            fields = line.split()
            *_, tagged = fields[: -int(fields[2])]
            nouns[fields[0]] = tuple(int(offset) for offset in fields[-int(fields[2]) :])
            if int(tagged) > 0:
                used.add(fields[0])
        exceptions = {}
        for line in irregular.read_text(encoding="utf-8").splitlines():
            plural, singular = line.split()[:2]
            exceptions[plural] = singular
        return cls(data, nouns, frozenset(used), exceptions)

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
        """Return the places of the senses of a noun, the most frequent first."""
        return self.nouns.get(_key(noun), ())

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
            for offset in sense
            for word in self.words_of(offset)
            if _key(word) != _key(noun)
            and self.senses(word)[:1] == sense
            and _key(word) in self.used
        )


def _key(word: str) -> str:
    return word.lower().replace(" ", "_")


def find_wordnet() -> WordNet | None:
    """The dictionary of this computer, if it has one."""
    named = os.environ.get(FOLDER_VARIABLE)
    folders = (named,) if named else _USUAL
    complete = (
        Path(folder) for folder in folders if all((Path(folder) / name).exists() for name in _FILES)
    )
    folder = next(complete, None)
    return None if folder is None else _read(folder)


@cache
def _read(folder: Path) -> WordNet:
    """The dictionary, read once; that takes half a second."""
    return WordNet.read(folder)


# Neither Latin with its capitals, nor hyphens, nor «man of letters».
_WELL_FORMED = re.compile(r"[a-z]{2,}( [a-z]{3,})?")
# Of a noun with more senses than these the first is too often not the one that is meant.
_MOST_SENSES = 4


@dataclass(slots=True)
class _Words:
    """Words to replace: names by gender, and nouns of one or two words, in the singular."""

    names: dict[str, Gender] = field(default_factory=dict)
    nouns: list[str] = field(default_factory=list)

    def add(self, tokens: Sequence[Token], of_target: Gender | None) -> None:
        """Add the name in a phrase, or if there is none its noun."""
        names = genders_of_names(tokens, of_target)
        if names:
            self.names |= names
            return
        head = head_of(tokens)
        if head.lower_ in ("one", "ones"):
            return  # it stands for the other candidate's noun
        noun = _noun(head)
        if noun not in self.nouns:
            self.nouns.append(noun)


def propose_synonym(entry: Entry, settings: Settings) -> Rewriting:
    """Both candidates by another name, or by another word for the same."""
    grid = entry.grid
    if not grid.is_winograd:
        raise NotApplicable("it has no target")
    words = _words(grid)
    chance = settings.draw(entry.id, "synonym")
    taken = words_of(grid)
    names = renamed(chance, words.names, taken)
    nouns = _synonyms(words.nouns, chance, taken)
    changes: list[tuple[str, str]] = []

    def in_sentence(rendering: Rendering) -> list[Edit]:
        edits = _edits(parse(rendering.text), names, nouns)
        changes.extend((rendering.text[edit.start : edit.end], edit.text) for edit in edits)
        return edits

    def in_answer(phrase: str) -> list[Edit]:
        edits = _edits(parse(phrase), names, nouns)
        if not edits:
            raise NotApplicable("an answer uses another word than its candidate")
        return edits

    return Rewriting(replaced(grid, in_sentence, in_answer), shown_changes(changes))


def _words(grid: Grid) -> _Words:
    words = _Words()
    for rendering in renderings(grid):
        owner = owners(grid)[rendering.row]
        for number, value in enumerate(owner.answers.values, start=1):
            words.add(_phrase(owner, rendering, number, value[0]), _gender_of_target(owner))
    return words


def _phrase(
    owner: Schema | LooseProblem, rendering: Rendering, number: int, answer: str
) -> list[Token]:
    return candidate_tokens(owner, rendering, parse(rendering.text), number) or list(parse(answer))


def _gender_of_target(owner: Schema | LooseProblem) -> Gender | None:
    return gender_of_pronoun(owner.target.pronoun) if owner.target is not None else None


def _wordnet() -> WordNet:
    wordnet = find_wordnet()
    if wordnet is None:
        raise NotApplicable("WordNet is not installed")
    return wordnet


def _noun(head: Token) -> str:
    """The noun to be replaced, together with the word before it if the two are a word in WordNet.

    Of «ice cream» the head alone must not be replaced.
    """
    if head.pos_ != "NOUN":
        raise NotApplicable("a candidate is neither a noun nor a name")
    return _compound(head) or _singular(head)


def _compound(token: Token) -> str | None:
    before = token.nbor(-1) if token.i else None
    if before is None or before.dep_ not in ("compound", "amod") or before.head.i != token.i:
        return None
    return _wordnet().singular(f"{before.lower_} {token.lower_}")


def _singular(token: Token) -> str:
    singular = _wordnet().singular(token.text)
    if singular is None:
        raise NotApplicable("a candidate's noun is not in WordNet")
    if (token.tag_ == "NN") != (singular == token.lower_):
        raise NotApplicable("the number of a noun is unclear")
    return singular


def _synonyms(nouns: Sequence[str], chance: Random, taken: Collection[str]) -> dict[str, str]:
    """A synonym for every noun, drawn from those that have no word in common with the sentence."""
    chosen: dict[str, str] = {}
    for noun in nouns:
        if len(_wordnet().senses(noun)) > _MOST_SENSES:
            raise NotApplicable("a candidate's noun has too many senses")
        used = {*taken, *(word for synonym in chosen.values() for word in synonym.split())}
        fit = [word for word in _wordnet().synonyms(noun) if _fits(word, noun, used)]
        if not fit:
            raise NotApplicable("a candidate's noun has no synonym")
        chosen[noun] = chance.choice(fit)
    return chosen


def _fits(word: str, noun: str, used: Collection[str]) -> bool:
    """Return True for another word that is not longer; «tabular array» is a definition."""
    parts = word.split()
    return (
        _WELL_FORMED.fullmatch(word) is not None
        and len(parts) <= len(noun.split())
        and not any(part in used for part in parts)
        # «rainfall» and «ax» are hardly other words.
        and not (word in noun or noun in word)
        # «works» is a plural to look at.
        and not (word.endswith("s") and _wordnet().senses(word[:-1]))
    )


def _edits(doc: Doc, names: dict[str, str], nouns: dict[str, str]) -> list[Edit]:
    edits = []
    for token in doc:
        name = names.get(token.text) or names.get(token.text.capitalize())
        if name is not None:
            edits.append(Edit(token.idx, token.idx + len(token), name))
        elif nouns and token.pos_ == "NOUN":
            edits += _noun_edit(token, nouns)
    return edits


def _noun_edit(token: Token, nouns: dict[str, str]) -> list[Edit]:
    compound = _compound(token)
    if compound in nouns:
        assert compound is not None
        new = in_number_of(token, nouns[compound])
        return [replacement(token, new, first=token.nbor(-1))]
    if _wordnet().singular(token.text) not in nouns:
        return []
    is_hyphenated = token.i > 0 and token.nbor(-1).text == "-"
    if compound is not None or token.dep_ == "compound" or is_hyphenated:
        raise NotApplicable("a candidate's noun also occurs in a compound")
    return [replacement(token, in_number_of(token, nouns[_singular(token)]))]
