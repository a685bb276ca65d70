"""Specifications: the choices that go into a ranking of models and could be made differently.

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
from horsesense.metrics.answer_sets import ALL
from horsesense.scoring import AnswerSet
from horsesense.scoring.outcome import Verdict

# The answers of each model, by scoring method.
AnswerSets: TypeAlias = Mapping[str, Mapping[str, AnswerSet]]

BEST = "best"


@dataclass(frozen=True, slots=True)
class Setup:
    """The scoring methods of each model.

    Of several methods of a model the best counts. As the data decide which one that is, it is
    chosen anew in each resample. A model without a method takes no part.
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
            "setup": [setup.name for setup in self.setups],
            "subset": self.subsets,
            "rule for undecided problems": self.ties,
            "metric": [metric.name for metric in self.metrics],
        }
        for kind, listed in names.items():
            _check_distinct(kind, listed)
        for metric in self.metrics:
            if metric.is_paired:
                raise MetricError(f"{metric.name} compares two samples; models are ranked on one")
            if metric.declared.direction is Direction.NEITHER:
                raise MetricError(
                    f"{metric.name} is neither better high nor low, so it cannot rank models"
                )

    def specifications(self) -> tuple[Specification, ...]:
        """All specifications, the reference first; the metric changes fastest."""
        setups = [setup.name for setup in self.setups]
        metrics = [metric.name for metric in self.metrics]
        chosen = product(setups, self.subsets, self.ties, metrics)
        return tuple(Specification(*names) for names in chosen)


def same_method(answer_sets: AnswerSets, method: str) -> Setup:
    """Use the same method for all models; those without it take no part.

    >>> same_method({"ant": {"full": AnswerSet("", (), ())}, "bee": {}}, "full").methods
    {'ant': ('full',), 'bee': ()}
    """
    if method not in (known := all_methods(answer_sets)):
        raise UnknownNameError("scoring method", method, known)
    return Setup(method, {model: (method,) * (method in by) for model, by in answer_sets.items()})


def own_methods(name: str, methods: Mapping[str, str]) -> Setup:
    """Use a method of its own for each model, such as the thesis' standard setup (4.2.4).

    >>> own_methods("standard", {"ant": "smart@1", "bee": "mean statement"}).methods["ant"]
    ('smart@1',)
    """
    return Setup(name, {model: (method,) for model, method in methods.items()})


def best_methods(answer_sets: AnswerSets) -> Setup:
    """Use the best method of each model.

    >>> answer_set = AnswerSet("", (), ())
    >>> best_methods({"ant": {"full": answer_set, "partial": answer_set}}).methods
    {'ant': ('full', 'partial')}
    """
    return Setup(BEST, {model: tuple(by) for model, by in answer_sets.items()})


def all_methods(answer_sets: AnswerSets) -> tuple[str, ...]:
    """List the methods of all models, in the order of their first occurrence.

    >>> answer_set = AnswerSet("", (), ())
    >>> bee = {"answer": answer_set, "full": answer_set}
    >>> all_methods({"ant": {"full": answer_set}, "bee": bee})
    ('full', 'answer')
    """
    return tuple(dict.fromkeys(method for by in answer_sets.values() for method in by))


def answer_sets_of(setup: Setup, answer_sets: AnswerSets) -> dict[tuple[str, str], AnswerSet]:
    """Return the answer sets of a setup, sorted by model and method.

    >>> models = {"bee": {}, "ant": {"full": AnswerSet("run 1", (), ())}}
    >>> list(answer_sets_of(Setup("own", {"ant": ("full",)}), models))
    [('ant', 'full')]
    """
    taken: dict[tuple[str, str], AnswerSet] = {}
    for model, methods in sorted(setup.methods.items()):
        if model not in answer_sets:
            raise UnknownNameError("model", model, answer_sets)
        for method in sorted(methods):
            if method not in answer_sets[model]:
                raise UnknownNameError("scoring method", method, answer_sets[model])
            taken[model, method] = answer_sets[model][method]
    return taken


def _check_distinct(kind: str, names: Iterable[str]) -> None:
    listed = list(names)
    if not listed:
        raise MetricError(f"no specification: choose at least one {kind}")
    for name in listed:
        if listed.count(name) > 1:
            raise MetricError(f"{kind} {name!r} is given twice; specifications are distinct")


def default_choices(
    answer_sets: AnswerSets,
    *,
    methods: Sequence[str] = (),
    subsets: Sequence[str] = (),
    ties: Sequence[Ties] = (),
    metrics: Sequence[Metric] = (),
) -> Choices:
    """Fill in what is not chosen, by what the models have answered.

    `answer_sets` has the answers of each model by method. Methods default to all that the models
    have in common and the best of each model, and tie rules to both if a problem is undecided;
    otherwise the rules agree.
    """
    return Choices(
        setups=_setups(answer_sets, methods),
        subsets=subsets or (ALL,),
        ties=ties or _ties(answer_sets),
        metrics=metrics or (problem_accuracy, schema_accuracy),
    )


def _setups(answer_sets: AnswerSets, names: Sequence[str]) -> list[Setup]:
    if not names:
        common = [
            method
            for method in all_methods(answer_sets)
            if all(method in by for by in answer_sets.values())
        ]
        is_choice = not common or any(len(by) > 1 for by in answer_sets.values())
        names = [*common, *([BEST] if is_choice else [])]
    return [
        best_methods(answer_sets) if name == BEST else same_method(answer_sets, name)
        for name in names
    ]


def _ties(answer_sets: AnswerSets) -> tuple[Ties, ...]:
    verdicts = (
        answer.outcome.verdict
        for by_method in answer_sets.values()
        for answer_set in by_method.values()
        for answer in answer_set.answers
    )
    return (Ties.FAILED, Ties.HALF) if Verdict.UNDECIDED in verdicts else (Ties.FAILED,)
