"""Causes: what makes what more so, what protects from what, and what a machine does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from horsesense.generation.rule import ANSWER, KEY, Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.telling import (
    END_FIRST,
    IF,
    Relation,
    ask_at_end,
    ask_with_ends_exchanged,
    conditional,
)
from horsesense.generation.theories.order import (
    Influence,
    MachinePart,
    paths,
    prove_effect,
    prove_greater,
    prove_state,
)
from horsesense.generation.words import people, table


@dataclass(frozen=True, slots=True)
class Wire:
    """How two parts go together: one is in some state exactly when the other is in the first.

    With the second of the `states` it would be the other way round.
    """

    start: str
    states: tuple[str, str]

    def told(self, *, is_key: bool) -> str:
        """The clause, with a place for the state if that is the key."""
        return f"{self.start} {KEY if is_key else self.states[0]}"


@dataclass(frozen=True, slots=True)
class Phrases:
    """How to say that one promotes another, or hinders it; `is_turned` if the other comes first."""

    both: tuple[str, str]
    is_turned: bool = False


@dataclass(frozen=True, slots=True)
class Verbs:
    """Verbs of helping and hindering, for one who acts or for many."""

    helps: str
    help: str
    helped: str
    hinders: str
    hinder: str
    hindered: str
    is_many: bool

    def phrases(self, manner: str) -> Phrases:
        """The phrases between the two: plain, from the other side, or by a denial.

        >>> verbs = Verbs("helps", "help", "helped", "harms", "harm", "harmed", is_many=False)
        >>> verbs.phrases("turned").both, verbs.phrases("denied").both[0]
        (('is helped by', 'is harmed by'), 'does not harm but helps')
        """
        plain = (self.help, self.hinder) if self.is_many else (self.helps, self.hinders)
        if manner == "turned":
            be = "are" if self.is_many else "is"
            return Phrases((f"{be} {self.helped} by", f"{be} {self.hindered} by"), is_turned=True)
        if manner == "denied":
            do = "do not" if self.is_many else "does not"
            helps, hinders = plain
            return Phrases((f"{do} {self.hinder} but {helps}", f"{do} {self.help} but {hinders}"))
        return Phrases(plain)


def wire(rng: Random, pair: tuple[MachinePart, MachinePart], sign: int, manner: str) -> Wire:
    """The later part is told by the earlier one, or if turned the other way round.

    >>> lamp = MachinePart("the lamp", "is on", "is off")
    >>> fan = MachinePart("the fan", "runs", "rests")
    >>> wire(Random(1), (lamp, fan), -1, "plain").told(is_key=False)
    'the fan runs exactly when the lamp is off'
    """
    known, other = pair if manner == "turned" else pair[::-1]
    state = rng.choice((1, -1))
    start = f"{known.name} {known.state(state)} exactly when {other.name}"
    say = other.denied if manner == "denied" else other.state
    return Wire(start, (say(state * sign), say(-state * sign)))


def tell_influences(
    named: list[str], phrases: list[Phrases], signs: list[int], keyed: int | None
) -> list[str]:
    """Who acts how on the next, with a place for the key in one of the clauses.

    >>> tell_influences(["Ada", "Bo", "Cy"], [Phrases(("helps", "harms"))] * 2, [1, -1], 0)
    ['Ada {} Bo', 'Bo harms Cy']
    """
    clauses = []
    for at, (pair, phrase, sign) in enumerate(zip(pairwise(named), phrases, signs, strict=True)):
        first, second = pair[:: -1 if phrase.is_turned else 1]
        phrase_told = KEY if at == keyed else phrase.both[0 if sign > 0 else 1]
        clauses.append(f"{first} {phrase_told} {second}")
    return clauses


def change_by(change: dict[str, Any], keys: tuple[str, str]) -> list[Influence]:
    """The changes that two agents cause to a thing.

    >>> street = {"thing": "a street", "up": ["rain"], "down": ["wind"], "more": "wetter"}
    >>> change_by(street | {"less": "drier"}, ("rain", "wind"))[1].told
    'a street gets drier because of wind'
    """
    thing, links = change["thing"], []
    for key in keys:
        for sign, agents in ((1, change["up"]), (-1, change["down"])):
            word = change["more"] if sign > 0 else change["less"]
            if key in agents:
                links.append(Influence(key, thing, sign, f"{thing} gets {word} because of {key}"))
    return links


def draw_parts(rng: Random, count: int) -> list[MachinePart]:
    """Draw `count` machine parts of different colours.

    >>> len({part.name for part in draw_parts(Random(0), 5)})
    5
    """
    known = table("causes")
    parts = []
    for colour in rng.sample(known["colours"], count):
        part = rng.choice(known["parts"])
        states = (part[form] for form in ("yes", "no", "not_yes", "not_no"))
        parts.append(MachinePart(f"the {colour} {part['noun']}", *states))
    return parts


AREA = "causes"
LONGEST = 5

MAKES = (
    "{} makes {thing} <>",
    "{thing} is made <> by {}",
    "{thing} gets <> because of {}",
)
# The second one is not said of people and animals.
MAKES_FAR = (
    "by what it does to {thing}, {} makes {what} <>",
    "{} changes {thing} and so makes {what} <>",
)
CAUSING = (
    ("can cause", "can be caused by"),
    ("can lead to", "can result from"),
    ("may bring about", "may come of"),
    ("can be a cause of", "can be an effect of"),
)
PROTECTS = (
    ("{} <> {whom} from {harm}", ("protects", "does not protect")),
    ("{} is <> against {harm} for {whom}", ("a protection", "no protection")),
    ("against {harm}, {} <> {whom}", ("shields", "does not shield")),
)
STORIES = (IF, END_FIRST)
MACHINES = (*STORIES, "in a machine in which {premises}, {end}")
MACHINE_ENDS = ("{last} <> while {first} {given}", "whenever {first} {given}, {last} <>")


def make_more_or_less(rng: Random, difficulty: Difficulty) -> Draft:
    """Rain makes a street wetter, and hours of sunshine make it drier."""
    change = rng.choice(table("causes")["changes"])
    keys = rng.choice(change["up"]), rng.choice(change["down"])
    frame = rng.choice(MAKES).replace("{thing}", change["thing"])
    links = change_by(change, keys)

    def prove(key: int, answer: int) -> Proof:
        return prove_effect(keys[key], change["thing"], -1 if answer else 1, links)

    return Draft(frame, keys, (change["more"], change["less"]), square(prove))


def make_far_effect(rng: Random, difficulty: Difficulty) -> Draft:
    """By what it does to a street, rain makes skidding on it more likely."""
    change = rng.choice(table("causes")["changes"])
    then = change["then"]
    keys = rng.choice(change["up"]), rng.choice(change["down"])
    frames = MAKES_FAR[:1] if change.get("is_alive") else MAKES_FAR
    frame = rng.choice(frames).replace("{thing}", change["thing"])
    word = then["more"] if then["sign"] > 0 else then["less"]
    clause = f"the {change['more']} {change['thing']} is, the {word} is {then['what']}"
    links = [
        *change_by(change, keys),
        Influence(change["thing"], then["what"], then["sign"], clause),
    ]

    def prove(key: int, answer: int) -> Proof:
        return prove_effect(keys[key], then["what"], -1 if answer else 1, links)

    frame = frame.replace("{what}", then["what"])
    return Draft(frame, keys, (then["more"], then["less"]), square(prove))


def cause_or_effect(rng: Random, difficulty: Difficulty) -> Draft:
    """Frost can lead to ice on the steps; ice on the steps can result from frost."""
    path = rng.choice(_effects(difficulty.chain))
    ends = path[0], path[-1]

    def prove(key: int, answer: int) -> Proof:
        cause, effect = (ends[key], ends[1 - key])[:: -1 if answer else 1]
        return prove_greater(cause, effect, pairwise(path), lambda a, b: f"{a} can cause {b}")

    return Draft("{} <> {}", ends, rng.choice(CAUSING), square(prove))


def protect(rng: Random, difficulty: Difficulty) -> Draft:
    """An umbrella protects a walker from rain, and a walking stick does not."""
    row = rng.choice(table("causes")["protections"])
    frame, answers = rng.choice(PROTECTS)
    keys = rng.choice(row["by"]), rng.choice(row["useless"])

    def prove(key: int, answer: int) -> Proof:
        protects = keys[key] in row["by"]
        verb = "keeps" if protects else "does nothing to keep"
        clause = f"{keys[key]} {verb} {row['harm']} away from {row['whom']}"
        return Proof(protects != bool(answer), (clause,))

    frame = frame.replace("{whom}", row["whom"]).replace("{harm}", row["harm"])
    return Draft(frame, keys, answers, square(prove))


def run_machine(rng: Random, difficulty: Difficulty) -> Draft:
    """If the fan runs exactly when the lamp is off, then the fan rests while the lamp is on.

    The key is the state of the first part, or else how one part goes with the next.
    """
    parts = draw_parts(rng, difficulty.chain + 1)
    signs = [rng.choice((1, -1)) for _ in range(difficulty.chain)]
    given = rng.choice((1, -1))
    # The link in which the key stands; none if it is the state that is given.
    keyed = rng.choice((None, rng.randrange(difficulty.chain)))
    manners = difficulty.manners(rng)
    wires = [
        wire(rng, pair, sign, manner)
        for pair, sign, manner in zip(pairwise(parts), signs, manners, strict=True)
    ]
    clauses = [link.told(is_key=at == keyed) for at, link in enumerate(wires)]
    rng.shuffle(clauses)
    first, last = parts[0], parts[-1]
    keys = (first.yes, first.no) if keyed is None else wires[keyed].states

    def prove(key: int, answer: int) -> Proof:
        turned = -1 if key else 1
        own = [turned * sign if at == keyed else sign for at, sign in enumerate(signs)]
        state = turned if keyed is None else given
        return prove_state(parts, own, state, asked=-1 if answer else 1)

    end = rng.choice(MACHINE_ENDS).replace("{first}", first.name).replace("{last}", last.name)
    end = end.replace("{given}", KEY if keyed is None else first.state(given))
    frame = conditional(rng, clauses, end, MACHINES)
    return Draft(frame, keys, (last.yes, last.no), square(prove))


def influence(rng: Random, difficulty: Difficulty) -> Draft:
    """If gorps harm tolms and tolms harm zarks, then gorps indirectly help zarks.

    The key is how one acts on the next, or else on whom the first acts in the end.
    """
    verbs = Verbs(**rng.choice(table("causes")["influences"]), is_many=rng.random() < 0.5)
    count = difficulty.chain + 1
    named = rng.sample(table("causes")["creatures"], count) if verbs.is_many else people(rng, count)
    signs = [rng.choice((1, -1)) for _ in range(difficulty.chain)]
    if difficulty.chain > 2 and rng.random() < 0.5:
        # The last two then have it the other way round from each other.
        keyed, asked, signs[-1] = None, (named[-2], named[-1]), -1
    else:
        keyed, asked = rng.randrange(difficulty.chain), (named[-1], named[-1])
    manners = difficulty.manners(rng)
    clauses = tell_influences(named, [verbs.phrases(manner) for manner in manners], signs, keyed)
    rng.shuffle(clauses)

    def prove(key: int, answer: int) -> Proof:
        own = [(1, -1)[key] if at == keyed else sign for at, sign in enumerate(signs)]
        plain = tell_influences(named, [verbs.phrases("plain")] * len(own), own, None)
        pairs = zip(pairwise(named), own, plain, strict=True)
        links = [Influence(cause, effect, sign, step) for (cause, effect), sign, step in pairs]
        return prove_effect(named[0], asked[key], -1 if answer else 1, links)

    end = f"{named[0]} indirectly {ANSWER} {KEY if keyed is None else named[-1]}"
    frame = conditional(rng, clauses, end, STORIES)
    keys = asked if keyed is None else verbs.phrases(manners[keyed]).both
    return Draft(frame, keys, verbs.phrases("plain").both, square(prove))


def drive(rng: Random, difficulty: Difficulty) -> Draft:
    """If the crank drives the belt and the belt drives the fan, then the crank drives the fan."""
    known = table("causes")
    verb = rng.choice(known["driving"])
    relation = Relation("", verb["active"], verb["passive"], "", verb["denial"], "in a machine")
    colours = rng.sample(known["colours"], difficulty.chain + 1)
    named = [f"the {colour} {rng.choice(known['drives'])}" for colour in colours]
    ask = rng.choice((ask_at_end, ask_with_ends_exchanged))
    return ask(rng, named, relation, difficulty)


@cache
def _effects(links: int) -> list[tuple[str, ...]]:
    return paths(table("causes")["effects"], links)


RULES = (
    Rule("make-more-or-less", AREA, "what makes something more or less so", make_more_or_less),
    Rule(
        "make-far-effect",
        AREA,
        "what something makes easier or harder indirectly",
        make_far_effect,
        chain=range(2, 3),
    ),
    Rule("cause-or-effect", AREA, "what brings about what", cause_or_effect, chain=range(1, 4)),
    Rule("protect", AREA, "what protects from what", protect),
    Rule(
        "run-machine",
        AREA,
        "what a part of a machine does when another part does something",
        run_machine,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "influence",
        AREA,
        "who helps or hinders whom through others",
        influence,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "drive",
        AREA,
        "which part of a machine drives which",
        drive,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
)
