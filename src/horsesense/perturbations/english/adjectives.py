"""The adjectives that candidates may get, as `adjectives.toml` lists them.

Each goes with a kind of noun, and with the topics on which it would bear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from horsesense.perturbations.english.tables import table
from horsesense.perturbations.rewriting import renderings
from horsesense.schema import LooseGrid, Row, Schema

WORD = re.compile(r"[\w'’-]+")


def kind_of(noun: str) -> str | None:
    """What a noun stands for, if it is on the lists: a person, an animal, a thing, …"""
    return _kinds().get(noun.lower())


def fitting_pairs(part: Schema | Row, kind: str) -> list[list[str]]:
    """The pairs of adjectives for nouns of that kind that mean nothing to the sentence."""
    return list(_fitting("pairs", part, kind))


def fitting_modifiers(part: Schema | Row, kind: str) -> list[str]:
    """The long and odd modifiers for nouns of that kind that mean nothing to the sentence."""
    return [word for words in _fitting("modifiers", part, kind) for word in words]


def surnames() -> tuple[list[str], list[str]]:
    """The surnames that come first and those that come last where there are two."""
    names = _table()["surnames"]
    return names["first"], names["last"]


def _fitting(name: str, part: Schema | Row, kind: str) -> Iterator[list[str]]:
    listed = (one for one in _table()[name] if one["kind"] == kind)
    return (one["words"] for one in listed if _fits(part, one["words"], one["topics"]))


def _fits(part: Schema | Row, adjectives: list[str], topics: list[str]) -> bool:
    """True where nothing in a sentence bears on what an adjective says, nor is that word in it."""
    grid = part if isinstance(part, Schema) else LooseGrid((part,))
    words = {word.lower() for shown in renderings(grid) for word in WORD.findall(shown.text)}
    stems = tuple(stem for topic in topics for stem in _table()["topics"][topic].split())
    return not any(word.startswith(stems) for word in words) and not words & set(adjectives)


@cache
def _kinds() -> dict[str, str]:
    return {noun: kind for kind, nouns in _table()["kinds"].items() for noun in nouns.split()}


def _table() -> dict[str, Any]:
    return table("adjectives")
