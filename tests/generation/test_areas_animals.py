from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty
from horsesense.generation.areas.animals import (
    FoodWeb,
    Thing,
    can_carry,
    cannot_carry,
    prove_can_carry,
    prove_eats,
)
from horsesense.generation.theories.order import paths
from horsesense.generation.words import table
from tests.generation.drawn import named, true_sentences

WEB = FoodWeb(
    {"owls": ("mice",), "mice": ("nuts",), "cows": ()},
    plants=frozenset(["nuts"]),
    only_plants=frozenset(["cows"]),
    only_animals=frozenset(["owls"]),
)


@pytest.mark.parametrize(
    ("eater", "food", "holds"),
    [
        ("owls", "mice", True),
        ("mice", "owls", False),
        ("cows", "mice", False),
        ("owls", "nuts", False),
        ("nuts", "mice", False),
    ],
)
def test_meals_and_diets_tell_who_eats_whom(eater: str, food: str, holds: bool) -> None:
    assert prove_eats(eater, food, WEB).holds is holds


def test_what_neither_meals_nor_diets_tell_is_an_error() -> None:
    with pytest.raises(GenerationError, match="whether mice eat cows"):
        prove_eats("mice", "cows", WEB)


def test_weights_that_are_too_near_are_an_error() -> None:
    things = {"man": Thing(80, 40), "dog": Thing(25)}
    with pytest.raises(GenerationError, match="'man' can carry 'dog'"):
        prove_can_carry("man", "dog", things)
    assert not can_carry("man", "dog", things) and not cannot_carry("man", "dog", things)


def test_what_never_carries_is_not_said_to_be_too_weak() -> None:
    things = {"egg": Thing(60), "cow": Thing(600_000)}
    assert not cannot_carry("egg", "cow", things)
    with pytest.raises(GenerationError):
        prove_can_carry("egg", "cow", things)


def test_bulky_things_are_never_said_to_be_carried() -> None:
    things = {"van": Thing(2_000, 800), "boat": Thing(100, is_bulky=True), "dog": Thing(25)}
    assert can_carry("van", "dog", things) and not can_carry("van", "boat", things)


def test_loads_that_are_listed_are_light_enough() -> None:
    rows = table("animals")["things"]
    weights = {name: Thing(row["weight"], row.get("carries", 0)) for name, row in rows.items()}
    for carrier, row in rows.items():
        loads = row.get("loads", [])
        assert len(set(loads)) == len(loads)
        assert all(can_carry(carrier, load, weights) for load in loads), carrier


def test_what_is_carried_has_room() -> None:
    rule = named("what-can-carry")
    bag = table("animals")["things"]["shopping bag"]["loads"]
    drawn = [rule.make(Random(seed), Difficulty()) for seed in range(2000)]
    carried = [one.keys[0] for one in drawn if one.frame == "a shopping bag <> carry {}"]
    assert carried and {one.split(" ", 1)[1] for one in carried} <= set(bag)


def test_who_is_said_to_eat_whom_does_so_in_the_table() -> None:
    rule, meals = named("eat-or-be-eaten"), table("animals")["meals"]
    for seed in range(30):
        draft = rule.make(Random(seed), Difficulty())
        (eater, food), (eats, is_eaten) = draft.keys, draft.answers
        assert food in meals[eater]
        told = [f"{eater} {eats} {food}", f"{food} {is_eaten} {eater}"]
        assert [one.lower() for one in true_sentences(draft)] == told


def test_what_is_left_alone_is_no_part_of_the_diet_in_the_table() -> None:
    rule, known = named("what-eats-what"), table("animals")
    diets = {"plants": known["only_plants"], "animals": known["only_animals"]}
    found = set()
    for seed in range(60):
        _, why = rule.make(Random(seed), Difficulty()).cells[1]
        assert why.holds
        for diet, eaters in diets.items():
            if why.steps[0].endswith(f" eat {diet} only"):
                found.add(diet)
                assert why.steps[0].removesuffix(f" eat {diet} only") in eaters
                left_alone = why.steps[1].removesuffix(f" are no {diet}")
                assert (left_alone in known["plants"]) is (diet == "animals")
    assert found == diets.keys()


def test_whatever_is_eaten_is_listed() -> None:
    known = table("animals")
    listed = {*known["meals"], *known["plants"]}
    eaten = {food for foods in known["meals"].values() for food in foods}
    assert eaten <= listed
    assert {*known["only_plants"], *known["only_animals"]} <= set(known["meals"])
    assert not set(known["plants"]) & set(known["meals"])


def test_diets_agree_with_meals() -> None:
    known = table("animals")
    plants = set(known["plants"])
    assert all(set(known["meals"][one]) <= plants for one in known["only_plants"])
    assert all(not set(known["meals"][one]) & plants for one in known["only_animals"])
    assert not set(known["only_plants"]) & set(known["only_animals"])


def test_no_food_chain_is_a_circle() -> None:
    meals = table("animals")["meals"]
    longest = max(links for links in range(1, 10) if paths(meals, links))
    assert longest < 9
    for links in range(1, longest + 1):
        assert all(len(set(path)) == len(path) for path in paths(meals, links))


def test_lists_of_the_table_have_nothing_twice() -> None:
    known = table("animals")
    lists = [known[name] for name in ("plants", "only_plants", "only_animals", "tower")]
    for names in [*lists, *known["meals"].values()]:
        assert all(one != other for one, other in combinations(names, 2))
