from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from horsesense.results import ORIGINAL, Results, Skipped
from horsesense.results.document import to_document
from tests.cli.conftest import Run
from tests.cli.kept import Ask, asking, keep, printed, run_quay
from tests.results.hand_made import Margins, profile

GOOD: Margins = {f"rope-{at}": [1.0 + at, 2.0] for at in range(12)}
BAD: Margins = {f"rope-{at}": [-1.0 - at, 2.0] for at in range(12)}
PARTIAL, FULL = (ORIGINAL, "partial"), (ORIGINAL, "full")


def run_of(id: str, margins: Margins = GOOD, *, model: str = "ant", **more: Any) -> Results:
    made = profile({PARTIAL: margins, FULL: BAD}, model=model, **more)
    return replace(made, record=replace(made.record, id=id, key=id * 4))


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Two nights of a checkpoint, and another model."""
    return keep(
        tmp_path / "store.db",
        run_of("aa11"),
        run_of("bb22", BAD),
        run_of("cc33", BAD, model="bee"),
    )


def test_two_models_are_compared_in_the_latest_runs_that_have_them(ask: Ask) -> None:
    result = ask("compare", "ant", "bee")
    assert result.exit_code == 0
    assert "ant: run bb22, by partial" in result.stdout
    assert "bee minus ant" in result.stdout
    found = printed(ask("compare", "ant", "bee", "--json"))
    assert [one["run"] for one in found["sides"]] == ["bb22", "cc33"]
    assert [row["difference"]["estimate"] for row in found["forms"][0]["differences"]] == [0, 0]


@pytest.mark.parametrize("names", [("aa11", "bb22"), ("aa11:ant", "bb"), ("aa", "bb22:ant")])
def test_two_runs_of_one_model_are_told_apart_by_their_ids(
    ask: Ask, names: tuple[str, str]
) -> None:
    result = ask("compare", *names)
    assert "bb22:ant minus aa11:ant" in result.stdout
    assert "−.500" in result.stdout and "−1.000" in result.stdout
    assert "0 solved only by bb22:ant, 12 only by aa11:ant" in result.stdout
    assert "the same model, by its fingerprint" in result.stderr


def test_the_latest_run_may_be_called_so(ask: Ask) -> None:
    found = printed(ask("compare", "aa11", "latest", "--json"))
    assert [one["model"] for one in found["sides"]] == ["ant", "bee"]


@pytest.mark.parametrize("names", [("ant", "bee"), ("aa11", "bb22")])
def test_one_table_of_a_comparison_is_written_in_any_format(
    ask: Ask, tmp_path: Path, names: tuple[str, str]
) -> None:
    latex = ask("compare", *names, "--format", "latex").stdout
    assert latex.startswith("\\begin{table}") and latex.count("\\begin{table}") == 1
    assert "\\label{tab:differences}" in latex
    table = json.loads(ask("compare", *names, "--table", "consistency", "--format", "json").stdout)
    assert table["columns"][:4] == ["Data", "Variant", "Problems", "Schemas"]
    assert table["rows"][0]["cells"][:2] == ["quay", "original"]
    path = tmp_path / "table.csv"
    written = ask("compare", *names, "--format", "csv", "--output", str(path))
    assert (written.exit_code, written.stdout) == (0, "")
    assert path.read_text().startswith("Data,Variant,Metric,")


def test_two_models_of_one_run_are_compared_in_one_table(tmp_path: Path) -> None:
    run_quay(tmp_path, "longer", "first", perturbations=("none",))
    ask = asking(tmp_path / "store.db")
    text = ask("compare", "longer", "first", "--table", "differences").stdout
    assert text.startswith("Accuracy of longer and first\n")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--table", "flipped"), "the tables are differences, consistency, flips"),
        (("--format", "latex", "--json"), "for a table, use --format json"),
        (("--output", "table.owl"), "name it .tex, .md, .csv, .json or .txt"),
    ],
)
def test_a_table_that_cannot_be_written_is_refused(
    ask: Ask, arguments: tuple[str, ...], message: str
) -> None:
    result = ask("compare", "ant", "bee", *arguments)
    assert result.exit_code != 0 and message in result.stderr


def test_no_file_is_overwritten_by_a_table_unless_that_is_asked_for(
    ask: Ask, tmp_path: Path
) -> None:
    path = tmp_path / "table.tex"
    path.write_text("mine")
    arguments = ("compare", "ant", "bee", "--format", "latex", "--output", str(path))
    assert "use --force" in ask(*arguments).stderr and path.read_text() == "mine"
    assert ask(*arguments, "--force").exit_code == 0 and path.read_text() != "mine"


def test_a_model_that_fails_the_canaries_is_named_before_the_numbers(tmp_path: Path) -> None:
    broken = run_of("dd44", model="bee")
    canary = Skipped("bee, canaries", "prefers scrambled sentences")
    ask = keep(tmp_path / "store.db", run_of("aa11"), replace(broken, skipped=(canary,)))
    message = "warning: Don’t trust any number of bee"
    assert ask("compare", "ant", "bee").stderr.startswith(message)


def test_flips_are_listed_as_far_as_asked(ask: Ask) -> None:
    few = ask("compare", "aa11", "bb22", "--flips", "2").stdout
    assert "rope-11" in few and "rope-10" in few and "rope-9" not in few
    assert "… and 10 more; use --flips 12 to see all" in few
    assert "rope-0" in ask("compare", "aa11", "bb22", "--flips", "12").stdout
    none = ask("compare", "aa11", "bb22", "--flips", "0").stdout
    assert "rope-" not in none and "12 more" in none


def test_a_worse_checkpoint_fails_only_where_that_is_asked_for(ask: Ask) -> None:
    assert ask("compare", "aa11", "bb22").exit_code == 0
    result = ask("compare", "aa11", "bb22", "--fail-if-worse")
    assert result.exit_code == 1
    assert "worse: bb22:ant than aa11:ant on quay, original: schema-accuracy −1" in result.stderr
    assert ask("compare", "bb22", "aa11", "--fail-if-worse").exit_code == 0
    found = printed(ask("compare", "aa11", "bb22", "--fail-if-worse", "--json"), exit_code=1)
    assert [one["metric"] for one in found["worse"]] == ["problem-accuracy", "schema-accuracy"]


def test_delta_says_how_much_worse_is_too_much(ask: Ask) -> None:
    found = printed(ask("compare", "aa11", "bb22", "--fail-if-worse", ".6", "--json"), exit_code=1)
    assert [one["metric"] for one in found["worse"]] == ["schema-accuracy"]
    assert ask("compare", "aa11", "bb22", "--fail-if-worse=1").exit_code == 0


def test_a_method_for_all_or_one_for_each(ask: Ask) -> None:
    found = printed(ask("compare", "aa11", "bee", "--method", "full", "--json"))
    assert [one["method"] for one in found["sides"]] == ["full", "full"]
    given = ask("compare", "aa11", "bee", "--method", "aa11=full,bee=partial", "--json")
    assert [one["method"] for one in printed(given)["sides"]] == ["full", "partial"]
    one = ask("compare", "aa11", "bee", "--method", "bee=full", "--json")
    assert [each["method"] for each in printed(one)["sides"]] == [{"quay": "partial"}, "full"]


@pytest.mark.parametrize("given", ["ant=full,bb22=partial", "bb22:ant=partial,ant=full"])
def test_a_method_for_a_run_comes_before_that_for_its_model(ask: Ask, given: str) -> None:
    found = printed(ask("compare", "aa11", "bb22", "--method", given, "--json"))
    assert [one["method"] for one in found["sides"]] == ["full", "partial"]


@pytest.mark.parametrize(
    "given", ["bb22=full,bb22=partial", "bb22=full,bb22:ant=partial", "ant=full,ant=partial"]
)
def test_two_methods_for_one_side_are_refused(ask: Ask, given: str) -> None:
    result = ask("compare", "aa11", "bb22", "--method", given)
    assert result.exit_code == 2
    assert "is given full and partial; give one" in result.stderr


def test_a_method_that_is_the_best_by_accuracy_is_flagged(tmp_path: Path) -> None:
    lucky = profile({PARTIAL: BAD, FULL: GOOD})
    ask = keep(tmp_path / "store.db", lucky, run_of("cc33", BAD, model="bee"))
    assert "flatters" in ask("compare", "ant", "bee", "--method", "ant=full").stderr
    assert "flatters" not in ask("compare", "ant", "bee").stderr


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("ant",), 2, "two models or runs"),
        (("ant", "ant"), 2, "given twice"),
        (("ant", "fly"), 3, "the runs have ant, bee; 'horsesense run --model fly' evaluates it"),
        (("ant", "beee"), 3, "no model in any run named 'beee'; did you mean bee?"),
        (("ant", "aa11:fly"), 3, "no model in the run aa11 named 'fly'"),
        (("ant", "bee", "--method", "ful"), 3, "no method of ant named 'ful'"),
        (("ant", "bee", "--method", "fly=full"), 3, "no model here named 'fly'"),
        (("ant", "bee", "--method", "ant=full,full"), 2, "as in smollm2-135m=partial"),
    ],
)
def test_what_cannot_be_meant_is_said(
    ask: Ask, arguments: tuple[str, ...], code: int, told: str
) -> None:
    result = ask("compare", *arguments)
    assert result.exit_code == code
    assert told in result.stderr


def test_other_data_are_said_and_the_rest_is_compared(tmp_path: Path) -> None:
    ask = keep(
        tmp_path / "store.db",
        run_of("aa11"),
        run_of("bb22", model="bee", data_id="d2"),
        run_of("cc33", BAD, model="cat"),
    )
    result = ask("compare", "ant", "bee", "cat")
    assert result.exit_code == 1
    assert "not compared: quay: the data differ: ant answered d1, bee answered d2" in result.stderr
    assert "cat minus ant" in result.stdout
    nothing = ask("compare", "ant", "bee")
    assert nothing.exit_code == 1
    assert "nothing could be compared" in nothing.stderr


def test_flips_are_listed_of_the_original_and_counted_in_every_form(tmp_path: Path) -> None:
    nights = []
    for id, margins in (("aa11", GOOD), ("bb22", BAD)):
        night = profile({PARTIAL: margins, ("switched", "partial"): margins})
        nights.append(replace(night, record=replace(night.record, id=id, key=id)))
    lines = keep(tmp_path / "store.db", *nights)("compare", "aa11", "bb22").stdout.splitlines()
    assert sum(" flipped: " in line for line in lines) == 1
    counted = [line.split() for line in lines if line.split()[-2:] == ["0", "12"]]
    assert [line[0] for line in counted] == ["quay", "switched"]


def test_what_cannot_be_tested_is_said(tmp_path: Path) -> None:
    singles: Margins = {f"rope-{at}": [1.0, None] for at in range(3)}
    ask = keep(tmp_path / "store.db", run_of("aa11", singles), run_of("bb22", singles))
    result = ask("compare", "aa11", "bb22")
    assert result.exit_code == 0
    assert "quay, original: schema-accuracy is not tested" in result.stderr


def test_a_run_of_several_models_wants_to_know_which(tmp_path: Path) -> None:
    one, other = run_of("aa11"), run_of("aa11", BAD, model="bee")
    both = replace(
        one,
        models=(*one.models, *other.models),
        answer_sets={**one.answer_sets, **other.answer_sets},
    )
    ask = keep(tmp_path / "store.db", both)
    result = ask("compare", "aa11", "bee")
    assert result.exit_code == 2
    assert "say which: aa11:ant, aa11:bee" in result.stderr
    assert "bee minus ant" in ask("compare", "aa11:ant", "bee").stdout


def test_files_of_results_need_no_store(tmp_path: Path) -> None:
    files = []
    for name, margins in (("monday", GOOD), ("tuesday", BAD)):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(to_document(run_of(name, margins))))
        files.append(str(file))
    ask = asking(tmp_path / "none.db")
    found = printed(ask("compare", *files, "--json"))
    assert [one["name"] for one in found["sides"]] == [f"{file}:ant" for file in files]
    assert [row["difference"]["estimate"] for row in found["forms"][0]["differences"]] == [-0.5, -1]
    assert ask("compare", f"{files[0]}:ant", files[1]).exit_code == 0
    (tmp_path / "broken.json").write_text("{")
    broken = ask("compare", files[0], str(tmp_path / "broken.json"))
    assert broken.exit_code == 5
    assert "broken.json: this is not JSON" in broken.stderr
    empty = replace(run_of("none", GOOD), models=(), estimates=())
    (tmp_path / "nobody.json").write_text(json.dumps(to_document(empty)))
    nobody = ask("compare", files[0], str(tmp_path / "nobody.json"))
    assert nobody.exit_code == 1
    assert "has no models" in nobody.stderr
    assert ask("compare", files[0], "ant").exit_code == 4
    (tmp_path / "empty.json").write_text("")
    for name, told in (("empty.json", "is empty"), ("broken.json", "is not JSON")):
        result = ask("compare", files[0], str(tmp_path / name))
        assert told in result.stderr and "'horsesense report --format json'" in result.stderr


def test_of_a_folder_it_is_said_what_makes_a_file(ask: Ask, tmp_path: Path) -> None:
    result = ask("compare", "ant", str(tmp_path))
    assert result.exit_code == 5
    assert "is a folder; 'horsesense report --format json' makes a file" in result.stderr


def test_runs_of_baselines_are_of_those_that_their_plans_name(tmp_path: Path) -> None:
    runs = [run_quay(tmp_path, name, perturbations=("none",)) for name in ("longer", "random")]
    ids = [one.record.id for one in runs]
    found = printed(asking(tmp_path / "store.db")("compare", *ids, "--json"))
    assert [one["model"] for one in found["sides"]] == ["longer", "random"]


def test_it_says_the_same_as_metric_compare_of_the_same_answers(run: Run, tmp_path: Path) -> None:
    run_quay(tmp_path, "longer", "first", perturbations=("none",))
    for model in ("longer", "first"):
        scored = run("score", "quay.schemas", "--model", model, "--output", f"{model}.jsonl")
        assert scored.exit_code == 0
    logs = ("longer.jsonl", "first.jsonl", "--resamples", "200", "--json")
    expected = printed(run("metric", "compare", *logs))
    found = printed(asking(tmp_path / "store.db")("compare", "longer", "first", "--json"))
    (form,) = found["forms"]
    assert form["differences"] == expected["differences"]
    assert found["family"] == expected["family"]
    shown = {one["metric"]: one for one in expected["consistency"]}
    for one in form["consistency"]:
        assert one["estimate"] == shown[one["metric"]]["estimate"]
        assert one["interval"] == shown[one["metric"]]["interval"]


def test_a_run_of_fewer_schemas_is_compared_on_what_both_were_asked(tmp_path: Path) -> None:
    whole = run_quay(tmp_path, "longer", perturbations=("none",))
    part = run_quay(tmp_path, "first", perturbations=("none",), first=3)
    names = [f"{whole.record.id}:longer", f"{part.record.id}:first"]
    result = asking(tmp_path / "store.db")("compare", *names)
    assert result.exit_code == 1
    told = "longer answered all problems and first answered the first 3 schemas and single"
    assert f"not compared: longer and first: {told}" in result.stderr
    assert "of 3 schemas in quay" in result.stdout


def test_a_baseline_is_taken_from_the_run_of_the_model_beside_it(tmp_path: Path) -> None:
    def with_baselines(id: str, model: str, *names: str) -> Results:
        made = run_of(id, model=model)
        (subject,), (answer_set, *_) = made.models, made.answer_sets.values()
        baselines = [replace(subject, name=name, is_baseline=True) for name in names]
        answers = {next(iter(made.answer_sets)).replace(model=name): answer_set for name in names}
        return replace(
            made, models=(subject, *baselines), answer_sets={**made.answer_sets, **answers}
        )

    ask = keep(
        tmp_path / "store.db",
        with_baselines("aa11", "ant", "first"),
        with_baselines("bb22", "bee", "first", "longer"),
    )
    for names, runs in {
        ("ant", "first"): ["aa11", "aa11"],
        ("first", "bee"): ["bb22", "bb22"],
        ("ant", "longer"): ["aa11", "bb22"],
        ("longer", "first"): ["bb22", "bb22"],
    }.items():
        found = printed(ask("compare", *names, "--json"))
        assert [one["run"] for one in found["sides"]] == runs


def test_the_name_of_the_file_chooses_the_format(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "table.tex"
    assert ask("compare", "ant", "bee", "--output", str(path)).exit_code == 0
    assert r"\begin{table}" in path.read_text()
