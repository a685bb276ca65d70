"""From what an area has derived to an entry: a draft is a square whose cells are all settled.

An area never says which answer is right. It gives a proof for each of the four cells, and the
draft is a schema only if the proofs hold on one diagonal and fail on the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof
from horsesense.schema import Schema
from horsesense.schema.notation import parse_grid

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
    """The proofs of the four cells, from what proves the cell of a key and an answer.

    >>> from horsesense.generation.proof import Proof
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

    >>> from horsesense.generation.proof import Proof
    >>> cells = square(lambda k, a: Proof(k != a, ("given",)))
    >>> draft = Draft("{} is <> than {}", ("3", "5"), ("more", "less"), cells)
    >>> settle(draft, reverse=False).schema.answers.values
    (('less',), ('more',))
    """
    holds = [[cell.holds for cell in row] for row in draft.cells]
    if holds not in ([[True, False], [False, True]], [[False, True], [True, False]]):
        raise GenerationError(f"{draft.frame!r} with {draft.keys} is no schema: {holds}")
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
