"""The scoring method of baselines, which give every option a cost as a whole."""

from __future__ import annotations

from horsesense.models import Family, PreferenceObservation
from horsesense.scoring.method import Method, for_each
from horsesense.scoring.score import Score


def choice(observation: PreferenceObservation) -> Score:
    """The cost that the baseline gives.

    >>> choice(PreferenceObservation(0.25))
    Score(cost=0.25, counted=(), divisor=1, extra=0.25)
    """
    return Score(observation.cost, (), extra=observation.cost)


BASELINE_METHODS = (
    Method(
        "choice",
        Family.BASELINE,
        "choice",
        "nothing: the cost is the baseline's own",
        for_each(PreferenceObservation, choice),
    ),
)
