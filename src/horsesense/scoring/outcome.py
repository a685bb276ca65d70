"""Outcomes and answer sets: the option that was chosen for each problem, and whether it was right.

An outcome is solved, failed or undecided. Metrics decide how undecided ones count; nothing here
favours the first option. An answer set has the answers of one model, by one method, to all
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

# Costs that differ by at most this much count as equal: the same tokens in another batch give
# numbers that differ in their last digits, and the outcome must not depend on that.
DRIFT = 1e-4
# Tags computed from problems: options with the same number of tokens, and one token after the
# blank.
EQUAL_LENGTH, SECOND_LAST = "equal-length", "second-last"


class Verdict(StrEnum):
    """Whether the right option was preferred; `UNLABELLED` if the right option is not known."""

    SOLVED = "solved"
    FAILED = "failed"
    UNDECIDED = "undecided"
    UNLABELLED = "unlabelled"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The costs of a problem's options, and the position of the cheapest one, None for a tie.

    `margin` is how much more the second cheapest option costs; what is shown is `signed_margin`. If
    a log records only whether a problem was solved, `has_choice` is false: then `chosen` and
    `right` are equal or different, but they are not positions of options. `tags` are those that the
    scoring method adds to the answer, which keeps them with its own.
    """

    costs: tuple[float, ...]
    chosen: int | None
    right: int | None
    margin: float
    has_choice: bool = True
    tags: frozenset[str] = frozenset()

    @property
    def verdict(self) -> Verdict:
        """Solved, failed or undecided."""
        if self.right is None:
            return Verdict.UNLABELLED
        if self.chosen is None:
            return Verdict.UNDECIDED
        return Verdict.SOLVED if self.chosen == self.right else Verdict.FAILED

    @property
    def signed_margin(self) -> float | None:
        """The margin with a sign, as it is shown everywhere; None if the costs are unknown.

        It is positive if and only if the right option is preferred: how much more the best other
        option costs. It is 0 if the problem is undecided. If the right option is not known, it is
        the distance of the preferred option from the next.

        >>> decide((3.5, 2.0), right=1).signed_margin, decide((3.5, 2.0), right=0).signed_margin
        (1.5, -1.5)
        """
        if not self.has_choice or not self.costs:
            return None
        if self.chosen is None:
            return 0.0
        if self.right is None:
            return self.margin
        others = [cost for option, cost in enumerate(self.costs) if option != self.right]
        return min(others) - self.costs[self.right]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a model to one problem by one method.

    `entry` and `number` (from 1) identify the problem. `tags` are those of the problem: its entry's
    tags and flags, the kind of its schema, and so on. Problems with the same tag `cluster:NAME`
    belong together.
    """

    entry: str
    number: int
    outcome: Outcome
    options: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()

    @property
    def problem(self) -> tuple[str, int]:
        """The id of the entry and the number of the problem."""
        return self.entry, self.number

    @property
    def clusters(self) -> frozenset[str]:
        """The tags that name a cluster, apart from the entry itself.

        >>> Answer("owl-he", 1, Outcome((), 0, 0, 0.0), tags=frozenset(["cluster:owl"])).clusters
        frozenset({'cluster:owl'})
        """
        return cluster_tags(self.tags)


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """The answers of a model by one method, and the pairs of answers that form schemas.

    `schemas` are pairs of positions in `answers`. Answers to the problems of one entry belong
    together, and so do those with a tag of the same cluster. `remarks` tell what to note, such as
    problems that were left out. `marks` are all tags that were looked for, even if no problem has
    them.
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
        """All tags of the answers and those that were looked for, except the names of clusters."""
        held = self.marks.union(*(answer.tags for answer in self.answers))
        return frozenset(tag for tag in held if not tag.startswith(CLUSTER))

    def labelled(self) -> AnswerSet:
        """Return the answers to problems whose right option is known."""
        return self.among([answer.outcome.right is not None for answer in self.answers])

    def among(self, kept: Sequence[bool]) -> AnswerSet:
        """Return the answers that are kept, and the schemas of which both answers are kept."""
        everything = range(len(self.answers))
        positions = [
            position for position, is_kept in zip(everything, kept, strict=True) if is_kept
        ]
        places = {old: new for new, old in enumerate(positions)}
        whole = [pair for pair in self.schemas if places.keys() >= set(pair)]
        return replace(
            self,
            answers=tuple(self.answers[at] for at in positions),
            schemas=tuple((places[first], places[second]) for first, second in whole),
        )


def decide(costs: Sequence[float], right: int | None, *, drift: float = DRIFT) -> Outcome:
    """Prefer the option with the lowest cost, or none if the two lowest are equal within drift.

    An infinite cost means that an option is impossible. Two infinite costs are equal.

    >>> decide((3.5, 2.0), right=1).verdict.value, decide((2.0, 2.0), right=1).verdict.value
    ('solved', 'undecided')
    """
    if len(costs) < 2 or any(map(ne, costs, costs)):  # only NaN differs from itself
        raise MetricError(f"no option can be chosen by the costs {tuple(costs)}")
    if right is not None and not 0 <= right < len(costs):
        raise MetricError(f"option {right + 1} cannot be right; there are {len(costs)}")
    lowest, next_lowest = sorted(costs)[:2]
    margin = 0.0 if lowest == next_lowest else next_lowest - lowest
    chosen = None if margin <= drift else costs.index(lowest)
    return Outcome(tuple(costs), chosen, right, margin)


def cluster_tags(tags: Iterable[str]) -> frozenset[str]:
    """Return the tags that name a cluster.

    >>> cluster_tags(["cluster:owl", "difficulty:3"])
    frozenset({'cluster:owl'})
    """
    return frozenset(tag for tag in tags if tag.startswith(CLUSTER))
