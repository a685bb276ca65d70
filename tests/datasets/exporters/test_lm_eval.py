import json
import runpy
import sys
from math import isnan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from horsesense.datasets.exporters import Exported, wrapped
from horsesense.schema import Dataset, Header, Mode, Source
from horsesense.schema.notation import parse_wrapper
from tests.datasets.exporters.folders import (
    BUS,
    COOK,
    FULL_FIELDS,
    KEYS,
    LADLE,
    LORRY,
    OWLS,
    STORM,
    SWIMMER,
    dataset_of,
    entry,
    files_of,
    left_out,
    write,
)

WRAPPER = parse_wrapper("It is |true, false| that …")


def lines(what: Dataset) -> list[dict[str, Any]]:
    (content,) = (text for name, text in files_of("lm-eval", what).items() if "jsonl" in name)
    return [json.loads(line) for line in content.decode().splitlines()]


def test_a_folder_has_the_problems_their_loader_and_two_tasks() -> None:
    assert list(files_of("lm-eval", dataset_of(entry("lorry")))) == [
        "kitchen.jsonl",
        "load_kitchen.py",
        "kitchen_full.yaml",
        "kitchen_partial.yaml",
        "README.md",
    ]


def test_a_problem_has_its_sentences_and_where_they_are_cut() -> None:
    first, _ = lines(dataset_of(entry("ladle", LADLE)))
    cut = "The ladle would not go into the drawer because "
    assert first == {
        "id": "ladle-1",
        "schema": "ladle",
        "mode": "by answer",
        "text": f"{cut}___ was too long.",
        "option1": "the ladle",
        "option2": "the drawer",
        "answer": 1,
        "pronoun": "it",
        "sentences": [f"{cut}the ladle was too long.", f"{cut}the drawer was too long."],
        "label": 0,
        "contexts": [f"{cut}the ladle", f"{cut}the drawer"],
        "suffix": " was too long.",
        "schemas": ["ladle.1"],
    }


def test_contexts_and_suffix_make_the_sentence_and_no_space_is_doubled() -> None:
    for line in lines(dataset_of(entry("lorry"), entry("bus", BUS))):
        assert [context + line["suffix"] for context in line["contexts"]] == line["sentences"]
    files = files_of("lm-eval", dataset_of(entry("lorry")))
    for task in ("full", "partial"):
        assert b'\ntarget_delimiter: ""\n' in files[f"kitchen_{task}.yaml"]


@pytest.mark.parametrize(
    "notation, mode",
    [
        (OWLS, Mode.BY_KEY),  # two blanks
        (KEYS, Mode.BY_ANSWER),  # no blank
        ("! Ida went <home*, out>", Mode.BY_ANSWER),  # nothing behind it
        ("{, small} owls <hoot, sleep>", Mode.BY_KEY),  # another capital behind it
        ("! owls hoot {, loudly} .. <often, rarely>", Mode.BY_KEY),  # a space before it
        ("! {, small} owls <hoot, sleep>", Mode.BY_KEY),  # nothing before it
    ],
)
def test_there_is_no_partial_task_where_a_problem_is_not_fit_for_it(
    notation: str, mode: Mode
) -> None:
    report = Exported()
    what = dataset_of(entry("odd", notation), entry("lorry"), mode=mode)
    files = files_of("lm-eval", what, report)
    assert not any("partial" in name for name in files)
    assert not any("contexts" in line for line in lines(what))
    unfit = report.problems - 2
    told = f"no partial task: {unfit} of {report.problems} problems have two blanks or nothing"
    assert report.remarks == [f"{told} behind the blank"]
    assert told in files["README.md"].decode()


def test_an_empty_key_phrase_does_not_stand_in_the_way_of_partial_scoring() -> None:
    first, _ = lines(dataset_of(entry("swim", SWIMMER), mode=Mode.BY_KEY))
    assert first["contexts"] == ["A swimmer can breathe", "A swimmer can breathe under water"]
    assert first["suffix"] == "."


def test_any_number_of_options_will_do() -> None:
    (line,) = lines(dataset_of(entry("storm", STORM)))
    assert len(line["sentences"]) == len(line["contexts"]) == 3


def test_a_problem_without_a_known_answer_is_left_out_and_counted() -> None:
    what = dataset_of(entry("cook", COOK))
    assert lines(what) == []
    assert left_out("lm-eval", what) == {"problems without a known answer": 1}


def test_what_belongs_to_no_problem_is_counted() -> None:
    counted = left_out("lm-eval", dataset_of(entry("ladle", LADLE, **FULL_FIELDS)))
    assert "tags" not in counted and counted["marked candidates"] == 2


@pytest.mark.parametrize(
    "mode, is_wrapped, task",
    [
        (Mode.BY_ANSWER, False, "kitchen_full"),
        (Mode.BY_KEY, False, "kitchen_by_key_full"),
        (Mode.BY_ANSWER, True, "kitchen_dyadic_full"),
        (Mode.BY_BOOLEAN, True, "kitchen_dyadic_by_boolean_full"),
    ],
)
def test_the_name_of_a_task_tells_what_was_done_with_the_dataset(
    mode: Mode, is_wrapped: bool, task: str
) -> None:
    lorry = entry("lorry", LORRY)
    entries = list(wrapped(dataset_of(lorry), WRAPPER, Exported())) if is_wrapped else [lorry]
    wrapper = WRAPPER if is_wrapped else None
    files = files_of("lm-eval", dataset_of(*entries, mode=mode, wrapper=wrapper))
    assert files[f"{task}.yaml"].decode().startswith(f'task: "{task}"\n')


def test_the_loader_finds_the_problems_wherever_the_harness_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "tasks", files_of("lm-eval", dataset_of(entry("lorry"))).items())
    # Stands in for Hugging Face's library, which only lm-eval's own environment has.
    stand_in = SimpleNamespace(Dataset=SimpleNamespace(from_list=list), DatasetDict=dict)
    monkeypatch.setitem(sys.modules, "datasets", stand_in)
    monkeypatch.chdir(tmp_path)
    loaded = runpy.run_path(str(folder / "load_kitchen.py"))["dataset"](version=1.0)
    assert [doc["id"] for doc in loaded["test"]] == ["lorry-1", "lorry-2"]


def test_the_readme_tells_how_to_run_the_tasks_and_where_they_come_from() -> None:
    header = Header("roads", title="Bridges", author="Ida Elm", licence="CC0", note="so far")
    source = Source("roads.schemas", "5e" * 32, 123, "notation", "1")
    files = files_of("lm-eval", dataset_of(entry("lorry"), header=header, sources=(source,)))
    text = files["README.md"].decode()
    assert text.startswith("# Bridges\n\nso far\n\n- author: Ida Elm\n- licence: CC0\n")
    assert "--tasks roads_full " in text and "- `roads_partial` compares" in text
    assert f"- `roads.schemas`, SHA-256 `{'5e' * 32}`, read by notation 1\n" in text


def test_it_is_told_what_the_harness_reads_in_place_of_a_context() -> None:
    files = {
        name: text.decode() for name, text in files_of("lm-eval", dataset_of(entry("a"))).items()
    }
    assert "\n# Without a context lm-eval has the model read a" in files["kitchen_full.yaml"]
    said = " ".join(files["kitchen_full.yaml"].replace("# ", "").split())
    for told in (files["README.md"], said):
        assert "the BOS of the tokenizer where it has one" in told and "otherwise its EOS" in told
    assert "this is what horsesense calls `full`" in files["README.md"]
    assert "prefix" not in files["kitchen_partial.yaml"]


def test_schemas_are_those_of_which_both_problems_are_written() -> None:
    what = dataset_of(entry("lorry"), entry("storm", STORM))
    assert [line["schemas"] for line in lines(what)] == [["lorry.1"], ["lorry.1"], []]
    dyads = wrapped(dataset_of(entry("lorry", LORRY)), WRAPPER, Exported())
    found = [line["schemas"] for line in lines(dataset_of(*dyads, wrapper=WRAPPER))]
    # By answer, a schema of a dyad has one truth value in both problems.
    assert found == [["lorry.1"], ["lorry.2"], ["lorry.1"], ["lorry.2"]]


def test_single_problems_have_no_schema_accuracy() -> None:
    files = files_of("lm-eval", dataset_of(entry("storm", STORM)))
    assert not any(b"schema_acc" in text for text in files.values())


def test_a_schema_of_which_a_problem_was_not_asked_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "tasks", files_of("lm-eval", dataset_of(entry("lorry"))).items())
    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(Dataset=None, DatasetDict=None))
    accuracy = runpy.run_path(str(folder / "load_kitchen.py"))["schema_accuracy"]
    assert accuracy([(["a"], True), (["a"], True), (["b"], True), (["b"], False)]) == 0.5
    assert accuracy([(["a"], True), (["a"], True), (["b"], False)]) == 1
    assert isnan(accuracy([(["a"], True), ([], True)]))
