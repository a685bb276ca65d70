import json
import os
import subprocess
from collections import defaultdict
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from horsesense.reports.every_eval_ever import every_eval_ever_files
from horsesense.results import Results
from tests.reports.small_profile import small_profile
from tests.results.awkward import ANT, awkward_profile, awkward_record

# A Python with the package every_eval_ever, which needs Python 3.12.
PYTHON = os.environ.get("HORSESENSE_RECORDS", "")
SAMPLES = "_samples.jsonl"

Rows = list[dict[str, Any]]


def records(results: Results) -> list[tuple[dict[str, Any], Rows]]:
    """Each record with its samples."""
    files = dict(every_eval_ever_files(results))
    return [
        (json.loads(content), _rows(files.get(path.removesuffix(".json") + SAMPLES, b"")))
        for path, content in files.items()
        if not path.endswith(SAMPLES)
    ]


def _rows(content: bytes) -> Rows:
    return [json.loads(line) for line in content.splitlines()]


def awkward(**fields: Any) -> Results:
    """A profile with one value on the whole original."""
    value = awkward_profile().estimates[0]
    return awkward_profile(**{"estimates": (replace(value, key=ANT),)} | fields)


@pytest.mark.skipif(not PYTHON, reason="HORSESENSE_RECORDS names no Python with every_eval_ever")
@pytest.mark.parametrize("results", [small_profile(), awkward()], ids=["small", "awkward"])
def test_the_validator_of_every_eval_ever_accepts_all_files(
    results: Results, tmp_path: Path
) -> None:
    paths = []
    for name, content in every_eval_ever_files(results):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        paths.append(str(path))
    assert paths
    command = [PYTHON, "-m", "every_eval_ever", "validate", "--format", "json", *paths]
    done = subprocess.run(command, capture_output=True, text=True)
    reports = json.loads(done.stdout)
    assert [(one["errors"], one["warnings"]) for one in reports] == [([], [])] * len(paths)
    assert done.returncode == 0


def test_samples_join_their_results_and_have_their_mean() -> None:
    for record, rows in records(small_profile()):
        scores = defaultdict(list)
        for row in rows:
            assert row["evaluation_id"] == record["evaluation_id"]
            assert row["model_id"] == record["model_info"]["id"]
            scores[row["evaluation_result_id"]].append(row["evaluation"]["score"])
        results = {one["evaluation_result_id"]: one for one in record["evaluation_results"]}
        assert len(results) == len(record["evaluation_results"])
        of_problems = {name for name in results if name.endswith(":problem-accuracy")}
        assert scores.keys() == of_problems < results.keys()
        for name in of_problems:
            details = results[name]["score_details"]
            assert fmean(scores[name]) == pytest.approx(details["score"])
            assert len(scores[name]) == details["uncertainty"]["num_samples"]


def test_a_record_points_at_its_samples_and_the_same_run_gives_the_same_files() -> None:
    files = dict(every_eval_ever_files(small_profile()))
    assert files == dict(every_eval_ever_files(small_profile()))
    for path, content in files.items():
        if not path.endswith(SAMPLES):
            detail = json.loads(content)["detailed_evaluation_results"]
            samples = files[detail["file_path"]]
            assert detail["file_path"] == path.removesuffix(".json") + SAMPLES
            assert detail["checksum"] == sha256(samples).hexdigest()
            assert detail["total_rows"] == len(samples.splitlines())


def test_the_uncertainty_says_what_was_resampled() -> None:
    results = small_profile()
    record, _ = records(results)[0]
    result = record["evaluation_results"][0]
    told = result["score_details"]["uncertainty"]
    assert told["confidence_interval"]["confidence_level"] == 0.95
    assert "over clusters" in told["confidence_interval"]["method"]
    assert told["num_bootstrap_samples"] == results.record.plan.resamples
    assert told["standard_error"]["value"] > 0


def test_a_value_without_interval_and_answers_has_neither_uncertainty_nor_samples() -> None:
    (value,) = awkward().estimates
    results = awkward(estimates=(replace(value, high=None),), answer_sets={})
    ((record, rows),) = records(results)
    (result,) = record["evaluation_results"]
    assert result["score_details"]["uncertainty"] == {"num_samples": 4}
    assert rows == [] and "detailed_evaluation_results" not in record


@pytest.mark.parametrize(("ties", "score"), [("failed", 0.0), ("half", 0.5)])
def test_an_undecided_problem_scores_by_the_rule_and_an_unlabelled_one_is_left_out(
    ties: str, score: float
) -> None:
    record = awkward_record()
    record = replace(record, plan=replace(record.plan, ties=ties))
    ((_, rows),) = records(awkward(record=record))
    solved, tied, only_failed = rows
    assert (solved["evaluation"], solved["metadata"]["twins"]) == (
        {"score": 1.0, "is_correct": True},
        [2],
    )
    assert solved["output"]["raw"] == solved["input"]["reference"] == ["Infinity"]
    assert tied["evaluation"] == {"score": score, "is_correct": False}
    assert tied["output"]["raw"] == [] and tied["metadata"]["outcome"] == "undecided"
    # Only that it was not solved is known, and no statement was kept.
    assert only_failed["input"] == {"raw": "", "reference": [], "choices": []}
    assert only_failed["metadata"]["outcome"] == "failed"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("moor/owl-7b", "data/quay/moor/owl-7b/"),
        ("owl", "data/quay/local/owl/"),
        ("/home/me/owls at night", "data/quay/local/home_me_owls_at_night/"),
        ("data", "data/quay/local/_data/"),
        ("船", "data/quay/local/_/"),
    ],
)
def test_a_record_stands_where_the_datastore_looks_for_its_model(name: str, place: str) -> None:
    results = awkward()
    model = replace(results.models[0], name=name)
    estimates = [replace(one, key=one.key.replace(model=name)) for one in results.estimates]
    files = dict(every_eval_ever_files(awkward(models=(model,), estimates=tuple(estimates))))
    (path,) = files
    assert path.startswith(place)
    told = json.loads(files[path])["model_info"]
    assert (told["name"], f"data/quay/{told['id']}/") == (name, place)


def test_nothing_measured_is_no_record_and_an_unknown_time_is_0() -> None:
    assert records(awkward(estimates=())) == []
    ((record, _),) = records(awkward(record=awkward_record(finished_at="", started_at="")))
    assert record["retrieved_timestamp"] == "0"
    assert record["evaluation_timestamp"] == "not stated"


def test_who_runs_a_server_is_unknown_and_the_server_is_named() -> None:
    profile = small_profile()
    first, *others = profile.models
    served = replace(profile, models=(replace(first, server="vllm 0.32.0"), *others))
    (info, *_), (before, *_) = (
        [record["model_info"]["additional_details"] for record, _ in records(each)]
        for each in (served, profile)
    )
    assert (info["deployment_type"], info["server"]) == ("unknown", "vllm 0.32.0")
    assert before["deployment_type"] == "self_deployed" and "server" not in before
