"""Parts and wholes: what a finger is part of, and where a cog is whose pump is in the barn."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random

from horsesense.generation.rule import Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.telling import conditional, tell_links
from horsesense.generation.theories.nesting import Links, Telling, climb, prove_within
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.words import joined, people, table, with_article


@cache
def part_links() -> Links:
    """The table as links between nouns with their articles, the part first.

    >>> ("a toe", "a foot") in part_links()
    True
    """
    return Links((with_article(part), with_article(whole)) for part, whole in _links())


@cache
def all_ways(steps: int) -> list[list[str]]:
    """All paths of `steps` steps from a part to a whole.

    >>> ["toe", "foot", "leg"] in all_ways(2)
    True
    """
    tops = [climb(part, _links()) for part, _ in _links()]
    return [way[: steps + 1] for way in tops if len(way) > steps]


@cache
def plain_ways(steps: int) -> list[list[str]]:
    """The ways from parts whose words name a part of one sort of thing only.

    >>> ["thumb", "hand"] in plain_ways(1), ["finger", "hand"] in plain_ways(1)
    (True, False)
    """
    return [way for way in all_ways(steps) if way[0] not in table("parts")["loose"]]


def strange_ways(whole: str, steps: int) -> list[list[str]]:
    """The ways of so many steps from parts that have no place in the domain of a whole.

    >>> [["thumb", "hand"] in strange_ways(whole, 1) for whole in ("foot", "bicycle")]
    [False, True]
    """
    return _outside(_domain(whole), steps)


@cache
def _links() -> Links:
    wholes = table("parts")["wholes"].items()
    return Links((part, whole) for whole, parts in wholes for part in parts)


@cache
def _outside(domain: int, steps: int) -> list[list[str]]:
    return [way for way in plain_ways(steps) if _domain(way[-1]) != domain]


@cache
def _domain(whole: str) -> int:
    """The number of the domain that a whole belongs to."""
    top = climb(whole, _links())[-1]
    return next(at for at, tops in enumerate(table("parts")["domains"]) if top in tops)


AREA = "parts"
PART = Telling(
    plain="{low} is part of {high}",
    turned="{high} includes {low}",
    denied="{high} is not complete without {low}",
    refuted="{low} is not part of {high}",
)
PLACED = Telling(
    plain="{low} is in {high}",
    turned="{high} houses {low}",
    denied="{low} is nowhere but in {high}",
    refuted="{low} is not in {high}",
)
HEAVIER = "a whole weighs more than a part of it"
# The first answer says that the first is part of the second, or what follows from it.
ASSEMBLED = (
    ("is part of", "includes"),
    ("belongs to", "has among its parts"),
    ("is lighter than", "is heavier than"),
)
BY_WEIGHT = ASSEMBLED[2]
FOUND = ("{{}} is in <>", "{who} will find {{}} in <>")
REMOVED = (
    ("{who} takes away {{}} and leaves the rest where it was", ("gone", "still there")),
    ("{who} sells {{}} and keeps the rest", ("sold", "kept")),
)
# Frame, answers, and whether the whole comes first.
RELATED = (
    ("{} <> {}", ("is part of", "is not part of"), False),
    ("{} <> {}", ("is part of", "includes"), False),
    ("{} <> {}", ("belongs to", "has among its parts"), False),
    ("{} <> {} among its parts", ("has", "does not have"), True),
)
SORTED = ("{} is part of <>", "one of the parts of <> is {}", "{} belongs to <>")
TESTED = (
    ("{{}} <> part of {whole}", ("is", "is not")),
    ("{whole} <> {{}} among its parts", ("has", "does not have")),
)


def assemble(rng: Random, difficulty: Difficulty) -> Draft:
    """If the cog is part of the crank and the crank is part of the pump, so is the cog."""
    things = _assembly(rng, difficulty.chain, 1)[0]
    links = list(pairwise(things))
    premises = tell_links(links, PART, difficulty.places(rng))
    rng.shuffle(premises)
    answers = rng.choice(ASSEMBLED)
    ends = things[0], things[-1]

    def prove(key: int, answer: int) -> Proof:
        low, high = (ends[key], ends[1 - key])[:: -1 if answer else 1]
        if answers != BY_WEIGHT:
            return prove_within(low, high, links, PART)
        heavier_first = [(upper, lower) for lower, upper in links]
        proof = prove_greater(high, low, heavier_first, lambda a, b: PART.yes((b, a)))
        return Proof(proof.holds, (*proof.steps, HEAVIER))

    frame = conditional(rng, premises, "{} <> {}")
    return Draft(frame, ends, answers, square(prove))


def place_part(rng: Random, difficulty: Difficulty) -> Draft:
    """If the cog is part of the pump and the pump is in the barn, the cog is in the barn."""
    arms = _assembly(rng, difficulty.chain - 1, 2)
    rooms = tuple(f"the {room}" for room in rng.sample(table(AREA)["stories"]["rooms"], 2))
    links = [list(pairwise(arm)) for arm in arms]
    placed = [(arm[-1], room) for arm, room in zip(arms, rooms, strict=True)]
    turned, denied = difficulty.places(rng)
    premises: list[str] = []
    for arm, place in zip(links, placed, strict=True):
        clauses = tell_links([*arm, place], PART, (turned, denied))
        last = tell_links([place] * difficulty.chain, PLACED, (turned, denied))[-1]
        premises += [*clauses[:-1], last]
    rng.shuffle(premises)
    keys = arms[0][0], arms[1][0]

    def prove(key: int, answer: int) -> Proof:
        part = prove_within(keys[key], arms[key][-1], links[key], PART)
        place = prove_within(arms[key][-1], rooms[answer], placed, PLACED)
        return Proof(part.holds and place.holds, (*part.steps, *place.steps))

    claim = rng.choice(FOUND).format(who=people(rng, 1)[0])
    frame = conditional(rng, premises, claim)
    return Draft(frame, keys, (rooms[0], rooms[1]), square(prove))


def remove_part(rng: Random, difficulty: Difficulty) -> Draft:
    """Whoever takes away the pump takes its cog as well; whoever takes the cog leaves the pump."""
    things = _assembly(rng, difficulty.chain, 1)[0]
    links = list(pairwise(things))
    premises = tell_links(links, PART, difficulty.places(rng))
    rng.shuffle(premises)
    middle = rng.choice(things[1:-1])
    act, answers = rng.choice(REMOVED)
    keys = things[-1], things[0]

    def prove(key: int, answer: int) -> Proof:
        proof = prove_within(middle, keys[key], links, PART)
        return proof.denied() if answer else proof

    act = act.format(who=people(rng, 1)[0])
    return Draft(
        f"if {joined([*premises, act])}, then {middle} is <>", keys, answers, square(prove)
    )


def relate_parts(rng: Random, difficulty: Difficulty) -> Draft:
    """A finger is part of a hand, and a hand is not part of a finger."""
    way = rng.choice(all_ways(difficulty.chain))
    ends = with_article(way[0]), with_article(way[-1])
    frame, answers, whole_first = rng.choice(RELATED)
    says_converse = answers[1] in ("includes", "has among its parts")

    def prove(key: int, answer: int) -> Proof:
        low, high = (ends[key], ends[1 - key])[:: -1 if whole_first else 1]
        if says_converse and answer:
            low, high = high, low
        proof = prove_within(low, high, part_links(), PART)
        return proof.denied() if answer and not says_converse else proof

    return Draft(frame, ends, answers, square(prove))


def sort_parts(rng: Random, difficulty: Difficulty) -> Draft:
    """{A toe, a spoke} is part of <a foot, a bicycle wheel>."""
    way = rng.choice(plain_ways(difficulty.chain))
    ways = way, rng.choice(strange_ways(way[-1], difficulty.chain))
    keys = with_article(ways[0][0]), with_article(ways[1][0])
    wholes = with_article(ways[0][-1]), with_article(ways[1][-1])

    def prove(key: int, answer: int) -> Proof:
        return prove_within(keys[key], wholes[answer], part_links(), PART)

    return Draft(rng.choice(SORTED), keys, wholes, square(prove))


def judge_parts(rng: Random, difficulty: Difficulty) -> Draft:
    """{A toe, a spoke} <is, is not> part of a foot."""
    way = rng.choice(all_ways(difficulty.chain))
    strange = rng.choice(strange_ways(way[-1], difficulty.chain))
    keys = with_article(way[0]), with_article(strange[0])
    whole = with_article(way[-1])
    frame, answers = rng.choice(TESTED)

    def prove(key: int, answer: int) -> Proof:
        proof = prove_within(keys[key], whole, part_links(), PART)
        return proof.denied() if answer else proof

    return Draft(frame.format(whole=whole), keys, answers, square(prove))


def _assembly(rng: Random, steps: int, count: int) -> list[list[str]]:
    """Draw machines, each as a chain of parts that shares no piece with the others."""
    stories = table(AREA)["stories"]
    pieces = rng.sample(stories["pieces"], steps * count)
    tops = rng.sample(stories["machines"], count)
    return [
        [f"the {thing}" for thing in (*pieces[at * steps : (at + 1) * steps], top)]
        for at, top in enumerate(tops)
    ]


RULES = (
    Rule(
        "assemble",
        AREA,
        "which piece is part of which",
        assemble,
        chain=range(2, 6),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "place-part",
        AREA,
        "where a part is, by the place of its whole",
        place_part,
        chain=range(2, 5),
        converses=range(3),
        negations=range(2),
        is_open=True,
    ),
    Rule(
        "remove-part",
        AREA,
        "what goes when a whole or a part goes",
        remove_part,
        chain=range(2, 6),
        converses=range(3),
        negations=range(2),
        is_open=True,
    ),
    Rule("relate-parts", AREA, "what is part of what", relate_parts, chain=range(1, 6)),
    Rule("sort-parts", AREA, "what a part belongs to", sort_parts, chain=range(1, 5)),
    Rule("judge-parts", AREA, "whether a part belongs to a whole", judge_parts, chain=range(1, 5)),
)
