"""Results as the tables that files and the store keep, and back, so that nothing is lost.

They are the tables of `horsesense.results.rows` without what follows from other columns. What many
answers share, their problems and tags, is there once: rows refer to each other by positions, which
count from 0. Some hundreds of sheets have some hundred thousand answers, and a reader wants a few
of them, so a sheet of answers is made when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import accumulate
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, get_type_hints

from horsesense.results.plan import Record
from horsesense.results.results import Results
from horsesense.results.rows import Estimate, Kind, OptionCount, ProblemRow, TokenCosts
from horsesense.results.subjects import DatasetSubject, ModelSubject, ResultKey, Skipped, Variant
from horsesense.scoring.outcome import Answer, Outcome, Sheet

Rows: TypeAlias = Sequence[tuple[Any, ...]]
Tables: TypeAlias = Mapping[str, Rows]


class KeptProblem(NamedTuple):
    """A problem that was posed; `statement` is None where only answers to it are known."""

    dataset: str
    variant: str
    entry: str
    number: int
    options: tuple[str, ...]
    label: int | None = None
    statement: str | None = None
    sentences: tuple[str, ...] = ()


class KeptTags(NamedTuple):
    """Tags that hold of a problem together."""

    tags: tuple[str, ...]


class KeptSheet(NamedTuple):
    """An answer sheet without its answers, and how many these are."""

    model: str
    dataset: str
    variant: str
    subset: str
    method: str
    name: str
    answers: int
    schemas: tuple[tuple[int, int], ...]
    remarks: tuple[str, ...]
    marks: tuple[str, ...]


class KeptAnswer(NamedTuple):
    """An answer: positions of its sheet, problem and tags, and the outcome."""

    sheet: int
    problem: int
    tags: int
    choice: int | None
    label: int | None
    margin: float
    has_choice: bool
    costs: tuple[float, ...]


class _Against(NamedTuple):
    """The key that an estimate is compared with, if there is one."""

    against_model: str | None
    against_dataset: str | None
    against_variant: str | None
    against_subset: str | None
    against_method: str | None


# The tables, and whose fields their columns are; a key takes five columns.
TABLES: Mapping[str, type] = {
    "run": Record,
    "models": ModelSubject,
    "datasets": DatasetSubject,
    "variants": Variant,
    "problems": KeptProblem,
    "tag_sets": KeptTags,
    "sheets": KeptSheet,
    "answers": KeptAnswer,
    "estimates": Estimate,
    "options": OptionCount,
    "tokens": TokenCosts,
    "skipped": Skipped,
}
# What the store, and files of the first version, call tables and columns.
FORMER_TABLES: Mapping[str, str] = {
    "run": "run",
    "models": "run_model",
    "datasets": "run_dataset",
    "variants": "run_form",
    "problems": "posed_problem",
    "tag_sets": "tag_set",
    "sheets": "sheet",
    "answers": "answer",
    "estimates": "measurement",
    "options": "option_chosen",
    "tokens": "token_cost",
    "skipped": "gap",
}
FORMER_COLUMNS: Mapping[str, str] = {
    "variant": "form",
    "against_variant": "against_form",
    "label": "right",
    "choice": "chosen",
    "n_problems": "problems",
    "n_schemas": "schemas",
    "n_clusters": "clusters",
    "n_undecided": "undecided",
    "p_adjusted": "adjusted_p",
}
_NOWHERE = (None,) * len(fields(ResultKey))
_NUMBERS = tuple(one.name for one in fields(Estimate) if one.name not in ("kind", "key", "against"))
_key = attrgetter("model", "dataset", "variant", "subset", "method")
_before, _after = attrgetter(*_NUMBERS[:2]), attrgetter(*_NUMBERS[2:])


@cache
def columns_of(table: str) -> dict[str, Any]:
    """The columns of a table, and what their values are.

    >>> columns_of("skipped")
    {'where': <class 'str'>, 'reason': <class 'str'>, 'is_named': <class 'bool'>}
    """
    columns: dict[str, Any] = {}
    for name, hint in get_type_hints(TABLES[table]).items():
        if hint == ResultKey:
            columns |= get_type_hints(ResultKey)
        elif hint == ResultKey | None:
            columns |= get_type_hints(_Against)
        else:
            columns[name] = hint
    return columns


def to_tables(results: Results) -> dict[str, Rows]:
    """The rows of all tables."""
    return {
        "run": _rows(Record, [results.record]),
        "models": _rows(ModelSubject, results.models),
        "datasets": _rows(DatasetSubject, results.datasets),
        "variants": _rows(Variant, results.variants),
        **_pack(results.problems, results.sheets),
        "estimates": [_estimate_row(one) for one in results.estimates],
        "options": [
            (*_key(one.key), one.option, one.chosen, one.offered) for one in results.options
        ],
        "tokens": _rows(TokenCosts, results.tokens),
        "skipped": _rows(Skipped, results.skipped),
    }


def from_tables(tables: Tables, read_answers: Callable[[Rows], Rows] = list) -> Results:
    """The results whose rows they are.

    Answer sheets are made when somebody asks for them; `read_answers` reads the rows of one.
    """
    keys = _Keys()
    problems = [KeptProblem(*row) for row in tables["problems"]]
    return Results(
        record=_made(Record, tables["run"])[0],
        models=_made(ModelSubject, tables["models"]),
        datasets=_made(DatasetSubject, tables["datasets"]),
        variants=_made(Variant, tables["variants"]),
        estimates=tuple(_estimate(row, keys) for row in tables["estimates"]),
        options=tuple(OptionCount(keys[row[:5]], *row[5:]) for row in tables["options"]),
        problems=tuple(
            ProblemRow(*one[:4], one.statement, one.options, one.label, one.sentences)
            for one in problems
            if one.statement is not None
        ),
        sheets=LazySheets(
            problems,
            [frozenset(tags) for (tags,) in tables["tag_sets"]],
            [KeptSheet(*row) for row in tables["sheets"]],
            tables["answers"],
            read_answers,
        ),
        tokens=_made(TokenCosts, tables["tokens"]),
        skipped=_made(Skipped, tables["skipped"]),
    )


class _Keys(dict[tuple[Any, ...], ResultKey]):
    """Each key once, however many rows name it."""

    def __missing__(self, row: tuple[Any, ...]) -> ResultKey:
        self[row] = made = ResultKey(*row)
        return made


def _rows(kind: type, instances: Sequence[Any]) -> Rows:
    values: Callable[[Any], tuple[Any, ...]] = attrgetter(*(one.name for one in fields(kind)))
    return [values(one) for one in instances]


def _made(kind: type, rows: Rows) -> tuple[Any, ...]:
    names = [one.name for one in fields(kind)]
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in rows)


def _estimate_row(one: Estimate) -> tuple[Any, ...]:
    against = _NOWHERE if one.against is None else _key(one.against)
    return (one.kind, *_key(one.key), *_before(one), *against, *_after(one))


def _estimate(row: tuple[Any, ...], keys: _Keys) -> Estimate:
    key, against = row[1:6], row[8:13]
    return Estimate(
        kind=Kind(row[0]),
        key=keys[key],
        against=None if against == _NOWHERE else keys[against],
        **dict(zip(_NUMBERS, row[6:8] + row[13:], strict=True)),
    )


class LazySheets(Mapping[ResultKey, Sheet]):
    """Answers by their keys, equal to a dictionary of them."""

    def __init__(
        self,
        problems: Sequence[KeptProblem],
        tags: Sequence[frozenset[str]],
        sheets: Sequence[KeptSheet],
        answers: Rows,
        read_answers: Callable[[Rows], Rows] = list,
    ) -> None:
        ends = list(accumulate(one.answers for one in sheets))
        total = ends[-1] if ends else 0
        if len(answers) != total:
            raise ValueError(f"there are {len(answers)} answers, and {total} on the sheets")
        self._problems, self._tags, self._read = problems, tags, read_answers
        self._rows = {
            ResultKey(*one[:5]): (one, answers[end - one.answers : end])
            for one, end in zip(sheets, ends, strict=True)
        }
        self._made: dict[ResultKey, Sheet] = {}

    def __getitem__(self, key: ResultKey) -> Sheet:
        if key not in self._made:
            self._made[key] = self._sheet(*self._rows[key])
        return self._made[key]

    def __iter__(self) -> Iterator[ResultKey]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def _sheet(self, row: KeptSheet, answers: Rows) -> Sheet:
        made = []
        for _, at, tags, choice, label, margin, has_choice, costs in self._read(answers):
            problem = self._problems[at]
            outcome = Outcome(costs, choice, label, margin, has_choice)
            made.append(
                Answer(problem.entry, problem.number, outcome, problem.options, self._tags[tags])
            )
        return Sheet(row.name, tuple(made), row.schemas, row.remarks, frozenset(row.marks))


def _pack(problems: Iterable[ProblemRow], sheets: Mapping[ResultKey, Sheet]) -> dict[str, Rows]:
    """The rows of all sheets; problems that are only on these come after those that were posed."""
    posed = [
        KeptProblem(
            *(one.dataset, one.variant, one.entry, one.number, one.options),
            one.label,
            one.statement,
            one.sentences,
        )
        for one in problems
    ]
    places: dict[tuple[Any, ...], int] = {}
    for at, row in enumerate(posed):
        places.setdefault(row[:5], at)
    tags: dict[frozenset[str], int] = {}
    answers: list[KeptAnswer] = []
    for number, (key, sheet) in enumerate(sheets.items()):
        for one in sheet.answers:
            problem = (key.dataset, key.variant, one.entry, one.number, one.options)
            if problem not in places:
                places[problem] = len(posed)
                posed.append(KeptProblem(*problem))
            tagged = tags.setdefault(one.tags, len(tags))
            answers.append(_answer_row(number, places[problem], tagged, one.outcome))
    return {
        "problems": posed,
        "tag_sets": [KeptTags(tuple(sorted(one))) for one in tags],
        "sheets": [_sheet_row(key, sheet) for key, sheet in sheets.items()],
        "answers": answers,
    }


def _answer_row(sheet: int, problem: int, tags: int, one: Outcome) -> KeptAnswer:
    return KeptAnswer(
        sheet, problem, tags, one.chosen, one.right, one.margin, one.has_choice, one.costs
    )


def _sheet_row(key: ResultKey, sheet: Sheet) -> KeptSheet:
    return KeptSheet(
        *(key.model, key.dataset, key.variant, key.subset, key.method),
        sheet.name,
        len(sheet.answers),
        sheet.schemas,
        sheet.remarks,
        tuple(sorted(sheet.marks)),
    )
