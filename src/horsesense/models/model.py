"""The seam between models and everything else.

A model reads text as tokens and answers queries with log-probabilities. What they add up to is
the business of the scoring methods, which never import torch.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Protocol, TypeAlias

from horsesense.models.declaration import Declaration
from horsesense.models.observation import Query, Reading
from horsesense.schema import Problem

# Queries answered together, each with its log-probabilities in the order of the query.
Answers: TypeAlias = list[tuple[Query, tuple[float, ...]]]


class LanguageModel(Protocol):
    """Anything that can be asked for the log-probabilities of tokens."""

    @property
    def declaration(self) -> Declaration:
        """What it declares of itself; known before its weights are loaded."""
        ...

    def read(self, text: str, *, specials: bool = True) -> Reading:
        """The text in its tokens, with or without the special ones around it."""
        ...

    def token_text(self, token: int) -> str:
        """The token as its vocabulary spells it."""
        ...

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries, in whatever order and batches suit the machine.

        A batch that has been given is final: whoever asks can keep it before the next one. What
        is `answered` already is not computed. A causal model plans for it all the same, so that a
        run that was interrupted goes on with the very batches that it would have had, and so
        with the very numbers.
        """
        ...

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Answer one query by itself, without any of the ways that make batches fast."""
        ...


class Baseline(Protocol):
    """Something to compare models with: it sees the problem, and needs no tokens."""

    @property
    def declaration(self) -> Declaration:
        """What it declares of itself."""
        ...

    def costs(self, problem: Problem) -> tuple[float, ...]:
        """A cost for each option, lower preferred."""
        ...


Model: TypeAlias = LanguageModel | Baseline
