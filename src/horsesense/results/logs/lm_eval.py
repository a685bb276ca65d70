"""Read samples of lm-evaluation-harness: `samples_TASK_DATE.jsonl`, written by `--log_samples`.

A line is a document under one filter. `arguments` are the compared pairs of context and
continuation, `filtered_resps` their log-likelihoods as texts, and each metric has a value. Multiple
choices are read with their costs; of other documents, only whether they were solved is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from horsesense.datasets.importers import SourceFile
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
    json_rows,
    labels_of,
    verdict_of,
)

_NAME = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.:+-]+)?\.jsonl?(\.gz)?")
_FIELDS = ('"doc_id"', '"doc"', '"filtered_resps"')
_NO_METRICS = frozenset(
    ["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"]
    + ["doc_hash", "prompt_hash", "target_hash", "schema_hash"]
)
_NO_FILTER = "none"
_MUTUAL = "acc_mutual_info"
# What each metric may divide the log-likelihoods by, the likeliest first.
_DIVISORS: dict[str, tuple[Callable[[str, str], int], ...]] = {
    "acc": (lambda context, continuation: 1,),
    "acc_norm": (
        lambda context, continuation: len(continuation.removeprefix(" ")),
        lambda context, continuation: len(continuation),
        lambda context, continuation: len(context),
    ),
    "acc_bytes": (
        lambda context, continuation: len(continuation.removeprefix(" ").encode()),
        lambda context, continuation: len(continuation.encode()),
        lambda context, continuation: len(context.encode()),
    ),
}


@dataclass(frozen=True, slots=True)
class _LoggedSample:
    """A line of the file: the document, the compared texts, and the values of the metrics."""

    document: Document
    filter: str
    target: str
    pairs: tuple[tuple[str, str], ...]
    costs: tuple[float, ...]
    values: Mapping[str, Any]


def looks_like(file: SourceFile) -> bool:
    """Whether the file is lines or a list of samples."""
    first = file.head.lstrip().removeprefix("[").lstrip()
    return first.startswith("{") and all(field in first for field in _FIELDS)


def read(file: SourceFile) -> list[Task]:
    """Read the task of the file."""
    samples = [_sample(file.name, line, row) for line, row in json_rows(file)]
    by_filter: dict[str, list[_LoggedSample]] = {}
    for sample in samples:
        by_filter.setdefault(sample.filter, []).append(sample)
    documents, _ = distinct(sample.document for sample in samples)
    methods: list[LoggedMethod] = []
    remarks: list[str] = []
    for name, group in by_filter.items():
        _, again = distinct(sample.document for sample in group)
        if again:
            remarks.append(f"{counted(len(again), 'document')} logged twice; only one copy is used")
        first = {sample.document.number: sample for sample in reversed(group)}
        of_filter, labelled = _methods(name, dict(sorted(first.items())), remarks)
        methods += of_filter
        documents |= labelled
    order = sorted(documents)
    positions = {number: position for position, number in enumerate(order)}
    moved = [
        replace(
            method,
            outcomes={positions[number]: outcome for number, outcome in method.outcomes.items()},
        )
        for method in methods
    ]
    title = PurePath(file.name).name
    matched = _NAME.fullmatch(title)
    name = matched["task"] if matched else title
    return [Task(name, "", tuple(documents[n] for n in order), tuple(moved), tuple(remarks))]


def _sample(name: str, line: int, row: Mapping[str, Any]) -> _LoggedSample:
    location = f"{name}:{line}"
    number, fields = row.get("doc_id"), row.get("doc")
    if type(number) is not int or not isinstance(fields, dict):
        raise FileError(
            f"{location}: not a valid sample of lm-evaluation-harness: no doc_id or doc"
        )
    pairs = _pairs(row.get("arguments"))
    answers = row.get("filtered_resps")
    answers = answers if isinstance(answers, list) else []
    is_choice = len(pairs) > 1 and len(pairs) == len(answers)
    listed = row.get("metrics")
    metrics = listed if isinstance(listed, list) else row.keys() - _NO_METRICS
    values = {metric: value for metric, value in row.items() if metric in metrics}
    if _MUTUAL in values:  # the second half is without a context
        pairs, answers = pairs[: len(pairs) // 2], answers[: len(answers) // 2]
    sentences = tuple(context + continuation for context, continuation in pairs)
    costs = tuple(cost_of(_first(answer), location) for answer in answers) if is_choice else ()
    options = differing(sentences) if is_choice else ()
    document = Document(number, location, fields, options, sentences if is_choice else ())
    target = str(row.get("target", ""))
    return _LoggedSample(document, str(row.get("filter", _NO_FILTER)), target, pairs, costs, values)


def _pairs(arguments: object) -> tuple[tuple[str, str], ...]:
    """Read contexts and continuations: objects in newer versions, lists in older ones."""
    listed: list[Any] = []
    if isinstance(arguments, dict):
        listed = [
            list(argument.values()) for argument in arguments.values() if isinstance(argument, dict)
        ]
    elif isinstance(arguments, list):
        listed = arguments
    pairs = [tuple(pair) for pair in listed if isinstance(pair, list) and len(pair) == 2]
    return tuple((a, b) for a, b in pairs if isinstance(a, str) and isinstance(b, str))


def _first(answer: object) -> object:
    """Return the log-likelihood of an answer, without the flag for greedy decoding."""
    return answer[0] if isinstance(answer, list) and answer else answer


def _methods(
    filter_name: str, samples: Mapping[int, _LoggedSample], remarks: list[str]
) -> tuple[list[LoggedMethod], dict[int, Document]]:
    """Return the outcomes under each metric, and the documents with their labels."""
    documents = {number: sample.document for number, sample in samples.items()}
    suffix = "" if filter_name == _NO_FILTER else f" ({filter_name})"
    metrics = dict.fromkeys(metric for sample in samples.values() for metric in sample.values)
    methods: list[LoggedMethod] = []
    for metric in metrics:
        try:
            solved = {
                number: verdict_of(sample.values[metric])
                for number, sample in samples.items()
                if metric in sample.values
            }
        except ValueError as error:
            remarks.append(f"{metric} is left out: {error}")
            continue
        method = None
        if metric in _DIVISORS and all(samples[number].costs for number in solved):
            method = _by_costs(metric + suffix, samples, documents, solved, _DIVISORS[metric])
            if method is None:
                remarks.append(f"{metric}: the log-likelihoods contradict the log's own score")
        methods.append(method or by_verdicts(metric + suffix, solved))
    return methods, documents


def _by_costs(
    name: str,
    samples: Mapping[int, _LoggedSample],
    documents: dict[int, Document],
    solved: Mapping[int, bool | None],
    divisors: Iterable[Callable[[str, str], int]],
) -> LoggedMethod | None:
    """Make the method by the first divisor that reproduces what was solved; label documents."""
    for divisor in divisors:
        costs = {number: _divided(samples[number], divisor) for number in solved}
        if not all(documents[number].right is not None for number in solved):
            labels = labels_of(documents, costs, solved, _rules(samples))
            for number, label in (labels or {}).items():
                documents[number] = replace(documents[number], right=label)
            if labels is None:
                continue
        if method := by_costs(name, documents, costs, solved):
            return method
    return None


def _divided(sample: _LoggedSample, divisor: Callable[[str, str], int]) -> Sequence[float]:
    pairs = zip(sample.costs, sample.pairs, strict=True)
    return [cost / max(1, divisor(*pair)) for cost, pair in pairs]


def _rules(samples: Mapping[int, _LoggedSample]) -> list[Callable[[Document], int | None]]:
    """List where the label may be found, and the number that it may count from."""

    def in_field(field: str, first: int) -> Callable[[Document], int | None]:
        return lambda document: _number(document.fields.get(field), first)

    def from_target(document: Document) -> int | None:
        return _number(samples[document.number].target, 0)

    fields = (("label", 0), ("gold", 0), ("answer", 1), ("answer", 0), ("answerKey", 0))
    return [from_target, *(in_field(field, first) for field, first in fields)]


def _number(value: object, first: int) -> int | None:
    text = str(value).strip()
    if len(text) == 1 and "A" <= text <= "Z":
        return ord(text) - ord("A")
    return int(text) - first if text.isdecimal() and len(text) < 4 else None
