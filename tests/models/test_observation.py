from dataclasses import FrozenInstanceError

import pytest

from horsesense.models import CausalObservation, FirstToken
from tests.scoring.observed import placed


def test_an_observation_supposes_nothing_that_was_not_said() -> None:
    seen = CausalObservation(placed("So [it] is"), (None, -1.0, -2.0))
    assert (seen.first, seen.first_from) == (None, FirstToken.UNDEFINED)
    assert (seen.alone, seen.seam) == (None, None)


def test_an_observation_stays_as_it_was_made() -> None:
    seen = CausalObservation(placed("So [it] is"), (None, -1.0, -2.0))
    with pytest.raises(FrozenInstanceError):
        seen.first = -1.0  # type: ignore[misc]
