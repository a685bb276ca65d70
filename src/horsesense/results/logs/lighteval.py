"""Details of lighteval: `details_TASK_DATE.parquet`, written by `--save-details`.

A row has the document as it was asked (`doc`), the values of the metrics (`metric`) and what the
model said (`model_response`). The rows of the dataset are not in it: a field that
identifies schemas must be among the `specific` fields of a document, or be seen from the sentences.
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
_KINDS: Mapping[type, str] = {dict: "an object", str: "a text"}
_MOST_DIGITS = 18
_COLUMNS = {"doc", "metric", "model_response"}
_NAME = re.compile(r"details_(?P<task>.+?)(\|\d+)?(_\d{4}-\d\d-\d\dT[\d.:+-]+)?\.parquet")


@dataclass(frozen=True, slots=True)
class _Sample:
    """A row of the file."""

    document: Document
    costs: tuple[float, ...]
    tokens: tuple[int, ...]
    values: Mapping[str, Any]


def looks_like(file: SourceFile) -> bool:
    """True for Parquet."""
    return file.data.startswith(_PARQUET)


def read(file: SourceFile) -> list[Task]:
    """The one task of the file."""
    rows = parquet_rows(file)
    if not rows:
        raise FileError(f"{file.name}: there are no samples in it")
    if not rows[0].keys() >= _COLUMNS:
        raise FileError(f"{file.name}: no details of lighteval: no columns {sorted(_COLUMNS)}")
    samples = [_sample(file.name, at, row) for at, row in enumerate(rows)]
    _, again = distinct(sample.document for sample in samples)
    by_number = {sample.document.number: sample for sample in reversed(samples)}
    kept = [by_number[number] for number in sorted(by_number)]
    remarks = [f"{counted(len(again), 'document')} logged twice; once is read"] if again else []
    metrics = dict.fromkeys(metric for one in kept for metric in one.values)
    methods = tuple(method for name in metrics for method in _method(name, kept, remarks))
    title = PurePath(file.name).name
    matched = _NAME.fullmatch(title)
    name = matched["task"] if matched else title
    return [Task(name, "", tuple(one.document for one in kept), methods, tuple(remarks))]


def _sample(name: str, at: int, row: Mapping[str, Any]) -> _Sample:
    place = f"{name}, row {at + 1}"
    doc = _part(place, row, "doc", dict)
    said = _part(place, row, "model_response", dict)
    values = _part(place, row, "metric", dict)
    query = _part(place, doc, "doc.query", str)
    choices = _list(place, doc, "doc.choices", str)
    likelihoods = _list(place, said, "model_response.logprobs")
    tokens = _list(place, said, "model_response.output_tokens")
    specific = _part(place, doc, "doc.specific", dict) if doc.get("specific") else {}
    is_choice = len(choices) > 1 and len(likelihoods) >= len(choices)
    sentences = tuple(query + choice for choice in choices) if is_choice else ()
    costs = tuple(cost_of(likelihood, place) for likelihood in likelihoods[: len(sentences)])
    gold = doc.get("gold_index")
    fields = {"query": query, "choices": choices, "gold_index": gold, **specific}
    number = _number(place, doc.get("id"))
    document = Document(
        number, place, fields, differing(sentences), sentences, _right(gold, len(choices))
    )
    given = {metric: value for metric, value in values.items() if value is not None}
    lengths = tuple(len(token) if isinstance(token, list) else 0 for token in tokens)
    return _Sample(document, costs, lengths, given)


def _part(place: str, values: Mapping[str, Any], path: str, kind: type) -> Any:
    """A value of a row that must be there, and of this kind."""
    value = values.get(path.rpartition(".")[2])
    if not isinstance(value, kind):
        raise _unfit(place, path, _KINDS[kind], value)
    return value


def _list(place: str, values: Mapping[str, Any], path: str, kind: type = object) -> list[Any]:
    """A list in a row; nothing is an empty one."""
    value = values.get(path.rpartition(".")[2])
    listed = [] if value is None else value
    if not isinstance(listed, list):
        raise _unfit(place, path, "a list", value)
    for at, one in enumerate(listed):
        if not isinstance(one, kind):
            raise _unfit(place, f"{path}[{at}]", _KINDS[kind], one)
    return listed


def _number(place: str, value: object) -> int:
    text = str(value)
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise _unfit(place, "doc.id", "a number", value)
    return int(text)


def _unfit(place: str, path: str, expected: str, value: object) -> FileError:
    found = "nothing" if value is None else short(value)
    return FileError(
        f"{place}: no details of lighteval: {path}: expected {expected}, found {found}"
    )


def _right(gold: object, options: int) -> int | None:
    """The right option, if it is one."""
    match gold:
        case int(right) | [int(right)] if 0 <= right < options:
            return right
    return None


def _method(name: str, samples: Sequence[_Sample], remarks: list[str]) -> Iterable[LoggedMethod]:
    """The outcomes under a metric, with costs if they reproduce what it counts."""
    try:
        solved = {
            at: verdict_of(sample.values[name])
            for at, sample in enumerate(samples)
            if name in sample.values
        }
    except ValueError as error:
        remarks.append(f"{name} is left out: {error}")
        return
    documents = {at: samples[at].document for at in solved}
    if name.startswith("acc") and all(samples[at].costs for at in solved):
        for divisor in _divisors(name):
            costs = {at: divisor(samples[at]) for at in solved}
            if method := by_costs(name, documents, costs, solved):
                yield method
                return
        remarks.append(f"{name}: the log-likelihoods do not give what the log counts")
    yield by_verdicts(name, solved)


def _divisors(name: str) -> list[Callable[[_Sample], list[float]]]:
    """By what the metric may divide, the likeliest first."""
    if name == "acc":
        return [lambda one: list(one.costs)]
    by_tokens = [_by_tokens]
    by_length = [_by_characters, _by_all_characters]
    return [*by_tokens, *by_length] if "token" in name else [*by_length, *by_tokens]


def _by_characters(sample: _Sample) -> list[float]:
    return _divided(
        sample, [len(choice.removeprefix(" ")) for choice in sample.document.fields["choices"]]
    )


def _by_all_characters(sample: _Sample) -> list[float]:
    return _divided(sample, [len(choice) for choice in sample.document.fields["choices"]])


def _by_tokens(sample: _Sample) -> list[float]:
    return _divided(sample, sample.tokens[: len(sample.costs)])


def _divided(sample: _Sample, lengths: Sequence[int]) -> list[float]:
    return [cost / max(1, length) for cost, length in zip(sample.costs, lengths, strict=True)]
