"""Results: the three tables of an evaluation, and a record of how they were made (thesis 4.2.4).

| Table | One row per |
|---|---|
| `problems` | dataset, variant and problem |
| `answers` | model, method and problem |
| `estimates` | model, dataset, variant, subset, method and metric, and what it is compared with |

`problems` and `estimates` are stored as rows. `answers` is built on first use from `answer_sets`,
which the metrics read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from horsesense.datasets.files import write_file
from horsesense.errors import FileError, HorsesenseError, UnknownNameError
from horsesense.results import rows
from horsesense.results.record import (
    ORIGINAL,
    DatasetSubject,
    ModelSubject,
    Record,
    ResultKey,
    Skipped,
    Variant,
)
from horsesense.results.rows import (
    AnswerRow,
    Estimate,
    EstimateKind,
    OptionCount,
    ProblemGroup,
    ProblemRow,
    ReplyCount,
    ServerUsage,
    TokenCosts,
)
from horsesense.results.tables import Column, Table
from horsesense.schema import CLUSTER
from horsesense.scoring.chat import CHAT_METHODS
from horsesense.scoring.outcome import EQUAL_LENGTH, SECOND_LAST, Answer, AnswerSet, Verdict

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

R = TypeVar("R")

# The metrics in the summary of each model and dataset, by column heading.
_SHOWN = {"accuracy": "problem-accuracy", "schema accuracy": "schema-accuracy"}
# Tags that say how the replies of a chat model were read.
REPLY_TAGS = frozenset[str]().union(*(method.marks for method in CHAT_METHODS))
# Tags that depend on a model's tokenizer or on its replies, and so belong to an answer and not to a
# problem.
_OF_ANSWERS = REPLY_TAGS | {EQUAL_LENGTH, SECOND_LAST}
_TOKEN = (
    Column("model", str, "name of the model"),
    Column("option", str, "the option that fills the blank"),
    Column("token", str, "the token"),
    Column("part", str, "prefix, blank or suffix"),
    Column("cost", float | None, "negative log-probability; empty for none"),
)


class _TableField(Generic[R]):
    """A field of `Results` that is assigned rows and read as a table."""

    def __init__(self, name: str, columns: Callable[[Results], Sequence[Column]]) -> None:
        self._name, self._columns, self._attribute = name, columns, f"_{name}_table"

    def __get__(self, instance: Results | None, owner: type) -> Table[R]:
        if instance is None:
            return Table(self._name, (), ())  # the default of the dataclass field
        table: Table[R] = instance.__dict__[self._attribute]
        return table

    def __set__(self, instance: Results, values: Sequence[R]) -> None:
        instance.__dict__[self._attribute] = Table(self._name, self._columns(instance), values)


@dataclass(frozen=True, repr=False)
class Results:
    """The tables `problems`, `answers` and `estimates` of an evaluation, and how they were made.

    Each table has named columns and can be filtered and exported: `results.estimates.to_pandas()`,
    `results.answers.where(model="ant").to_csv("ant.csv")`. `record` holds the plan and when, where
    and with which versions the run was made. `models`, `datasets` and `variants` describe what was
    evaluated. `skipped` lists what could not be done, with the reason. `replies` counts the replies
    of chat models, and `usage` what the run sent to servers.

    `answer_sets` holds the same answers as `answers`, grouped by key for the metrics; the subset of
    every key is `all`.
    """

    record: Record
    models: tuple[ModelSubject, ...]
    datasets: tuple[DatasetSubject, ...]
    variants: tuple[Variant, ...]
    estimates: _TableField[Estimate] = _TableField("estimates", lambda results: rows.ESTIMATES)
    options: tuple[OptionCount, ...] = ()
    problems: _TableField[ProblemRow] = _TableField(
        "problems", lambda results: results._problem_columns()
    )
    answer_sets: Mapping[ResultKey, AnswerSet] = field(default_factory=dict)
    tokens: tuple[TokenCosts, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    replies: _TableField[ReplyCount] = _TableField("replies", lambda results: rows.REPLIES)
    usage: _TableField[ServerUsage] = _TableField("usage", lambda results: rows.USAGE)

    @staticmethod
    def load(path: str | PathLike[str]) -> Results:
        """Read the results in a `results.json`, of this version or an earlier one."""
        from horsesense.results.document import read_document

        try:
            return read_document(Path(path).read_bytes())
        except OSError as error:
            raise FileError(f"{path} cannot be read: {error.strerror}") from error
        except FileError as error:
            raise FileError(f"{path}: {error}") from error

    def save(self, path: str | PathLike[str]) -> Path:
        """Write everything to a file that `Results.load` reads, such as `results.json`.

        An existing file is replaced once the new one is complete.
        """
        from horsesense.results.document import to_document

        text = json.dumps(to_document(self), ensure_ascii=False, allow_nan=False) + "\n"
        write_file(Path(path), [text], overwrite=True)
        return Path(path)

    @cached_property
    def answers(self) -> Table[AnswerRow]:
        """The answers, one row per model, method and problem."""
        problems = {problem.place: problem for problem in self.problems}
        answer_rows = [
            row
            for key, answer_set in self.answer_sets.items()
            for row in _answer_rows(key, answer_set, problems)
        ]
        return Table("answers", rows.ANSWERS, answer_rows)

    def tables(self) -> Iterator[Table[Any]]:
        """Iterate over all tables."""
        yield self.estimates
        yield self.answers
        yield Table("options", rows.OPTIONS, self.options)
        yield self.problems
        yield Table("models", rows.MODELS, self.models)
        yield Table("datasets", rows.DATASETS, self.datasets)
        yield Table("variants", rows.VARIANTS, self.variants)
        yield Table("tokens", rows.TOKENS, self.tokens)
        yield self.replies
        yield self.usage
        yield Table("skipped", rows.SKIPPED, self.skipped)
        yield Table("run", rows.RUN, (self.record,))

    def problem_tokens(
        self, entry: str, number: int = 1, dataset: str | None = None
    ) -> Table[tuple[Any, ...]]:
        """List each token of an unperturbed problem with its cost, for each model and option.

        `number` counts the problems of the entry from 1. Name the dataset if several have an
        entry of that id.
        """
        kept = [token for token in self.tokens if dataset in (None, token.dataset)]
        numbers = {str(token.number) for token in kept if token.entry == entry}
        if not numbers:
            where = "" if dataset is None else f" of {dataset}"
            known = {token.entry for token in kept}
            raise UnknownNameError(f"entry{where} whose tokens were kept", entry, known)
        datasets = {
            token.dataset for token in kept if (token.entry, token.number) == (entry, number)
        }
        if not datasets:
            raise UnknownNameError(f"problem of the entry {entry}", str(number), numbers)
        if len(datasets) > 1:
            names = " and ".join(sorted(datasets))
            raise HorsesenseError(f"{entry} is an entry of {names}; say which: dataset=…")
        return self.token_table(datasets.pop(), entry, number)

    def token_table(self, dataset: str, entry: str, number: int) -> Table[tuple[Any, ...]]:
        """Return a row per token of an unperturbed problem, for each model and option."""
        place = (dataset, ORIGINAL, entry, number)
        options = {problem.place: problem.options for problem in self.problems}
        token_rows = [
            (token.model, options[place][token.option], text, part, cost)
            for token in self.tokens
            if token.place == place
            for text, part, cost in zip(token.texts, token.parts, token.costs, strict=True)
        ]
        columns = [
            Column(column.name, column.type, column.meaning, lambda row, i=position: row[i])  # type: ignore[misc]
            for position, column in enumerate(_TOKEN)
        ]
        return Table("tokens", columns, token_rows)

    def value(self, key: ResultKey, metric: str) -> Estimate | None:
        """Return the estimate of a metric under a key, or None if it was not measured."""
        return self._index.get((EstimateKind.VALUE, key, None, metric))

    def change(self, key: ResultKey, against: ResultKey, metric: str) -> Estimate | None:
        """Return the estimate of a metric of two keys, such as consistency, or None."""
        return self._index.get((EstimateKind.CHANGE, key, against, metric))

    def difference(self, key: ResultKey, against: ResultKey, metric: str) -> Estimate | None:
        """Return the estimated difference of a metric between two keys, or None."""
        return self._index.get((EstimateKind.DIFFERENCE, key, against, metric))

    @property
    def evaluated(self) -> tuple[ModelSubject, ...]:
        """The evaluated models, without baselines.

        If there are only baselines, those that the plan names.
        """
        named = self.record.plan.models
        models = tuple(model for model in self.models if not model.is_baseline)
        return models or tuple(model for model in self.models if model.name in named) or self.models

    @property
    def verdict(self) -> str:
        """The finding in a sentence or two, as every report shows it first."""
        return str(_report(self).summary.headline)

    def summary(self) -> str:
        """Return the finding as text: the verdict, a small table, and four questions."""
        return str(_reports().text_summary(_report(self)))

    def to_pandas(self) -> pandas.DataFrame:
        """Return the estimates as a data frame, one row per number with its interval and tests.

        `results.answers.to_pandas()` and `results.problems.to_pandas()` return the other tables.
        """
        return self.estimates.to_pandas()

    def variants_of(self, dataset: str) -> tuple[Variant, ...]:
        """Return the variants of a dataset, the original first."""
        return tuple(variant for variant in self.variants if variant.dataset == dataset)

    def standard(self, model: ModelSubject, dataset: str) -> ResultKey:
        """Return the key of a model on a dataset by the method that was chosen beforehand."""
        return ResultKey(model.name, dataset, method=model.method_for(dataset))

    def __repr__(self) -> str:
        """Show a line per model and dataset: accuracies with their intervals."""
        heading, *lines = self._overview()
        widths = [max(map(len, column)) for column in zip(heading, *lines, strict=True)]
        padded = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in (heading, *lines)
        ]
        return "\n".join([self._title(), "", *padded])

    def _repr_html_(self) -> str:
        """Show the same as an HTML table, for notebooks."""
        heading, *lines = self._overview()
        head = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<p>{escape(self._title())}</p>{table}"

    def _title(self) -> str:
        counts = f"{len(self.problems)} problems, {len(self.estimates)} estimates"
        skipped = f", {len(self.skipped)} skipped" if self.skipped else ""
        return f"Results of run {self.record.id}: {counts}{skipped}"

    def _overview(self) -> Iterator[tuple[str, ...]]:
        yield ("model", "dataset", "method", *_SHOWN)
        for model in self.models:
            for dataset, method in model.standard:
                key = ResultKey(model.name, dataset, method=method)
                cells = (_shown(self.value(key, metric)) for metric in _SHOWN.values())
                yield (model.name, dataset, method, *cells)

    @cached_property
    def _index(self) -> dict[tuple[EstimateKind, ResultKey, ResultKey | None, str], Estimate]:
        return {
            (estimate.kind, estimate.key, estimate.against, estimate.metric): estimate
            for estimate in self.estimates
        }

    def _problem_columns(self) -> tuple[Column, ...]:
        return rows.problem_columns(
            lambda row: self._groups.get(row.place, ProblemGroup()),
            lambda row: self._modes.get((row.dataset, row.variant), ""),
        )

    @cached_property
    def _modes(self) -> dict[tuple[str, str], str]:
        return {(variant.dataset, variant.name): variant.mode for variant in self.variants}

    @cached_property
    def _groups(self) -> dict[tuple[str, str, str, int], ProblemGroup]:
        """The schema, cluster and tags of each problem, from its first answer."""
        groups: dict[tuple[str, str, str, int], ProblemGroup] = {}
        for key, answer_set in self.answer_sets.items():
            schemas = _schema_ids(answer_set)
            for position, answer in enumerate(answer_set.answers):
                place = (key.dataset, key.variant, *answer.problem)
                if place not in groups:
                    groups[place] = _group(answer, schemas.get(position))
        return groups


def _reports() -> Any:
    # By name, because reports are built from results, which know nothing of them otherwise.
    return import_module("horsesense.reports")


def _report(results: Results) -> Any:
    return _reports().build_report(results)


def select_model(results: Results, model: str, dataset: str | None = None) -> Results:
    """Keep one model beside the baselines, and only one dataset if it is named.

    The model comes first. A baseline that is selected by its name is treated as a model.
    """
    subjects = {subject.name: subject for subject in results.models}
    known = [subject.name for subject in results.datasets]
    if model not in subjects:
        raise UnknownNameError(f"model in the run {results.record.id}", model, subjects)
    if dataset is not None and dataset not in known:
        raise UnknownNameError(f"dataset in the run {results.record.id}", dataset, known)
    datasets = known if dataset is None else [dataset]
    baselines = [
        subject for subject in results.models if subject.is_baseline and subject.name != model
    ]
    models = (replace(subjects[model], is_baseline=False), *baselines)
    names = {subject.name for subject in models}

    def is_kept(key: ResultKey | None) -> bool:
        return key is None or (key.model in names and key.dataset in datasets)

    return replace(
        results,
        models=models,
        datasets=tuple(subject for subject in results.datasets if subject.name in datasets),
        variants=tuple(variant for variant in results.variants if variant.dataset in datasets),
        estimates=tuple(
            estimate
            for estimate in results.estimates
            if is_kept(estimate.key) and is_kept(estimate.against)
        ),
        options=tuple(option for option in results.options if is_kept(option.key)),
        replies=tuple(
            count
            for count in results.replies
            if count.model in names and count.dataset in ("", *datasets)
        ),
        usage=tuple(usage for usage in results.usage if usage.model in names),
    )


def _shown(estimate: Estimate | None) -> str:
    """Format a share in percent with its interval, or a dash."""
    if estimate is None or estimate.value is None:
        return "–"
    value = f"{100 * estimate.value:.0f} %"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({100 * estimate.low:.0f} to {100 * estimate.high:.0f})"


def _group(answer: Answer, schema: str | None) -> ProblemGroup:
    clusters = sorted(tag.removeprefix(CLUSTER) for tag in answer.clusters)
    tags = tuple(sorted(answer.tags - answer.clusters - _OF_ANSWERS))
    return ProblemGroup(schema, clusters[0] if clusters else "", tags)


def _schema_ids(answer_set: AnswerSet) -> dict[int, str]:
    """Return the schema id of each answer, by position; the first, if it is in two schemas."""
    schemas: dict[int, str] = {}
    for pair in answer_set.schemas:
        first = answer_set.answers[min(pair)]
        for position in pair:
            schemas.setdefault(position, f"{first.entry}.{first.number}")
    return schemas


def _answer_rows(
    key: ResultKey, answer_set: AnswerSet, problems: Mapping[tuple[str, str, str, int], ProblemRow]
) -> Iterator[AnswerRow]:
    twins: dict[int, list[int]] = {}
    for first, second in answer_set.schemas:
        twins.setdefault(first, []).append(answer_set.answers[second].number)
        twins.setdefault(second, []).append(answer_set.answers[first].number)
    for position, answer in enumerate(answer_set.answers):
        problem = problems.get((key.dataset, key.variant, *answer.problem))
        outcome, options, verdict = answer.outcome, answer.options, answer.outcome.verdict
        # Without a choice, only whether it is correct is known.
        label, choice = (outcome.right, outcome.chosen) if outcome.has_choice else (None, None)
        is_decided = verdict in (Verdict.SOLVED, Verdict.FAILED)
        yield AnswerRow(
            model=key.model,
            dataset=key.dataset,
            variant=key.variant,
            method=key.method,
            problem_id=f"{answer.entry}.{answer.number}",
            entry=answer.entry,
            number=answer.number,
            statement=None if problem is None else problem.statement,
            options=options,
            label=label,
            label_option=rows.option_at(options, label),
            choice=choice,
            choice_option=rows.option_at(options, choice),
            correct=verdict is Verdict.SOLVED if is_decided else None,
            margin=outcome.signed_margin,
            costs=outcome.costs,
            twins=tuple(twins.get(position, ())),
            tags=tuple(sorted(answer.tags)),
            reason="" if is_decided else str(verdict),
        )
