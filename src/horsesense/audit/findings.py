"""Findings of a check: figures and concerns, and whether an accuracy is better than chance.

When an accuracy is compared with chance, an undecided problem counts half, as if somebody guessed:
a rule that seldom decides anything, and is right whenever it does, is better than chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import inf
from statistics import fmean
from types import MappingProxyType
from typing import TypeAlias

from horsesense.audit import words
from horsesense.metrics import (
    Sample,
    Ties,
    pooled,
    problem_accuracy,
    schema_accuracy,
    undecided_share,
)
from horsesense.metrics.statistics import FEW_CLUSTERS, LEVEL, Bootstrapped, Interval, bootstrap
from horsesense.schema import Dataset, Entry, Kind, Mode, Posed, pose
from horsesense.scoring.outcome import AnswerSet, Verdict

# Why checks of candidates, targets and blanks are skipped.
NO_WINOGRAD = "there are no Winograd schemas"
# Why checks that know English words are skipped.
NOT_ENGLISH = "the text is not English"


@lru_cache(maxsize=1)  # several checks of the same dataset need it
def posed_by_answer(dataset: Dataset) -> Posed:
    """Pose the problems of a dataset by answer, without entries that cannot be solved that way."""
    return pose(dataset, Mode.BY_ANSWER)


@lru_cache(maxsize=1)
def filled_sentences(dataset: Dataset) -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of each entry, cell by cell, by the entry's id."""
    return {
        entry.id: tuple(entry.grid.sentence(cell).text for cell in entry.grid.cells)
        for entry in dataset
    }


def is_english(dataset: Dataset) -> bool:
    """Return False where the words of the entries are those of another language."""
    return words.is_english(
        text for texts in filled_sentences(dataset).values() for text in texts[:1]
    )


def winograd_schemas(dataset: Dataset) -> list[Entry]:
    """Return the Winograd schemas; a minimal pair with a target has no blank, so it is not one."""
    return [
        entry
        for entry in dataset
        if entry.grid.is_winograd and entry.grid.kind is not Kind.MINIMAL_PAIR
    ]


class Weight(StrEnum):
    """The severity of a concern."""

    FAULT = "fault"  # the data are wrong, or not what they claim to be
    LOOK = "look"  # somebody should look at it; it may be all right


@dataclass(frozen=True, slots=True)
class Concern:
    """Something to look at: which entries it is about (none: the dataset), and what it is."""

    weight: Weight
    text: str
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntryConcern:
    """A concern about one entry. Those of the same weight and kind are reported as one."""

    weight: Weight
    kind: str
    text: str
    entry: str
    badness: float = 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A named number that a check computed, with its confidence interval and its total, if any."""

    name: str
    value: float | int | None
    interval: Interval | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. `skipped` is the reason if it could not run, else empty."""

    name: str
    title: str
    figures: tuple[Figure, ...] = ()
    concerns: tuple[Concern, ...] = ()
    skipped: str = ""

    @property
    def faults(self) -> int:
        """The number of concerns that are faults."""
        return sum(concern.weight is Weight.FAULT for concern in self.concerns)

    @property
    def looks(self) -> int:
        """The number of concerns that only need a look."""
        return len(self.concerns) - self.faults


Checks: TypeAlias = tuple[CheckResult, ...]


def one_of_each_kind(cases: Iterable[EntryConcern]) -> tuple[Concern, ...]:
    """Merge concerns of the same kind: list their entries, the worst first, with its text.

    >>> cases = [EntryConcern(Weight.LOOK, "long", f"{n} words", f"e{n}", n) for n in (7, 9)]
    >>> one_of_each_kind(cases)[0].text, one_of_each_kind(cases)[0].entries
    ('2 entries, the worst: 9 words', ('e9', 'e7'))
    """
    kinds: dict[tuple[Weight, str], list[EntryConcern]] = {}
    for case in cases:
        kinds.setdefault((case.weight, case.kind), []).append(case)
    return tuple(_concern(weight, some) for (weight, _), some in kinds.items())


def too_few(count: int, singular: str, plural: str, *, least: int) -> str:
    """Return why a check is skipped for too little data; empty if there is enough.

    >>> too_few(1, "entry", "entries", least=20), too_few(20, "entry", "entries", least=20)
    ('1 entry; at least 20 are needed', '')
    """
    what = singular if count == 1 else plural
    return "" if count >= least else f"{count} {what}; at least {least} are needed"


def _concern(weight: Weight, cases: list[EntryConcern]) -> Concern:
    """Return one concern for several of the same kind."""
    ordered = sorted(cases, key=lambda case: -case.badness)
    entries = tuple(dict.fromkeys(case.entry for case in ordered))
    text = ordered[0].text
    if len(entries) == 1 or all(case.text == text for case in ordered):
        return Concern(weight, text, entries)
    which = "worst" if ordered[0].badness > ordered[-1].badness else "first"
    return Concern(weight, f"{len(entries)} entries, the {which}: {text}", entries)


# Guessing gets this few all right once in 64 times. Resampling would take even fewer as proof, and
# the level leaves one in 40 above an interval.
LEAST_TELLING = 6
_SOLVED = MappingProxyType({Verdict.SOLVED: 1.0, Verdict.FAILED: 0.0, Verdict.UNDECIDED: 0.5})
# The last digits of margins differ from machine to machine.
_DIGITS = 4


def judge(answer_sets: Sequence[AnswerSet]) -> tuple[tuple[Figure, ...], str]:
    """Return the mean accuracies of answer sets with the same problems, and what beats chance.

    The second is a phrase for a sentence, empty if nothing is better than chance. Entries are
    resampled as a whole.
    """
    sample = pooled(*answer_sets, ties=Ties.HALF)
    problems, schemas = bootstrap((problem_accuracy, schema_accuracy), sample)
    answer_set = answer_sets[0].labelled()
    figures = (
        Figure("problem accuracy", problems.estimate, problems.interval, len(answer_set.answers)),
        Figure("schema accuracy", schemas.estimate, schemas.interval, len(answer_set.schemas)),
        Figure("undecided problems", undecided_share.share(sample).value),
    )
    if _telling(sample) < LEAST_TELLING:
        return figures, ""
    chance = fmean(1 / len(answer.outcome.costs) for answer in answer_set.answers)
    summaries = [
        _above_chance(problems, chance, "problems"),
        _above_chance(schemas, _schema_chance(answer_sets), "schemas"),
    ]
    return figures, " and ".join(filter(None, summaries))


def surely_solved(answer_sets: Sequence[AnswerSet], entries: Sequence[str]) -> tuple[str, ...]:
    """Return the entries whose problems are all solved in every answer set, widest margin first.

    `entries` has the entry of each answer.
    """
    least: dict[str, float] = {}
    for at, entry in enumerate(entries):
        outcomes = [answer_set.answers[at].outcome for answer_set in answer_sets]
        margins = [
            outcome.margin if outcome.verdict is Verdict.SOLVED else 0.0 for outcome in outcomes
        ]
        least[entry] = min(*margins, least.get(entry, inf))
    solved = [entry for entry, margin in least.items() if margin > 0]
    return tuple(sorted(solved, key=lambda entry: (-round(least[entry], _DIGITS), entry)))


def too_few_to_judge(count: int, singular: str, plural: str) -> str:
    """Return why there are too few to resample; empty if there are enough."""
    return too_few(count, singular, plural, least=FEW_CLUSTERS)


def _telling(sample: Sample) -> int:
    """Return the number of clusters that are not exactly half solved."""
    solved, total = problem_accuracy.columns(sample).T
    return int((2 * solved != total).sum())


def _schema_chance(answer_sets: Sequence[AnswerSet]) -> float:
    """Return the schema accuracy of guessing.

    For each schema it is one over the number of ways to answer its problems. A rule that answers
    twins of two options differently solves both or neither, so guessing solves half of these
    schemas, not a quarter.
    """
    others: list[float] = []
    alike: list[float] = []  # for twins of two options: the probability that both or none is solved
    for answer_set in answer_sets:
        known = answer_set.labelled()
        for pair in known.schemas:
            first, second = (known.answers[at].outcome for at in pair)
            if len(first.costs) == len(second.costs) == 2:
                solved_first, solved_second = _SOLVED[first.verdict], _SOLVED[second.verdict]
                alike.append(
                    solved_first * solved_second + (1 - solved_first) * (1 - solved_second)
                )
            else:
                others.append(1 / (len(first.costs) * len(second.costs)))
    twins = [max(1 / 4, fmean(alike) / 2)] * len(alike) if alike else []
    return fmean([*twins, *others]) if twins or others else 0.0


def _above_chance(estimate: Bootstrapped, chance: float, what: str) -> str:
    interval = estimate.interval
    if estimate.estimate is None or interval is None or interval.low <= chance:
        return ""
    return (
        f"{estimate.estimate:.1%} of {what} ({LEVEL:.0%} interval {interval.low:.1%} to"
        f" {interval.high:.1%}, chance {chance:.1%})"
    )
