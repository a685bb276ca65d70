"""Findings of a check: figures and concerns, and whether an accuracy is better than chance.

When an accuracy is compared with chance, an undecided problem counts half, as if somebody guessed:
a rule that seldom decides anything, and is right whenever it does, is better than chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import inf
from statistics import fmean
from types import MappingProxyType
from typing import TypeAlias

from horsesense.audit.words import is_english
from horsesense.metrics import (
    Sample,
    Ties,
    pooled,
    problem_accuracy,
    schema_accuracy,
    undecided_share,
)
from horsesense.metrics.statistics import FEW_CLUSTERS, LEVEL, Bootstrapped, Interval, bootstrap
from horsesense.schema import Dataset, Entry, Grid, Kind, Mode, Posed, PosedEntry, pose
from horsesense.scoring.outcome import AnswerSet, Verdict

# Why checks of candidates, targets and blanks are skipped without `Subject.winograd`.
NO_WINOGRAD = "there are no Winograd schemas"
# Why checks that know English words are skipped without `Subject.is_english`.
NOT_ENGLISH = "the text is not English"


@dataclass(frozen=True, slots=True)
class Filled:
    """The sentences of an entry, cell by cell, and those of them that are known to make sense."""

    texts: tuple[str, ...]
    sensible: tuple[str, ...]


@dataclass(frozen=True)  # without slots, which leave no place for what is kept
class Subject:
    """A dataset as its checks read it. `posed` leaves out what cannot be solved by answer."""

    name: str
    entries: tuple[Entry, ...]
    posed: Posed

    @cached_property
    def pairs(self) -> tuple[tuple[Entry, PosedEntry], ...]:
        """Each entry that poses problems, with them."""
        entries = {entry.id: entry for entry in self.entries}
        return tuple((entries[entry.id], entry) for entry in self.posed.entries)

    @cached_property
    def winograd(self) -> tuple[Entry, ...]:
        """The Winograd schemas; a minimal pair with a target has no blank and is none."""
        return tuple(
            entry
            for entry in self.entries
            if entry.grid.is_winograd and entry.grid.kind is not Kind.MINIMAL_PAIR
        )

    @cached_property
    def filled(self) -> Mapping[str, Filled]:
        """The sentences of each entry, by its id: several checks read them, and to fill is slow."""
        return {entry.id: _filled(entry.grid) for entry in self.entries}

    @cached_property
    def is_english(self) -> bool:
        """False where the words of the entries are those of another language."""
        return is_english(text for filled in self.filled.values() for text in filled.texts[:1])


def subject(dataset: Dataset) -> Subject:
    """Make a dataset ready for its checks; what its wording gives away shows by answer."""
    return Subject(dataset.name, dataset.entries, pose(dataset, Mode.BY_ANSWER))


def _filled(grid: Grid) -> Filled:
    cells = grid.cells
    texts = tuple(grid.sentence(cell).text for cell in cells)
    told = zip(cells, texts, strict=True)
    return Filled(texts, tuple(text for cell, text in told if grid.is_sensible(cell)))


class Weight(StrEnum):
    """How much a concern weighs."""

    FAULT = "fault"  # the data are wrong, or not what they claim to be
    LOOK = "look"  # somebody should look at it; it may be all right


@dataclass(frozen=True, slots=True)
class Concern:
    """Something to look at: which entries it is about (none: the dataset), and what it is."""

    weight: Weight
    text: str
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """An entry with something to look at; `kind` is what it has in common with other cases."""

    weight: Weight
    kind: str
    text: str
    entry: str
    badness: float = 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its name, and the interval that says how far it can be trusted."""

    name: str
    value: float | int | None
    interval: Interval | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
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


Checks: TypeAlias = tuple[Checked, ...]


def one_of_each_kind(cases: Iterable[Case]) -> tuple[Concern, ...]:
    """One concern for each kind of case: its entries, the worst first, and the text of that one.

    >>> cases = [Case(Weight.LOOK, "long", f"{n} words", f"e{n}", n) for n in (7, 9)]
    >>> one_of_each_kind(cases)[0].text, one_of_each_kind(cases)[0].entries
    ('2 entries, the worst: 9 words', ('e9', 'e7'))
    """
    kinds: dict[tuple[Weight, str], list[Case]] = {}
    for case in cases:
        kinds.setdefault((case.weight, case.kind), []).append(case)
    return tuple(_concern(weight, some) for (weight, _), some in kinds.items())


def too_few(count: int, singular: str, plural: str, *, least: int) -> str:
    """The reason why a check is skipped for too little data; empty if there is enough.

    >>> too_few(1, "entry", "entries", least=20), too_few(20, "entry", "entries", least=20)
    ('1 entry; at least 20 are needed to tell', '')
    """
    what = singular if count == 1 else plural
    return "" if count >= least else f"{count} {what}; at least {least} are needed to tell"


def _concern(weight: Weight, cases: list[Case]) -> Concern:
    """A concern about cases of one kind."""
    ordered = sorted(cases, key=lambda case: -case.badness)
    entries = tuple(dict.fromkeys(case.entry for case in ordered))
    text = ordered[0].text
    if len(entries) == 1 or all(case.text == text for case in ordered):
        return Concern(weight, text, entries)
    which = "worst" if ordered[0].badness > ordered[-1].badness else "first"
    return Concern(weight, f"{len(entries)} entries, the {which}: {text}", entries)


# As few as this, all right, come about by guessing once in 64 times; resampling takes fewer for a
# proof, and the level leaves one in 40 above an interval.
LEAST_TELLING = 6
_SOLVED = MappingProxyType({Verdict.SOLVED: 1.0, Verdict.FAILED: 0.0, Verdict.UNDECIDED: 0.5})
# The last digits of margins differ from machine to machine.
_DIGITS = 4


def judge(answer_sets: Sequence[AnswerSet]) -> tuple[tuple[Figure, ...], str]:
    """The average accuracies of answer sets with the same problems, and those better than chance.

    The latter are told in words, and empty if there are none.

    An answer's entry is what is drawn as a whole when resampling.
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
        _told(problems, chance, "problems"),
        _told(schemas, _schema_chance(answer_sets), "schemas"),
    ]
    return figures, " and ".join(filter(None, summaries))


def surely_solved(answer_sets: Sequence[AnswerSet], entries: Sequence[str]) -> tuple[str, ...]:
    """The entries of which every problem is solved in every answer set, widest margin first.

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
    """The reason why there are too few to resample; empty if there are enough."""
    return too_few(count, singular, plural, least=FEW_CLUSTERS)


def _telling(sample: Sample) -> int:
    """How many clusters are not half solved, as they are by guessing and by one answer to twins."""
    solved, total = problem_accuracy.columns(sample).T
    return int((2 * solved != total).sum())


def _schema_chance(answer_sets: Sequence[AnswerSet]) -> float:
    """Chance accuracy of schemas: for each, one over the number of ways to answer its problems.

    Who answers twins of two options differently solves both or none, so that guessing which solves
    half of these schemas and not a quarter.
    """
    others: list[float] = []
    alike: list[float] = []  # of twins of two options: how sure it is that both or none is solved
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


def _told(estimate: Bootstrapped, chance: float, what: str) -> str:
    interval = estimate.interval
    if estimate.estimate is None or interval is None or interval.low <= chance:
        return ""
    return (
        f"{estimate.estimate:.1%} of {what} ({LEVEL:.0%} interval {interval.low:.1%} to"
        f" {interval.high:.1%}, chance {chance:.1%})"
    )
