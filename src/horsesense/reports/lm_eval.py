"""A profile in the shape in which lm-evaluation-harness writes its results, one for each model.

A task is a variant of a dataset. Metrics are `acc`, our problem accuracy, and `schema_acc`, and the
scoring method stands in the filter's place: `acc,partial`, `schema_acc,smart1`. Added to what the
harness writes are intervals (`acc_ci95,partial`), `n_schemas` and `resampling_unit`. `sample_len`
and `n_schemas` are those of the method that scores most; `n-samples` has them of each. Nothing is
averaged over variants, so there are no groups.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from math import isfinite, sqrt
from os.path import commonprefix
from typing import Any

from horsesense.errors import UnknownNameError
from horsesense.results import (
    ORIGINAL,
    DatasetSubject,
    ModelSubject,
    ProblemRow,
    ResultKey,
    Results,
    Variant,
)
from horsesense.scoring.outcome import Answer, AnswerSet, Outcome

__all__ = ["file_name", "lm_eval_results", "lm_eval_samples", "standard_error", "task_name"]

# Our metrics under the names that the harness' users know.
_METRICS = {"acc": "problem-accuracy", "schema_acc": "schema-accuracy"}
_UNIT = "cluster"
_STDERR = (
    "of whole clusters (entries, or all entries with the same tag cluster:NAME), with the"
    " correction G/(G-1) for a finite number G of them"
)
# What the harness writes where there is no number.
_NOT_AVAILABLE = "N/A"
# Characters that the harness keeps out of file names.
_UNFIT = re.compile(r'["<>:/|\\?*\[\]]+')


def lm_eval_results(results: Results, model: str) -> dict[str, Any]:
    """The results of a model as a dictionary that `json.dumps` can write."""
    subject = model_named(results, model)
    datasets = {dataset.name: dataset for dataset in results.datasets}
    tasks = {
        task_name(variant.dataset, variant.name): variant
        for variant in results.variants
        if any(
            _address(subject, variant, method) in results.answer_sets for method in subject.methods
        )
    }
    return {
        "results": {
            name: _result(results, subject, name, variant) for name, variant in tasks.items()
        },
        "groups": {},
        "group_subtasks": {},
        "configs": {
            name: _task_config(name, variant, datasets[variant.dataset])
            for name, variant in tasks.items()
        },
        "versions": {name: datasets[variant.dataset].version for name, variant in tasks.items()},
        "n-shot": dict.fromkeys(tasks, 0),
        "higher_is_better": {name: dict.fromkeys(_METRICS, True) for name in tasks},
        "n-samples": {
            name: {
                "original": variant.problems,
                "effective": _effective(results, subject, variant),
                "by_filter": _scored(results, subject, variant),
            }
            for name, variant in tasks.items()
        },
        "config": _config(results, subject),
        **_circumstances(results, subject),
        "task_hashes": _task_hashes(results, tasks),
    }


def task_name(dataset: str, variant: str = ORIGINAL) -> str:
    """The task name of a variant of a dataset.

    >>> task_name("hs-winograd"), task_name("hs-winograd", "switched")
    ('hs-winograd', 'hs-winograd_switched')
    """
    return dataset if variant == ORIGINAL else f"{dataset}_{variant}"


def file_name(name: str) -> str:
    """Return a name of a model or task as the harness writes it in paths.

    >>> file_name("moor/owl-7b")
    'moor__owl-7b'
    """
    return _UNFIT.sub("__", name)


def _address(model: ModelSubject, variant: Variant, method: str) -> ResultKey:
    return ResultKey(model.name, variant.dataset, variant.name, method=method)


def _result(results: Results, model: ModelSubject, name: str, variant: Variant) -> dict[str, Any]:
    result: dict[str, Any] = {
        "name": name,
        "alias": name,
        "sample_len": _effective(results, model, variant),
        "resampling_unit": _UNIT,
    }
    for method in model.methods:
        address = _address(model, variant, method)
        if address not in results.answer_sets:
            continue
        answer_set, slot = results.answer_sets[address], filter_of(method)
        result["n_schemas"] = max(result.get("n_schemas", 0), len(answer_set.schemas))
        for short, metric in _METRICS.items():
            found = results.value(address, metric)
            if found is None:
                continue
            stderr = standard_error(answer_set, metric, found.value, results.record.plan.ties)
            result[f"{short},{slot}"] = found.value
            result[f"{short}_stderr,{slot}"] = _NOT_AVAILABLE if stderr is None else stderr
            result[f"{short}_ci95,{slot}"] = [found.low, found.high]
    return result


def standard_error(
    answer_set: AnswerSet, metric: str, value: float | None, ties: str
) -> float | None:
    """The standard error of a share whose units are related within clusters; None if unknown.

    Of a ratio of sums over clusters, linearised: the clusters' sums of deviations, squared.
    """
    from horsesense.metrics import METRICS, Ties, sample_of  # with numpy, which takes its time

    sample = sample_of(answer_set, ties=Ties(ties))
    counts = METRICS[metric].columns(sample)
    total, clusters = float(counts[:, 1].sum()), len(counts)
    if value is None or clusters < 2:
        return None
    deviations = counts[:, 0] - value * counts[:, 1]
    squares = float((deviations**2).sum())
    if squares == 0:
        return None  # all clusters are alike, which does not make the share certain
    return sqrt(squares * clusters / (clusters - 1)) / total


def _effective(results: Results, model: ModelSubject, variant: Variant) -> int:
    """The number of problems that some method has scored."""
    addresses = (_address(model, variant, method) for method in model.methods)
    return max(
        len(results.answer_sets[address].answers)
        for address in addresses
        if address in results.answer_sets
    )


def _scored(results: Results, model: ModelSubject, variant: Variant) -> dict[str, dict[str, int]]:
    """The numbers of problems and schemas that each method has scored."""
    found = {
        method: results.answer_sets.get(_address(model, variant, method))
        for method in model.methods
    }
    return {
        filter_of(method): {"problems": len(answer_set.answers), "schemas": len(answer_set.schemas)}
        for method, answer_set in found.items()
        if answer_set is not None
    }


def _task_config(name: str, variant: Variant, dataset: DatasetSubject) -> dict[str, Any]:
    return {
        "task": name,
        "dataset_path": dataset.name,
        "dataset_name": variant.name,
        "output_type": "multiple_choice",
        "num_fewshot": 0,
        "metric_list": [
            {"metric": one, "aggregation": "mean", "higher_is_better": True} for one in _METRICS
        ],
        "metadata": {
            "version": dataset.version,
            "dataset_id": dataset.id,
            "licence": dataset.licence,
            "transformation": variant.transformation,
            "purpose": variant.purpose,
            "mode": variant.mode,
            "compared": variant.compared,
            "left_out": dict(variant.left_out),
        },
    }


def _config(results: Results, model: ModelSubject) -> dict[str, Any]:
    plan = results.record.plan
    return {
        "model": model.name,
        "model_args": "",
        "model_num_parameters": model.parameters,
        "model_dtype": model.dtype,
        "model_revision": "",
        "model_sha": model.fingerprint,
        "batch_size": plan.batch,
        "batch_sizes": [],
        "device": model.device,
        "use_cache": None,
        "limit": plan.first or plan.sample,
        "bootstrap_iters": plan.resamples,
        "gen_kwargs": {},
        "random_seed": plan.seed,
        "numpy_seed": plan.seed,
        "torch_seed": None,
        "fewshot_seed": None,
        "stderr": _STDERR,
        "ties": plan.ties,
        "standard": {dataset: filter_of(method) for dataset, method in model.standard},
    }


def _seconds(time: str) -> float | None:
    """A time in seconds since 1970; None where it is not known."""
    return datetime.fromisoformat(time).timestamp() if time else None


def _circumstances(results: Results, model: ModelSubject) -> Mapping[str, Any]:
    record = results.record
    versions = dict(record.versions)
    return {
        "git_hash": None,
        "date": _seconds(record.started_at),
        "pretty_env_info": "\n".join(f"{name}: {value}" for name, value in record.machine),
        "transformers_version": versions.get("transformers"),
        "lm_eval_version": None,
        "upper_git_hash": None,
        "horsesense_version": record.horsesense,
        "program_hash": record.program,
        "run_id": record.id,
        "model_source": "horsesense",
        "model_name": model.name,
        "model_name_sanitized": model.name.replace("/", "__"),
        "total_evaluation_time_seconds": str(record.seconds),
    }


def _task_hashes(results: Results, tasks: Mapping[str, Variant]) -> dict[str, str]:
    """Return a hash of the problems of each task, the same for every model.

    The harness hashes the samples that it queried a model with. Making every sample just for the
    hash would take long.
    """
    posed: dict[tuple[str, str], list[str]] = {
        (task.dataset, task.name): [] for task in tasks.values()
    }
    for problem in results.problems:
        if (problem.dataset, problem.variant) in posed:
            message = [
                problem.entry,
                problem.number,
                problem.statement,
                problem.options,
                problem.label,
                problem.sentences,
            ]
            posed[problem.dataset, problem.variant].append(json.dumps(message, ensure_ascii=False))
    return {
        name: hash_of("\n".join(posed[variant.dataset, variant.name]))
        for name, variant in tasks.items()
    }


def lm_eval_samples(
    results: Results, model: str, dataset: str, variant: str = ORIGINAL
) -> Iterator[dict[str, Any]]:
    """The samples of a model on a variant of a dataset, by every method.

    The log-likelihoods of the options are the method's costs with the other sign. A document has
    a field `schema`, which two problems have in common that make one; of a problem in several
    schemas it is the first.
    """
    posed = {
        (problem.entry, problem.number): problem
        for problem in results.problems
        if (problem.dataset, problem.variant) == (dataset, variant)
    }
    numbers: dict[tuple[str, int], int] = {}
    for method in model_named(results, model).methods:
        answer_set = results.answer_sets.get(ResultKey(model, dataset, variant, method=method))
        if answer_set is None:
            continue
        schemas = _schema_ids(answer_set)
        for at, answer in enumerate(answer_set.answers):
            number = numbers.setdefault(answer.problem, len(numbers))
            row = _sample(number, answer, schemas[at], posed.get(answer.problem))
            yield row | {"filter": filter_of(method), "perturbation": variant}


def model_named(results: Results, name: str) -> ModelSubject:
    """The model or baseline of that name."""
    known = {model.name: model for model in results.models}
    if name not in known:
        raise UnknownNameError("model of this run", name, known)
    return known[name]


def filter_of(method: str) -> str:
    """Return a scoring method as the name of a filter, as written after the comma.

    >>> filter_of("mean-smart@1")
    'mean-smart1'
    """
    return method.replace("@", "")


def _schema_ids(answer_set: AnswerSet) -> list[str]:
    """The name of each answer's schema: that of its entry, unless it has several or none."""
    counts = Counter(answer_set.answers[first].entry for first, _ in answer_set.schemas)
    ids: dict[int, str] = {}
    for first, second in answer_set.schemas:
        if first in ids or second in ids:
            continue
        entry, number = answer_set.answers[first].problem
        ids[first] = ids[second] = entry if counts[entry] == 1 else f"{entry}.{number}"
    return [
        ids.get(at, f"{answer.entry}.{answer.number}")
        for at, answer in enumerate(answer_set.answers)
    ]


def _sample(number: int, answer: Answer, schema: str, posed: ProblemRow | None) -> dict[str, Any]:
    right = answer.outcome.right if answer.outcome.has_choice else None
    document = {
        "id": f"{schema}-{answer.number}",
        "schema": schema,
        # Under these names nobody takes it for a table of problems and pairs it by itself.
        "posed": posed.statement if posed else "",
        "offered": list(answer.options),
        "label": right,
    }
    target = "" if right is None else str(right)
    arguments = _arguments(answer, posed)
    likelihoods = [[str(-cost), "False"] for cost in answer.outcome.costs]
    return {
        "doc_id": number,
        "doc": document,
        "target": target,
        "arguments": arguments,
        "resps": [[pair] for pair in likelihoods],
        "filtered_resps": likelihoods,
        "filter": "",
        "metrics": ["acc"],
        "doc_hash": hash_of(json.dumps(document, indent=2, ensure_ascii=False)),
        "prompt_hash": hash_of("".join(argument["arg_0"] for argument in arguments.values())),
        "target_hash": hash_of(target),
        **_metric(answer.outcome),
        "schema_id": schema,
        "problem_id": f"{answer.entry} {answer.number}",
        "margin": _plain(answer.outcome.signed_margin),
        "tie": answer.outcome.chosen is None,
    }


def hash_of(text: str) -> str:
    """A hash as the harness makes it of documents, prompts and targets."""
    return hashlib.sha256(text.encode()).hexdigest()


def _arguments(answer: Answer, posed: ProblemRow | None) -> Mapping[str, dict[str, str]]:
    """Contexts and continuations: the sentences cut where they begin to differ."""
    sentences = posed.sentences if posed else answer.options
    cut = commonprefix(sentences).rfind(" ") + 1
    return {
        f"gen_args_{at}": {"arg_0": text[:cut].rstrip(), "arg_1": text[cut - 1 if cut else 0 :]}
        for at, text in enumerate(sentences)
    }


def _plain(margin: float | None) -> float | str:
    """Return a margin as JSON has it: an infinite or unknown one as a text."""
    if margin is None:
        return "N/A"
    return margin if isfinite(margin) else str(margin)


def _metric(outcome: Outcome) -> dict[str, float]:
    """True if the problem was solved; None if its right option is not known."""
    if outcome.right is None:
        return {}
    costs, chosen = outcome.costs, outcome.chosen
    first = costs.index(min(costs)) if costs else chosen
    return {"acc": float(first == outcome.right)}
