"""Results as the files that a model's repository on Hugging Face keeps in `.eval_results/`.

Each file holds a dataset: a list with problem accuracy and schema accuracy of each variant, by the
standard method. The hub shows values alone, so method, counts and interval stand in the notes.
Baselines have no repository, so only the evaluated models have files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from horsesense.reports.lm_eval import file_name, task_name
from horsesense.results import DatasetSubject, Estimate, ModelSubject, Results, Variant

__all__ = ["eval_results", "eval_results_files"]

_METRICS = ("schema-accuracy", "problem-accuracy")


def eval_results(results: Results, model: ModelSubject, dataset: str) -> list[dict[str, Any]]:
    """List the entries for a model on a dataset, with our name of it as the `id` of the dataset.

    The `task_id` is the metric, with the variant before it unless it is the original.
    """
    (subject,) = (one for one in results.datasets if one.name == dataset)
    standard = results.standard(model, dataset)
    return [
        {
            "dataset": {"id": dataset, "task_id": task_name(metric, variant.name)},
            "value": estimate.value,
            **({"date": finished} if (finished := results.record.finished_at) else {}),
            "notes": _notes(results, subject, variant, estimate),
        }
        for variant in results.variants_of(dataset)
        for metric in _METRICS
        if (estimate := results.value(standard.replace(variant=variant.name), metric))
        and estimate.value is not None
    ]


def eval_results_files(results: Results) -> Iterator[tuple[str, bytes]]:
    """The file of each model and dataset, as MODEL/.eval_results/DATASET.yaml."""
    for model in results.evaluated:
        for dataset, _ in model.standard:
            if entries := eval_results(results, model, dataset):
                text = yaml.safe_dump(entries, allow_unicode=True, sort_keys=False, width=100)
                path = f"{file_name(model.name)}/.eval_results/{file_name(dataset)}.yaml"
                yield path, text.encode()


def _notes(results: Results, dataset: DatasetSubject, variant: Variant, estimate: Estimate) -> str:
    """Say in one line how the number was made and how certain it is."""
    record = results.record
    parts = [
        f"zero-shot, scoring method {estimate.key.method}",
        f"{estimate.n_problems} problems, {estimate.n_schemas} schemas, solved {variant.mode}",
    ]
    if estimate.low is not None and estimate.high is not None:
        parts.append(f"95 % interval {estimate.low:.3f} to {estimate.high:.3f}")
    parts += [
        f"{dataset.name} version {dataset.version} ({dataset.id[:12]}), {record.plan.extent}",
        f"horsesense {record.horsesense}, run {record.id}",
    ]
    return "; ".join(parts)
