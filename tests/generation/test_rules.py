"""All rules, whatever their area."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from horsesense.generation import AREAS, RULES, RequestedDifficulty, Rule


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_same_seed_gives_the_same_draft(rule: Rule) -> None:
    for difficulty in RequestedDifficulty().of(rule):
        for seed in range(3):
            assert rule.make(Random(seed), difficulty) == rule.make(Random(seed), difficulty)


def test_names_of_rules_are_unique() -> None:
    assert [name for name, count in Counter(rule.name for rule in RULES).items() if count > 1] == []


def test_the_rules_of_an_area_stand_together() -> None:
    areas = [rule.area for rule in RULES]
    assert areas == sorted(areas, key=AREAS.index)
