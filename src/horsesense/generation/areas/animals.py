"""Animals and loads: who eats whom, and what can carry what."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random

from horsesense.generation.draft import KEY, Draft, square
from horsesense.generation.proof import Proof
from horsesense.generation.rule import Difficulty, Rule
from horsesense.generation.theories.food import FoodWeb, is_known, prove_eats
from horsesense.generation.theories.loads import Thing, can_carry, cannot_carry, prove_can_carry
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.theories.paths import paths
from horsesense.generation.words import joined, table, with_article

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
        one
        for one in [*web.meals, *sorted(web.plants)]
        if one != eater and not web.eats(eater, one) and is_known(eater, one, web)
    ]
    if rng.random() < 0.5 and strange_foods:
        keys = food, rng.choice(strange_foods)
        pairs = [(eater, key) for key in keys]
        frame, answers = rng.choice(BY_FOOD)
    else:
        others = [
            one
            for one in web.meals
            if one != food and not web.eats(one, food) and is_known(one, food, web)
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
    weak = [one for one in things if cannot_carry(one, load, things) and one != load]
    heavy = [one for one in things if cannot_carry(carrier, one, things) and one != carrier]
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
