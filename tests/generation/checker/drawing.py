"""Sentences of a rule, at all its difficulties and from several seeds, true and false."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from itertools import islice

from horsesense.errors import GenerationError
from horsesense.generation import Recipe, RequestedDifficulty, Rule, generate
from horsesense.schema import Schema

DAY = date(2026, 3, 1)
SEEDS = range(2)


def misjudged(rule: Rule, is_true: Callable[[str], bool], *, schemas: int) -> list[str]:
    """The sentences in so many schemas of a rule that are not what they are said to be."""
    drawn = list(sentences_of(rule, schemas=schemas))
    assert drawn
    return [sentence for sentence, truth in drawn if is_true(sentence) != truth]


def sentences_of(rule: Rule, *, schemas: int) -> Iterator[tuple[str, bool]]:
    """All four sentences of about so many schemas, or of as many as there are."""
    hardnesses = RequestedDifficulty().of(rule)
    share = -(-schemas // (len(hardnesses) * len(SEEDS)))
    for hardness in hardnesses:
        wanted = RequestedDifficulty(
            *(
                range(number, number + 1)
                for number in (hardness.chain, hardness.converses, hardness.negations)
            )
        )
        for seed in SEEDS:
            # A rule that has no more to give says so.
            with suppress(GenerationError):
                for entry in islice(generate(Recipe(seed, DAY, wanted), [rule]), share):
                    yield from _cells(entry.grid)


def _cells(grid: object) -> Iterator[tuple[str, bool]]:
    assert isinstance(grid, Schema)
    for cell in grid.cells:
        yield grid.sentence(cell).text, grid.is_sensible(cell)
