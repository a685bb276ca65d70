from __future__ import annotations

import pytest

from horsesense.generation import Rule
from tests.generation.checker.drawing import misjudged, rules_of
from tests.generation.checker.magnitude import is_true
from tests.generation.checker.plain_text import Undecided, Unreadable

TRUE = [
    "If Ada is taller than Bo and Bo is taller than Cy, then Ada is taller than Cy.",
    "When Bo is not as tall as Ada and Cy is shorter than Bo, Cy is shorter than Ada.",
    "Ada is kinder than Cy if Ada is kinder than Bo and Cy is exactly as kind as Bo.",
    "A mosquito is lighter than a hen's egg.",
    "Anything that weighs more than a carthorse weighs more than a teaspoon.",
    "Molten iron is hotter than a snowflake.",
    "If it takes less water than a thimble holds to fill a vessel then it takes less water to fill "
    "that vessel than to fill a bathtub.",
]
FALSE = [
    "If Ada is taller than Bo and Bo is taller than Cy, then Cy is taller than Ada.",
    "When Bo is not as tall as Ada and Cy is shorter than Bo, Cy is taller than Ada.",
    "Ada is less kind than Cy if Ada is kinder than Bo and Cy is exactly as kind as Bo.",
    "A mosquito is heavier than a hen's egg.",
    "Anything that weighs more than a carthorse weighs less than a teaspoon.",
    "Liquid nitrogen is hotter than a snowflake.",
    "It takes more water to fill a thimble than to fill a bathtub.",
]
OPEN = [
    "If Ada is taller than Bo and Cy is taller than Bo, then Ada is taller than Cy.",
    "If Ada is taller than Bo and Bo is taller than Ada, then Ada is taller than Bo.",
    "If Ada is not as tall as Bo and Bo is exactly as tall as Cy, then Ada is taller than Di.",
    "A grown man is heavier than a grown sheep.",
    "Anything that is lighter than a carthorse is lighter than a teaspoon.",
]
UNREADABLE = [
    "If Ada is taller than Bo and Bo is older than Cy, then Ada is taller than Cy.",
    "if Ada is taller than Bo and Bo is taller than Cy, then Ada is taller than Cy",
    "A unicorn is heavier than a hen's egg.",
    "A mosquito is lighter as a hen's egg.",
]


@pytest.mark.parametrize("rule", rules_of("magnitude"), ids=lambda rule: rule.name)
def test_every_sentence_is_what_it_is_said_to_be(rule: Rule) -> None:
    assert misjudged(rule, is_true) == []


@pytest.mark.parametrize("sentence", TRUE)
def test_the_true_is_seen_to_be_true(sentence: str) -> None:
    assert is_true(sentence)


@pytest.mark.parametrize("sentence", FALSE)
def test_the_false_is_seen_to_be_false(sentence: str) -> None:
    assert not is_true(sentence)


@pytest.mark.parametrize("sentence", OPEN)
def test_what_is_left_open_is_an_error(sentence: str) -> None:
    with pytest.raises(Undecided):
        is_true(sentence)


@pytest.mark.parametrize("sentence", UNREADABLE)
def test_what_cannot_be_read_is_an_error(sentence: str) -> None:
    with pytest.raises(Unreadable):
        is_true(sentence)
