from __future__ import annotations

import re

from horsesense.generation.areas.towers import prove_falls
from tests.generation.drawn import drafts, named


def test_only_those_above_fall() -> None:
    stack = [("cow", "pig"), ("pig", "hen"), ("hen", "cat")]
    assert prove_falls("hen", "cow", stack).holds
    assert prove_falls("hen", "cat", stack).steps[0] == "cat stands on hen"
    assert not prove_falls("hen", "cat", stack).holds


def test_the_ends_change_places_in_the_premises_or_in_the_conclusion() -> None:
    drawn = list(drafts(named("carry-in-tower"), 20))
    assert {"{} <> {}" in draft.frame for draft in drawn} == {True, False}
    for draft in drawn:
        # Wherever they are not the keys they are named.
        assert draft.frame.count("{}") == 2
        assert all(len(re.findall(rf"{end}\b", draft.frame)) == 1 for end in draft.keys)
