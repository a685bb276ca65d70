"""Second opinions on animals: all pairs that are known to eat, all stacks, all strengths."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise, permutations, product
from typing import TypeAlias

from tests.generation.checker.all_orders import Compared, holds_in_all_orders
from tests.generation.checker.plain_text import (
    Undecided,
    clauses,
    decide,
    follows,
    in_all_or_none,
    table,
)

Pair: TypeAlias = tuple[str, str]

# What is said of an eater {x} and its food {y}, and how it is denied.
_EATING = tuple(
    (re.compile(said.format(x="(?P<x>.+?)", y="(?P<y>.+?)")), truth)
    for said, truth in (
        ("{x} (?:eat|feed on|make a meal of) {y}", True),
        ("{y} (?:are eaten by|are food for|make a meal for) {x}", True),
        ("{y} are a good meal for hungry {x}", True),
        ("{x} do not eat {y}", False),
        ("{y} are not eaten by {x}", False),
        ("{y} are no proper meal for hungry {x}", False),
    )
)
_CHAIN = tuple(
    re.compile(said.format(x="(?P<x>.+?)", y="(?P<y>.+?)", by="(?P<by>.+?)"))
    for said in (
        "in the food chain that runs through {by}, (?:{x} are above {y})",
        "in the food chain that runs through {by}, (?:{y} are below {x})",
        "in the food chain by way of {by}, {x} are nearer the top than {y}",
        "in the food chain by way of {by}, {y} are nearer the bottom than {x}",
        "by way of {by}, {x} feed on {y}",
        "by way of {by}, {y} feed {x}",
    )
)
_CARRYING = tuple(
    (re.compile(said.format(x="an? (?P<x>.+?)", y="an? (?P<y>.+?)")), truth)
    for said, truth in (
        ("{x} can carry {y}", True),
        ("{x} cannot carry {y}", False),
        ("{x} is strong enough to carry {y}", True),
        ("{x} is far too weak to carry {y}", False),
        ("{y} is light enough for {x} to carry", True),
        ("{y} is far too heavy for {x} to carry", False),
        ("{y} can be carried by {x}", True),
        ("{x} is able to carry {y}", True),
        ("{y} is light enough to be carried by {x}", True),
    )
)
# The upper one {x} and the lower one {y} in a tower.
_TOWER = tuple(
    re.compile(said.format(x="the (?P<x>[a-z]+)", y="the (?P<y>[a-z]+)"))
    for said in (
        "{x} stands on {y}",
        "{y} has {x} on its back",
        "{y} carries {x}",
        "{y} does not stand on {x} but under it",
        "{x} is carried by {y}",
        "{y} bears the weight of {x}",
        "{x} weighs on {y}",
        "{y} is somewhere under {x}",
        "{x} is somewhere above {y}",
    )
)
_FALLS = re.compile(
    "the (?P<one>[a-z]+) (?P<falls>falls|does not fall|loses its footing|keeps its footing) "
    "when the (?P<gone>[a-z]+) (?:leaves the tower|runs away|vanishes)"
)
# A load that is lighter or heavier than what is borne with ease, by so much, is beyond doubt.
_LEAST_STRENGTH, _MOST_STRENGTH = 0.5, 10


def is_true(sentence: str) -> bool:
    """Whether a sentence about animals and loads is true."""
    return decide(sentence, (_tower, _food_chain, _carrying, _eating))


def _eating(body: str) -> bool | None:
    """Whether it is known that one eats another, or that it does not."""
    for pattern, truth in _EATING:
        found = pattern.fullmatch(body)
        if found and {found["x"], found["y"]} <= _foods():
            pair = found["x"], found["y"]
            if pair not in _known_eating():
                raise Undecided(body)
            return _known_eating()[pair] == truth
    return None


@cache
def _foods() -> frozenset[str]:
    """All that eats or is eaten."""
    return frozenset((*table("animals")["meals"], *table("animals")["plants"]))


@cache
def _known_eating() -> dict[Pair, bool]:
    """Each eater with each food, where something is known; the known must agree."""
    known = table("animals")
    eaten = {(eater, food) for eater, foods in known["meals"].items() for food in foods}
    animals, plants = set(known["meals"]), set(known["plants"])
    spared = {
        *((food, eater) for eater, food in eaten),
        *product(plants, animals | plants),
        *product(known["only_plants"], animals),
        *product(known["only_animals"], plants),
    }
    assert not eaten & spared, eaten & spared
    return dict.fromkeys(eaten, True) | dict.fromkeys(spared, False)


def _food_chain(body: str) -> bool | None:
    """Whether the chain, through the others in whatever order, runs down or up."""
    for pattern in _CHAIN:
        found = pattern.fullmatch(body)
        if not found:
            continue
        between = clauses(found["by"])
        if not {found["x"], found["y"], *between} <= _foods():
            continue
        ends = found["x"], found["y"]
        runs_down, runs_up = (
            any(_all_eat((top, *order, bottom)) for order in permutations(between))
            for top, bottom in (ends, ends[::-1])
        )
        if runs_down == runs_up:
            raise Undecided(body)
        return runs_down
    return None


def _all_eat(chain: tuple[str, ...]) -> bool:
    return all(_known_eating().get(pair, False) for pair in pairwise(chain))


def _carrying(body: str) -> bool | None:
    """Whether one bears the weight of another, be it as weak or as strong as it may."""
    things = table("animals")["things"]
    for pattern, truth in _CARRYING:
        found = pattern.fullmatch(body)
        if not found or not {found["x"], found["y"]} <= set(things):
            continue
        carrier, load = things[found["x"]], things[found["y"]]
        if "carries" not in carrier:
            raise Undecided(body)
        strengths = [carrier["carries"] * factor for factor in (_LEAST_STRENGTH, _MOST_STRENGTH)]
        # At the very limit it is clear as well.
        bears = in_all_or_none(
            (load["weight"] <= strengths[0], load["weight"] < strengths[1]), body
        )
        # Where there is strength enough, there may be no room.
        has_room = found["y"] in carrier.get("loads", things) and not load.get("is_bulky")
        if bears and not has_room:
            raise Undecided(body)
        return bears == truth
    return None


def _tower(body: str) -> bool | None:
    """Whether it holds in all stacks in which one is above the other as told."""
    if told := re.fullmatch("in a tower of animals in which (?P<given>.+), (?P<end>.+)", body):
        given, end = clauses(told["given"]), told["end"]
    elif parts := follows(body):
        given, end = parts
    else:
        return None
    premises = [_stacked(clause) for clause in given]
    above = [one for one in premises if one]
    if len(above) < len(premises):
        return None
    if falls := _FALLS.fullmatch(end):
        # Who stands above the one that goes has nothing left to stand on.
        left = Compared(falls["one"], falls["gone"], 1)
        said = falls["falls"] in ("falls", "loses its footing")
        return holds_in_all_orders(above, left, with_ties=False) == said
    asked = _stacked(end)
    return holds_in_all_orders(above, asked, with_ties=False) if asked else None


@cache
def _stacked(clause: str) -> Compared | None:
    """Which one is above which."""
    for pattern in _TOWER:
        found = pattern.fullmatch(clause)
        if found and {found["x"], found["y"]} <= set(table("animals")["tower"]):
            return Compared(found["x"], found["y"], 1)
    return None
