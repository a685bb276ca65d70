"""Show problems worth a look: by name, in a list, and one by one under every variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from horsesense.cli.output import Table
from horsesense.cli.score_views import MARKS
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.reports.cells import MINUS, UNDEFINED
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


def problem_name(one: ProblemRow) -> str:
    """What a problem is called on the command line; the original needs no form."""
    form = "" if one.variant == ORIGINAL else f"@{one.variant}"
    return f"{one.dataset}/{one.entry}.{one.number}{form}"


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
    if not found and (form := _unknown_form(listed, text)):
        raise UnknownNameError("form in the run", form, {one.variant for one in listed})
    if not found:
        raise UnknownNameError(_kind(name), name.problem, _known(there, name.problem))
    datasets = list(dict.fromkeys(one.dataset for one in found))
    if len(datasets) > 1:
        which = " or ".join(f"{one}/{text}" for one in datasets)
        raise HorsesenseError(f"{text!r} is in several datasets; give {which}")
    return tuple(found)


def _taken_apart(problems: Iterable[ProblemRow], text: str) -> _Name:
    """An id may have slashes and at signs of its own; only datasets and forms are cut off."""
    datasets = {one.dataset for one in problems}
    forms = {one.variant for one in problems}
    before, at, form = text.rpartition("@")
    rest, form = (before, form) if at and form in forms else (text, ORIGINAL)
    for dataset in sorted(datasets, key=len, reverse=True):
        if rest.startswith(f"{dataset}/"):
            return _Name(dataset, rest.removeprefix(f"{dataset}/"), form)
    return _Name("", rest, form)


def _unknown_form(problems: Iterable[ProblemRow], text: str) -> str:
    """What stands where a form would, and is none."""
    form = text.rpartition("@")[2] if "@" in text else ""
    return "" if form in {one.variant for one in problems} else form


def _kind(name: _Name) -> str:
    where = f" of {name.dataset}" if name.dataset else " in the run"
    return f"problem{where}" if name.form == ORIGINAL else f"problem{where} in form {name.form}"


def _known(problems: Iterable[ProblemRow], name: str) -> list[str]:
    """What there is to be named in the same way: schemas, or problems with their numbers."""
    is_numbered = name.rpartition(".")[2].isdecimal()
    return list(
        dict.fromkeys(f"{one.entry}.{one.number}" if is_numbered else one.entry for one in problems)
    )


# Longer than any sentence of the usual datasets.
_LONGEST = 300
_FLIPPED = {True: "flipped", False: "kept", None: UNDEFINED}


def list_table(views: Iterable[ProblemView]) -> Table:
    """Problems one below the other."""
    rows = [
        (
            problem_name(one.problem),
            outcome_cell(one.problem, one.outcome),
            margin_cell(one.margin),
            f"{one.agreement.count}/{one.agreement.total}",
            f"{len(one.flips)}/{len(one.tests)}",
            UNDEFINED if one.schema_solved is None else f"{one.schema_solved}/2",
            shortened(one.problem.statement),
        )
        for one in views
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
            one.variant.name,
            f"{one.problem.entry}.{one.problem.number}",
            outcome_cell(one.problem, one.outcome),
            margin_cell(None if one.outcome is None else signed_margin(one.outcome)),
            _FLIPPED[one.is_flipped],
            shortened(one.problem.statement),
        )
        for one in views
    ]
    return Table(("form", "problem", "prefers", "margin", "", "statement"), rows)


def twin_line(profile: Results, at: ResultKey, problem: ProblemRow) -> str:
    """What became of the other problem of the schema; nothing where there is none."""
    answer = twins_at(profile, at).get((problem.entry, problem.number))
    if answer is None:
        return ""
    place = (problem.dataset, problem.variant, *answer.problem)
    twin = next(
        one
        for one in profile.problems
        if (one.dataset, one.variant, one.entry, one.number) == place
    )
    told = f"{outcome_cell(twin, answer.outcome)}, {margin_cell(signed_margin(answer.outcome))}"
    return f"its twin {problem_name(twin)}: {told}; {shortened(twin.statement)}"


def methods_table(profile: Results, model: ModelSubject, problem: ProblemRow) -> Table:
    """What every method came to, as it was kept."""
    rows = []
    for method, outcome in outcomes_of(profile, model, problem).items():
        costs = [UNDEFINED] * len(problem.options)
        if outcome is not None:
            costs = [f"{cost:.3f}" for cost in outcome.costs]
        margin = margin_cell(None if outcome is None else signed_margin(outcome))
        rows.append((method, *costs, margin, outcome_cell(problem, outcome)))
    return Table(("method", *problem.options, "margin", "prefers"), rows)


def outcomes_of(
    profile: Results, model: ModelSubject, problem: ProblemRow
) -> dict[str, Outcome | None]:
    """The outcome by each of the model's methods; None where it is undefined."""
    found: dict[str, Outcome | None] = {}
    for method in model.methods:
        at = ResultKey(model.name, problem.dataset, problem.variant, method=method)
        sheet = profile.sheets.get(at)
        answers = () if sheet is None else sheet.answers
        place = (problem.entry, problem.number)
        found[method] = next((one.outcome for one in answers if one.problem == place), None)
    return found


def kept_tokens(
    profile: Results, model: ModelSubject, problem: ProblemRow
) -> tuple[TokenCosts, ...]:
    """The tokens that the run kept of a problem, option by option."""
    place = (model.name, problem.dataset, problem.variant, problem.entry, problem.number)
    return tuple(
        one
        for one in profile.tokens
        if (one.model, one.dataset, one.variant, one.entry, one.number) == place
    )


def token_lines(tokens: Sequence[TokenCosts], problem: ProblemRow) -> Iterator[str]:
    """Every token of an option with its cost, its blank in brackets."""
    for one in tokens:
        mark = "✓" if one.option == problem.label else " "
        shown = [
            f"[{text.strip()}]" if part == "blank" else text.strip()
            for text, part in zip(one.texts, one.parts, strict=True)
        ]
        costs = (UNDEFINED if cost is None else f"{cost:.2f}" for cost in one.costs)
        told = "  ".join(f"{text} {cost}" for text, cost in zip(shown, costs, strict=True))
        yield f"{mark} {problem.options[one.option] or '(nothing)'}:  {told}"


def view_json(one: ProblemView) -> dict[str, Any]:
    """A problem of the list, for programs."""
    return {
        **problem_json(one.problem),
        "method": one.method,
        "outcome": outcome_json(one.outcome),
        "margin": finite(one.margin),
        "methods_solving": one.agreement.count,
        "methods": one.agreement.total,
        "flips": list(one.flips),
        "tests": list(one.tests),
        "twin": one.twin,
        "schema_solved": one.schema_solved,
        "tags": sorted(one.tags),
    }


def form_json(one: VariantView) -> dict[str, Any]:
    """A problem in a form, for programs."""
    margin = None if one.outcome is None else signed_margin(one.outcome)
    return {
        **problem_json(one.problem),
        "outcome": outcome_json(one.outcome),
        "margin": finite(margin),
        "is_flipped": one.is_flipped,
    }


def problem_json(one: ProblemRow) -> dict[str, Any]:
    """A problem in words, for programs."""
    return {
        "problem": problem_name(one),
        "dataset": one.dataset,
        "form": one.variant,
        "entry": one.entry,
        "number": one.number,
        "statement": one.statement,
        "options": list(one.options),
        "sentences": list(one.sentences),
        "right": one.label,
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
