"""Animals and loads: who eats whom, and what can carry what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random

from horsesense.errors import GenerationError
from horsesense.generation.rule import KEY, Difficulty, Draft, Proof, Rule, square
from horsesense.generation.theories.order import paths, prove_greater
from horsesense.generation.words import joined, table, with_article


@dataclass(frozen=True, slots=True)
class FoodWeb:
    """A food web: meals, plants, and animals that eat only plants or only animals."""

    meals: Mapping[str, tuple[str, ...]]
    plants: frozenset[str]
    only_plants: frozenset[str]
    only_animals: frozenset[str]

    def eats(self, eater: str, food: str) -> bool:
        """Return whether it is known that the one eats the other."""
        return food in self.meals.get(eater, ())


def prove_eats(eater: str, food: str, web: FoodWeb) -> Proof:
    """Return whether one eats the other; an error if neither meals nor diets say so.

    >>> web = FoodWeb({"owls": ("mice",)}, frozenset(["nuts"]), frozenset(), frozenset(["owls"]))
    >>> prove_eats("owls", "nuts", web)
    Proof(holds=False, steps=('owls eat animals only', 'nuts are no animals'))
    """
    if web.eats(eater, food):
        return Proof(True, (f"{eater} eat {food}",))
    if web.eats(food, eater):
        return Proof(False, (f"{food} eat {eater}", "the eaten do not eat their eaters"))
    if eater in web.only_plants and food not in web.plants:
        return Proof(False, (f"{eater} eat plants only", f"{food} are no plants"))
    if eater in web.only_animals and food in web.plants:
        return Proof(False, (f"{eater} eat animals only", f"{food} are no animals"))
    raise GenerationError(f"nothing tells whether {eater} eat {food}")


def is_known(eater: str, food: str, web: FoodWeb) -> bool:
    """Return whether the web tells if one eats the other."""
    try:
        prove_eats(eater, food, web)
    except GenerationError:
        return False
    return True


# A load is bearable up to this part of what the carrier can bear, and nobody doubts it …
BEARABLE = 0.5
# … and unbearable from so many times of it on.
UNBEARABLE = 10
# A ship can carry a button, and an ant no ship, but nobody would put it so.
WORTH_SAYING = 100_000
_UNITS = ((1_000_000, "tonne"), (1_000, "kilogram"), (1, "gram"), (0.001, "milligram"))


@dataclass(frozen=True, slots=True)
class Thing:
    """The weight of a thing and the load it bears easily, in grams; 0 if it bears none.

    What is bulky may be no load even where it is light enough.
    """

    weight: float
    carries: float = 0
    is_bulky: bool = False


def prove_can_carry(carrier: str, load: str, things: Mapping[str, Thing]) -> Proof:
    """Return whether the one can carry the other; an error where the weights are too near.

    >>> things = {"cat": Thing(4_000, 500), "cow": Thing(600_000), "egg": Thing(60)}
    >>> prove_can_carry("cat", "cow", things).text
    'a cat can bear about 500 grams; a cow weighs about 600 kilograms'
    """
    bearable, weight = things[carrier].carries, things[load].weight
    if bearable * BEARABLE < weight < bearable * UNBEARABLE or not bearable:
        raise GenerationError(f"nothing tells whether {carrier!r} can carry {load!r}")
    steps = (
        f"{with_article(carrier)} can bear about {amount(bearable)}",
        f"{with_article(load)} weighs about {amount(weight)}",
    )
    return Proof(weight < bearable, steps)


def can_carry(carrier: str, load: str, things: Mapping[str, Thing]) -> bool:
    """Return whether the one can surely carry the other, and it is worth saying."""
    bearable, weight = things[carrier].carries, things[load].weight
    is_bearable = weight <= bearable * BEARABLE and bearable <= weight * WORTH_SAYING
    return carrier != load and is_bearable and not things[load].is_bulky


def cannot_carry(carrier: str, load: str, things: Mapping[str, Thing]) -> bool:
    """Return whether the one is surely too weak for the other, and it is worth saying."""
    bearable, weight = things[carrier].carries, things[load].weight
    return bearable * UNBEARABLE <= weight <= bearable * WORTH_SAYING


def amount(grams: float) -> str:
    """A weight in the unit that suits it.

    >>> amount(0.005), amount(500), amount(60_000), amount(1_000_000)
    ('5 milligrams', '500 grams', '60 kilograms', '1 tonne')
    """
    size, unit = next(row for row in _UNITS if grams >= row[0])
    return f"{grams / size:g} {unit}{'' if grams == size else 's'}"


AREA = "animals"

EATING = (
    ("eat", "are eaten by"),
    ("feed on", "are food for"),
    ("make a meal of", "make a meal for"),
)
# By the eater; {food} is what it eats or does not eat.
BY_EATER = (
    ("{} <> {food}", ("eat", "do not eat")),
    ("{food} <> eaten by {}", ("are", "are not")),
    ("{food} are <> for hungry {}", ("a good meal", "no proper meal")),
)
BY_FOOD = (
    ("{eater} <> {}", ("eat", "do not eat")),
    ("{} are <> for hungry {eater}", ("a good meal", "no proper meal")),
)
FOOD_CHAIN = (
    ("in the food chain that runs through {between}, {} are <> {}", ("above", "below")),
    ("in the food chain by way of {between}, {} are nearer the <> than {}", ("top", "bottom")),
    ("by way of {between}, {} <> {}", ("feed on", "feed")),
)
CAN_CARRY = (
    ("{carrier} <> carry {load}", ("can", "cannot")),
    ("{carrier} is <> to carry {load}", ("strong enough", "far too weak")),
    ("{load} is <> for {carrier} to carry", ("light enough", "far too heavy")),
)
CARRYING = (
    ("{} can <> {}", ("carry", "be carried by")),
    ("{} is <> {}", ("able to carry", "light enough to be carried by")),
)


def eat_or_be_eaten(rng: Random, difficulty: Difficulty) -> Draft:
    """Owls eat mice; mice are eaten by owls."""
    web = _web()
    pair = rng.choice(_chains(difficulty.chain))
    answers = rng.choice(EATING)

    def prove(key: int, answer: int) -> Proof:
        eater, food = (pair[key], pair[1 - key])[:: -1 if answer else 1]
        return prove_eats(eater, food, web)

    return Draft("{} <> {}", (pair[0], pair[1]), answers, square(prove))


def what_eats_what(rng: Random, difficulty: Difficulty) -> Draft:
    """Owls eat mice, cows do not; owls do not eat acorns."""
    web = _web()
    eater, food = rng.choice(_chains(difficulty.chain))
    strange_foods = [
        eaten
        for eaten in [*web.meals, *sorted(web.plants)]
        if eaten != eater and not web.eats(eater, eaten) and is_known(eater, eaten, web)
    ]
    if rng.random() < 0.5 and strange_foods:
        keys = food, rng.choice(strange_foods)
        pairs = [(eater, key) for key in keys]
        frame, answers = rng.choice(BY_FOOD)
    else:
        others = [
            meal
            for meal in web.meals
            if meal != food and not web.eats(meal, food) and is_known(meal, food, web)
        ]
        keys = eater, rng.choice(others)
        pairs = [(key, food) for key in keys]
        frame, answers = rng.choice(BY_EATER)

    def prove(key: int, answer: int) -> Proof:
        eats = prove_eats(*pairs[key], web)
        return eats.denied() if answer else eats

    frame = frame.replace("{food}", food).replace("{eater}", eater)
    return Draft(frame, keys, answers, square(prove))


def food_chain(rng: Random, difficulty: Difficulty) -> Draft:
    """By way of mice, owls feed on seeds."""
    chain = rng.choice(_chains(difficulty.chain))
    ends = chain[0], chain[-1]
    frame, answers = rng.choice(FOOD_CHAIN)

    def prove(key: int, answer: int) -> Proof:
        upper, lower = (ends[key], ends[1 - key])[:: -1 if answer else 1]
        return prove_greater(upper, lower, pairwise(chain), lambda a, b: f"{a} eat {b}")

    frame = frame.replace("{between}", joined(list(chain[1:-1])))
    return Draft(frame, ends, answers, square(prove))


def what_can_carry(rng: Random, difficulty: Difficulty) -> Draft:
    """A lorry can carry a cow, a wheelbarrow cannot; a wheelbarrow can carry a goose."""
    things = _things()
    carrier, load = rng.choice(_bearable())
    weak = [thing for thing in things if cannot_carry(thing, load, things) and thing != load]
    heavy = [thing for thing in things if cannot_carry(carrier, thing, things) and thing != carrier]
    frame, answers = rng.choice(CAN_CARRY)
    if weak and (not heavy or rng.random() < 0.5):
        pairs = [(carrier, load), (rng.choice(weak), load)]
        frame = frame.replace("{load}", with_article(load)).replace("{carrier}", KEY)
        keys = with_article(carrier), with_article(pairs[1][0])
    else:
        pairs = [(carrier, load), (carrier, rng.choice(heavy))]
        frame = frame.replace("{carrier}", with_article(carrier)).replace("{load}", KEY)
        keys = with_article(load), with_article(pairs[1][1])

    def prove(key: int, answer: int) -> Proof:
        carries = prove_can_carry(*pairs[key], things)
        return carries.denied() if answer else carries

    return Draft(frame, keys, answers, square(prove))


def carry_or_be_carried(rng: Random, difficulty: Difficulty) -> Draft:
    """A horse can carry a cat; a cat can be carried by a horse."""
    things = _things()
    pair = rng.choice([pair for pair in _bearable() if cannot_carry(*pair[::-1], things)])
    frame, answers = rng.choice(CARRYING)

    def prove(key: int, answer: int) -> Proof:
        carrier, load = (pair[key], pair[1 - key])[:: -1 if answer else 1]
        return prove_can_carry(carrier, load, things)

    return Draft(frame, (with_article(pair[0]), with_article(pair[1])), answers, square(prove))


@cache
def _web() -> FoodWeb:
    known = table("animals")
    meals = {eater: tuple(foods) for eater, foods in known["meals"].items()}
    only = (frozenset(known[part]) for part in ("plants", "only_plants", "only_animals"))
    return FoodWeb(meals, *only)


@cache
def _chains(links: int) -> list[tuple[str, ...]]:
    return paths(_web().meals, links)


@cache
def _things() -> dict[str, Thing]:
    things = {}
    for name, row in table("animals")["things"].items():
        things[name] = Thing(**{part: value for part, value in row.items() if part != "loads"})
    return things


@cache
def _bearable() -> list[tuple[str, str]]:
    """Each carrier with what it can carry: the loads listed for it, or else all that it bears."""
    things = _things()
    return [
        (carrier, load)
        for carrier, row in table("animals")["things"].items()
        for load in row.get("loads", things)
        if can_carry(carrier, load, things)
    ]


RULES = (
    Rule("eat-or-be-eaten", AREA, "who eats whom", eat_or_be_eaten),
    Rule("what-eats-what", AREA, "what eats what, and what it leaves alone", what_eats_what),
    Rule("food-chain", AREA, "who lives on whom through others", food_chain, chain=range(2, 4)),
    Rule("what-can-carry", AREA, "what is strong enough to carry what", what_can_carry),
    Rule("carry-or-be-carried", AREA, "what can carry what", carry_or_be_carried),
)
