"""Problems worth a look: by what margin each is solved or failed, who agrees, and what flips.

A problem *flips* in a variant if it is solved there and failed in the original, or the other way
round. Only consistency tests whose problems correspond can flip: a control destroys the content, so
that nothing follows from another answer to it, and by key other options are offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Any, TypeAlias

from horsesense.errors import UnknownNameError
from horsesense.results import ORIGINAL, PROBLEM_LEVEL, ProblemRow, ResultKey, Results, Variant
from horsesense.scoring.outcome import Answer, Outcome, Share, Verdict

# By the entry and number of a problem.
Answers: TypeAlias = Mapping[tuple[str, int], Answer]
_DECIDED = frozenset({Verdict.SOLVED, Verdict.FAILED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemView:
    """A problem of the original, and what is noteworthy of a model's answer to it by one method.

    `outcome` and `margin` are None where the method is undefined. The margin is positive where the
    right option is preferred, and None too where no option is known to be right. `agreement` has
    how many of the model's methods solve the problem, of those that score it. `flips` are the
    variants in which it flips, of the `tests` in which it could. `twin` is the number of the other
    problem of its schema, and `schema_solved` how many of the two are solved.
    """

    problem: ProblemRow
    method: str
    outcome: Outcome | None
    margin: float | None
    agreement: Share
    flips: tuple[str, ...]
    tests: tuple[str, ...]
    twin: int | None
    schema_solved: int | None
    tags: frozenset[str]

    @property
    def verdict(self) -> Verdict | None:
        """Solved, failed, undecided or unlabelled; None where the method is undefined."""
        return None if self.outcome is None else self.outcome.verdict

    @property
    def is_half_solved(self) -> bool:
        """Whether its schema is solved by half."""
        return self.schema_solved == 1


@dataclass(frozen=True, slots=True)
class VariantView:
    """A problem as it was posed in a variant, what became of it, and whether it flipped there.

    `is_flipped` is None where that cannot be told: in the original and in controls, where only
    schemas correspond, and where either outcome is undecided.
    """

    variant: Variant
    problem: ProblemRow
    outcome: Outcome | None
    is_flipped: bool | None


def problem_views(
    results: Results, model: str, dataset: str, method: str | None = None
) -> tuple[ProblemView, ...]:
    """All problems of a dataset's original, in its order, by that method or the standard one."""
    subject = next((one for one in results.models if one.name == model), None)
    if subject is None:
        raise UnknownNameError("model in the run", model, [model.name for model in results.models])
    if dataset not in dict(subject.standard):
        raise UnknownNameError("dataset in the run", dataset, dict(subject.standard))
    chosen = method or subject.method_for(dataset)
    if chosen not in subject.methods:
        raise UnknownNameError(f"method of {model}", chosen, subject.methods)
    seen = _seen(results, ResultKey(model, dataset, method=chosen), subject.methods)
    return tuple(
        _view(problem, chosen, seen)
        for problem in results.problems
        if (problem.dataset, problem.variant) == (dataset, ORIGINAL)
    )


def variant_views(results: Results, at: ResultKey, problem: ProblemRow) -> tuple[VariantView, ...]:
    """What became of a problem in every variant, by the model and method of the key.

    Where only schemas correspond, these are all problems of its entry.
    """
    originals = _answers(results, at.replace(variant=ORIGINAL))
    variants = {variant.name: variant for variant in results.variants_of(problem.dataset)}
    is_paired = _is_paired(variants[problem.variant])
    found = []
    for one in results.problems:
        if (one.dataset, one.entry) != (problem.dataset, problem.entry):
            continue
        variant = variants[one.variant]
        if is_paired and _is_paired(variant) and one.number != problem.number:
            continue
        place = (one.entry, one.number)
        outcome = _outcome(_answers(results, at.replace(variant=variant.name)).get(place))
        is_flipped = has_flipped(_outcome(originals.get(place)), outcome)
        found.append(VariantView(variant, one, outcome, is_flipped if can_flip(variant) else None))
    return tuple(sorted(found, key=lambda one: list(variants).index(one.variant.name)))


def twins_at(results: Results, at: ResultKey) -> Answers:
    """The answer to the twin of each problem; of one in two schemas, the first counts."""
    twins: dict[tuple[str, int], Answer] = {}
    answer_set = results.answer_sets.get(at)
    if answer_set is None:
        return twins
    for pair in answer_set.schemas:
        one, other = (answer_set.answers[place] for place in pair)
        twins.setdefault(one.problem, other)
        twins.setdefault(other.problem, one)
    return twins


def signed_margin(outcome: Outcome) -> float | None:
    """By how much the right option is preferred to the best other one; negative if it is not.

    None where it is not known which is right, or what the options cost.

    >>> from horsesense.scoring.outcome import decide
    >>> signed_margin(decide((3.5, 2.0), right=1)), signed_margin(decide((3.5, 2.0), right=0))
    (1.5, -1.5)
    """
    if outcome.right is None or not outcome.has_choice or not outcome.costs:
        return None
    right = outcome.costs[outcome.right]
    other = min(cost for at, cost in enumerate(outcome.costs) if at != outcome.right)
    return 0.0 if other == right else other - right


def has_flipped(before: Outcome | None, after: Outcome | None) -> bool | None:
    """Whether one is solved and the other failed; None where that cannot be told."""
    if before is None or after is None or not {before.verdict, after.verdict} <= _DECIDED:
        return None
    return before.verdict is not after.verdict


def can_flip(variant: Variant) -> bool:
    """Whether its problems correspond to those of the original, and ought to be answered alike."""
    return variant.is_consistency_test and _is_paired(variant)


def _is_paired(variant: Variant) -> bool:
    """Whether problems of the same number correspond to each other, in it and in the original."""
    return variant.name == ORIGINAL or (variant.level, variant.compared) == (
        PROBLEM_LEVEL,
        ORIGINAL,
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """A method's answers with the twin of each, and those of all methods and in all tests."""

    answers: Answers
    twins: Answers
    by_methods: tuple[Answers, ...]
    in_tests: Mapping[str, Answers]


def _seen(results: Results, at: ResultKey, methods: Iterable[str]) -> _Seen:
    tests = [variant.name for variant in results.variants_of(at.dataset) if can_flip(variant)]
    return _Seen(
        _answers(results, at),
        twins_at(results, at),
        tuple(_answers(results, at.replace(method=name)) for name in methods),
        {name: _answers(results, at.replace(variant=name)) for name in tests},
    )


def _answers(results: Results, at: ResultKey) -> Answers:
    answer_set = results.answer_sets.get(at)
    return {} if answer_set is None else {answer.problem: answer for answer in answer_set.answers}


def _view(problem: ProblemRow, method: str, seen: _Seen) -> ProblemView:
    at = (problem.entry, problem.number)
    answer, twin = seen.answers.get(at), seen.twins.get(at)
    outcome = _outcome(answer)
    flips = {
        name: has_flipped(outcome, answers[at].outcome)
        for name, answers in seen.in_tests.items()
        if at in answers
    }
    by_methods = [answers[at] for answers in seen.by_methods if at in answers]
    both = None if answer is None or twin is None else (answer, twin)
    return ProblemView(
        problem=problem,
        method=method,
        outcome=outcome,
        margin=None if outcome is None else signed_margin(outcome),
        agreement=Share.of([_is_solved(method) for method in by_methods]),
        flips=tuple(name for name, is_flipped in flips.items() if is_flipped),
        tests=tuple(name for name, is_flipped in flips.items() if is_flipped is not None),
        twin=None if twin is None else twin.number,
        schema_solved=None if both is None else sum(map(_is_solved, both)),
        tags=frozenset[str]().union(*(method.tags for method in by_methods)),
    )


def _outcome(answer: Answer | None) -> Outcome | None:
    return None if answer is None else answer.outcome


def _is_solved(answer: Answer) -> bool:
    return answer.outcome.verdict is Verdict.SOLVED


class Sort(StrEnum):
    """By what problems are sorted: the worst failures, the fewest methods, the most flips first."""

    MARGIN = "margin"
    AGREEMENT = "agreement"
    FLIPS = "flips"
    ID = "id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which problems are wanted: of one of the verdicts, if any are named, and all the rest."""

    verdicts: frozenset[Verdict] = frozenset()
    is_flipped: bool = False
    is_half_solved: bool = False
    tags: frozenset[str] = frozenset()

    def holds_of(self, view: ProblemView) -> bool:
        """Whether that problem is wanted."""
        return (
            (not self.verdicts or view.verdict in self.verdicts)
            and (not self.is_flipped or bool(view.flips))
            and (not self.is_half_solved or view.is_half_solved)
            and self.tags <= view.tags
        )


def arranged(
    views: Iterable[ProblemView],
    wanted: Wanted,
    sort: Sort = Sort.MARGIN,
    *,
    is_reversed: bool = False,
) -> tuple[ProblemView, ...]:
    """Those of the problems that are wanted, sorted; what cannot be placed comes last."""
    key = _KEYS[sort]
    kept = [view for view in views if wanted.holds_of(view)]
    # Of what is alike otherwise, the worst failure comes first.
    kept.sort(key=lambda one: inf if one.margin is None else one.margin)
    placed = [(place, one) for one in kept if (place := key(one)) is not None]
    placed.sort(key=lambda pair: pair[0], reverse=is_reversed)
    return (*(one for _, one in placed), *(one for one in kept if key(one) is None))


def _by_flips(view: ProblemView) -> tuple[float, ...] | None:
    """The most flips first, and of equally many those of the largest part."""
    found, tested = len(view.flips), len(view.tests)
    return (-found, tested) if tested else None


def _by_agreement(view: ProblemView) -> tuple[float, ...] | None:
    share = view.agreement.value
    return None if share is None else (share,)


def _by_margin(view: ProblemView) -> tuple[float, ...] | None:
    return None if view.margin is None else (view.margin,)


def _by_place(view: ProblemView) -> tuple[str, str, int]:
    return view.problem.dataset, view.problem.entry, view.problem.number


_KEYS: Mapping[Sort, Callable[[ProblemView], tuple[Any, ...] | None]] = {
    Sort.MARGIN: _by_margin,
    Sort.AGREEMENT: _by_agreement,
    Sort.FLIPS: _by_flips,
    Sort.ID: _by_place,
}
