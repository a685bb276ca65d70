from dataclasses import replace

import pytest
import yaml

from horsesense.reports.hf_eval_results import eval_results, eval_results_files
from horsesense.reports.lm_eval import file_name
from tests.reports.small_profile import small_profile
from tests.results.awkward import awkward_profile, awkward_record


def test_hugging_face_reads_every_entry_as_we_meant_it() -> None:
    hub = pytest.importorskip("huggingface_hub")
    results = small_profile()
    files = dict(eval_results_files(results))
    assert files
    for path, content in files.items():
        model, hidden, file = path.split("/")
        (subject,) = (one for one in results.evaluated if file_name(one.name) == model)
        assert hidden == ".eval_results" and file.endswith(".yaml")
        data = yaml.safe_load(content)
        entries = hub.parse_eval_result_entries(data)
        assert hub.eval_result_entries_to_yaml(entries) == data
        tasks = [entry.task_id for entry in entries]
        assert len(set(tasks)) == len(tasks)
        for entry in entries:
            metric, _, variant = entry.task_id.partition("_")
            key = results.standard(subject, entry.dataset_id).replace(variant=variant or "original")
            estimate = results.value(key, metric)
            assert estimate is not None and entry.value == estimate.value
            assert entry.date == results.record.finished_at


def test_there_is_a_file_for_each_evaluated_model_and_dataset_and_none_for_baselines() -> None:
    results = small_profile()
    pairs = [(one.name, dataset) for one in results.evaluated for dataset, _ in one.standard]
    assert [path for path, _ in eval_results_files(results)] == [
        f"{file_name(model)}/.eval_results/{dataset}.yaml" for model, dataset in pairs
    ]


def test_the_notes_say_how_the_number_was_made_and_how_certain_it_is() -> None:
    results = small_profile()
    model = results.evaluated[0]
    dataset, method = model.standard[0]
    entry = eval_results(results, model, dataset)[0]
    estimate = results.value(results.standard(model, dataset), entry["dataset"]["task_id"])
    assert estimate is not None and estimate.low is not None and estimate.high is not None
    assert f"scoring method {method}; " in entry["notes"]
    assert f"{estimate.n_problems} problems, {estimate.n_schemas} schemas" in entry["notes"]
    assert f"interval {estimate.low:.3f} to {estimate.high:.3f}; " in entry["notes"]
    assert entry["notes"].endswith(f"run {results.record.id}")


def test_the_notes_say_which_problems_were_used() -> None:
    results = small_profile()
    model = results.evaluated[0]
    plan = replace(results.record.plan, first=7)
    results = replace(results, record=replace(results.record, plan=plan))
    entry = eval_results(results, model, model.standard[0][0])[0]
    assert ", the first 7 schemas and single problems; " in entry["notes"]


def test_a_value_without_an_interval_or_a_date_has_none() -> None:
    value = awkward_profile().estimates[0]
    whole = replace(value, key=value.key.whole, low=None)
    results = awkward_profile(estimates=(whole,), record=awkward_record(finished_at=""))
    (entry,) = eval_results(results, results.models[0], "quay")
    assert "interval" not in entry["notes"] and "date" not in entry


def test_a_model_of_which_nothing_is_defined_has_no_file() -> None:
    assert list(eval_results_files(awkward_profile(estimates=()))) == []
