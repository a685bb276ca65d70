"""The answers that are measured: as samples, in pairs, and in subsets. Nothing is measured here.

A model has many answer sets with answers to the same problems, one for each method, and other
models have them too. Which answers of two answer sets correspond depends on the problems and
schemas only, so it is found once for all answer sets with the same layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np

from horsesense.errors import UnknownNameError
from horsesense.metrics import (
    Paired,
    Sample,
    Ties,
    condition,
    match,
    match_schemas,
    sample_of,
    subset,
)
from horsesense.metrics.statistics import RESAMPLES, SEED
from horsesense.results import ALL, ORIGINAL, DatasetSubject, ModelSubject, ResultKey, Variant
from horsesense.scoring.outcome import EQUAL_LENGTH, Answer, AnswerSet, Outcome, Verdict

Problem: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """The problems of an answer set, and which two of them make a schema, by their positions.

    `clusters` has the tags of each problem that name a cluster.
    """

    problems: tuple[Problem, ...]
    schemas: tuple[tuple[int, int], ...]
    clusters: tuple[frozenset[str], ...]

    def blank(self, name: str) -> AnswerSet:
        """An answer set on which each answer has chosen the position that it stands at."""
        answers = (
            Answer(entry, number, Outcome((), at, at, 0.0), tags=self.clusters[at])
            for at, (entry, number) in enumerate(self.problems)
        )
        return AnswerSet(name, tuple(answers), self.schemas)


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Answers as a sample, and how they are laid out; the name is that of the answer set."""

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
        """What two answer sets have in common, problem by problem, or only schema by schema."""
        key = before.layout, after.layout, by_schema
        if key not in self._blank:
            matched = match_schemas if by_schema else match
            answer_sets = before.layout.blank(before.name), after.layout.blank(after.name)
            self._blank[key] = matched(*answer_sets)
        blank = self._blank[key]
        return replace(
            blank,
            before=_filled_in(blank.before, before.sample),
            after=_filled_in(blank.after, after.sample),
        )


def laid(answer_set: AnswerSet, sample: Sample) -> Laid:
    """An answer set of which the sample has all answers to problems whose right option is known."""
    known = [
        answer for answer in answer_set.answers if answer.outcome.verdict is not Verdict.UNLABELLED
    ]
    schemas = tuple((first, second) for first, second in sample.schemas.tolist())
    problems = tuple(answer.problem for answer in known)
    clusters = tuple(answer.clusters for answer in known)
    return Laid(answer_set.name, sample, Layout(problems, schemas, clusters))


def _filled_in(blank: Sample, sample: Sample) -> Sample:
    """The answers of the sample at the positions that were chosen on the blank answer set."""
    kept = blank.chosen
    return replace(
        blank,
        problems=sample.problems[kept],
        chosen=None if sample.chosen is None else sample.chosen[kept],
        marks={name: mark[kept] for name, mark in sample.marks.items()},
    )


ASSOCIATIVE = "associative"
# As tables with answers of any length and of equal length have them.
ANY_AND_EQUAL = (ALL, EQUAL_LENGTH)

D = TypeVar("D", Sample, Paired)


def complement_of(expression: str) -> str:
    """The expression of all other problems.

    >>> complement_of("associative"), complement_of("old and tall")
    ('not associative', 'not (old and tall)')
    """
    return f"not {expression}" if len(expression.split()) == 1 else f"not ({expression})"


def splits(own: Sequence[str]) -> list[str]:
    """By what data may be split: equal length, associativity, and expressions of the user's own.

    >>> splits(["old", "associative"])
    ['equal-length', 'associative', 'old']
    """
    listed = dict.fromkeys((EQUAL_LENGTH, ASSOCIATIVE, *own))
    return [expression for expression in listed if expression != ALL]


def all_subsets(own: Sequence[str]) -> list[str]:
    """All problems, and both sides of each split.

    >>> all_subsets([])
    ['all', 'equal-length', 'not equal-length', 'associative', 'not associative']
    """
    both = ((expression, complement_of(expression)) for expression in splits(own))
    return [ALL, *(side for sides in both for side in sides)]


def parts_of(data: D, expressions: Iterable[str]) -> dict[str, D]:
    """The subsets of the data by their expressions, but for those that name what is unknown."""
    parts = {}
    for expression in expressions:
        part = part_of(data, expression)
        if part is not None:
            parts[expression] = part
    return parts


def part_of(data: D, expression: str) -> D | None:
    """The problems of which it holds; None where nothing says of which."""
    try:
        return data if expression == ALL else subset(data, expression)
    except UnknownNameError:
        return None


# Which two problems make a schema, each problem by its entry and number.
Schemas: TypeAlias = Sequence[tuple[Problem, Problem]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """All answer sets, who answered what, and how they are to be measured.

    `subsets` are expressions besides the usual ones. `regrouped` has, by dataset and variant, the
    schemas of what the variant is compared with as they are grouped beside it; those of an entry in
    the order of its own schemas in that variant.
    """

    answer_sets: Mapping[ResultKey, AnswerSet]
    models: Sequence[ModelSubject]
    datasets: Sequence[DatasetSubject]
    variants: Sequence[Variant]
    subsets: Sequence[str] = ()
    regrouped: Mapping[tuple[str, str], Schemas] = field(default_factory=dict)
    ties: Ties = Ties.FAILED
    resamples: int = RESAMPLES
    seed: int = SEED
    _kept: dict[ResultKey, Laid] = field(default_factory=dict)
    _pairing: Pairing = field(default_factory=Pairing)

    def __post_init__(self) -> None:
        for expression in self.subsets:
            condition(expression)  # raises an error that points at a mistake in it

    def variant(self, dataset: str, name: str = ORIGINAL) -> Variant | None:
        """The variant of that name, if the dataset was posed in it."""
        named = (
            variant
            for variant in self.variants
            if (variant.dataset, variant.name) == (dataset, name)
        )
        return next(named, None)

    def keys_of(self, variant: Variant) -> Iterator[tuple[ModelSubject, ResultKey]]:
        """The keys of all answers to a variant with their models, by model and method."""
        for model in self.models:
            for method in model.methods:
                key = ResultKey(model.name, variant.dataset, variant.name, ALL, method)
                if key in self.answer_sets:
                    yield model, key

    def standard(self, variant: Variant) -> Iterator[tuple[ModelSubject, ResultKey]]:
        """The same for the methods that were chosen beforehand."""
        for model, key in self.keys_of(variant):
            if is_standard(model, key):
                yield model, key

    def is_labelled(self, key: ResultKey) -> bool:
        """True where the right option of some problem is known."""
        return len(self.sample(key).problems) > 0

    def sample(self, key: ResultKey) -> Sample:
        """The answers to problems whose right option is known."""
        return self._laid(key).sample

    def unlabelled(self, key: ResultKey) -> Sample:
        """All answers, for what was chosen; that the first option is right is made up."""
        answer_set = self.answer_sets[key]
        right = (
            replace(answer, outcome=replace(answer.outcome, right=0))
            for answer in answer_set.answers
        )
        return self._marked(key, sample_of(replace(answer_set, answers=tuple(right))))

    def pair(self, before: ResultKey, after: ResultKey, *, by_schema: bool = False) -> Paired:
        """What two answer sets have in common, problem by problem or only schema by schema."""
        answer_sets = self._regrouped(before, after), self._laid(after)
        return self._pairing.paired(*answer_sets, by_schema=by_schema)

    def _laid(self, key: ResultKey) -> Laid:
        if key not in self._kept:
            answer_set = self.answer_sets[key]
            sample = self._marked(key, sample_of(answer_set, ties=self.ties))
            self._kept[key] = laid(answer_set, sample)
        return self._kept[key]

    def _regrouped(self, before: ResultKey, after: ResultKey) -> Laid:
        """What is before, its schemas grouped as beside the variant after."""
        schemas = self.regrouped.get((after.dataset, after.variant))
        if schemas is None or before.variant == after.variant:
            return self._laid(before)
        return self._laid(before).regrouped(schemas)

    def _marked(self, key: ResultKey, sample: Sample) -> Sample:
        """The sample with the marks that subsets are made by, few of many.

        What is marked of some problem of the dataset is known, if only to hold of none here.
        """
        tags = self._tags.get(key.dataset, ())
        nowhere = dict.fromkeys(tags, np.zeros(len(sample.problems), bool))
        known = {**nowhere, **sample.marks}
        return replace(sample, marks={name: known[name] for name in self._asked & known.keys()})

    @cached_property
    def _asked(self) -> set[str]:
        return {word for split in splits(self.subsets) for word in re.findall(r"[^\s()]+", split)}

    @cached_property
    def _tags(self) -> dict[str, tuple[str, ...]]:
        return {dataset.name: dataset.tags for dataset in self.datasets}


def is_standard(model: ModelSubject, key: ResultKey) -> bool:
    """Whether the method there was chosen beforehand."""
    return dict(model.standard).get(key.dataset) == key.method
