"""Time: who came before whom, what comes after what, how long things last, what the clock says."""

from __future__ import annotations

from random import Random

from horsesense.generation.rule import KEY, Difficulty, Draft, Rule, square
from horsesense.generation.stories.accounts import tipping
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
from horsesense.generation.theories.arithmetic import Amount, added, prove_place, shifted
from horsesense.generation.words import first_made, joined, number_word, people, table

AREA = "time"
LONGEST = 5
HOURS = range(1, 12)
# Forwards and backwards; {distance} is «two days».
ON = (
    "{distance} after {key} comes <>",
    "if it is {key} now, then {distance} later it will be <>",
    "counting on {distance} from {key} leads to <>",
)
BACK = (
    "{distance} before {key} comes <>",
    "if it is {key} now, then {distance} earlier it was <>",
    "counting back {distance} from {key} leads to <>",
)
WORKED = (
    "if {name} begins at {key} o'clock and without a break {acts}, then {name} stops <> "
    "{limit} o'clock",
    "{name} stops <> {limit} o'clock if {name} begins at {key} o'clock and without a break {acts}",
)
WORKED_BACK = (
    "if {name} {acts} without a break and is done at {key} o'clock, then {name} began <> "
    "{limit} o'clock",
    "{name} began <> {limit} o'clock if {name} {acts} without a break and is done at {key} o'clock",
)


def order_events(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada arrived before Bo and Bo arrived before Cy, then Ada arrived before Cy."""
    named = people(rng, difficulty.chain + 1)
    return ask_at_end(rng, named, _earlier(rng), difficulty)


def exchange_events(rng: Random, difficulty: Difficulty) -> Draft:
    """The same, but Ada and Cy change places in the premises."""
    named = people(rng, difficulty.chain + 1)
    return ask_with_ends_exchanged(rng, named, _earlier(rng), difficulty)


def order_durations(rng: Random, difficulty: Difficulty) -> Draft:
    """If the song lasted longer than the speech, and so on."""
    relation = Relation("lasted", "longer", "less long", "than", "did not last as long as")
    named: list[str] = rng.sample(table("time")["occasions"], difficulty.chain + 1)
    make = rng.choice((ask_at_end, ask_with_ends_exchanged))
    return make(rng, named, relation, difficulty)


def exchange_stages(rng: Random, difficulty: Difficulty) -> Draft:
    """The dough is kneaded before the bread is baked."""
    return exchange_members(rng, all_series("time"), difficulty.chain)


def place_stages(rng: Random, difficulty: Difficulty) -> Draft:
    """Breakfast comes before lunch, and supper after it."""
    return exchange_neighbours(rng, all_series("time"), difficulty.chain)


def exchange_durations(rng: Random, difficulty: Difficulty) -> Draft:
    """A sneeze lasts less long than a night's sleep."""
    return exchange_things(rng, rng.choice(topics("time")))


def measure_durations(rng: Random, difficulty: Difficulty) -> Draft:
    """Anything that lasts longer than a night's sleep lasts longer than a sneeze."""
    make = exchange_limits if difficulty.chain > 1 else exchange_around
    return make(rng, rng.choice(topics("time")))


def count_on(rng: Random, difficulty: Difficulty) -> Draft:
    """Two days after Monday comes Wednesday; told back, two days before it comes Saturday."""
    cycles = table("time")["cycles"]
    entry = rng.choice([entry for entry in cycles if len(entry["members"]) > difficulty.chain])
    cycle = tuple(entry["members"])
    shift = -difficulty.chain if difficulty.converses else difficulty.chain
    first, second = rng.sample(cycle, 2)
    keys = first, second
    answers = shifted(first, shift, cycle), shifted(second, shift, cycle)
    frame = rng.choice(BACK if difficulty.converses else ON).format(
        distance=_told(difficulty.chain, entry["unit"]), key=KEY
    )
    return Draft(
        frame, keys, answers, square(lambda k, a: prove_place(keys[k], shift, answers[a], cycle))
    )


def work_by_the_clock(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada begins at two o'clock and reads for three hours, then Ada stops before six."""
    return first_made(lambda: _work(rng, difficulty.chain, is_back=bool(difficulty.converses)))


def _earlier(rng: Random) -> Relation:
    """A relation that is greater for whoever was earlier."""
    event = rng.choice(table("time")["events"])
    more, less, link = rng.choice((("before", "after", ""), ("earlier", "later", "than")))
    return Relation(event["past"], more, less, link, f"did not {event['verb']} as early as")


def _told(count: int, unit: str) -> str:
    return f"{number_word(count)} {unit}" + ("" if count == 1 else "s")


def _work(rng: Random, count: int, *, is_back: bool) -> Draft | None:
    """Someone works from one hour to another; the hour that is told is the key."""
    (name,) = people(rng, 1)
    lengths = [rng.randint(1, 3) for _ in range(count)]
    sign = -1 if is_back else 1

    def end(hour: int) -> Amount:
        return added([Amount(hour), *(Amount(sign * length) for length in lengths)])

    # All of it between one and eleven o'clock, so that nobody asks which half of the day it is.
    # The hour that is asked about lies beyond the one that is told, or it would be too easy.
    limit = rng.choice(HOURS)
    choices = [h for h in HOURS if end(h).value in HOURS and sign * h < sign * limit]
    balance = tipping(rng, end, Amount(limit), choices)
    if balance is None:
        return None
    verbs: list[str] = rng.sample(table("time")["acts"], count)
    acts = [
        f"{verb} for {_told(hours, 'hour')}" for verb, hours in zip(verbs, lengths, strict=True)
    ]
    frame = rng.choice(WORKED_BACK if is_back else WORKED).format(
        name=name, key=KEY, acts=joined(acts), limit=number_word(limit)
    )
    return Draft(frame, balance.words, ("before", "after"), square(balance.prove))


RULES = (
    Rule(
        "order-events",
        AREA,
        "who arrived, woke up, set out before whom",
        order_events,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "exchange-events",
        AREA,
        "who was earlier, when two people change places in the premises",
        exchange_events,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "order-durations",
        AREA,
        "which of several occasions lasted longer",
        order_durations,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "exchange-stages",
        AREA,
        "which of two stages of a process comes first",
        exchange_stages,
        chain=range(1, 5),
    ),
    Rule(
        "place-stages",
        AREA,
        "what comes before and after a stage of a process",
        place_stages,
        chain=range(1, 4),
    ),
    Rule(
        "exchange-known-durations",
        AREA,
        "which of two known things lasts longer",
        exchange_durations,
    ),
    Rule(
        "measure-known-durations",
        AREA,
        "what lasts longer than a known thing",
        measure_durations,
        chain=range(1, 3),
    ),
    Rule(
        "count-on",
        AREA,
        "a number of days, months, seasons or hours forward or back",
        count_on,
        chain=range(1, 6),
        converses=range(2),
    ),
    Rule(
        "work-by-the-clock",
        AREA,
        "when someone stops or began, from what was done and for how long",
        work_by_the_clock,
        chain=range(1, 5),
        converses=range(2),
        is_open=True,
    ),
)
