"""Datasets that declare in which mode they are to be solved, on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, write

# As the thesis inverts its files: the first line says nothing of it, the second does.
ROADS = """\
schema type: adversarial; dataset name: roads; perturbation: original; baseline: no baseline
by key
s/  1/ a/  1/   1/   1: A rope can hold a *target* boat.&light&heavy&0
s/  1/ b/  1/   2/   2: A rope cannot hold a *target* boat.&light&heavy&1
t/  2/ a/  2/   3/   3: *target* do tow *target2*.&Boats¶rafts&Rafts¶boats&0
t/  2/ b/  2/   4/   4: *target* do not tow *target2*.&Boats¶rafts&Rafts¶boats&1"""
OVERRIDDEN = "declares that it is solved by key; --mode by-answer overrides that"
SCORE = ("score", "roads", "--dataset", "--model", "first")


@pytest.fixture
def roads(run: Run) -> Run:
    """The command line with a dataset that declares to be solved by key, and its file."""
    assert run("dataset", "import", write("roads.txt", ROADS)).exit_code == 0
    return run


def printed(run: Run, *arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("what", [("roads", "--dataset"), ("roads.txt",), ("roads.schemas",)])
def test_scores_are_those_of_the_declared_mode_unless_another_is_named(
    roads: Run, what: tuple[str, ...]
) -> None:
    roads("dataset", "export", "roads", "--output", "roads.schemas")
    found = printed(roads, "score", *what, "--model", "first", "--explain")
    assert found["mode"] == "by key"
    assert found["problems"][0]["statement"] == "A rope can hold a ___ boat."
    [told] = [one for one in found["notes"] if "declares" in one]
    assert told.endswith(" is solved by key, as it declares")
    other = printed(roads, "score", *what, "--model", "first", "--explain", "--mode", "by-answer")
    assert other["problems"][0]["statement"] == "A rope ___ hold a light boat."
    [told] = [one for one in other["notes"] if "declares" in one]
    assert told.endswith(OVERRIDDEN)


def test_that_a_declared_mode_is_overridden_is_said_on_stderr(roads: Run) -> None:
    for command in (
        SCORE,
        ("dataset", "measure", "roads"),
        ("dataset", "export", "roads", "--format", "thesis-text"),
    ):
        assert OVERRIDDEN in roads(*command, "--mode", "by-answer").stderr
        assert "overrides" not in roads(*command, "--mode", "by-key").stderr


def test_a_mode_that_only_the_user_names_is_not_called_declared(run: Run) -> None:
    by_answer = "rafts <do, do not> float like {wood, lead}\n    id: rafts\n"
    result = run("score", write("rafts.schemas", by_answer), "--model", "first", "--mode", "by-key")
    assert result.exit_code == 0, result.stderr
    assert "declares" not in result.stderr


def test_the_declared_mode_is_shown_measured_and_written_again(roads: Run) -> None:
    assert "\nmode: by key\n" in roads("dataset", "show", "roads").stdout
    assert printed(roads, "dataset", "show", "roads")["mode"] == "by key"
    measured = printed(roads, "dataset", "measure", "roads")
    assert (measured["mode"], measured["notes"]) == ("by key", [])
    assert roads("dataset", "export", "roads", "--format", "thesis-text").stdout == ROADS
    assert "\nmode: by key\n" in roads("dataset", "export", "roads").stdout


def test_an_import_records_that_the_file_is_in_another_mode(roads: Run) -> None:
    issues = printed(roads, "dataset", "issues", "roads")
    assert "4 by key" in [one["odd"] for one in issues if one["name"] == "own-mode"]


def test_a_run_poses_the_original_by_key_and_by_answer_as_the_other_form(roads: Run) -> None:
    arguments = ("--model", "first", "--data", "roads", "--perturb", "by-key")
    result = roads("run", *arguments, "--resamples", "20", "--output", "out")
    assert result.exit_code == 0, result.stderr
    told = "roads is a by-key dataset: the model guesses the key phrase."
    assert told in Path("out/report.html").read_text()
    problems = printed(roads, "why")["problems"]
    assert "A rope can hold a ___ boat." in [one["statement"] for one in problems]
    shown = printed(roads, "why", "roads/1.1")["problems"][0]
    assert [one["form"] for one in shown["forms"]] == ["original", "by-answer", "by-answer"]


def test_a_perturbation_keeps_the_declared_mode(roads: Run) -> None:
    assert roads("perturb", "apply", "dyadic", "roads").exit_code == 0
    assert printed(roads, "dataset", "show", "roads.dyadic")["mode"] == "by key"


def test_by_key_is_refused_where_it_would_change_nothing(roads: Run) -> None:
    result = roads("perturb", "apply", "by-key", "roads")
    assert result.exit_code == 1
    assert "roads@1 is already solved by key" in result.stderr
    [skipped] = [
        one
        for one in printed(roads, "perturb", "apply", "all", "roads")
        if "already" in one["missing"]
    ]
    assert skipped["transformation"] == "by-key"


def test_an_audit_says_that_it_looks_at_problems_by_answer(roads: Run) -> None:
    result = roads("dataset", "audit", "roads", "--no-model")
    assert "audited by answer, although the mode of roads@1 is by key" in result.stderr
    assert printed(roads, "dataset", "audit", "roads", "--no-model")["mode"] == "by answer"


FOXES = """\
id,schema,mode,text,option1,option2,answer,tags
1,a,by key,The fox ran because the fox was ___.,slow,scared,2,easy
2,a,by key,The fox ran because the hen was ___.,slow,scared,1,hard
3,b,by key,The lid fell because the lid was ___.,loose,tight,1,hard
4,c,by key,The ice broke because the ice was ___.,thin,thick,1,
5,c,by key,The ice broke because the pane was ___.,thin,thick,1,
"""
STANDING = "2 entries are used as in the file (b, c): no schema by key"


def test_all_problems_of_a_file_by_key_are_posed_and_read_as_they_stand_there(run: Run) -> None:
    rows = list(csv.DictReader(FOXES.splitlines()))
    path = write("foxes.csv", FOXES)
    found = printed(run, "score", path, "--model", "first", "--explain")
    assert (found["mode"], found["as_they_stand"]) == ("by key", ["b", "c"])
    assert STANDING in found["notes"]
    posed = {one["statement"]: one for one in found["problems"]}
    assert len(posed) == len(rows)
    for row in rows:
        one = posed[row["text"]]
        options = [row["option1"], row["option2"]]
        assert one["sentences"] == [row["text"].replace("___", option) for option in options]
        assert (one["mode"], one["right"] + 1) == ("by key", int(row["answer"]))
        assert {"easy", "hard"}.intersection(one["tags"]) == set(filter(None, [row["tags"]]))


def test_loose_problems_by_key_are_measured_and_written_as_they_stand(run: Run) -> None:
    assert run("dataset", "import", write("foxes.csv", FOXES)).exit_code == 0
    measured = printed(run, "dataset", "measure", "foxes")
    assert (measured["problems"], measured["schemas"]) == (5, 2)
    assert measured["notes"] == [STANDING]
    for name in ("csv", "thesis-text"):
        result = run("dataset", "export", "foxes", "--format", name, "--output", f"again.{name}")
        assert STANDING in result.stderr
        again = printed(run, "score", f"again.{name}", "--model", "first")
        assert (again["mode"], len(again["as_they_stand"])) == ("by key", 2)
        assert again["methods"][0]["problems"]["total"] == 5


def test_loose_problems_are_left_out_where_only_the_user_names_the_mode(run: Run) -> None:
    fog = "the fog was <thick*, thin>\n    id: fog\n"
    path = write("fog.schemas", f"{fog}moles {{dig, fly}} <always, never>\n    id: mole\n")
    found = printed(run, "score", path, "--model", "first", "--mode", "by-key")
    assert (found["left_out"][0]["ids"], found["as_they_stand"]) == (["fog"], [])


def test_a_file_in_several_modes_is_said_to_be_posed_by_answer(run: Run) -> None:
    by_answer = "6,d,by answer,___ fly.,Owls,Moles,1,\n7,d,by answer,___ dig.,Owls,Moles,2,\n"
    path = write("mixed.csv", FOXES + by_answer)
    told = "5 by key, 2 by answer: posed by answer unless you choose another mode"
    assert f"mixed.csv: {told}" in run("score", path, "--model", "first").stderr
    assert told in run("dataset", "import", path).stdout
    assert printed(run, "dataset", "import", path)[0]["several_modes"] == told
