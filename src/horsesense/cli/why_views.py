"""Show problems worth a look: by name, in a list, and one by one under every variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from horsesense.cli.output import Table
from horsesense.cli.score_views import MARKS
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.reports.wording import MINUS, UNDEFINED
from horsesense.results import ORIGINAL, ModelSubject, ProblemRow, ResultKey, Results, TokenCosts
from horsesense.results.measuring.noteworthy import (
    ProblemView,
    VariantView,
    signed_margin,
    twins_at,
)
from horsesense.scoring.outcome import Outcome


@dataclass(frozen=True, slots=True)
class _Name:
    """A name taken apart; the dataset is empty where none is named."""

    dataset: str
    problem: str
    form: str


def problem_name(problem: ProblemRow) -> str:
    """What a problem is called on the command line; the original needs no form."""
    variant = "" if problem.variant == ORIGINAL else f"@{problem.variant}"
    return f"{problem.dataset}/{problem.entry}.{problem.number}{variant}"


def problems_named(problems: Iterable[ProblemRow], text: str) -> tuple[ProblemRow, ...]:
    """The problem of that name, or those of the schema of that name; ID/1 is read as ID.1."""
    listed = tuple(problems)
    name = _taken_apart(listed, text)
    there = [
        one for one in listed if one.variant == name.form and name.dataset in ("", one.dataset)
    ]
    found = [one for one in there if one.entry == name.problem] or [
        one
        for one in there
        if name.problem in (f"{one.entry}.{one.number}", f"{one.entry}/{one.number}")
    ]
    if not found and (variant := _unknown_form(listed, text)):
        raise UnknownNameError("form in the run", variant, {one.variant for one in listed})
    if not found:
        raise UnknownNameError(_kind(name), name.problem, _known(there, name.problem))
    datasets = list(dict.fromkeys(one.dataset for one in found))
    if len(datasets) > 1:
        which = " or ".join(f"{dataset}/{text}" for dataset in datasets)
        raise HorsesenseError(f"{text!r} is in several datasets; give {which}")
    return tuple(found)


def _taken_apart(problems: Iterable[ProblemRow], text: str) -> _Name:
    """An id may have slashes and at signs of its own; only datasets and forms are cut off."""
    datasets = {problem.dataset for problem in problems}
    variants = {problem.variant for problem in problems}
    before, at, variant = text.rpartition("@")
    rest, variant = (before, variant) if at and variant in variants else (text, ORIGINAL)
    for dataset in sorted(datasets, key=len, reverse=True):
        if rest.startswith(f"{dataset}/"):
            return _Name(dataset, rest.removeprefix(f"{dataset}/"), variant)
    return _Name("", rest, variant)


def _unknown_form(problems: Iterable[ProblemRow], text: str) -> str:
    """What stands where a form would, and is none."""
    variant = text.rpartition("@")[2] if "@" in text else ""
    return "" if variant in {problem.variant for problem in problems} else variant


def _kind(name: _Name) -> str:
    where = f" of {name.dataset}" if name.dataset else " in the run"
    return f"problem{where}" if name.form == ORIGINAL else f"problem{where} in form {name.form}"


def _known(problems: Iterable[ProblemRow], name: str) -> list[str]:
    """What there is to be named in the same way: schemas, or problems with their numbers."""
    is_numbered = name.rpartition(".")[2].isdecimal()
    return list(
        dict.fromkeys(
            f"{problem.entry}.{problem.number}" if is_numbered else problem.entry
            for problem in problems
        )
    )


# Longer than any sentence of the usual datasets.
_LONGEST = 300
_FLIPPED = {True: "flipped", False: "kept", None: UNDEFINED}


def list_table(views: Iterable[ProblemView]) -> Table:
    """Problems one below the other."""
    rows = [
        (
            problem_name(view.problem),
            outcome_cell(view.problem, view.outcome),
            margin_cell(view.margin),
            f"{view.agreement.count}/{view.agreement.total}",
            f"{len(view.flips)}/{len(view.tests)}",
            UNDEFINED if view.schema_solved is None else f"{view.schema_solved}/2",
            shortened(view.problem.statement),
        )
        for view in views
    ]
    columns = ("problem", "prefers", "margin", "methods", "flips", "schema", "statement")
    return Table(columns, rows)


def shortened(statement: str) -> str:
    """A statement for a row, without the middle of one that is very long."""
    if len(statement) <= _LONGEST:
        return statement
    half = _LONGEST // 2
    return f"{statement[:half].rstrip()} … {statement[-half:].lstrip()}"


def outcome_cell(problem: ProblemRow, outcome: Outcome | None) -> str:
    """Whether it was solved, and the option that was preferred."""
    if outcome is None:
        return UNDEFINED
    chosen = "undecided"
    if outcome.chosen is not None:
        chosen = problem.options[outcome.chosen] or "(nothing)"
    return f"{MARKS[outcome.verdict]} {chosen}"


def margin_cell(margin: float | None) -> str:
    """A margin with its sign.

    >>> margin_cell(1.5), margin_cell(-0.25), margin_cell(None)
    ('+1.500', '−0.250', '–')
    """
    return UNDEFINED if margin is None else f"{margin:+.3f}".replace("-", MINUS)


def forms_table(views: Iterable[VariantView]) -> Table:
    """A problem under every form, with the sentence that was posed."""
    rows = [
        (
            view.variant.name,
            f"{view.problem.entry}.{view.problem.number}",
            outcome_cell(view.problem, view.outcome),
            margin_cell(None if view.outcome is None else signed_margin(view.outcome)),
            _FLIPPED[view.is_flipped],
            shortened(view.problem.statement),
        )
        for view in views
    ]
    return Table(("form", "problem", "prefers", "margin", "", "statement"), rows)


def twin_line(results: Results, at: ResultKey, problem: ProblemRow) -> str:
    """What became of the other problem of the schema; nothing where there is none."""
    answer = twins_at(results, at).get((problem.entry, problem.number))
    if answer is None:
        return ""
    place = (problem.dataset, problem.variant, *answer.problem)
    twin = next(
        problem
        for problem in results.problems
        if (problem.dataset, problem.variant, problem.entry, problem.number) == place
    )
    message = f"{outcome_cell(twin, answer.outcome)}, {margin_cell(signed_margin(answer.outcome))}"
    return f"its twin {problem_name(twin)}: {message}; {shortened(twin.statement)}"


def methods_table(results: Results, model: ModelSubject, problem: ProblemRow) -> Table:
    """What every method came to, as it was kept."""
    rows = []
    for method, outcome in outcomes_of(results, model, problem).items():
        costs = [UNDEFINED] * len(problem.options)
        if outcome is not None:
            costs = [f"{cost:.3f}" for cost in outcome.costs]
        margin = margin_cell(None if outcome is None else signed_margin(outcome))
        rows.append((method, *costs, margin, outcome_cell(problem, outcome)))
    return Table(("method", *problem.options, "margin", "prefers"), rows)


def outcomes_of(
    results: Results, model: ModelSubject, problem: ProblemRow
) -> dict[str, Outcome | None]:
    """The outcome by each of the model's methods; None where it is undefined."""
    found: dict[str, Outcome | None] = {}
    for method in model.methods:
        at = ResultKey(model.name, problem.dataset, problem.variant, method=method)
        answer_set = results.answer_sets.get(at)
        answers = () if answer_set is None else answer_set.answers
        place = (problem.entry, problem.number)
        found[method] = next(
            (answer.outcome for answer in answers if answer.problem == place), None
        )
    return found


def kept_tokens(
    results: Results, model: ModelSubject, problem: ProblemRow
) -> tuple[TokenCosts, ...]:
    """The tokens that the run kept of a problem, option by option."""
    place = (model.name, problem.dataset, problem.variant, problem.entry, problem.number)
    return tuple(
        token
        for token in results.tokens
        if (token.model, token.dataset, token.variant, token.entry, token.number) == place
    )


def token_lines(tokens: Sequence[TokenCosts], problem: ProblemRow) -> Iterator[str]:
    """Every token of an option with its cost, its blank in brackets."""
    for token in tokens:
        mark = "✓" if token.option == problem.label else " "
        shown = [
            f"[{text.strip()}]" if part == "blank" else text.strip()
            for text, part in zip(token.texts, token.parts, strict=True)
        ]
        costs = (UNDEFINED if cost is None else f"{cost:.2f}" for cost in token.costs)
        message = "  ".join(f"{text} {cost}" for text, cost in zip(shown, costs, strict=True))
        yield f"{mark} {problem.options[token.option] or '(nothing)'}:  {message}"


def view_json(view: ProblemView) -> dict[str, Any]:
    """A problem of the list, for programs."""
    return {
        **problem_json(view.problem),
        "method": view.method,
        "outcome": outcome_json(view.outcome),
        "margin": finite(view.margin),
        "methods_solving": view.agreement.count,
        "methods": view.agreement.total,
        "flips": list(view.flips),
        "tests": list(view.tests),
        "twin": view.twin,
        "schema_solved": view.schema_solved,
        "tags": sorted(view.tags),
    }


def form_json(variant_view: VariantView) -> dict[str, Any]:
    """A problem in a form, for programs."""
    margin = None if variant_view.outcome is None else signed_margin(variant_view.outcome)
    return {
        **problem_json(variant_view.problem),
        "outcome": outcome_json(variant_view.outcome),
        "margin": finite(margin),
        "is_flipped": variant_view.is_flipped,
    }


def problem_json(problem: ProblemRow) -> dict[str, Any]:
    """A problem in words, for programs."""
    return {
        "problem": problem_name(problem),
        "dataset": problem.dataset,
        "form": problem.variant,
        "entry": problem.entry,
        "number": problem.number,
        "statement": problem.statement,
        "options": list(problem.options),
        "sentences": list(problem.sentences),
        "right": problem.label,
    }


def outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """An outcome, for programs; an infinite cost is null."""
    if outcome is None:
        return None
    return {
        "costs": [finite(cost) for cost in outcome.costs],
        "chosen": outcome.chosen,
        "verdict": outcome.verdict,
    }


def finite(number: float | None) -> float | None:
    """JSON has no infinite numbers."""
    return number if number is not None and isfinite(number) else None
