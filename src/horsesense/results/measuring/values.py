"""Values: accuracies and their like at every address, and against chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from horsesense.metrics import METRICS, Metric
from horsesense.metrics.statistics import bootstrap
from horsesense.results import Estimate, ResultKey, Variant
from horsesense.results.measuring.answers import Answers, is_standard
from horsesense.results.measuring.families import family_of_values
from horsesense.results.measuring.parts import all_subsets, parts_of
from horsesense.results.measuring.rows import ACCURACIES, At, Tested
from horsesense.results.measuring.significance import Terms, chance_test

_FIRST_OPTION = METRICS["first-option-share"]
_OF_SCHEMAS = (METRICS["half-solved-share"], METRICS["anti-solved-share"])
# A log may tell whether a problem was solved, and not what its options cost.
_TWO_OPTIONS, _NOT_TOLD = 2, 0


def values(answers: Answers, form: Variant) -> Iterator[Estimate]:
    """All values of a form, by every method; where nothing is right, only what was chosen."""
    for model, address in answers.at(form):
        is_labelled = answers.is_labelled(address)
        sample = answers.sample(address) if is_labelled else answers.unlabelled(address)
        metrics = [*ACCURACIES, *_OF_SCHEMAS] if is_labelled else []
        metrics += [] if sample.chosen is None else [_FIRST_OPTION]
        no_test = _no_test(answers, address)
        for subset, part in parts_of(sample, all_subsets(answers.subsets)).items():
            place = At(address.replace(subset=subset), part)
            family = family_of_values(model, place.of)
            terms = Terms(family, answers.seed, is_standard(model, address), no_test)
            yield from _values(answers, place, metrics, terms)


def _values(
    answers: Answers, place: At, metrics: Sequence[Metric], terms: Terms
) -> Iterator[Estimate]:
    found = bootstrap(metrics, place.data, resamples=answers.resamples, seed=answers.seed)
    for metric, one in zip(metrics, found, strict=True):
        tested = Tested()
        if metric in ACCURACIES and one.estimate is not None:
            tested = chance_test(metric, place.data, terms)
        yield place.value(metric, one, tested)


def _no_test(answers: Answers, address: ResultKey) -> str:
    """Why accuracies cannot be tested against chance, if some problem has not two options."""
    options = {len(one.outcome.costs) for one in answers.sheets[address].answers}
    others = sorted(options - {_TWO_OPTIONS, _NOT_TOLD})
    if not others:
        return ""
    return f"no test: problems with {' or '.join(map(str, others))} options, so chance is not 1/2"
