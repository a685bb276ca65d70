"""Select what the results of a run say about one model."""

from __future__ import annotations

from dataclasses import replace

from horsesense.errors import UnknownNameError
from horsesense.results.record import ResultKey
from horsesense.results.results import Results


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
    baselines = [each for each in results.models if each.is_baseline and each.name != model]
    models = (replace(subjects[model], is_baseline=False), *baselines)
    names = {subject.name for subject in models}

    def is_kept(key: ResultKey | None) -> bool:
        return key is None or (key.model in names and key.dataset in datasets)

    return replace(
        results,
        models=models,
        datasets=tuple(each for each in results.datasets if each.name in datasets),
        variants=tuple(each for each in results.variants if each.dataset in datasets),
        estimates=tuple(
            each for each in results.estimates if is_kept(each.key) and is_kept(each.against)
        ),
        options=tuple(each for each in results.options if is_kept(each.key)),
    )
