"""Spelt-out verdicts as sets, from which `tests.metrics.loops` counts every metric slowly."""

from __future__ import annotations

from collections.abc import Callable

from tests.metrics.loops import OF_ONE, OF_TWO, Answers
from tests.results.measuring.made_up import Verdicts


def sets_of(verdicts: Verdicts, kept: Callable[[str], bool] = lambda entry: True) -> Answers:
    """The answers to the entries that are kept, each of one schema; nothing is undecided."""
    rows = [letters for entry, letters in sorted(verdicts.items()) if kept(entry)]
    answers = {(at, number): rows[at][number] for at in range(len(rows)) for number in (0, 1)}
    # The first option is right in first problems, and chosen in second ones if that is wrong.
    first = {at for at, letter in answers.items() if (letter == "S") == (at[1] == 0)}
    solved = {at for at, letter in answers.items() if letter == "S"}
    return Answers(range(len(rows)), solved, first, {})


def of_one(metric: str, answers: Answers) -> float | None:
    return OF_ONE[metric](answers)


def of_two(metric: str, before: Answers, after: Answers) -> float | None:
    return OF_TWO[metric](before, after)
