"""The exported tasks in the real harness, with a tiny model whose scores can be computed here."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from horsesense.datasets.exporters import Exported, wrapped
from horsesense.metrics import METRICS, sample_of
from horsesense.results.logs import read_log
from horsesense.schema import Entry, Header, Mode
from horsesense.schema.notation import parse_wrapper
from tests.datasets.exporters.folders import (
    BUS,
    KEYS,
    LADLE,
    LORRY,
    OWLS,
    STORM,
    SWIMMER,
    dataset_of,
    entry,
    files_of,
    write,
)

PYTHON = os.environ.get("HORSESENSE_PEERS", "")
TINY_MODEL = Path(__file__).with_name("tiny_model.py")
WRAPPER = parse_wrapper("It is |true, false| that …")
SQUARES = (entry("lorry", LORRY), entry("owls", OWLS), entry("ladle", LADLE))
OTHERS = (entry("storm", STORM), entry("keys", KEYS), entry("bus", BUS), entry("swim", SWIMMER))
TASKS = (
    "kitchen_full",
    "road_full",
    "road_partial",
    "road_by_key_full",
    "road_dyadic_by_boolean_full",
    "road_dyadic_by_boolean_partial",
)

pytestmark = pytest.mark.skipif(not PYTHON, reason="HORSESENSE_PEERS names no Python with lm-eval")


@dataclass(frozen=True, slots=True)
class Ran:
    """What the harness reported, and what the same model said when asked one text at a time."""

    results: dict[str, Any]
    samples: dict[str, list[dict[str, Any]]]
    expected: dict[str, list[list[float]]]
    labels: dict[str, list[int]]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """One run of all tasks, started in a folder that is not theirs."""
    place = tmp_path_factory.mktemp("lm-eval")
    tasks = _export(place / "tasks")
    lines = {task: _lines(tasks, task) for task in TASKS}
    asked = {task: [_requests(task, line) for line in lines[task]] for task in TASKS}
    answers = _asked_one_by_one(place, asked)
    output = _run(place, tasks)
    (results,) = output.glob("**/results_*.json")
    samples = {task: _samples(output, task) for task in TASKS}
    labels = {task: [line["label"] for line in lines[task]] for task in TASKS}
    return Ran(json.loads(results.read_text())["results"], samples, answers, labels)


def _export(folder: Path) -> Path:
    road = Header("road")
    dyads = tuple(wrapped(dataset_of(*SQUARES), WRAPPER, Exported()))
    exports: Sequence[tuple[str, tuple[Entry, ...], Header, dict[str, Any]]] = (
        ("kitchen", (*SQUARES, *OTHERS), Header("kitchen"), {}),
        ("road", SQUARES, road, {}),
        ("road-by-key", SQUARES, road, {"mode": Mode.BY_KEY}),
        ("road-dyads", dyads, road, {"mode": Mode.BY_BOOLEAN, "wrapper": WRAPPER}),
    )
    for name, entries, header, others in exports:
        files = files_of("lm-eval", dataset_of(*entries, header=header, **others))
        write(folder / name, files.items())
    return folder


def _lines(tasks: Path, task: str) -> list[dict[str, Any]]:
    name = task.removesuffix("_full").removesuffix("_partial")
    (path,) = tasks.glob(f"*/{name}.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _requests(task: str, line: dict[str, Any]) -> list[tuple[str, str]]:
    if task.endswith("_full"):
        return [("", sentence) for sentence in line["sentences"]]
    return [(context, line["suffix"]) for context in line["contexts"]]


def _asked_one_by_one(
    place: Path, asked: dict[str, list[list[tuple[str, str]]]]
) -> dict[str, list[list[float]]]:
    requests = [request for each in asked.values() for group in each for request in group]
    done = subprocess.run(
        [PYTHON, str(TINY_MODEL), str(place / "model")],
        input=json.dumps(requests),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    scores = iter(json.loads(done.stdout))
    return {task: [[next(scores) for _ in group] for group in asked[task]] for task in asked}


def _run(place: Path, tasks: Path) -> Path:
    output = place / "output"
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(place / "home")}
    arguments = {
        "--include_path": str(tasks),
        "--tasks": ",".join(TASKS),
        "--model": "hf",
        "--model_args": f"pretrained={place / 'model'},dtype=float32",
        "--device": "cpu",
        "--batch_size": "4",
        "--output_path": str(output),
    }
    done = subprocess.run(
        [
            PYTHON,
            "-m",
            "lm_eval",
            *(a for pair in arguments.items() for a in pair),
            "--log_samples",
        ],
        env={**os.environ, **offline},
        cwd=place,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return output


def _samples(output: Path, task: str) -> list[dict[str, Any]]:
    (path,) = output.glob(f"**/samples_{task}_2*.jsonl")
    samples = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted(samples, key=lambda sample: int(sample["doc_id"]))


@pytest.mark.parametrize("task", TASKS)
def test_the_harness_reports_the_accuracy_that_the_models_own_scores_give(
    ran: Ran, task: str
) -> None:
    answered = [scores.index(max(scores)) for scores in ran.expected[task]]
    right = sum(a == b for a, b in zip(answered, ran.labels[task], strict=True))
    assert ran.results[task]["acc,none"] == pytest.approx(right / len(answered))


@pytest.mark.parametrize("task", TASKS)
def test_the_harness_sums_what_the_model_says_of_each_option(ran: Ran, task: str) -> None:
    for sample, scores in zip(ran.samples[task], ran.expected[task], strict=True):
        reported = [float(response[0][0]) for response in sample["resps"]]
        assert reported == pytest.approx(scores, abs=1e-3)


@pytest.mark.parametrize("task", TASKS)
def test_the_harness_reports_the_share_of_schemas_with_both_problems_solved(
    ran: Ran, task: str
) -> None:
    solved: dict[str, list[bool]] = {}
    for sample, scores, label in zip(
        ran.samples[task], ran.expected[task], ran.labels[task], strict=True
    ):
        for schema in sample["doc"]["schemas"]:
            solved.setdefault(schema, []).append(scores.index(max(scores)) == label)
    assert solved and all(len(both) == 2 for both in solved.values())
    expected = sum(all(both) for both in solved.values()) / len(solved)
    assert ran.results[task]["schema_acc,none"] == pytest.approx(expected)


def test_our_own_reader_pairs_the_samples_of_the_harness_as_they_were_exported(
    ran: Ran, tmp_path: Path
) -> None:
    path = tmp_path / "samples_road_full.jsonl"
    path.write_text("".join(json.dumps(sample) + "\n" for sample in ran.samples["road_full"]))
    (read,) = read_log(path)
    assert len(read.answer_set.schemas) == len(SQUARES)
    share = METRICS["schema-accuracy"](sample_of(read.answer_set))
    assert share.value == pytest.approx(ran.results["road_full"]["schema_acc,none"])


def test_the_model_is_neither_always_right_nor_always_wrong(ran: Ran) -> None:
    accuracies = {ran.results[task]["acc,none"] for task in TASKS}
    assert len(accuracies) > 1 and any(0 < accuracy < 1 for accuracy in accuracies)


def test_no_space_is_doubled_and_none_is_lost_between_context_and_suffix(ran: Ran) -> None:
    for sample in ran.samples["road_partial"]:
        asked = [
            "".join(arguments[key] for key in sorted(arguments))
            for arguments in sample["arguments"].values()
        ]
        assert asked == sample["doc"]["sentences"]


def test_the_prefix_token_is_bos_or_else_eos() -> None:
    code = """
from types import SimpleNamespace
from lm_eval.models.huggingface import HFLM
lm = HFLM.__new__(HFLM)
for chosen, bos in ((None, 5), (None, None), (9, 5)):
    lm.custom_prefix_token_id = chosen
    lm.tokenizer = SimpleNamespace(bos_token_id=bos, eos_token_id=7)
    print(lm.prefix_token_id)
"""
    done = subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["5", "7", "9"], done.stderr
