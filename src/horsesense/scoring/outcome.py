"""Outcomes and answer sets: what was answered to each problem, and whether it was right.

An outcome is solved, failed or undecided. Metrics say what an undecided one counts for; nothing
here favours the first option. An answer set has the answers of one model, by one method, to all
problems of a dataset.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import ne

from horsesense.errors import MetricError
from horsesense.schema import CLUSTER
from horsesense.schema.share import Share

__all__ = [
    "DRIFT",
    "EQUAL_LENGTH",
    "SECOND_LAST",
    "Answer",
    "Outcome",
    "Share",
    "AnswerSet",
    "Verdict",
    "cluster_tags",
    "decide",
]

# Scores that differ by no more than this are equal: the same tokens in another batch give
# numbers that differ in their last digits, and a decision must not depend on it.
DRIFT = 1e-4
# Tags that are found in problems: answers with equally many tokens, and one token after the blank.
EQUAL_LENGTH, SECOND_LAST = "equal-length", "second-last"


class Verdict(StrEnum):
    """Whether the right option was preferred; unknown where the right one is not known."""

    SOLVED = "solved"
    FAILED = "failed"
    UNDECIDED = "undecided"
    UNLABELLED = "unlabelled"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The costs of a problem's options, and the option they prefer, None for a tie.

    `margin` is how much more the next option costs than the preferred one. Where a log says only
    whether a problem was solved, `has_choice` is false: `chosen` and `right` are then equal or not,
    and no positions of options.
    """

    costs: tuple[float, ...]
    chosen: int | None
    right: int | None
    margin: float
    has_choice: bool = True

    @property
    def verdict(self) -> Verdict:
        """Solved, failed or undecided."""
        if self.right is None:
            return Verdict.UNLABELLED
        if self.chosen is None:
            return Verdict.UNDECIDED
        return Verdict.SOLVED if self.chosen == self.right else Verdict.FAILED


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one problem.

    `entry` and `number` (from 1) say which problem of which entry it is. `tags` are what holds of
    it: its entry's tags and flags, the kind of its schema, and so on; and by `cluster:NAME`, which
    other entries it belongs together with.
    """

    entry: str
    number: int
    outcome: Outcome
    options: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()

    @property
    def problem(self) -> tuple[str, int]:
        """Which problem it is."""
        return self.entry, self.number

    @property
    def clusters(self) -> frozenset[str]:
        """The tags that name a cluster, besides that of its entry.

        >>> Answer("owl-he", 1, Outcome((), 0, 0, 0.0), tags=frozenset(["cluster:owl"])).clusters
        frozenset({'cluster:owl'})
        """
        return cluster_tags(self.tags)


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """All answers of a run, and which two of them answer a schema.

    `schemas` are pairs of positions among the answers. Answers to the problems of one entry
    belong together, and so do those with a tag of the same cluster. `remarks` say what to mind,
    such as what was left out. `marks` are tags that were looked for: one that holds of nothing is
    known all the same.
    """

    name: str
    answers: tuple[Answer, ...]
    schemas: tuple[tuple[int, int], ...]
    remarks: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        seen: set[tuple[str, int]] = set()
        for answer in self.answers:
            if answer.problem in seen:
                raise MetricError(
                    f"{self.name}: problem {answer.number} of {answer.entry} is answered twice;"
                    " give one answer to each"
                )
            seen.add(answer.problem)

    @property
    def tags(self) -> frozenset[str]:
        """Every tag that holds of an answer, or was looked for; none that names a cluster."""
        held = self.marks.union(*(answer.tags for answer in self.answers))
        return frozenset(tag for tag in held if not tag.startswith(CLUSTER))

    def labelled(self) -> AnswerSet:
        """The answer set without problems whose right option is not known."""
        return self.among([answer.outcome.right is not None for answer in self.answers])

    def among(self, kept: Sequence[bool]) -> AnswerSet:
        """Some of the answers, and the schemas that are left whole."""
        everything = range(len(self.answers))
        positions = [at for at, is_kept in zip(everything, kept, strict=True) if is_kept]
        places = {at: place for place, at in enumerate(positions)}
        whole = [pair for pair in self.schemas if places.keys() >= set(pair)]
        return replace(
            self,
            answers=tuple(self.answers[at] for at in positions),
            schemas=tuple((places[first], places[second]) for first, second in whole),
        )


def decide(costs: Sequence[float], right: int | None, *, drift: float = DRIFT) -> Outcome:
    """Prefer the option with the lowest cost, or none where two lowest are equal within drift.

    An infinite cost is that of an option that is impossible. Equal ones are equal.

    >>> decide((3.5, 2.0), right=1).verdict.value, decide((2.0, 2.0), right=1).verdict.value
    ('solved', 'undecided')
    """
    if len(costs) < 2 or any(map(ne, costs, costs)):  # only NaN differs from itself
        raise MetricError(f"nothing can be preferred by costs of {tuple(costs)}")
    if right is not None and not 0 <= right < len(costs):
        raise MetricError(f"option {right + 1} cannot be right; there are {len(costs)}")
    lowest, next_lowest = sorted(costs)[:2]
    margin = 0.0 if lowest == next_lowest else next_lowest - lowest
    chosen = None if margin <= drift else costs.index(lowest)
    return Outcome(tuple(costs), chosen, right, margin)


def cluster_tags(tags: Iterable[str]) -> frozenset[str]:
    """Those of the tags that name a cluster.

    >>> cluster_tags(["cluster:owl", "difficulty:3"])
    frozenset({'cluster:owl'})
    """
    return frozenset(tag for tag in tags if tag.startswith(CLUSTER))
