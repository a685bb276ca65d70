from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from horsesense.metrics import METRICS
from tests.cli.conftest import Run

# GPT-2 on the WSC266 by smart scoring: how many schemas have which problems solved (Table 3.9).
SMART = {(1, 1): 66, (1, 0): 26, (0, 1): 40, (0, 0): 1}


def write_table(path: str, patterns: dict[tuple[Any, Any], int], tag: str = "") -> str:
    """A table with so many schemas of each pattern; those with both solved may have a tag."""
    lines = ["schema,problem,solved,tags"]
    number = 0
    for pattern, count in patterns.items():
        for _ in range(count):
            number += 1
            tags = tag if pattern == (1, 1) else ""
            lines += [f"s{number},{at},{mark},{tags}" for at, mark in enumerate(pattern, 1)]
    Path(path).write_text("\n".join(lines) + "\n")
    return path


def output(run: Run, *arguments: str) -> dict[str, Any]:
    result = run("metric", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def by_name(found: dict[str, Any], key: str = "metrics") -> dict[str, Any]:
    return {one["metric"]: one for one in found[key]}


def test_all_metrics_are_listed(run: Run) -> None:
    result = run("metric", "list")
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == list(METRICS)
    listed = json.loads(run("metric", "list", "--json").stdout)
    assert [one["name"] for one in listed] == list(METRICS)


def test_a_metric_is_explained_by_name_alias_and_symbol(run: Run) -> None:
    for name in ("consistency", "stability", "c"):
        result = run("metric", "explain", name)
        assert result.stdout.startswith("consistency (c): The share of problems solved both")
    assert "equation: c = |{x : M solves x and f(x), or neither}| / |problems|" in result.stdout
    assert ">>> consistency([[True, False]], [[True, True]])" in result.stdout
    assert json.loads(run("metric", "explain", "C*", "--json").stdout)["is_symmetric"] is True


def test_an_unknown_metric_gets_the_nearest_names(run: Run) -> None:
    result = run("metric", "explain", "strict-consistency")
    assert result.exit_code == 3
    assert "did you mean strict-schema-consistency" in result.stderr


def test_a_table_gives_the_thesis_figures(run: Run) -> None:
    found = by_name(output(run, "compute", write_table("smart.csv", SMART)))
    shown = {name: found[name]["estimate"] for name in found}
    rounded = {name: round(value, 3) for name, value in shown.items()}
    assert rounded["problem-accuracy"] == 0.744
    assert rounded["schema-accuracy"] == 0.496
    assert (rounded["first-problem-accuracy"], rounded["second-problem-accuracy"]) == (0.692, 0.797)
    assert (rounded["second-given-solved"], rounded["second-given-failed"]) == (0.717, 0.976)
    assert (rounded["first-given-solved"], rounded["first-given-failed"]) == (0.623, 0.963)
    accuracy = found["problem-accuracy"]
    assert accuracy["share"] == {"count": 198, "total": 266}
    assert accuracy["percentile"]["low"] < 198 / 266 < accuracy["percentile"]["high"]
    assert (accuracy["clusters"], accuracy["resamples"]) == (133, 10_000)


def test_the_same_seed_gives_the_same_digits_and_another_does_not(run: Run) -> None:
    table = write_table("smart.csv", SMART)
    first, again, other = (
        output(run, "compute", table, "--seed", seed)["metrics"] for seed in ("7", "7", "8")
    )
    assert first == again != other


def test_what_is_shown_has_interval_and_chance(run: Run) -> None:
    result = run("metric", "compute", write_table("smart.csv", SMART), "--metric", "A")
    whose, _, header, row = result.stdout.splitlines()
    counts = "266 problems in 133 schemas, 133 clusters; 0 undecided"
    assert whose == f"an unnamed model on smart, by solved: {counts}"
    assert header.split("  ")[0] == "metric"
    assert row.split()[:4] == ["schema-accuracy", "A", "66/133", ".496"]
    assert row.split()[5] == "to"
    assert row.split()[-1] == ".25"


def test_metrics_that_do_not_fit_are_told_with_the_reason(run: Run) -> None:
    result = run("metric", "compute", write_table("smart.csv", SMART))
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("metrics that")]
    assert "(see --metric NAME for the reason)" in line
    assert "female-gender-gap" in line
    asked = run("metric", "compute", "smart.csv", "--metric", "female-gender-gap")
    assert asked.exit_code == 1
    assert "it is not known which problems are 'female'" in asked.stderr


def test_a_metric_of_two_runs_is_referred_to_compare(run: Run) -> None:
    result = run("metric", "compute", write_table("smart.csv", SMART), "--metric", "consistency")
    assert result.exit_code == 1
    assert "consistency needs two runs; use `horsesense metric compare`" in result.stderr


def test_undecided_problems_count_as_the_rule_says(run: Run) -> None:
    table = write_table("torn.csv", {(1, ""): 40})
    accuracy = [
        by_name(output(run, "compute", table, "--ties", rule))["problem-accuracy"]["estimate"]
        for rule in ("failed", "half")
    ]
    assert accuracy == [0.5, 0.75]


def test_a_subset_is_computed_and_compared_with_its_complement(run: Run) -> None:
    table = write_table("smart.csv", SMART, tag="tidal")
    inside = by_name(output(run, "compute", table, "--subset", "tidal"))["problem-accuracy"]
    assert (inside["share"]["total"], inside["clusters"]) == (132, 66)
    found = output(run, "compare", table, "--subset", "tidal")
    assert found["sides"] == {
        "complement": "not (tidal): 134 problems in 67 schemas, 67 clusters; 0 undecided",
        "subset": "tidal: 132 problems in 66 schemas, 66 clusters; 0 undecided",
    }
    (accuracy, _) = found["differences"]
    assert accuracy["other"] == 1.0
    assert accuracy["difference"]["estimate"] == pytest.approx(1 - 66 / 134)
    assert accuracy["test"]["test"] == "permutation of labels"


def test_an_unknown_subset_is_an_error(run: Run) -> None:
    table = write_table("smart.csv", SMART, tag="tidal")
    result = run("metric", "compute", table, "--subset", "tydal")
    assert result.exit_code == 3
    assert "did you mean tidal" in result.stderr


def test_one_schema_gets_its_values_and_no_interval(run: Run) -> None:
    table = write_table("one.csv", {(1, 0): 1})
    result = run("metric", "compute", table, "--metric", "a")
    assert result.stdout.splitlines()[-1].split()[2:5] == ["1/2", ".500", "–"]
    assert "problem-accuracy: no interval: 1 cluster, " in result.stderr
    assert "not to be trusted" not in result.stderr


def test_single_problems_are_no_clusters_of_schemas(run: Run) -> None:
    twins = "".join(f"s{at},1\ns{at},{at % 2}\n" for at in range(8))
    Path("mixed.csv").write_text("schema,solved\n" + twins + ",1\n,0\n" * 11)
    result = run("metric", "compute", "mixed.csv", "--metric", "a", "--metric", "A")
    assert "38 problems in 8 schemas, 30 clusters" in result.stdout
    told = "schema-accuracy: 8 clusters: intervals are unreliable with fewer than 30"
    assert told in result.stderr.splitlines()
    found = json.loads(run("metric", "compute", "mixed.csv", "--metric", "A", "--json").stdout)
    assert found["metrics"][0]["clusters"] == 8


def test_rows_tagged_with_a_cluster_are_drawn_together(run: Run) -> None:
    rows = [f"s{at},{mark},cluster:{at // 3}" for at in range(90) for mark in (1, at // 3 % 2)]
    for name, lines in (("joined", rows), ("apart", [one.rpartition(",")[0] for one in rows])):
        head = "schema,solved,tags" if name == "joined" else "schema,solved"
        Path(f"{name}.csv").write_text("\n".join([head, *lines]) + "\n")
    joined, apart = (
        by_name(output(run, "compute", f"{name}.csv", "--metric", "A"))["schema-accuracy"]
        for name in ("joined", "apart")
    )
    assert (joined["clusters"], apart["clusters"]) == (30, 90)
    widths = [one["interval"]["high"] - one["interval"]["low"] for one in (joined, apart)]
    assert widths[0] > 1.5 * widths[1]
    compared = output(run, "compare", "joined.csv", "joined.csv", "--metric", "A")
    assert compared["differences"][0]["difference"]["clusters"] == 30


def test_two_runs_are_compared_in_pairs(run: Run) -> None:
    before = write_table("before.csv", SMART)
    after = write_table("after.csv", {(1, 1): 66, (1, 0): 26, (0, 0): 41})
    found = output(run, "compare", before, after)
    accuracy, schema_accuracy = found["differences"]
    assert accuracy["difference"]["estimate"] == pytest.approx(-40 / 266)
    assert accuracy["test"]["test"] == "sign flip"
    # All forty differences go the same way.
    assert accuracy["test"]["p"] == pytest.approx(2 / 2**40)
    assert accuracy["adjusted_p"] == pytest.approx(2 * 2 / 2**40)
    assert schema_accuracy["difference"]["estimate"] == 0
    consistency = by_name(found, "consistency")
    assert consistency["consistency"]["estimate"] == pytest.approx(226 / 266)
    assert consistency["strict-schema-consistency"]["estimate"] == pytest.approx(93 / 133)
    assert [one["test"] for one in found["beside"]] == ["McNemar", "sign test"]


def test_a_comparison_shows_what_a_reader_needs(run: Run) -> None:
    before = write_table("before.csv", SMART)
    after = write_table("after.csv", {(1, 1): 66, (1, 0): 26, (0, 0): 41})
    result = run("metric", "compare", before, after)
    lines = result.stdout.splitlines()
    assert lines[0].startswith("before: an unnamed model on before, by solved: 266 problems")
    row = next(line for line in lines if line.startswith("problem-accuracy"))
    assert row.split()[:4] == ["problem-accuracy", ".744", ".594", "−.150"]
    assert "< .001" in row
    # A difference of exactly nothing has no p.
    assert next(line for line in lines if line.startswith("schema-accuracy")).count("–") >= 2
    assert row.split()[7] == "40/133"
    assert "p values are adjusted for the 2 differences in the table" in result.stderr
    assert "McNemar on schemas: no p (0 of 133 schemas differ)" in result.stderr
    assert "c can only lie between .338 and .850" in result.stderr


def test_controls_have_metrics_of_their_own(run: Run) -> None:
    before = write_table("before.csv", SMART)
    after = write_table("after.csv", {(1, 1): 31, (1, 0): 40, (0, 1): 45, (0, 0): 17})
    plain = by_name(output(run, "compare", before, after), "consistency")
    control = by_name(output(run, "compare", before, after, "--control"), "consistency")
    assert control.keys() - plain.keys() == {
        name for name, one in METRICS.items() if one.declared.applies == "control"
    }
    # (r - r_B) / (1 - r_B) with r = 66/133 and r_B = 31/133
    assert control["relative-schema-gain"]["estimate"] == pytest.approx(35 / 102)


def test_where_only_schemas_correspond_problems_are_not_compared(run: Run) -> None:
    before = write_table("before.csv", SMART)
    after = write_table("after.csv", {(1, 1): 100, (0, 0): 33})
    result = run("metric", "compare", before, after, "--schemas", "--json")
    found = json.loads(result.stdout)
    names = set(by_name(found, "consistency"))
    assert "schema-consistency" in names
    assert not names & {"consistency", "strict-schema-consistency"}
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("metrics that")]
    assert line.startswith("metrics that do not apply: consistency, consistent-accuracy, ")
    assert line.endswith("no problem corresponds to another; only the schemas do")


def test_runs_without_problems_in_common_are_an_error(run: Run) -> None:
    before = write_table("before.csv", SMART)
    Path("other.csv").write_text("schema,problem,solved\nowl,1,1\nowl,2,0\n")
    result = run("metric", "compare", before, "other.csv")
    assert result.exit_code == 1
    assert "nothing in common" in result.stderr


def test_problems_without_a_counterpart_are_counted(run: Run) -> None:
    before = write_table("before.csv", SMART)
    after = write_table("after.csv", {(1, 1): 100})
    assert "left out 66 problems before without a counterpart" in (
        run("metric", "compare", before, after).stderr
    )


def test_nothing_to_compare_with_is_wrong_usage(run: Run) -> None:
    result = run("metric", "compare", write_table("before.csv", SMART))
    assert result.exit_code == 2
    assert "give AFTER, --after-method or --subset" in result.stderr


def test_a_curve_ranks_models_under_every_choice(run: Run) -> None:
    even = write_table("even.csv", SMART)
    # Fewer problems are solved, and more schemas.
    uneven = write_table("uneven.csv", {(1, 1): 70, (0, 0): 63})
    result = run("metric", "curve", even, uneven)
    rows = [line.split() for line in result.stdout.splitlines() if " > " in line]
    rankings = {(row[3], " ".join(row[6:9]), row[9]) for row in rows}
    assert rankings == {
        ("problem-accuracy", "even.csv > uneven.csv", "+1.00"),
        ("schema-accuracy", "uneven.csv > even.csv", "−1.00"),
    }
    found = output(run, "curve", even, uneven)
    assert found["models"] == ["even.csv", "uneven.csv"]
    (pair,) = found["pair_curves"]
    assert len(pair["points"]) == len(found["results"]) == len(rows)
    assert {one["metric"] for one in pair["reversed_in"]} == {"schema-accuracy"}


def test_two_logs_of_one_model_are_no_curve(run: Run) -> None:
    table = write_table("good.csv", SMART)
    result = run("metric", "curve", table, table)
    assert result.exit_code == 1
    assert "is a second log of good.csv" in result.stderr


def test_scores_written_to_a_file_are_read_again(run: Run, garden: Path) -> None:
    for model in ("longer", "first"):
        assert (
            run("score", garden.name, "--model", model, "--output", f"{model}.jsonl").exit_code == 0
        )
    found = by_name(output(run, "compute", "longer.jsonl"))
    assert found["problem-accuracy"]["share"]["total"] == 4
    assert found["schema-accuracy"]["share"]["total"] == 2
    compared = run("metric", "compare", "longer.jsonl", "first.jsonl")
    assert compared.stdout.startswith("before: longer on ")
    assert "4 problems" not in compared.stderr
    kinds = output(run, "compute", "first.jsonl", "--subset", "kinds")
    assert by_name(kinds)["problem-accuracy"]["share"] == {"count": 1, "total": 2}


def test_several_methods_are_shown_side_by_side(run: Run) -> None:
    line = {"model": "words", "dataset": "owls", "mode": "by answer", "right": 0, "tags": []}
    rows = []
    for entry, problem in (("owl", 1), ("owl", 2), ("elm", 1), ("elm", 2)):
        outcome = {"costs": [1.0, 2.0], "chosen": 0, "margin": 1.0, "verdict": "solved"}
        methods = {"full": outcome, "partial": outcome}
        rows.append(
            {**line, "entry": entry, "problem": problem, "schemas": [1], "methods": methods}
            | {"statement": "x", "options": [["a"], ["b"]], "sentences": ["a", "b"]}
        )
    Path("run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    shown = run("metric", "compute", "run.jsonl")
    assert shown.stdout.startswith("words on owls, by full, partial: 4 problems in 2 schemas")
    assert [row.split()[:2] for row in shown.stdout.splitlines()[3:]] == [
        ["full", "problem-accuracy"],
        ["full", "schema-accuracy"],
        ["partial", "problem-accuracy"],
        ["partial", "schema-accuracy"],
    ]
    missing = run("metric", "compute", "run.jsonl", "--method", "ful")
    assert missing.exit_code == 3
    several = run("metric", "compare", "run.jsonl", "run.jsonl")
    assert several.exit_code == 1
    assert "choose one with --method: full, partial" in several.stderr
    both = run("metric", "compare", "run.jsonl", "--method", "full", "--after-method", "partial")
    assert "words on owls, by full" in both.stdout
    assert "both sides solve exactly the same problems" in both.stderr


@pytest.mark.parametrize("name", ["nothing.jsonl", "."])
def test_what_is_no_log_is_an_error(run: Run, name: str) -> None:
    result = run("metric", "compute", name)
    assert result.exit_code == 5
    assert result.stderr.startswith("Error: ")


def test_an_interval_and_a_test_that_disagree_are_explained(run: Run) -> None:
    # The counts of smart and partial scoring: five schemas differ, all in the same direction.
    partial = {(1, 1): 63, (1, 0): 29, (0, 1): 38, (0, 0): 3}
    result = run("metric", "compare", write_table("p.csv", partial), write_table("s.csv", SMART))
    found = output(run, "compare", "p.csv", "s.csv")
    test, interval = found["differences"][0]["test"], found["differences"][0]["difference"]
    assert interval["percentile"]["low"] > 0 and test["p"] > 0.05
    assert f"only {test['unequal']} of 133 clusters differ; rely on the exact test" in result.stderr


def test_runs_in_different_modes_are_compared_by_schemas(run: Run, garden: Path) -> None:
    for mode in ("by-answer", "by-key"):
        options = ("--model", "longer", "--mode", mode, "--output", f"{mode}.jsonl")
        assert run("score", garden.name, *options).exit_code == 0
    result = run("metric", "compare", "by-answer.jsonl", "by-key.jsonl")
    assert "the modes differ (by answer and by key), so only schemas" in result.stderr
    assert "strict-schema-consistency" not in result.stdout
    assert "by key, by choice" in result.stdout


def test_p_values_are_adjusted_as_asked(run: Run) -> None:
    before, after = (
        write_table(name, patterns)
        for name, patterns in (("b.csv", SMART), ("a.csv", {(1, 1): 80, (0, 1): 53}))
    )
    result = run("metric", "compare", before, after, "--correction", "benjamini-hochberg")
    assert "p (Benjamini–Hochberg)" in result.stdout
    found = output(run, "compare", before, after, "--correction", "benjamini-hochberg")
    assert found["family"]["correction"] == "Benjamini–Hochberg"


def test_a_curve_of_runs_without_problems_in_common_is_an_error(run: Run) -> None:
    Path("other.csv").write_text("schema,problem,solved\nowl,1,1\nowl,2,0\n")
    result = run("metric", "curve", write_table("smart.csv", SMART), "other.csv")
    assert result.exit_code == 1
    assert "no metric can be computed" in result.stderr
