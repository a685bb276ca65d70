"""Containment: boxes inside boxes, and which known thing fits into which."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from horsesense.generation.rule import Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.telling import conditional, tell_links
from horsesense.generation.theories.nesting import Telling, prove_within
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.words import joined, people, table, with_article

AREA = "containment"
BOXED = Telling(
    plain="{low} is inside {high}",
    turned="{high} contains {low}",
    denied="{low} is not outside {high}",
    refuted="{low} is not inside {high}",
)
FITTING = Telling(
    plain="{low} is several times smaller than {high}",
    turned="",
    denied="",
    refuted="{low} would not fit into {high}",
)
SMALLER = "what is inside a container is smaller than it"
# The first answer says that the first thing is inside the second, or what follows from it.
NESTED = (
    ("is inside", "contains"),
    ("is smaller than", "is larger than"),
    ("has less room than", "has more room than"),
    ("lies in", "holds"),
)
BY_PLACE = 0, 3
CARRIED = (
    "{who} carries off {{}} with its contents and nothing else",
    "{who} takes only {{}} and what is in it away",
)
FOUND = ("then the {thing} is in <>", "then {who} will find the {thing} in <>")
# Frame, answers, and whether the holder comes first.
FITS = (
    ("{} <> into {}", ("would fit", "would not fit"), False),
    ("{} is <> to fit into {}", ("small enough", "too large"), False),
    ("there is <> in {} for {}", ("room", "no room"), True),
    ("{} <> hold {}", ("could", "could not"), True),
)
# Frame with one thing given, answers, and whether the given thing is the holder.
MEASURED = (
    ("{{}} <> into {given}", ("would fit", "would not fit"), True),
    ("{given} <> hold {{}}", ("could", "could not"), True),
    ("in {given} there is <> for {{}}", ("room", "no room"), True),
    ("{{}} is <> for {given} to go in", ("large enough", "too small"), False),
    ("{given} would <> go into {{}}", ("easily", "never"), False),
)


def nest_boxes(rng: Random, difficulty: Difficulty) -> Draft:
    """If the red box is inside the tin and the tin is inside the crate, the red box is in it."""
    things = _containers(rng, difficulty.chain + 1)
    links = list(pairwise(things))
    premises = tell_links(links, BOXED, difficulty.places(rng))
    rng.shuffle(premises)
    at = rng.randrange(len(NESTED))
    ends = things[0], things[-1]

    def prove(key: int, answer: int) -> Proof:
        low, high = (ends[key], ends[1 - key])[:: -1 if answer else 1]
        if at in BY_PLACE:
            return prove_within(low, high, links, BOXED)
        larger_first = [(upper, lower) for lower, upper in links]
        proof = prove_greater(high, low, larger_first, lambda a, b: BOXED.yes((b, a)))
        return Proof(proof.holds, (*proof.steps, SMALLER))

    frame = conditional(rng, premises, "{} <> {}")
    return Draft(frame, ends, NESTED[at], square(prove))


def carry_off(rng: Random, difficulty: Difficulty) -> Draft:
    """Whoever carries off a box takes what is in it, and leaves what it was in."""
    things = _containers(rng, difficulty.chain + 1)
    links = list(pairwise(things))
    premises = tell_links(links, BOXED, difficulty.places(rng))
    rng.shuffle(premises)
    middle = rng.choice(things[1:-1])
    keys = things[-1], things[0]

    def prove(key: int, answer: int) -> Proof:
        proof = prove_within(middle, keys[key], links, BOXED)
        return proof.denied() if answer else proof

    act = rng.choice(CARRIED).format(who=people(rng, 1)[0])
    frame = f"if {joined([*premises, act])}, then {middle} is <>"
    return Draft(frame, keys, ("taken along", "left behind"), square(prove))


def find_thing(rng: Random, difficulty: Difficulty) -> Draft:
    """If the ring is in the red box and the red box is in the garage, the ring is there too."""
    each = difficulty.chain - 1
    boxes = _containers(rng, 2 * each)
    arms = boxes[:each], boxes[each:]
    room, other = rng.sample(table(AREA)["rooms"], 2)
    rooms = f"the {room}", f"the {other}"
    thing = rng.choice(table(AREA)["keepsakes"])
    places = difficulty.places(rng)
    keys = arms[0][0], arms[1][0]
    links = [list(pairwise([*arm, room])) for arm, room in zip(arms, rooms, strict=True)]
    clauses = [tell_links([(f"the {thing}", "{}"), *arm], BOXED, places) for arm in links]
    premises = [*clauses[0][1:], *clauses[1][1:]]
    rng.shuffle(premises)

    def prove(key: int, answer: int) -> Proof:
        known = [(f"the {thing}", keys[key]), *links[0], *links[1]]
        return prove_within(f"the {thing}", rooms[answer], known, BOXED)

    claim = rng.choice(FOUND).format(thing=thing, who=people(rng, 1)[0])
    return Draft(f"if {joined([clauses[0][0], *premises])}, {claim}", keys, rooms, square(prove))


def fit_things(rng: Random, difficulty: Difficulty) -> Draft:
    """A mug would fit into a suitcase, and a suitcase not into a mug."""
    things = _ladder(rng, difficulty.chain)
    links = list(pairwise(things))
    ends = things[0], things[-1]
    frame, answers, holder_first = rng.choice(FITS)

    def prove(key: int, answer: int) -> Proof:
        low, high = (ends[key], ends[1 - key])[:: -1 if holder_first else 1]
        proof = prove_within(low, high, links, FITTING)
        return proof.denied() if answer else proof

    return Draft(frame, ends, answers, square(prove))


def measure_things(rng: Random, difficulty: Difficulty) -> Draft:
    """A suitcase could hold an apple, and could not hold a piano."""
    frame, answers, is_holder = rng.choice(MEASURED)
    levels = table(AREA)["levels"]
    steps = difficulty.chain
    # Nothing of the lowest level is hollow.
    at = rng.randrange(steps if is_holder else steps + 1, len(levels) - steps)
    chosen = [with_article(rng.choice(level["holders"] or level["things"])) for level in levels]
    if not is_holder:
        chosen[at] = with_article(_any(rng, at))
    for end in (at - steps, at + steps) if is_holder else ():
        chosen[end] = with_article(_any(rng, end))
    links = list(pairwise(chosen[at - steps : at + steps + 1]))
    keys = chosen[at - steps], chosen[at + steps]

    def prove(key: int, answer: int) -> Proof:
        low, high = (keys[key], chosen[at]) if is_holder else (chosen[at], keys[key])
        proof = prove_within(low, high, links, FITTING)
        return proof.denied() if answer else proof

    return Draft(frame.format(given=chosen[at]), keys, answers, square(prove))


def _containers(rng: Random, count: int) -> list[str]:
    """Draw `count` containers of different colours, not all of one sort."""
    colours = rng.sample(table(AREA)["colours"], count)
    return [f"the {colour} {rng.choice(table(AREA)['containers'])}" for colour in colours]


def _ladder(rng: Random, steps: int) -> list[str]:
    """A thing and a chain of holders, each of which would hold the one before."""
    levels = table(AREA)["levels"]
    start = rng.randrange(len(levels) - steps)
    above = levels[start + 1 : start + steps + 1]
    way = [_any(rng, start), *(rng.choice(level["holders"]) for level in above)]
    return [with_article(thing) for thing in way]


def _any(rng: Random, level: int) -> str:
    """Anything of a level, hollow or not."""
    listed = table(AREA)["levels"][level]
    chosen: str = rng.choice([*listed["things"], *listed["holders"]])
    return chosen


RULES = (
    Rule(
        "nest-boxes",
        AREA,
        "which box is inside which",
        nest_boxes,
        chain=range(2, 6),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "carry-off",
        AREA,
        "what goes along with the box it is in",
        carry_off,
        chain=range(2, 6),
        converses=range(3),
        negations=range(2),
        is_open=True,
    ),
    Rule(
        "find-thing",
        AREA,
        "in which room something is, by the box it is in",
        find_thing,
        chain=range(2, 5),
        converses=range(3),
        negations=range(2),
        is_open=True,
    ),
    Rule("fit-things", AREA, "what would fit into what", fit_things, chain=range(1, 6)),
    Rule("measure-things", AREA, "what is too large for what", measure_things, chain=range(1, 3)),
)
