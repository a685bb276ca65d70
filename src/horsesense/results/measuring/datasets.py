"""Datasets against each other: they are other schemas, so nothing is paired (thesis 4.2, 4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from horsesense.metrics import Paired, Sample
from horsesense.results import Estimate, ModelSubject, ResultKey
from horsesense.results.measuring.answers import Answers
from horsesense.results.measuring.between import compare_at
from horsesense.results.measuring.families import family_of_datasets
from horsesense.results.measuring.parts import ANY_AND_EQUAL, part_of
from horsesense.results.measuring.rows import Between
from horsesense.results.measuring.significance import Terms
from horsesense.results.measuring.subsets import apart


def datasets_compared(answers: Answers, model: ModelSubject) -> Iterator[Estimate]:
    """A model on each dataset against every earlier one, each by its standard method."""
    originals = [answers.form(dataset.name) for dataset in answers.datasets]
    known = [
        address
        for form in originals
        if form is not None
        for one, address in answers.standard(form)
        if one is model and answers.is_labelled(address)
    ]
    for against, of in combinations(known, 2):
        for subset in ANY_AND_EQUAL:
            yield from _differences(
                answers,
                of.replace(subset=subset),
                against.replace(subset=subset),
                with_thesis=not model.is_baseline,
            )


def _differences(
    answers: Answers, of: ResultKey, against: ResultKey, *, with_thesis: bool
) -> Iterator[Estimate]:
    before, after = (part_of(answers.sample(one.whole), one.subset) for one in (against, of))
    if before is None or after is None:
        return
    place = Between(of, against, _in_one_urn(before, after), of_same=False)
    terms = Terms(family_of_datasets(of), answers.seed, with_thesis)
    yield from compare_at(answers, place, (), terms)


def _in_one_urn(before: Sample, after: Sample) -> Paired:
    """The samples with their clusters numbered one after another, none of which they share."""
    total = before.cluster_count + after.cluster_count
    later = after.clusters + before.cluster_count
    return apart(
        replace(before, cluster_count=total), replace(after, clusters=later, cluster_count=total)
    )
