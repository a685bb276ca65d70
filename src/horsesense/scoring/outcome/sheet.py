"""Answer sheets: what was answered to every problem of a dataset, by one model and one method."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from horsesense.errors import MetricError
from horsesense.schema import CLUSTER
from horsesense.scoring.outcome.outcome import Outcome, Verdict

# Tags that are found in problems: answers with equally many tokens, and one token after the blank.
EQUAL_LENGTH, SECOND_LAST = "equal-length", "second-last"


def cluster_tags(tags: Iterable[str]) -> frozenset[str]:
    """Those of the tags that name a cluster.

    >>> cluster_tags(["cluster:owl", "difficulty:3"])
    frozenset({'cluster:owl'})
    """
    return frozenset(tag for tag in tags if tag.startswith(CLUSTER))


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered to one problem.

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
class Sheet:
    """All answers of a run, and which two of them answer a schema.

    `schemas` are pairs of positions among the answers. Answers to the problems of one entry hang
    together, and so do those with a tag of the same cluster. `remarks` tell what is to be known of
    them, such as what was left out. `marks` are tags that were looked for: one that holds of
    nothing is known all the same.
    """

    name: str
    answers: tuple[Answer, ...]
    schemas: tuple[tuple[int, int], ...]
    remarks: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        seen: set[tuple[str, int]] = set()
        for one in self.answers:
            if one.problem in seen:
                raise MetricError(
                    f"{self.name}: problem {one.number} of {one.entry} is answered twice;"
                    " give one answer to each"
                )
            seen.add(one.problem)

    @property
    def tags(self) -> frozenset[str]:
        """Every tag that holds of an answer, or was looked for; none that names a cluster."""
        held = self.marks.union(*(one.tags for one in self.answers))
        return frozenset(tag for tag in held if not tag.startswith(CLUSTER))

    def labelled(self) -> Sheet:
        """The sheet without problems whose right option is not known."""
        return self.among(one.outcome.verdict is not Verdict.UNLABELLED for one in self.answers)

    def among(self, kept: Iterable[bool]) -> Sheet:
        """Some of the answers, and the schemas that are left whole."""
        positions = [
            at for at, is_kept in zip(range(len(self.answers)), kept, strict=True) if is_kept
        ]
        places = {at: place for place, at in enumerate(positions)}
        whole = [pair for pair in self.schemas if places.keys() >= set(pair)]
        return replace(
            self,
            answers=tuple(self.answers[at] for at in positions),
            schemas=tuple((places[first], places[second]) for first, second in whole),
        )
