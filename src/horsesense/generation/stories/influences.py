"""How effects are told: who helps or hinders whom, and which part goes with which in a machine."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from horsesense.generation.draft import KEY
from horsesense.generation.theories.effects import Influence, Part
from horsesense.generation.words import table


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
        """What stands between the two, said plainly, from the other side, or by a denial.

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


def wire(rng: Random, pair: tuple[Part, Part], sign: int, manner: str) -> Wire:
    """The later part is told by the earlier one, or if turned the other way round.

    >>> lamp, fan = Part("the lamp", "is on", "is off"), Part("the fan", "runs", "rests")
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
    told = []
    for at, (pair, phrase, sign) in enumerate(zip(pairwise(named), phrases, signs, strict=True)):
        first, second = pair[:: -1 if phrase.is_turned else 1]
        said = KEY if at == keyed else phrase.both[0 if sign > 0 else 1]
        told.append(f"{first} {said} {second}")
    return told


def change_by(change: dict[str, Any], keys: tuple[str, str]) -> list[Influence]:
    """What two agents do to a thing; each is looked up, wherever it stands.

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


def draw_parts(rng: Random, count: int) -> list[Part]:
    """So many machine parts, each of a colour of its own.

    >>> len({part.name for part in draw_parts(Random(0), 5)})
    5
    """
    known = table("causes")
    parts = []
    for colour in rng.sample(known["colours"], count):
        part = rng.choice(known["parts"])
        states = (part[form] for form in ("yes", "no", "not_yes", "not_no"))
        parts.append(Part(f"the {colour} {part['noun']}", *states))
    return parts
