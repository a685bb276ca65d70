"""Phrases for the switched perturbation of WSC266, where the candidates alone do not tell.

In a few schemas a candidate stands for more than itself («the younger ones»), or an answer is a
part of its candidate. What is exchanged there, and what the answers become, stands as numbers of
words in wsc266_switched.toml, read off the published switched file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.resources import files

from horsesense.datasets.importers.recipes.wsc266_candidates import words_of
from horsesense.datasets.recovery import Group

_STRETCHES: dict[str, dict[str, list[tuple[int, int]]]] = tomllib.loads(
    files("horsesense.datasets.importers.recipes")
    .joinpath("wsc266_switched.toml")
    .read_text(encoding="utf-8")
)


def add_switched_phrases(groups: Iterable[Group]) -> None:
    """Give the schemas of WSC266, whose ids are their numbers there, the phrases they need."""
    for group in groups:
        for name, stretches in _STRETCHES.items():
            if group.id in stretches:
                statement = group.found[0].statement
                words = words_of(statement)
                phrases = tuple(
                    statement[words[first][0] : words[last][1]]
                    for first, last in stretches[group.id]
                )
                group.phrases = (*group.phrases, (name, phrases))
