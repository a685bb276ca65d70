"""Results as the tables that files and the store keep, and back, so that nothing is lost.

They are the tables of `horsesense.results.rows` without what follows from other columns. What many
answers share, their problems and tags, is there once: rows refer to each other by positions, which
count from 0. Some hundreds of answer sets have some hundred thousand answers, and a reader wants a
few of them, so an answer set of answers is made when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import accumulate
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, get_type_hints

from horsesense.results.record import (
    DatasetSubject,
    ModelSubject,
    Record,
    ResultKey,
    Skipped,
    Variant,
)
from horsesense.results.results import Results
from horsesense.results.rows import Estimate, Kind, OptionCount, ProblemRow, TokenCosts
from horsesense.scoring.outcome import Answer, AnswerSet, Outcome

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


class KeptAnswerSet(NamedTuple):
    """An answer set without its answers, and how many these are."""

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
    """An answer: positions of its answer set, problem and tags, and the outcome."""

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
    "sheets": KeptAnswerSet,
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
_NUMBERS = tuple(
    field.name for field in fields(Estimate) if field.name not in ("kind", "key", "against")
)
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
        **_pack(results.problems, results.answer_sets),
        "estimates": [_estimate_row(estimate) for estimate in results.estimates],
        "options": [
            (*_key(option.key), option.option, option.chosen, option.offered)
            for option in results.options
        ],
        "tokens": _rows(TokenCosts, results.tokens),
        "skipped": _rows(Skipped, results.skipped),
    }


def from_tables(tables: Tables, read_answers: Callable[[Rows], Rows] = list) -> Results:
    """The results whose rows they are.

    Answer sets are made when somebody asks for them; `read_answers` reads the rows of one.
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
            ProblemRow(
                *problem[:4], problem.statement, problem.options, problem.label, problem.sentences
            )
            for problem in problems
            if problem.statement is not None
        ),
        answer_sets=LazyAnswerSets(
            problems,
            [frozenset(tags) for (tags,) in tables["tag_sets"]],
            [KeptAnswerSet(*row) for row in tables["sheets"]],
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
    values: Callable[[Any], tuple[Any, ...]] = attrgetter(*(field.name for field in fields(kind)))
    return [values(instance) for instance in instances]


def _made(kind: type, rows: Rows) -> tuple[Any, ...]:
    names = [field.name for field in fields(kind)]
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in rows)


def _estimate_row(estimate: Estimate) -> tuple[Any, ...]:
    against = _NOWHERE if estimate.against is None else _key(estimate.against)
    return (estimate.kind, *_key(estimate.key), *_before(estimate), *against, *_after(estimate))


def _estimate(row: tuple[Any, ...], keys: _Keys) -> Estimate:
    key, against = row[1:6], row[8:13]
    return Estimate(
        kind=Kind(row[0]),
        key=keys[key],
        against=None if against == _NOWHERE else keys[against],
        **dict(zip(_NUMBERS, row[6:8] + row[13:], strict=True)),
    )


class LazyAnswerSets(Mapping[ResultKey, AnswerSet]):
    """Answers by their keys, equal to a dictionary of them."""

    def __init__(
        self,
        problems: Sequence[KeptProblem],
        tags: Sequence[frozenset[str]],
        answer_sets: Sequence[KeptAnswerSet],
        answers: Rows,
        read_answers: Callable[[Rows], Rows] = list,
    ) -> None:
        ends = list(accumulate(answer_set.answers for answer_set in answer_sets))
        total = ends[-1] if ends else 0
        if len(answers) != total:
            raise ValueError(f"there are {len(answers)} answers, and {total} on the sheets")
        self._problems, self._tags, self._read = problems, tags, read_answers
        self._rows = {
            ResultKey(*answer_set[:5]): (answer_set, answers[end - answer_set.answers : end])
            for answer_set, end in zip(answer_sets, ends, strict=True)
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

    def _answer_set(self, row: KeptAnswerSet, answers: Rows) -> AnswerSet:
        made = []
        for _, at, tags, choice, label, margin, has_choice, costs in self._read(answers):
            problem = self._problems[at]
            outcome = Outcome(costs, choice, label, margin, has_choice)
            made.append(
                Answer(problem.entry, problem.number, outcome, problem.options, self._tags[tags])
            )
        return AnswerSet(row.name, tuple(made), row.schemas, row.remarks, frozenset(row.marks))


def _pack(
    problems: Iterable[ProblemRow], answer_sets: Mapping[ResultKey, AnswerSet]
) -> dict[str, Rows]:
    """The rows of all answer sets; problems that are only on these come after those that were
    posed.
    """
    posed = [
        KeptProblem(
            *(problem.dataset, problem.variant, problem.entry, problem.number, problem.options),
            problem.label,
            problem.statement,
            problem.sentences,
        )
        for problem in problems
    ]
    places: dict[tuple[Any, ...], int] = {}
    for at, row in enumerate(posed):
        places.setdefault(row[:5], at)
    tags: dict[frozenset[str], int] = {}
    answers: list[KeptAnswer] = []
    for number, (key, answer_set) in enumerate(answer_sets.items()):
        for answer in answer_set.answers:
            problem = (key.dataset, key.variant, answer.entry, answer.number, answer.options)
            if problem not in places:
                places[problem] = len(posed)
                posed.append(KeptProblem(*problem))
            tagged = tags.setdefault(answer.tags, len(tags))
            answers.append(_answer_row(number, places[problem], tagged, answer.outcome))
    return {
        "problems": posed,
        "tag_sets": [KeptTags(tuple(sorted(tag))) for tag in tags],
        "sheets": [_answer_set_row(key, answer_set) for key, answer_set in answer_sets.items()],
        "answers": answers,
    }


def _answer_row(answer_set: int, problem: int, tags: int, outcome: Outcome) -> KeptAnswer:
    return KeptAnswer(
        answer_set,
        problem,
        tags,
        outcome.chosen,
        outcome.right,
        outcome.margin,
        outcome.has_choice,
        outcome.costs,
    )


def _answer_set_row(key: ResultKey, answer_set: AnswerSet) -> KeptAnswerSet:
    return KeptAnswerSet(
        *(key.model, key.dataset, key.variant, key.subset, key.method),
        answer_set.name,
        len(answer_set.answers),
        answer_set.schemas,
        answer_set.remarks,
        tuple(sorted(answer_set.marks)),
    )
