"""What happened to so many things in one go or by days, and what somebody did or did not do."""

from __future__ import annotations

from random import Random

from horsesense.generation.draft import KEY
from horsesense.generation.words import joined, number_word

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def split(rng: Random, least: int, parts: int) -> list[int]:
    """Counts for all days but the one with the key, which leave it at least one.

    >>> split(Random(0), 9, 3)
    [7, 1]
    """
    days: list[int] = []
    for left in range(parts - 1, 0, -1):
        days.append(rng.randint(1, least - sum(days) - left))
    return days


def tell_by_days(rng: Random, event: dict[str, str], total: int, days: list[int]) -> str:
    """What happened, in one go or day by day, with the key in one of the days.

    >>> tell_by_days(Random(0), {"things": "eggs", "did": "broke"}, 9, [])
    'exactly {} of the nine eggs broke'
    """
    did, of_the = event["did"], f"of the {number_word(total)} {event['things']}"
    if not days:
        return f"exactly {KEY} {of_the} {did}"
    amounts = [number_word(day) for day in days]
    amounts.insert(rng.randrange(len(amounts) + 1), KEY)
    first, *others = (
        f"{amount} LOT {did} on {day}" for amount, day in zip(amounts, DAYS, strict=False)
    )
    clauses = [first.replace("LOT", of_the), *(one.replace("LOT", "more") for one in others)]
    return joined([*clauses, f"no others {did}"])


def tell_deed(deed: dict[str, str], did: bool, is_denied: bool) -> str:
    """That somebody did it or not, plainly or by denying the opposite.

    >>> tell_deed({"did": "came", "denied_not": "did not stay away"}, True, True)
    'did not stay away'
    """
    if is_denied:
        return deed["denied_not" if did else "denied_did"]
    return deed["did" if did else "not"]
