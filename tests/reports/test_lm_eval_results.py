import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import FileError, UnknownNameError
from horsesense.metrics import METRICS, sample_of
from horsesense.reports.lm_eval import filter_of, lm_eval_results, lm_eval_samples, task_name
from horsesense.results import ResultKey, Variant
from horsesense.results.logs import read_log
from horsesense.scoring.outcome import Answer, AnswerSet, Outcome, Verdict, decide
from tests.peers.peers import PYTHON, needs_peers
from tests.reports.small_profile import small_profile
from tests.results.awkward import awkward_profile

KEYS = {
    "results",
    "groups",
    "group_subtasks",
    "configs",
    "versions",
    "n-shot",
    "higher_is_better",
    "n-samples",
    "config",
    "git_hash",
    "date",
    "pretty_env_info",
    "transformers_version",
    "lm_eval_version",
    "upper_git_hash",
    "task_hashes",
    "model_source",
    "model_name",
    "model_name_sanitized",
    "total_evaluation_time_seconds",
}
TABLE = """
import json, sys
from lm_eval.utils import make_table
print(make_table(json.load(sys.stdin)))
"""


def write(folder: Path, samples: Iterator[dict[str, Any]], task: str = "task") -> Path:
    path = folder / f"samples_{task}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in samples), encoding="utf-8")
    return path


def labelled_forms() -> list[Variant]:
    """The forms in which the right option is known."""
    profile = small_profile()
    return [
        form
        for form in profile.variants
        if all(
            one.label is not None
            for one in profile.problems
            if (one.dataset, one.variant) == (form.dataset, form.name)
        )
    ]


def test_all_keys_of_the_harness_are_there() -> None:
    profile = small_profile()
    results = lm_eval_results(profile, profile.models[0].name)
    assert results.keys() >= KEYS
    assert json.loads(json.dumps(results, allow_nan=False)) == results
    names = {task_name(form.dataset, form.name) for form in profile.variants}
    for key in ("results", "configs", "versions", "n-shot", "n-samples", "task_hashes"):
        assert results[key].keys() == names


def test_metrics_stand_under_their_methods() -> None:
    profile = small_profile()
    for model in profile.models:
        results = lm_eval_results(profile, model.name)["results"]
        for address in profile.answer_sets:
            if address.model != model.name:
                continue
            told = results[task_name(address.dataset, address.variant)]
            slot = filter_of(address.method)
            for short, metric in (("acc", "problem-accuracy"), ("schema_acc", "schema-accuracy")):
                known = profile.value(address, metric)
                if known is None:
                    assert f"{short},{slot}" not in told
                else:
                    assert told[f"{short},{slot}"] == known.value
                    assert told[f"{short}_ci95,{slot}"] == [known.low, known.high]


def test_the_standard_error_is_that_of_whole_clusters() -> None:
    """By hand: one entry with both problems solved, one with one of two, one with none."""
    outcomes = [(0.0, 1.0), (0.0, 1.0), (0.0, 1.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0)]
    answers = tuple(
        Answer(f"e{at // 2}", at % 2 + 1, decide(costs, 0)) for at, costs in enumerate(outcomes)
    )
    answer_set = AnswerSet("full", answers, ((0, 1), (2, 3), (4, 5)))
    address = ResultKey("ant", "quay", method="full")
    value = awkward_profile().estimates[0]
    of_problems = type(value)(kind=value.kind, key=address, metric="problem-accuracy", value=0.5)
    profile = awkward_profile(answer_sets={address: answer_set}, estimates=(of_problems,))
    told = lm_eval_results(profile, "ant")["results"]["quay"]
    # Sums of deviations of 1, 0 and -1; G / (G - 1) is 3 / 2.
    assert told["acc_stderr,full"] == sqrt(2 * 3 / 2) / 6
    assert (told["n_schemas"], told["resampling_unit"], told["sample_len"]) == (3, "cluster", 6)
    assert "schema_acc,full" not in told


@pytest.mark.parametrize("right", [0, 1])
def test_where_all_entries_are_alike_no_standard_error_is_pretended(right: int) -> None:
    answers = tuple(Answer(f"e{at}", 1, decide((0.0, 1.0), right)) for at in range(3))
    address = ResultKey("ant", "quay", method="full")
    value = awkward_profile().estimates[0]
    known = type(value)(kind=value.kind, key=address, metric="problem-accuracy", value=1.0 - right)
    profile = awkward_profile(
        answer_sets={address: AnswerSet("full", answers, ())}, estimates=(known,)
    )
    told = lm_eval_results(profile, "ant")["results"]["quay"]
    assert (told["acc,full"], told["acc_stderr,full"]) == (1.0 - right, "N/A")


def test_what_each_method_has_scored_is_counted() -> None:
    answers = tuple(Answer("e", number, decide((0.0, 1.0), 0)) for number in (1, 2))
    at = ResultKey("ant", "quay", method="full")
    answer_sets = {
        at: AnswerSet("full", answers[:1], ()),
        at.replace(method="smart@1"): AnswerSet("smart", answers, ((0, 1),)),
    }
    told = lm_eval_results(awkward_profile(answer_sets=answer_sets), "ant")["n-samples"]["quay"]
    assert told["effective"] == 2
    assert told["by_filter"] == {
        "full": {"problems": 1, "schemas": 0},
        "smart1": {"problems": 2, "schemas": 1},
    }


def test_a_task_has_one_hash_for_all_models_which_changes_with_its_problems() -> None:
    profile = small_profile()
    ant, bee, *_ = (lm_eval_results(profile, one.name)["task_hashes"] for one in profile.models)
    assert ant == bee and len(set(ant.values())) == len(ant)
    first, *others = profile.problems
    changed = replace(profile, problems=(replace(first, statement="The ___ is new."), *others))
    other = lm_eval_results(changed, profile.models[0].name)["task_hashes"]
    assert [name for name in ant if ant[name] != other[name]] == [
        task_name(first.dataset, first.variant)
    ]


def test_an_undefined_value_has_no_standard_error() -> None:
    address = ResultKey("ant", "quay", method="full")
    answer_set = AnswerSet("full", (Answer("e", 1, decide((0.0, 1.0), None)),), ())
    value = awkward_profile().estimates[0]
    known = type(value)(kind=value.kind, key=address, metric="problem-accuracy", value=None)
    profile = awkward_profile(answer_sets={address: answer_set}, estimates=(known,))
    told = lm_eval_results(profile, "ant")["results"]["quay"]
    assert told["acc,full"] is None and told["acc_stderr,full"] == "N/A"


def test_the_circumstances_are_told() -> None:
    told = lm_eval_results(awkward_profile(), "ant")
    assert told["date"] == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC).timestamp()
    assert told["config"]["model_num_parameters"] == 2**40
    assert told["config"]["standard"] == {"quay": "smart1"}
    assert told["transformers_version"] is None
    (of_form,) = lm_eval_results(awkward_profile(), "bee")["configs"].values()
    assert of_form["task"] == "quay_switched"
    assert of_form["metadata"]["left_out"] == {"no, it": 2}


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no model of this run named 'aunt'.*ant"):
        lm_eval_results(awkward_profile(), "aunt")


@needs_peers
def test_the_harness_makes_its_table_of_it() -> None:
    profile = small_profile()
    model = profile.models[0]
    results = lm_eval_results(profile, model.name)
    done = subprocess.run(
        [PYTHON, "-c", TABLE], input=json.dumps(results), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    task, method = profile.datasets[0].name, model.methods[0]
    value = results["results"][task][f"acc,{filter_of(method)}"]
    stderr = results["results"][task][f"acc_stderr,{filter_of(method)}"]
    lines = [line for line in done.stdout.splitlines() if line]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    shown = [one for one in cells if one[2:5] == [filter_of(method), "0", "acc"]]
    assert ["↑", f"{value:.4f}", "±", f"{stderr:.4f}"] in [one[5:] for one in shown]
    assert {task_name(form.dataset, form.name) for form in profile.variants} <= {
        one[0] for one in cells
    }


@pytest.mark.parametrize("form", labelled_forms(), ids=lambda form: f"{form.dataset}-{form.name}")
def test_our_own_reader_reads_the_same_answers(form: Variant, tmp_path: Path) -> None:
    profile = small_profile()
    model = profile.models[0]
    samples = lm_eval_samples(profile, model.name, form.dataset, form.name)
    logged = {one.method: one.answer_set for one in read_log(write(tmp_path, samples))}
    for method in model.methods:
        address = ResultKey(model.name, form.dataset, form.name, method=method)
        if address not in profile.answer_sets:
            continue
        answer_set, read = profile.answer_sets[address], logged.pop(f"acc ({filter_of(method)})")
        assert [one.outcome for one in read.answers] == [one.outcome for one in answer_set.answers]
        assert sorted(read.schemas) == sorted(answer_set.schemas)
        for metric in ("problem-accuracy", "schema-accuracy"):
            assert METRICS[metric](sample_of(read)) == METRICS[metric](sample_of(answer_set))
    assert logged == {}


def test_a_sample_tells_all_that_the_harness_tells_and_more() -> None:
    solved, tied, unlabelled, only_failed = lm_eval_samples(awkward_profile(), "ant", "quay")
    assert solved.keys() >= {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps"}
    assert solved.keys() >= {"filter", "metrics", "doc_hash", "prompt_hash", "target_hash"}
    assert (solved["filter"], solved["acc"], solved["tie"]) == ("smart1", 1.0, False)
    assert (solved["schema_id"], solved["problem_id"]) == ("boat.1", "boat 1")
    assert solved["perturbation"] == "original" and solved["margin"] == "inf"
    assert solved["filtered_resps"] == [["-0.1", "False"], ["-inf", "False"]]
    # The harness takes the first of equal options, which is wrong here.
    assert (tied["acc"], tied["tie"], tied["target"]) == (0.0, True, "1")
    assert "acc" not in unlabelled and unlabelled["target"] == ""
    assert (only_failed["acc"], only_failed["filtered_resps"]) == (0.0, [])


def test_contexts_and_continuations_make_the_sentences() -> None:
    profile = small_profile()
    posed = {(one.dataset, one.variant, one.entry, one.number): one for one in profile.problems}
    model, dataset = profile.models[0].name, profile.datasets[0].name
    for one in lm_eval_samples(profile, model, dataset):
        entry, _, number = one["problem_id"].rpartition(" ")
        sentences = posed[dataset, "original", entry, int(number)].sentences
        joined = [pair["arg_0"] + pair["arg_1"] for pair in one["arguments"].values()]
        assert joined == list(sentences)


def test_a_problem_in_two_schemas_goes_with_the_first(tmp_path: Path) -> None:
    answers = tuple(Answer("triple", at, decide((0.0, 1.0), 0)) for at in (1, 2, 3))
    address = ResultKey("ant", "quay", method="full")
    profile = awkward_profile(answer_sets={address: AnswerSet("full", answers, ((0, 1), (1, 2)))})
    samples = list(lm_eval_samples(profile, "ant", "quay"))
    assert [one["schema_id"] for one in samples] == ["triple.1", "triple.1", "triple.3"]
    (read,) = read_log(write(tmp_path, iter(samples)))
    assert read.answer_set.schemas == ((0, 1),)


def test_a_form_without_labels_says_nothing_of_what_was_solved(tmp_path: Path) -> None:
    answer = Answer("e", 1, Outcome((0.0, 1.0), 0, None, 1.0))
    assert answer.outcome.verdict is Verdict.UNLABELLED
    address = ResultKey("ant", "quay", method="full")
    profile = awkward_profile(answer_sets={address: AnswerSet("full", (answer,), ())})
    with pytest.raises(FileError, match="nothing in it says what was solved"):
        read_log(write(tmp_path, lm_eval_samples(profile, "ant", "quay")))
