"""All problems, answers and tokens of a run, as the page's script reads them.

Texts that recur are numbered, and large data are compressed, so that a page of ten thousand
problems stays small.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import isinf, isnan
from typing import Any, TypeAlias

from horsesense.reports.deciding import deciding_sentence, reason_in_words
from horsesense.results import (
    ORIGINAL,
    PROBLEM_LEVEL,
    ModelSubject,
    ProblemRow,
    ResultKey,
    Results,
    TokenCosts,
    Variant,
)
from horsesense.results.measuring.noteworthy import can_flip, problem_views
from horsesense.results.measuring.sums import counted_ranges, option_sums
from horsesense.schema.filling import BLANK
from horsesense.scoring.outcome import Answer

# In place of an option: a problem that was left undecided, and one that was not answered.
UNDECIDED, UNANSWERED = "-", "."
# In place of a margin or cost: infinite, which JSON cannot write.
INFINITE = -1
# Data above this size in bytes are compressed.
LARGEST_PLAIN = 300_000
# Margins are shown with three digits, the costs of tokens with two.
MARGIN_UNIT, COST_UNIT = 1000, 100

# The problems of each dataset and variant, by entry and number; a variant may have none stored.
ProblemRows: TypeAlias = Mapping[tuple[str, str], Mapping[tuple[str, int], ProblemRow]]
# Unique texts, numbered in the order in which they first occur.
Numbers: TypeAlias = dict[str, int]
# The tokens of each problem, option by option, by model, dataset, entry and number.
StoredTokens: TypeAlias = Mapping[tuple[str, str, str, int], Sequence[TokenCosts]]


def page_data(results: Results) -> dict[str, Any]:
    """Return all problems, answers and tokens of a run, as plain lists and numbers."""
    entries, tags, texts, parts = Numbers(), Numbers(), Numbers(), Numbers()
    by_entry: defaultdict[tuple[str, str], list[ProblemRow]] = defaultdict(list)
    for problem in results.problems:
        by_entry[problem.dataset, problem.entry].append(problem)
    rows: defaultdict[tuple[str, str], dict[tuple[str, int], ProblemRow]] = defaultdict(dict)
    for problems in by_entry.values():
        for problem in problems:
            rows[problem.dataset, problem.variant][problem.entry, problem.number] = problem
    forms = {(each.dataset, each.name): at for at, each in enumerate(results.variants)}
    stored = _stored_tokens(results)
    return {
        "models": [_model(results, model) for model in results.models],
        "datasets": [
            {"name": dataset.name, "title": dataset.title} for dataset in results.datasets
        ],
        "forms": [_form(results, variant) for variant in results.variants],
        # The variants of a problem stand together, because texts that are alike compress well then.
        "problems": [
            [
                _number(entries, entry),
                [_row(problem, forms[dataset, problem.variant]) for problem in problems],
            ]
            for (dataset, entry), problems in by_entry.items()
        ],
        "answers": list(_answers(results, rows, tags, stored)),
        "tokens": list(_tokens(results, rows, texts, parts, stored)),
        "entries": list(entries),
        "tags": list(tags),
        "texts": list(texts),
        "parts": list(parts),
    }


def _stored_tokens(results: Results) -> StoredTokens:
    stored: defaultdict[tuple[str, str, str, int], list[TokenCosts]] = defaultdict(list)
    for token in results.tokens:
        if token.variant == ORIGINAL:
            stored[token.model, token.dataset, token.entry, token.number].append(token)
    for options in stored.values():
        options.sort(key=lambda token: token.option)
    return stored


def as_element(data: Mapping[str, Any]) -> str:
    """The element of a page that holds the data: plain JSON, or compressed if it is large.

    Compressed data are gzip in base64.
    """
    script = as_script(data)
    kind = "application/json"
    if len(script.encode()) > LARGEST_PLAIN:
        # Without a time, the same data give the same page.
        script = b64encode(gzip.compress(script.encode(), mtime=0)).decode()
        kind = "application/gzip"
    return f'<script type="{kind}" id="data">{script}</script>'


def as_script(data: Mapping[str, Any]) -> str:
    """The data as JSON that may stand in a page: nothing in it can end the element it stands in.

    >>> as_script({"id": "</script>"})
    '{"id":"\\\\u003c/script>"}'
    """
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return written.replace("<", "\\u003c")


def _number(numbers: Numbers, text: str) -> int:
    """Return the number of a text; a new one is added."""
    return numbers.setdefault(text, len(numbers))


def _model(results: Results, model: ModelSubject) -> dict[str, Any]:
    standard = dict(model.standard)
    return {
        "name": model.name,
        "isBaseline": model.is_baseline,
        "methods": model.methods,
        "standard": [standard.get(dataset.name) for dataset in results.datasets],
    }


def _form(results: Results, variant: Variant) -> dict[str, Any]:
    return {
        "dataset": [dataset.name for dataset in results.datasets].index(variant.dataset),
        "name": variant.name,
        "title": variant.title,
        "purpose": variant.purpose,
        "mode": variant.mode,
        "isOriginal": variant.name == ORIGINAL,
        "corresponds": (variant.level, variant.compared) == (PROBLEM_LEVEL, ORIGINAL),
        "canFlip": can_flip(variant),
    }


def _row(problem: ProblemRow, form: int) -> list[Any]:
    right = -1 if problem.label is None else problem.label
    row = [form, problem.number, problem.statement, problem.options, right]
    # The browser can fill the options into the statement itself, unless that gives other sentences.
    filled = tuple(problem.statement.replace(BLANK, option) for option in problem.options)
    return row if problem.sentences == filled else [*row, problem.sentences]


def _answers(
    results: Results, rows: ProblemRows, tags: Numbers, stored: StoredTokens
) -> Iterator[dict[str, Any]]:
    """Yield answers: by every method to the original, by the standard one to other variants."""
    for model_at, model in enumerate(results.models):
        standard = dict(model.standard)
        for variant_at, variant in enumerate(results.variants):
            is_original = variant.name == ORIGINAL
            for method in model.methods if is_original else [standard.get(variant.dataset, "")]:
                key = ResultKey(model.name, variant.dataset, variant.name, method=method)
                if (answer_set := results.answer_sets.get(key)) is None:
                    continue
                by_problem = {answer.problem: answer for answer in answer_set.answers}
                problems = rows[variant.dataset, variant.name]
                coded = _coded([by_problem.get(problem) for problem in problems])
                shown = {"model": model_at, "form": variant_at, "method": method, **coded}
                if is_original and method == standard.get(variant.dataset):
                    shown |= _noteworthy(results, key, tags)
                    shown["why"] = [
                        _why(key, problem, by_problem, twin, problems, stored)
                        for problem, (twin, _) in zip(problems, shown["twins"], strict=True)
                    ]
                yield shown


def _noteworthy(results: Results, key: ResultKey, tags: Numbers) -> dict[str, Any]:
    """Return agreement of methods and tests with the standard method; twins; tags."""
    views = problem_views(results, key.model, key.dataset, key.method)
    return {
        "agreement": [[view.agreement.count, view.agreement.total] for view in views],
        "flips": [[len(view.flips), len(view.tests)] for view in views],
        "twins": [[view.twin, view.schema_solved] for view in views],
        "tags": [[_number(tags, tag) for tag in sorted(view.tags)] for view in views],
    }


def _why(
    key: ResultKey,
    problem: tuple[str, int],
    answers: Mapping[tuple[str, int], Answer],
    twin: int | None,
    problems: Mapping[tuple[str, int], ProblemRow],
    stored: StoredTokens,
) -> str:
    """Say in words what decided a problem."""
    answer, other = answers.get(problem), answers.get((problem[0], twin or 0))
    other_row = problems.get((problem[0], twin or 0))
    if answer is None:
        return ""
    tokens = stored.get((key.model, key.dataset, *problem), ())
    options = problems[problem].options
    return deciding_sentence(
        answer.outcome,
        options,
        option_sums(tokens, answer.outcome.costs, options),
        None if other is None else other.outcome,
        () if other_row is None else other_row.options,
        reason_in_words(answer),
    )


def _coded(answers: Sequence[Answer | None]) -> dict[str, Any]:
    """Return a letter and a margin for each problem; None is a missing answer."""
    return {
        "chosen": "".join(_letter(answer) for answer in answers),
        "margins": [_scaled(_size(answer), MARGIN_UNIT) for answer in answers],
    }


def _size(answer: Answer | None) -> float | None:
    """The margin without its sign, which the verdict gives."""
    margin = answer.outcome.signed_margin if answer else None
    return None if margin is None else abs(margin)


def _letter(answer: Answer | None) -> str:
    if answer is None:
        return UNANSWERED
    chosen = answer.outcome.chosen
    return UNDECIDED if chosen is None else chr(ord("0") + chosen)


def _scaled(value: float | None, unit: int) -> int | None:
    if value is None or isnan(value):  # the difference of two infinite costs
        return None
    scaled = value * unit
    return INFINITE if isinf(scaled) else round(scaled)


def _tokens(
    results: Results, rows: ProblemRows, texts: Numbers, parts: Numbers, stored: StoredTokens
) -> Iterator[dict[str, Any]]:
    """Yield the tokens of the original, option by option, for each model that has any.

    With them are the first and the last token that the standard method counts, if known.
    """
    for model_at, model in enumerate(results.models):
        for form_at, variant in enumerate(results.variants):
            if variant.name != ORIGINAL:
                continue
            method = dict(model.standard).get(variant.dataset, "")
            answer_set = results.answer_sets.get(
                ResultKey(model.name, variant.dataset, method=method)
            )
            answers = () if answer_set is None else answer_set.answers
            costs = {answer.problem: answer.outcome.costs for answer in answers}
            coded: dict[int, dict[int, list[Any]]] = {}
            for row, problem in enumerate(rows[variant.dataset, ORIGINAL]):
                tokens = stored.get((model.name, variant.dataset, *problem), ())
                if not tokens:
                    continue
                counted = counted_ranges(tokens, costs.get(problem, ()))
                coded[row] = {
                    token.option: [*_costs(token, texts, parts), *(counted[at] if counted else ())]
                    for at, token in enumerate(tokens)
                }
            if coded:
                yield {"model": model_at, "form": form_at, "rows": coded}


def _costs(token_costs: TokenCosts, texts: Numbers, parts: Numbers) -> list[Any]:
    return [
        [_number(texts, text) for text in token_costs.texts],
        [_scaled(cost, COST_UNIT) for cost in token_costs.costs],
        "".join(chr(ord("0") + _number(parts, part)) for part in token_costs.parts),
    ]
