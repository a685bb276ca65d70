"""Baselines: what a model has to be better than. They see the problem, and no probabilities."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from horsesense.models.declaration import Declaration
from horsesense.models.huggingface.files.locations import BaselineName
from horsesense.models.observation import Family
from horsesense.schema import Problem


@dataclass(frozen=True, slots=True)
class BaselineModel:
    """A rule that gives a cost to each option of a problem."""

    declaration: Declaration
    rule: Callable[[Problem], tuple[float, ...]]

    def costs(self, problem: Problem) -> tuple[float, ...]:
        """A cost for each option, lower preferred."""
        return self.rule(problem)


def make_baseline(name: BaselineName) -> BaselineModel:
    """The baseline of that name.

    >>> make_baseline(BaselineName("random", seed=7)).declaration.name
    'random@7'
    """
    if name.name == "random":
        shown = f"random@{name.seed}" if name.seed else "random"
        return BaselineModel(_declaration(shown, f"random@{name.seed}"), random_rule(name.seed))
    return BaselineModel(_declaration(name.name, name.name), RULES[name.name])


def uniform(problem: Problem) -> tuple[float, ...]:
    """Every option costs the same, so that nothing is decided."""
    return (0.0,) * len(problem.sentences)


def first(problem: Problem) -> tuple[float, ...]:
    """The options in the order in which they are given."""
    return tuple(float(at) for at in range(len(problem.sentences)))


def longer(problem: Problem) -> tuple[float, ...]:
    """The sentence with the most characters; equal lengths are not decided."""
    return tuple(-float(len(sentence.text)) for sentence in problem.sentences)


def random_rule(seed: int) -> Callable[[Problem], tuple[float, ...]]:
    """Costs drawn from the seed and the sentence alone, whatever stands beside it."""

    def draw(problem: Problem) -> tuple[float, ...]:
        return tuple(_share(f"{seed}\n{sentence.text}") for sentence in problem.sentences)

    return draw


RULES = {"uniform": uniform, "first": first, "longer": longer}


def _share(text: str) -> float:
    """A number from 0 to 1 that is the same on every machine."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6], "big") / (1 << 48)


def _declaration(name: str, identity: str) -> Declaration:
    return Declaration(
        name=name,
        family=Family.BASELINE,
        architecture=identity,
        weights="",
        tokenizer="",
        revision="",
        dtype="",
        device="",
        parameters=0,
        vocabulary=0,
        context=None,
        before=(),
        after=(),
    )
