from __future__ import annotations

import pytest

from horsesense.generation import Rule
from tests.generation.checker.animals import is_true
from tests.generation.checker.drawing import misjudged, rules_of
from tests.generation.checker.plain_text import Undecided, Unreadable

TRUE = [
    "Owls eat mice.",
    "Mice are eaten by owls.",
    "Mice make a meal for owls.",
    "Acorns are no proper meal for hungry owls.",
    "Mice are not eaten by cows.",
    "By way of mice, owls feed on seeds.",
    "In the food chain that runs through frogs and slugs, herons are above leaves.",
    "In the food chain by way of mice, seeds are nearer the bottom than owls.",
    "A lorry can carry a cow.",
    "A wheelbarrow cannot carry an army tank.",
    "A walnut is light enough for a crow to carry.",
    "If the hen stands on the goat and the goat stands on the cow, then the cow carries the hen.",
    "The hen is somewhere above the cow if the cow carries the goat and the goat carries the hen.",
    "In a tower of animals in which the hen stands on the goat and the cow does not stand on the "
    "goat but under it, the hen loses its footing when the cow runs away.",
    "If the hen stands on the goat and the goat stands on the cow, then the goat does not fall "
    "when the hen vanishes.",
]
FALSE = [
    "Mice eat owls.",
    "Owls are food for mice.",
    "Mice make a meal of owls.",
    "Acorns are a good meal for hungry owls.",
    "Owls do not eat mice.",
    "By way of mice, owls feed seeds.",
    "In the food chain that runs through frogs and slugs, leaves are above herons.",
    "A lorry can be carried by a cat.",
    "A wheelbarrow is strong enough to carry an army tank.",
    "A walnut is far too heavy for a crow to carry.",
    "If the hen stands on the goat and the goat stands on the cow, then the hen carries the cow.",
    "The hen bears the weight of the cow if the cow carries the goat and the goat carries the hen.",
    "In a tower of animals in which the hen stands on the goat and the cow does not stand on the "
    "goat but under it, the hen keeps its footing when the cow runs away.",
    "If the hen stands on the goat and the goat stands on the cow, then the goat falls when the "
    "hen vanishes.",
]
OPEN = [
    "Foxes eat cats.",
    "Badgers do not eat mice.",
    "By way of rats, owls feed on leaves.",
    "A donkey can carry a pig.",
    "A brick cannot carry an ant.",
    "A lorry can carry a helicopter.",
    "A car can carry a pig.",
    "A shopping bag is strong enough to carry an eagle.",
    "If the hen stands on the goat and the cat stands on the goat, then the cat carries the hen.",
    "If the hen stands on the goat and the goat stands on the hen, then the goat carries the hen.",
]
UNREADABLE = [
    "Unicorns eat mice.",
    "Owls devour mice.",
    "owls eat mice",
    "A lorry can carry a unicorn.",
    "If the hen stands on the goat and the goat likes the cow, then the cow carries the hen.",
    "If the hen stands on the goat and the goat stands on the cow, then the cow likes the hen.",
]


@pytest.mark.parametrize("rule", rules_of("animals"), ids=lambda rule: rule.name)
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
