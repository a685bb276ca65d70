"""Second opinions on magnitude: people compared in stories, and known things."""

from __future__ import annotations

import re

from tests.generation.checker.all_orders import Compared, follows_as_told
from tests.generation.checker.known_things import Way, compare_known
from tests.generation.checker.plain_text import NAME, decide, follows

QUALITIES = {
    "tall": ("taller", "shorter"),
    "old": ("older", "younger"),
    "fast": ("faster", "slower"),
    "strong": ("stronger", "weaker"),
    "rich": ("richer", "poorer"),
    "loud": ("louder", "quieter"),
    "heavy": ("heavier", "lighter"),
    "brave": ("braver", "more timid"),
    "tidy": ("tidier", "untidier"),
    "kind": ("kinder", "less kind"),
    "happy": ("happier", "unhappier"),
    "lucky": ("luckier", "unluckier"),
    "hungry": ("hungrier", "less hungry"),
    "talkative": ("more talkative", "more taciturn"),
    **{
        word: (f"more {word}", f"less {word}")
        for word in ("patient", "generous", "famous", "careful", "curious", "tired")
    },
}
COMPARATIVES = {
    word: (quality, sign)
    for quality, words in QUALITIES.items()
    for word, sign in zip(words, (1, -1), strict=True)
}
WAYS = (
    Way("weight", "{x} is {word} than {y}", "heavier", "lighter"),
    Way("weight", "anything that is {limit} than {x} is {word} than {y}", "heavier", "lighter"),
    Way("weight", "{x} weighs {word} than {y}", "more", "less"),
    Way("weight", "anything that weighs {limit} than {x} weighs {word} than {y}", "more", "less"),
    *(
        Way("height", f"{opening}{said}", "taller", "shorter")
        for opening in ("", "measured from bottom to top, ")
        for said in (
            "{x} is {word} than {y}",
            "anything that is {limit} than {x} is {word} than {y}",
        )
    ),
    Way("speed", "{x} is {word} than {y}", "faster", "slower"),
    Way("speed", "anything that is {limit} than {x} is {word} than {y}", "faster", "slower"),
    Way("speed", "{x} covers {word} ground in a minute than {y}", "more", "less"),
    Way(
        "speed",
        "anything that covers {limit} ground than {x} in a minute covers {word} ground "
        "in a minute than {y}",
        "more",
        "less",
    ),
    Way("heat", "{x} is {word} than {y}", "hotter", "colder"),
    Way("heat", "anything that is {limit} than {x} is {word} than {y}", "hotter", "colder"),
    Way("heat", "the temperature of {x} is {word} than that of {y}", "higher", "lower"),
    Way(
        "heat",
        "anything whose temperature is {limit} than that of {x} has a {word} temperature than {y}",
        "higher",
        "lower",
    ),
    Way("capacity", "{x} can hold {word} water than {y}", "more", "less"),
    Way(
        "capacity",
        "anything that can hold {limit} water than {x} can hold {word} water than {y}",
        "more",
        "less",
    ),
    Way("capacity", "it takes {word} water to fill {x} than to fill {y}", "more", "less"),
    Way(
        "capacity",
        "if it takes {limit} water than {x} holds to fill a vessel then it takes {word} water "
        "to fill that vessel than to fill {y}",
        "more",
        "less",
    ),
)
_CLAUSE = re.compile(
    f"(?P<first>{NAME}) is (?:(?P<how>exactly|just|not) as (?P<quality>[a-z]+) as|"
    f"(?P<word>[a-z ]+) than) (?P<second>{NAME})"
)


def is_true(sentence: str) -> bool:
    """Whether the sentence is true; an error where it cannot be read or is left open."""
    return decide(sentence, (_known, _story))


def _known(body: str) -> bool | None:
    return compare_known(body, WAYS, "magnitude")


def _story(body: str) -> bool | None:
    """People who are compared by one quality, with ties, since two may be equally tall."""
    return follows_as_told(follows(body), _compared, with_ties=True)


def _compared(clause: str) -> tuple[str, Compared] | None:
    """The quality by which two are compared, and the comparison."""
    found = _CLAUSE.fullmatch(clause)
    if found and found["quality"] in QUALITIES:
        sign = -1 if found["how"] == "not" else 0
        return found["quality"], Compared(found["first"], found["second"], sign)
    if found and found["word"] in COMPARATIVES:
        quality, sign = COMPARATIVES[found["word"]]
        return quality, Compared(found["first"], found["second"], sign)
    return None
