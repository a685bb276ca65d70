"""All estimates of a run, group by group: values, changes, and differences between two keys.

A perturbation or control is compared with the original, a dyad in another mode with the dyad by
answer, the standard method with other methods, each model with every earlier one, each subset with
its complement (never with the whole), perturbations with each other on the schemas they share, and
datasets with each other, unpaired (thesis 4.2, 4.5). Both sides use the same resamples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
    EstimateKind,
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
    HowToTest,
    KeyedPair,
    KeyedSample,
    PValues,
    among,
    chance_is_bound,
    chance_test,
    family_of_changes,
    family_of_datasets,
    family_of_methods,
    family_of_models,
    family_of_protocols,
    family_of_subsets,
    family_of_values,
    family_of_variants,
    not_measured,
    read_tests,
)
from horsesense.results.measuring.replies import same_models

_FIRST_OPTION = METRICS["first-option-share"]
_OF_SCHEMAS = (METRICS["half-solved-share"], METRICS["anti-solved-share"])
# A log may say whether a problem was solved without the costs of its options.
_TWO_OPTIONS, _NO_COSTS = 2, 0


def values(answers: Answers, variant: Variant) -> Iterator[Estimate]:
    """Yield all values of a variant, by every method; without labels, only the choices."""
    for model, key in answers.keys_of(variant):
        is_labelled = answers.is_labelled(key)
        sample = answers.sample(key) if is_labelled else answers.unlabelled(key)
        metrics = [*ACCURACIES, *_OF_SCHEMAS] if is_labelled else []
        metrics += [] if sample.chosen is None else [_FIRST_OPTION]
        unfit = _other_options(answers, key)
        for subset, part in parts_of(sample, all_subsets(answers.subsets)).items():
            keyed = KeyedSample(key.replace(subset=subset), part)
            family = family_of_values(model, keyed.key)
            no_test = unfit or _both_orders(answers, model, part)
            settings = HowToTest(family, answers.seed, is_standard(model, key), no_test)
            yield from _values(answers, keyed, metrics, settings)


def _values(
    answers: Answers, keyed: KeyedSample, metrics: Sequence[Metric], settings: HowToTest
) -> Iterator[Estimate]:
    rows = bootstrap(metrics, keyed.data, resamples=answers.resamples, seed=answers.seed)
    for metric, bootstrapped in zip(metrics, rows, strict=True):
        p_values = PValues()
        if metric in ACCURACIES and bootstrapped.estimate is not None:
            p_values = chance_test(metric, keyed.data, settings)
        yield keyed.value(metric, bootstrapped, p_values)


def _other_options(answers: Answers, key: ResultKey) -> str:
    """Return why accuracies cannot be tested against chance, if a problem lacks two options."""
    options = {len(answer.outcome.costs) for answer in answers.answer_sets[key].answers}
    others = sorted(options - {_TWO_OPTIONS, _NO_COSTS})
    if not others:
        return ""
    return f"no test: problems with {' or '.join(map(str, others))} options, so chance is not 1/2"


def _both_orders(answers: Answers, model: ModelSubject, sample: Sample) -> str:
    """Return why the answers of a chat model cannot be compared with guessing, if any is undecided.

    A baseline guesses in one order only, so it says no more than chance does.
    """
    undecided = int(sample.problems.undecided.sum())
    if not chance_is_bound(model.family, answers.ties, undecided):
        return ""
    return "no test: asked in both orders, guessing leaves problems undecided, so chance is not 1/2"


def best(answers: Answers, original: Variant) -> Iterator[Estimate]:
    """Yield the best method of each model with several, on problems that all of them answer."""
    for model in answers.models:
        keys = [key for owner, key in answers.keys_of(original) if owner is model]
        if len(keys) > 1:
            yield from _best(answers, keys)


def _best(answers: Answers, keys: list[ResultKey]) -> Iterator[Estimate]:
    key, methods = keys[0].replace(method=BEST), [key.method for key in keys]
    try:
        shared = share_problems([answers.answer_sets[key] for key in keys], ALL, frozenset())
    except MetricError as error:
        for metric in ACCURACIES:
            yield not_measured(EstimateKind.VALUE, metric, str(error), key=key)
        return
    samples = dict(zip(methods, shared.samples(answers.ties), strict=True))
    for metric in ACCURACIES:
        result = bootstrap_best(metric, samples, resamples=answers.resamples, seed=answers.seed)
        chosen = result.best[0] if result.best else methods[0]
        p_values = PValues(reason=_describe_choice(result, shared.dropped))
        yield KeyedSample(key, samples[chosen]).value(metric, result.value, p_values)


def _describe_choice(bootstrapped_best: BootstrappedBest, dropped: int) -> str:
    """Describe how often each method was chosen in the resamples, the most chosen first."""
    often = sorted(bootstrapped_best.chosen.items(), key=lambda item: -item[1])
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


# With more texts than these, only positions are counted.
_MOST_TEXTS = 4


def options(answers: Answers, variant: Variant) -> Iterator[OptionCount]:
    """Count the options chosen in a variant by each model's standard method."""
    for _, key in answers.standard(variant):
        counts = responses(answers.answer_sets[key])
        texts = counts.texts if len(counts.texts) <= _MOST_TEXTS else {}
        for option, share in (*counts.positions.items(), *texts.items()):
            yield OptionCount(key, option, int(share.count), int(share.total))


# The differences of accuracies, as metrics of two samples.
_DIFFERENCES = (METRICS["accuracy-difference"], METRICS["schema-accuracy-difference"])


def compare(
    answers: Answers,
    key: ResultKey,
    against: ResultKey,
    *,
    changes: Mapping[str, Sequence[Metric]],
    family: str,
    by_schema: bool = False,
    with_thesis: bool = False,
    no_test: str = "",
) -> Iterator[Estimate]:
    """Yield the changes and differences in every known subset, or why there are none.

    `changes` lists the metrics of changes for each subset; accuracies are compared in all of them.
    `by_schema` is true if only schemas correspond; `with_thesis` adds the thesis' test; `no_test`
    is the reason not to test.

    Tags such as `equal-length` may differ between a variant and the one it is compared with. The
    tags of the latter define the subsets, so that all variants have the same problems. Between
    models, a problem must have the tag for both.
    """
    try:
        pair = answers.pair(against, key, by_schema=by_schema)
    except MetricError as error:
        for metric in changes[ALL]:
            yield not_measured(EstimateKind.CHANGE, metric, str(error), key=key, against=against)
        for metric in ACCURACIES:
            yield not_measured(
                EstimateKind.DIFFERENCE, metric, str(error), key=key, against=against
            )
        return
    if key.variant != against.variant:
        pair = replace(pair, after=replace(pair.after, marks={}))
    for subset, part in parts_of(pair, changes).items():
        keyed = KeyedPair(key.replace(subset=subset), against.replace(subset=subset), part)
        settings = HowToTest(family + among(keyed.key), answers.seed, with_thesis, no_test)
        yield from compare_at(answers, keyed, changes[subset], settings)


def compare_at(
    answers: Answers, keyed: KeyedPair, changes: Sequence[Metric], settings: HowToTest
) -> Iterator[Estimate]:
    """Yield the changes that apply, and the differences of accuracies."""
    metrics = [metric for metric in changes if _applies(metric, keyed.data)]
    table = compare_samples(
        ACCURACIES,
        keyed.data,
        changes=metrics,
        is_shared=keyed.is_shared,
        with_thesis=settings.with_thesis,
        resamples=answers.resamples,
        seed=answers.seed,
    )
    for metric, changed in zip(metrics, table.changes, strict=True):
        yield keyed.change(metric, changed)
    thesis = {test.metric: test for test in table.thesis}
    for metric, of_both, row in zip(ACCURACIES, _DIFFERENCES, table.rows, strict=True):
        if row.difference.estimate is None:
            undefined = replace(row.difference, reason=of_both.declared.undefined)
            yield keyed.difference(metric, replace(row, difference=undefined), PValues())
        else:
            yield keyed.difference(metric, row, read_tests(row, thesis.get(row.metric), settings))


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
    """Compare a variant with the one it is derived from, by every method."""
    for model, key in answers.keys_of(variant):
        against = key.replace(variant=variant.compared)
        if against in answers.answer_sets and answers.is_labelled(key):
            yield from compare(
                answers,
                key,
                against,
                changes=_metrics(variant, answers.subsets),
                family=family_of_changes(variant, key),
                by_schema=variant.level == SCHEMA_LEVEL,
                with_thesis=is_standard(model, key) and not model.is_baseline,
            )


def _metrics(variant: Variant, own: Sequence[str]) -> dict[str, Sequence[Metric]]:
    """Return the metrics of changes for each subset; in most, only accuracies are compared."""
    whole = (*CONSISTENCIES, *_RELATIVE, *(_ADJUSTED if variant.is_control else ()))
    with_changes = (ALL, ASSOCIATIVE, complement_of(ASSOCIATIVE)) if variant.is_control else (ALL,)
    return {subset: whole if subset in with_changes else () for subset in all_subsets(own)}


def methods(answers: Answers, original: Variant) -> Iterator[Estimate]:
    """Compare every model's standard method with its others."""
    for model, key in answers.standard(original):
        for method in model.methods:
            against = key.replace(method=method)
            if method != key.method and against in answers.answer_sets:
                yield from compare(
                    answers,
                    key,
                    against,
                    changes=dict.fromkeys(ANY_AND_EQUAL, CONSISTENCIES),
                    family=family_of_methods(key),
                    with_thesis=not model.is_baseline,
                )


_CONSISTENCIES = (METRICS["consistency"], METRICS["schema-consistency"])


def models_compared(answers: Answers, variant: Variant) -> Iterator[Estimate]:
    """Compare the models on a variant; on the original, also how consistent they are."""
    is_original = variant.name == ORIGINAL
    known = [(model, key) for model, key in answers.standard(variant) if answers.is_labelled(key)]
    for (earlier, against), (later, key) in combinations(known, 2):
        yield from compare(
            answers,
            key,
            against,
            changes={
                subset: _CONSISTENCIES if is_original and subset == ALL else ()
                for subset in ANY_AND_EQUAL
            },
            family=family_of_models(key),
            # A baseline that always answers alike makes a null without variance.
            with_thesis=is_original and not (earlier.is_baseline or later.is_baseline),
            no_test=_unlike(answers, (earlier, against), (later, key)),
        )


def _unlike(answers: Answers, *sides: tuple[ModelSubject, ResultKey]) -> str:
    """Return why a chat model cannot be tested against a baseline, if it is one of each."""
    if not any(model.is_baseline for model, _ in sides):
        return ""
    reasons = (_both_orders(answers, model, answers.sample(key)) for model, key in sides)
    return next(filter(None, reasons), "")


def said_and_known(answers: Answers, original: Variant) -> Iterator[Estimate]:
    """Compare the other protocols of a chat model with the same model as a language model.

    Its standard protocol is compared with it as with all models.
    """
    keys = [(model, key) for model, key in answers.keys_of(original) if answers.is_labelled(key)]
    for chat, model in same_models(answers.models):
        against = next(
            (key for owner, key in keys if owner is model and is_standard(owner, key)), None
        )
        for owner, key in keys:
            if owner is chat and against is not None and not is_standard(chat, key):
                family = family_of_protocols(key)
                yield from compare(answers, key, against, changes={ALL: ()}, family=family)


def subsets_compared(answers: Answers, variant: Variant) -> Iterator[Estimate]:
    """Compare each subset of the original or of a control with its complement."""
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
    key, against = (
        key.replace(subset=expression),
        key.replace(subset=complement_of(expression)),
    )
    keyed = KeyedPair(key, against, apart(sides.complement, sides.subset), is_shared=False)
    yield from compare_at(answers, keyed, (), HowToTest(family_of_subsets(key), answers.seed))


def variants_compared(answers: Answers, dataset: DatasetSubject) -> Iterator[Estimate]:
    """Compare each consistency test except dyads with every earlier one."""
    listed = [
        variant
        for variant in answers.variants
        if variant.dataset == dataset.name and _takes_part(variant)
    ]
    for earlier, later in combinations(listed, 2):
        for model, key in answers.standard(later):
            against = key.replace(variant=earlier.name)
            if against in answers.answer_sets and answers.is_labelled(key):
                yield from compare(
                    answers,
                    key,
                    against,
                    changes={ALL: ()},
                    family=family_of_variants(key),
                    by_schema=SCHEMA_LEVEL in (earlier.level, later.level),
                    with_thesis=not model.is_baseline,
                )


def _takes_part(variant: Variant) -> bool:
    return variant.is_consistency_test and variant.compared == ORIGINAL


def datasets_compared(answers: Answers, model: ModelSubject) -> Iterator[Estimate]:
    """Compare each dataset with every earlier one, by the standard methods of a model."""
    originals = [answers.variant(dataset.name) for dataset in answers.datasets]
    known = [
        key
        for variant in originals
        if variant is not None
        for owner, key in answers.standard(variant)
        if owner is model and answers.is_labelled(key)
    ]
    for against, key in combinations(known, 2):
        for subset in ANY_AND_EQUAL:
            yield from _differences(
                answers,
                key.replace(subset=subset),
                against.replace(subset=subset),
                with_thesis=not model.is_baseline,
            )


def _differences(
    answers: Answers, key: ResultKey, against: ResultKey, *, with_thesis: bool
) -> Iterator[Estimate]:
    before, after = (part_of(answers.sample(side.whole), side.subset) for side in (against, key))
    if before is None or after is None:
        return
    keyed = KeyedPair(key, against, _renumbered(before, after), is_shared=False)
    settings = HowToTest(family_of_datasets(key), answers.seed, with_thesis)
    yield from compare_at(answers, keyed, (), settings)


def _renumbered(before: Sample, after: Sample) -> Paired:
    """Number the clusters of both samples consecutively, as they share none."""
    total = before.cluster_count + after.cluster_count
    later = after.clusters + before.cluster_count
    return apart(
        replace(before, cluster_count=total), replace(after, clusters=later, cluster_count=total)
    )
