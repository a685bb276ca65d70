"""Second opinions on time: events, durations, stages, the calendar step by step, the clock."""

from __future__ import annotations

import calendar
import re
from functools import cache

from tests.generation.checker.all_orders import Compared, follows_as_told
from tests.generation.checker.known_things import Way, compare_known, compare_placed
from tests.generation.checker.plain_text import (
    NAME,
    NUMBER,
    Undecided,
    clauses,
    decide,
    follows,
    number,
    table,
)

KNOWN = (
    Way("duration", "{x} lasts {word} than {y}", "longer", "less long"),
    Way(
        "duration",
        "anything that lasts {limit} than {x} lasts {word} than {y}",
        "longer",
        "less long",
    ),
    Way("duration", "{x} goes on for a {word} time than {y}", "longer", "shorter"),
    Way(
        "duration",
        "anything that goes on for a {limit} time than {x} goes on for a {word} time than {y}",
        "longer",
        "shorter",
    ),
    Way("effort", "{x} takes {word} time than {y}", "more", "less"),
    Way(
        "effort",
        "anything that takes {limit} time than {x} takes {word} time than {y}",
        "more",
        "less",
    ),
    Way("effort", "{x} takes {word} than {y}", "longer", "less long"),
    Way(
        "effort",
        "anything that takes {limit} than {x} takes {word} than {y}",
        "longer",
        "less long",
    ),
)
STAGES = (
    Way("", "{x} comes {word} {y}", "after", "before"),
    Way("", "{x} comes {word} than {y}", "later", "earlier"),
    Way("", "{x} is {word} when {y} comes", "still to come", "over"),
    Way("", "{x} {word} {y}", "after", "before"),
    Way("", "{x} {word} than {y}", "later", "earlier"),
)
_HOURS = (
    *("one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
CYCLES = {
    "day": list(calendar.day_name),
    "month": list(calendar.month_name)[1:],
    "season": ["spring", "summer", "autumn", "winter"],
    "hour": [f"{hour} o'clock" for hour in _HOURS],
}
_DISTANCE = f"(?P<n>{NUMBER}) (?P<unit>day|month|season|hour)(?P<plural>s?)"
_STEPS = [
    (way, re.compile(said))
    for way, said in (
        (1, f"{_DISTANCE} after (?P<start>.+) comes (?P<end>.+)"),
        (-1, f"{_DISTANCE} before (?P<start>.+) comes (?P<end>.+)"),
        (1, f"if it is (?P<start>.+) now, then {_DISTANCE} later it will be (?P<end>.+)"),
        (-1, f"if it is (?P<start>.+) now, then {_DISTANCE} earlier it was (?P<end>.+)"),
        (1, f"counting on {_DISTANCE} from (?P<start>.+) leads to (?P<end>.+)"),
        (-1, f"counting back {_DISTANCE} from (?P<start>.+) leads to (?P<end>.+)"),
    )
]
_BEGUN = "begins at (?P<hour>[a-z]+) o'clock and without a break (?P<acts>.+)"
_DONE = "(?P<acts>.+) without a break and is done at (?P<hour>[a-z]+) o'clock"
_STOPS, _BEGAN = (
    f"{verb} (?P<word>before|after) (?P<limit>[a-z]+) o'clock" for verb in ("stops", "began")
)
_WORK = [
    (way, re.compile(said))
    for way, told, asked in ((1, _BEGUN, _STOPS), (-1, _DONE, _BEGAN))
    for said in (
        f"if (?P<name>{NAME}) {told}, then (?P=name) {asked}",
        f"(?P<name>{NAME}) {asked} if (?P=name) {told}",
    )
]
_ACT = re.compile(f"[a-z]+ for (?:(?P<one>one) hour|(?P<n>{NUMBER}) hours)")
_DURATION = re.compile(
    "(?P<first>the [a-z]+) (?:lasted (?P<word>longer|less long) than|did not last as long as) "
    "(?P<second>the [a-z]+)"
)


def is_true(sentence: str) -> bool:
    """Whether the sentence is true; an error where it cannot be read or is left open."""
    return decide(sentence, (_stages, _durations, _calendar, _clock, _story))


def _stages(body: str) -> bool | None:
    return compare_placed(body, STAGES, "time")


def _durations(body: str) -> bool | None:
    return compare_known(body, KNOWN, "time")


def _calendar(body: str) -> bool | None:
    """So many steps from one day or month to the next, or the one before."""
    for way, pattern in _STEPS:
        found = pattern.fullmatch(body)
        if not found or (found["n"] == "one") == bool(found["plural"]):
            continue
        cycle = CYCLES[found["unit"]]
        if not {found["start"], found["end"]} <= set(cycle):
            continue
        following = dict(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        if way < 0:
            following = {after: before for before, after in following.items()}
        place = found["start"]
        for _ in range(number(found["n"])):
            place = following[place]
        return place == found["end"]
    return None


def _clock(body: str) -> bool | None:
    """Hour by hour, on one half of the day; an error where it goes beyond it."""
    for way, pattern in _WORK:
        found = pattern.fullmatch(body)
        acts = [_ACT.fullmatch(act) for act in clauses(found["acts"])] if found else []
        if not found or None in acts:
            continue
        hour = 1 + _HOURS.index(found["hour"])
        for act in filter(None, acts):
            for _ in range(1 if act["one"] else number(act["n"])):
                hour += way
                if hour not in range(1, 12):
                    raise Undecided(f"morning or afternoon? {body}")
        limit = 1 + _HOURS.index(found["limit"])
        return hour < limit if found["word"] == "before" else hour > limit
    return None


def _story(body: str) -> bool | None:
    """Events that are earlier or later, or durations; two may be at the same time."""
    return follows_as_told(follows(body), _compared, with_ties=True)


def _compared(clause: str) -> tuple[str, Compared] | None:
    """What two are compared by, and the comparison: above is later, or longer."""
    if found := _DURATION.fullmatch(clause):
        sign = 1 if found["word"] == "longer" else -1
        return "duration", Compared(found["first"], found["second"], sign)
    found = _event().fullmatch(clause)
    if not found:
        return None
    if found["verb"]:
        return found["verb"], Compared(found["a"], found["b"], 1)
    verbs = {event["past"]: event["verb"] for event in table("time")["events"]}
    sign = 1 if found["when"] in ("after", "later than") else -1
    return verbs[found["past"]], Compared(found["first"], found["second"], sign)


@cache
def _event() -> re.Pattern[str]:
    events = table("time")["events"]
    past = "|".join(event["past"] for event in events)
    verb = "|".join(event["verb"] for event in events)
    return re.compile(
        f"(?P<first>{NAME}) (?P<past>{past}) (?P<when>before|after|earlier than|later than) "
        f"(?P<second>{NAME})|"
        f"(?P<a>{NAME}) did not (?P<verb>{verb}) as early as (?P<b>{NAME})"
    )
