"""Baselines to compare models with. They see the problem and use no probabilities."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from horsesense.errors import ModelError
from horsesense.models.protocol import Baseline, Family, ModelInfo
from horsesense.registry import Registry, blame
from horsesense.schema import Problem

BASELINES = ("uniform", "first", "longer", "random")


@dataclass(repr=False)
class BaselineModel(Baseline):
    """A rule that gives a cost to each option of a problem."""

    info: ModelInfo
    rule: Callable[[Problem], tuple[float, ...]]

    def costs(self, problem: Problem) -> tuple[float, ...]:
        """Return a cost for each option; lower is better."""
        return self.rule(problem)


def parse_baseline(name: str) -> tuple[str, int] | None:
    """Return the baseline of that name and its seed, or None if there is none.

    >>> parse_baseline("random@7"), parse_baseline("first"), parse_baseline("gpt2")
    (('random', 7), ('first', 0), None)
    """
    word, at, seed = name.partition("@")
    if word not in BASELINES:
        return None
    if not at:
        return word, 0
    if word != "random":
        raise ModelError(f"{word} takes no seed; only random does, as in random@7")
    if not (seed.isascii() and seed.isdigit()):
        raise ModelError(
            f"{seed!r} is not a valid seed for random; give a whole number, as in random@7"
        )
    return word, int(seed)


def make_baseline(name: str, seed: int = 0) -> BaselineModel:
    """Create the baseline of that name.

    >>> make_baseline("random", seed=7).info.name
    'random@7'
    """
    if name == "random":
        full_name = f"random@{seed}" if seed else "random"
        return BaselineModel(_info(full_name, f"random@{seed}"), random_rule(seed))
    return BaselineModel(_info(name, name), RULES[name])


def uniform(problem: Problem) -> tuple[float, ...]:
    """Give every option the same cost, so that nothing is decided."""
    return (0.0,) * len(problem.sentences)


def first(problem: Problem) -> tuple[float, ...]:
    """Prefer the options in their order."""
    return tuple(float(at) for at in range(len(problem.sentences)))


def longer(problem: Problem) -> tuple[float, ...]:
    """Prefer the sentence with the most characters; equal lengths are not decided."""
    return tuple(-float(len(sentence.text)) for sentence in problem.sentences)


def random_rule(seed: int) -> Callable[[Problem], tuple[float, ...]]:
    """Return a rule whose costs are drawn from the seed and each sentence alone."""

    def draw(problem: Problem) -> tuple[float, ...]:
        return tuple(_share(f"{seed}\n{sentence.text}") for sentence in problem.sentences)

    return draw


RULES = {"uniform": uniform, "first": first, "longer": longer}


def _share(text: str) -> float:
    """Return a number from 0 to 1 that is the same on every machine."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6], "big") / (1 << 48)


def _info(name: str, identity: str) -> ModelInfo:
    return ModelInfo(name, Family.BASELINE, architecture=identity)


def _blaming(solver: Baseline, source: str) -> Baseline:
    """Wrap a solver of another package so that errors name the package."""
    name = solver.info.name
    failing = f"the solver {name!r} of {source} fails"
    return BaselineModel(solver.info, blame(solver.costs, lambda problem: failing))


# Solvers that are not language models: the baselines, and those of other packages. A solver takes a
# problem and returns a cost for each option; equal costs abstain.
SOLVERS: Registry[Baseline] = Registry(
    "solver",
    "horsesense.solvers",
    Baseline,
    name_of=lambda solver: solver.info.name,
    wrap=_blaming,
)
SOLVERS.add(*map(make_baseline, BASELINES))
