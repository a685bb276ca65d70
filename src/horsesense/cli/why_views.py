"""Find problems by name, and format them: in a list, and one by one in every variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import click

from horsesense.cli.explain import margin_cell
from horsesense.cli.layout import TextTable
from horsesense.cli.score_views import MARKS
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.evaluation.inference import Explanation
from horsesense.reports.deciding import deciding_sentence, reason_in_words
from horsesense.reports.wording import UNDEFINED
from horsesense.results import ORIGINAL, ModelSubject, ProblemRow, ResultKey, Results, TokenCosts
from horsesense.results.measuring.noteworthy import (
    ProblemView,
    twins_at,
)
from horsesense.results.measuring.sums import counted_ranges, option_sums
from horsesense.scoring.deciding import OptionSum
from horsesense.scoring.outcome import Answer, Outcome


@dataclass(frozen=True, slots=True)
class _Name:
    """A parsed problem name; the dataset is empty if the name has none."""

    dataset: str
    problem: str
    variant: str


def problem_name(problem: ProblemRow) -> str:
    """Return the name of a problem on the command line; the original needs no variant."""
    variant = "" if problem.variant == ORIGINAL else f"@{problem.variant}"
    return f"{problem.dataset}/{problem.entry}.{problem.number}{variant}"


def problems_named(problems: Iterable[ProblemRow], text: str) -> tuple[ProblemRow, ...]:
    """Return the problem with that name, or all of the schema with it; ID/1 is read as ID.1."""
    listed = tuple(problems)
    name = _parse(listed, text)
    candidates = [
        row for row in listed if row.variant == name.variant and name.dataset in ("", row.dataset)
    ]
    matches = [row for row in candidates if row.entry == name.problem] or [
        row
        for row in candidates
        if name.problem in (f"{row.entry}.{row.number}", f"{row.entry}/{row.number}")
    ]
    if not matches and (variant := _unknown_variant(listed, text)):
        raise UnknownNameError("variant in the run", variant, {row.variant for row in listed})
    if not matches:
        raise UnknownNameError(_kind(name), name.problem, _known(candidates, name.problem))
    datasets = list(dict.fromkeys(row.dataset for row in matches))
    if len(datasets) > 1:
        names = " or ".join(f"{dataset}/{text}" for dataset in datasets)
        raise HorsesenseError(f"{text!r} is in several datasets; use {names}")
    return tuple(matches)


def _parse(problems: Iterable[ProblemRow], text: str) -> _Name:
    """Split off the dataset and the variant; an id may have slashes and at signs itself."""
    datasets = {problem.dataset for problem in problems}
    variants = {problem.variant for problem in problems}
    before, at, variant = text.rpartition("@")
    rest, variant = (before, variant) if at and variant in variants else (text, ORIGINAL)
    for dataset in sorted(datasets, key=len, reverse=True):
        if rest.startswith(f"{dataset}/"):
            return _Name(dataset, rest.removeprefix(f"{dataset}/"), variant)
    return _Name("", rest, variant)


def _unknown_variant(problems: Iterable[ProblemRow], text: str) -> str:
    """Return the text after the at sign, if it is not a variant of the run."""
    variant = text.rpartition("@")[2] if "@" in text else ""
    return "" if variant in {problem.variant for problem in problems} else variant


def _kind(name: _Name) -> str:
    where = f" of {name.dataset}" if name.dataset else " in the run"
    return f"problem{where}" if name.variant == ORIGINAL else f"{name.variant} problem{where}"


def _known(problems: Iterable[ProblemRow], name: str) -> list[str]:
    """List the names of the same kind: schemas, or problems with their numbers."""
    is_numbered = name.rpartition(".")[2].isdecimal()
    return list(
        dict.fromkeys(
            f"{problem.entry}.{problem.number}" if is_numbered else problem.entry
            for problem in problems
        )
    )


# Longer than any sentence in common datasets.
_LONGEST = 300
_FLIPPED = {True: "flipped", False: "kept", None: UNDEFINED}


def list_table(views: Iterable[ProblemView]) -> TextTable:
    """List problems, one per row."""
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
    return TextTable(columns, rows)


def shortened(statement: str) -> str:
    """Shorten a very long statement in the middle."""
    if len(statement) <= _LONGEST:
        return statement
    half = _LONGEST // 2
    return f"{statement[:half].rstrip()} … {statement[-half:].lstrip()}"


def outcome_cell(problem: ProblemRow, outcome: Outcome | None) -> str:
    """Format the verdict and the preferred option."""
    if outcome is None:
        return UNDEFINED
    chosen = "undecided"
    if outcome.chosen is not None:
        chosen = problem.options[outcome.chosen] or "(nothing)"
    return f"{MARKS[outcome.verdict]} {chosen}"


def variants_table(rows: Iterable[tuple[ProblemRow, Outcome | None, bool | None]]) -> TextTable:
    """Show a problem in every variant: its outcome, whether it flipped, and its statement."""
    cells = [
        (
            problem.variant,
            f"{problem.entry}.{problem.number}",
            outcome_cell(problem, outcome),
            margin_cell(None if outcome is None else outcome.signed_margin),
            _FLIPPED[is_flipped],
            shortened(problem.statement),
        )
        for problem, outcome, is_flipped in rows
    ]
    return TextTable(("variant", "problem", "prefers", "margin", "", "statement"), cells)


def twin_line(results: Results, at: ResultKey, problem: ProblemRow) -> str:
    """Describe the outcome of the other problem of the schema; empty if there is none."""
    if (found := _twin(results, at, problem)) is None:
        return ""
    twin, answer = found
    outcome = f"{outcome_cell(twin, answer.outcome)}, {margin_cell(answer.outcome.signed_margin)}"
    return f"twin {problem_name(twin)}: {shortened(twin.statement)} {outcome}"


def _twin(results: Results, at: ResultKey, problem: ProblemRow) -> tuple[ProblemRow, Answer] | None:
    """Find the other problem of the schema, and the answer to it."""
    answer = twins_at(results, at).get((problem.entry, problem.number))
    if answer is None:
        return None
    twin_id = (problem.dataset, problem.variant, *answer.problem)
    twin = next(
        problem
        for problem in results.problems
        if (problem.dataset, problem.variant, problem.entry, problem.number) == twin_id
    )
    return twin, answer


def why_sentence(
    results: Results, at: ResultKey, problem: ProblemRow, explained: Explanation | None
) -> str:
    """Say in words what decided; the reason needs an explanation or stored tokens."""
    answers = results.answer_sets[at].answers if at in results.answer_sets else ()
    place = (problem.entry, problem.number)
    own = next((answer for answer in answers if answer.problem == place), None)
    outcome = None if own is None else own.outcome
    twin, answer = _twin(results, at, problem) or (None, None)
    added: tuple[OptionSum, ...] = ()
    if explained is not None:
        added = next((each.added for each in explained.sums if each.method == at.method), ())
    elif outcome is not None and problem.variant == ORIGINAL:
        (model,) = (model for model in results.models if model.name == at.model)
        added = option_sums(kept_tokens(results, model, problem), outcome.costs, problem.options)
    return deciding_sentence(
        outcome,
        problem.options,
        added,
        None if answer is None else answer.outcome,
        () if twin is None else twin.options,
        "" if own is None else reason_in_words(own),
    )


def methods_table(results: Results, model: ModelSubject, problem: ProblemRow) -> TextTable:
    """Show the costs, margin and preference of every method, from the stored run."""
    rows = []
    for method, outcome in outcomes_of(results, model, problem).items():
        costs = [UNDEFINED] * len(problem.options)
        if outcome is not None:
            costs = [f"{cost:.3f}" for cost in outcome.costs]
        margin = margin_cell(None if outcome is None else outcome.signed_margin)
        rows.append((method, *costs, margin, outcome_cell(problem, outcome)))
    return TextTable(("method", *problem.options, "margin", "prefers"), rows)


def outcomes_of(
    results: Results, model: ModelSubject, problem: ProblemRow
) -> dict[str, Outcome | None]:
    """Return the outcome by each of the model's methods; None if it is undefined."""
    outcomes: dict[str, Outcome | None] = {}
    for method in model.methods:
        key = ResultKey(model.name, problem.dataset, problem.variant, method=method)
        answer_set = results.answer_sets.get(key)
        answers = () if answer_set is None else answer_set.answers
        problem_id = (problem.entry, problem.number)
        outcomes[method] = next(
            (answer.outcome for answer in answers if answer.problem == problem_id), None
        )
    return outcomes


def kept_tokens(
    results: Results, model: ModelSubject, problem: ProblemRow
) -> tuple[TokenCosts, ...]:
    """Return the tokens of a problem that the run stored, option by option."""
    wanted = (model.name, problem.dataset, problem.variant, problem.entry, problem.number)
    return tuple(
        token
        for token in results.tokens
        if (token.model, token.dataset, token.variant, token.entry, token.number) == wanted
    )


def token_lines(
    tokens: Sequence[TokenCosts], problem: ProblemRow, costs: Sequence[float] = ()
) -> Iterator[str]:
    """Yield the tokens of each option with their costs, the blank in brackets.

    With the costs of the options by a method, tokens that it does not count are dim, if that can be
    found out.
    """
    ranges = counted_ranges(tokens, costs) or [(0, len(token.texts)) for token in tokens]
    for token, (start, end) in zip(tokens, ranges, strict=True):
        mark = "✓" if token.option == problem.label else " "
        texts = [
            f"[{text.strip()}]" if part == "blank" else text.strip()
            for text, part in zip(token.texts, token.parts, strict=True)
        ]
        shown = (UNDEFINED if cost is None else f"{cost:.2f}" for cost in token.costs)
        line = "  ".join(
            text if start <= at < end else click.style(text, dim=True)
            for at, text in enumerate(map(" ".join, zip(texts, shown, strict=True)))
        )
        yield f"{mark} {problem.options[token.option] or '(nothing)'}:  {line}"


def view_json(view: ProblemView) -> dict[str, Any]:
    """Return a problem of the list as JSON."""
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


def variant_json(
    problem: ProblemRow, outcome: Outcome | None, is_flipped: bool | None
) -> dict[str, Any]:
    """Return a problem in a variant as JSON."""
    return {
        **problem_json(problem),
        "outcome": outcome_json(outcome),
        "margin": finite(None if outcome is None else outcome.signed_margin),
        "is_flipped": is_flipped,
    }


def problem_json(problem: ProblemRow) -> dict[str, Any]:
    """Return a problem as JSON."""
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
    """Return an outcome as JSON; an infinite cost is null."""
    if outcome is None:
        return None
    return {
        "costs": [finite(cost) for cost in outcome.costs],
        "chosen": outcome.chosen,
        "verdict": outcome.verdict,
    }


def finite(number: float | None) -> float | None:
    """Replace infinite numbers by None, because JSON has none."""
    return number if number is not None and isfinite(number) else None
