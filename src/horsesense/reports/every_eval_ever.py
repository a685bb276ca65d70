"""Results as records of Every Eval Ever, schema 0.3.0: one for each model and dataset.

A record has a result for each variant, method and metric. A result of problem accuracy has a row
for each problem in the samples, whose mean score it is; `evaluation_id` and `evaluation_result_id`
join them. Paths are those of the Every Eval Ever datastore. Nothing in a record depends on when it
is written, so the same run gives the same files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from horsesense.reports.lm_eval import standard_error, task_name
from horsesense.results import (
    AnswerRow,
    DatasetSubject,
    Estimate,
    ModelSubject,
    ResultKey,
    Results,
    Variant,
)
from horsesense.results.rows import LEVEL

__all__ = ["every_eval_ever_files"]

SCHEMA_VERSION = "0.3.0"
_METRICS = {"problem-accuracy": "accuracy", "schema-accuracy": "horsesense.schema_accuracy"}
_OF_SAMPLES = "problem-accuracy"
_OWNER_AND_NAME = re.compile(r"([A-Za-z0-9][\w.-]*)/([A-Za-z0-9][\w.-]*)", re.ASCII)
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_NOT_STATED = "not stated"
_INTERVAL = (
    "percentile bootstrap over clusters (entries, or all entries with the same tag cluster:NAME);"
    " Clopper-Pearson for shares of 0 and 1"
)
_STANDARD_ERROR = "analytic, linearised over the same clusters, with the correction G/(G-1)"


def every_eval_ever_files(results: Results) -> Iterator[tuple[str, bytes]]:
    """The record and the samples of each evaluated model and dataset, with their paths."""
    datasets = {dataset.name: dataset for dataset in results.datasets}
    for model in results.evaluated:
        for name, _ in model.standard:
            yield from _record(results, model, datasets[name])


def _record(
    results: Results, model: ModelSubject, dataset: DatasetSubject
) -> Iterator[tuple[str, bytes]]:
    """The two files of a model and a dataset; none if nothing was measured."""
    measured = [
        _result(results, variant, estimate)
        for variant in results.variants_of(dataset.name)
        for method in model.methods
        for metric in _METRICS
        if (estimate := results.value(_key(model, variant, method), metric))
        and estimate.value is not None
    ]
    if not measured:
        return
    time = _seconds(results.record.finished_at)
    owner, short = _model_id(model.name)
    record: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"{dataset.name}/{owner}/{short}/{time}",
        "evaluation_timestamp": results.record.started_at or _NOT_STATED,
        "retrieved_timestamp": time,
        "source_metadata": {
            "source_name": "horsesense",
            "source_type": "evaluation_run",
            "source_organization_name": _NOT_STATED,
            "evaluator_relationship": "other",
        },
        "eval_library": {
            "name": "horsesense",
            "version": results.record.horsesense,
            "additional_details": {"run": results.record.id, "program": results.record.program},
        },
        "model_info": _model_info(model, f"{owner}/{short}", owner),
        "evaluation_results": [
            result | {"source_data": _source_data(dataset)} for result in measured
        ],
    }
    digest = sha256("\n".join((results.record.key, model.name, dataset.name)).encode()).digest()
    place = f"data/{_component(dataset.name)}/{owner}/{short}/{UUID(bytes=digest[:16], version=4)}"
    samples = _samples(results, model, dataset, record)
    lines = [json.dumps(sample, ensure_ascii=False, allow_nan=False) + "\n" for sample in samples]
    content = "".join(lines).encode()
    if lines:
        record["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": f"{place}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": sha256(content).hexdigest(),
            "total_rows": len(lines),
        }
        yield f"{place}_samples.jsonl", content
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, indent=2)
    yield f"{place}.json", f"{text}\n".encode()


def _seconds(time: str) -> str:
    """A time in whole seconds since 1970; 0 if it is not known."""
    return str(int(datetime.fromisoformat(time).timestamp())) if time else "0"


def _key(model: ModelSubject, variant: Variant, method: str) -> ResultKey:
    return ResultKey(model.name, variant.dataset, variant.name, method=method)


def _model_id(name: str) -> tuple[str, str]:
    """The owner and the name of a model; the owner is `local` if the name has none."""
    if match := _OWNER_AND_NAME.fullmatch(name):
        return _component(match[1]), _component(match[2])
    return "local", _component(name)


def _component(name: str) -> str:
    """A name as part of a path of the datastore, which keeps `data` for itself."""
    part = _UNFIT.sub("_", name).strip("._") or "_"
    return "_data" if part == "data" else part


def _model_info(model: ModelSubject, model_id: str, owner: str) -> dict[str, Any]:
    """Describe a model; who runs the server that it is behind is not known."""
    return {
        "name": model.name,
        "id": model_id,
        "developer": owner,
        "additional_details": {
            "deployment_type": "unknown" if model.server else "self_deployed",
            "model_availability": "unknown",
            "family": model.family,
            "architecture": model.architecture,
            "parameters": str(model.parameters),
            "dtype": model.dtype,
            "device": model.device,
            "fingerprint": model.fingerprint,
            **({"server": model.server} if model.server else {}),
        },
    }


def _source_data(dataset: DatasetSubject) -> dict[str, Any]:
    return {
        "dataset_name": dataset.name,
        "source_type": "other",
        "additional_details": {
            "title": dataset.title,
            "version": str(dataset.version),
            "content_sha256": dataset.id,
            "licence": dataset.licence or _NOT_STATED,
        },
    }


def _result(results: Results, variant: Variant, estimate: Estimate) -> dict[str, Any]:
    plan = results.record.plan
    return {
        "evaluation_result_id": _result_id(estimate.key, estimate.metric),
        "evaluation_name": task_name(variant.dataset, variant.name),
        "metric_config": {
            "metric_id": _METRICS[estimate.metric],
            "metric_name": estimate.metric,
            "metric_kind": "accuracy",
            "metric_unit": "proportion",
            "metric_parameters": {"scoring_method": estimate.key.method, "ties": plan.ties},
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": 1.0,
        },
        "score_details": {
            "score": estimate.value,
            "details": {
                "problems": str(estimate.n_problems),
                "schemas": str(estimate.n_schemas),
                "clusters": str(estimate.n_clusters),
                "undecided": str(estimate.n_undecided),
                "mode": variant.mode,
            },
            "uncertainty": _uncertainty(results, estimate),
        },
    }


def _result_id(key: ResultKey, metric: str) -> str:
    return f"{key.variant}:{key.method}:{metric}"


def _uncertainty(results: Results, estimate: Estimate) -> dict[str, Any]:
    is_of_schemas = estimate.metric != _OF_SAMPLES
    uncertainty: dict[str, Any] = {
        "num_samples": estimate.n_schemas if is_of_schemas else estimate.n_problems
    }
    if estimate.low is not None and estimate.high is not None:
        uncertainty["confidence_interval"] = {
            "lower": estimate.low,
            "upper": estimate.high,
            "confidence_level": LEVEL,
            "method": _INTERVAL,
        }
        uncertainty["num_bootstrap_samples"] = results.record.plan.resamples
    answer_set = results.answer_sets.get(estimate.key)
    error = answer_set and standard_error(
        answer_set, estimate.metric, estimate.value, results.record.plan.ties
    )
    if error is not None:
        uncertainty["standard_error"] = {"value": error, "method": _STANDARD_ERROR}
    return uncertainty


def _samples(
    results: Results, model: ModelSubject, dataset: DatasetSubject, record: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """A row for each labelled problem of each variant, by each method."""
    undecided = 0.5 if results.record.plan.ties == "half" else 0.0
    ids = {result["evaluation_result_id"] for result in record["evaluation_results"]}
    for row in results.answers.where(model=model.name, dataset=dataset.name):
        result_id = _result_id(
            ResultKey(row.model, row.dataset, row.variant, method=row.method), _OF_SAMPLES
        )
        if result_id in ids and row.reason != "unlabelled":
            yield {
                "schema_version": SCHEMA_VERSION,
                "evaluation_id": record["evaluation_id"],
                "model_id": record["model_info"]["id"],
                "evaluation_name": task_name(row.dataset, row.variant),
                "evaluation_result_id": result_id,
                **_sample(row, undecided),
            }


def _sample(row: AnswerRow, undecided: float) -> dict[str, Any]:
    statement, chosen = row.statement or "", row.choice_option
    reference = [] if row.label_option is None else [row.label_option]
    return {
        "sample_id": f"{row.variant}:{row.problem_id}",
        "sample_hash": sha256("".join((statement, *reference)).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": statement, "reference": reference, "choices": list(row.options)},
        "output": {"raw": [] if chosen is None else [chosen]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": chosen or "",
                "extraction_method": f"lowest cost by {row.method}",
                "is_terminal": True,
            }
        ],
        "evaluation": {
            "score": undecided if row.correct is None else float(row.correct),
            "is_correct": bool(row.correct),
        },
        "metadata": {
            "entry": row.entry,
            "number": row.number,
            "twins": list(row.twins),
            "variant": row.variant,
            "costs": [str(cost) for cost in row.costs],
            "outcome": row.reason or ("solved" if row.correct else "failed"),
        },
    }
