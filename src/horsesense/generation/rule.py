"""Rules: each makes drafts of one kind, with a proof for every cell, at given difficulties.

A rule never says which answer is right. It gives a proof for each of the four cells, and the draft
is a schema only if the proofs hold on one diagonal and fail on the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from horsesense.errors import GenerationError
from horsesense.schema import Schema
from horsesense.schema.notation import parse_grid


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether something holds, by steps that a reader can follow; each is a clause of English.

    >>> Proof(True, ("9 is more than 6", "6 is more than 2")).text
    '9 is more than 6; 6 is more than 2'
    """

    holds: bool
    steps: tuple[str, ...]

    @property
    def text(self) -> str:
        """The steps on one line."""
        return "; ".join(self.steps)

    def denied(self) -> Proof:
        """The proof of the opposite, by the same steps."""
        return Proof(not self.holds, self.steps)


Square: TypeAlias = tuple[tuple[Proof, Proof], tuple[Proof, Proof]]

KEY = "{}"
ANSWER = "<>"


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement with its places left open, and the proof for each way of filling them.

    `frame` is in lower case, without a full stop, with `{}` for the key (twice for a
    transposition, whose second place takes the other key) and `<>` for the answer.
    `cells` holds the proof for each key and, within it, for each answer.
    """

    frame: str
    keys: tuple[str, str]
    answers: tuple[str, str]
    cells: Square

    def __post_init__(self) -> None:
        if self.frame.count(KEY) not in (1, 2) or self.frame.count(ANSWER) != 1:
            raise GenerationError(f"{self.frame!r} needs one or two {KEY} and one {ANSWER}")


def square(prove: Callable[[int, int], Proof]) -> Square:
    """The proofs of the four cells, given a function that proves one.

    >>> from horsesense.generation.rule import Proof
    >>> [[cell.holds for cell in row] for row in square(lambda k, a: Proof(k == a, ("given",)))]
    [[True, False], [False, True]]
    """
    return (prove(0, 0), prove(0, 1)), (prove(1, 0), prove(1, 1))


@dataclass(frozen=True, slots=True)
class Settled:
    """A schema, and for each of its two keys the proof of its right answer."""

    schema: Schema
    proofs: tuple[Proof, Proof]


def settle(draft: Draft, *, reverse: bool) -> Settled:
    """The schema of a draft, with the answers in the order of their keys.

    `reverse` puts the second key first, so that a seed can decide what stands first.

    >>> from horsesense.generation.rule import Proof
    >>> cells = square(lambda k, a: Proof(k != a, ("given",)))
    >>> draft = Draft("{} is <> than {}", ("3", "5"), ("more", "less"), cells)
    >>> settle(draft, reverse=False).schema.answers.values
    (('less',), ('more',))
    """
    holds = [[cell.holds for cell in row] for row in draft.cells]
    if holds not in ([[True, False], [False, True]], [[False, True], [True, False]]):
        raise GenerationError(f"{draft.frame!r} with {draft.keys} is not a schema: {holds}")
    order = (1, 0) if reverse else (0, 1)
    right = [row.index(True) for row in holds]
    keys = [draft.keys[key] for key in order]
    answers = [draft.answers[right[key]] for key in order]
    first, second = (draft.cells[key][right[key]] for key in order)
    schema = parse_grid(_notation(draft.frame, keys, answers))
    assert isinstance(schema, Schema)
    return Settled(schema, (first, second))


def _notation(frame: str, keys: list[str], answers: list[str]) -> str:
    line = frame.replace(ANSWER, f"<{answers[0]}, {answers[1]}>")
    line = line.replace(KEY, f"{{{keys[0]}, {keys[1]}}}", 1)
    return line.replace(KEY, f"{{{keys[1]}, {keys[0]}}}", 1)


ONE_STEP = range(1, 2)
NONE = range(1)


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The difficulty of a schema: number of steps, and how many are turned round or denied.

    `chain` is the number of facts or premises that the answer depends on; `converses` how many
    relations are told from the other side («Bo is shorter than Ada»), `negations` how many
    are told by a denial («Bo is not as tall as Ada»). A step is told in one of these ways, so
    the two together are not more than `chain`.
    """

    chain: int = 1
    converses: int = 0
    negations: int = 0

    def places(self, rng: Random) -> tuple[list[int], list[int]]:
        """Draw the steps that are turned round, and those that are denied.

        >>> Difficulty(chain=3, converses=2, negations=1).places(Random(0))
        ([1, 2], [0])
        """
        drawn = rng.sample(range(self.chain), self.converses + self.negations)
        return drawn[: self.converses], drawn[self.converses :]

    def manners(self, rng: Random) -> list[str]:
        """Draw how each step is told: plainly, turned round, or denied.

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
    """One way of making schemas: `make` draws a draft of the requested difficulty.

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
