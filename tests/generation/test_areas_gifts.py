from __future__ import annotations

from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation.areas.gifts import draw_purses, draw_swaps
from horsesense.generation.theories.transfers import (
    Gift,
    Swap,
    counts_after,
    prove_has,
    prove_richer,
)


def test_nobody_gives_more_than_they_have() -> None:
    with pytest.raises(GenerationError, match="Ada has not enough"):
        counts_after({"Ada": 5, "Bo": 0}, [Gift("Ada", "Bo", 3), Gift("Ada", "Bo", 3)])


def test_as_many_is_not_more() -> None:
    with pytest.raises(GenerationError, match="as many"):
        prove_richer("Ada", "Bo", {"Ada": 5, "Bo": 1}, [Gift("Ada", "Bo", 2)])


def test_nobody_gives_twice_to_the_same_one() -> None:
    for seed in range(100):
        gifts = draw_purses(Random(seed), ["Ada", "Bo", "Cy"], 4).gifts
        assert len({(gift.giver, gift.taker) for gift in gifts}) == 4


def test_swaps_are_followed_in_their_order() -> None:
    start = {"Ada": "drum", "Bo": "kite", "Cy": "lamp"}
    swaps = [Swap("Ada", "Bo"), Swap("Bo", "Cy")]
    assert prove_has("Cy", "drum", start, swaps).holds
    assert not prove_has("Cy", "drum", start, swaps[::-1]).holds


def test_two_who_can_only_swap_back_are_an_error() -> None:
    with pytest.raises(GenerationError, match="nothing that fits"):
        draw_swaps(Random(0), ["Ada", "Bo"], 2)
