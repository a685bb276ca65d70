"""Find noteworthy problems: by margin, by agreement of the methods, and by flips.

A problem *flips* in a variant if it is solved there and failed in the original, or vice versa. Only
consistency tests whose problems correspond can flip: a control destroys the content, so another
answer to it means nothing, and by key the options are different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Any, TypeAlias

from horsesense.errors import UnknownNameError
from horsesense.results import (
    ORIGINAL,
    PROBLEM_LEVEL,
    REPLY_TAGS,
    ProblemRow,
    ResultKey,
    Results,
    Variant,
)
from horsesense.scoring.outcome import Answer, Outcome, Share, Verdict

# Answers by the entry and number of their problem.
AnswersByProblem: TypeAlias = Mapping[tuple[str, int], Answer]
_DECIDED = frozenset({Verdict.SOLVED, Verdict.FAILED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemView:
    """A problem of the original with the answer of a model to it by one method.

    `outcome` is None if the method is undefined. `margin` is `Outcome.signed_margin`: positive if
    the right option is preferred. `agreement` is the share of the model's methods that solve the
    problem, among those that score it. `flips` are the variants in which it flips, among the
    `tests` in which it could. `twin` is the number of the other problem of its schema, and
    `schema_solved` counts how many of the two are solved.
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
        """Solved, failed, undecided or unlabelled; None if the method is undefined."""
        return None if self.outcome is None else self.outcome.verdict

    @property
    def is_half_solved(self) -> bool:
        """Whether exactly one problem of its schema is solved."""
        return self.schema_solved == 1


def problem_views(
    results: Results, model: str, dataset: str, method: str | None = None
) -> tuple[ProblemView, ...]:
    """Return all problems of a dataset in order, by a method or by the standard one."""
    subject = next((subject for subject in results.models if subject.name == model), None)
    if subject is None:
        raise UnknownNameError(
            "model in the run", model, [subject.name for subject in results.models]
        )
    if dataset not in dict(subject.standard):
        raise UnknownNameError("dataset in the run", dataset, dict(subject.standard))
    chosen = method or subject.method_for(dataset)
    if chosen not in subject.methods:
        raise UnknownNameError(f"method of {model}", chosen, subject.methods)
    key = ResultKey(model, dataset, method=chosen)
    answers, twins = _answers(results, key), twins_at(results, key)
    by_methods = [_answers(results, key.replace(method=name)) for name in subject.methods]
    in_tests = {
        variant.name: _answers(results, key.replace(variant=variant.name))
        for variant in results.variants_of(dataset)
        if can_flip(variant)
    }

    def view(problem: ProblemRow) -> ProblemView:
        place = (problem.entry, problem.number)
        answer, twin = answers.get(place), twins.get(place)
        outcome = _outcome(answer)
        flips = {
            name: has_flipped(outcome, in_test[place].outcome)
            for name, in_test in in_tests.items()
            if place in in_test
        }
        scored = [by_method[place] for by_method in by_methods if place in by_method]
        both = None if answer is None or twin is None else (answer, twin)
        return ProblemView(
            problem=problem,
            method=chosen,
            outcome=outcome,
            margin=None if outcome is None else outcome.signed_margin,
            agreement=Share.of([_is_solved(other) for other in scored]),
            flips=tuple(name for name, is_flipped in flips.items() if is_flipped),
            tests=tuple(name for name, is_flipped in flips.items() if is_flipped is not None),
            twin=None if twin is None else twin.number,
            schema_solved=None if both is None else sum(map(_is_solved, both)),
            tags=_tags(answer, scored),
        )

    return tuple(
        view(problem)
        for problem in results.problems
        if (problem.dataset, problem.variant) == (dataset, ORIGINAL)
    )


def _tags(answer: Answer | None, scored: Iterable[Answer]) -> frozenset[str]:
    """Return the tags by any method, but only those of its own that say how replies were read."""
    of_any = frozenset[str]().union(*(other.tags for other in scored))
    return (of_any - REPLY_TAGS) | (frozenset() if answer is None else answer.tags)


def outcomes_by_variant(
    results: Results, key: ResultKey, problem: ProblemRow
) -> list[tuple[ProblemRow, Outcome | None, bool | None]]:
    """Return a problem in every variant, with its outcome and whether it flipped there.

    The outcome is that of the model and method of the key. Whether it flipped is None if it cannot:
    in the original and in controls, if only schemas correspond (then all problems of its entry are
    returned), and if either outcome is undecided.
    """
    originals = _answers(results, key.replace(variant=ORIGINAL))
    variants = {variant.name: variant for variant in results.variants_of(problem.dataset)}
    is_paired = _is_paired(variants[problem.variant])
    rows: list[tuple[ProblemRow, Outcome | None, bool | None]] = []
    for row in results.problems:
        if (row.dataset, row.entry) != (problem.dataset, problem.entry):
            continue
        variant = variants[row.variant]
        if is_paired and _is_paired(variant) and row.number != problem.number:
            continue
        place = (row.entry, row.number)
        outcome = _outcome(_answers(results, key.replace(variant=variant.name)).get(place))
        is_flipped = has_flipped(_outcome(originals.get(place)), outcome)
        rows.append((row, outcome, is_flipped if can_flip(variant) else None))
    return sorted(rows, key=lambda row: list(variants).index(row[0].variant))


def twins_at(results: Results, key: ResultKey) -> AnswersByProblem:
    """Return the answer to the twin of each problem; the first, if it is in two schemas."""
    twins: dict[tuple[str, int], Answer] = {}
    answer_set = results.answer_sets.get(key)
    if answer_set is None:
        return twins
    for pair in answer_set.schemas:
        first, second = (answer_set.answers[position] for position in pair)
        twins.setdefault(first.problem, second)
        twins.setdefault(second.problem, first)
    return twins


def has_flipped(before: Outcome | None, after: Outcome | None) -> bool | None:
    """Whether one is solved and the other failed; None if either is missing or undecided."""
    if before is None or after is None or not {before.verdict, after.verdict} <= _DECIDED:
        return None
    return before.verdict is not after.verdict


def can_flip(variant: Variant) -> bool:
    """Whether its problems correspond to the original's and should be answered alike."""
    return variant.is_consistency_test and _is_paired(variant)


def _is_paired(variant: Variant) -> bool:
    """Whether problems with the same number correspond in the variant and the original."""
    return variant.name == ORIGINAL or (variant.level, variant.compared) == (
        PROBLEM_LEVEL,
        ORIGINAL,
    )


def _answers(results: Results, key: ResultKey) -> AnswersByProblem:
    answer_set = results.answer_sets.get(key)
    return {} if answer_set is None else {answer.problem: answer for answer in answer_set.answers}


def _outcome(answer: Answer | None) -> Outcome | None:
    return None if answer is None else answer.outcome


def _is_solved(answer: Answer) -> bool:
    return answer.outcome.verdict is Verdict.SOLVED


class SortOrder(StrEnum):
    """The order of problems: worst failures, fewest agreeing methods, or most flips first."""

    MARGIN = "margin"
    AGREEMENT = "agreement"
    FLIPS = "flips"
    ID = "id"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemFilter:
    """Conditions on problems: one of the verdicts, if any are named, and all other fields."""

    verdicts: frozenset[Verdict] = frozenset()
    is_flipped: bool = False
    is_half_solved: bool = False
    tags: frozenset[str] = frozenset()

    def matches(self, view: ProblemView) -> bool:
        """Whether a problem meets all conditions."""
        return (
            (not self.verdicts or view.verdict in self.verdicts)
            and (not self.is_flipped or bool(view.flips))
            and (not self.is_half_solved or view.is_half_solved)
            and self.tags <= view.tags
        )


def filter_and_sort(
    views: Iterable[ProblemView],
    problem_filter: ProblemFilter,
    sort: SortOrder = SortOrder.MARGIN,
    *,
    is_reversed: bool = False,
) -> tuple[ProblemView, ...]:
    """Return the problems that match, sorted; those without a sort key come last."""
    key = _KEYS[sort]
    kept = [view for view in views if problem_filter.matches(view)]
    # Equal problems stay sorted by margin, the worst failure first.
    kept.sort(key=lambda view: inf if view.margin is None else view.margin)
    ranked = [(rank, view) for view in kept if (rank := key(view)) is not None]
    ranked.sort(key=lambda pair: pair[0], reverse=is_reversed)
    return (*(view for _, view in ranked), *(view for view in kept if key(view) is None))


def _by_flips(view: ProblemView) -> tuple[float, ...] | None:
    """Sort by the most flips, then by the fewest tests."""
    flips, tests = len(view.flips), len(view.tests)
    return (-flips, tests) if tests else None


def _by_agreement(view: ProblemView) -> tuple[float, ...] | None:
    share = view.agreement.value
    return None if share is None else (share,)


def _by_margin(view: ProblemView) -> tuple[float, ...] | None:
    """Sort by the margin; without a label, nothing is a failure."""
    if view.margin is None or view.verdict is Verdict.UNLABELLED:
        return None
    return (view.margin,)


def _by_id(view: ProblemView) -> tuple[str, str, int]:
    return view.problem.dataset, view.problem.entry, view.problem.number


_KEYS: Mapping[SortOrder, Callable[[ProblemView], tuple[Any, ...] | None]] = {
    SortOrder.MARGIN: _by_margin,
    SortOrder.AGREEMENT: _by_agreement,
    SortOrder.FLIPS: _by_flips,
    SortOrder.ID: _by_id,
}
