"""How far an evaluation has come, for whoever draws a bar or counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, and how much of it is; `stage` is in words, such as «asking gpt2».

    While a model is asked, queries are counted, and `cached` of them were in the store: they took
    no time, which whoever tells the time left should know. Elsewhere it is 0.
    """

    stage: str
    done: int
    total: int
    cached: int = 0


OnProgress: TypeAlias = Callable[[Progress], None]


def unheard(told: object) -> None:
    """Where nobody wants to know."""
