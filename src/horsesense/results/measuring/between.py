"""One address against another: changes and differences, from the same resamples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from horsesense.errors import MetricError
from horsesense.metrics import METRICS, Applies, Metric, Paired
from horsesense.metrics.statistics import bootstrap
from horsesense.results import ALL, Estimate, Kind, ResultKey
from horsesense.results.measuring.answers import Answers
from horsesense.results.measuring.families import among
from horsesense.results.measuring.parts import parts_of
from horsesense.results.measuring.rows import ACCURACIES, Between, Tested, not_measured
from horsesense.results.measuring.significance import Terms, difference_test

# The differences of accuracies, as metrics of two samples.
_DIFFERENCES = (METRICS["accuracy-difference"], METRICS["schema-accuracy-difference"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What is to be measured of one address against another.

    `changes` has the metrics of changes in each subset; accuracies are compared in all of these.
    `by_schema` is set where no problems correspond, `with_thesis` where the thesis' p is wanted.
    """

    of: ResultKey
    against: ResultKey
    changes: Mapping[str, Sequence[Metric]]
    family: str
    by_schema: bool = False
    with_thesis: bool = False


def compare(answers: Answers, comparison: Comparison) -> Iterator[Estimate]:
    """The changes and differences in every subset that is known, or why there are none.

    A form may mark other problems than that with which it is compared, such as those whose answers
    are of equal length. The latter's marks make the subsets, so that the problems are the same for
    every form; of models, both have to agree.
    """
    of, against = comparison.of, comparison.against
    try:
        pair = answers.pair(against, of, by_schema=comparison.by_schema)
    except MetricError as error:
        for metric in comparison.changes[ALL]:
            yield not_measured(Kind.CHANGE, metric, str(error), of=of, against=against)
        for metric in ACCURACIES:
            yield not_measured(Kind.DIFFERENCE, metric, str(error), of=of, against=against)
        return
    if of.variant != against.variant:
        pair = replace(pair, after=replace(pair.after, marks={}))
    for subset, part in parts_of(pair, comparison.changes).items():
        place = Between(of.replace(subset=subset), against.replace(subset=subset), part)
        family = comparison.family + among(place.of)
        terms = Terms(family, answers.seed, comparison.with_thesis)
        yield from compare_at(answers, place, comparison.changes[subset], terms)


def compare_at(
    answers: Answers, place: Between, changes: Sequence[Metric], terms: Terms
) -> Iterator[Estimate]:
    """The changes as far as they apply, and the differences of accuracies."""
    metrics = [metric for metric in changes if _applies(metric, place.data)]
    found = bootstrap(
        [*_DIFFERENCES, *metrics], place.data, resamples=answers.resamples, seed=answers.seed
    )
    differences, changed = found[: len(_DIFFERENCES)], found[len(_DIFFERENCES) :]
    for metric, one in zip(metrics, changed, strict=True):
        yield place.change(metric, one)
    for metric, one in zip(ACCURACIES, differences, strict=True):
        tested = Tested()
        if one.estimate is not None:
            tested = difference_test(metric, place.data, terms, of_same=place.of_same)
        yield place.difference(metric, one, tested)


def _applies(metric: Metric, pair: Paired) -> bool:
    return pair.problems is not None or metric.declared.applies is not Applies.PROBLEMS
