"""Values: accuracies and their like under every key, the best method, and which options are chosen.

Picking the best method by its accuracy flatters, for of several methods the luckiest is the best.
So the choice is made anew in each resample, and the reason tells how often each method was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from horsesense.errors import MetricError
from horsesense.metrics import METRICS, Metric, responses
from horsesense.metrics.robustness import BEST, share_problems
from horsesense.metrics.statistics import BootstrappedBest, bootstrap, bootstrap_best
from horsesense.results import ALL, Estimate, Kind, OptionCount, ResultKey, Variant
from horsesense.results.measuring.answers import Answers, all_subsets, is_standard, parts_of
from horsesense.results.measuring.estimates import (
    ACCURACIES,
    At,
    Terms,
    Tested,
    chance_test,
    family_of_values,
    not_measured,
)

_FIRST_OPTION = METRICS["first-option-share"]
_OF_SCHEMAS = (METRICS["half-solved-share"], METRICS["anti-solved-share"])
# A log may tell whether a problem was solved, and not what its options cost.
_TWO_OPTIONS, _NOT_TOLD = 2, 0


def values(answers: Answers, variant: Variant) -> Iterator[Estimate]:
    """All values of a variant, by every method; where nothing is right, only what was chosen."""
    for model, address in answers.at(variant):
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


def best(answers: Answers, original: Variant) -> Iterator[Estimate]:
    """The best method of each model that has several, on the problems that all of them answer."""
    for model in answers.models:
        addresses = [address for one, address in answers.at(original) if one is model]
        if len(addresses) > 1:
            yield from _best(answers, addresses)


def _best(answers: Answers, addresses: list[ResultKey]) -> Iterator[Estimate]:
    of, methods = addresses[0].replace(method=BEST), [one.method for one in addresses]
    try:
        shared = share_problems([answers.sheets[one] for one in addresses], ALL, frozenset())
    except MetricError as error:
        for metric in ACCURACIES:
            yield not_measured(Kind.VALUE, metric, str(error), of=of)
        return
    samples = dict(zip(methods, shared.samples(answers.ties), strict=True))
    for metric in ACCURACIES:
        found = bootstrap_best(metric, samples, resamples=answers.resamples, seed=answers.seed)
        chosen = found.best[0] if found.best else methods[0]
        yield At(of, samples[chosen]).value(
            metric, found.value, Tested(reason=_told(found, shared.dropped))
        )


def _told(found: BootstrappedBest, dropped: int) -> str:
    """In how many resamples each method was chosen, the most chosen first; and on what."""
    often = sorted(found.chosen.items(), key=lambda one: -one[1])
    chosen = [(name, share) for name, share in often if share]
    if not chosen:
        return ""
    (first, most), *others = chosen
    listed = [
        f"{first} (in {_percent(most)} of the resamples)",
        *(f"{name} ({_percent(share)})" for name, share in others),
    ]
    told = f"chosen by the data: {', '.join(listed)}"
    return f"{told}; without {dropped} problems that not all of them answer" if dropped else told


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else "< 1 %"


# More texts than these are no few answers that are given again and again.
_MOST_TEXTS = 4


def options(answers: Answers, variant: Variant) -> Iterator[OptionCount]:
    """What was chosen on a variant by each model's standard method."""
    for _, of in answers.standard(variant):
        found = responses(answers.sheets[of])
        texts = found.texts if len(found.texts) <= _MOST_TEXTS else ()
        for one in (*found.positions, *texts):
            yield OptionCount(of, one.option, int(one.share.count), int(one.share.total))
