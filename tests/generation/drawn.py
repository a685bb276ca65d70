"""Rules by name, their drafts and the sentences of these, for the tests of the areas."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from horsesense.generation import RULES, Difficulty, RequestedDifficulty, Rule
from horsesense.generation.rule import Draft, settle


def with_drafts(few: int, many: int) -> pytest.MarkDecorator:
    """Run a test with `few` drafts and, among the long tests, with `many`."""
    return pytest.mark.parametrize("count", [few, pytest.param(many, marks=pytest.mark.long)])


def named(name: str) -> Rule:
    """The rule of that name."""
    return next(rule for rule in RULES if rule.name == name)


def drafts(rule: Rule, count: int) -> Iterator[Draft]:
    """So many drafts of a rule at each of its difficulties."""
    for difficulty in RequestedDifficulty().of(rule):
        for seed in range(count):
            yield _draft(rule, difficulty, seed)


# The tests of all rules and those of an area ask for the same ones.
@cache
def _draft(rule: Rule, difficulty: Difficulty, seed: int) -> Draft:
    return rule.make(Random(seed), difficulty)


def sentences(draft: Draft) -> Iterator[tuple[str, bool]]:
    """The sentence of each cell, without its full stop, and whether it is held to be true."""
    schema = settle(draft, reverse=False).schema
    for cell in schema.cells:
        yield schema.sentence(cell).text.rstrip("."), schema.is_sensible(cell)


def true_sentences(draft: Draft) -> list[str]:
    """The sentences that are held to be true."""
    return [text for text, is_true in sentences(draft) if is_true]
