"""Samples of lm-evaluation-harness: `samples_TASK_DATE.jsonl`, written by `--log_samples`.

A line is a document under one filter. `arguments` are the pairs of context and continuation that
were compared, `filtered_resps` their log-likelihoods as texts, and each metric has its value. A
multiple choice is read with its costs. Of anything else it is known whether it was solved.
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
# By what each metric divides the log-likelihoods: what it might be, the likeliest first.
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
class _Sample:
    """A line of the file: the document, what was compared, and the values of the metrics."""

    document: Document
    filter: str
    target: str
    pairs: tuple[tuple[str, str], ...]
    costs: tuple[float, ...]
    values: Mapping[str, Any]


def looks_like(file: SourceFile) -> bool:
    """True for lines, or a list, of samples."""
    first = file.head.lstrip().removeprefix("[").lstrip()
    return first.startswith("{") and all(field in first for field in _FIELDS)


def read(file: SourceFile) -> list[Task]:
    """The one task of the file."""
    samples = [_sample(file.name, line, row) for line, row in json_rows(file)]
    by_filter: dict[str, list[_Sample]] = {}
    for sample in samples:
        by_filter.setdefault(sample.filter, []).append(sample)
    documents, _ = distinct(sample.document for sample in samples)
    methods: list[LoggedMethod] = []
    remarks: list[str] = []
    for name, group in by_filter.items():
        _, again = distinct(one.document for one in group)
        if again:
            remarks.append(f"{counted(len(again), 'document')} logged twice; once is read")
        first = {one.document.number: one for one in reversed(group)}
        found, labelled = _methods(name, dict(sorted(first.items())), remarks)
        methods += found
        documents |= labelled
    order = sorted(documents)
    places = {number: at for at, number in enumerate(order)}
    moved = [
        replace(method, outcomes={places[number]: got for number, got in method.outcomes.items()})
        for method in methods
    ]
    title = PurePath(file.name).name
    matched = _NAME.fullmatch(title)
    name = matched["task"] if matched else title
    return [Task(name, "", tuple(documents[n] for n in order), tuple(moved), tuple(remarks))]


def _sample(name: str, line: int, row: Mapping[str, Any]) -> _Sample:
    place = f"{name}:{line}"
    number, fields = row.get("doc_id"), row.get("doc")
    if type(number) is not int or not isinstance(fields, dict):
        raise FileError(f"{place}: no sample of lm-evaluation-harness: doc_id or doc is missing")
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
    costs = tuple(cost_of(_first(answer), place) for answer in answers) if is_choice else ()
    options = differing(sentences) if is_choice else ()
    document = Document(number, place, fields, options, sentences if is_choice else ())
    target = str(row.get("target", ""))
    return _Sample(document, str(row.get("filter", _NO_FILTER)), target, pairs, costs, values)


def _pairs(arguments: object) -> tuple[tuple[str, str], ...]:
    """Contexts and continuations, which newer versions keep under names and older ones in lists."""
    listed: list[Any] = []
    if isinstance(arguments, dict):
        listed = [
            list(argument.values()) for argument in arguments.values() if isinstance(argument, dict)
        ]
    elif isinstance(arguments, list):
        listed = arguments
    pairs = [tuple(one) for one in listed if isinstance(one, list) and len(one) == 2]
    return tuple((a, b) for a, b in pairs if isinstance(a, str) and isinstance(b, str))


def _first(answer: object) -> object:
    """The log-likelihood of an answer, which says too whether it is what would be generated."""
    return answer[0] if isinstance(answer, list) and answer else answer


def _methods(
    filter_name: str, samples: Mapping[int, _Sample], remarks: list[str]
) -> tuple[list[LoggedMethod], dict[int, Document]]:
    """The outcomes under each metric, and the documents with their labels."""
    documents = {number: one.document for number, one in samples.items()}
    suffix = "" if filter_name == _NO_FILTER else f" ({filter_name})"
    metrics = dict.fromkeys(metric for sample in samples.values() for metric in sample.values)
    found: list[LoggedMethod] = []
    for metric in metrics:
        try:
            solved = {
                number: verdict_of(one.values[metric])
                for number, one in samples.items()
                if metric in one.values
            }
        except ValueError as error:
            remarks.append(f"{metric} is left out: {error}")
            continue
        method = None
        if metric in _DIVISORS and all(samples[number].costs for number in solved):
            method = _by_costs(metric + suffix, samples, documents, solved, _DIVISORS[metric])
            if method is None:
                remarks.append(f"{metric}: the log-likelihoods do not give what the log counts")
        found.append(method or by_verdicts(metric + suffix, solved))
    return found, documents


def _by_costs(
    name: str,
    samples: Mapping[int, _Sample],
    documents: dict[int, Document],
    solved: Mapping[int, bool | None],
    divisors: Iterable[Callable[[str, str], int]],
) -> LoggedMethod | None:
    """The method by the first divisor that gives what was solved; documents get their labels."""
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


def _divided(sample: _Sample, divisor: Callable[[str, str], int]) -> Sequence[float]:
    pairs = zip(sample.costs, sample.pairs, strict=True)
    return [cost / max(1, divisor(*pair)) for cost, pair in pairs]


def _rules(samples: Mapping[int, _Sample]) -> list[Callable[[Document], int | None]]:
    """Where the label may stand, and from which number it may count."""

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
