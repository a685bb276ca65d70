"""The answers of a run as samples, pairs of samples and subsets, ready to be measured.

Most answer sets of a run have the same problems: one for each model and method. Which answers of
two answer sets correspond depends only on their problems and schemas (the layout), so the pairing
is computed once per pair of layouts.
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
from horsesense.scoring.outcome import EQUAL_LENGTH, Answer, AnswerSet, Outcome

Problem: TypeAlias = tuple[str, int]
# Pairs of problems that make schemas.
Schemas: TypeAlias = Sequence[tuple[Problem, Problem]]


@dataclass(frozen=True, slots=True)
class Layout:
    """The labelled problems of an answer set, and the pairs of positions that make schemas.

    `clusters` holds the cluster tags of each problem.
    """

    problems: tuple[Problem, ...]
    schemas: tuple[tuple[int, int], ...]
    clusters: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, answer_set: AnswerSet) -> Layout:
        """Return the layout of the labelled answers of an answer set."""
        labelled = answer_set.labelled()
        return cls(
            tuple(answer.problem for answer in labelled.answers),
            labelled.schemas,
            tuple(answer.clusters for answer in labelled.answers),
        )

    def regrouped(self, schemas: Schemas) -> Layout:
        """Group the same problems into other schemas, where both problems of a schema are here."""
        positions = {problem: position for position, problem in enumerate(self.problems)}
        pairs = tuple(
            (positions[first], positions[second])
            for first, second in schemas
            if first in positions and second in positions
        )
        return replace(self, schemas=pairs)

    def blank(self, name: str) -> AnswerSet:
        """Make an answer set in which each answer chooses its own position."""
        answers = (
            Answer(
                entry, number, Outcome((), position, position, 0.0), tags=self.clusters[position]
            )
            for position, (entry, number) in enumerate(self.problems)
        )
        return AnswerSet(name, tuple(answers), self.schemas)


def _filled_in(blank: Sample, sample: Sample) -> Sample:
    """Put the answers of the sample at the positions that the blank sample chose."""
    kept = blank.chosen
    return replace(
        blank,
        problems=sample.problems[kept],
        chosen=None if sample.chosen is None else sample.chosen[kept],
        marks={name: mark[kept] for name, mark in sample.marks.items()},
    )


ASSOCIATIVE = "associative"
# The subsets that most tables show side by side.
ANY_AND_EQUAL = (ALL, EQUAL_LENGTH)

D = TypeVar("D", Sample, Paired)


def complement_of(expression: str) -> str:
    """Return the expression for all other problems.

    >>> complement_of("associative"), complement_of("old and tall")
    ('not associative', 'not (old and tall)')
    """
    return f"not {expression}" if len(expression.split()) == 1 else f"not ({expression})"


def splits(own: Sequence[str]) -> list[str]:
    """List the expressions to split data by: the usual two, and those of the user.

    >>> splits(["old", "associative"])
    ['equal-length', 'associative', 'old']
    """
    listed = dict.fromkeys((EQUAL_LENGTH, ASSOCIATIVE, *own))
    return [expression for expression in listed if expression != ALL]


def all_subsets(own: Sequence[str]) -> list[str]:
    """List all subsets: all problems, and both sides of each split.

    >>> all_subsets([])
    ['all', 'equal-length', 'not equal-length', 'associative', 'not associative']
    """
    both = ((expression, complement_of(expression)) for expression in splits(own))
    return [ALL, *(side for sides in both for side in sides)]


def parts_of(data: D, expressions: Iterable[str]) -> dict[str, D]:
    """Return the subsets of the data by expression, without those that name unknown tags."""
    parts = {}
    for expression in expressions:
        part = part_of(data, expression)
        if part is not None:
            parts[expression] = part
    return parts


def part_of(data: D, expression: str) -> D | None:
    """Return a subset of the data, or None if the expression names an unknown tag."""
    try:
        return data if expression == ALL else subset(data, expression)
    except UnknownNameError:
        return None


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """All answer sets of a run with their models, datasets and variants, and how to measure them.

    `subsets` are expressions in addition to the usual ones. `regrouped` maps a dataset and variant
    to the schemas of the variant it is compared with, grouped to match its own; those of an entry
    are in the order of its schemas in that variant.
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
    _samples: dict[ResultKey, Sample] = field(default_factory=dict)
    _layouts: dict[ResultKey, Layout] = field(default_factory=dict)
    _blank_pairs: dict[tuple[Layout, Layout, bool], Paired] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for expression in self.subsets:
            condition(expression)  # raises an error for a malformed expression

    def variant(self, dataset: str, name: str = ORIGINAL) -> Variant | None:
        """Return a variant of a dataset, or None."""
        matching = (
            variant
            for variant in self.variants
            if (variant.dataset, variant.name) == (dataset, name)
        )
        return next(matching, None)

    def keys_of(self, variant: Variant) -> Iterator[tuple[ModelSubject, ResultKey]]:
        """Iterate over the answer sets of a variant: model and key, by model and method."""
        for model in self.models:
            for method in model.methods:
                key = ResultKey(model.name, variant.dataset, variant.name, ALL, method)
                if key in self.answer_sets:
                    yield model, key

    def standard(self, variant: Variant) -> Iterator[tuple[ModelSubject, ResultKey]]:
        """Iterate over the answer sets of a variant by the standard methods only."""
        for model, key in self.keys_of(variant):
            if is_standard(model, key):
                yield model, key

    def is_labelled(self, key: ResultKey) -> bool:
        """Whether the right option of any problem is known."""
        return len(self.sample(key).problems) > 0

    def sample(self, key: ResultKey) -> Sample:
        """Return the answers to problems whose right option is known."""
        if key not in self._samples:
            answer_set = self.answer_sets[key]
            self._samples[key] = self._marked(key, sample_of(answer_set, ties=self.ties))
        return self._samples[key]

    def unlabelled(self, key: ResultKey) -> Sample:
        """Return all answers, to count choices; the first option is labelled right arbitrarily."""
        answer_set = self.answer_sets[key]
        right = (
            replace(answer, outcome=replace(answer.outcome, right=0))
            for answer in answer_set.answers
        )
        return self._marked(key, sample_of(replace(answer_set, answers=tuple(right))))

    def pair(self, before: ResultKey, after: ResultKey, *, by_schema: bool = False) -> Paired:
        """Pair what two answer sets have in common, by problem or only by schema."""
        layouts = self._layout(before), self._layout(after)
        schemas = self.regrouped.get((after.dataset, after.variant))
        if schemas is not None and before.variant != after.variant:
            layouts = layouts[0].regrouped(schemas), layouts[1]
        if (*layouts, by_schema) not in self._blank_pairs:
            names = (self.answer_sets[key].name for key in (before, after))
            blanks = [layout.blank(name) for layout, name in zip(layouts, names, strict=True)]
            blank_pair = match_schemas(*blanks) if by_schema else match(*blanks)
            self._blank_pairs[*layouts, by_schema] = blank_pair
        blank_pair = self._blank_pairs[*layouts, by_schema]
        return replace(
            blank_pair,
            before=_filled_in(blank_pair.before, self.sample(before)),
            after=_filled_in(blank_pair.after, self.sample(after)),
        )

    def _layout(self, key: ResultKey) -> Layout:
        if key not in self._layouts:
            self._layouts[key] = Layout.of(self.answer_sets[key])
        return self._layouts[key]

    def _marked(self, key: ResultKey, sample: Sample) -> Sample:
        """Keep only the marks that subsets refer to.

        A tag of the dataset is known even if no problem in the sample has it.
        """
        tags = self._tags.get(key.dataset, ())
        nowhere = dict.fromkeys(tags, np.zeros(len(sample.problems), bool))
        labelled_answers = {**nowhere, **sample.marks}
        return replace(
            sample,
            marks={name: labelled_answers[name] for name in self._words & labelled_answers.keys()},
        )

    @cached_property
    def _words(self) -> set[str]:
        return {word for split in splits(self.subsets) for word in re.findall(r"[^\s()]+", split)}

    @cached_property
    def _tags(self) -> dict[str, tuple[str, ...]]:
        return {dataset.name: dataset.tags for dataset in self.datasets}


def is_standard(model: ModelSubject, key: ResultKey) -> bool:
    """Whether the method of a key is the standard one."""
    return dict(model.standard).get(key.dataset) == key.method
