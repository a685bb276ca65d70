"""Profiles made by hand: measurements with any numbers, and a profile shaped as the thesis'."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from horsesense.results import (
    ALL,
    ORIGINAL,
    DatasetSubject,
    Estimate,
    EstimateKind,
    ModelSubject,
    OptionCount,
    ResultKey,
    Results,
    Variant,
)
from tests.reports.small_profile import record

ACCURACIES = ("problem-accuracy", "schema-accuracy")
CHANGES = (
    "consistency",
    "consistent-accuracy",
    "preserved-accuracy",
    "schema-consistency",
    "strict-schema-consistency",
    "consistent-schema-accuracy",
    "preserved-schema-accuracy",
    "chance-corrected-consistency",
    "adjusted-accuracy",
    "adjusted-schema-accuracy",
    "adjusted-schema-lower-bound",
    "relative-loss",
    "relative-schema-loss",
    "relative-gain",
    "relative-schema-gain",
)
OF_PROBLEMS = CHANGES[:3] + CHANGES[4:5] + CHANGES[7:8]
METHODS = {
    "causal": (
        *("full", "mean-full", "all-but-first", "loss", "partial", "mean-partial"),
        *("normalized-full", "mean-normalized-full", "smart@1", "mean-smart@1"),
    ),
    "masked": (
        *("multi-mask", "loss", "statement", "mean-statement", "answer", "mean-answer"),
        "abdou",
    ),
    "seq2seq": ("basic", "mean", "prefix", "mean-prefix", "loss", "prefix-loss"),
    "baseline": ("choice",),
}
STANDARD = {
    "causal": "smart@1",
    "masked": "mean-statement",
    "seq2seq": "mean-prefix",
    "baseline": "choice",
}


def model(name: str, family: str, *datasets: str, **more: Any) -> ModelSubject:
    """A model with all methods of its family."""
    told: dict[str, Any] = {
        "name": name,
        "family": family,
        "architecture": name,
        "parameters": 0 if family == "baseline" else 1_557_611_200,
        "dtype": "float32",
        "device": "cpu",
        "fingerprint": "f",
        "is_baseline": family == "baseline",
        "methods": METHODS[family],
        "standard": tuple((one, STANDARD[family]) for one in datasets),
    }
    return ModelSubject(**(told | more))


def dataset(name: str, *, is_winograd: bool = True, tags: tuple[str, ...] = ()) -> DatasetSubject:
    """A dataset of 133 schemas."""
    return DatasetSubject(
        name=name,
        version=1,
        id=name,
        title=name,
        licence="CC BY 4.0",
        is_winograd=is_winograd,
        entries=133,
        problems=266,
        schemas=133,
        tags=tags,
    )


def form(dataset: str, name: str = ORIGINAL, **more: Any) -> Variant:
    """A form; all but the original is a consistency test of it unless something else is said."""
    if name != ORIGINAL:
        told = {
            "purpose": "consistency test",
            "level": "problem",
            "compared": ORIGINAL,
            "title": name,
        }
        more = told | more
    return Variant(dataset=dataset, name=name, entries=133, problems=266, **more)


def measurement(
    kind: EstimateKind, of: ResultKey, metric: str, value: float | None, **more: Any
) -> Estimate:
    """A measurement on 133 schemas."""
    told = {"n_problems": 266, "n_schemas": 133, "n_clusters": 133} | more
    return Estimate(kind=kind, key=of, metric=metric, value=value, **told)


def accuracy(
    of: ResultKey, value: float, low: float | None, high: float | None, **more: Any
) -> Estimate:
    """A schema accuracy with its interval."""
    return measurement(EstimateKind.VALUE, of, "schema-accuracy", value, low=low, high=high, **more)


def profile(
    models: tuple[ModelSubject, ...],
    datasets: tuple[DatasetSubject, ...],
    forms: tuple[Variant, ...],
    estimates: tuple[Estimate, ...],
    **more: Any,
) -> Results:
    """A profile of these."""
    return Results(record(), models, datasets, forms, estimates, **more)


def thesis_profile() -> Results:
    """Three models and a baseline on two datasets, in the forms of the thesis; made-up numbers."""
    names = ("WSC266", "Reid250")
    models = (
        model("GPT-2", "causal", *names),
        model("RoBERTa", "masked", *names),
        model("T5", "seq2seq", *names),
        model("first", "baseline", *names),
    )
    datasets = (
        dataset("WSC266", tags=("associative", "switchable")),
        dataset("Reid250", is_winograd=False),
    )
    dyadic = {"compared": "dyadic", "level": "schema"}
    forms = (
        form("WSC266"),
        # Not in the thesis' order, which the tables make themselves.
        form("WSC266", "no-candidate", purpose="control"),
        form("WSC266", "tense"),
        form("WSC266", "by-key", level="schema", mode="by key"),
        form("WSC266", "unbalanced"),
        form("WSC266", "adjectival"),
        form("WSC266", "switched", left_out=(("not switchable", 63),)),
        form("Reid250"),
        form("Reid250", "by-key", level="schema", mode="by key"),
        form("Reid250", "dyadic", compared=""),
        form("Reid250", "dyadic.by-key", mode="by key", **dyadic),
        form("Reid250", "dyadic.by-boolean", mode="by boolean", **dyadic),
    )
    found = tuple(_measurements(models, forms))
    said = ResultKey("T5", "Reid250", "dyadic.by-boolean", method="mean-prefix")
    options = (OptionCount(said, "true", 500, 500), OptionCount(said, "1", 500, 500))
    return profile(models, datasets, forms, found, options=options)


def _measurements(
    models: tuple[ModelSubject, ...], forms: tuple[Variant, ...]
) -> Iterator[Estimate]:
    for one in models:
        for each in forms:
            for method in one.methods:
                at = ResultKey(one.name, each.dataset, each.name, method=method)
                yield from _of_form(at, each)
                if each.name == ORIGINAL:
                    yield from _against_methods(at, one)
        yield from _differences(
            ResultKey(one.name, "Reid250", method=one.method_for("Reid250")),
            ResultKey(one.name, "WSC266", method=one.method_for("WSC266")),
        )
    for earlier, later in combinations(models, 2):
        for name in ("WSC266", "Reid250"):
            of, against = (
                ResultKey(one.name, name, method=one.method_for(name)) for one in (later, earlier)
            )
            yield from _differences(of, against)
            yield from _changes(of, against, ("consistency", "schema-consistency"))
    names = [
        one.name for one in forms if one.dataset == "WSC266" and one.purpose == "consistency test"
    ]
    for earlier_form, later_form in combinations(names, 2):
        for one in models[:3]:
            at = ResultKey(one.name, "WSC266", method=one.method_for("WSC266"))
            yield from _differences(
                at.replace(variant=later_form),
                at.replace(variant=earlier_form),
                subsets=(ALL,),
                p_adjusted=0.2,
            )


def _of_form(at: ResultKey, form: Variant) -> Iterator[Estimate]:
    subsets = [ALL, "equal-length"]
    if form.dataset == "WSC266":
        subsets += ["associative", "not associative"]
    for subset in subsets:
        for metric in (*ACCURACIES, "first-option-share"):
            told = {
                "low": 0.4,
                "high": 0.6,
                "p": 0.03,
                "test": "exact",
                "family": "values",
                "p_adjusted": 0.06,
            }
            yield measurement(EstimateKind.VALUE, at.replace(subset=subset), metric, 0.5, **told)
        if form.compared:
            against = at.replace(variant=form.compared)
            yield from _differences(at, against, subsets=(subset,))
            yield from _changes(
                at.replace(subset=subset),
                against.replace(subset=subset),
                [one for one in CHANGES if form.level != "schema" or one not in OF_PROBLEMS],
            )
    if "associative" in subsets:
        ends = at.replace(subset="associative"), at.replace(subset="not associative")
        for metric in ACCURACIES:
            yield _difference(*ends, metric)


def _against_methods(at: ResultKey, model: ModelSubject) -> Iterator[Estimate]:
    standard = at.replace(method=model.method_for(at.dataset))
    if at != standard:
        yield from _differences(standard, at)
        for subset in (ALL, "equal-length"):
            yield from _changes(
                standard.replace(subset=subset), at.replace(subset=subset), CHANGES[:7]
            )


def _changes(of: ResultKey, against: ResultKey, metrics: Any) -> Iterator[Estimate]:
    for metric in metrics:
        yield measurement(EstimateKind.CHANGE, of, metric, 0.7, against=against, low=0.6, high=0.8)


def _differences(
    of: ResultKey,
    against: ResultKey,
    *,
    subsets: tuple[str, ...] = (ALL, "equal-length"),
    **more: Any,
) -> Iterator[Estimate]:
    for subset in subsets:
        for metric in ACCURACIES:
            yield _difference(
                of.replace(subset=subset), against.replace(subset=subset), metric, **more
            )


def _difference(of: ResultKey, against: ResultKey, metric: str, **more: Any) -> Estimate:
    told = {
        "low": -0.2,
        "high": 0.1,
        "before": 0.6,
        "after": 0.5,
        "p": 0.2,
        "test": "sign flip",
        "thesis_p": 0.3,
    }
    told |= {"p_adjusted": 0.4, "family": "differences"} | more
    return measurement(EstimateKind.DIFFERENCE, of, metric, -0.1, against=against, **told)
