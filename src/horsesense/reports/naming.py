"""Names of models, variants and scoring methods in tables, and their order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from horsesense.results import ALL, ORIGINAL, ModelSubject, ResultKey, Results, Variant

# The names of metrics that tables ask for.
PROBLEM_ACCURACY, SCHEMA_ACCURACY = "problem-accuracy", "schema-accuracy"
SYMBOLS = {PROBLEM_ACCURACY: "a", SCHEMA_ACCURACY: "A"}
CHANCE = {PROBLEM_ACCURACY: 0.5, SCHEMA_ACCURACY: 0.25}
# Answers of any length, and those of equal length.
LENGTHS = {"any": ALL, "equal": "equal-length"}
ASSOCIATIVE, NOT_ASSOCIATIVE = "associative", "not associative"
INVERTED = "by-key"
DYADIC = "dyadic"

# The thesis' order of rows, in Tables 4.16 and 4.20, and in 4.3, 4.7 and 4.11.
_FORMS = (ORIGINAL, "switched", "adjectival", "unbalanced", INVERTED)
_CONTROLS = ("no-candidate", "part-sent", "local-context")
_METHODS = {
    "causal": ("smart", "partial", "all-but-first", "full", "normalized-full"),
    "masked": ("statement", "multi-mask", "answer"),
    "seq2seq": ("mean-prefix", "prefix", "mean", "basic", "prefix-loss", "loss"),
}
# Of which sums the loss is the mean.
_LOSSES = {"causal": "all-but-first", "masked": "multi-mask"}
_SMART = "smart@"


@dataclass(frozen=True, slots=True)
class MethodName:
    """A scoring method as it stands in a row: its name, and whether it takes the mean.

    `mean` is empty for a method that is neither a sum nor the mean of one. A method that `is_loss`
    is the loss that the model was trained by.
    """

    scoring: str
    mean: str = ""
    is_loss: bool = False


def baselines(profile: Results) -> tuple[ModelSubject, ...]:
    """The baselines that stand beside."""
    return tuple(one for one in profile.models if one not in profile.evaluated)


def consistency_forms(profile: Results, dataset: str) -> tuple[Variant, ...]:
    """The perturbations that preserve content, without dyads, in the order of the thesis."""
    forms = [
        one
        for one in profile.variants_of(dataset)
        if one.is_consistency_test and one.compared == ORIGINAL
    ]
    return tuple(sorted(forms, key=lambda one: _place(one.name, _FORMS)))


def controls(profile: Results, dataset: str) -> tuple[Variant, ...]:
    """The perturbations that destroy content, the no-candidate one first."""
    forms = [one for one in profile.variants_of(dataset) if one.is_control]
    return tuple(sorted(forms, key=lambda one: _place(one.name, _CONTROLS)))


def dyads(profile: Results, dataset: str) -> tuple[Variant, ...]:
    """The dyads in each mode."""
    return tuple(
        one for one in profile.variants_of(dataset) if one.name.partition(".")[0] == DYADIC
    )


def standard(model: ModelSubject, dataset: str) -> ResultKey:
    """The key of the results with the standard method, on all problems of the original."""
    return ResultKey(model.name, dataset, method=dict(model.standard).get(dataset, ""))


def table_name(*parts: str) -> str:
    """A name of letters, digits and hyphens, as labels and anchors take it.

    >>> table_name("accuracy", "hs-winograd", "gpt2/large_1")
    'accuracy-hs-winograd-gpt2-large-1'
    """
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")


def form_name(form: str) -> str:
    """A form as it stands in tables: what the thesis calls inverted is by key.

    >>> form_name("by-key"), form_name("switched")
    ('inverted (by-key)', 'switched')
    """
    return f"inverted ({form})" if form == INVERTED else form


def methods_in_order(model: ModelSubject) -> tuple[str, ...]:
    """The methods of a model as the thesis' tables have them; others follow."""
    order = _METHODS.get(model.family, ())
    return tuple(sorted(model.methods, key=lambda one: _row(one, model.family, order)))


def method_name(method: str, family: str) -> MethodName:
    """A method as it stands in a row.

    >>> method_name("mean-smart@1", "causal")
    MethodName(scoring='smart scoring at limit 1', mean='yes', is_loss=False)
    >>> method_name("loss", "masked")
    MethodName(scoring='multi-mask scoring', mean='yes', is_loss=True)
    >>> method_name("prefix-loss", "seq2seq")
    MethodName(scoring='prefix loss', mean='', is_loss=True)
    """
    if family not in _LOSSES:
        return MethodName(method.replace("-", " "), is_loss=method.endswith("loss"))
    base = _base(method, family)
    if base not in _METHODS[family] and not base.startswith(_SMART):
        return MethodName(method)
    limit = f" at limit {base.removeprefix(_SMART)}" if base.startswith(_SMART) else ""
    scoring = f"{base.partition('@')[0].replace('-', ' ') if limit else base} scoring{limit}"
    return MethodName(
        scoring.replace("normalized-full", "normalized full"),
        "no" if base == method else "yes",
        method == "loss",
    )


def _base(method: str, family: str) -> str:
    """The sum of which a method is the mean, or itself."""
    return _LOSSES[family] if method == "loss" else method.removeprefix("mean-")


def _row(method: str, family: str, order: tuple[str, ...]) -> tuple[int, bool]:
    """The position of a method: by its sum, with the mean after the sum."""
    if family not in _LOSSES:
        return _place(method, order), False
    base = _base(method, family)
    return _place(base.partition("@")[0], order), base != method


def _place(name: str, order: Iterable[str]) -> int:
    listed = tuple(order)
    return listed.index(name) if name in listed else len(listed)
