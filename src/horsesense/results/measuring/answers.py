"""The answers that are measured: sheets as samples and in pairs. Nothing is measured here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from horsesense.metrics import Paired, Sample, Ties, sample_of
from horsesense.metrics.statistics import RESAMPLES, SEED
from horsesense.results import ALL, ORIGINAL, DatasetSubject, ModelSubject, ResultKey, Variant
from horsesense.results.measuring.pairing import Laid, Pairing, Problem, laid
from horsesense.results.measuring.parts import splits
from horsesense.scoring.outcome import Sheet

# Which two problems make a schema, each problem by its entry and number.
Schemas: TypeAlias = Sequence[tuple[Problem, Problem]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """All sheets, who answered what, and how they are to be measured.

    `regrouped` has the schemas of a form's compared form as they are grouped beside it, by dataset
    and form; those of an entry in the order of its own schemas in that form.
    """

    sheets: Mapping[ResultKey, Sheet]
    models: Sequence[ModelSubject]
    datasets: Sequence[DatasetSubject]
    forms: Sequence[Variant]
    subsets: Sequence[str] = ()
    regrouped: Mapping[tuple[str, str], Schemas] = field(default_factory=dict)
    ties: Ties = Ties.FAILED
    resamples: int = RESAMPLES
    seed: int = SEED
    _kept: dict[ResultKey, Laid] = field(default_factory=dict)
    _pairing: Pairing = field(default_factory=Pairing)

    def form(self, dataset: str, name: str = ORIGINAL) -> Variant | None:
        """The form of that name, if the dataset was posed in it."""
        named = (form for form in self.forms if (form.dataset, form.name) == (dataset, name))
        return next(named, None)

    def at(self, form: Variant) -> Iterator[tuple[ModelSubject, ResultKey]]:
        """Where there are answers to a form, in the order of models and methods."""
        for model in self.models:
            for method in model.methods:
                address = ResultKey(model.name, form.dataset, form.name, ALL, method)
                if address in self.sheets:
                    yield model, address

    def standard(self, form: Variant) -> Iterator[tuple[ModelSubject, ResultKey]]:
        """The same for the methods that were chosen beforehand."""
        for model, address in self.at(form):
            if is_standard(model, address):
                yield model, address

    def is_labelled(self, address: ResultKey) -> bool:
        """True where the right option of some problem is known."""
        return len(self.sample(address).problems) > 0

    def sample(self, address: ResultKey) -> Sample:
        """The answers to problems whose right option is known."""
        return self._laid(address).sample

    def unlabelled(self, address: ResultKey) -> Sample:
        """All answers, for what was chosen; that the first option is right is made up."""
        sheet = self.sheets[address]
        right = (replace(one, outcome=replace(one.outcome, right=0)) for one in sheet.answers)
        return self._marked(address, sample_of(replace(sheet, answers=tuple(right))))

    def pair(self, before: ResultKey, after: ResultKey, *, by_schema: bool = False) -> Paired:
        """What two sheets have in common, problem by problem or only schema by schema."""
        sheets = self._regrouped(before, after), self._laid(after)
        return self._pairing.paired(*sheets, by_schema=by_schema)

    def _laid(self, address: ResultKey) -> Laid:
        if address not in self._kept:
            sheet = self.sheets[address]
            sample = self._marked(address, sample_of(sheet, ties=self.ties))
            self._kept[address] = laid(sheet, sample)
        return self._kept[address]

    def _regrouped(self, before: ResultKey, after: ResultKey) -> Laid:
        """What is before, its schemas grouped as beside the form after."""
        schemas = self.regrouped.get((after.dataset, after.variant))
        if schemas is None or before.variant == after.variant:
            return self._laid(before)
        return self._laid(before).regrouped(schemas)

    def _marked(self, address: ResultKey, sample: Sample) -> Sample:
        """The sample with the marks that subsets are made by, few of many.

        What is marked of some problem of the dataset is known, if only to hold of none here.
        """
        tags = self._tags.get(address.dataset, ())
        nowhere = dict.fromkeys(tags, np.zeros(len(sample.problems), bool))
        known = {**nowhere, **sample.marks}
        return replace(sample, marks={name: known[name] for name in self._asked & known.keys()})

    @cached_property
    def _asked(self) -> set[str]:
        return {word for one in splits(self.subsets) for word in re.findall(r"[^\s()]+", one)}

    @cached_property
    def _tags(self) -> dict[str, tuple[str, ...]]:
        return {dataset.name: dataset.tags for dataset in self.datasets}


def is_standard(model: ModelSubject, address: ResultKey) -> bool:
    """Whether the method there was chosen beforehand."""
    return dict(model.standard).get(address.dataset) == address.method
