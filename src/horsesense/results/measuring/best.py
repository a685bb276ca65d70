"""The best method by the data: what picking one by its accuracy gives, and how stable that is.

It flatters, for of several methods the luckiest is the best. So the choice is made anew in each
resample, and the reason tells how often each method was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.errors import MetricError
from horsesense.metrics.robustness import BEST, share_problems
from horsesense.metrics.statistics import BootstrappedBest, bootstrap_best
from horsesense.results import ALL, Estimate, Kind, ResultKey, Variant
from horsesense.results.measuring.answers import Answers
from horsesense.results.measuring.rows import ACCURACIES, At, Tested, not_measured


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
