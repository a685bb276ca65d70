"""Candidates, switched phrases and key phrases of WSC266, as the published perturbations show them.

In most schemas the answers tell (see `recovery.candidates`). In the others an answer differs
from its candidate by more than an article, or occurs as a part of it, or elsewhere. The files
published with the thesis have candidates deleted or replaced; what they delete and replace
stands as numbers of words in wsc266_candidates.toml.

A candidate is marked without the possessive ending that follows it: the files that replace
candidates leave the ending in its place. The no-candidate files delete it with its owner.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import TypeAlias

from horsesense.datasets.recovery import Group, Journal, Mark, RawProblem
from horsesense.errors import HorsesenseError

Stretches: TypeAlias = Sequence[tuple[int, int, int]]

PUBLISHED_CANDIDATES = "published-candidates"
CANDIDATE_REPAIRS = {
    PUBLISHED_CANDIDATES: "candidates that the answers do not show are marked "
    "where the published no-candidate files delete them"
}
_STRETCHES: dict[str, Stretches] = tomllib.loads(
    files("horsesense.datasets.importers.recipes")
    .joinpath("wsc266_candidates.toml")
    .read_text(encoding="utf-8")
)
# The blank is a control character, and so a word like any other.
_WORD = re.compile(r"""['’]s\b|(?:(?!['’]s\b)[^\s.,;:!?"])+""")


def mark_candidates(groups: Iterable[Group], journal: Journal) -> None:
    """Mark the candidates of the schemas of WSC266, whose ids are their numbers there.

    A mark on its first problem is all that a square needs.
    """
    for group in groups:
        if stretches := _STRETCHES.get(group.id):
            group.found[0] = _marked(group.found[0], stretches, journal)


def _marked(one: RawProblem, stretches: Stretches, journal: Journal) -> RawProblem:
    statement = one.statement
    marks = _marks(one, statement, stretches)
    shown = ", ".join(repr(statement[mark.start : mark.end]) for mark in marks)
    odd = "the answers do not show where the candidates stand"
    if journal.repair(PUBLISHED_CANDIDATES, one.line, one.name, odd, f"marked: {shown}"):
        return one._replace(marks=marks)
    return one


def _marks(one: RawProblem, statement: str, stretches: Stretches) -> tuple[Mark, ...]:
    words = words_of(statement)
    needed = 1 + max(last for _, _, last in stretches)
    if len(words) < needed:
        raise HorsesenseError(
            f"problem {one.name} is not the WSC's: {len(words)} words where {needed} are expected"
        )
    return tuple(Mark(number, words[first][0], words[last][1]) for number, first, last in stretches)


def words_of(statement: str) -> list[tuple[int, int]]:
    """The stretches of the words, as the recipe counts them."""
    return [word.span() for word in _WORD.finditer(statement)]


_SWITCHED: dict[str, dict[str, list[tuple[int, int]]]] = tomllib.loads(
    files("horsesense.datasets.importers.recipes")
    .joinpath("wsc266_switched.toml")
    .read_text(encoding="utf-8")
)


def add_switched_phrases(groups: Iterable[Group]) -> None:
    """Give the schemas of WSC266, whose ids are their numbers there, the phrases they need."""
    for group in groups:
        for name, stretches in _SWITCHED.items():
            if group.id in stretches:
                statement = group.found[0].statement
                words = words_of(statement)
                phrases = tuple(
                    statement[words[first][0] : words[last][1]]
                    for first, last in stretches[group.id]
                )
                group.phrases = (*group.phrases, (name, phrases))


WIDER_KEYS = "wider-key-phrases"
_WIDENINGS = {
    "wsc266": {31: (1, 0), 32: (1, 0), 101: (1, 0), 105: (0, 1), 128: (0, 1), 130: (0, 2)},
    "reid250": {
        **dict.fromkeys((87, 88), (1, 1)),
        **dict.fromkeys((90, 92, 95, 96, 117, 118), (1, 0)),
        98: (2, 0),
    },
}


def widen_keys(groups: Iterable[Group], dataset: str, journal: Journal) -> None:
    """Give schemas, whose ids are their numbers in a dataset, the key phrases published for it."""
    widenings = {str(number): words for number, words in _WIDENINGS.get(dataset, {}).items()}
    for group in groups:
        widening = widenings.get(group.id)
        if widening is None:
            continue
        first = group.found[0]
        odd = "the published inverted file has a wider key phrase than what differs"
        done = f"words added: {widening[0]} to the left, {widening[1]} to the right"
        if journal.repair(WIDER_KEYS, first.line, first.name, odd, done):
            group.widening = widening
