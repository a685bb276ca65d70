"""Premises with two alternatives, one of which is its more plausible cause or effect: COPA.

As is the habit of the field, premise and alternative become one sentence: «because» stands
between them where the alternative is a cause, «so» where it is an effect. The premise loses its
full stop; the alternative loses the capital of its first word, unless that is «I» or a name as far
as the file tells, and keeps its own full stop. So the blank is at the end, and an option is a
clause with its full stop. A premise that ends in a question mark, an exclamation mark or a
quotation cannot go on: there the alternative makes a sentence of its own, «Because …» or «So …».
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from horsesense.datasets.importers.fitting import fit_tag
from horsesense.datasets.importers.format import Companions
from horsesense.datasets.importers.source import BAD_ROW, BadRow
from horsesense.datasets.recovery import Journal, RawProblem, trimmed
from horsesense.errors import FileError
from horsesense.schema import (
    decapitalise,
    ends_sentence,
    is_finished_text,
    names_inside,
    opens_sentences,
    without_full_stop,
)

CONNECTIVES = {"cause": "because", "effect": "so"}
COMPANIONS = 'a list of ids for each subset: {"easy": [501, …], "hard": […]}'

_FULL_STOP, _OPEN_PREMISE = "missing-full-stop", "open-premise"
_POSSIBLE_NAME, _UNKNOWN_IDS = "possible-name", "unknown-ids"
REPAIRS = {_FULL_STOP: "an alternative without a full stop gets one"}
ISSUES = {
    _OPEN_PREMISE: "the premise does not end in a full stop",
    _POSSIBLE_NAME: "the first word of an alternative was lowered, and might be a name",
    _UNKNOWN_IDS: "ids of a companion do not occur in the file",
}
_LOWER_WORD = re.compile(r"\b[^\W\d_A-Z]\w*")


@dataclass(frozen=True, slots=True)
class Item:
    """A premise, its alternatives, and whether the cause or the effect is asked for."""

    name: str
    line: int
    premise: str
    alternatives: tuple[str, str]
    question: str
    right: int | None

    @property
    def texts(self) -> tuple[str, str, str]:
        """Premise and alternatives."""
        return (self.premise, *self.alternatives)


def make_item(name: str, line: int, texts: Iterable[str], question: str, right: int | None) -> Item:
    """The item, if nothing of it is missing."""
    if question not in CONNECTIVES:
        raise BadRow(f"{question!r} is asked for, which is neither cause nor effect")
    premise, first, second = texts
    if not (premise.strip() and first.strip() and second.strip()):
        raise BadRow("the premise or an alternative is empty")
    return Item(name, line, premise, (first, second), question, right)


def found_of(items: Iterable[Item], journal: Journal) -> list[tuple[Item, RawProblem]]:
    """The problems; which words are names is taken from all of them together."""
    clean = []
    for item in items:
        clean.append(_trimmed(item, journal))
        if not all(clean[-1].texts):
            journal.fault(BAD_ROW, item.line, item.name, "the premise or an alternative is empty")
            clean.pop()
    texts = [text for item in clean for text in item.texts]
    common = frozenset(_LOWER_WORD.findall("\n".join(texts)))
    names = {name for text in texts for name in names_inside(text)}
    spelling = _Spelling(journal, common, frozenset(names))
    return [(item, _found(item, spelling)) for item in clean]


def subset_tags(
    companions: Companions, ids: Iterable[str], journal: Journal
) -> dict[str, tuple[str, ...]]:
    """By id, the subsets that it belongs to; ids that the file does not have are reported."""
    tags: dict[str, tuple[str, ...]] = {}
    for companion in companions:
        for subset, number in _members(companion.name, companion.json()):
            tags[number] = (*tags.get(number, ()), subset)
    if unknown := len(tags.keys() - set(ids)):
        journal.oddity(_UNKNOWN_IDS, 0, "", f"{unknown} ids that the file does not have", "")
    return tags


def _members(name: str, subsets: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(subsets, dict):
        raise FileError(f"{name}: not a JSON object with a list of ids for each subset")
    for subset, members in subsets.items():
        if not isinstance(members, list) or not fit_tag(subset):
            raise FileError(f"{name}: {subset!r} is not the name of a list of ids")
        yield from ((fit_tag(subset), str(member)) for member in dict.fromkeys(map(str, members)))


def _trimmed(item: Item, journal: Journal) -> Item:
    def step(name: str) -> None:
        journal.step(name, item.line, item.name, "", "put right")

    premise, first, second = (trimmed(text, step) for text in item.texts)
    return Item(item.name, item.line, premise, (first, second), item.question, item.right)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """What the file shows of its words: those without a capital, and those with one inside."""

    journal: Journal
    common: frozenset[str]
    names: frozenset[str]

    def lead(self, item: Item) -> str:
        """The premise up to the blank."""
        premise, connective = item.premise, CONNECTIVES[item.question]
        bare = without_full_stop(premise)
        if bare != premise:
            return f"{bare} {connective} "
        if ends_sentence(premise):
            self._tell_open(item, f"a new sentence begins with {connective.capitalize()!r}")
            return f"{premise} {connective.capitalize()} "
        if not is_finished_text(premise):  # the full stop of an abbreviation is part of it
            self._tell_open(item, "")
        return f"{premise} {connective} "

    def clause(self, item: Item, alternative: str) -> str:
        """The alternative as it stands in the blank."""
        if not is_finished_text(alternative):
            done = "a full stop added"
            if self.journal.repair(_FULL_STOP, item.line, item.name, repr(alternative), done):
                alternative += "."
        first, space, rest = alternative.partition(" ")
        if opens_sentences(first) or first.lower() in self.common:
            return decapitalise(first) + space + rest
        clause = decapitalise(alternative, self.names)
        # A word that the file has in the singular is no name in the plural.
        if clause != alternative and first.lower().removesuffix("s") not in self.common:
            odd = f"{first!r} may be a name"
            self.journal.oddity(_POSSIBLE_NAME, item.line, item.name, odd, "lowered")
        return clause

    def _tell_open(self, item: Item, done: str) -> None:
        odd = f"the premise ends in {item.premise[-1]!r}"
        self.journal.oddity(_OPEN_PREMISE, item.line, item.name, odd, done)


def _found(item: Item, spelling: _Spelling) -> RawProblem:
    first, second = (spelling.clause(item, one) for one in item.alternatives)
    texts = (spelling.lead(item), "")
    return RawProblem(item.name, item.line, texts, ((first,), (second,)), item.right)
