"""The problems of a profile in words, and what a model said about them token by token."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PosedProblem:
    """A problem as it was posed: its sentences are the statement with each option filled in.

    `entry` and `number` (from 1) say which problem of which entry it is, as on answer sheets.
    """

    dataset: str
    form: str
    entry: str
    number: int
    statement: str
    options: tuple[str, ...]
    right: int | None
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenCosts:
    """One option of a problem token by token: texts, parts and costs.

    A part is `prefix`, `blank` or `suffix`. A cost is a negative log-probability, None for a token
    that has none.
    """

    model: str
    dataset: str
    form: str
    entry: str
    number: int
    option: int
    texts: tuple[str, ...]
    parts: tuple[str, ...]
    costs: tuple[float | None, ...]
