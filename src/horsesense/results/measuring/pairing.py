"""Pairing: which answers of two sheets correspond, found once for all that are laid out alike.

A model has many sheets with answers to the same problems, one for each method, and other models
have them too. What corresponds depends on the problems and schemas only, and not on the answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from horsesense.metrics import Paired, Sample, match, match_schemas
from horsesense.scoring.outcome import Answer, Outcome, Sheet, Verdict

Problem: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """The problems of a sheet, and which two of them make a schema, by their positions.

    `clusters` has the tags of each problem that name a cluster.
    """

    problems: tuple[Problem, ...]
    schemas: tuple[tuple[int, int], ...]
    clusters: tuple[frozenset[str], ...]

    def blank(self, name: str) -> Sheet:
        """A sheet on which each answer has chosen the position that it stands at."""
        answers = (
            Answer(entry, number, Outcome((), at, at, 0.0), tags=self.clusters[at])
            for at, (entry, number) in enumerate(self.problems)
        )
        return Sheet(name, tuple(answers), self.schemas)


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Answers as a sample, and how they are laid out; the name is that of the sheet."""

    name: str
    sample: Sample
    layout: Layout

    def regrouped(self, schemas: Iterable[tuple[Problem, Problem]]) -> Laid:
        """The same answers in other schemas, as far as both their problems are answered."""
        places = {problem: at for at, problem in enumerate(self.layout.problems)}
        pairs = tuple(
            (places[first], places[second])
            for first, second in schemas
            if first in places and second in places
        )
        positions = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        sample, layout = (
            replace(self.sample, schemas=positions),
            replace(self.layout, schemas=pairs),
        )
        return Laid(self.name, sample, layout)


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """Pairs answers, and keeps which correspond in which layouts."""

    _blank: dict[tuple[Layout, Layout, bool], Paired] = field(default_factory=dict)

    def paired(self, before: Laid, after: Laid, *, by_schema: bool) -> Paired:
        """What two sheets have in common, problem by problem, or only schema by schema."""
        key = before.layout, after.layout, by_schema
        if key not in self._blank:
            matched = match_schemas if by_schema else match
            sheets = before.layout.blank(before.name), after.layout.blank(after.name)
            self._blank[key] = matched(*sheets).paired
        blank = self._blank[key]
        return replace(
            blank,
            before=_filled_in(blank.before, before.sample),
            after=_filled_in(blank.after, after.sample),
        )


def laid(sheet: Sheet, sample: Sample) -> Laid:
    """A sheet of which the sample has all answers to problems whose right option is known."""
    known = [one for one in sheet.answers if one.outcome.verdict is not Verdict.UNLABELLED]
    schemas = tuple((first, second) for first, second in sample.schemas.tolist())
    problems, clusters = tuple(one.problem for one in known), tuple(one.clusters for one in known)
    return Laid(sheet.name, sample, Layout(problems, schemas, clusters))


def _filled_in(blank: Sample, sample: Sample) -> Sample:
    """The answers of the sample at the positions that were chosen on the blank sheet."""
    kept = blank.chosen
    return replace(
        blank,
        problems=sample.problems[kept],
        chosen=None if sample.chosen is None else sample.chosen[kept],
        marks={name: mark[kept] for name, mark in sample.marks.items()},
    )
