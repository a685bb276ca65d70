"""Read details of lighteval: `details_TASK_DATE.parquet`, written by `--save-details`.

A row has the document (`doc`), the values of the metrics (`metric`) and the response of the model
(`model_response`). It does not have the row of the dataset, so a field that identifies schemas must
be among the `specific` fields of a document; otherwise similar sentences are paired.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from horsesense.datasets.importers import SourceFile
from horsesense.datasets.importers.parquet import parquet_rows
from horsesense.errors import FileError
from horsesense.results.logs.document import (
    Document,
    LoggedMethod,
    Task,
    by_costs,
    by_verdicts,
    cost_of,
    counted,
    differing,
    distinct,
    short,
    verdict_of,
)

_PARQUET = b"PAR1"
_KINDS: Mapping[type, str] = {dict: "an object", str: "a string"}
_MOST_DIGITS = 18
_COLUMNS = {"doc", "metric", "model_response"}
_NAME = re.compile(r"details_(?P<task>.+?)(\|\d+)?(_\d{4}-\d\d-\d\dT[\d.:+-]+)?\.parquet")


@dataclass(frozen=True, slots=True)
class _DetailsRow:
    """A row of the file."""

    document: Document
    costs: tuple[float, ...]
    tokens: tuple[int, ...]
    values: Mapping[str, Any]


def looks_like(file: SourceFile) -> bool:
    """Whether the file is Parquet."""
    return file.data.startswith(_PARQUET)


def read(file: SourceFile) -> list[Task]:
    """Read the task of the file."""
    rows = parquet_rows(file)
    if not rows:
        raise FileError(f"{file.name}: there are no samples in it")
    if not rows[0].keys() >= _COLUMNS:
        raise FileError(
            f"{file.name}: not valid details of lighteval: no columns {sorted(_COLUMNS)}"
        )
    samples = [_sample(f"{file.name}, row {number}", row) for number, row in enumerate(rows, 1)]
    _, again = distinct(sample.document for sample in samples)
    by_number = {sample.document.number: sample for sample in reversed(samples)}
    kept = [by_number[number] for number in sorted(by_number)]
    remarks = (
        [f"{counted(len(again), 'document')} logged twice; only one copy is used"] if again else []
    )
    metrics = dict.fromkeys(metric for sample in kept for metric in sample.values)
    methods = tuple(method for name in metrics for method in _method(name, kept, remarks))
    title = PurePath(file.name).name
    matched = _NAME.fullmatch(title)
    name = matched["task"] if matched else title
    return [Task(name, "", tuple(sample.document for sample in kept), methods, tuple(remarks))]


def _sample(location: str, row: Mapping[str, Any]) -> _DetailsRow:
    doc = _part(location, row, "doc", dict)
    response = _part(location, row, "model_response", dict)
    values = _part(location, row, "metric", dict)
    query = _part(location, doc, "doc.query", str)
    choices = _list(location, doc, "doc.choices", str)
    likelihoods = _list(location, response, "model_response.logprobs")
    tokens = _list(location, response, "model_response.output_tokens")
    specific = _part(location, doc, "doc.specific", dict) if doc.get("specific") else {}
    is_choice = len(choices) > 1 and len(likelihoods) >= len(choices)
    sentences = tuple(query + choice for choice in choices) if is_choice else ()
    costs = tuple(cost_of(likelihood, location) for likelihood in likelihoods[: len(sentences)])
    gold = doc.get("gold_index")
    fields = {"query": query, "choices": choices, "gold_index": gold, **specific}
    number = _number(location, doc.get("id"))
    document = Document(
        number, location, fields, differing(sentences), sentences, _right(gold, len(choices))
    )
    known = {metric: value for metric, value in values.items() if value is not None}
    lengths = tuple(len(token) if isinstance(token, list) else 0 for token in tokens)
    return _DetailsRow(document, costs, lengths, known)


def _part(location: str, values: Mapping[str, Any], path: str, kind: type) -> Any:
    """Return a required value of a row, and check its type."""
    value = values.get(path.rpartition(".")[2])
    if not isinstance(value, kind):
        raise _unfit(location, path, _KINDS[kind], value)
    return value


def _list(location: str, values: Mapping[str, Any], path: str, kind: type = object) -> list[Any]:
    """Return a list in a row, empty if it is missing, and check the types of its items."""
    value = values.get(path.rpartition(".")[2])
    listed = [] if value is None else value
    if not isinstance(listed, list):
        raise _unfit(location, path, "a list", value)
    for position, item in enumerate(listed):
        if not isinstance(item, kind):
            raise _unfit(location, f"{path}[{position}]", _KINDS[kind], item)
    return listed


def _number(location: str, value: object) -> int:
    text = str(value)
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise _unfit(location, "doc.id", "a number", value)
    return int(text)


def _unfit(location: str, path: str, expected: str, value: object) -> FileError:
    shown = "nothing" if value is None else short(value)
    return FileError(
        f"{location}: not valid details of lighteval: {path}: expected {expected}, found {shown}"
    )


def _right(gold: object, options: int) -> int | None:
    """Return the right option, or None if it is not a single one."""
    match gold:
        case int(right) | [int(right)] if 0 <= right < options:
            return right
    return None


def _method(
    name: str, samples: Sequence[_DetailsRow], remarks: list[str]
) -> Iterable[LoggedMethod]:
    """Yield the outcomes under a metric, with costs if they reproduce its values."""
    try:
        solved = {
            position: verdict_of(sample.values[name])
            for position, sample in enumerate(samples)
            if name in sample.values
        }
    except ValueError as error:
        remarks.append(f"{name} is left out: {error}")
        return
    documents = {position: samples[position].document for position in solved}
    if name.startswith("acc") and all(samples[position].costs for position in solved):
        for divisor in _divisors(name):
            costs = {position: divisor(samples[position]) for position in solved}
            if method := by_costs(name, documents, costs, solved):
                yield method
                return
        remarks.append(f"{name}: the log-likelihoods contradict the log's own score")
    yield by_verdicts(name, solved)


def _divisors(name: str) -> list[Callable[[_DetailsRow], list[float]]]:
    """List the divisions that the metric may use, the likeliest first."""
    if name == "acc":
        return [lambda sample: list(sample.costs)]
    by_length = [_by_characters, _by_all_characters]
    return [_by_tokens, *by_length] if "token" in name else [*by_length, _by_tokens]


def _by_characters(sample: _DetailsRow) -> list[float]:
    return _divided(
        sample, [len(choice.removeprefix(" ")) for choice in sample.document.fields["choices"]]
    )


def _by_all_characters(sample: _DetailsRow) -> list[float]:
    return _divided(sample, [len(choice) for choice in sample.document.fields["choices"]])


def _by_tokens(sample: _DetailsRow) -> list[float]:
    return _divided(sample, sample.tokens[: len(sample.costs)])


def _divided(sample: _DetailsRow, lengths: Sequence[int]) -> list[float]:
    return [cost / max(1, length) for cost, length in zip(sample.costs, lengths, strict=True)]
