"""People in generated stories, drawn by name."""

from __future__ import annotations

from random import Random

from horsesense.generation.words import table


def people(rng: Random, count: int) -> list[str]:
    """So many different people.

    >>> len(set(people(Random(0), 5)))
    5
    """
    names: list[str] = rng.sample(table("people")["names"], count)
    return names
