"""Space: rows, stacks and queues, what is above what, north and south, turns, left and right."""

from __future__ import annotations

from random import Random

from horsesense.generation.rule import KEY, Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.known_things import (
    all_series,
    exchange_around,
    exchange_limits,
    exchange_members,
    exchange_neighbours,
    exchange_things,
    topics,
)
from horsesense.generation.stories.telling import Relation, ask_at_end, ask_with_ends_exchanged
from horsesense.generation.theories.arithmetic import (
    POINTS,
    TURNS,
    opposite,
    prove_facing,
    prove_side,
)
from horsesense.generation.words import joined, people, table

AREA = "space"
LONGEST = 5
SIDES = ("left", "right")
TURNED = (
    "if {start} and {name} {turns}, then {name} {verb} <> in the end",
    "{name} {verb} <> in the end if {start} and {name} {turns}",
)
FACING = (
    "if {a} and {b} {sit} face to face and {thing} is on {a}'s {key}, then {thing} is on {b}'s <>",
    "{thing} is on {b}'s <> if {a} and {b} {sit} face to face and {thing} is on {a}'s {key}",
    "when {a} and {b} {sit} face to face, {thing} is on {b}'s <> if it is on {a}'s {key}",
)


def order_places(rng: Random, difficulty: Difficulty) -> Draft:
    """In a row of boxes, the red box is to the left of the blue one, and so on."""
    setting = rng.choice(table("space")["settings"])
    named = _placed(rng, setting, difficulty.chain + 1)
    return ask_at_end(rng, named, _relation(setting), difficulty)


def exchange_places(rng: Random, difficulty: Difficulty) -> Draft:
    """The same, but the outermost two change places in the premises."""
    setting = rng.choice(table("space")["settings"])
    named = _placed(rng, setting, difficulty.chain + 1)
    return ask_with_ends_exchanged(rng, named, _relation(setting), difficulty)


def exchange_levels(rng: Random, difficulty: Difficulty) -> Draft:
    """In a house, the cellar is below the attic."""
    return exchange_members(rng, all_series("space"), difficulty.chain)


def place_levels(rng: Random, difficulty: Difficulty) -> Draft:
    """In a house, the cellar is below the kitchen, and the attic above it."""
    return exchange_neighbours(rng, all_series("space"), difficulty.chain)


def exchange_cities(rng: Random, difficulty: Difficulty) -> Draft:
    """Oslo lies further north than Cairo."""
    return exchange_things(rng, rng.choice(topics("space")))


def place_cities(rng: Random, difficulty: Difficulty) -> Draft:
    """Anything further north than Oslo lies further north than Cairo."""
    make = exchange_limits if difficulty.chain > 1 else exchange_around
    return make(rng, rng.choice(topics("space")))


def turn_about(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada faces north and turns left, then Ada faces west."""
    (name,) = people(rng, 1)
    start, at = rng.choice(POINTS), rng.randrange(difficulty.chain)
    turns = [rng.choice(list(TURNS)) for _ in range(difficulty.chain)]
    # Told from the other side: what is behind instead of what is ahead.
    is_behind = difficulty.converses > 0
    verb = "faces" if is_behind else rng.choice(table("space")["ways"])
    first = f"the {opposite(start)} is behind {name}" if is_behind else f"{name} {verb} {start}"
    clauses = [f"turns {turn}" for turn in turns]
    clauses[at] = f"turns {KEY}"

    ends = _ends(start, turns, at)

    def prove(key: int, answer: int) -> Proof:
        return prove_facing(start, _turned(turns, at, SIDES[key]), ends[answer])

    frame = rng.choice(TURNED).format(start=first, name=name, turns=joined(clauses), verb=verb)
    return Draft(frame, SIDES, ends, square(prove))


def face_each_other(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada and Bo sit face to face, then what is on Ada's left is on Bo's right."""
    first, second = people(rng, 2)
    frame = rng.choice(FACING).format(
        a=first,
        b=second,
        sit=rng.choice(("sit", "stand")),
        thing=rng.choice(table("space")["seen"]),
        key=KEY,
    )
    return Draft(frame, SIDES, SIDES, square(lambda k, a: prove_side(SIDES[k], SIDES[a])))


def _placed(rng: Random, setting: dict[str, str], count: int) -> list[str]:
    """Draw different things, people or places for the setting."""
    if setting["of"] == "people":
        return people(rng, count)
    if setting["of"] == "villages":
        villages: list[str] = rng.sample(table("space")["villages"], count)
        return villages
    return [
        f"the {colour} {setting['of']}" for colour in rng.sample(table("space")["colours"], count)
    ]


def _relation(setting: dict[str, str]) -> Relation:
    return Relation(
        verb=setting["verb"],
        more=setting["more"],
        less=setting["less"],
        link=setting["link"],
        denial=setting["denial"],
        setting=setting["setting"],
    )


def _turned(turns: list[str], at: int, side: str) -> list[str]:
    return [*turns[:at], side, *turns[at + 1 :]]


def _ends(start: str, turns: list[str], at: int) -> tuple[str, str]:
    """The two points that a turn to the left and one to the right lead to, in compass order."""
    left, right = (
        point
        for side in SIDES
        for point in POINTS
        if prove_facing(start, _turned(turns, at, side), point).holds
    )
    return (left, right) if POINTS.index(left) < POINTS.index(right) else (right, left)


RULES = (
    Rule(
        "order-places",
        AREA,
        "left and right, above and below, in front and behind, north and south of each other",
        order_places,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "exchange-places",
        AREA,
        "where things are when two of them change places in the premises",
        exchange_places,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "exchange-levels",
        AREA,
        "which of two parts of a house, a tree, a body is above the other",
        exchange_levels,
        chain=range(1, 5),
    ),
    Rule(
        "place-levels",
        AREA,
        "what is above and below a part of a house, a tree, a body",
        place_levels,
        chain=range(1, 4),
    ),
    Rule("exchange-cities", AREA, "which of two cities lies further north", exchange_cities),
    Rule(
        "place-cities",
        AREA,
        "what lies further north or south than a city",
        place_cities,
        chain=range(1, 3),
    ),
    Rule(
        "turn-about",
        AREA,
        "where someone faces after some turns",
        turn_about,
        chain=range(1, LONGEST + 1),
        converses=range(2),
        is_open=True,
    ),
    Rule(
        "face-each-other",
        AREA,
        "left and right of two people who face each other",
        face_each_other,
        is_open=True,
    ),
)
