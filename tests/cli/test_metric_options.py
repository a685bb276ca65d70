"""What the commands of `horsesense metric` make of their options, and of what they cannot use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from horsesense.cli.options import StatisticsOptions, statistics_options
from horsesense.cli.run import TIES
from horsesense.metrics import Ties
from horsesense.metrics.statistics import LEVEL, RESAMPLES, SEED
from tests.cli.conftest import Run
from tests.cli.test_metric_commands import SMART, by_name, output, write_table


def never(constant: str) -> Any:
    raise AssertionError(f"{constant} is no JSON")


def test_the_defaults_are_those_of_the_library() -> None:
    @statistics_options
    def command() -> None: ...

    defaults = {one.name: one.default for one in command.__click_params__}  # type: ignore[attr-defined]
    assert defaults == {"level": LEVEL, "resamples": RESAMPLES, "seed": SEED}
    assert tuple(Ties) == TIES
    assert StatisticsOptions(None, "failed", 0.9, 5, 1).resampling == {
        "level": 0.9,
        "resamples": 5,
        "seed": 1,
    }


def test_what_is_printed_for_programs_is_json(run: Run) -> None:
    listed = json.loads(run("metric", "list", "--json").stdout, parse_constant=never)
    assert next(one for one in listed if one["name"] == "relative-loss")["bounds"] == [None, 1.0]


def test_an_interval_without_width_is_none(run: Run) -> None:
    table = write_table("half.csv", {(1, 0): 40})
    result = run("metric", "compute", table, "--metric", "a")
    assert result.stdout.splitlines()[-1].split()[:6] == [
        *("problem-accuracy", "a", "40/80", ".500"),
        *("no", "width"),
    ]
    assert "problem-accuracy: all resamples give the same value" in result.stderr


def test_a_metric_named_twice_is_one_metric(run: Run) -> None:
    table = write_table("smart.csv", SMART)
    found = output(run, "compute", table, "--metric", "a", "--metric", "accuracy")
    assert [one["metric"] for one in found["metrics"]] == ["problem-accuracy"]
    compared = output(run, "compare", table, table, "--metric", "a", "--metric", "a")
    assert compared["family"]["size"] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["smart.csv", "smart.csv", "--control", "--metric", "a"], "use only one of them"),
        (["smart.csv", "--subset", "tidal", "--control"], "give AFTER as well"),
        (["smart.csv", "--subset", "tidal", "--schemas"], "give AFTER as well"),
        (["smart.csv", "--subset", "tidal", "--metric", "c"], "give AFTER as well"),
    ],
)
def test_options_that_have_no_meaning_are_wrong_usage(
    run: Run, options: list[str], said: str
) -> None:
    write_table("smart.csv", SMART, tag="tidal")
    result = run("metric", "compare", *options)
    assert result.exit_code == 2
    assert said in result.stderr


def test_tables_are_read_from_standard_input(run: Run) -> None:
    table = Path(write_table("smart.csv", SMART)).read_text()
    result = run("metric", "compute", "-", "--metric", "a", input=table)
    assert result.stdout.splitlines()[-1].split()[2] == "198/266"


def write_samples(path: str, rows: list[tuple[str, bool]]) -> None:
    """A log in the form of lm-evaluation-harness, whose documents have a field `pair`."""
    lines = []
    for number, (pair, solved) in enumerate(rows):
        likely, unlikely = ("-1.0", "-2.0") if solved else ("-2.0", "-1.0")
        lines.append(
            {
                "doc_id": number,
                "doc": {"text": f"The owl {number} hunts by ___.", "pair": pair},
                "target": "0",
                "arguments": {
                    "gen_args_0": {"arg_0": "The owl hunts by", "arg_1": " night"},
                    "gen_args_1": {"arg_0": "The owl hunts by", "arg_1": " day"},
                },
                "resps": [[[likely, "False"]], [[unlikely, "False"]]],
                "filtered_resps": [[likely, "False"], [unlikely, "False"]],
                "filter": "none",
                "metrics": ["acc"],
                "acc": float(solved),
            }
        )
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_documents_are_grouped_or_paired_on_request_only(run: Run) -> None:
    name = "samples_owls_2026-01-01T10-00-00.000000.jsonl"
    write_samples(name, [("a", True), ("b", True), ("a", True), ("b", False)])
    alone = by_name(output(run, "compute", name, "--metric", "A"))["schema-accuracy"]
    assert alone["share"]["total"] == 0
    for options in (["--group-by", "pair"], ["--consecutive"]):
        found = by_name(output(run, "compute", name, "--metric", "A", *options))
        assert found["schema-accuracy"]["share"] == {"count": 1, "total": 2}


def test_of_several_tasks_one_is_named(run: Run) -> None:
    Path("logs").mkdir()
    write_samples("logs/samples_owls_2026-01-01T10-00-00.000000.jsonl", [("a", True), ("a", True)])
    write_samples(
        "logs/samples_voles_2026-01-01T10-00-00.000000.jsonl", [("a", True), ("a", False)]
    )
    several = run("metric", "compute", "logs")
    assert several.exit_code == 1
    assert "choose one with --task: owls, voles" in several.stderr
    assert run("metric", "compute", "logs", "--task", "moles").exit_code == 3
    found = output(run, "compute", "logs", "--task", "voles", "--metric", "a")
    assert found["metrics"][0]["share"] == {"count": 1, "total": 2}


def test_a_curve_of_one_model_says_why_there_is_no_ranking(run: Run) -> None:
    table = write_table("smart.csv", SMART)
    result = run("metric", "curve", table)
    assert result.exit_code == 0
    assert "a ranking needs at least two models" in result.stderr


def test_a_curve_has_both_tie_rules_only_where_something_is_undecided(run: Run) -> None:
    even, torn = write_table("even.csv", SMART), write_table("torn.csv", {**SMART, (1, ""): 1})
    decided = output(run, "curve", even, write_table("uneven.csv", {(1, 1): 133}))
    assert {one["specification"]["ties"] for one in decided["results"]} == {"failed"}
    undecided = output(run, "curve", even, torn)
    assert {one["specification"]["ties"] for one in undecided["results"]} == {"failed", "half"}


def test_a_curve_takes_subsets_and_each_models_best(run: Run) -> None:
    even, uneven = (
        write_table(name, patterns, tag="tidal")
        for name, patterns in (("even.csv", SMART), ("uneven.csv", {(1, 1): 70, (0, 0): 63}))
    )
    options = ("--method", "best", "--subset", "all", "--subset", "tidal", "--metric", "a")
    found = output(run, "curve", even, uneven, *options)
    assert [one["specification"]["subset"] for one in found["results"]] == ["all", "tidal"]
    assert {one["specification"]["setup"] for one in found["results"]} == {"best"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "-", "-"], "standard input can be read only once"),
        (["compute", "smart.csv", "--subset", " "], "--subset needs an expression"),
        (["compute", "smart.csv", "--resamples", "0"], "not in the range"),
        (["compute", "smart.csv", "--level", "1"], "not in the range"),
    ],
)
def test_values_that_have_no_meaning_are_wrong_usage(
    run: Run, arguments: list[str], said: str
) -> None:
    write_table("smart.csv", SMART)
    result = run("metric", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_all_is_the_subset_of_all(run: Run) -> None:
    table = write_table("smart.csv", SMART)
    assert output(run, "compute", table, "--subset", "all") == output(run, "compute", table)


def test_too_few_resamples_for_a_level_are_told(run: Run) -> None:
    table = write_table("smart.csv", SMART)
    options = ("--level", "0.999", "--metric", "a")
    result = run("metric", "compute", table, *options, "--resamples", "2000")
    assert "99.9 % interval" in result.stdout
    assert "2000 resamples: too few for intervals at this level" in result.stderr
    enough = run("metric", "compute", table, *options, "--resamples", "20000")
    assert "too few" not in enough.stderr


def test_methods_without_answers_do_not_stand_in_the_way(run: Run) -> None:
    row = {"model": "m", "dataset": "d", "entry": "owl", "right": 0, "tags": ["night"]}
    outcome = {"costs": [1.0, 2.0], "chosen": 0, "margin": 1.0, "verdict": "solved"}
    methods = {"full": {"undefined": "no BOS"}, "partial": outcome}
    lines = [{**row, "problem": n, "schemas": [1], "methods": methods} for n in (1, 2)]
    Path("run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = output(run, "compute", "run.jsonl", "--subset", "night", "--metric", "a")
    assert [one["method"] for one in found["metrics"]] == ["partial"]
    told = run("metric", "compute", "run.jsonl").stderr
    assert "run.jsonl: no answers by full: 2 problems: no BOS" in told


def test_a_cluster_that_is_partly_in_a_subset_is_left_out_of_the_test(run: Run) -> None:
    lines = ["schema,problem,solved,tags"]
    for n in range(40):
        marked = ("tidal", "tidal") if n < 15 else ("tidal", "") if n == 15 else ("", "")
        lines += [
            f"s{n},{at},{int((n * 7 + at) % 5 < 2 + (n < 9))},{tag}"
            for at, tag in enumerate(marked, 1)
        ]
    Path("odd.csv").write_text("\n".join(lines) + "\n")
    result = run("metric", "compare", "odd.csv", "--subset", "tidal", "--metric", "a")
    assert "1 cluster partly in the subset: included in the estimates" in result.stderr
    row = result.stdout.splitlines()[-1]
    assert "–" not in row.split()[-3]
