"""Comparisons: the answers under one key against those under another, from the same resamples.

A perturbation or control is compared with the original, a dyad in another mode with that by answer;
standard methods with other methods, each model with every earlier one, each subset with its
complement (never with the whole), perturbations with each other on the schemas they have in common,
and datasets with each other, where nothing is paired (thesis 4.2, 4.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from horsesense.errors import MetricError, UnknownNameError
from horsesense.metrics import METRICS, Applies, Metric, Paired, Sample, responses, split
from horsesense.metrics.robustness import BEST, share_problems
from horsesense.metrics.statistics import BootstrappedBest, apart, bootstrap, bootstrap_best
from horsesense.metrics.statistics import compare as compare_samples
from horsesense.results import (
    ALL,
    ORIGINAL,
    SCHEMA_LEVEL,
    DatasetSubject,
    Estimate,
    Kind,
    ModelSubject,
    OptionCount,
    ResultKey,
    Variant,
)
from horsesense.results.measuring.answers import (
    ANY_AND_EQUAL,
    ASSOCIATIVE,
    Answers,
    all_subsets,
    complement_of,
    is_standard,
    part_of,
    parts_of,
    splits,
)
from horsesense.results.measuring.estimates import (
    ACCURACIES,
    At,
    Between,
    Terms,
    Tested,
    among,
    chance_test,
    family_of_changes,
    family_of_datasets,
    family_of_methods,
    family_of_models,
    family_of_subsets,
    family_of_values,
    family_of_variants,
    not_measured,
    read_tests,
)

_FIRST_OPTION = METRICS["first-option-share"]
_OF_SCHEMAS = (METRICS["half-solved-share"], METRICS["anti-solved-share"])
# A log may tell whether a problem was solved, and not what its options cost.
_TWO_OPTIONS, _NOT_TOLD = 2, 0


def values(answers: Answers, variant: Variant) -> Iterator[Estimate]:
    """All values of a variant, by every method; where nothing is right, only what was chosen."""
    for model, key in answers.keys_of(variant):
        is_labelled = answers.is_labelled(key)
        sample = answers.sample(key) if is_labelled else answers.unlabelled(key)
        metrics = [*ACCURACIES, *_OF_SCHEMAS] if is_labelled else []
        metrics += [] if sample.chosen is None else [_FIRST_OPTION]
        no_test = _no_test(answers, key)
        for subset, part in parts_of(sample, all_subsets(answers.subsets)).items():
            place = At(key.replace(subset=subset), part)
            family = family_of_values(model, place.of)
            terms = Terms(family, answers.seed, is_standard(model, key), no_test)
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


def _no_test(answers: Answers, key: ResultKey) -> str:
    """Why accuracies cannot be tested against chance, if some problem has not two options."""
    options = {len(answer.outcome.costs) for answer in answers.answer_sets[key].answers}
    others = sorted(options - {_TWO_OPTIONS, _NOT_TOLD})
    if not others:
        return ""
    return f"no test: problems with {' or '.join(map(str, others))} options, so chance is not 1/2"


def best(answers: Answers, original: Variant) -> Iterator[Estimate]:
    """The best method of each model that has several, on the problems that all of them answer."""
    for model in answers.models:
        keys = [key for one, key in answers.keys_of(original) if one is model]
        if len(keys) > 1:
            yield from _best(answers, keys)


def _best(answers: Answers, keys: list[ResultKey]) -> Iterator[Estimate]:
    of, methods = keys[0].replace(method=BEST), [key.method for key in keys]
    try:
        shared = share_problems([answers.answer_sets[key] for key in keys], ALL, frozenset())
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


def _told(bootstrapped_best: BootstrappedBest, dropped: int) -> str:
    """In how many resamples each method was chosen, the most chosen first; and on what."""
    often = sorted(bootstrapped_best.chosen.items(), key=lambda one: -one[1])
    chosen = [(name, share) for name, share in often if share]
    if not chosen:
        return ""
    (first, most), *others = chosen
    listed = [
        f"{first} (in {_percent(most)} of the resamples)",
        *(f"{name} ({_percent(share)})" for name, share in others),
    ]
    message = f"chosen by the data: {', '.join(listed)}"
    return (
        f"{message}; without {dropped} problems that not all of them answer" if dropped else message
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else "< 1 %"


# More texts than these are no few answers that are given again and again.
_MOST_TEXTS = 4


def options(answers: Answers, variant: Variant) -> Iterator[OptionCount]:
    """What was chosen on a variant by each model's standard method."""
    for _, of in answers.standard(variant):
        found = responses(answers.answer_sets[of])
        texts = found.texts if len(found.texts) <= _MOST_TEXTS else {}
        for option, share in (*found.positions.items(), *texts.items()):
            yield OptionCount(of, option, int(share.count), int(share.total))


# The differences of accuracies, as metrics of two samples.
_DIFFERENCES = (METRICS["accuracy-difference"], METRICS["schema-accuracy-difference"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What is to be measured of one key against another.

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

    A variant may mark other problems than what it is compared with, such as those whose answers are
    of equal length. The latter's marks make the subsets, so that the problems are the same for
    every variant; of models, both have to agree.
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
    table = compare_samples(
        ACCURACIES,
        place.data,
        changes=metrics,
        is_shared=place.of_same,
        with_thesis=terms.with_thesis,
        resamples=answers.resamples,
        seed=answers.seed,
    )
    for metric, changed in zip(metrics, table.changes, strict=True):
        yield place.change(metric, changed)
    thesis = {test.metric: test for test in table.thesis}
    for metric, of_both, row in zip(ACCURACIES, _DIFFERENCES, table.rows, strict=True):
        if row.difference.estimate is None:
            undefined = replace(row.difference, reason=of_both.declared.undefined)
            yield place.difference(metric, replace(row, difference=undefined), Tested())
        else:
            yield place.difference(metric, row, read_tests(row, thesis.get(row.metric), terms))


def _applies(metric: Metric, pair: Paired) -> bool:
    return pair.problems is not None or metric.declared.applies is not Applies.PROBLEMS


CONSISTENCIES = tuple(
    METRICS[name]
    for name in (
        "consistency",
        "consistent-accuracy",
        "preserved-accuracy",
        "inversely-preserved-accuracy",
        "schema-consistency",
        "strict-schema-consistency",
        "weak-schema-consistency",
        "consistent-schema-accuracy",
        "preserved-schema-accuracy",
        "inversely-preserved-schema-accuracy",
        "chance-corrected-consistency",
        "gained-share",
        "lost-share",
        "kept-with-other-answers",
    )
)
_RELATIVE = tuple(
    METRICS[name]
    for name in ("relative-loss", "relative-gain", "relative-schema-loss", "relative-schema-gain")
)
_ADJUSTED = tuple(
    METRICS[name]
    for name in ("adjusted-accuracy", "adjusted-schema-accuracy", "adjusted-schema-lower-bound")
)


def changes(answers: Answers, variant: Variant) -> Iterator[Estimate]:
    """A variant against what it is compared with, by every method."""
    for model, of in answers.keys_of(variant):
        against = of.replace(variant=variant.compared)
        if against in answers.answer_sets and answers.is_labelled(of):
            comparison = Comparison(
                of=of,
                against=against,
                changes=_metrics(variant, answers.subsets),
                family=family_of_changes(variant, of),
                by_schema=variant.level == SCHEMA_LEVEL,
                with_thesis=is_standard(model, of) and not model.is_baseline,
            )
            yield from compare(answers, comparison)


def _metrics(variant: Variant, own: Sequence[str]) -> dict[str, Sequence[Metric]]:
    """The metrics of changes in each subset; in most, only accuracies are compared."""
    whole = (*CONSISTENCIES, *_RELATIVE, *(_ADJUSTED if variant.is_control else ()))
    message = (ALL, ASSOCIATIVE, complement_of(ASSOCIATIVE)) if variant.is_control else (ALL,)
    return {subset: whole if subset in message else () for subset in all_subsets(own)}


def methods(answers: Answers, original: Variant) -> Iterator[Estimate]:
    """Every model's standard method against its others; the identity is the transformation."""
    for model, of in answers.standard(original):
        for method in model.methods:
            against = of.replace(method=method)
            if method != of.method and against in answers.answer_sets:
                comparison = Comparison(
                    of=of,
                    against=against,
                    changes=dict.fromkeys(ANY_AND_EQUAL, CONSISTENCIES),
                    family=family_of_methods(of),
                    with_thesis=not model.is_baseline,
                )
                yield from compare(answers, comparison)


_CONSISTENCIES = (METRICS["consistency"], METRICS["schema-consistency"])


def models_compared(answers: Answers, variant: Variant) -> Iterator[Estimate]:
    """The models on a variant; how consistent they are with each other on the original only."""
    is_original = variant.name == ORIGINAL
    known = [(model, key) for model, key in answers.standard(variant) if answers.is_labelled(key)]
    for (earlier, against), (later, of) in combinations(known, 2):
        comparison = Comparison(
            of=of,
            against=against,
            changes={
                subset: _CONSISTENCIES if is_original and subset == ALL else ()
                for subset in ANY_AND_EQUAL
            },
            family=family_of_models(of),
            # One that always answers alike makes a null in which nothing varies.
            with_thesis=is_original and not (earlier.is_baseline or later.is_baseline),
        )
        yield from compare(answers, comparison)


def subsets_compared(answers: Answers, variant: Variant) -> Iterator[Estimate]:
    """Each subset of the original, or of a control, against the rest, by the standard methods."""
    if variant.name != ORIGINAL and not variant.is_control:
        return
    for _, key in answers.standard(variant):
        if answers.is_labelled(key):
            for expression in splits(answers.subsets):
                yield from _against_complement(answers, key, expression)


def _against_complement(answers: Answers, key: ResultKey, expression: str) -> Iterator[Estimate]:
    try:
        sides = split(answers.sample(key), expression)
    except UnknownNameError:
        return
    of, against = (
        key.replace(subset=expression),
        key.replace(subset=complement_of(expression)),
    )
    place = Between(of, against, apart(sides.complement, sides.subset), of_same=False)
    yield from compare_at(answers, place, (), Terms(family_of_subsets(of), answers.seed))


def variants_compared(answers: Answers, dataset: DatasetSubject) -> Iterator[Estimate]:
    """Each consistency test but dyads against every earlier one, by the standard methods."""
    listed = [
        variant
        for variant in answers.variants
        if variant.dataset == dataset.name and _takes_part(variant)
    ]
    for earlier, later in combinations(listed, 2):
        for model, of in answers.standard(later):
            against = of.replace(variant=earlier.name)
            if against in answers.answer_sets and answers.is_labelled(of):
                comparison = Comparison(
                    of=of,
                    against=against,
                    changes={ALL: ()},
                    family=family_of_variants(of),
                    by_schema=SCHEMA_LEVEL in (earlier.level, later.level),
                    with_thesis=not model.is_baseline,
                )
                yield from compare(answers, comparison)


def _takes_part(variant: Variant) -> bool:
    return variant.is_consistency_test and variant.compared == ORIGINAL


def datasets_compared(answers: Answers, model: ModelSubject) -> Iterator[Estimate]:
    """A model on each dataset against every earlier one, each by its standard method."""
    originals = [answers.variant(dataset.name) for dataset in answers.datasets]
    known = [
        key
        for variant in originals
        if variant is not None
        for one, key in answers.standard(variant)
        if one is model and answers.is_labelled(key)
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
