"""Rules: what makes a draft of one kind, and how hard it can make it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from horsesense.generation.draft import Draft

ONE_STEP = range(1, 2)
NONE = range(1)


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What makes a schema harder: how many steps, how many of them turned round or denied.

    `chain` is the number of facts or premises that the answer hangs on; `converses` how many
    relations are told from the other side («Bo is shorter than Ada»), `negations` how many
    are told by a denial («Bo is not as tall as Ada»). A step is told in one of these ways, so
    the two together are not more than `chain`.
    """

    chain: int = 1
    converses: int = 0
    negations: int = 0

    def places(self, rng: Random) -> tuple[list[int], list[int]]:
        """Which steps are turned round, and which are denied.

        >>> Difficulty(chain=3, converses=2, negations=1).places(Random(0))
        ([1, 2], [0])
        """
        drawn = rng.sample(range(self.chain), self.converses + self.negations)
        return drawn[: self.converses], drawn[self.converses :]

    def manners(self, rng: Random) -> list[str]:
        """How each step is told: plainly, turned round, or denied.

        >>> Difficulty(chain=3, converses=1, negations=1).manners(Random(0))
        ['plain', 'turned', 'denied']
        """
        turned, denied = self.places(rng)
        return [
            "turned" if at in turned else "denied" if at in denied else "plain"
            for at in range(self.chain)
        ]


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of making schemas: `make` draws a draft of the difficulty it is asked for.

    The ranges say which difficulties it has. `is_open` is set where there is no end of
    different drafts, for practical purposes: stories about people and numbers.
    """

    name: str
    area: str
    title: str
    make: Callable[[Random, Difficulty], Draft]
    chain: range = ONE_STEP
    converses: range = NONE
    negations: range = NONE
    is_open: bool = False
