"""Details of lighteval: `details_TASK_DATE.parquet`, written by `--save-details`.

A row has the document as it was asked (`doc`), the values of the metrics (`metric`) and what the
model said (`model_response`). The rows of the dataset are not in it: what is to tell schemas apart
must be among the `specific` fields of a document, or be seen from the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath
from typing import Any

from horsesense.errors import FileError
from horsesense.importers import SourceFile
from horsesense.logs.document import Document, Method, Task, counted, distinct
from horsesense.logs.outcomes import by_costs, by_verdicts, cost_of, verdict_of
from horsesense.logs.texts import differing

_PARQUET = b"PAR1"
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
    rows = _rows(file)
    if not rows:
        raise FileError(f"{file.name}: there are no samples in it")
    if not rows[0].keys() >= _COLUMNS:
        raise FileError(f"{file.name}: no details of lighteval: no columns {sorted(_COLUMNS)}")
    samples = [_sample(file.name, at, row) for at, row in enumerate(rows)]
    _, again = distinct(one.document for one in samples)
    by_number = {one.document.number: one for one in reversed(samples)}
    kept = [by_number[number] for number in sorted(by_number)]
    remarks = [f"{counted(len(again), 'document')} logged twice; once is read"] if again else []
    metrics = dict.fromkeys(metric for one in kept for metric in one.values)
    methods = tuple(method for name in metrics for method in _method(name, kept, remarks))
    title = PurePath(file.name).name
    matched = _NAME.fullmatch(title)
    name = matched["task"] if matched else title
    return [Task(name, "", tuple(one.document for one in kept), methods, tuple(remarks))]


def _rows(file: SourceFile) -> list[dict[str, Any]]:
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        raise FileError(
            f"{file.name}: reading Parquet needs an extra: pip install 'horsesense[parquet]'"
        ) from error
    try:
        rows: list[dict[str, Any]] = pyarrow.parquet.read_table(BytesIO(file.data)).to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise FileError(f"{file.name}: not a Parquet file: {error}") from error
    return rows


def _sample(name: str, at: int, row: Mapping[str, Any]) -> _Sample:
    place = f"{name}, row {at + 1}"
    told, said, values = row["doc"], row["model_response"], row["metric"]
    try:
        choices, query, gold = list(told["choices"]), told["query"], told["gold_index"]
        likelihoods, tokens = list(said["logprobs"] or ()), said["output_tokens"] or ()
        number, specific = int(told["id"]), dict(told["specific"] or {})
    except (KeyError, TypeError, ValueError) as error:
        raise FileError(f"{place}: no details of lighteval: {error!r}") from error
    is_choice = len(choices) > 1 and len(likelihoods) >= len(choices)
    sentences = tuple(query + choice for choice in choices) if is_choice else ()
    costs = tuple(cost_of(one, place) for one in likelihoods[: len(sentences)])
    fields = {"query": query, "choices": choices, "gold_index": gold, **specific}
    document = Document(
        number, place, fields, differing(sentences), sentences, _right(gold, len(choices))
    )
    given = {metric: value for metric, value in values.items() if value is not None}
    return _Sample(document, costs, tuple(map(len, tokens)), given)


def _right(gold: object, options: int) -> int | None:
    """The right option, if it is one."""
    match gold:
        case int(right) | [int(right)] if 0 <= right < options:
            return right
    return None


def _method(name: str, samples: Sequence[_Sample], remarks: list[str]) -> Iterable[Method]:
    """What a metric made of the samples, with costs if they give what it counts."""
    try:
        solved = {
            at: verdict_of(one.values[name]) for at, one in enumerate(samples) if name in one.values
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


def _by_characters(one: _Sample) -> list[float]:
    return _divided(
        one, [len(choice.removeprefix(" ")) for choice in one.document.fields["choices"]]
    )


def _by_all_characters(one: _Sample) -> list[float]:
    return _divided(one, [len(choice) for choice in one.document.fields["choices"]])


def _by_tokens(one: _Sample) -> list[float]:
    return _divided(one, one.tokens[: len(one.costs)])


def _divided(one: _Sample, lengths: Sequence[int]) -> list[float]:
    return [cost / max(1, length) for cost, length in zip(one.costs, lengths, strict=True)]
