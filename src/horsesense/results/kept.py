"""Results as the normalized tables that files and the store keep, and back, without loss.

These are the tables of `horsesense.results.rows` without the columns that can be computed from
others. Problems and tag sets are stored once and referred to by position, from 0. A run has
hundreds of answer sets with hundreds of thousands of answers, and most readers need only a few, so
each answer set is built on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import accumulate
from operator import attrgetter
from typing import Any, TypeAlias, get_type_hints

from horsesense.results.record import (
    DatasetSubject,
    ModelSubject,
    Record,
    ResultKey,
    Skipped,
    Variant,
)
from horsesense.results.results import Results
from horsesense.results.rows import (
    Estimate,
    EstimateKind,
    OptionCount,
    ProblemRow,
    ReplyCount,
    ServerUsage,
    TokenCosts,
)
from horsesense.scoring.outcome import Answer, AnswerSet, Outcome

Rows: TypeAlias = Sequence[tuple[Any, ...]]
Tables: TypeAlias = Mapping[str, Rows]


# Each table: a type whose fields are the columns (a key takes five), or the columns themselves.
# The statement of a problem is None if only answers to it are known. In `answers`, `sheet`,
# `problem` and `tags` are row numbers in the tables `sheets`, `problems` and `tag_sets`.
TABLES: Mapping[str, type | Mapping[str, Any]] = {
    "run": Record,
    "models": ModelSubject,
    "datasets": DatasetSubject,
    "variants": Variant,
    "problems": {
        "dataset": str,
        "variant": str,
        "entry": str,
        "number": int,
        "options": tuple[str, ...],
        "label": int | None,
        "statement": str | None,
        "sentences": tuple[str, ...],
    },
    "tag_sets": {"tags": tuple[str, ...]},
    "sheets": {
        "model": str,
        "dataset": str,
        "variant": str,
        "subset": str,
        "method": str,
        "name": str,
        "answers": int,
        "schemas": tuple[tuple[int, int], ...],
        "remarks": tuple[str, ...],
        "marks": tuple[str, ...],
    },
    "answers": {
        "sheet": int,
        "problem": int,
        "tags": int,
        "choice": int | None,
        "label": int | None,
        "margin": float,
        "has_choice": bool,
        "costs": tuple[float, ...],
    },
    "estimates": Estimate,
    "options": OptionCount,
    "tokens": TokenCosts,
    "skipped": Skipped,
    "replies": ReplyCount,
    "usage": ServerUsage,
}
# Tables and columns that earlier versions do not have. The tables are empty in their results, and
# the columns hold these values.
LATER_TABLES = frozenset({"replies", "usage"})
LATER_COLUMNS: Mapping[str, Mapping[str, Any]] = {"models": {"server": ""}}
# The names of tables and columns in the store and in files of the first version.
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
    "replies": "reply_count",
    "usage": "server_usage",
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
_NO_KEY = (None,) * len(fields(ResultKey))
_NUMBERS = tuple(
    field.name for field in fields(Estimate) if field.name not in ("kind", "key", "against")
)
_key = attrgetter("model", "dataset", "variant", "subset", "method")
_before, _after = attrgetter(*_NUMBERS[:2]), attrgetter(*_NUMBERS[2:])


@cache
def columns_of(table: str) -> dict[str, Any]:
    """Return the columns of a table, with the types of their values.

    >>> columns_of("skipped")
    {'where': <class 'str'>, 'reason': <class 'str'>, 'is_named': <class 'bool'>}
    """
    table_columns = TABLES[table]
    if isinstance(table_columns, Mapping):
        return dict(table_columns)
    columns: dict[str, Any] = {}
    for name, hint in get_type_hints(table_columns).items():
        if hint == ResultKey:
            columns |= get_type_hints(ResultKey)
        elif hint == ResultKey | None:
            columns |= {f"against_{part}": str | None for part in get_type_hints(ResultKey)}
        else:
            columns[name] = hint
    return columns


def to_tables(results: Results) -> dict[str, Rows]:
    """Return the rows of all tables."""
    return {
        "run": _rows(Record, [results.record]),
        "models": _rows(ModelSubject, results.models),
        "datasets": _rows(DatasetSubject, results.datasets),
        "variants": _rows(Variant, results.variants),
        **_pack(results.problems, results.answer_sets),
        "estimates": [_estimate_row(estimate) for estimate in results.estimates],
        "options": [
            (*_key(option.key), option.option, option.chosen, option.offered)
            for option in results.options
        ],
        "tokens": _rows(TokenCosts, results.tokens),
        "skipped": _rows(Skipped, results.skipped),
        "replies": _rows(ReplyCount, results.replies),
        "usage": _rows(ServerUsage, results.usage),
    }


class _Keys(dict[tuple[Any, ...], ResultKey]):
    """Keys by their values, so that equal rows share one object."""

    def __missing__(self, row: tuple[Any, ...]) -> ResultKey:
        self[row] = created = ResultKey(*row)
        return created


def from_tables(tables: Tables, read_answers: Callable[[Rows], Rows] = list) -> Results:
    """Build results from the rows of all tables.

    `read_answers` reads the answers of an answer set on first use.
    """
    keys = _Keys()
    return Results(
        record=_made(Record, tables["run"])[0],
        models=_made(ModelSubject, tables["models"]),
        datasets=_made(DatasetSubject, tables["datasets"]),
        variants=_made(Variant, tables["variants"]),
        estimates=estimates_from(tables["estimates"], keys),
        options=tuple(OptionCount(keys[row[:5]], *row[5:]) for row in tables["options"]),
        problems=tuple(
            ProblemRow(dataset, variant, entry, number, statement, options, label, sentences)
            for dataset, variant, entry, number, options, label, statement, sentences in tables[
                "problems"
            ]
            if statement is not None
        ),
        answer_sets=LazyAnswerSets(tables, read_answers),
        tokens=_made(TokenCosts, tables["tokens"]),
        skipped=_made(Skipped, tables["skipped"]),
        replies=_made(ReplyCount, tables["replies"]),
        usage=_made(ServerUsage, tables["usage"]),
    )


def estimates_from(rows: Rows, keys: _Keys | None = None) -> tuple[Estimate, ...]:
    """Build estimates from rows of their table."""
    shared = _Keys() if keys is None else keys
    return tuple(_estimate(row, shared) for row in rows)


def _rows(kind: type, instances: Sequence[Any]) -> Rows:
    values: Callable[[Any], tuple[Any, ...]] = attrgetter(*(field.name for field in fields(kind)))
    return [values(instance) for instance in instances]


def _made(kind: type, rows: Rows) -> tuple[Any, ...]:
    names = [field.name for field in fields(kind)]
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in rows)


def _estimate_row(estimate: Estimate) -> tuple[Any, ...]:
    against = _NO_KEY if estimate.against is None else _key(estimate.against)
    return (estimate.kind, *_key(estimate.key), *_before(estimate), *against, *_after(estimate))


def _estimate(row: tuple[Any, ...], keys: _Keys) -> Estimate:
    key, against = row[1:6], row[8:13]
    return Estimate(
        kind=EstimateKind(row[0]),
        key=keys[key],
        against=None if against == _NO_KEY else keys[against],
        **dict(zip(_NUMBERS, row[6:8] + row[13:], strict=True)),
    )


class LazyAnswerSets(Mapping[ResultKey, AnswerSet]):
    """Answer sets by key, each built from its rows on first use.

    It equals a dictionary of the same answer sets.
    """

    def __init__(self, tables: Tables, read_answers: Callable[[Rows], Rows] = list) -> None:
        counts = [row[6] for row in tables["sheets"]]
        if len(tables["answers"]) != sum(counts):
            raise ValueError(
                f"there are {len(tables['answers'])} answers, but the sheets count {sum(counts)}"
            )
        self._problems, self._read = tables["problems"], read_answers
        self._tags = [frozenset(tags) for (tags,) in tables["tag_sets"]]
        self._rows = {
            ResultKey(*row[:5]): (row, tables["answers"][end - count : end])
            for row, count, end in zip(tables["sheets"], counts, accumulate(counts), strict=True)
        }
        self._made: dict[ResultKey, AnswerSet] = {}

    def __getitem__(self, key: ResultKey) -> AnswerSet:
        if key not in self._made:
            self._made[key] = self._answer_set(*self._rows[key])
        return self._made[key]

    def __iter__(self) -> Iterator[ResultKey]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def _answer_set(self, row: tuple[Any, ...], rows: Rows) -> AnswerSet:
        answers = []
        for _, position, tags, choice, label, margin, has_choice, costs in self._read(rows):
            _, _, entry, number, options, *_ = self._problems[position]
            outcome = Outcome(costs, choice, label, margin, has_choice)
            answers.append(Answer(entry, number, outcome, options, self._tags[tags]))
        name, _, schemas, remarks, marks = row[5:]
        return AnswerSet(name, tuple(answers), schemas, remarks, frozenset(marks))


def _pack(
    problems: Iterable[ProblemRow], answer_sets: Mapping[ResultKey, AnswerSet]
) -> dict[str, Rows]:
    """Return the rows of all answer sets, their problems and their tag sets.

    Problems that occur only in answer sets follow those with a statement.
    """
    problem_rows: list[tuple[Any, ...]] = [
        (*problem.place, problem.options, problem.label, problem.statement, problem.sentences)
        for problem in problems
    ]
    positions: dict[tuple[Any, ...], int] = {}
    for position, row in enumerate(problem_rows):
        positions.setdefault(row[:5], position)
    tags: dict[frozenset[str], int] = {}
    set_rows: list[tuple[Any, ...]] = []
    answer_rows: list[tuple[Any, ...]] = []
    for number, (key, answer_set) in enumerate(answer_sets.items()):
        for answer in answer_set.answers:
            problem = (key.dataset, key.variant, answer.entry, answer.number, answer.options)
            if problem not in positions:
                positions[problem] = len(problem_rows)
                problem_rows.append((*problem, None, None, ()))
            outcome = answer.outcome
            answer_rows.append(
                (
                    number,
                    positions[problem],
                    tags.setdefault(answer.tags, len(tags)),
                    outcome.chosen,
                    outcome.right,
                    outcome.margin,
                    outcome.has_choice,
                    outcome.costs,
                )
            )
        set_rows.append(
            (
                *_key(key),
                answer_set.name,
                len(answer_set.answers),
                answer_set.schemas,
                answer_set.remarks,
                tuple(sorted(answer_set.marks)),
            )
        )
    return {
        "problems": problem_rows,
        "tag_sets": [(tuple(sorted(tag_set)),) for tag_set in tags],
        "sheets": set_rows,
        "answers": answer_rows,
    }
