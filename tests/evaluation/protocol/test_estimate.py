"""How many tokens a run would have models read."""

from __future__ import annotations

from horsesense.evaluation.protocol.estimate import estimate
from tests.evaluation.protocol.pantry import plan, source


def test_rules_take_no_time() -> None:
    found = estimate(plan(), None, data=[source()])
    assert (found.models, found.minutes, found.problems, found.sentences) == ((), 0.0, 8, 16)
