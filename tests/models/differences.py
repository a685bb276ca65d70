"""Where a model and the slow reference on the same weights differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from horsesense.evaluation.inference import ObservedProblem, score
from horsesense.models import Model
from horsesense.schema import Problem
from horsesense.scoring import FrequencyTable, find_method, methods_of
from horsesense.scoring.outcome import Outcome
from tests.models.reference import Costs, Reference

# Costs are sums in float32: their rounding grows with them, and differs between processors.
TOLERANCE = 1e-4
RELATIVE = 1e-5


def differences(
    model: Model,
    reference: Reference,
    problems: Sequence[Problem],
    frequencies: FrequencyTable | None = None,
) -> Iterator[str]:
    """What they differ in: a score, a decision, or whether there is one at all."""
    family = model.info.family
    methods = [find_method(name, family) for name in reference.costs(problems[0])]
    assert set(methods_of(family)) <= set(methods)
    for scored in score(model, problems, methods, frequencies=frequencies):
        yield from _told(scored, reference.costs(scored.problem))


def _told(scored: ObservedProblem, expected: dict[str, Costs]) -> Iterator[str]:
    for method, costs in expected.items():
        outcome = scored.outcomes[method]
        said = outcome.costs if isinstance(outcome, Outcome) else None
        where = f"{method} in {scored.problem.sentences[0].text!r}: {outcome}, expected {costs}"
        if said is None or costs is None:
            if said != costs:
                yield where
        elif said != pytest.approx(costs, rel=RELATIVE, abs=TOLERANCE):
            yield where
        elif isinstance(outcome, Outcome) and outcome.chosen != costs.index(min(costs)):
            yield f"decision by {where}"
