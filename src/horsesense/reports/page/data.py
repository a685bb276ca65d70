"""Problems, answers and tokens for the page, coded compactly for the browser to draw.

Everything is in the order of the problems of a form, so that an answer needs no address: a letter
for the option chosen, a number for the margin. Texts that recur are listed once and then counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isinf
from typing import Any, TypeAlias

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
from horsesense.schema.filling import BLANK
from horsesense.scoring.outcome import Answer, Sheet

# In place of an option: a problem that was left undecided, and one that was not answered.
UNDECIDED, UNANSWERED = "-", "."
# In place of a margin or cost: infinite, which JSON cannot write.
INFINITE = -1
# Margins are shown with three digits, the costs of tokens with two.
MARGIN_UNIT, COST_UNIT = 1000, 100

Problem: TypeAlias = tuple[str, int]


@dataclass
class Listed:
    """Texts, each once, in the order in which they were first met."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """The number of a text; a new one is added."""
        return self.numbers.setdefault(text, len(self.numbers))

    def all(self) -> list[str]:
        """The texts themselves."""
        return list(self.numbers)


def page_data(profile: Results) -> dict[str, Any]:
    """All problems, answers and tokens of a profile, as plain lists and numbers."""
    entries, tags, texts, parts = Listed(), Listed(), Listed(), Listed()
    rows = _rows(profile.problems)
    return {
        "models": [_model(profile, one) for one in profile.models],
        "datasets": [{"name": one.name, "title": one.title} for one in profile.datasets],
        "forms": [
            _form(profile, one, rows[one.dataset, one.name], entries) for one in profile.variants
        ],
        "answers": list(_answers(profile, rows, tags)),
        "tokens": list(_tokens(profile, rows, texts, parts)),
        "entries": entries.all(),
        "tags": tags.all(),
        "texts": texts.all(),
        "parts": parts.all(),
    }


def as_script(data: Mapping[str, Any]) -> str:
    """The data as JSON that may stand in a page: nothing in it can end the element it stands in.

    >>> as_script({"id": "</script>"})
    '{"id":"\\\\u003c/script>"}'
    """
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return written.replace("<", "\\u003c")


@dataclass(frozen=True)
class _Rows:
    """The problems of a form in order, and the place of each."""

    problems: tuple[ProblemRow, ...]
    places: Mapping[Problem, int]


class _RowsByForm(dict[tuple[str, str], _Rows]):
    """A form none of whose problems were kept has no rows."""

    def __missing__(self, form: tuple[str, str]) -> _Rows:
        return _Rows((), {})


def _rows(problems: Iterable[ProblemRow]) -> _RowsByForm:
    by_form: dict[tuple[str, str], list[ProblemRow]] = {}
    for one in problems:
        by_form.setdefault((one.dataset, one.variant), []).append(one)
    return _RowsByForm(
        (form, _Rows(tuple(found), {(one.entry, one.number): at for at, one in enumerate(found)}))
        for form, found in by_form.items()
    )


def _model(profile: Results, model: ModelSubject) -> dict[str, Any]:
    standard = dict(model.standard)
    return {
        "name": model.name,
        "isBaseline": model.is_baseline,
        "methods": model.methods,
        "standard": [standard.get(one.name) for one in profile.datasets],
    }


def _form(profile: Results, form: Variant, rows: _Rows, entries: Listed) -> dict[str, Any]:
    return {
        "dataset": [one.name for one in profile.datasets].index(form.dataset),
        "name": form.name,
        "title": form.title,
        "purpose": form.purpose,
        "mode": form.mode,
        "isOriginal": form.name == ORIGINAL,
        "corresponds": (form.level, form.compared) == (PROBLEM_LEVEL, ORIGINAL),
        "canFlip": can_flip(form),
        "rows": [_row(one, entries) for one in rows.problems],
    }


def _row(one: ProblemRow, entries: Listed) -> list[Any]:
    right = -1 if one.label is None else one.label
    row = [entries.number(one.entry), one.number, one.statement, one.options, right]
    return row if _is_filled_in(one) else [*row, one.sentences]


def _is_filled_in(one: ProblemRow) -> bool:
    """True where the browser can make the sentences of the statement and the options."""
    return one.sentences == tuple(one.statement.replace(BLANK, option) for option in one.options)


def _answers(profile: Results, rows: _RowsByForm, tags: Listed) -> Iterator[dict[str, Any]]:
    """The answers by every method to the original, and by the standard one to other forms."""
    for model_at, model in enumerate(profile.models):
        standard = dict(model.standard)
        for form_at, form in enumerate(profile.variants):
            is_original = form.name == ORIGINAL
            for method in model.methods if is_original else [standard.get(form.dataset, "")]:
                at = ResultKey(model.name, form.dataset, form.name, method=method)
                if (sheet := profile.sheets.get(at)) is None:
                    continue
                found = _in_rows(sheet, rows[form.dataset, form.name])
                shown = {"model": model_at, "form": form_at, "method": method, **_coded(found)}
                if is_original and method == standard.get(form.dataset):
                    shown |= _noteworthy(profile, at, tags)
                yield shown


def _noteworthy(profile: Results, at: ResultKey, tags: Listed) -> dict[str, Any]:
    """Agreement of methods and tests with the standard method; twins; tags."""
    views = problem_views(profile, at.model, at.dataset, at.method)
    return {
        "agreement": [[one.agreement.count, one.agreement.total] for one in views],
        "flips": [[len(one.flips), len(one.tests)] for one in views],
        "twins": [[one.twin, one.schema_solved] for one in views],
        "tags": [[tags.number(tag) for tag in sorted(one.tags)] for one in views],
    }


def _in_rows(sheet: Sheet, rows: _Rows) -> list[Answer | None]:
    """The answers of a sheet in the order of the form's problems, None where there is none."""
    given = {one.problem: one for one in sheet.answers}
    return [given.get(problem) for problem in rows.places]


def _coded(answers: Sequence[Answer | None]) -> dict[str, Any]:
    return {
        "chosen": "".join(_letter(one) for one in answers),
        "margins": [_number(one.outcome.margin if one else None, MARGIN_UNIT) for one in answers],
    }


def _letter(answer: Answer | None) -> str:
    if answer is None:
        return UNANSWERED
    chosen = answer.outcome.chosen
    return UNDECIDED if chosen is None else chr(ord("0") + chosen)


def _number(value: float | None, unit: int) -> int | None:
    if value is None:
        return None
    scaled = value * unit
    return INFINITE if isinf(scaled) else round(scaled)


def _tokens(
    profile: Results, rows: _RowsByForm, texts: Listed, parts: Listed
) -> Iterator[dict[str, Any]]:
    """The tokens of the original, option by option, for each model that was asked for any."""
    places = {form.dataset: at for at, form in enumerate(profile.variants) if form.name == ORIGINAL}
    models = {one.name: at for at, one in enumerate(profile.models)}
    found: dict[tuple[str, str], dict[int, dict[int, list[Any]]]] = {}
    for one in profile.tokens:
        row = rows[one.dataset, one.variant].places.get((one.entry, one.number))
        if one.variant == ORIGINAL and row is not None:
            of_row = found.setdefault((one.model, one.dataset), {}).setdefault(row, {})
            of_row[one.option] = _costs(one, texts, parts)
    for (model, dataset), options in found.items():
        yield {"model": models[model], "form": places[dataset], "rows": options}


def _costs(one: TokenCosts, texts: Listed, parts: Listed) -> list[Any]:
    return [
        [texts.number(text) for text in one.texts],
        [_number(cost, COST_UNIT) for cost in one.costs],
        "".join(chr(ord("0") + parts.number(part)) for part in one.parts),
    ]
