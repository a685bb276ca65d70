"""Specifications: the choices that anybody who ranks models makes, and could have made otherwise.

A specification is a setup, a subset, a rule for undecided problems, and a metric. A setup says by
which scoring method each model answers: all by the same, each by its own, or each by its best.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from horsesense.errors import MetricError, UnknownNameError
from horsesense.metrics import Direction, Metric, Ties, problem_accuracy, schema_accuracy
from horsesense.scoring import Sheet

# What each model answered, by scoring method.
Sheets: TypeAlias = Mapping[str, Mapping[str, Sheet]]

BEST = "best"


@dataclass(frozen=True, slots=True)
class Setup:
    """By which scoring methods each model answers.

    Of several methods of a model the best counts, and the choice is made anew in each resample,
    for it is made by the data. A model without a method takes no part.
    """

    name: str
    methods: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Specification:
    """One choice of each, by name."""

    setup: str
    subset: str
    ties: Ties
    metric: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The choices. The first of each makes the reference, to which others are compared."""

    setups: Sequence[Setup]
    subsets: Sequence[str] = ("all",)
    ties: Sequence[Ties] = (Ties.FAILED,)
    metrics: Sequence[Metric] = (problem_accuracy, schema_accuracy)

    def __post_init__(self) -> None:
        names = {
            "setup": [one.name for one in self.setups],
            "subset": self.subsets,
            "rule for undecided problems": self.ties,
            "metric": [one.name for one in self.metrics],
        }
        for kind, listed in names.items():
            _check_distinct(kind, listed)
        for metric in self.metrics:
            if metric.is_paired:
                raise MetricError(f"{metric.name} compares two samples; models are ranked on one")
            if metric.declared.direction is Direction.NEITHER:
                raise MetricError(f"{metric.name} is better neither high nor low; it ranks nobody")

    def specifications(self) -> tuple[Specification, ...]:
        """All specifications, the reference first; the metric changes fastest."""
        names = [one.name for one in self.setups], [one.name for one in self.metrics]
        chosen = product(names[0], self.subsets, self.ties, names[1])
        return tuple(Specification(*one) for one in chosen)


def same_method(sheets: Sheets, method: str) -> Setup:
    """All models by the same method; those that lack it take no part.

    >>> same_method({"ant": {"full": Sheet("", (), ())}, "bee": {}}, "full").methods
    {'ant': ('full',), 'bee': ()}
    """
    if method not in (known := all_methods(sheets)):
        raise UnknownNameError("scoring method", method, known)
    return Setup(method, {model: (method,) * (method in by) for model, by in sheets.items()})


def own_methods(name: str, methods: Mapping[str, str]) -> Setup:
    """Each model by a method of its own, such as the thesis' standard setup (4.2.4).

    >>> own_methods("standard", {"ant": "smart@1", "bee": "mean statement"}).methods["ant"]
    ('smart@1',)
    """
    return Setup(name, {model: (method,) for model, method in methods.items()})


def best_methods(sheets: Sheets) -> Setup:
    """Each model by whichever of its methods is best.

    >>> sheet = Sheet("", (), ())
    >>> best_methods({"ant": {"full": sheet, "partial": sheet}}).methods
    {'ant': ('full', 'partial')}
    """
    return Setup(BEST, {model: tuple(by) for model, by in sheets.items()})


def all_methods(sheets: Sheets) -> tuple[str, ...]:
    """The methods of all models, in the order in which they come up.

    >>> sheet = Sheet("", (), ())
    >>> all_methods({"ant": {"full": sheet}, "bee": {"answer": sheet, "full": sheet}})
    ('full', 'answer')
    """
    return tuple(dict.fromkeys(method for by in sheets.values() for method in by))


def sheets_of(setup: Setup, sheets: Sheets) -> dict[tuple[str, str], Sheet]:
    """The sheets that the setup takes, by model and method, whatever their order was before.

    >>> sheet = Sheet("run 1", (), ())
    >>> list(sheets_of(Setup("own", {"ant": ("full",)}), {"bee": {}, "ant": {"full": sheet}}))
    [('ant', 'full')]
    """
    taken: dict[tuple[str, str], Sheet] = {}
    for model, methods in sorted(setup.methods.items()):
        if model not in sheets:
            raise UnknownNameError("model", model, sheets)
        for method in sorted(methods):
            if method not in sheets[model]:
                raise UnknownNameError("scoring method", method, sheets[model])
            taken[model, method] = sheets[model][method]
    return taken


def _check_distinct(kind: str, names: Iterable[str]) -> None:
    listed = list(names)
    if not listed:
        raise MetricError(f"no specification: choose at least one {kind}")
    for name in listed:
        if listed.count(name) > 1:
            raise MetricError(f"{kind} {name!r} is given twice; specifications are distinct")
