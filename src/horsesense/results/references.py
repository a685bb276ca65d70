"""Whether the tables of results fit together: rows that refer to others, and numbers that count.

A value may be of the right kind and mean nothing: an answer to a problem that is not there, or a
third option of two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from horsesense.results.cells import Misfit, kind_of
from horsesense.results.kept import KeptAnswer, KeptProblem, KeptSheet, Rows, columns_of
from horsesense.results.plan import LIMITS, TIES, Plan
from horsesense.results.rows import TokenCosts


def check_references(tables: Mapping[str, Rows]) -> None:
    """Refuse tables that do not fit together; a `Misfit` says where."""
    _check_run(tables["run"])
    _check_models(tables)
    problems = [KeptProblem(*row) for row in tables["problems"]]
    _check_problems(problems)
    sheets = [KeptSheet(*row) for row in tables["sheets"]]
    answers = [KeptAnswer(*row) for row in tables["answers"]]
    _check_sheets(sheets, len(answers))
    _check_answers(answers, sheets, problems, len(tables["tag_sets"]))
    _check_tokens(tables, problems)


def _check_run(rows: Rows) -> None:
    if len(rows) != 1:
        raise Misfit(("run", "rows"), "one row", f"{len(rows)}")
    run = dict(zip(columns_of("run"), rows[0], strict=True))
    for name in ("started_at", "finished_at"):
        if run[name] and not _is_time(run[name]):
            raise Misfit(("run", "rows", 0, name), "a date and time, or ''", kind_of(run[name]))
    plan: Plan = run["plan"]
    for name, limits in LIMITS.items():
        value = getattr(plan, name)
        if value is not None and not limits.least <= value <= limits.most:
            expected = f"a number from {limits.least} to {limits.most}"
            raise Misfit(("run", "rows", 0, "plan", name), expected, kind_of(value))
    if plan.ties not in TIES:
        expected = f"one of {', '.join(TIES)}"
        raise Misfit(("run", "rows", 0, "plan", "ties"), expected, kind_of(plan.ties))


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _check_models(tables: Mapping[str, Rows]) -> None:
    """Look for a method for each dataset, and for the datasets of all variants."""
    datasets = _column(tables, "datasets", "name")
    baselines = _column(tables, "models", "is_baseline")
    for at, standard in enumerate(_column(tables, "models", "standard")):
        for dataset in datasets:
            if dataset not in dict(standard) and not baselines[at]:
                expected = f"a method for the dataset {dataset}"
                raise Misfit(("models", "rows", at, "standard"), expected, "none")
    for at, methods in enumerate(_column(tables, "models", "methods")):
        if len(set(methods)) < len(methods):
            path = ("models", "rows", at, "methods")
            raise Misfit(path, "each method once", f"{len(methods) - len(set(methods))} repeated")
    for at, dataset in enumerate(_column(tables, "variants", "dataset")):
        if dataset not in datasets:
            path = ("variants", "rows", at, "dataset")
            raise Misfit(path, "a name in the table datasets", kind_of(dataset))


def _check_problems(problems: Sequence[KeptProblem]) -> None:
    for at, one in enumerate(problems):
        if one.statement is not None:
            _check_option(("problems", "rows", at, "label"), one.label, len(one.options))


def _check_sheets(sheets: Sequence[KeptSheet], answers: int) -> None:
    seen: dict[tuple[Any, ...], int] = {}
    for at, one in enumerate(sheets):
        path = ("sheets", "rows", at)
        before = seen.setdefault(one[:5], at)
        if before != at:
            told = f"that of sheets.rows[{before}] again"
            raise Misfit(path, "a model, dataset, variant, subset and method of its own", told)
        if not 0 <= one.answers <= answers:
            expected = f"a number of answers, of which there are {answers}"
            raise Misfit((*path, "answers"), expected, kind_of(one.answers))
        for place, pair in enumerate(one.schemas):
            for side, position in enumerate(pair):
                if not 0 <= position < one.answers:
                    expected = f"the position of one of its {one.answers} answers"
                    whole = (*path, "schemas", place, side)
                    raise Misfit(whole, expected, kind_of(position))
    total = sum(one.answers for one in sheets)
    if total != answers:
        raise Misfit(("answers", "rows"), f"the {total} answers of the sheets", f"{answers}")


def _check_answers(
    answers: Sequence[KeptAnswer],
    sheets: Sequence[KeptSheet],
    problems: Sequence[KeptProblem],
    tags: int,
) -> None:
    of_sheets = (at for at, sheet in enumerate(sheets) for _ in range(sheet.answers))
    for at, (one, sheet) in enumerate(zip(answers, of_sheets, strict=True)):
        path = ("answers", "rows", at)
        if one.sheet != sheet:
            expected = f"{sheet}, as the sheets count their answers"
            raise Misfit((*path, "sheet"), expected, kind_of(one.sheet))
        for name, position, count in (
            ("problem", one.problem, len(problems)),
            ("tags", one.tags, tags),
        ):
            if not 0 <= position < count:
                table = "problems" if name == "problem" else "tag_sets"
                expected = f"a row of the table {table}, which has {count}"
                raise Misfit((*path, name), expected, kind_of(position))
        if one.has_choice:
            options = len(problems[one.problem].options)
            _check_option((*path, "choice"), one.choice, options)
            _check_option((*path, "label"), one.label, options)
            if one.costs and not 1 < len(one.costs) == options:
                expected = f"a cost for each of {options} options, two at least"
                raise Misfit((*path, "costs"), expected, f"{len(one.costs)}")


def _check_option(path: tuple[int | str, ...], position: int | None, options: int) -> None:
    if position is not None and not 0 <= position < options:
        expected = f"the position of one of {options} options, from 0, or null"
        raise Misfit(path, expected, kind_of(position))


def _check_tokens(tables: Mapping[str, Rows], problems: Sequence[KeptProblem]) -> None:
    posed = {one[:4]: len(one.options) for one in problems if one.statement is not None}
    models = _column(tables, "models", "name")
    datasets, forms = (_column(tables, "variants", name) for name in ("dataset", "name"))
    known = set(zip(datasets, forms, strict=True))
    names = list(columns_of("tokens"))
    for at, row in enumerate(tables["tokens"]):
        path = ("tokens", "rows", at)
        one = TokenCosts(**dict(zip(names, row, strict=True)))
        if one.model not in models:
            raise Misfit((*path, "model"), "a name in the table models", kind_of(one.model))
        if (one.dataset, one.variant) not in known:
            expected = "a dataset and variant in the table variants"
            raise Misfit((*path, "variant"), expected, kind_of(one.variant))
        place = (one.dataset, one.variant, one.entry, one.number)
        if place not in posed:
            expected = "an entry and number in the table problems"
            raise Misfit((*path, "entry"), expected, kind_of(one.entry))
        if not 0 <= one.option < posed[place]:
            expected = f"the position of one of {posed[place]} options, from 0"
            raise Misfit((*path, "option"), expected, kind_of(one.option))
        for name in ("parts", "costs"):
            if len(getattr(one, name)) != len(one.texts):
                expected = f"one for each of {len(one.texts)} texts"
                raise Misfit((*path, name), expected, f"{len(getattr(one, name))}")


def _column(tables: Mapping[str, Rows], table: str, column: str) -> list[Any]:
    place = list(columns_of(table)).index(column)
    return [row[place] for row in tables[table]]
