"""Families: which p-values are read together, and adjusted together by Holm's method.

There is one for each table, over problem and schema accuracy alike. What was chosen beforehand is
not mixed with what is shown beside it: the standard method of a model, all problems and those with
answers of equal length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from horsesense.metrics.statistics import holm
from horsesense.results import ORIGINAL, Estimate, ModelSubject, ResultKey, Variant
from horsesense.results.measuring.answers import is_standard
from horsesense.results.measuring.parts import ANY_AND_EQUAL


def adjusted(estimates: Iterable[Estimate]) -> tuple[Estimate, ...]:
    """The measurements, every p adjusted over its family."""
    listed = list(estimates)
    places: dict[str, list[int]] = {}
    for at, one in enumerate(listed):
        if one.p is not None:
            places.setdefault(one.family, []).append(at)
    for family, members in places.items():
        found = holm([listed[at].p for at in members], family=family)
        for at, p in zip(members, found.ps, strict=True):
            listed[at] = replace(listed[at], p_adjusted=p)
    return tuple(listed)


def family_of_values(model: ModelSubject, of: ResultKey) -> str:
    """Accuracies against chance."""
    if of.variant != ORIGINAL:
        what, by = f"forms of {of.dataset}", of.method
    else:
        what, by = of.dataset, of.method if is_standard(model, of) else "other methods"
    return f"{what} against chance, {of.model} by {by}{among(of)}"


def family_of_changes(form: Variant, of: ResultKey) -> str:
    """Forms against what they are compared with."""
    if form.compared != ORIGINAL:
        what = f"modes of {form.compared}"
    else:
        what = "controls" if form.is_control else "perturbations"
    return f"{what} of {of.dataset}, {of.model} by {of.method}"


def family_of_subsets(of: ResultKey) -> str:
    """Subsets against their complements."""
    what = of.dataset if of.variant == ORIGINAL else f"controls of {of.dataset}"
    return f"subsets of {what} against their complements, {of.model} by {of.method}"


def family_of_methods(of: ResultKey) -> str:
    """The standard method against others."""
    return f"methods on {of.dataset}, {of.model} by {of.method} against others"


def family_of_forms(of: ResultKey) -> str:
    """Perturbations against each other."""
    return f"perturbations of {of.dataset} against each other, {of.model} by {of.method}"


def family_of_datasets(of: ResultKey) -> str:
    """Datasets against each other."""
    return f"datasets against each other, {of.model}"


def family_of_models(of: ResultKey) -> str:
    """Models against each other."""
    what = of.dataset if of.variant == ORIGINAL else f"forms of {of.dataset}"
    return f"models against each other on {what}"


def among(of: ResultKey) -> str:
    """What a family is called besides, in other subsets than those that tables begin with.

    >>> among(Address("ant", "hs-winograd", subset="associative"))
    ', associative'
    """
    return "" if of.subset in ANY_AND_EQUAL else f", {of.subset}"
